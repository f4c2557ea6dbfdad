// SPDX-License-Identifier: MIT
/* Applies STEPS division steps to whole vectors. */
#include "divsteps.h"

#include <carrychain/limbs.h>

/* -|c| x is |c| ~x + |c| */
static cc_word size_below_zero(cc_word c)
{
	return (0 - c) & cc_sign(c);
}

/* sum[n] += |c| x or |c| ~x; the carry */
static cc_word add_term(cc_word *sum, cc_word *turned, cc_word c, const cc_word *x, size_t n)
{
	cc_word negative = cc_sign(c);
	size_t i;

	for (i = 0; i < n; i++)
		turned[i] = x[i] ^ negative;
	return cc_limbs_addmul_1(sum, turned, n, (c ^ negative) - negative);
}

/*
 * r = (a x + b y + c z) / 2^STEPS, an exact division, in two's complement, without z if it is NULL.
 * r may be x, y or z: what is written of it was read.
 *
 * The carried word does not overflow: if the magnitudes of a, b and c add up to C < B, it is at
 * most C, because C (B^n - 1) + C = C B^n.
 */
static void combine(struct cc_matrix *k, cc_word *r, cc_word a, const cc_word *x, cc_word b,
		    const cc_word *y, cc_word c, const cc_word *z, size_t words)
{
	cc_word carry = size_below_zero(a) + size_below_zero(b) + size_below_zero(c), top = 0;
	cc_word *sum = k->sum + 1;
	size_t at, n;

	for (at = 0; at < words; at += n) {
		n = words - at < CC_DIVSTEPS_WORDS ? words - at : CC_DIVSTEPS_WORDS;
		memset(sum, 0, n * sizeof(*sum));
		sum[-1] = top;
		sum[0] = carry;
		carry = add_term(sum, k->turned, a, x + at, n);
		carry += add_term(sum, k->turned, b, y + at, n);
		if (z)
			carry += add_term(sum, k->turned, c, z + at, n);
		top = sum[n - 1];
		/* the top word is not complete before the next part, or the sign */
		(void)cc_limbs_rshift(r + at - !!at, sum - !!at, n + !!at, CC_STEPS);
	}
	r[words - 1] |= cc_sign(top) << (CC_WORD_BITS - CC_STEPS);
}

void cc_fixed_update(struct cc_matrix *k, cc_word *f, cc_word *g, cc_word *t, size_t words)
{
	combine(k, t, k->u, f, k->v, g, 0, NULL, words);
	combine(k, g, k->q, f, k->r, g, 0, NULL, words);
	memcpy(f, t, words * sizeof(*f));
}

/*
 * One row for d and e modulo m: r = (u d + v e + c m) / 2^STEPS, where c makes the division
 * exact, and keeps r in (-2m, m), where d and e are.
 *
 * A negative d or e is replaced by d + m or e + m, which are in (-m, m): so
 * |u d + v e| <= 2^STEPS m.  Then from 0 to 2^STEPS - 1 is subtracted from c, which leaves the
 * sum in (-2 2^STEPS m, 2^STEPS m].  The magnitudes of u, v and c add up to at most
 * 2^STEPS + 2^STEPS + 2^STEPS < B, and the sum, above -2^(STEPS + 1) B^n, fits n + 1 words.
 */
static void row_modulo(struct cc_matrix *k, cc_word *r, cc_word u, const cc_word *d, cc_word v,
		       const cc_word *e, const cc_word *m, cc_word m_inverse, size_t words)
{
	cc_word c = (u & cc_sign(d[words - 1])) + (v & cc_sign(e[words - 1]));
	cc_word low = u * d[0] + v * e[0] + c * m[0];

	c -= (low * m_inverse) & (((cc_word)1 << CC_STEPS) - 1);
	combine(k, r, u, d, v, e, c, m, words);
}

void cc_fixed_update_modulo(struct cc_matrix *k, cc_word *d, cc_word *e, cc_word *t,
			    const cc_word *m, cc_word m_inverse, size_t words)
{
	row_modulo(k, t, k->u, d, k->v, e, m, m_inverse, words);
	row_modulo(k, e, k->q, d, k->r, e, m, m_inverse, words);
	memcpy(d, t, words * sizeof(*d));
}
