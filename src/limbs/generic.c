// SPDX-License-Identifier: MIT
/* The portable tier, which specifies every kernel. */
#include "kernels.h"

static cc_word add(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word carry = 0;
	size_t i;

	for (i = 0; i < n; i++)
		r[i] = cc_word_add(a[i], b[i], &carry);
	return carry;
}

static cc_word sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word borrow = 0;
	size_t i;

	for (i = 0; i < n; i++)
		r[i] = cc_word_sub(a[i], b[i], &borrow);
	return borrow;
}

/* a w + x + y, which never overflows: (B - 1)^2 + 2(B - 1) = B^2 - 1. */
static inline cc_word mul_add(cc_word *high, cc_word a, cc_word w, cc_word x, cc_word y)
{
#if CC_WORD_BITS == 32
	cc_u64 t = (cc_u64)a * w + x + y;

	*high = (cc_word)(t >> 32);
	return (cc_word)t;
#elif CC_U128_IMPL == 128
	cc_native_u128 t = (cc_native_u128)a * w + x + y;

	*high = (cc_word)(t >> 64);
	return (cc_word)t;
#else
	cc_word low = cc_word_mul(high, a, w);

	low += x;
	*high += low < x;
	low += y;
	*high += low < y;
	return low;
#endif
}

/*
 * In the three products by a word, the carried word does not overflow: with B the base,
 * (B - 1)^2 + 2(B - 1) = B^2 - 1.
 */
static cc_word mul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	cc_word above = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word high, low = cc_word_mul(&high, a[i], w);

		r[i] = low + above;
		above = high + (r[i] < low);
	}
	return above;
}

static cc_word addmul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	cc_word above = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word high, low = cc_word_mul(&high, a[i], w), old = r[i];

		low += above;
		high += low < above;
		r[i] = old + low;
		above = high + (r[i] < old);
	}
	return above;
}

static cc_word submul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	cc_word above = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word high, low = cc_word_mul(&high, a[i], w), old = r[i];

		low += above;
		high += low < above;
		r[i] = old - low;
		above = high + (old < low);
	}
	return above;
}

/* A shift by 0 needs its own path: a word shifted by its whole width is undefined. */
static cc_word lshift(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	unsigned int rest = CC_WORD_BITS - count;
	cc_word out;
	size_t i;

	if (!n)
		return 0;
	if (!count) {
		memmove(r, a, n * sizeof(*r));
		return 0;
	}
	out = a[n - 1] >> rest;
	for (i = n - 1; i > 0; i--)
		r[i] = (a[i] << count) | (a[i - 1] >> rest);
	r[0] = a[0] << count;
	return out;
}

static cc_word rshift(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	unsigned int rest = CC_WORD_BITS - count;
	cc_word out;
	size_t i;

	if (!n)
		return 0;
	if (!count) {
		memmove(r, a, n * sizeof(*r));
		return 0;
	}
	out = a[0] << rest;
	for (i = 0; i + 1 < n; i++)
		r[i] = (a[i] >> count) | (a[i + 1] << rest);
	r[n - 1] = a[n - 1] >> count;
	return out;
}

/*
 * r[n + 2] = r[n] + a[n] (w0 + w1 B) + above0: each word of a is used twice, and each word of r
 * is read and written once.  Neither carried word overflows, for the same reason.
 */
static inline void addmul_2(cc_word *r, const cc_word *a, size_t n, cc_word w0, cc_word w1,
			    cc_word above0)
{
	cc_word above1 = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word high;

		r[i] = mul_add(&high, a[i], w0, above0, r[i]);
		above0 = mul_add(&above1, a[i], w1, above1, high);
	}
	r[n] = above0;
	r[n + 1] = above1;
}

static void mul_basecase(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	size_t i;

	r[an] = mul_1(r, a, an, b[0]);
	for (i = 1; i + 1 < bn; i += 2)
		addmul_2(r + i, a, an, b[i], b[i + 1], 0);
	if (i < bn)
		r[an + i] = addmul_1(r + i, a, an, b[i]);
}

/* Sums the products off the diagonal once, doubles them, and adds the squares. */
static void sqr_basecase(cc_word *r, const cc_word *a, size_t n)
{
	cc_word carry = 0;
	size_t i;

	r[0] = 0;
	r[2 * n - 1] = 0;
	if (n > 1) {
		r[n] = mul_1(r + 1, a + 1, n - 1, a[0]);
		for (i = 1; i + 1 < n; i += 2) {
			/* two rows; the first begins with the product of their words */
			cc_word above, low = cc_word_mul(&above, a[i], a[i + 1]);

			r[2 * i + 1] += low;
			above += r[2 * i + 1] < low;
			addmul_2(r + 2 * i + 2, a + i + 2, n - i - 2, a[i], a[i + 1], above);
		}
		lshift(r, r, 2 * n, 1);
	}
	for (i = 0; i < n; i++) {
		cc_word high, low = cc_word_mul(&high, a[i], a[i]);

		r[2 * i] = cc_word_add(r[2 * i], low, &carry);
		r[2 * i + 1] = cc_word_add(r[2 * i + 1], high, &carry);
	}
}

const struct cc_limbs_kernels cc_limbs_generic = {
	.tier = "generic",
	.add = add,
	.sub = sub,
	.mul_1 = mul_1,
	.addmul_1 = addmul_1,
	.submul_1 = submul_1,
	.lshift = lshift,
	.rshift = rshift,
	.mul_basecase = mul_basecase,
	.sqr_basecase = sqr_basecase,
	.mul_few = mul_basecase,
	.sqr_few = sqr_basecase,
	.thresholds = {CC_THRESHOLDS_WORDS},
};
