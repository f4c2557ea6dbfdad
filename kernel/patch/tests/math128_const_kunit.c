// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * mul_u64_u64_div_const() compared with the division by a variable.
 */
#include <kunit/test.h>
#include <linux/math128.h>
#include <linux/prandom.h>
#include <linux/time64.h>

#define SEED 0x5eedc057
#define RANDOM_VECTORS 20000

/* One function for each divisor, which it also returns. */
#define BY_CONST(name, constant)                           \
	static u64 by_##name(u64 a, u64 mul, u64 *div)     \
	{                                                  \
		const u64 d = constant;                    \
							   \
		*div = d;                                  \
		return mul_u64_u64_div_const(a, mul, d);   \
	}

BY_CONST(scaled_ppm, 1000000ULL << 16)
BY_CONST(nsec_per_sec, NSEC_PER_SEC)
BY_CONST(one, 1)
BY_CONST(three, 3)
BY_CONST(ten, 10)
BY_CONST(power_of_2, 1ULL << 63)
BY_CONST(largest_odd, U32_MAX)
BY_CONST(largest, (u64)U32_MAX << 32)

struct const_case {
	const char *name;
	u64 (*by_const)(u64 a, u64 mul, u64 *div);
};

static const struct const_case cases[] = {
	{ "scaled ppm", by_scaled_ppm },
	{ "NSEC_PER_SEC", by_nsec_per_sec },
	{ "1", by_one },
	{ "3", by_three },
	{ "10", by_ten },
	{ "2^63", by_power_of_2 },
	{ "the largest odd one", by_largest_odd },
	{ "the largest", by_largest },
};

static void const_desc(const struct const_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(const, cases, const_desc);

static u64 by_variable(u64 a, u64 mul, u64 div)
{
	union math128 q = div_u128_u64(mul_half_u128_u64(a, mul), div);

	return u128_load_high(q) ? U64_MAX : u128_load_low(q);
}

static u64 random_u64(struct rnd_state *state)
{
	u64 x = (u64)prandom_u32_state(state) << 32 | prandom_u32_state(state);

	return x >> (prandom_u32_state(state) & 63);
}

static void expect(struct kunit *test, u64 a, u64 mul)
{
	const struct const_case *c = test->param_value;
	u64 div, got = c->by_const(a, mul, &div);

	KUNIT_EXPECT_EQ_MSG(test, got, by_variable(a, mul, div), "%llx * %llx", a, mul);
}

static void constant_divisor(struct kunit *test)
{
	static const u64 edges[] = {
		0, 1, 2, U32_MAX - 1, U32_MAX, 1ULL << 32, S64_MAX, U64_MAX - 1, U64_MAX
	};
	const struct const_case *c = test->param_value;
	struct rnd_state state;
	u64 div;
	size_t i, j;

	c->by_const(0, 0, &div);
	for (i = 0; i < ARRAY_SIZE(edges); i++) {
		for (j = 0; j < ARRAY_SIZE(edges); j++)
			expect(test, edges[i], edges[j]);
		/* quotients around edges[i], U64_MAX among them */
		expect(test, div, edges[i]);
		expect(test, div - 1, edges[i]);
		expect(test, div + 1, edges[i]);
	}

	prandom_seed_state(&state, SEED);
	for (i = 0; i < RANDOM_VECTORS; i++) {
		u64 a = random_u64(&state);

		expect(test, a, random_u64(&state));
	}
}

static struct kunit_case const_tests[] = {
	KUNIT_CASE_PARAM(constant_divisor, const_gen_params),
	{}
};

static struct kunit_suite const_suite = {
	.name = "mul_u64_u64_div_const",
	.test_cases = const_tests,
};

kunit_test_suite(const_suite);
