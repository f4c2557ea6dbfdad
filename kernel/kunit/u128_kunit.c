// SPDX-License-Identifier: MIT
/*
 * u128.h on known cases, and its three implementations against each other.
 *
 * Division by zero is not tested here: it traps, as it should, which would crash the kernel.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/string.h>

#include "u128_ops.h"

#define SEED 0x5eed128
#define RANDOM_VECTORS 20000

static const struct {
	const char *name;
	const struct u128_impl *impl;
} impls[] = {
	{ "native", &u128_native },
	{ "64-bit fallback", &u128_fallback64 },
	{ "32-bit fallback", &u128_fallback32 },
};

struct u128_case {
	enum u128_op op;
	const char *op_name;
	const char *name;
	struct u128_args args;
	struct u128_result result;
};

#define U128_CASE(op, name, a1, a0, b1, b0, shift, r1, r0, rem1, rem0) \
	{ U128_OP_##op, #op, name, { a1, a0, b1, b0, shift }, { { r1, r0, rem1, rem0 } } },
static const struct u128_case cases[] = {
#include "u128_cases.h"
};

static void case_desc(const struct u128_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s: %s", c->op_name, c->name);
}

KUNIT_ARRAY_PARAM(u128, cases, case_desc);

static void known_answers(struct kunit *test)
{
	const struct u128_case *c = test->param_value;
	size_t i, w;

	for (i = 0; i < ARRAY_SIZE(impls); i++) {
		struct u128_result r = { { 0 } };

		impls[i].impl->run[c->op](&r, &c->args);
		for (w = 0; w < ARRAY_SIZE(r.w); w++)
			KUNIT_EXPECT_EQ_MSG(test, r.w[w], c->result.w[w], "%s, word %zu",
					    impls[i].name, w);
	}
}

struct text_case {
	const char *name;
	u64 high, low;
	const char *dec, *hex;
};

static const struct text_case texts[] = {
	{ "zero", 0, 0, "0", "0" },
	{ "nine", 0, 9, "9", "9" },
	{ "ten", 0, 10, "10", "a" },
	{ "a chunk of nine digits", 0, 1000000000, "1000000000", "3b9aca00" },
	{ "2^32", 0, 1ULL << 32, "4294967296", "100000000" },
	{ "2^64 - 1", 0, U64_MAX, "18446744073709551615", "ffffffffffffffff" },
	{ "2^64", 1, 0, "18446744073709551616", "10000000000000000" },
	{ "2^127", 1ULL << 63, 0, "170141183460469231731687303715884105728",
	  "80000000000000000000000000000000" },
	{ "2^128 - 1", U64_MAX, U64_MAX, "340282366920938463463374607431768211455",
	  "ffffffffffffffffffffffffffffffff" },
};

static void text_desc(const struct text_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(text, texts, text_desc);

static void formats_and_parses(struct kunit *test)
{
	const struct text_case *c = test->param_value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(impls); i++) {
		const struct u128_impl *impl = impls[i].impl;
		u64 high = ~c->high, low = ~c->low;
		char buf[48];

		KUNIT_EXPECT_EQ(test, impl->to_dec(buf, c->high, c->low), strlen(c->dec));
		KUNIT_EXPECT_STREQ(test, buf, c->dec);
		KUNIT_EXPECT_EQ(test, impl->to_hex(buf, c->high, c->low), strlen(c->hex));
		KUNIT_EXPECT_STREQ(test, buf, c->hex);

		KUNIT_EXPECT_EQ(test, impl->from_dec(&high, &low, c->dec, strlen(c->dec)), 0);
		KUNIT_EXPECT_EQ(test, high, c->high);
		KUNIT_EXPECT_EQ(test, low, c->low);
		high = ~c->high;
		low = ~c->low;
		KUNIT_EXPECT_EQ(test, impl->from_hex(&high, &low, c->hex, strlen(c->hex)), 0);
		KUNIT_EXPECT_EQ(test, high, c->high);
		KUNIT_EXPECT_EQ(test, low, c->low);
	}
}

struct refused_case {
	const char *name;
	bool hex;
	const char *text;
	int err;
};

static const struct refused_case refused[] = {
	{ "nothing", false, "", -EINVAL },
	{ "nothing, hex", true, "", -EINVAL },
	{ "a sign", false, "+1", -EINVAL },
	{ "a space", false, "1 ", -EINVAL },
	{ "a hex digit in decimal", false, "12a", -EINVAL },
	{ "a prefix", true, "0x1", -EINVAL },
	{ "before 0", false, "/", -EINVAL },
	{ "after 9", false, ":", -EINVAL },
	{ "after f", true, "g", -EINVAL },
	{ "after F", true, "G", -EINVAL },
	{ "2^128", false, "340282366920938463463374607431768211456", -ERANGE },
	{ "2^128, hex", true, "100000000000000000000000000000000", -ERANGE },
	{ "wraps, then a bad digit", false, "3402823669209384634633746074317682114560x", -EINVAL },
};

static void refused_desc(const struct refused_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(refused, refused, refused_desc);

static void refuses(struct kunit *test)
{
	const struct refused_case *c = test->param_value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(impls); i++) {
		const struct u128_impl *impl = impls[i].impl;
		u64 high = SEED, low = ~SEED;
		int err;

		err = c->hex ? impl->from_hex(&high, &low, c->text, strlen(c->text)) :
			       impl->from_dec(&high, &low, c->text, strlen(c->text));
		KUNIT_EXPECT_EQ(test, err, c->err);
		KUNIT_EXPECT_EQ(test, high, (u64)SEED);
		KUNIT_EXPECT_EQ(test, low, (u64)~SEED);
	}
}

struct op_case {
	const char *name;
	enum u128_op op;
	unsigned int divisor;
};

#define U128_OP(name, divisor) { #name, U128_OP_##name, divisor },
static const struct op_case ops[] = {
#include "u128_list.h"
};

static void op_desc(const struct op_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(op, ops, op_desc);

static u64 random_u64(struct rnd_state *state)
{
	return (u64)prandom_u32_state(state) << 32 | prandom_u32_state(state);
}

/* Runs of ones and zeros of any length, so that carries propagate far. */
static u64 random_word(struct rnd_state *state)
{
	u64 x = random_u64(state);

	switch (prandom_u32_state(state) % 4) {
	case 0:
		return x & random_u64(state) & random_u64(state);
	case 1:
		return x | random_u64(state) | random_u64(state);
	case 2:
		return (u64)((s64)x >> (x & 63));
	default:
		return x >> (x & 63);
	}
}

