/* SPDX-License-Identifier: MIT */
/*
 * z := floor(x / 2^c); returns the c bits that left, at the high end of a word
 *
 * input x[n], 0 <= c < 64; output z[n], which may lie below x, overlapping
 *
 *	cc_word cc_limbs_rshift_bmi2adx(cc_word *z, const cc_word *x, size_t n, unsigned int c);
 *
 * Registers: last words of z rdi, of x rsi, index rdx up to 0, c rcx, -c r11; scratch r8, r9
 *
 * shlx and shrx take their counts mod 64, so that -c is as good as 64 - c, unless c is 0:
 * that goes to the tier below.
 *
 * Zen 5, cycles a word at 8, 32, 256, 4096 words: 1.45, 1.21, 1.09, 1.16
 */
#include "asm.h"

	.macro word at
	shrx	r8, [rsi + rdx * 8 + \at], rcx
	shlx	r9, [rsi + rdx * 8 + \at + 8], r11
	or	r8, r9
	mov	[rdi + rdx * 8 + \at], r8
	.endm

	function cc_limbs_rshift_bmi2adx
	mov	r11d, ecx
	neg	r11d
	jz	cc_limbs_rshift_x86_64
	xor	eax, eax
	sub	rdx, 1
	jb	4f
	shlx	rax, [rsi], r11
	lea	rsi, [rsi + rdx * 8]
	lea	rdi, [rdi + rdx * 8]
	neg	rdx
	test	dl, 1
	jz	1f
	word	0
	inc	rdx
1:	test	dl, 2
	jz	2f
	word	0
	word	8
	add	rdx, 2
2:	test	rdx, rdx
	jz	3f
	.p2align 5
1:	word	0
	word	8
	word	16
	word	24
	add	rdx, 4
	jnz	1b
3:	shrx	r8, [rsi], rcx
	mov	[rdi], r8
4:	RETURN
	end_function cc_limbs_rshift_bmi2adx
