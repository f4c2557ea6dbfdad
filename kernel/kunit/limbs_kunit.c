// SPDX-License-Identifier: MIT
/*
 * Vectors of words: every tier that this processor can run is compared with arithmetic word
 * by word; division and conversion are checked by their definitions.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <carrychain/cpu.h>
#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include "params.h"

#define SEED	   0x5eed11b5
#define LENGTH_MAX 40
/* past the thresholds of multiplication by parts */
#define LONG_MAX_WORDS 200

static cc_word a[LONG_MAX_WORDS], b[LONG_MAX_WORDS], want[2 * LONG_MAX_WORDS + 2];
static cc_word got[2 * LONG_MAX_WORDS + 2], scratch[8 * LONG_MAX_WORDS];

/* Words with long runs of ones and zeros, so that carries propagate far. */
static void fill(struct rnd_state *state, cc_word *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		u64 x = (u64)prandom_u32_state(state) << 32 | prandom_u32_state(state);

		switch (prandom_u32_state(state) % 4) {
		case 0:
			r[i] = 0;
			break;
		case 1:
			r[i] = ~(cc_word)0;
			break;
		case 2:
			r[i] = (cc_word)((s64)x >> (x & 63));
			break;
		default:
			r[i] = (cc_word)x;
		}
	}
}

/* r[n] += a[n] * w, and the word above: the reference for all of the following. */
static cc_word slow_addmul(cc_word *r, const cc_word *x, size_t n, cc_word w)
{
	cc_word above = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word high, low = cc_word_mul(&high, x[i], w), carry = 0;

		low = cc_word_add(low, above, &carry);
		high += carry;
		carry = 0;
		r[i] = cc_word_add(r[i], low, &carry);
		above = high + carry;
	}
	return above;
}

static void slow_mul(cc_word *r, const cc_word *x, size_t xn, const cc_word *y, size_t yn)
{
	size_t i;

	memset(r, 0, (xn + yn) * sizeof(*r));
	for (i = 0; i < yn; i++)
		r[xn + i] = slow_addmul(r + i, x, xn, y[i]);
}

/* An operation's result and the expected one: n words, and the one above. */
struct vector_case {
	const char *name;
	void (*fast)(size_t n, cc_word w);
	void (*slow)(size_t n, cc_word w);
};

#define FUNCTION(name, statement)			\
	static void name(size_t n, cc_word w)		\
	{						\
		statement;				\
	}

FUNCTION(fast_add, got[n] = cc_limbs_add(got, a, b, n))

static void slow_add(size_t n, cc_word w)
{
	memcpy(want, a, n * sizeof(*want));
	want[n] = slow_addmul(want, b, n, 1);
}

FUNCTION(fast_sub, got[n] = cc_limbs_sub(got, a, b, n))

/* a - b = ~(~a + b) */
static void slow_sub(size_t n, cc_word w)
{
	size_t i;

	for (i = 0; i < n; i++)
		want[i] = ~a[i];
	want[n] = slow_addmul(want, b, n, 1);
	for (i = 0; i < n; i++)
		want[i] = ~want[i];
}

FUNCTION(fast_mul_1, got[n] = cc_limbs_mul_1(got, a, n, w))

static void slow_mul_1(size_t n, cc_word w)
{
	memset(want, 0, n * sizeof(*want));
	want[n] = slow_addmul(want, a, n, w);
}

static void fast_addmul_1(size_t n, cc_word w)
{
	memcpy(got, b, n * sizeof(*got));
	got[n] = cc_limbs_addmul_1(got, a, n, w);
}

static void slow_addmul_1(size_t n, cc_word w)
{
	memcpy(want, b, n * sizeof(*want));
	want[n] = slow_addmul(want, a, n, w);
}

static void fast_submul_1(size_t n, cc_word w)
{
	memcpy(got, b, n * sizeof(*got));
	got[n] = cc_limbs_submul_1(got, a, n, w);
}

/* b - a w = ~(~b + a w) */
static void slow_submul_1(size_t n, cc_word w)
{
	size_t i;

	for (i = 0; i < n; i++)
		want[i] = ~b[i];
	want[n] = slow_addmul(want, a, n, w);
	for (i = 0; i < n; i++)
		want[i] = ~want[i];
}

FUNCTION(fast_lshift, got[n] = cc_limbs_lshift(got, a, n, w % CC_WORD_BITS))

