// SPDX-License-Identifier: MIT
/*
 * Lucas numbers by squarings of a pair a = L(k), b = L(k - 1):
 *   L(2k)     = a^2 - 2 (-1)^k
 *   L(2k - 2) = b^2 + 2 (-1)^k
 *   L(2k - 1) = L(2k) - L(2k - 2)
 * For an odd n, where one number is wanted, L(2k + 1) = a (a + b) - (-1)^k.  Twos in n are
 * squarings of one number.
 */
#include <carrychain/fib.h>

#include "../bigint/room.h"

#include "table.h"

/* The last n whose L(n) fits 64 bits. */
#define U64_MOST  (CC_FIB_U64_MAX - 1)
#define U64_WORDS (64 / CC_WORD_BITS)

/* L(n) for n <= U64_MOST */
static cc_u64 of_few(cc_u64 n)
{
	return n ? cc_fib_table[n - 1] + cc_fib_table[n + 1] : 2;
}

/* r[U64_WORDS] = x */
static void put(cc_word *r, cc_u64 x)
{
	r[0] = (cc_word)x;
#if U64_WORDS == 2
	r[1] = (cc_word)(x >> 32);
#endif
}

/* Words for L(n), and as many as a square may have more; log2 of the golden ratio is below 3/4. */
static cc_u64 words_of(cc_u64 n)
{
	return n / 4 * 3 / CC_WORD_BITS + 4;
}

/* What both the pair and the last numbers are computed with. */
struct work {
	cc_word *t, *scratch; /* of half the result's words */
	struct cc_watch watch;
};

/* r[2n] = a[n]^2 -+ 2, which is positive, - for @minus; returns the length without zeros on top */
static size_t square(cc_word *r, const cc_word *a, size_t n, int minus, struct work *w)
{
	cc_natural_sqr_watched(r, a, n, w->scratch, &w->watch);
	if (minus)
		cc_limbs_sub_1(r, r, 2 * n, 2);
	else
		cc_limbs_add_1(r, r, 2 * n, 2);
	return cc_limbs_normalise(r, 2 * n);
}

/*
 * (*a, *b) = (L(k), L(k - 1)) for k = n >> 1, n odd, by the bits of n from the first few on; they
 * and the scratch's t change places.  Returns a's length, or 0 if the watch stops it.
 */
static size_t by_pairs(cc_word **a, cc_word **b, cc_u64 n, struct work *w)
{
	unsigned int bit = 64 - 6 - cc_clz_u64(n);
	size_t m = U64_WORDS;

	put(*a, of_few(n >> bit));
	put(*b, of_few((n >> bit) - 1));
	for (m = cc_limbs_normalise(*a, m); --bit;) {
		cc_u64 k = n >> (bit + 1);
		cc_word *squared = w->t;

		w->watch.done = k;
		if (cc_watch_step(&w->watch, CC_STEP_WORDS))
			return 0;
		square(squared, *a, m, !(k & 1), w);
		square(*a, *b, m, k & 1, w);
		m *= 2;
		cc_limbs_sub(*b, squared, *a, m);
		w->t = *a;
		*a = squared;
		if (n >> bit & 1) {
			/* L(2k + 1) and L(2k) */
			(*b)[m] = cc_limbs_add(*b, *b, *a, m);
			(*a)[m] = 0;
			m++;
			squared = *a;
			*a = *b;
			*b = squared;
		}
		m = cc_limbs_normalise(*a, m);
	}
	return m;
}

/* r = a b -+ 1, - for @minus, for m words each; returns the length without zeros on top */
static size_t product(cc_word *r, const cc_word *a, const cc_word *b, size_t m, int minus,
		      struct work *w)
{
	cc_natural_mul_watched(r, a, m, b, m, w->scratch, &w->watch);
	if (minus)
		cc_limbs_sub_1(r, r, 2 * m, 1);
	else
		cc_limbs_add_1(r, r, 2 * m, 1);
	return cc_limbs_normalise(r, 2 * m);
}

/* r = L(n) for n > U64_MOST, by the memory of three numbers of half as many words */
static size_t of_many(cc_word *r, cc_word *a, cc_word *b, cc_u64 n, struct work *w)
{
	unsigned int twos = 0;
	cc_u64 odd = n, k;
	size_t m = U64_WORDS;

	for (; !(odd & 1); odd >>= 1)
		twos++;
	k = odd >> 1;
	if (odd <= U64_MOST) {
		put(a, of_few(odd));
	} else {
		cc_word *to;

		m = by_pairs(&a, &b, odd, w);
		if (!m)
			return 0;
		to = twos ? w->t : r;
		b[m] = cc_limbs_add(b, b, a, m);
		a[m++] = 0;
		m = product(to, a, b, m, !(k & 1), w);
		if (!twos)
			return m;
		w->t = a;
		a = to;
	}
	for (m = cc_limbs_normalise(a, m); twos--; odd *= 2) {
		cc_word *to = twos ? w->t : r;

		w->watch.done = odd;
		if (cc_watch_step(&w->watch, CC_STEP_WORDS))
			return 0;
		m = square(to, a, m, !(odd & 1), w);
		w->t = a;
		a = to;
	}
	return m;
}

