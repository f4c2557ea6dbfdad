// SPDX-License-Identifier: MIT
/* The portable tier: columns up to a threshold, Karatsuba above. */
#include "kernels.h"
#include "thresholds.h"

static void mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_fixed_mul_above(cc_fixed_mul_comba, CC_FIXED_COMBA_MUL, xy, x, y, n);
}

static void sqr(cc_word *xx, const cc_word *x, size_t n)
{
	cc_fixed_sqr_above(cc_fixed_sqr_comba, CC_FIXED_COMBA_SQR, xx, x, n);
}

static void powmod_odd(const struct cc_fixed_power *power, size_t n, size_t bits, cc_word *scratch)
{
	cc_fixed_powmod_odd(&cc_fixed_generic, power, n, bits, scratch);
}

const struct cc_fixed_kernels cc_fixed_generic = {
	.tier = "generic",
	.mul = mul,
	.sqr = sqr,
	.mul_blocks = 48,
	.mul_low = 128,
	.clear_low = cc_fixed_clear_low_rows,
	.mont_mul = {CC_FIXED_MONT_MUL_FEW},
	.powmod_odd = powmod_odd,
	.radix = cc_fixed_radix,
};
