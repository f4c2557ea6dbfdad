/* SPDX-License-Identifier: MIT */
/*
 * z := x^2, by columns, unrolled
 *
 * input x[w], n = w; output z[2w]; w = 8, 16, 32; any other n traps
 *
 *	void cc_fixed_sqr_8_x86_64(cc_word *z, const cc_word *x, size_t n);
 *
 * Registers as in comba_x86_64.h.
 *
 * Zen 5, cycles / w^2 at w = 8, 16, 32: 1.23, 0.91, 0.77
 */
#include "comba_x86_64.h"

	sqr_function cc_fixed_sqr_8_x86_64, 8
	sqr_function cc_fixed_sqr_16_x86_64, 16
	sqr_function cc_fixed_sqr_32_x86_64, 32
