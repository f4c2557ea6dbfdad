// SPDX-License-Identifier: MIT
/*
 * Modular exponentiation for odd m: Montgomery reduction (HAC 14.32) row by row, with R = B^n.
 *
 * Every value is kept below m: reduction takes T < R m to a number below 2m, and one masked
 * subtraction follows.
 */
#include <carrychain/limbs.h>

#include "../limbs/divide.h"

#include "mask.h"
#include "ring.h"

cc_word cc_fixed_minus_inverse(cc_word m)
{
	return 0 - cc_limbs_inverse(m);
}

cc_fixed_mont_mul_fn *cc_fixed_mont_mul(const struct cc_fixed_kernels *kernels, size_t n)
{
	return n <= CC_FIXED_MONT_MOST ? kernels->mont_mul[n] : NULL;
}

cc_fixed_mont_mul_fn *cc_fixed_mont_sqr(const struct cc_fixed_kernels *kernels, size_t n)
{
	return n == 8 && kernels->mont_sqr_8 ? kernels->mont_sqr_8 : cc_fixed_mont_mul(kernels, n);
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

/* *high : returned = a b + c + *high, at most B^2 - 1 */
static inline cc_word step(cc_word a, cc_word b, cc_word c, cc_word *high)
{
	cc_word above, low = cc_word_mul(&above, a, b), carry = 0;

	low = cc_word_add(low, c, &carry);
	above += carry;
	carry = 0;
	low = cc_word_add(low, *high, &carry);
	*high = above + carry;
	return low;
}

/*
 * A word of b and one of the quotient at a time (CIOS; Koc, Acar and Kaliski 1996).  After each,
 * t < a + m, which takes a bit above n words; after all, t = (a b + q m) / B^n < 2m.
 */
static inline __attribute__((__always_inline__)) void
mont_mul(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n, cc_word m0)
{
	cc_word t[2] = {0}, d[2], above = 0, borrow = 0, keep;
	size_t i, j;

#pragma GCC unroll 2
	for (i = 0; i < n; i++) {
		cc_word of_ab = 0, of_qm = 0, low = step(a[0], b[i], t[0], &of_ab), q = low * m0;

		step(q, m[0], low, &of_qm);
#pragma GCC unroll 2
		for (j = 1; j < n; j++) {
			low = step(a[j], b[i], t[j], &of_ab);
			t[j - 1] = step(q, m[j], low, &of_qm);
		}
		t[n - 1] = cc_word_add(of_ab, of_qm, &above);
	}
#pragma GCC unroll 2
	for (i = 0; i < n; i++)
		d[i] = cc_word_sub(t[i], m[i], &borrow);
	keep = cc_mask(borrow & ~above);
#pragma GCC unroll 2
	for (i = 0; i < n; i++)
		r[i] = cc_choose(keep, t[i], d[i]);
}

/*
 * a b / B mod m for a b < B m, by the quotient whose product with m has the low word of a b: what
 * remains is the difference of the high words, which are below m.  It waits for one carry less.
 */
static inline cc_word mont_mul_word(cc_word a, cc_word b, cc_word m, cc_word m0)
{
	cc_word high, low = cc_word_mul(&high, a, b), above, borrow = 0;

	cc_word_mul(&above, low * cc_hide(0 - m0), m);
	high = cc_word_sub(high, above, &borrow);
	return high + (cc_mask(borrow) & m);
}

void cc_fixed_mont_mul_1(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n,
			 cc_word m0)
{
	(void)n;
	r[0] = mont_mul_word(a[0], b[0], m[0], m0);
}

void cc_fixed_mont_mul_2(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n,
			 cc_word m0)
{
	(void)n;
	mont_mul(r, a, b, m, 2, m0);
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

/* A power modulo one word with a public exponent, whose residues stay in registers. */
static cc_word power_of_word(const struct cc_fixed_power *power, cc_word in, size_t bits,
			     cc_word *table)
{
	unsigned int width = cc_fixed_window(bits, true), i;
	cc_word m = power->m[0], m0 = cc_fixed_minus_inverse(m), x;
	size_t entries = (size_t)1 << width, at = (bits - 1) / width * width, digit;

	table[0] = mont_mul_word(in, 1, m, m0);
	table[1] = mont_mul_word(power->b[0], in, m, m0);
	for (i = 2; i < entries; i++)
		table[i] = mont_mul_word(table[i - 1], table[1], m, m0);
	x = table[cc_fixed_shown_digit(power->e, bits, at, width)];
	while (at) {
		at -= width;
		for (i = 0; i < width; i++)
			x = mont_mul_word(x, x, m, m0);
		digit = cc_fixed_shown_digit(power->e, bits, at, width);
		if (digit)
			x = mont_mul_word(x, table[digit], m, m0);
	}
	return mont_mul_word(x, 1, m, m0);
}

void cc_fixed_powmod_odd(const struct cc_fixed_kernels *kernels, const struct cc_fixed_power *power,
			 size_t n, size_t bits, cc_word *scratch)
{
	const cc_word *m = power->m, *in = power->in;
	struct cc_fixed_ring ring = {
		.mul = kernels->mul,
		.sqr = kernels->sqr,
		.mont_mul = cc_fixed_mont_mul(kernels, n),
		.mont_sqr = cc_fixed_mont_sqr(kernels, n),
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
	if (n == 1 && power->shown) {
		power->r[0] = power_of_word(power, in[0], bits, ring.table);
		return;
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
