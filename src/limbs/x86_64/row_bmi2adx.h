/* SPDX-License-Identifier: MIT */
/*
 * row_bmi2adx.h - z := z + x w and z - x w, in blocks of words: the block's product on one carry
 * chain, then the addition to z or subtraction from it on another.
 *
 * Registers: z rdi, x rsi, w rdx, n and then blocks left rcx, the word above rax; a
 * block's product r8-r15, its high halves rbx and rbp in turn.
 *
 * The word above has room for both carries of a block: with B = 2^64 and k words,
 * (B^k - 1) (B - 1) + (B - 1) + (B^k - 1) = B^(k+1) - 1.
 */

	.macro products at, h, last, p, rest:vararg
	.ifb \rest
	mulx	rax, \p, [rsi + \at]
	adc	\p, \last
	adc	rax, 0
	.else
	mulx	\h, \p, [rsi + \at]
	adc	\p, \last
	products (\at + 8), \last, \h, \rest
	.endif
	.endm

	.macro apply at, first, then, p, rest:vararg
	\first	[rdi + \at], \p
	.ifnb \rest
	apply	(\at + 8), \then, \then, \rest
	.endif
	.endm

	.macro block words, first, then, p, rest:vararg
	mulx	rbx, \p, [rsi]
	add	\p, rax
	products 8, rbp, rbx, \rest
	apply	0, \first, \then, \p, \rest
	adc	rax, 0
	add	rsi, 8 * \words
	add	rdi, 8 * \words
	.endm

	/*
	 * The function of z rdi, x rsi, n rdx, w rcx.  A product's words go into z by the
	 * instruction \first, and \then by one that continues its chain.
	 */
	.macro row_function name, first, then
	function \name
	save	rbx, rbp
	xor	eax, eax
	xchg	rdx, rcx
	test	cl, 1
	jz	1f
	mulx	rbx, r9, [rsi]
	add	r9, rax
	adc	rbx, 0
	\first	[rdi], r9
	adc	rbx, 0
	mov	rax, rbx
	add	rsi, 8
	add	rdi, 8
1:	test	cl, 2
	jz	2f
	block	2, \first, \then, r8, r9
2:	test	cl, 4
	jz	3f
	block	4, \first, \then, r8, r9, r10, r11
3:	shr	rcx, 3
	jz	5f
	save	r12, r13, r14, r15
	.p2align 5
4:	block	8, \first, \then, r8, r9, r10, r11, r12, r13, r14, r15
	dec	rcx
	jnz	4b
	restore	r15, r14, r13, r12
5:	restore	rbp, rbx
	RETURN
	end_function \name
	.endm
