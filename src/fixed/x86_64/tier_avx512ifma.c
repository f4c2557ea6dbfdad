// SPDX-License-Identifier: MIT
/* The tier of 52-bit multiply-adds. */
#include "tier_avx512ifma.h"

#include "../../limbs/kernels.h"

#if CC_BUILD_VECTORS

/* Up to 8 words, converting to digits costs more than it saves. */
#define FEW 8

static void mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	if (n <= FEW)
		cc_fixed_bmi2adx.mul(xy, x, y, n);
	else
		cc_limbs_avx512ifma.mul_basecase(xy, x, n, y, n);
}

static void sqr(cc_word *xx, const cc_word *x, size_t n)
{
	if (n <= FEW)
		cc_fixed_bmi2adx.sqr(xx, x, n);
	else
		cc_limbs_avx512ifma.sqr_basecase(xx, x, n);
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
		cc_fixed_powmod_odd_avx512ifma(power, n, bits, scratch);
}

static size_t radix(size_t n)
{
	return n <= FEW ? cc_fixed_bmi2adx.radix(n) : cc_fixed_radix_avx512ifma(n);
}

/*
 * For each number of words, the time of eight at once divided by that of one, rounded up: the
 * highest on a Zen 5 and a Zen 4, with and without a context, for exponents of 16 bits to full
 * width (docs/decisions/fixed-batch.md).  It decreases where a single power, whose width is in
 * tiles, is padded more than the batch, whose width is in tens of digits.  9: never
 */
static const unsigned char ratio[] = {
	9, 9, 7, 5, 4, 3, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 6, 6, 6, 5, 5, 5, 5, 5, 8, 6,
	6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 6, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 8, 8, 8, 6,
	6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 8, 8, 8, 8, 6,
	6, 5, 6, 7, 7, 7, 7, 7, 7, 6, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 5,
	5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8,
};

_Static_assert(sizeof(ratio) == CC_FIXED_POWMOD_8_MAX, "an entry for every width");

static size_t worth(size_t n)
{
	return ratio[n - 1];
}

const struct cc_fixed_kernels cc_fixed_avx512ifma = {
	.tier = "avx512ifma",
	.mul = mul,
	.sqr = sqr,
	.mul_blocks = 12,
	.mul_low = 12,
	.clear_low = clear_low,
	.mont_mul = {CC_FIXED_MONT_MUL_BMI2ADX},
	.mont_sqr_8 = cc_fixed_mont_sqr_8_bmi2adx,
	.powmod_odd = powmod_odd,
	.radix = radix,
	.lanes = 8,
	.powmod_odd_8 = cc_fixed_powmod_odd_8_avx512ifma,
	.radix_8 = cc_fixed_radix_8_avx512ifma,
	.worth = worth,
};

#endif /* CC_BUILD_VECTORS */
