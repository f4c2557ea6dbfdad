/* SPDX-License-Identifier: MIT */
/*
 * rows_x86_64.h - one row of a schoolbook product, z := x * w and similar, with mul and adc.
 *
 * Registers: the ends of x rsi and of z rdi; their index rcx, from -n < 0 to 0; w r8;
 * h r9, the word above, in and out.  rax and rdx are destroyed, and r10 by submul_row.
 *
 * h never overflows: with B = 2^64, (B - 1)^2 + 2 (B - 1) = B^2 - 1.  It is added as late as
 * possible: then its chain, an add and an adc per word, is the bottleneck, so unrolling would
 * gain nothing.
 */
	.macro mul_row
1:	mov	rax, [rsi + rcx * 8]
	mul	r8
	add	rax, r9
	adc	rdx, 0
	mov	[rdi + rcx * 8], rax
	mov	r9, rdx
	inc	rcx
	jnz	1b
	.endm

	.macro addmul_row
1:	mov	rax, [rsi + rcx * 8]
	mul	r8
	add	rax, [rdi + rcx * 8]
	adc	rdx, 0
	add	rax, r9
	adc	rdx, 0
	mov	[rdi + rcx * 8], rax
	mov	r9, rdx
	inc	rcx
	jnz	1b
	.endm

	.macro submul_row
1:	mov	rax, [rsi + rcx * 8]
	mul	r8
	mov	r10, [rdi + rcx * 8]
	sub	r10, rax
	adc	rdx, 0
	sub	r10, r9
	adc	rdx, 0
	mov	[rdi + rcx * 8], r10
	mov	r9, rdx
	inc	rcx
	jnz	1b
	.endm

	/* The function of one row: z rdi, x rsi, n rdx, w rcx. */
	.macro row_function name, row
	function \name
	xor	r9d, r9d
	mov	r8, rcx
	lea	rsi, [rsi + rdx * 8]
	lea	rdi, [rdi + rdx * 8]
	mov	rcx, rdx
	neg	rcx
	jz	2f
	\row
2:	mov	rax, r9
	RETURN
	end_function \name
	.endm
