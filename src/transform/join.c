// SPDX-License-Identifier: MIT
#include "digits.h"

/* A sum of products of a word and 50 bits: some thousand of them fit. */
struct column {
#if CC_U128_IMPL == 128
	cc_native_u128 sum;
#else
	cc_u64 low, high;
#endif
};

static inline struct column plus(struct column t, cc_u64 a, cc_u64 b)
{
#if CC_U128_IMPL == 128
	t.sum += (cc_native_u128)a * b;
#else
	cc_u64 high, low = cc_mul_u64(&high, a, b);

	t.low += low;
	t.high += high + (t.low < low);
#endif
	return t;
}

/* The word of a column; the rest is carried into the next one. */
static inline cc_u64 word(struct column t, cc_u64 *carry)
{
#if CC_U128_IMPL == 128
	*carry = (cc_u64)(t.sum >> 64);
	return (cc_u64)t.sum;
#else
	*carry = t.high;
	return t.low;
#endif
}

/* Stores words in their place. */
struct output {
	cc_word *r;
	size_t n, at;
};

static inline void put(struct output *to, cc_u64 x)
{
#if CC_WORD_BITS == 64
	if (to->at < to->n)
		to->r[to->at] = x;
	to->at++;
#else
	if (to->at < to->n)
		to->r[to->at] = (cc_word)x;
	if (to->at + 1 < to->n)
		to->r[to->at + 1] = (cc_word)(x >> 32);
	to->at += 2;
#endif
}

/* x >> by and x << (64 - by), for by from 0 to 63 */
static inline cc_u64 funnel(cc_u64 low, cc_u64 high, unsigned int by)
{
	return low >> by | (high << 1) << (63 - by);
}

/*
 * Unrolls loops of a small constant length, so that their variables are in registers.  With 32-bit
 * registers, they would take more than 1 KB of a kernel's stack instead.
 */
#if CC_WORD_BITS == 64
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

#define RATIO_BITS 58

static inline __attribute__((__always_inline__)) void join(cc_word *r, size_t n, cc_u64 *const *x,
							   unsigned int primes, size_t length,
							   unsigned int bits,
							   struct cc_watch *watch)
{
	const struct cc_remainders *by = &cc_remainders[primes];
	const unsigned int words = primes * 50 / 64 + 1, shift = bits - 64;
	const cc_u64 mask = ((cc_u64)1 << shift) - 1;
	struct output to = {r, n, 0};
	cc_u64 sum[CC_REMAINDERS_WORDS + 1] = {0}, minus[8][CC_REMAINDERS_WORDS], ratio[CC_PRIMES];
	cc_u64 pending = 0;
	unsigned int at = 0, i, w;
	size_t j;

	for (i = 0; i < primes; i++) {
		cc_u64 rem, p = (cc_u64)cc_primes[i].p << 14;

		/* 2^(58 + 18) / p = 2^(76 + 14 - 64) 2^64 / (2^14 p), rounded down */
		ratio[i] = cc_div_2by1_u64(&rem, (cc_u64)1 << 26, 0, p, cc_reciprocal_u64(p));
	}
	/* -i P */
	memset(minus, 0, sizeof(minus));
	for (i = 1; i < 8; i++) {
		cc_u64 borrow = 0;

		for (w = 0; w < words; w++) {
			cc_u64 a = minus[i - 1][w], b = by->product[w] + borrow;

			borrow = (b < borrow) + (a < b);
			minus[i][w] = a - b;
		}
	}
	for (j = 0; j < length && !cc_transform_stopped(watch, j); j++) {
		struct column t[CC_REMAINDERS_WORDS];
		cc_u64 k = (cc_u64)1 << (RATIO_BITS - 3), carry = 0, low, high;
		const cc_u64 *less;

		/* error below 2^-20, and c / P is below 1 / 8 */
		UNROLL
		for (i = 0; i < primes; i++)
			k += (x[i][j] >> 18) * ratio[i];
		less = minus[k >> RATIO_BITS];
		memset(t, 0, sizeof(t));
		UNROLL
		for (i = 0; i < primes; i++)
			UNROLL
		for (w = 0; w < (primes - 1) * 50 / 64 + 1; w++)
			t[w] = plus(t[w], by->cofactor[i][w], x[i][j]);
		UNROLL
		for (w = 0; w < words; w++) {
			t[w] = plus(plus(t[w], less[w], 1), carry, 1);
			t[w] = plus(t[w], sum[w], 1);
			sum[w] = word(t[w], &carry);
		}

		/* the lowest digit is appended to the pending bits */
		low = sum[0];
		high = sum[1] & mask;
		UNROLL
		for (w = 0; w < words; w++)
			sum[w] = funnel(sum[w + 1], w + 2 <= words ? sum[w + 2] : 0, shift);
		put(&to, pending | low << at);
		pending = (low >> 1) >> (63 - at) | high << at;
		at += shift;
		if (at >= 64) {
			at -= 64;
			put(&to, pending);
			pending = high >> (shift - at);
		}
	}
	put(&to, pending | sum[0] << at);
	for (w = 0; w < words; w++)
		put(&to, (sum[w] >> 1) >> (63 - at) | sum[w + 1] << at);
	while (to.at < n)
		put(&to, 0);
}

void cc_join(cc_word *r, size_t n, cc_u64 *const *x, unsigned int primes, size_t length,
	     unsigned int bits, struct cc_watch *w)
{
	if (primes == 3)
		join(r, n, x, 3, length, bits, w);
	else if (primes == 4)
		join(r, n, x, 4, length, bits, w);
	else
		join(r, n, x, 5, length, bits, w);
}
