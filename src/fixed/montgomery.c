// SPDX-License-Identifier: MIT
/*
 * Modular exponentiation for odd m: Montgomery reduction (HAC 14.32) row by row, with R = B^n.
 *
 * Every value is kept below m: reduction takes T < R m to a number below 2m, and one masked
 * subtraction follows.
 */
#include <carrychain/limbs.h>

#include "mask.h"
#include "ring.h"

cc_word cc_fixed_minus_inverse(cc_word m)
{
	/* correct to 5 bits; each step doubles that */
	cc_word inverse = (3 * m) ^ 2;
	int bits;

	for (bits = 5; bits < CC_WORD_BITS; bits *= 2)
		inverse *= 2 - m * inverse;
	return 0 - inverse;
}

cc_fixed_mont_mul_fn *cc_fixed_mont_mul(const struct cc_fixed_kernels *kernels, size_t n)
{
	return n <= CC_FIXED_MONT_MOST ? kernels->mont_mul[n] : NULL;
}

cc_word cc_fixed_clear_low_rows(cc_word *t, const cc_word *m, size_t n, cc_word m0)
{
	cc_word carry = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word above = cc_limbs_addmul_1(t + i, m, n, t[i] * m0);

		t[n + i] = cc_word_add(t[n + i], above, &carry);
	}
	return carry;
}

/* r = t / R mod m for t < R m */
static void reduce(const struct cc_fixed_ring *ring, cc_word *r)
{
	const cc_word *m = ring->m;
	size_t n = ring->n, i;
	cc_word *t = ring->t + n, carry, keep;

	carry = ring->clear_low(ring->t, m, n, *ring->m0);
	keep = cc_mask(~carry & cc_limbs_sub(r, t, m, n) & 1);
	for (i = 0; i < n; i++)
		r[i] = cc_choose(keep, t[i], r[i]);
}

size_t cc_fixed_radix(size_t n)
{
	return n * CC_WORD_BITS;
}

void cc_fixed_powmod_odd(const struct cc_fixed_kernels *kernels, const struct cc_fixed_power *power,
			 size_t n, size_t bits, cc_word *scratch)
{
	const cc_word *m = power->m, *in = power->in;
	struct cc_fixed_ring ring = {
		.mul = kernels->mul,
		.sqr = kernels->sqr,
		.mont_mul = cc_fixed_mont_mul(kernels, n),
		.reduce = reduce,
		.m = m,
		.clear_low = kernels->clear_low,
		.n = n,
	};

	/* R and b R, by way of R^2: b < R, so b R^2 < R m even if b >= m */
	cc_fixed_ring_scratch(&ring, scratch);
	*ring.m0 = cc_fixed_minus_inverse(m[0]);
	if (!in) {
		cc_fixed_power_of_two_mod(ring.x, 2 * n * CC_WORD_BITS, m, n);
		in = ring.x;
	}
	cc_fixed_ring_mul(&ring, ring.table + n, power->b, in);
	memcpy(ring.t, in, n * sizeof(cc_word));
	memset(ring.t + n, 0, n * sizeof(cc_word));
	reduce(&ring, ring.table);
	cc_fixed_ring_power(&ring, power->e, bits, power->shown);

	memcpy(ring.t, ring.x, n * sizeof(cc_word));
	memset(ring.t + n, 0, n * sizeof(cc_word));
	reduce(&ring, power->r);
}
