/* SPDX-License-Identifier: MIT */
/*
 * product_row_bmi2adx.h - z := x w: one carry chain, and the products for 4 words in front of their
 * additions.
 *
 * Registers: z rdi, x rsi, w rdx, n and then blocks of 8 left rcx, the word above rax; products
 * r8-r11, their high halves rbx, rbp, r12, r13, but r10 and r11 for up to 7 words, which save no
 * registers.
 */
	/* rax, z[rcx] = x[rcx] w */
	.macro product_row
	xor	eax, eax
	test	cl, 1
	jz	1f
	mulx	rax, r8, [rsi]
	mov	[rdi], r8
	add	rsi, 8
	add	rdi, 8
1:	test	cl, 2
	jz	2f
	mulx	r10, r8, [rsi]
	mulx	r11, r9, [rsi + 8]
	add	r8, rax
	adc	r9, r10
	mov	[rdi], r8
	mov	[rdi + 8], r9
	mov	eax, 0
	adc	rax, r11
	add	rsi, 16
	add	rdi, 16
2:	test	cl, 4
	jz	3f
	mulx	r10, r8, [rsi]
	mulx	r11, r9, [rsi + 8]
	add	r8, rax
	adc	r9, r10
	mov	[rdi], r8
	mov	[rdi + 8], r9
	mulx	r10, r8, [rsi + 16]
	mulx	rax, r9, [rsi + 24]
	adc	r8, r11
	adc	r9, r10
	mov	[rdi + 16], r8
	mov	[rdi + 24], r9
	adc	rax, 0
	add	rsi, 32
	add	rdi, 32
3:	shr	rcx, 3
	jz	5f
	save	rbx, rbp, r12, r13
	clc
	.p2align 5
4:	mulx	rbx, r8, [rsi]
	mulx	rbp, r9, [rsi + 8]
	mulx	r12, r10, [rsi + 16]
	mulx	r13, r11, [rsi + 24]
	adc	r8, rax
	adc	r9, rbx
	adc	r10, rbp
	adc	r11, r12
	mov	[rdi], r8
	mov	[rdi + 8], r9
	mov	[rdi + 16], r10
	mov	[rdi + 24], r11
	mulx	rbx, r8, [rsi + 32]
	mulx	rbp, r9, [rsi + 40]
	mulx	r12, r10, [rsi + 48]
	mulx	rax, r11, [rsi + 56]
	adc	r8, r13
	adc	r9, rbx
	adc	r10, rbp
	adc	r11, r12
	mov	[rdi + 32], r8
	mov	[rdi + 40], r9
	mov	[rdi + 48], r10
	mov	[rdi + 56], r11
	lea	rsi, [rsi + 64]
	lea	rdi, [rdi + 64]
	dec	rcx
	jnz	4b
	adc	rax, 0
	restore	r13, r12, rbp, rbx
5:
	.endm
