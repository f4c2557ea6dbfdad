/* SPDX-License-Identifier: MIT */
/*
 * product_row_bmi2adx.h - z := x w: one carry chain, the products of two words before their
 * additions, and no register to save.
 *
 * Of more than 17 words, turns of 8; then the first of those left if they are odd, then pairs without
 * a loop.
 *
 * Registers: w rdx, n r9, turns r11; z rdi and x rsi, of the last words their ends; products r8 and
 * r9, the high half of the lower one r10; the word above a pair rax and rcx in turn.
 */
	.macro pair at, below, above
	mulx	r10, r8, [rsi + \at]
	mulx	\above, r9, [rsi + \at + 8]
	adc	r8, \below
	adc	r9, r10
	mov	[rdi + \at], r8
	mov	[rdi + \at + 8], r9
	.endm

	.macro last_pair i, below, above
.Lpair_\i:
	pair	(-16 * \i), \below, \above
	.endm

	/* rax, z[n] = x[n] w; z and x are rdi and rsi at first */
	.macro product_row
	xor	eax, eax
	cmp	r9, 17
	ja	5f
	test	r9b, 1
	jz	1f
	mulx	rax, r8, [rsi]
	mov	[rdi], r8
1:	lea	rsi, [rsi + r9 * 8]
	lea	rdi, [rdi + r9 * 8]
	mov	rcx, rax
	/* a test clears the carry */
2:	test	r9b, 8
	jnz	8f
	test	r9b, 4
	jnz	4f
	test	r9b, 2
	jnz	.Lpair_1
	test	r9b, 16
	jnz	.Lpair_8
	jmp	.Lpairs_end
4:	test	r9b, 2
	jnz	.Lpair_3
	jmp	.Lpair_2
8:	test	r9b, 4
	jnz	12f
	test	r9b, 2
	jnz	.Lpair_5
	jmp	.Lpair_4
12:	test	r9b, 2
	jnz	.Lpair_7
	jmp	.Lpair_6

	.p2align 5
	last_pair 8, rax, rcx
	last_pair 7, rcx, rax
	last_pair 6, rax, rcx
	last_pair 5, rcx, rax
	last_pair 4, rax, rcx
	last_pair 3, rcx, rax
	last_pair 2, rax, rcx
	last_pair 1, rcx, rax
.Lpairs_end:
	adc	rax, 0
	.endm

	/* Turns, outside of the row; then the n mod 8 words that are left. */
	.macro product_turns
5:	mov	r11, r9
	and	r9d, 7
	shr	r11, 3
	push	r9
	clc
	.p2align 5
6:	pair	0, rax, rcx
	pair	16, rcx, rax
	pair	32, rax, rcx
	pair	48, rcx, rax
	lea	rsi, [rsi + 64]
	lea	rdi, [rdi + 64]
	dec	r11
	jnz	6b
	pop	r9
	adc	rax, 0
	test	r9b, 1
	jz	1b
	mulx	rcx, r8, [rsi]
	add	r8, rax
	adc	rcx, 0
	mov	[rdi], r8
	mov	rax, rcx
	jmp	1b
	.endm
