// SPDX-License-Identifier: MIT
/*
 * The decimal digits of F(n) without its words: once the numbers are long, the steps of fib.c
 * continue in places of 13 digits.  Their products take about as long as those of words, and
 * no conversion is needed.
 */
#include <carrychain/fib.h>

#include "../bigint/room.h"
#include "../natural/places.h"
#include "../transform/transform.h"

/* The steps in places begin with an F(k) for k above half of this: 178 words or more. */
#define FIRST_MAX   32768
#define FIRST_WORDS (FIRST_MAX * 45499 / 65536 / CC_WORD_BITS + 1)

/* A bound for the places of 13 digits of F(n): 0.20899 / 13 < 1054 / 65536. */
static size_t fib_places(cc_u64 n)
{
	return (size_t)((n >> 16) * 1054 + ((n & 0xffff) * 1054 >> 16)) + 2;
}

/* A combination p a + q b + carry, place by place. */
struct combination {
	int64_t p, q, carry;
};

static inline cc_u64 next_place(struct combination *c, cc_u64 a, cc_u64 b, int64_t u)
{
	int64_t x = c->p * (int64_t)a + c->q * (int64_t)b + c->carry;

	/* floor(x / u), for -3 u <= x < 5 u */
	c->carry = (x >= u) + (x >= 2 * u) + (x >= 3 * u) + (x >= 4 * u) - (x < 0) - (x < -u) -
		   (x < -2 * u);
	return (cc_u64)(x - c->carry * u);
}

/* r[n] = a combination of a[n] and b[n], and so is s[n]; they may be b and a. */
static void combine(cc_u64 *r, struct combination to_r, cc_u64 *s, struct combination to_s,
		    const cc_u64 *a, const cc_u64 *b, size_t n, cc_u64 radix)
{
	size_t i;

	for (i = 0; i < n; i++) {
		cc_u64 x = a[i], y = b[i];

		r[i] = next_place(&to_r, x, y, (int64_t)radix);
		s[i] = next_place(&to_s, x, y, (int64_t)radix);
	}
}

static size_t normalise(const cc_u64 *a, size_t n)
{
	while (n && !a[n - 1])
		n--;
	return n;
}

struct work {
	struct cc_radix places;
	struct cc_scratch memory;
	cc_u64 *a, *b, *t; /* contiguous, with room for 2 half + 4 places each */
	cc_word *scratch;
	struct cc_watch watch; /* in indices, as fib.c's */
};

/* Computes the places of F(k); returns their number, or 0 if there is no memory. */
static size_t first(cc_u64 *r, cc_u64 k, struct work *w)
{
	cc_bigint f = CC_BIGINT_INIT;
	const cc_u64 *places;
	size_t count;

	if (cc_fib(&f, k))
		return 0;
	places = cc_natural_to_places(&count, f.words, f.length, &w->places, w->scratch, NULL);
	memcpy(r, places, count * sizeof(*r));
	cc_bigint_clear(&f);
	return count;
}

/*
 * From (a, b) = (F(k), F(k - 1)) of m places, k = n >> bit, to k = n >> 1: as fib.c's
 * by_squaring(), F(2k - 1) = a^2 + b^2, F(2k) = 3 a^2 - 2 b^2 +- 2 and
 * F(2k + 1) = 4 a^2 - b^2 +- 2.  Returns the length, or 0 if it is stopped.
 */
static size_t steps(struct work *w, size_t m, cc_u64 n, unsigned int bit)
{
	for (; bit > 1; bit--) {
		cc_u64 k = n >> bit, *odd = w->t;
		int64_t two = k & 1 ? -2 : 2;
		const struct combination before = {1, 1, 0}, at = {3, -2, two},
					 after = {4, -1, two};
		unsigned int next = n >> (bit - 1) & 1;
		struct cc_transform by;
		cc_word *x;

		w->watch.done = k;
		if (cc_watch_step(&w->watch, CC_STEP_WORDS))
			return 0;
		cc_transform_plan_radix(&by, m, m, w->places.big);
		cc_transform_open(&by, w->scratch, &w->watch);
		x = w->scratch + cc_transform_table_words(&by);
		cc_transform_times_radix(&by, w->t, 2 * m, w->a, m, x, x, &w->watch);
		cc_transform_times_radix(&by, w->a, 2 * m, w->b, m, x, x, &w->watch);
		if (w->watch.stopped)
			return 0;
		m *= 2;
		odd[m] = 0;
		w->a[m] = 0;
		m++;
		/* t = a^2 becomes the new a */
		combine(w->t, next ? after : at, w->b, next ? at : before, w->t, w->a, m,
			w->places.big);
		w->t = w->a;
		w->a = odd;
		m = normalise(w->a, m);
	}
	return m;
}

