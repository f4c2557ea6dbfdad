// SPDX-License-Identifier: MIT
/* The tier of mulx and two carry chains. */
#include "../../limbs/kernels.h"
#include "../kernels.h"

#if CC_BUILD_X86_64

CC_HIDDEN cc_fixed_sqr_fn cc_fixed_sqr_8_bmi2adx;
CC_HIDDEN cc_fixed_sqr_fn cc_fixed_sqr_16_bmi2adx;
CC_HIDDEN cc_fixed_sqr_fn cc_fixed_sqr_32_bmi2adx;
CC_HIDDEN cc_fixed_clear_low_fn cc_fixed_clear_low_bmi2adx;

/* The widest products, in words, that are computed by rows without Karatsuba. */
#define ROWS_MUL 32
#define ROWS_SQR 63

static void mul_base(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	if (n)
		cc_limbs_bmi2adx.mul_basecase(xy, x, n, y, n);
}

static void sqr_base(cc_word *xx, const cc_word *x, size_t n)
{
	if (n == 32)
		cc_fixed_sqr_32_bmi2adx(xx, x, n);
	else if (n == 16)
		cc_fixed_sqr_16_bmi2adx(xx, x, n);
	else if (n == 8)
		cc_fixed_sqr_8_bmi2adx(xx, x, n);
	else if (n)
		cc_limbs_bmi2adx.sqr_basecase(xx, x, n);
}

static void mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	if (n <= ROWS_MUL)
		mul_base(xy, x, y, n);
	else
		cc_fixed_mul_above(mul_base, ROWS_MUL, xy, x, y, n);
}

static void sqr(cc_word *xx, const cc_word *x, size_t n)
{
	if (n <= ROWS_SQR)
		sqr_base(xx, x, n);
	else
		cc_fixed_sqr_above(sqr_base, ROWS_SQR, xx, x, n);
}

static cc_word clear_low(cc_word *t, const cc_word *m, size_t n, cc_word m0)
{
	return n % 8 ? cc_fixed_clear_low_rows(t, m, n, m0)
		     : cc_fixed_clear_low_bmi2adx(t, m, n, m0);
}

static void powmod_odd(const struct cc_fixed_power *power, size_t n, size_t bits, cc_word *scratch)
{
	cc_fixed_powmod_odd(&cc_fixed_bmi2adx, power, n, bits, scratch);
}

const struct cc_fixed_kernels cc_fixed_bmi2adx = {
	.tier = "bmi2+adx",
	.mul = mul,
	.sqr = sqr,
	.mul_blocks = 48,
	.mul_low = 192,
	.clear_low = clear_low,
	.mont_mul = {CC_FIXED_MONT_MUL_BMI2ADX},
	.mont_sqr_8 = cc_fixed_mont_sqr_8_bmi2adx,
	.powmod_odd = powmod_odd,
	.radix = cc_fixed_radix,
};

#endif /* CC_BUILD_X86_64 */
