// SPDX-License-Identifier: MIT
/*
 * Modular exponentiation for odd m: Montgomery's reduction (HAC 14.32) a row at a time,
 * R = B^n, and a fixed window over a table that is read whole for each digit.
 *
 * Every value is kept below m: reduction takes T < R m to below 2m, and one masked
 * subtraction follows.
 */
#include <carrychain/limbs.h>

#include "kernels.h"
#include "mask.h"

cc_word cc_fixed_minus_inverse(cc_word m)
{
	/* right to 5 bits; each step doubles them */
	cc_word inverse = (3 * m) ^ 2;
	int i;

	for (i = 5; i < CC_WORD_BITS; i *= 2)
		inverse *= 2 - m * inverse;
	return 0 - inverse;
}

struct montgomery {
	cc_fixed_mul_fn *mul;
	cc_fixed_sqr_fn *sqr;
	const cc_word *m;
	size_t n;
	cc_word m0; /* -1 / m mod B */
	cc_word *t; /* 2n words: a product */
};

/* r = t / R mod m for t < R m, which is destroyed */
static void reduce(const struct montgomery *k, cc_word *r)
{
	const cc_word *m = k->m;
	size_t n = k->n, i;
	cc_word *t = k->t, carry = 0, keep;

	for (i = 0; i < n; i++)
		t[n + i] =
			cc_word_add(t[n + i], cc_limbs_addmul_1(t + i, m, n, t[i] * k->m0), &carry);
	t += n;
	/* below 2m: what carries out is gone with the subtraction */
	keep = cc_mask(carry ^ 1) & cc_mask(cc_limbs_sub(r, t, m, n));
	for (i = 0; i < n; i++)
		r[i] = cc_choose(keep, t[i], r[i]);
}

static void mul(const struct montgomery *k, cc_word *r, const cc_word *a, const cc_word *b)
{
	k->mul(k->t, a, b, k->n);
	reduce(k, r);
}

static void sqr(const struct montgomery *k, cc_word *r, const cc_word *a)
{
	k->sqr(k->t, a, k->n);
	reduce(k, r);
}

/* r[n] = table[which], every entry of @count read */
static void lookup(cc_word *r, const cc_word *table, size_t count, cc_word which, size_t n)
{
	size_t entry, i;

	memset(r, 0, n * sizeof(*r));
	for (entry = 0; entry < count; entry++) {
		cc_word mask = cc_mask_eq(entry, which);

		for (i = 0; i < n; i++)
			r[i] |= table[entry * n + i] & mask;
	}
}

void cc_fixed_powmod_odd(cc_fixed_mul_fn *mul_n, cc_fixed_sqr_fn *sqr_n, cc_word *r,
			 const cc_word *b, const cc_word *e, const cc_word *m, size_t n,
			 cc_word *scratch)
{
	unsigned int window = n * CC_WORD_BITS <= 256 ? 4 : 5, i;
	size_t entries = (size_t)1 << window, at, entry;
	cc_word *table = scratch, *x = table + entries * n, *y = x + n;
	struct montgomery k = {
		.mul = mul_n,
		.sqr = sqr_n,
		.m = m,
		.n = n,
		.m0 = cc_fixed_minus_inverse(m[0]),
		.t = y + n,
	};

	cc_fixed_power_of_two_mod(table, n * CC_WORD_BITS, m, n);
	cc_fixed_power_of_two_mod(x, 2 * n * CC_WORD_BITS, m, n);
	mul(&k, table + n, b, x);
	for (entry = 2; entry < entries; entry += 2) {
		sqr(&k, table + entry * n, table + entry / 2 * n);
		mul(&k, table + (entry + 1) * n, table + entry * n, table + n);
	}

	/* from the top digit, which is narrower unless the window divides the bits */
	at = (n * CC_WORD_BITS - 1) / window * window;
	lookup(x, table, entries, cc_fixed_bits(e, n, at, window), n);
	while (at) {
		at -= window;
		for (i = 0; i < window; i++)
			sqr(&k, x, x);
		lookup(y, table, entries, cc_fixed_bits(e, n, at, window), n);
		mul(&k, x, x, y);
	}

	memcpy(k.t, x, n * sizeof(*x));
	memset(k.t + n, 0, n * sizeof(*x));
	reduce(&k, x);
	memcpy(r, x, n * sizeof(*r));
}
