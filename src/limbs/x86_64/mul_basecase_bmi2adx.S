/* SPDX-License-Identifier: MIT */
/*
 * z := x y
 *
 * input x[m], y[n], m >= n >= 1; output z[m + n]
 *
 *	void cc_limbs_mul_basecase_bmi2adx(cc_word *z, const cc_word *x, size_t m,
 *					   const cc_word *y, size_t n);
 *
 * Registers: those of window_bmi2adx.h.
 *
 * One word y: the row of mul_1.
 *
 * Up to 8 words x: all of them are the block, and the rows are the words of y, without a loop,
 * n of as many as x has; y rsi, x rcx, n rax.
 *
 * Two words y, and more than 8 of x: product_two_bmi2adx.h.
 *
 * Otherwise: a block of up to 8 words of y at a time, rows the words of x; end of x rsi,
 * z[m + block] rdi.  On the stack while n > 8: words of y in later blocks, four in the next one if
 * they are no multiple of 8; and -m above it.
 *
 * Zen 5, cycles a product of words at m = n = 4, 8, 16, 32: 1.27, 1.12, 1.12, 1.09
 */
#include "asm.h"
#include "product_row_bmi2adx.h"
#include "window_bmi2adx.h"

#include "product_two_bmi2adx.h"

	/* The product by all words of x. */
	.macro whole words, window:vararg
	save_for \words
	first_row [rsi], [rdi], STORE, \window
	.irp	i, 1, 2, 3, 4, 5, 6, 7
	.if \i < \words
	cmp	eax, \i
	je	.Lwhole_\words
	row	[rsi + 8 * \i], [rdi + 8 * \i], STORE, \window
	.endif
	.endr
.Lwhole_\words:
	lea	rdi, [rdi + rax * 8]
	store_window 0, \window
	return_from \words
	.endm

	/* The product by one block; falls through at its end. */
	.macro block rows, add, window:vararg
	first_row [rsi + rax * 8], [rdi + rax * 8], \add, \window
	inc	rax
	jz	.Ltop_\@
	\rows	\add, \window
.Ltop_\@:
	store_window 0, \window
	.endm

	.macro last_block words, rows, window:vararg
	save_for \words
	block	\rows, STORE, \window
	return_from \words
	.endm

	.macro first_block words, rows, window:vararg
	block	\rows, STORE, \window
	add	rdi, 8 * \words
	add	rcx, 8 * \words
	jmp	.Lnext_block
	.endm

	/* What a window needs beside rbx and rbp. */
	.macro save_for words
	.if \words > 4
	push	r12
	.endif
	.if \words > 5
	push	r13
	.endif
	.if \words > 6
	push	r14
	.endif
	.if \words > 7
	push	r15
	.endif
	.endm

	.macro return_from words
	.if \words > 7
	pop	r15
	.endif
	.if \words > 6
	pop	r14
	.endif
	.if \words > 5
	pop	r13
	.endif
	.if \words > 4
	pop	r12
	.endif
	restore	rbp, rbx
	RETURN
	.endm

	function cc_limbs_mul_basecase_bmi2adx
	cmp	r8, 2
	jae	.Lsome
	mov	r9, rdx
	mov	rdx, [rcx]
	product_row
	mov	[rdi], rax
	RETURN
	product_turns

.Lsome:	save	rbx, rbp
	cmp	rdx, 8
	ja	9f
	mov	rax, r8
	xchg	rsi, rcx
	cmp	edx, 4
	ja	5f
	je	4f
	cmp	edx, 2
	ja	3f
	whole	2, WINDOW_2
3:	whole	3, WINDOW_3
4:	whole	4, WINDOW_4

5:	cmp	edx, 6
	ja	7f
	je	6f
	whole	5, WINDOW_5
6:	whole	6, WINDOW_6
7:	cmp	edx, 8
	je	8f
	whole	7, WINDOW_7
8:	whole	8, WINDOW_8

9:	cmp	r8, 2
	je	.Ltwo
	mov	rax, rdx
	lea	rsi, [rsi + rdx * 8]
	lea	rdi, [rdi + rdx * 8]
	neg	rax
	cmp	r8, 4
	ja	5f
	je	4f
	last_block 3, rows, WINDOW_3
4:	last_block 4, rows, WINDOW_4

5:	cmp	r8, 8
	ja	9f
	je	8f
	cmp	r8d, 6
	ja	7f
	je	6f
	last_block 5, rows, WINDOW_5
6:	last_block 6, rows, WINDOW_6
7:	last_block 7, rows, WINDOW_7
8:	last_block 8, rows_by_four, WINDOW_8

	/*
	 * n > 8: blocks of 8 after one of what is left; if that is less than 4, with 4 of the
	 * next block, whose others come then: short blocks take longer a product.
	 */
9:	save_for 8
	lea	rdx, [r8 - 1]
	push	rax
	mov	r9, rdx
	and	r9, -8
	and	edx, 7
	cmp	edx, 3
	jae	9f
	add	edx, 4
	sub	r9, 4
9:	push	r9
	cmp	edx, 3
	ja	5f
	first_block 4, rows, WINDOW_4
5:	cmp	edx, 5
	ja	5f
	je	6f
	first_block 5, rows, WINDOW_5
6:	first_block 6, rows, WINDOW_6
5:	cmp	edx, 7
	je	8f
	first_block 7, rows, WINDOW_7
8:	first_block 8, rows_by_four, WINDOW_8

.Lfour:
	block	rows, ADD, WINDOW_4
	add	rdi, 32
	add	rcx, 32
	sub	qword ptr [rsp], 4
	jz	.Lend
.Lnext_block:
	mov	rax, [rsp + 8]
	test	byte ptr [rsp], 4
	jnz	.Lfour
	block	rows_by_four, ADD, WINDOW_8
	add	rdi, 64
	add	rcx, 64
	sub	qword ptr [rsp], 8
	jnz	.Lnext_block
.Lend:
	add	rsp, 16
	restore	r15, r14, r13, r12, rbp, rbx
	RETURN

.Ltwo:	product_two
	end_function cc_limbs_mul_basecase_bmi2adx
