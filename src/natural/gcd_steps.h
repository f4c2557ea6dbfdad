/* SPDX-License-Identifier: MIT */
/*
 * gcd_steps.h - the steps of Euclid's algorithm that follow from the top words of two numbers.
 *
 * Here and in half_gcd.h, (a; b) = U (a'; b') for a matrix U of nonnegative numbers with the
 * determinant 1: then a and b have the same greatest common divisor as a' and b', and
 *   a' = u11 a - u01 b,  b' = u00 b - u10 a.
 * As a = u00 a' + u01 b' and b = u10 a' + u11 b', no entry is above max(a, b) / min(a', b').
 */
#ifndef CC_NATURAL_GCD_STEPS_H
#define CC_NATURAL_GCD_STEPS_H

#include "../limbs/kernels.h"

#include "../platform.h"

/* A matrix of words. */
struct cc_steps {
	cc_word u00, u01, u10, u11;
};

/*
 * The Jacobi symbol on the way: of a and b modulo 4, not both even, the symbol S = (a / b) for odd
 * b, else (b / a), and the sign of what it was at first over what it is now.
 *
 * A step changes it as follows.  For odd b, a - q b is the same modulo b.  For odd a, b - q a is
 * the same modulo a, and reciprocity leads from S to (b / a), and back.  If b is even, then
 * (b / a) = (b / a - b) (-1 / a) R(a, a - b), where R is the sign of reciprocity: for b a multiple
 * of 4 nothing changes, else the sign does when a is 3 modulo 4, as every second of a, a - b, ...
 * is.  Likewise for even a.
 */
struct cc_jacobi {
	unsigned int a, b, sign; /* sign: in bit 0 */
};

/* a -= q b */
static inline void cc_jacobi_less_a(struct cc_jacobi *j, cc_word quotient)
{
	unsigned int q = (unsigned int)quotient;

	j->sign ^= (~j->b & j->b >> 1) & (q >> 1 ^ (q & j->a >> 1));
	j->a = (j->a - q * j->b) & 3;
}

/* b -= q a */
static inline void cc_jacobi_less_b(struct cc_jacobi *j, cc_word quotient)
{
	unsigned int q = (unsigned int)quotient, b = (j->b - q * j->a) & 3;

	j->sign ^= j->a >> 1 &
		   (j->a & 1 ? (j->b & j->b >> 1) ^ (b & b >> 1) : q >> 1 ^ (q & j->b >> 1));
	j->b = b;
}

/*
 * The steps of a[n], b[n] that follow from their two top words, for n >= 2 and a top word of
 * either that is not 0.  Returns whether there are any.  Both stay at least 2 B^(n - 2) if
 * n > 2.  They are taken in j as well, unless it is NULL.
 */
CC_HIDDEN int cc_gcd_steps(struct cc_steps *steps, const cc_word *a, const cc_word *b, size_t n,
			   struct cc_jacobi *j);

/* a[n], b[n] = a', b'; returns n, or n - 1 if both top words are 0; t[n] */
CC_HIDDEN size_t cc_gcd_take_steps(cc_word *a, cc_word *b, size_t n, const struct cc_steps *steps,
				   cc_word *t);
/*
 * u[n], v[n] = u00 u + u10 v, u01 u + u11 v, a row of a matrix times U, whose entries are below
 * B / 2; above[2] = the words above; t[n]
 */
CC_HIDDEN void cc_gcd_take_row(cc_word *u, cc_word *v, size_t n, const struct cc_steps *steps,
			       cc_word *above, cc_word *t);

/*
 * *high : returned = (y1 : y0) - (x1 : x0) modulo B^2; *less = all ones if that is negative, else
 * 0.  It is hidden from the compiler, which would branch on what no processor can predict.
 */
static inline cc_word cc_gcd_subtract(cc_word *high, cc_word *less, cc_word y1, cc_word y0,
				      cc_word x1, cc_word x0)
{
#if CC_WORD_BITS == 64 && CC_U128_IMPL == 128
	cc_native_u128 y = (cc_native_u128)y1 << 64 | y0, x = (cc_native_u128)x1 << 64 | x0;
	cc_word low = (cc_word)(y - x);

	*high = (cc_word)((y - x) >> 64);
	*less = 0 - (cc_word)(y < x);
#else
	cc_word borrow = 0, low = cc_word_sub(y0, x0, &borrow);

	*high = cc_word_sub(y1, x1, &borrow);
	*less = 0 - borrow;
#endif
	__asm__("" : "+r"(*less));
	return low;
}

#endif /* CC_NATURAL_GCD_STEPS_H */
