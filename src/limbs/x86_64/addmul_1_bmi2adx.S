/* SPDX-License-Identifier: MIT */
/*
 * z := z + x w mod B^n; returns the word above
 *
 * input x[n], w; input and output z[n]
 *
 *	cc_word cc_limbs_addmul_1_bmi2adx(cc_word *z, const cc_word *x, size_t n, cc_word w);
 */
#include "asm.h"
#include "row_bmi2adx.h"

	.macro word at, h, last
	mulx	\h, r8, [rsi + \at]
	adcx	r8, \last
	adox	r8, [rdi + \at]
	mov	[rdi + \at], r8
	.endm

	row_function cc_limbs_addmul_1_bmi2adx
