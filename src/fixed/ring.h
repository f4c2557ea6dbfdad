/* SPDX-License-Identifier: MIT */
/*
 * ring.h - powers in a ring whose elements are n words, with a fixed window.  The whole table
 * is read for each digit of the exponent, unless that is public.
 */
#ifndef CC_FIXED_RING_H
#define CC_FIXED_RING_H

#include "kernels.h"

#define CC_FIXED_ENTRIES 32 /* of the widest window */

struct cc_fixed_ring {
	cc_fixed_mul_fn *mul;
	cc_fixed_sqr_fn *sqr;
	cc_fixed_mont_mul_fn *mont_mul, *mont_sqr; /* all in one, or both NULL */
	/* reduces the product t[2n] to r[n]; it may destroy t */
	void (*reduce)(const struct cc_fixed_ring *ring, cc_word *r);
	const cc_word *m; /* the modulus, and how to reduce: where there is one */
	cc_fixed_clear_low_fn *clear_low;
	size_t n;
	/* in the scratch: CC_FIXED_ENTRIES elements, two elements, 2n words, -1 / m mod B */
	cc_word *table, *x, *t, *m0;
};

static inline void cc_fixed_ring_scratch(struct cc_fixed_ring *ring, cc_word *scratch)
{
	ring->table = scratch;
	ring->x = ring->table + CC_FIXED_ENTRIES * ring->n;
	ring->t = ring->x + 2 * ring->n;
	ring->m0 = ring->t + 2 * ring->n;
}

/* r may be an operand */
CC_HIDDEN void cc_fixed_ring_mul(const struct cc_fixed_ring *ring, cc_word *r, const cc_word *a,
				 const cc_word *b);

/*
 * x = b^e for a secret or public e of @bits bits; the table's first two entries must be the
 * ring's one and b
 */
CC_HIDDEN void cc_fixed_ring_power(const struct cc_fixed_ring *ring, const cc_word *e, size_t bits,
				   bool shown);

#endif /* CC_FIXED_RING_H */