/* F(n) from (a, b) = (F(k), F(k - 1)) for k = n >> 1, in place. */
static size_t last_step(cc_u64 *r, struct work *w, size_t m, cc_u64 n)
{
	const struct combination as_it_is = {1, 0, 0}, sum = {1, 2, 0};
	const struct combination upper = {2, 1, 0}, lower = {2, -1, 0};
	unsigned int odd = n & 1;
	struct cc_transform by;
	cc_word *x, *y;

	w->watch.done = n >> 1;
	if (cc_watch_step(&w->watch, CC_STEP_WORDS))
		return 0;
	w->a[m] = 0;
	w->b[m] = 0;
	m++;
	/* a (a + 2b), or (2a - b) (2a + b) +- 2 */
	combine(w->a, odd ? lower : as_it_is, w->b, odd ? upper : sum, w->a, w->b, m,
		w->places.big);
	cc_transform_plan_radix(&by, m, m, w->places.big);
	cc_transform_open(&by, w->scratch, &w->watch);
	x = w->scratch + cc_transform_table_words(&by);
	y = x + cc_transform_words(&by);
	cc_transform_forward_radix(&by, y, w->b, m, &w->watch);
	cc_transform_times_radix(&by, r, 2 * m, w->a, m, x, y, &w->watch);
	if (w->watch.stopped)
		return 0;
	m = normalise(r, 2 * m);
	if (odd) {
		struct combination two = {1, 0, n >> 1 & 1 ? -2 : 2};
		size_t i = 0;

		do
			r[i] = next_place(&two, r[i], 0, (int64_t)w->places.big);
		while (two.carry && ++i < m);
	}
	return m;
}

/* Returns CC_OK, CC_ENOMEM or CC_EINTR. */
static int by_places(char **digits, size_t *length, struct work *w, cc_u64 n)
{
	unsigned int bit = 0;
	size_t m, count;

	while (n >> bit >= FIRST_MAX)
		bit++;
	m = first(w->a, n >> bit, w);
	if (!m)
		return CC_ENOMEM;
	count = first(w->b, (n >> bit) - 1, w);
	if (!count)
		return CC_ENOMEM;
	memset(w->b + count, 0, (m - count) * sizeof(*w->b));
	m = steps(w, m, n, bit);
	if (!m)
		return CC_EINTR;
	/* the factors may be overwritten: the product is made from their residues */
	count = last_step((cc_u64 *)w->memory.words, w, m, n);
	if (!count)
		return CC_EINTR;
	*digits = CC_ALLOC(count * w->places.chunk + 1);
	if (!*digits)
		return CC_ENOMEM;
	*length = cc_places_to_digits(*digits, (cc_u64 *)w->memory.words, count, &w->places);
	(*digits)[*length] = '\0';
	return CC_OK;
}

/* The places of the numbers on the way; 0 if F(n) is computed in words. */
static size_t half_places(cc_u64 n)
{
	size_t half = fib_places((n >> 1) + 2) + 4;

	return n >= 2 * FIRST_MAX && half <= CC_TRANSFORM_PLACES_MAX && cc_places_worth(FIRST_WORDS)
		       ? half
		       : 0;
}

static size_t all_words(size_t half, const struct cc_radix *places)
{
	size_t first_words = cc_natural_to_places_scratch(FIRST_WORDS, places), words;
	struct cc_transform by;

	cc_transform_plan_radix(&by, half, half, places->big);
	words = cc_transform_table_words(&by) + 2 * cc_transform_words(&by);
	return 3 * half + (words > first_words ? words : first_words);
}

uint64_t cc_fib_decimal_memory(uint64_t n)
{
	const struct cc_radix places = cc_places(10);
	size_t half = half_places(n);

	if (!half)
		return 0;
	return (uint64_t)all_words(half, &places) * sizeof(cc_word) +
	       (uint64_t)fib_places(n) * places.chunk + 1;
}

int cc_fib_decimal(char **digits, size_t *length, uint64_t n, const struct cc_progress *progress)
{
	struct work w = {.places = cc_places(10), .watch = {progress, 0, n, 0}};
	size_t half = half_places(n);
	cc_bigint f = CC_BIGINT_INIT;
	int err;

	*digits = NULL;
	if (half) {
		err = cc_scratch_open(&w.memory, all_words(half, &w.places));
		if (err)
			return err;
		w.a = (cc_u64 *)w.memory.words;
		w.b = w.a + half;
		w.t = w.b + half;
		w.scratch = (cc_word *)(w.t + half);
		err = by_places(digits, length, &w, n);
		cc_scratch_close(&w.memory);
		return err;
	}
	err = cc_fib_by(&f, n, CC_FIB_SQUARING, progress);
	if (!err)
		err = cc_bigint_format(digits, length, &f, 10, progress);
	cc_bigint_clear(&f);
	return err;
}