/* The last n for which the factors of the last step are in the table. */
#define PRODUCT_MAX (2 * U64_MOST)

#define PRODUCT_WORDS (2 * U64_WORDS)

/* r[PRODUCT_WORDS] = L(n) for n <= PRODUCT_MAX */
static void from_table(cc_word *r, cc_u64 n)
{
	cc_u64 k = n >> 1, by = n & 1 ? 1 : 2, high, low;

	low = cc_mul_u64(&high, of_few(k), of_few(k + (n & 1)));
	if (k & 1) {
		low += by;
		high += low < by;
	} else {
		high -= low < by;
		low -= by;
	}
	put(r, low);
	put(r + U64_WORDS, high);
}

/* r[2n] = L(k + m) from a[n] = L(k) and b[n] = L(m), m = k or k + 1 */
static void last_step(cc_word *r, const cc_word *a, const cc_word *b, size_t n, cc_u64 k, cc_u64 m)
{
	cc_word by = m > k ? 1 : 2;

	cc_limbs_mul(r, a, n, b, n, NULL);
	if (k & 1)
		cc_limbs_add_1(r, r, 2 * n, by);
	else
		cc_limbs_sub_1(r, r, 2 * n, by);
}

/* r[2 PRODUCT_WORDS] = L(n) for n <= 2 PRODUCT_MAX */
static void by_one_step(cc_word *r, cc_u64 n)
{
	cc_word a[PRODUCT_WORDS], b[PRODUCT_WORDS];

	from_table(a, n >> 1);
	if (!(n & 1)) {
		last_step(r, a, a, PRODUCT_WORDS, n >> 1, n >> 1);
		return;
	}
	from_table(b, (n >> 1) + 1);
	last_step(r, a, b, PRODUCT_WORDS, n >> 1, (n >> 1) + 1);
}

/* r[4 PRODUCT_WORDS] = L(n) for n <= 4 PRODUCT_MAX */
static void by_two_steps(cc_word *r, cc_u64 n)
{
	cc_word a[2 * PRODUCT_WORDS], b[2 * PRODUCT_WORDS];
	const cc_u64 k = n >> 1;

	by_one_step(a, k);
	if (n & 1)
		by_one_step(b, k + 1);
	last_step(r, a, n & 1 ? b : a, 2 * PRODUCT_WORDS, k, k + (n & 1));
}

/* The results that fit so many words, made of the table's alone. */
#define FEW_MAX	  (4 * PRODUCT_MAX)
#define FEW_WORDS (4 * PRODUCT_WORDS)

static int of_few_words(cc_bigint *r, cc_u64 n)
{
	size_t words = n <= PRODUCT_MAX	      ? PRODUCT_WORDS
		       : n <= 2 * PRODUCT_MAX ? 2 * PRODUCT_WORDS
					      : FEW_WORDS;
	struct cc_room room;
	int err = cc_room_open(&room, r, words);

	if (err)
		return err;
	if (n <= PRODUCT_MAX)
		from_table(room.words, n);
	else if (n <= 2 * PRODUCT_MAX)
		by_one_step(room.words, n);
	else
		by_two_steps(room.words, n);
	cc_room_close(&room, r, words, 0);
	return CC_OK;
}

static __attribute__((__noinline__)) int long_lucas(cc_bigint *r, cc_u64 n,
						    const struct cc_progress *progress)
{
	cc_u64 words = words_of(n), half = words_of(n / 2) + 2;
	struct work w = {.watch = {progress, 0, n, 0}};
	struct cc_scratch memory;
	struct cc_room room;
	size_t products, length;
	int err;

	if (words > CC_WORDS_MAX)
		return CC_ENOMEM;
	products = cc_larger(cc_natural_mul_scratch((size_t)half, (size_t)half),
			     cc_natural_sqr_scratch((size_t)half));
	err = cc_scratch_open(&memory, 3 * (size_t)half + products);
	if (err)
		return err;
	/* if it is stopped, r must keep its value */
	err = progress ? cc_room_alloc(&room, r, 2 * (size_t)half)
		       : cc_room_open(&room, r, 2 * (size_t)half);
	if (!err) {
		w.t = memory.words + 2 * half;
		w.scratch = w.t + half;
		length = of_many(room.words, memory.words, memory.words + half, n, &w);
		if (w.watch.stopped) {
			cc_room_abandon(&room, r);
			err = CC_EINTR;
		} else {
			cc_room_close(&room, r, length, 0);
		}
	}
	cc_scratch_close(&memory);
	return err;
}

int cc_lucas(cc_bigint *r, uint64_t n, const struct cc_progress *progress)
{
	if (n <= U64_MOST)
		return cc_bigint_set_u64(r, of_few(n));
	return n <= FEW_MAX ? of_few_words(r, n) : long_lucas(r, n, progress);
}
