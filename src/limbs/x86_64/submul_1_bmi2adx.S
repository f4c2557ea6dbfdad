/* SPDX-License-Identifier: MIT */
/*
 * z := z - x w mod B^n; returns the word borrowed from above
 *
 * input x[n], w; input and output z[n]
 *
 *	cc_word cc_limbs_submul_1_bmi2adx(cc_word *z, const cc_word *x, size_t n, cc_word w);
 *
 * Registers: z rdi, x rsi, w rdx, n and then blocks of four words rcx, the word above rax;
 * a block's product r8-r11, its high halves and then z rbx, rbp, r12, r13
 *
 * No adox subtracts, and adding to ~z takes two operations more a word.  So four words at
 * a time: the product on one chain, then its subtraction on the next.  The word above has
 * room for both carries: (B^4 - 1) (B - 1) + (B - 1) + (B^4 - 1) < B^5.
 */
#include "asm.h"

	function cc_limbs_submul_1_bmi2adx
	push	rbx
	push	rbp
	push	r12
	push	r13
	xor	eax, eax
	mov	r8, rdx
	mov	rdx, rcx
	mov	rcx, r8
	and	r8d, 3
	jz	2f
1:	mulx	rbx, r9, [rsi]
	add	r9, rax
	adc	rbx, 0
	sub	[rdi], r9
	adc	rbx, 0
	mov	rax, rbx
	add	rsi, 8
	add	rdi, 8
	dec	r8d
	jnz	1b
2:	shr	rcx, 2
	jz	4f
	.p2align 5
3:	mulx	rbx, r8, [rsi]
	mulx	rbp, r9, [rsi + 8]
	mulx	r12, r10, [rsi + 16]
	add	r8, rax
	mulx	rax, r11, [rsi + 24]
	adc	r9, rbx
	adc	r10, rbp
	adc	r11, r12
	adc	rax, 0
	mov	rbx, [rdi]
	mov	rbp, [rdi + 8]
	mov	r12, [rdi + 16]
	mov	r13, [rdi + 24]
	sub	rbx, r8
	sbb	rbp, r9
	sbb	r12, r10
	sbb	r13, r11
	adc	rax, 0
	mov	[rdi], rbx
	mov	[rdi + 8], rbp
	mov	[rdi + 16], r12
	mov	[rdi + 24], r13
	add	rsi, 32
	add	rdi, 32
	dec	rcx
	jnz	3b
4:	pop	r13
	pop	r12
	pop	rbp
	pop	rbx
	RETURN
	end_function cc_limbs_submul_1_bmi2adx
