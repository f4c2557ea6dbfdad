// SPDX-License-Identifier: MIT
/*
 * Lucas numbers by squarings of a pair a = L(k), b = L(k - 1):
 *   L(2k)     = a^2 - 2 (-1)^k
 *   L(2k - 2) = b^2 + 2 (-1)^k
 *   L(2k - 1) = L(2k) - L(2k - 2)
 * At the end, where one number is wanted, L(2k + 1) = a (a + b) - (-1)^k.
 */
#include <carrychain/fib.h>

#include "../bigint/room.h"

/* x += by, for a small number */
static int add_small(cc_bigint *x, int64_t by)
{
	cc_bigint small = CC_BIGINT_INIT;
	cc_word word = (cc_word)(by < 0 ? -by : by);

	small.words = &word;
	small.length = small.capacity = 1;
	return by < 0 ? cc_bigint_sub(x, x, &small) : cc_bigint_add(x, x, &small);
}

/* (a, b) = (L(2k), L(2k - 1)); t is scratch */
static int twice(cc_bigint *a, cc_bigint *b, cc_bigint *t, int odd, struct cc_watch *w)
{
	int err = cc_room_sqr(t, a, w);

	if (!err)
		err = add_small(t, odd ? 2 : -2);
	if (!err)
		err = cc_room_sqr(a, b, w);
	if (!err)
		err = add_small(a, odd ? -2 : 2);
	if (!err)
		err = cc_bigint_sub(b, t, a);
	cc_bigint_swap(a, t);
	return err;
}

/* The last n whose L(n) fits 64 bits. */
#define U64_MOST 92

/* L(n) for n <= U64_MOST */
static cc_u64 of_few(cc_u64 n)
{
	return n ? cc_fib_u64(n - 1) + cc_fib_u64(n + 1) : 2;
}

/* a = L(n) for n > U64_MOST, by the bits of n from the first few on */
static int by_pairs(cc_bigint *a, cc_bigint *b, cc_bigint *t, cc_u64 n, struct cc_watch *w)
{
	unsigned int bit = 64 - 6 - cc_clz_u64(n);
	int err = cc_bigint_set_u64(a, of_few(n >> bit));

	if (!err)
		err = cc_bigint_set_u64(b, of_few((n >> bit) - 1));
	while (--bit && !err) {
		cc_u64 k = n >> (bit + 1);

		w->done = k;
		err = twice(a, b, t, k & 1, w);
		if (err || !(n >> bit & 1))
			continue;
		/* L(2k + 1) and L(2k) */
		err = cc_bigint_add(b, a, b);
		cc_bigint_swap(a, b);
	}
	if (err)
		return err;
	if (n & 1) {
		err = cc_bigint_add(b, a, b);
		if (!err)
			err = cc_room_mul(t, a, b, w);
	} else {
		err = cc_room_sqr(t, a, w);
	}
	cc_bigint_swap(a, t);
	if (err)
		return err;
	return add_small(a, (n & 1 ? 1 : 2) * (n >> 1 & 1 ? 1 : -1));
}

int cc_lucas(cc_bigint *r, uint64_t n, const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, n, 0};
	cc_bigint a = CC_BIGINT_INIT, b = CC_BIGINT_INIT, t = CC_BIGINT_INIT;
	/* log2 of the golden ratio is below 3/4 */
	cc_u64 words = n / 4 * 3 / CC_WORD_BITS + 3;
	int err;

	if (n <= U64_MOST)
		return cc_bigint_set_u64(r, of_few(n));
	err = words > CC_WORDS_MAX ? CC_ENOMEM : cc_bigint_reserve(&a, (size_t)words);
	if (!err)
		err = cc_bigint_reserve(&t, (size_t)words);
	if (!err)
		err = by_pairs(&a, &b, &t, n, &w);
	if (!err)
		cc_bigint_swap(r, &a);
	cc_bigint_clear(&a);
	cc_bigint_clear(&b);
	cc_bigint_clear(&t);
	return err;
}
