/* SPDX-License-Identifier: MIT */
/*
 * z := x w mod B^n; returns the word above
 *
 * input x[n], w; output z[n]
 *
 *	cc_word cc_limbs_mul_1_bmi2adx(cc_word *z, const cc_word *x, size_t n, cc_word w);
 */
#include "asm.h"
#include "row_bmi2adx.h"

	.macro word at, h, last
	mulx	\h, r8, [rsi + \at]
	adcx	r8, \last
	mov	[rdi + \at], r8
	.endm

	row_function cc_limbs_mul_1_bmi2adx
