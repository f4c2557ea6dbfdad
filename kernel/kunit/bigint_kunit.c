// SPDX-License-Identifier: MIT
/* Integers that grow, on known cases: arguments and results in decimal. */
#include <kunit/test.h>
#include <linux/string.h>

#include <carrychain/bigint.h>

#include "params.h"

#define TWO_64 "18446744073709551616"
#define TWO_128 "340282366920938463463374607431768211456"
#define ONES_64 "18446744073709551615"
#define TEN_40 "10000000000000000000000000000000000000000"

typedef int unary_fn(cc_bigint *r, const cc_bigint *x);
typedef int binary_fn(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
typedef int amount_fn(cc_bigint *r, const cc_bigint *x, u64 amount);

static int floor_quotient(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return cc_bigint_divmod_floor(r, NULL, x, y);
}

static int floor_remainder(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return cc_bigint_divmod_floor(NULL, r, x, y);
}

static int trunc_quotient(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return cc_bigint_divmod_trunc(r, NULL, x, y);
}

static int trunc_remainder(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return cc_bigint_divmod_trunc(NULL, r, x, y);
}

struct operation_case {
	const char *name;
	unary_fn *unary;
	binary_fn *binary;
	amount_fn *by;
	const char *x, *y;
	u64 amount;
	const char *result;
};

#define UNARY(name, op, x, result) { name, op, NULL, NULL, x, "0", 0, result }
#define BINARY(name, op, x, y, result) { name, NULL, op, NULL, x, y, 0, result }
#define BY(name, op, x, amount, result) { name, NULL, NULL, op, x, "0", amount, result }

static const struct operation_case operations[] = {
	UNARY("-0", cc_bigint_neg, "0", "0"),
	UNARY("-x", cc_bigint_neg, TWO_64, "-" TWO_64),
	UNARY("|x|", cc_bigint_abs, "-" TWO_64, TWO_64),
	UNARY("~0", cc_bigint_not, "0", "-1"),
	UNARY("~-1", cc_bigint_not, "-1", "0"),
	UNARY("~2^64", cc_bigint_not, TWO_64, "-18446744073709551617"),
	UNARY("0^2", cc_bigint_sqr, "0", "0"),
	UNARY("(2^64)^2", cc_bigint_sqr, "-" TWO_64, TWO_128),
	BINARY("x + 0", cc_bigint_add, TWO_64, "0", TWO_64),
	BINARY("the carry makes a word", cc_bigint_add, ONES_64, "1", TWO_64),
	BINARY("x + -x", cc_bigint_add, TWO_128, "-" TWO_128, "0"),
	BINARY("signs differ", cc_bigint_add, "-" TWO_64, "1", "-" ONES_64),
	BINARY("x - x", cc_bigint_sub, TWO_128, TWO_128, "0"),
	BINARY("the borrow takes a word", cc_bigint_sub, TWO_64, "1", ONES_64),
	BINARY("0 - x", cc_bigint_sub, "0", TWO_64, "-" TWO_64),
	BINARY("x * 0", cc_bigint_mul, "-" TWO_64, "0", "0"),
	BINARY("-x * -y", cc_bigint_mul, "-" TWO_64, "-" TWO_64, TWO_128),
	BINARY("-x * y", cc_bigint_mul, "-" ONES_64, ONES_64,
	       "-340282366920938463426481119284349108225"),
	BINARY("floor 7 / 2", floor_quotient, "7", "2", "3"),
	BINARY("floor -7 / 2", floor_quotient, "-7", "2", "-4"),
	BINARY("floor 7 / -2", floor_quotient, "7", "-2", "-4"),
	BINARY("floor -7 / -2", floor_quotient, "-7", "-2", "3"),
	BINARY("floor 7 mod 2", floor_remainder, "7", "2", "1"),
	BINARY("floor -7 mod 2", floor_remainder, "-7", "2", "1"),
	BINARY("floor 7 mod -2", floor_remainder, "7", "-2", "-1"),
	BINARY("floor -7 mod -2", floor_remainder, "-7", "-2", "-1"),
	BINARY("floor -8 mod 2", floor_remainder, "-8", "2", "0"),
	BINARY("trunc -7 / 2", trunc_quotient, "-7", "2", "-3"),
	BINARY("trunc 7 / -2", trunc_quotient, "7", "-2", "-3"),
	BINARY("trunc -7 mod 2", trunc_remainder, "-7", "2", "-1"),
	BINARY("trunc 7 mod -2", trunc_remainder, "7", "-2", "1"),
	BINARY("three words by two", floor_quotient, TEN_40, TWO_64, "542101086242752217003"),
	BINARY("three words mod two", floor_remainder, TEN_40, TWO_64, "13399722918938673152"),
	BINARY("less than the divisor", floor_quotient, "-1", TWO_64, "-1"),
	BINARY("-1 and x", cc_bigint_and, "-1", TWO_64, TWO_64),
	BINARY("-2^64 and 2^64 - 1", cc_bigint_and, "-" TWO_64, ONES_64, "0"),
	BINARY("-6 and -10", cc_bigint_and, "-6", "-10", "-14"),
	BINARY("-6 or -10", cc_bigint_or, "-6", "-10", "-2"),
	BINARY("-2^64 or 1", cc_bigint_or, "-" TWO_64, "1", "-" ONES_64),
	BINARY("-6 xor 10", cc_bigint_xor, "-6", "10", "-16"),
	BINARY("x xor x", cc_bigint_xor, "-" TWO_128, "-" TWO_128, "0"),
	BY("0^0", cc_bigint_pow, "0", 0, "1"),
	BY("(-10)^40", cc_bigint_pow, "-10", 40, TEN_40),
	BY("(-2)^127", cc_bigint_pow, "-2", 127, "-170141183460469231731687303715884105728"),
	BY("1 << 128", cc_bigint_shl, "1", 128, TWO_128),
	BY("-1 << 64", cc_bigint_shl, "-1", 64, "-" TWO_64),
	BY("x << 0", cc_bigint_shl, TWO_64, 0, TWO_64),
	BY("2^128 >> 64", cc_bigint_shr, TWO_128, 64, TWO_64),
	BY("-1 >> 1000", cc_bigint_shr, "-1", 1000, "-1"),
	BY("-2^64 >> 64", cc_bigint_shr, "-" TWO_64, 64, "-1"),
	BY("(-2^64 + 1) >> 1", cc_bigint_shr, "-" ONES_64, 1, "-9223372036854775808"),
	BY("1 >> 2^63", cc_bigint_shr, "1", 1ULL << 63, "0"),
};

NAMED_PARAMS(operation, operations);

static int apply(const struct operation_case *c, cc_bigint *r, const cc_bigint *x,
		 const cc_bigint *y)
{
	if (c->unary)
		return c->unary(r, x);
	return c->binary ? c->binary(r, x, y) : c->by(r, x, c->amount);
}

static void expect_digits(struct kunit *test, const cc_bigint *x, const char *digits)
{
	char *s = cc_bigint_to_string(x, 10);

	KUNIT_EXPECT_STREQ(test, s, digits);
	cc_string_free(s);
}

/* The result in a third number, in the first argument, and in the second. */
static void known_results(struct kunit *test)
{
	const struct operation_case *c = test->param_value;
	cc_bigint x = CC_BIGINT_INIT, y = CC_BIGINT_INIT, r = CC_BIGINT_INIT;

	KUNIT_EXPECT_EQ(test, cc_bigint_from_string(&x, c->x, 10), CC_OK);
	KUNIT_EXPECT_EQ(test, cc_bigint_from_string(&y, c->y, 10), CC_OK);
	KUNIT_EXPECT_EQ(test, apply(c, &r, &x, &y), CC_OK);
	expect_digits(test, &r, c->result);
	expect_digits(test, &x, c->x);
	expect_digits(test, &y, c->y);
	KUNIT_EXPECT_EQ(test, apply(c, &x, &x, &y), CC_OK);
	expect_digits(test, &x, c->result);
	KUNIT_EXPECT_EQ(test, cc_bigint_from_string(&x, c->x, 10), CC_OK);
	KUNIT_EXPECT_EQ(test, apply(c, &y, &x, &y), CC_OK);
	expect_digits(test, &y, c->result);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
	cc_bigint_clear(&r);
}

struct refused_case {
	const char *name;
	const char *text;
	int radix;
};

static const struct refused_case refused[] = {
	{ "nothing", "", 10 },
	{ "a sign alone", "-", 10 },
	{ "two signs", "--1", 10 },
	{ "a space", " 1", 10 },
	{ "a digit too large", "12a", 10 },
	{ "binary 2", "2", 2 },
	{ "radix 1", "1", 1 },
	{ "radix 37", "1", 37 },
};

NAMED_PARAMS(refused, refused);

static void refuses(struct kunit *test)
{
	const struct refused_case *c = test->param_value;
	cc_bigint x = CC_BIGINT_INIT;

	KUNIT_EXPECT_EQ(test, cc_bigint_set_i64(&x, -7), CC_OK);
	KUNIT_EXPECT_EQ(test, cc_bigint_from_string(&x, c->text, c->radix), CC_EINVAL);
	expect_digits(test, &x, "-7");
	cc_bigint_clear(&x);
}

static void radix_round_trip(struct kunit *test)
{
	cc_bigint x = CC_BIGINT_INIT, y = CC_BIGINT_INIT;
	int radix;

	KUNIT_EXPECT_EQ(test, cc_bigint_set_i64(&x, -7), CC_OK);
	KUNIT_EXPECT_EQ(test, cc_bigint_pow(&x, &x, 2001), CC_OK);
	for (radix = 2; radix <= 36; radix++) {
		char *s = cc_bigint_to_string(&x, radix);

		KUNIT_EXPECT_EQ(test, cc_bigint_from_string(&y, s, radix), CC_OK);
		KUNIT_EXPECT_EQ_MSG(test, cc_bigint_cmp(&x, &y), 0, "radix %d", radix);
		cc_string_free(s);
	}
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
}

static void bytes(struct kunit *test)
{
	static const u8 little[] = { 0xff, 0xfe, 0xff, 0xff };
	static const u8 big[] = { 0xff, 0xff, 0xfe, 0xff };
	cc_bigint x = CC_BIGINT_INIT;
	u8 out[sizeof(little)];

	KUNIT_EXPECT_EQ(test, cc_bigint_set_i64(&x, -257), CC_OK);
	KUNIT_EXPECT_EQ(test, cc_bigint_to_bytes(out, sizeof(out), &x, CC_SIGNED), CC_OK);
	KUNIT_EXPECT_EQ(test, memcmp(out, little, sizeof(out)), 0);
	KUNIT_EXPECT_EQ(test, cc_bigint_to_bytes(out, sizeof(out), &x, CC_SIGNED | CC_BIG_ENDIAN),
			CC_OK);
	KUNIT_EXPECT_EQ(test, memcmp(out, big, sizeof(out)), 0);
	KUNIT_EXPECT_EQ(test, cc_bigint_to_bytes(out, sizeof(out), &x, 0), CC_ERANGE);
	KUNIT_EXPECT_EQ(test, cc_bigint_to_bytes(out, 1, &x, CC_SIGNED), CC_ERANGE);
	KUNIT_EXPECT_EQ(test, cc_bigint_from_bytes(&x, little, sizeof(little), 0), CC_OK);
	expect_digits(test, &x, "4294967039");
	KUNIT_EXPECT_EQ(test, cc_bigint_from_bytes(&x, big, sizeof(big), CC_SIGNED | CC_BIG_ENDIAN),
			CC_OK);
	expect_digits(test, &x, "-257");
	cc_bigint_clear(&x);
}

static void division_by_zero_is_refused(struct kunit *test)
{
	cc_bigint x = CC_BIGINT_INIT, zero = CC_BIGINT_INIT, r = CC_BIGINT_INIT;

	KUNIT_EXPECT_EQ(test, cc_bigint_set_u64(&x, 1), CC_OK);
	KUNIT_EXPECT_EQ(test, cc_bigint_divmod_floor(&r, NULL, &x, &zero), CC_EINVAL);
	KUNIT_EXPECT_EQ(test, cc_bigint_divmod_trunc(NULL, &r, &x, &zero), CC_EINVAL);
	KUNIT_EXPECT_EQ(test, cc_bigint_sign(&r), 0);
	cc_bigint_clear(&x);
	cc_bigint_clear(&r);
}

static struct kunit_case bigint_tests[] = {
	KUNIT_CASE_PARAM(known_results, operation_gen_params),
	KUNIT_CASE_PARAM(refuses, refused_gen_params),
	KUNIT_CASE(radix_round_trip),
	KUNIT_CASE(bytes),
	KUNIT_CASE(division_by_zero_is_refused),
	{}
};

static struct kunit_suite bigint_suite = {
	.name = "carrychain_bigint",
	.test_cases = bigint_tests,
};

kunit_test_suite(bigint_suite);

MODULE_LICENSE("Dual MIT/GPL");
