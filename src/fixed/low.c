// SPDX-License-Identifier: MIT
/* Powers and inverses modulo B^n, by products whose upper half is dropped. */
#include "mask.h"
#include "ring.h"

static void reduce(const struct cc_fixed_ring *ring, cc_word *r)
{
	memcpy(r, ring->t, ring->n * sizeof(*r));
}

void cc_fixed_power_low(const struct cc_fixed_kernels *kernels, const struct cc_fixed_power *power,
			size_t n, size_t bits, cc_word *scratch)
{
	struct cc_fixed_ring ring = {
		.mul = kernels->mul,
		.sqr = kernels->sqr,
		.reduce = reduce,
		.n = n,
	};

	cc_fixed_ring_scratch(&ring, scratch);
	memset(ring.table, 0, n * sizeof(cc_word));
	ring.table[0] = 1;
	memcpy(ring.table + n, power->b, n * sizeof(cc_word));
	cc_fixed_ring_power(&ring, power->e, bits, power->shown);
	memcpy(power->r, ring.x, n * sizeof(cc_word));
}

/*
 * Newton's iteration y := y (2 - o y) doubles the number of correct words: with these,
 * o y = 1 + z, where z is 0 in them, and 2 - o y = 1 - z is the negative of o y except for the
 * lowest word.
 */
void cc_fixed_inverse_low(const struct cc_fixed_kernels *kernels, cc_word *r, const cc_word *o,
			  size_t n, cc_word *scratch)
{
	cc_word *product = scratch, *correction = scratch + 2 * n;
	size_t right, words;

	memset(r, 0, n * sizeof(*r));
	r[0] = 0 - cc_fixed_minus_inverse(o[0]);
	for (right = 1; right < n; right = words) {
		words = 2 * right < n ? 2 * right : n;
		kernels->mul(product, o, r, words);
		memcpy(correction, product, words * sizeof(*r));
		correction[0] = 0;
		cc_fz_negate(correction, ~(cc_word)0, correction, words);
		correction[0] = 1;
		kernels->mul(product, r, correction, words);
		memcpy(r, product, words * sizeof(*r));
	}
}
