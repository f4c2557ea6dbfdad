// SPDX-License-Identifier: MIT
/* Products of unequal widths, and halves of products, on both sides of what tiers treat apart. */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/fixed.h>
#include <string.h>

#define MOST (2 * CC_FZ_MAX + 90)

static const char *tier;

static void check_unequal(size_t xn, size_t yn)
{
	static cc_word x[MOST], y[MOST], should[2 * MOST];
	cc_word *px, *py, *r;

	test_sizes(xn, yn, 0);
	any_words(x, xn);
	any_words(y, yn);
	ref_mul(should, x, xn, y, yn);
	r = place(RESULT, NULL, xn + yn);
	px = place(FIRST, x, xn);
	py = place(SECOND, y, yn);
	cc_fz_mul_unequal(r, px, xn, py, yn);
	check_words("product", r, should, xn + yn);
	cc_fz_mul_unequal(r, py, yn, px, xn);
	check_words("product, exchanged", r, should, xn + yn);
	check_words("first operand", px, x, xn);
	check_words("second operand", py, y, yn);
	if (xn == yn)
		return;
	/* the same vector, of which one factor is the beginning */
	ref_mul(should, px, xn, px, yn < xn ? yn : 0);
	cc_fz_mul_unequal(r, px, xn, px, yn < xn ? yn : 0);
	check_words("product by its beginning", r, should, xn + (yn < xn ? yn : 0));
	check_guards();
}

static void test_unequal(void)
{
	/* Fibonacci numbers, whose every remainder is another; and both sides of CC_FZ_MAX */
	static const size_t widths[][2] = {
		{89, 55},
		{144, 89},
		{233, 144},
		{CC_FZ_MAX, CC_FZ_MAX - 1},
		{CC_FZ_MAX + 1, CC_FZ_MAX},
		{2 * CC_FZ_MAX + 77, CC_FZ_MAX},
		{CC_FZ_MAX + 40, CC_FZ_MAX + 1},
		{2 * CC_FZ_MAX, 1},
		{CC_FZ_MAX, 0},
	};
	size_t i, xn, yn;

	begin(tier, "cc_fz_mul_unequal");
	for (xn = 0; xn <= 12; xn++)
		for (yn = 0; yn <= 12; yn++)
			check_unequal(xn, yn);
	for (i = 0; i < test_scaled(1500) && !test_case_failed(); i++) {
		yn = random_below(random_below(2) ? 20 : 110);
		check_unequal(random_below(yn + random_below(3 * yn + 2) + 1), yn);
	}
	for (i = 0; i < COUNT(widths); i++)
		check_unequal(widths[i][0], widths[i][1]);
}

static void check_halves(size_t n)
{
	static cc_word x[MOST], y[MOST], should[2 * MOST];
	cc_word *px, *py, *r;

	test_sizes(n, 0, 0);
	any_words(x, n);
	any_words(y, n);
	r = place(RESULT, NULL, n);
	px = place(FIRST, x, n);
	py = place(SECOND, y, n);
	ref_mul(should, x, n, y, n);
	cc_fz_mul_low(r, px, py, n);
	check_words("lower half", r, should, n);
	cc_fz_mul_high(r, px, py, n);
	check_words("upper half", r, should + n, n);
	check_words("first operand", px, x, n);
	check_words("second operand", py, y, n);
	ref_mul(should, x, n, x, n);
	cc_fz_mul_low(r, px, px, n);
	check_words("lower half of a square", r, should, n);
	cc_fz_mul_high(r, px, px, n);
	check_words("upper half of a square", r, should + n, n);
	check_guards();
}

static void test_halves(void)
{
	static const size_t widths[] = {79,  80,  81,	     127,	    128,	   129,
					191, 192, CC_FZ_MAX, CC_FZ_MAX + 1, CC_FZ_MAX + 45};
	size_t n, i, round;

	begin(tier, "cc_fz_mul_low, mul_high");
	for (n = 0; n <= 50; n++)
		for (round = 0; round < test_scaled(n <= 14 ? 60 : 10); round++)
			check_halves(n);
	for (i = 0; i < COUNT(widths) && !test_case_failed(); i++)
		for (round = 0; round < test_scaled(4); round++)
			check_halves(widths[i]);
}

void fixed_products(const char *in_tier)
{
	tier = in_tier;
	test_unequal();
	test_halves();
}
