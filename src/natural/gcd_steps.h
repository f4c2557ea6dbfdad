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

#endif /* CC_NATURAL_GCD_STEPS_H */
