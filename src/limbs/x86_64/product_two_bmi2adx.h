/* SPDX-License-Identifier: MIT */
/*
 * product_two_bmi2adx.h - z := x y for two words y: rows of y by blocks of 8 words of x, after a block
 * of those left over, or of 8.
 *
 * A block b's product by y, with what the last block left above its own words, is less than
 * (B^8 - 1) (B^2 - 1) + B^2 - 1 < B^10, with B = 2^64: it leaves two words again.
 *
 * Registers: y rsi, block rcx, z of it rdi, blocks left rax, w rdx; what is left of the last one
 * rbx : r8; columns r9-r15, then r8; halves of products rbp, rbx.
 */
	/* rbx : r8, z[8] = x[8] y + rbx : r8, on one chain for the first row, on two for the second. */
	.macro eight
	mov	rdx, [rsi]
	mulx	r9, rbp, [rcx]
	add	rbp, r8
	mov	[rdi], rbp
	eight_low 8, r9, r10, r11, r12, r13, r14, r15, r8
	adc	r8, 0
	xor	ebp, ebp
	mov	rdx, [rsi + 8]
	adox	r9, rbx
	mulx	rbp, rbx, [rcx]
	adcx	r9, rbx
	mov	[rdi + 8], r9
	eight_high 8, rbx, rbp, r10, r11, r12, r13, r14, r15
	mulx	rbx, r9, [rcx + 56]
	adcx	r8, r9
	adox	r8, rbp
	mov	r9d, 0
	adcx	rbx, r9
	adox	rbx, r9
	.endm

	.macro eight_low at, t, above, rest:vararg
	mulx	\above, rbp, [rcx + \at]
	adc	\t, rbp
	.ifnb \rest
	eight_low (\at + 8), \above, \rest
	.endif
	.endm

	/* h of this column's product goes into the next column, last into this one. */
	.macro eight_high at, h, last, t, rest:vararg
	mulx	\h, r9, [rcx + \at]
	adcx	\t, r9
	adox	\t, \last
	mov	[rdi + \at + 8], \t
	.ifnb \rest
	eight_high (\at + 8), \last, \h, \rest
	.endif
	.endm

	/* The first block. */
	.macro lead words, window:vararg
	first_row [rsi], [rdi], STORE, \window
	row	[rsi + 8], [rdi + 8], STORE, \window
	add	rcx, 8 * \words
	add	rdi, 8 * \words
	lead_top (16 - 8 * \words), \window
	jmp	.Leight
	.endm

	.macro lead_top at, t, above, rest:vararg
	.ifb \rest
	mov	rbx, \above
	mov	r8, \t
	.else
	mov	[rdi + \at], \t
	lead_top (\at + 8), \above, \rest
	.endif
	.endm

	/* m rdx > 8, y rcx, x rsi; ends the function, which has saved rbx and rbp */
	.macro product_two
	save	r12, r13, r14, r15
	lea	rax, [rdx - 1]
	xchg	rsi, rcx
	mov	edx, eax
	shr	rax, 3
	and	edx, 7
	cmp	edx, 3
	ja	5f
	je	4f
	cmp	edx, 1
	ja	3f
	je	2f
	mov	rdx, [rsi]
	mulx	r8, rbp, [rcx]
	mov	[rdi], rbp
	mov	rdx, [rsi + 8]
	mulx	rbx, rbp, [rcx]
	add	r8, rbp
	adc	rbx, 0
	lea	rcx, [rcx + 8]
	lea	rdi, [rdi + 8]
	jmp	.Leight
2:	lead	2, WINDOW_2
3:	lead	3, WINDOW_3
4:	lead	4, WINDOW_4
5:	cmp	edx, 5
	ja	7f
	je	6f
	lead	5, WINDOW_5
6:	lead	6, WINDOW_6
7:	cmp	edx, 7
	je	8f
	lead	7, WINDOW_7
8:	lead	8, WINDOW_8
	.p2align 5
.Leight:
	eight
	lea	rcx, [rcx + 64]
	lea	rdi, [rdi + 64]
	dec	rax
	jnz	.Leight
	mov	[rdi], r8
	mov	[rdi + 8], rbx
	restore	r15, r14, r13, r12, rbp, rbx
	RETURN
	.endm