static bool divides_by_zero(const struct op_case *c, const struct u128_args *x)
{
	if (!c->divisor)
		return false;
	if (c->divisor == 32)
		return !(u32)x->b0;
	return !x->b0 && (c->divisor == 64 || !x->b1);
}

static void implementations_agree(struct kunit *test)
{
	const struct op_case *c = test->param_value;
	struct rnd_state state;
	size_t i, n;

	prandom_seed_state(&state, SEED);
	for (n = 0; n < RANDOM_VECTORS; n++) {
		struct u128_args x = {
			random_word(&state), random_word(&state),
			n & 1 ? random_word(&state) : 0, random_word(&state),
			prandom_u32_state(&state) % 260,
		};
		struct u128_result expected = { { 0 } };

		if (divides_by_zero(c, &x))
			continue;
		impls[0].impl->run[c->op](&expected, &x);
		for (i = 1; i < ARRAY_SIZE(impls); i++) {
			struct u128_result r = { { 0 } };

			impls[i].impl->run[c->op](&r, &x);
			KUNIT_ASSERT_FALSE_MSG(test, !!memcmp(&r, &expected, sizeof(r)),
					       "%s: a %llx:%llx b %llx:%llx shift %u",
					       impls[i].name, x.a1, x.a0, x.b1, x.b0, x.shift);
		}
	}
}

/* The definition of division: a = q * b + r, r < b. */
static void division_is_undone(struct kunit *test)
{
	struct rnd_state state;
	size_t i, n;

	prandom_seed_state(&state, SEED);
	for (n = 0; n < RANDOM_VECTORS; n++) {
		struct u128_args x = {
			random_word(&state), random_word(&state),
			n & 1 ? random_word(&state) : 0, random_word(&state) | 1, 0,
		};

		for (i = 0; i < ARRAY_SIZE(impls); i++) {
			const struct u128_impl *impl = impls[i].impl;
			struct u128_args back = x;
			struct u128_result q, p, sum, less;

			impl->run[U128_OP_div_u128_rem](&q, &x);
			back.a1 = q.w[0];
			back.a0 = q.w[1];
			impl->run[U128_OP_mul_u128_u128](&p, &back);
			back = (struct u128_args){ p.w[0], p.w[1], q.w[2], q.w[3], 0 };
			impl->run[U128_OP_add_u128_u128](&sum, &back);
			back = (struct u128_args){ q.w[2], q.w[3], x.b1, x.b0, 0 };
			less.w[1] = 0;
			impl->run[U128_OP_u128_lt](&less, &back);
			KUNIT_ASSERT_TRUE_MSG(test,
					      sum.w[0] == x.a1 && sum.w[1] == x.a0 && less.w[1],
					      "%s: a %llx:%llx b %llx:%llx", impls[i].name,
					      x.a1, x.a0, x.b1, x.b0);
		}
	}
}

static struct kunit_case u128_tests[] = {
	KUNIT_CASE_PARAM(known_answers, u128_gen_params),
	KUNIT_CASE_PARAM(formats_and_parses, text_gen_params),
	KUNIT_CASE_PARAM(refuses, refused_gen_params),
	KUNIT_CASE_PARAM(implementations_agree, op_gen_params),
	KUNIT_CASE(division_is_undone),
	{}
};

static struct kunit_suite u128_suite = {
	.name = "carrychain_u128",
	.test_cases = u128_tests,
};

kunit_test_suite(u128_suite);

MODULE_LICENSE("Dual MIT/GPL");
