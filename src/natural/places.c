// SPDX-License-Identifier: MIT
#include "places.h"

#include "../transform/digits.h"
#include "../transform/transform.h"

struct cc_radix cc_places(unsigned int radix)
{
	struct cc_radix x = {radix, 0, 0, 1, {0, 0, 0}};

	while (x.big <= (cc_word)CC_TRANSFORM_RADIX_MAX / radix) {
		x.big *= radix;
		x.chunk++;
	}
	x.by = cc_divisor(x.big);
	return x;
}

/* The most words that are converted at once. */
#define LEAF 128

int cc_places_worth(size_t n)
{
	return CC_WORD_BITS == 64 && n >= CC_PLACES_LEAST && n <= CC_PLACES_MOST &&
	       cc_transform_kernels()->join_radix;
}

/*
 * A number of n words is cut into up to 2^levels - 1 pieces of @words words.  After the last
 * one, there is a piece of all ones, which is 1 less than the power of two between pieces.
 */
struct shape {
	unsigned int levels, bits; /* of a place, rounded down */
	size_t words, count;
};

static struct shape shape_of(size_t n, const struct cc_radix *places, size_t together)
{
	struct shape s = {1, CC_WORD_BITS - 1 - cc_word_clz(places->big), 0, 0};

	do {
		s.words = (n - 1) / (((size_t)1 << s.levels) - 1) + 1;
	} while ((s.words > LEAF || (size_t)1 << s.levels < together) && s.levels++);
	s.count = (n - 1) / s.words + 1;
	return s;
}

/* Places for a number of @words words; twice the words need at most twice as many. */
static size_t places_of(size_t words, unsigned int bits)
{
	return words / bits * 64 + (words % bits * 64 + 1) / bits + 1;
}

/* Places for 2^level pieces. */
static size_t places_at(const struct shape *s, unsigned int level)
{
	return places_of(s->words << level, s->bits);
}

/*
 * The pieces twice, a power of the same length, and the last product, of two halves of them:
 * shorter products have no longer transforms or tables.
 *
 * No n up to this one has more than @pieces = 2^levels pieces: half of them are fewer than are
 * converted together, or have more than LEAF words, (n - 1) / (2^levels / 2 - 1) >= LEAF.  All but
 * one have together at most n + 2^levels words, so all have at most @words; and each needs up
 * to 64 words / bits + 2 places.
 */
size_t cc_natural_to_places_scratch(size_t n, const struct cc_radix *places)
{
	const struct shape s = shape_of(n, places, cc_transform_kernels()->leaf);
	size_t together = cc_transform_kernels()->leaf, most = (n - 1) / (LEAF / 2) + 2;
	size_t pieces = most > together ? most : together, words = n + pieces + LEAF, half;
	struct cc_transform t;

	half = places_of(words / 2, s.bits);
	cc_transform_plan_radix(&t, half, half, places->big);
	return 3 * (places_of(words, s.bits) + 2 * pieces) + cc_transform_table_words(&t) +
	       2 * cc_transform_words(&t);
}

/* One pass over the number per level, and one before. */
cc_u64 cc_places_work(size_t n, const struct cc_radix *places)
{
	struct shape s = shape_of(n, places, cc_transform_kernels()->leaf);

	return (s.levels + 1) * (cc_u64)n;
}

/*
 * r[2^levels][first] = the pieces of a[n], with the one of all ones in the last place; @room is
 * as large as r.
 */
static void convert_pieces(cc_u64 *r, const cc_word *a, size_t n, const struct shape *s,
			   const struct cc_radix *places, cc_word *room, struct cc_watch *w)
{
	const struct cc_transform_kernels *k = cc_transform_kernels();
	size_t first = places_at(s, 0), words = k->leaf * s->words, at, left = n;
	size_t groups = ((size_t)1 << s->levels) / k->leaf;

	for (at = 0; left >= words; at++, left -= words) {
		if (w)
			w->done = n - left;
		if (cc_watch_step(w, CC_STEP_WORDS))
			return;
		k->to_radix(r + at * k->leaf * first, first, a + n - left, s->words, places->big);
	}
	for (; at < groups; at++, left = 0) {
		memset(room, 0, words * sizeof(*room));
		memcpy(room, a + n - left, left * sizeof(*room));
		if (at + 1 == groups)
			memset(room + words - s->words, 0xff, s->words * sizeof(*room));
		k->to_radix(r + at * k->leaf * first, first, room, s->words, places->big);
	}
}

const cc_u64 *cc_natural_to_places(size_t *count, const cc_word *a, size_t n,
				   const struct cc_radix *places, cc_word *scratch,
				   struct cc_watch *w)
{
	const struct shape s = shape_of(n, places, cc_transform_kernels()->leaf);
	const cc_u64 one = 1;
	size_t first = places_at(&s, 0), all = s.count, i;
	cc_u64 *from = (cc_u64 *)scratch, *to = from + (first << s.levels);
	cc_u64 *power = to + (first << s.levels);
	cc_word *table = (cc_word *)(power + (first << s.levels));
	unsigned int level;

	convert_pieces(from, a, n, &s, places, (cc_word *)to, w);
	memcpy(power, to - first, first * sizeof(*power));
	cc_add_places(power, first, &one, 1, places->big);

	for (level = 0; level < s.levels; level++) {
		size_t length = places_at(&s, level), next = places_at(&s, level + 1);
		size_t often = 2 * (CC_STEP_WORDS / length + 1);
		struct cc_transform t;
		cc_word *x, *y;
		cc_u64 *r = to;

		cc_transform_plan_radix(&t, length, length, places->big);
		cc_transform_open(&t, table, w);
		x = table + cc_transform_table_words(&t);
		y = x + cc_transform_words(&t);
		cc_transform_forward_radix(&t, y, power, length, w);
		for (i = 0; i + 1 < all; i += 2, r += next) {
			const cc_u64 *lower = from + i * length;

			if (w && !(i % often)) {
				w->done = (level + 1) * (cc_u64)n + i * (s.words << level);
				if (cc_watch_step(w, CC_STEP_WORDS))
					return NULL;
			}
			cc_transform_times_radix(&t, r, next, lower + length, length, x, y, w);
			cc_add_places(r, next, lower, length, places->big);
		}
		if (i < all) {
			memcpy(r, from + i * length, length * sizeof(*r));
			memset(r + length, 0, (next - length) * sizeof(*r));
		}
		all = (all + 1) / 2;
		if (level + 1 < s.levels) {
			cc_transform_multiply(&t, y, y, w);
			cc_transform_inverse_radix(&t, power, next, y, w);
		}
		r = from;
		from = to;
		to = r;
	}
	if (cc_watch_stopped(w))
		return NULL;
	for (n = places_at(&s, s.levels); n && !from[n - 1]; n--)
		;
	*count = n;
	return from;
}
