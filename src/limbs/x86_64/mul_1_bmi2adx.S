/* SPDX-License-Identifier: MIT */
/*
 * z := x w mod B^n; returns the word above
 *
 * input x[n], w; output z[n]
 *
 *	cc_word cc_limbs_mul_1_bmi2adx(cc_word *z, const cc_word *x, size_t n, cc_word w);
 *
 * Zen 5, cycles a word at 8, 32, 256, 4096 words: 1.42, 1.19, 1.26, 1.30
 */
#include "asm.h"
#include "product_row_bmi2adx.h"

	function cc_limbs_mul_1_bmi2adx
	mov	r9, rdx
	mov	rdx, rcx
	product_row
	RETURN
	product_turns
	end_function cc_limbs_mul_1_bmi2adx