static void slow_lshift(size_t n, cc_word w)
{
	memset(want, 0, n * sizeof(*want));
	want[n] = slow_addmul(want, a, n, (cc_word)1 << w % CC_WORD_BITS);
}

/* A right shift by s is a left shift by CC_WORD_BITS - s, one word lower; by 0 it is a copy. */
FUNCTION(fast_rshift, got[n] = cc_limbs_rshift(got, a, n, w % CC_WORD_BITS))

static void slow_rshift(size_t n, cc_word w)
{
	unsigned int s = w % CC_WORD_BITS;

	memcpy(want, a, n * sizeof(*want));
	want[n] = 0;
	if (!n || !s)
		return;
	memset(got + LONG_MAX_WORDS, 0, (n + 1) * sizeof(*got));
	got[LONG_MAX_WORDS + n] =
		slow_addmul(got + LONG_MAX_WORDS, a, n, (cc_word)1 << (CC_WORD_BITS - s));
	memcpy(want, got + LONG_MAX_WORDS + 1, n * sizeof(*want));
	want[n] = got[LONG_MAX_WORDS];
}

FUNCTION(fast_mul, cc_limbs_mul(got, a, n, b, n, scratch))
FUNCTION(slow_mul_n, slow_mul(want, a, n, b, n))
FUNCTION(fast_sqr, cc_limbs_sqr(got, a, n, scratch))
FUNCTION(slow_sqr, slow_mul(want, a, n, a, n))

static const struct vector_case vectors[] = {
	{"add", fast_add, slow_add},
	{"sub", fast_sub, slow_sub},
	{"mul_1", fast_mul_1, slow_mul_1},
	{"addmul_1", fast_addmul_1, slow_addmul_1},
	{"submul_1", fast_submul_1, slow_submul_1},
	{"lshift", fast_lshift, slow_lshift},
	{"rshift", fast_rshift, slow_rshift},
	{"mul", fast_mul, slow_mul_n},
	{"sqr", fast_sqr, slow_sqr},
};

NAMED_PARAMS(vector, vectors);

/* Whole buffers are compared: words that are not written must be unchanged. */
static void compare(struct kunit *test, const struct vector_case *c, size_t n, cc_word w)
{
	memset(got, 0x5a, sizeof(got));
	memset(want, 0x5a, sizeof(want));
	c->fast(n, w);
	c->slow(n, w);
	KUNIT_ASSERT_EQ_MSG(test, memcmp(got, want, LONG_MAX_WORDS * sizeof(*got)), 0,
			    "%s, %zu words", cc_limbs_tier(), n);
}

static void as_word_by_word(struct kunit *test)
{
	const struct vector_case *c = test->param_value;
	const struct cc_cpu_tier *tiers;
	size_t count, tier, n, turn;
	struct rnd_state state;

	KUNIT_ASSERT_LE(test, cc_limbs_mul_scratch(LONG_MAX_WORDS, LONG_MAX_WORDS),
			ARRAY_SIZE(scratch));
	KUNIT_ASSERT_LE(test, cc_limbs_sqr_scratch(LONG_MAX_WORDS), ARRAY_SIZE(scratch));
	tiers = cc_cpu_tiers(&count);
	for (tier = 0; tier < count; tier++) {
		if (tiers[tier].needs & ~cc_cpu_detected())
			continue;
		cc_cpu_set_mask(tiers[tier].needs);
		prandom_seed_state(&state, SEED);
		for (n = 1; n <= LENGTH_MAX; n++) {
			for (turn = 0; turn < 50; turn++) {
				cc_word w;

				fill(&state, a, n);
				fill(&state, b, n);
				fill(&state, &w, 1);
				compare(test, c, n, w);
			}
		}
		for (n = LENGTH_MAX; n <= LONG_MAX_WORDS / 2; n += 7) {
			fill(&state, a, n);
			fill(&state, b, n);
			compare(test, c, n, a[0]);
		}
	}
	cc_cpu_set_mask(~(u64)0);
}

struct shape_case {
	const char *name;
	size_t an, dn;
};

static const struct shape_case shapes[] = {
	{"1 by 1", 1, 1},
	{"2 by 1", 2, 1},
	{"2 by 2", 2, 2},
	{"3 by 2", 3, 2},
	{"17 by 1", 17, 1},
	{"17 by 2", 17, 2},
	{"17 by 16", 17, 16},
	{"40 by 20", 40, 20},
	{"199 by 100, in halves", 199, 100},
	{"200 by 70, in unequal parts", 200, 70},
	{"200 by 199", 200, 199},
};

