// SPDX-License-Identifier: MIT
/* Applies STEPS division steps to whole vectors. */
#include "divsteps.h"

static struct cc_term term(cc_word c, const cc_word *x)
{
	cc_word negative = cc_sign(c);

	return (struct cc_term){x, (c ^ negative) - negative, negative, negative & 1};
}

/* (high : low) += |c| (word @i of x or -x) */
static void add_term(cc_word *high, cc_word *low, struct cc_term *t, size_t i)
{
	cc_word x = (t->x[i] ^ t->negative) + t->carry, h, l, carry = 0;

	t->carry &= cc_mask_zero(x);
	l = cc_word_mul(&h, x, t->size);
	*low = cc_word_add(*low, l, &carry);
	*high += h + carry;
}

/*
 * r = (sum of the terms) / 2^STEPS, an exact division, in two's complement.  r may be the
 * vector of a term.
 *
 * The carried word does not overflow: if the magnitudes |c| add up to C < B, it is at most C,
 * because C (B - 1) + C = C B.
 */
static void combine(cc_word *r, struct cc_term *terms, int count, size_t words)
{
	cc_word carry = 0, low = 0, before = 0;
	size_t i;
	int t;

	for (i = 0; i < words; i++) {
		cc_word high = 0;

		low = carry;
		for (t = 0; t < count; t++)
			add_term(&high, &low, &terms[t], i);
		carry = high;
		if (i)
			r[i - 1] = before >> CC_STEPS | low << (CC_WORD_BITS - CC_STEPS);
		before = low;
	}
	r[words - 1] = low >> CC_STEPS | cc_sign(low) << (CC_WORD_BITS - CC_STEPS);
}

void cc_fixed_update(struct cc_matrix *k, cc_word *f, cc_word *g, cc_word *t, size_t words)
{
	k->terms[0] = term(k->u, f);
	k->terms[1] = term(k->v, g);
	combine(t, k->terms, 2, words);
	k->terms[0] = term(k->q, f);
	k->terms[1] = term(k->r, g);
	combine(g, k->terms, 2, words);
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
static void update_row(struct cc_term *terms, cc_word *r, cc_word u, const cc_word *d, cc_word v,
		       const cc_word *e, const cc_word *m, cc_word m_inverse, size_t words)
{
	cc_word c = (u & cc_sign(d[words - 1])) + (v & cc_sign(e[words - 1]));
	cc_word low = u * d[0] + v * e[0] + c * m[0];

	c -= (low * m_inverse) & (((cc_word)1 << CC_STEPS) - 1);
	terms[0] = term(u, d);
	terms[1] = term(v, e);
	terms[2] = term(c, m);
	combine(r, terms, 3, words);
}

void cc_fixed_update_modulo(struct cc_matrix *k, cc_word *d, cc_word *e, cc_word *t,
			    const cc_word *m, cc_word m_inverse, size_t words)
{
	update_row(k->terms, t, k->u, d, k->v, e, m, m_inverse, words);
	update_row(k->terms, e, k->q, d, k->r, e, m, m_inverse, words);
	memcpy(d, t, words * sizeof(*d));
}
