/* SPDX-License-Identifier: MIT */
/*
 * add_sub.h - z := x + y or z := x - y, as `chain` is adc or sbb: the whole function.
 *
 * Registers: z rdi, x rsi, y rdx, n rcx.
 *
 * The carry stays in the carry flag from the first word to the last: between words there are
 * only mov, lea, dec and jrcxz, which preserve it.  The first n mod 4 words are done first.
 */
	.macro word at
	mov	r8, [rsi + \at]
	chain	r8, [rdx + \at]
	mov	[rdi + \at], r8
	.endm

	.macro odd bytes, offsets:vararg
	.irp	at, \offsets
	word	\at
	.endr
	lea	rsi, [rsi + \bytes]
	lea	rdx, [rdx + \bytes]
	lea	rdi, [rdi + \bytes]
	.endm

	.macro add_sub name
	function \name
	mov	eax, ecx
	shr	rcx, 2
	and	eax, 3		/* clears the carry flag, as do the cmp */
	jz	4f
	cmp	eax, 1
	jne	2f
	odd	8, 0
	jmp	4f
2:	cmp	eax, 2
	jne	3f
	odd	16, 0, 8
	jmp	4f
3:	odd	24, 0, 8, 16
4:	jrcxz	6f
	.p2align 5
5:	mov	r8, [rsi]
	mov	r9, [rsi + 8]
	mov	r10, [rsi + 16]
	mov	r11, [rsi + 24]
	lea	rsi, [rsi + 32]
	chain	r8, [rdx]
	chain	r9, [rdx + 8]
	chain	r10, [rdx + 16]
	chain	r11, [rdx + 24]
	lea	rdx, [rdx + 32]
	mov	[rdi], r8
	mov	[rdi + 8], r9
	mov	[rdi + 16], r10
	mov	[rdi + 24], r11
	lea	rdi, [rdi + 32]
	dec	rcx
	jnz	5b
6:	setc	al
	movzx	eax, al
	RETURN
	end_function \name
	.endm
