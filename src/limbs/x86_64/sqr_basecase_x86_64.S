/* SPDX-License-Identifier: MIT */
/*
 * z := x^2: the products off the diagonal once, doubled, and the squares added
 *
 * input x[n], n >= 1; output z[2n]
 *
 *	void cc_limbs_sqr_basecase_x86_64(cc_word *z, const cc_word *x, size_t n);
 *
 * Registers, in the rows: z[n + row] rdi, end of x rsi, -(n - 1 - row) r10
 * in the doubling: end of z rdi, of x rsi, index rcx, doubled words r8, r9, the carry
 * of the doubling r10 (0 or 1), of the squares r11 (0 or -1)
 *
 * Zen 5, cycles / n^2 at n = 4, 8, 16, 32: 2.26, 1.69, 1.32, 1.18
 */
#include "asm.h"
#include "rows_x86_64.h"

	function cc_limbs_sqr_basecase_x86_64
	push	rbx
	mov	rbx, rdx
	lea	rsi, [rsi + rdx * 8]
	mov	qword ptr [rdi], 0
	mov	qword ptr [rdi + rdx * 8], 0	/* z[n], the top if n is 1 */
	lea	rdi, [rdi + rdx * 8]
	mov	r10, 1
	sub	r10, rdx
	jz	4f

	mov	r8, [rsi + r10 * 8 - 8]
	mov	rcx, r10
	xor	r9d, r9d
	mul_row
	jmp	3f
2:	mov	r8, [rsi + r10 * 8 - 8]
	mov	rcx, r10
	xor	r9d, r9d
	addmul_row
3:	mov	[rdi], r9
	add	rdi, 8
	inc	r10
	jnz	2b
	mov	qword ptr [rdi], 0

4:	lea	rdi, [rdi + 8]
	mov	rcx, rbx
	neg	rcx
	lea	rbx, [rcx + rcx]
	xor	r10d, r10d
	xor	r11d, r11d
5:	mov	r8, [rdi + rbx * 8]
	mov	r9, [rdi + rbx * 8 + 8]
	mov	rax, [rsi + rcx * 8]
	mul	rax
	add	r8, r8
	adc	r9, r9
	lea	r8, [r8 + r10]
	setc	r10b
	add	r11, r11
	adc	r8, rax
	adc	r9, rdx
	sbb	r11, r11
	mov	[rdi + rbx * 8], r8
	mov	[rdi + rbx * 8 + 8], r9
	add	rbx, 2
	inc	rcx
	jnz	5b

	pop	rbx
	RETURN
	end_function cc_limbs_sqr_basecase_x86_64
