/* SPDX-License-Identifier: MIT */
/*
 * z := x * y, by columns, unrolled
 *
 * input x[w], y[w], n = w; output z[2w]; w = 8, 16, 32; any other n traps
 *
 *	void cc_fixed_mul_8_x86_64(cc_word *z, const cc_word *x, const cc_word *y, size_t n);
 *
 * Registers as in comba_x86_64.h.
 *
 * Zen 5, cycles / w^2 at w = 8, 16, 32: 1.75, 1.60, 1.52
 */
#include "comba_x86_64.h"

	mul_function cc_fixed_mul_8_x86_64, 8
	mul_function cc_fixed_mul_16_x86_64, 16
	mul_function cc_fixed_mul_32_x86_64, 32
