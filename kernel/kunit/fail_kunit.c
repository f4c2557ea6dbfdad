// SPDX-License-Identifier: MIT
/*
 * Lets each allocation of every operation fail in turn: the operation must report it, and
 * leave its arguments unchanged.
 */
#include <kunit/test.h>
#include <linux/string.h>

#include <carrychain/fib.h>

#include "fail_alloc.h"
#include "params.h"

/* More allocations than any operation here makes. */
#define ALLOCATIONS_MAX 100

struct numbers {
	cc_bigint x, y, r;
};

struct failing_case {
	const char *name;
	int (*run)(struct numbers *n);
};

#define RUN(name, call)				\
	static int run_##name(struct numbers *n)	\
	{						\
		return call;				\
	}

RUN(set, cc_bigint_set(&n->r, &n->x))
RUN(reserve, cc_bigint_reserve(&n->r, 1000))
RUN(neg, cc_bigint_neg(&n->r, &n->x))
RUN(add, cc_bigint_add(&n->r, &n->x, &n->y))
RUN(sub_in_place, cc_bigint_sub(&n->r, &n->r, &n->x))
RUN(mul, cc_bigint_mul(&n->r, &n->x, &n->y))
RUN(mul_in_place, cc_bigint_mul(&n->x, &n->x, &n->y))
RUN(sqr_in_place, cc_bigint_sqr(&n->x, &n->x))
RUN(pow, cc_bigint_pow(&n->r, &n->y, 9))
RUN(divmod_floor, cc_bigint_divmod_floor(&n->r, &n->y, &n->x, &n->y))
RUN(divmod_trunc, cc_bigint_divmod_trunc(&n->x, &n->r, &n->x, &n->y))
RUN(shl, cc_bigint_shl(&n->x, &n->x, 10000))
RUN(shr, cc_bigint_shr(&n->r, &n->x, 3))
RUN(and, cc_bigint_and(&n->r, &n->x, &n->y))
RUN(or, cc_bigint_or(&n->r, &n->x, &n->y))
RUN(xor, cc_bigint_xor(&n->r, &n->x, &n->y))
RUN(not, cc_bigint_not(&n->r, &n->x))
RUN(fib_squaring, cc_fib_by(&n->r, 20000, CC_FIB_SQUARING, NULL))
RUN(fib_doubling, cc_fib_by(&n->r, 20000, CC_FIB_DOUBLING, NULL))
RUN(fib_iterative, cc_fib_by(&n->r, 20000, CC_FIB_ITERATIVE, NULL))

static int run_format(struct numbers *n)
{
	size_t length;
	char *s;
	int err = cc_bigint_format(&s, &length, &n->x, 10, NULL);

	if (err)
		return s ? CC_EINVAL : err;
	err = cc_bigint_from_string(&n->r, s, 10);
	cc_string_free(s);
	return err;
}

static int run_from_bytes(struct numbers *n)
{
	static const u8 bytes[1000] = { 1 };

	return cc_bigint_from_bytes(&n->r, bytes, sizeof(bytes), CC_BIG_ENDIAN);
}

static const struct failing_case operations[] = {
	{ "set", run_set },
	{ "reserve", run_reserve },
	{ "neg", run_neg },
	{ "add", run_add },
	{ "sub in place", run_sub_in_place },
	{ "mul", run_mul },
	{ "mul in place", run_mul_in_place },
	{ "sqr in place", run_sqr_in_place },
	{ "pow", run_pow },
	{ "divmod_floor in place", run_divmod_floor },
	{ "divmod_trunc in place", run_divmod_trunc },
	{ "shl in place", run_shl },
	{ "shr", run_shr },
	{ "and", run_and },
	{ "or", run_or },
	{ "xor", run_xor },
	{ "not", run_not },
	{ "format and from_string", run_format },
	{ "from_bytes", run_from_bytes },
	{ "fib by squaring", run_fib_squaring },
	{ "fib by doubling", run_fib_doubling },
	{ "fib by iteration", run_fib_iterative },
};

NAMED_PARAMS(operation, operations);

static void clear(struct numbers *n)
{
	cc_bigint_clear(&n->x);
	cc_bigint_clear(&n->y);
	cc_bigint_clear(&n->r);
}

/* x: 5000 bits, negative; y: 3000 bits; r: one word, so that it must grow. */
static int make(struct numbers *n)
{
	cc_bigint_init(&n->x);
	cc_bigint_init(&n->y);
	cc_bigint_init(&n->r);
	return cc_bigint_set_i64(&n->x, -3) ?: cc_bigint_pow(&n->x, &n->x, 3155) ?:
	       cc_bigint_set_i64(&n->y, 5) ?: cc_bigint_pow(&n->y, &n->y, 1293) ?:
	       cc_bigint_set_i64(&n->r, 42);
}

static void expect_unchanged(struct kunit *test, const struct numbers *n, unsigned int at)
{
	struct numbers fresh;

	KUNIT_ASSERT_EQ(test, make(&fresh), CC_OK);
	KUNIT_EXPECT_EQ_MSG(test, cc_bigint_cmp(&n->x, &fresh.x), 0, "allocation %u", at);
	KUNIT_EXPECT_EQ_MSG(test, cc_bigint_cmp(&n->y, &fresh.y), 0, "allocation %u", at);
	KUNIT_EXPECT_EQ_MSG(test, cc_bigint_cmp(&n->r, &fresh.r), 0, "allocation %u", at);
	clear(&fresh);
}

static void each_allocation_fails(struct kunit *test)
{
	const struct failing_case *c = test->param_value;
	unsigned int at, failed = 0;

	for (at = 1; at <= ALLOCATIONS_MAX; at++) {
		struct numbers n;
		bool reached;
		int err;

		KUNIT_ASSERT_EQ(test, make(&n), CC_OK);
		cc_fail_at = at;
		err = c->run(&n);
		reached = !cc_fail_at;
		cc_fail_at = 0;
		if (reached) {
			failed++;
			KUNIT_EXPECT_EQ_MSG(test, err, CC_ENOMEM, "allocation %u", at);
			expect_unchanged(test, &n, at);
		} else {
			KUNIT_EXPECT_EQ(test, err, CC_OK);
		}
		clear(&n);
		if (!reached)
			break;
	}
	KUNIT_EXPECT_GT(test, failed, 0U);
	KUNIT_EXPECT_LE(test, at, (unsigned int)ALLOCATIONS_MAX);
}

static struct kunit_case fail_tests[] = {
	KUNIT_CASE_PARAM(each_allocation_fails, operation_gen_params),
	{}
};

static struct kunit_suite fail_suite = {
	.name = "carrychain_failing_allocations",
	.test_cases = fail_tests,
};

kunit_test_suite(fail_suite);

MODULE_LICENSE("Dual MIT/GPL");
