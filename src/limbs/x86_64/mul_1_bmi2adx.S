/* SPDX-License-Identifier: MIT */
/*
 * z := x w mod B^n; returns the word above
 *
 * input x[n], w; output z[n]
 *
 *	cc_word cc_limbs_mul_1_bmi2adx(cc_word *z, const cc_word *x, size_t n, cc_word w);
 *
 * Zen 5, cycles a word at 8, 32, 256, 4096 words: 1.40, 1.18, 1.31, 1.37
 */
#include "asm.h"
#include "row_bmi2adx.h"

	row_function cc_limbs_mul_1_bmi2adx, mov, mov
