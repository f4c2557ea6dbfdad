// SPDX-License-Identifier: MIT
/* The x86-64 tiers: which kernel each of them runs. */
#include "../../limbs/kernels.h"
#include "../kernels.h"
#include "comba.h"

/* Columns for the widths that have them, rows for those between. */
static void mul_base(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	if (n == 32)
		cc_fixed_mul_32_x86_64(xy, x, y, n);
	else if (n == 16)
		cc_fixed_mul_16_x86_64(xy, x, y, n);
	else if (n == 8)
		cc_fixed_mul_8_x86_64(xy, x, y, n);
	else if (n)
		cc_limbs_x86_64.mul_basecase(xy, x, n, y, n);
}

static void sqr_base(cc_word *xx, const cc_word *x, size_t n)
{
	if (n == 32)
		cc_fixed_sqr_32_x86_64(xx, x, n);
	else if (n == 16)
		cc_fixed_sqr_16_x86_64(xx, x, n);
	else if (n == 8)
		cc_fixed_sqr_8_x86_64(xx, x, n);
	else if (n)
		cc_limbs_x86_64.sqr_basecase(xx, x, n);
}

static void mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_fixed_mul_above(mul_base, 32, xy, x, y, n);
}

static void sqr(cc_word *xx, const cc_word *x, size_t n)
{
	cc_fixed_sqr_above(sqr_base, 32, xx, x, n);
}

static void powmod_odd(const struct cc_fixed_power *power, size_t n, size_t bits, cc_word *scratch)
{
	cc_fixed_powmod_odd(&cc_fixed_x86_64, power, n, bits, scratch);
}

const struct cc_fixed_kernels cc_fixed_x86_64 = {
	.tier = "x86_64",
	.mul = mul,
	.sqr = sqr,
	.mul_blocks = 32,
	.mul_low = 80,
	.clear_low = cc_fixed_clear_low_rows,
	.mont_mul = {CC_FIXED_MONT_MUL_FEW},
	.powmod_odd = powmod_odd,
	.radix = cc_fixed_radix,
};
