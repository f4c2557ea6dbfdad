// SPDX-License-Identifier: MIT
/* The tier of multiply-adds of doubles; single products use mulx. */
#include "tier_avx2.h"

#if CC_BUILD_VECTORS

/* Up to 24 words, converting to digits costs more than it saves. */
#define FEW 24

static void mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_fixed_bmi2adx.mul(xy, x, y, n);
}

static void sqr(cc_word *xx, const cc_word *x, size_t n)
{
	cc_fixed_bmi2adx.sqr(xx, x, n);
}

static cc_word clear_low(cc_word *t, const cc_word *m, size_t n, cc_word m0)
{
	return cc_fixed_bmi2adx.clear_low(t, m, n, m0);
}

static void powmod_odd(const struct cc_fixed_power *power, size_t n, size_t bits, cc_word *scratch)
{
	if (n <= FEW)
		cc_fixed_bmi2adx.powmod_odd(power, n, bits, scratch);
	else
		cc_fixed_powmod_odd_avx2(power, n, bits, scratch);
}

static size_t radix(size_t n)
{
	return n <= FEW ? cc_fixed_bmi2adx.radix(n) : cc_fixed_radix_avx2(n);
}

/* The time of four at once over that of one, rounded up (docs/decisions/fixed-avx2.md) */
static size_t worth(size_t n)
{
	if (n < 6 || n == 9)
		return 5;
	return n == 7 || n == 8 || (12 <= n && n <= 16) || (19 <= n && n <= 40) ? 3 : 4;
}

const struct cc_fixed_kernels cc_fixed_avx2 = {
	.tier = "avx2",
	.mul = mul,
	.sqr = sqr,
	.mul_blocks = 48,
	.mul_low = 192,
	.clear_low = clear_low,
	.mont_mul = {CC_FIXED_MONT_MUL_BMI2ADX},
	.mont_sqr_8 = cc_fixed_mont_sqr_8_bmi2adx,
	.powmod_odd = powmod_odd,
	.radix = radix,
	.lanes = 4,
	.powmod_odd_8 = cc_fixed_powmod_odd_8_avx2,
	.radix_8 = cc_fixed_radix_8_avx2,
	.worth = worth,
};

#endif /* CC_BUILD_VECTORS */