NAMED_PARAMS(shape, shapes);

/* q d + r = a, r < d */
static void division_is_undone(struct kunit *test)
{
	static cc_word q[LONG_MAX_WORDS], r[LONG_MAX_WORDS];
	const struct shape_case *c = test->param_value;
	size_t an = c->an, dn = c->dn, turn;
	struct rnd_state state;
	cc_word *room;

	room = kunit_kmalloc_array(test, cc_natural_divrem_scratch(an, dn) + 1, sizeof(*room),
				   GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, room);
	prandom_seed_state(&state, SEED);
	for (turn = 0; turn < 200; turn++) {
		fill(&state, a, an);
		fill(&state, b, dn);
		b[dn - 1] |= (cc_word)1 << prandom_u32_state(&state) % CC_WORD_BITS;
		cc_natural_divrem(q, r, a, an, b, dn, room);
		KUNIT_ASSERT_LT(test, cc_limbs_cmp(r, b, dn), 0);
		slow_mul(want, q, an - dn + 1, b, dn);
		memset(got, 0, sizeof(got));
		memcpy(got, r, dn * sizeof(*r));
		KUNIT_ASSERT_EQ(test, slow_addmul(got, want, an + 1, 1), (cc_word)0);
		KUNIT_ASSERT_EQ(test, got[an], (cc_word)0);
		KUNIT_ASSERT_EQ(test, memcmp(got, a, an * sizeof(*a)), 0);
	}
}

struct digits_case {
	const char *name;
	unsigned int radix;
	size_t n;
	const char *digits;
};

/* n words of ones */
static const struct digits_case digits[] = {
	{"64 ones in binary", 2, 64 / CC_WORD_BITS,
	 "1111111111111111111111111111111111111111111111111111111111111111"},
	{"64 ones in decimal", 10, 64 / CC_WORD_BITS, "18446744073709551615"},
	{"128 ones in decimal", 10, 128 / CC_WORD_BITS, "340282366920938463463374607431768211455"},
	{"128 ones in radix 3", 3, 128 / CC_WORD_BITS,
	 "202201102121002021012000211012011021221022212021111001022110211020010021100121010"},
	{"192 ones in radix 36", 36, 192 / CC_WORD_BITS, "1n030ke8hj7nszs89yaz14ivfb2owprougrchr"},
	{"256 ones in hexadecimal", 16, 256 / CC_WORD_BITS,
	 "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},
};

NAMED_PARAMS(digits, digits);

static void known_digits(struct kunit *test)
{
	const struct digits_case *c = test->param_value;
	size_t length = strlen(c->digits), words;
	cc_word *room;
	char *s;

	words = max(cc_natural_to_digits_scratch(c->n, c->radix),
		    cc_natural_from_digits_scratch(length, c->radix));
	room = kunit_kmalloc_array(test, words + 1, sizeof(*room), GFP_KERNEL);
	s = kunit_kzalloc(test, cc_natural_digits_max(c->n, c->radix) + 1, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, room);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s);

	memset(a, 0xff, c->n * sizeof(*a));
	memset(want, 0xff, c->n * sizeof(*want));
	KUNIT_EXPECT_EQ(test, cc_natural_to_digits(s, a, c->n, c->radix, room, NULL), length);
	KUNIT_EXPECT_STREQ(test, s, c->digits);
	KUNIT_EXPECT_EQ(test, cc_natural_from_digits(got, c->digits, length, c->radix, room), c->n);
	KUNIT_EXPECT_EQ(test, memcmp(got, want, c->n * sizeof(*got)), 0);
}

static struct kunit_case limbs_tests[] = {KUNIT_CASE_PARAM(as_word_by_word, vector_gen_params),
					  KUNIT_CASE_PARAM(division_is_undone, shape_gen_params),
					  KUNIT_CASE_PARAM(known_digits, digits_gen_params),
					  {}};

static struct kunit_suite limbs_suite = {
	.name = "carrychain_limbs",
	.test_cases = limbs_tests,
};

kunit_test_suite(limbs_suite);

MODULE_LICENSE("Dual MIT/GPL");
