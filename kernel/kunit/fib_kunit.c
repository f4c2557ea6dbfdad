// SPDX-License-Identifier: MIT
/* Fibonacci numbers by each strategy: known values, and identities between others. */
#include <kunit/test.h>
#include <linux/string.h>

#include <carrychain/fib.h>

#include "params.h"

struct known_case {
	const char *name;
	u64 n;
	const char *digits;
};

static const struct known_case known[] = {
	{ "F(0), the first", 0,
	  "0" },
	{ "F(1), the second", 1,
	  "1" },
	{ "F(2), the third", 2,
	  "1" },
	{ "F(10), two digits", 10,
	  "55" },
	{ "F(47), the last of 32 bits", 47,
	  "2971215073" },
	{ "F(48), the first beyond 32 bits", 48,
	  "4807526976" },
	{ "F(92), the last of 63 bits", 92,
	  "7540113804746346429" },
	{ "F(93), the last of 64 bits", 93,
	  "12200160415121876738" },
	{ "F(94), the first beyond 64 bits", 94,
	  "19740274219868223167" },
	{ "F(100), the paper's last", 100,
	  "354224848179261915075" },
	{ "F(183), twice the table, odd", 183,
	  "78569350599398894027251472817058687522" },
	{ "F(184), twice the table, even", 184,
	  "127127879743834334146972278486287885163" },
	{ "F(186), the last of 128 bits", 186,
	  "332825110087067562321196029789634457848" },
	{ "F(187), the first beyond 128 bits", 187,
	  "538522340430300790495419781092981030533" },
	{ "F(256), a power of two", 256,
	  "141693817714056513234709965875411919657707794958199867" },
	{ "F(400), five words", 400,
	  "176023680645013966468226945392411250770384383304492191886725992896575345044216019675" },
};

NAMED_PARAMS(known, known);

static void known_numbers(struct kunit *test)
{
	const struct known_case *c = test->param_value;
	cc_bigint f = CC_BIGINT_INIT;
	int strategy;

	for (strategy = 0; strategy < CC_FIB_STRATEGIES; strategy++) {
		char *s;

		KUNIT_EXPECT_EQ(test, cc_fib_by(&f, c->n, strategy, NULL), CC_OK);
		s = cc_bigint_to_string(&f, 10);
		KUNIT_EXPECT_STREQ_MSG(test, s, c->digits, "%s", cc_fib_strategy_name(strategy));
		cc_string_free(s);
	}
	cc_bigint_clear(&f);
}

struct identity_case {
	const char *name;
	u64 n;
};

static const struct identity_case identities[] = {
	{ "n = 1", 1 },
	{ "n = 46, about 32 bits", 46 },
	{ "n = 47, about 32 bits", 47 },
	{ "n = 92, about 64 bits", 92 },
	{ "n = 93, about 64 bits", 93 },
	{ "n = 94, about 64 bits", 94 },
	{ "n = 184, about 128 bits", 184 },
	{ "n = 1000", 1000 },
	{ "n = 1023, all ones", 1023 },
	{ "n = 1024, one one", 1024 },
	{ "n = 9999", 9999 },
	{ "n = 30000, products by parts", 30000 },
};

NAMED_PARAMS(identity, identities);

/* F(n)^2 + F(n + 1)^2 = F(2n + 1), with each side by a different strategy. */
static void sum_of_squares(struct kunit *test)
{
	const struct identity_case *c = test->param_value;
	cc_bigint a = CC_BIGINT_INIT, b = CC_BIGINT_INIT, f = CC_BIGINT_INIT;
	int s, other;

	for (s = 0; s < CC_FIB_STRATEGIES; s++) {
		KUNIT_EXPECT_EQ(test, cc_fib_by(&a, c->n, s, NULL), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_fib_by(&b, c->n + 1, s, NULL), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_bigint_sqr(&a, &a), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_bigint_sqr(&b, &b), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_bigint_add(&a, &a, &b), CC_OK);
		other = (s + 1) % CC_FIB_STRATEGIES;
		KUNIT_EXPECT_EQ(test, cc_fib_by(&f, 2 * c->n + 1, other, NULL), CC_OK);
		KUNIT_EXPECT_EQ_MSG(test, cc_bigint_cmp(&a, &f), 0, "%s", cc_fib_strategy_name(s));
	}
	cc_bigint_clear(&a);
	cc_bigint_clear(&b);
	cc_bigint_clear(&f);
}

/* Cassini: F(n - 1) F(n + 1) - F(n)^2 = (-1)^n. */
static void cassini(struct kunit *test)
{
	const struct identity_case *c = test->param_value;
	cc_bigint a = CC_BIGINT_INIT, b = CC_BIGINT_INIT, f = CC_BIGINT_INIT;
	int s;

	for (s = 0; s < CC_FIB_STRATEGIES; s++) {
		s64 difference = 0;

		KUNIT_EXPECT_EQ(test, cc_fib_by(&a, c->n - 1, s, NULL), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_fib_by(&b, c->n + 1, s, NULL), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_fib_by(&f, c->n, s, NULL), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_bigint_mul(&a, &a, &b), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_bigint_sqr(&f, &f), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_bigint_sub(&a, &a, &f), CC_OK);
		KUNIT_EXPECT_EQ(test, cc_bigint_get_i64(&difference, &a), CC_OK);
		KUNIT_EXPECT_EQ_MSG(test, difference, c->n & 1 ? -1LL : 1LL, "%s",
				    cc_fib_strategy_name(s));
	}
	cc_bigint_clear(&a);
	cc_bigint_clear(&b);
	cc_bigint_clear(&f);
}

static int stop(void *context, u64 done, u64 total)
{
	return 1;
}

static void stops_when_asked(struct kunit *test)
{
	const struct cc_progress progress = { .step = stop };
	cc_bigint f = CC_BIGINT_INIT;
	u64 kept = 0;
	int s;

	KUNIT_EXPECT_EQ(test, cc_bigint_set_u64(&f, 5), CC_OK);
	for (s = 0; s < CC_FIB_STRATEGIES; s++)
		KUNIT_EXPECT_EQ(test, cc_fib_by(&f, 100000, s, &progress), CC_EINTR);
	KUNIT_EXPECT_EQ(test, cc_fib_by(&f, 1, CC_FIB_STRATEGIES, NULL), CC_EINVAL);
	KUNIT_EXPECT_EQ(test, cc_bigint_get_u64(&kept, &f), CC_OK);
	KUNIT_EXPECT_EQ(test, kept, 5ULL);
	cc_bigint_clear(&f);
}

static struct kunit_case fib_tests[] = {
	KUNIT_CASE_PARAM(known_numbers, known_gen_params),
	KUNIT_CASE_PARAM(sum_of_squares, identity_gen_params),
	KUNIT_CASE_PARAM(cassini, identity_gen_params),
	KUNIT_CASE(stops_when_asked),
	{}
};

static struct kunit_suite fib_suite = {
	.name = "carrychain_fib",
	.test_cases = fib_tests,
};

kunit_test_suite(fib_suite);

MODULE_LICENSE("Dual MIT/GPL");
