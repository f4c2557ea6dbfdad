/* SPDX-License-Identifier: MIT */
/*
 * row_bmi2adx.h - z := x w and its kin, a word at a time with mulx and two carry chains.
 *
 * Registers: z rdi, x rsi, w rdx, blocks of 4 words left rcx; the product's low half r8,
 * its high half and the last one's, r9 and r10 in turn.
 *
 * Both flags live from the first word to the last, so that nothing between words may
 * change them: lea counts, and jrcxz tests.  The n mod 4 odd words come first.
 *
 * The last high half has room for both carries: with B = 2^64,
 * (B^n - 1) (B - 1) + (B^n - 1) < B^(n+1).
 */
	.macro row_odd count:req, words:vararg
	xor	r9d, r9d
	.irp	at, \words
	.if	(\at / 8) % 2
	word	\at, r9, r10
	.else
	word	\at, r10, r9
	.endif
	.endr
	.if	\count % 2
	mov	r9, r10
	.endif
	lea	rsi, [rsi + 8 * \count]
	lea	rdi, [rdi + 8 * \count]
	.endm

	/* The function of z rdi, x rsi, n rdx, w rcx; `word at, h, last` is one word of it. */
	.macro row_function name
	function \name
	mov	rax, rdx
	mov	rdx, rcx
	mov	rcx, rax
	shr	rcx, 2
	and	eax, 3
	jz	4f
	cmp	eax, 2
	ja	3f
	je	2f
	row_odd	1, 0
	jmp	5f
2:	row_odd	2, 0, 8
	jmp	5f
3:	row_odd	3, 0, 8, 16
	jmp	5f
8:	jmp	7f		/* out of jrcxz's reach */
4:	xor	r9d, r9d
5:	jrcxz	8b
	.p2align 5
6:	word	0, r10, r9
	word	8, r9, r10
	word	16, r10, r9
	word	24, r9, r10
	lea	rsi, [rsi + 32]
	lea	rdi, [rdi + 32]
	lea	rcx, [rcx - 1]
	jrcxz	7f
	jmp	6b
7:	mov	eax, 0
	adcx	r9, rax
	adox	rax, r9
	RETURN
	end_function \name
	.endm
