/* SPDX-License-Identifier: MIT */
/*
 * comba_x86_64.h - macros that write out a product by columns, for a width known when they
 * are assembled: every index a constant, no loop and no branch left at run time.
 *
 * Column c collects the x[i] y[c - i] in three words, (A2 : A1 : A0) = r10 : r9 : r8, then
 * stores one and moves down the others.  They never overflow: with B = 2^64, the column's
 * products and what came from the column before are below w (B - 1)^2 + w B < B^3, w the
 * width.
 *
 * Registers: z rdi, x rsi, y rcx; in a square r11 : rcx what came from the column before;
 * rax and rdx are destroyed.
 */
#include "../../limbs/x86_64/asm.h"

/* (A2 : A1 : A0) += rdx : rax */
.macro accumulate
	add	r8, rax
	adc	r9, rdx
	adc	r10, 0
	.endm

	.macro col_begin
	xor	r8d, r8d
	xor	r9d, r9d
	xor	r10d, r10d
	.endm

	.macro col_finish column
	mov	[rdi + 8 * (\column)], r8
	mov	r8, r9
	mov	r9, r10
	xor	r10d, r10d
	.endm

	/* The products of a column of x y, @count of them from x[first] on. */
	.macro gen_col column, first, count
	.set	.Lindex, \first
	.rept	\count
	mov	rax, [rsi + 8 * .Lindex]
	mul	qword ptr [rcx + 8 * (\column - .Lindex)]
	accumulate
	.set	.Lindex, .Lindex + 1
	.endr
	col_finish \column
	.endm

	/* The columns 0 to w - 1, which grow by a product each... */
	.macro gen_loop_low width
	.set	.Lcolumn, 0
	.rept	\width
	gen_col	.Lcolumn, 0, (.Lcolumn + 1)
	.set	.Lcolumn, .Lcolumn + 1
	.endr
	.endm

	/* ...and w to 2w - 2, which shrink. */
	.macro gen_loop_high width
	.set	.Lcolumn, \width
	.rept	\width - 1
	gen_col	.Lcolumn, (.Lcolumn - \width + 1), (2 * \width - 1 - .Lcolumn)
	.set	.Lcolumn, .Lcolumn + 1
	.endr
	.endm

	/* Squares: each cross product once... */
	.macro gen_sqr_mul column, first, count
	.set	.Lindex, \first
	.rept	\count
	mov	rax, [rsi + 8 * .Lindex]
	mul	qword ptr [rsi + 8 * (\column - .Lindex)]
	accumulate
	.set	.Lindex, .Lindex + 1
	.endr
	.endm

	/*
	 * ...their sum twice, with what came from the column before: x[i] x[c - i] and
	 * x[c - i] x[i].  FFA accumulates each product twice; that makes the chain of carries
	 * twice as long, and it is the longest: on Zen 5, 2.6 cycles a product, not 1.5.
	 */
	.macro gen_sqr_double
	add	r8, r8
	adc	r9, r9
	adc	r10, r10
	add	r8, rcx
	adc	r9, r11
	adc	r10, 0
	.endm

	/* ...and in even columns there is a square. */
	.macro gen_sqr_square column
	.if	(\column) % 2 == 0
	mov	rax, [rsi + 8 * (\column / 2)]
	mul	rax
	accumulate
	.endif
	.endm

	.macro gen_sqr_col column, first, count
	gen_sqr_mul \column, \first, \count
	gen_sqr_double
	gen_sqr_square \column
	mov	[rdi + 8 * (\column)], r8
	mov	rcx, r9
	mov	r11, r10
	col_begin
	.endm

	.macro gen_sqr_loop_low width
	.set	.Lcolumn, 0
	.rept	\width
	gen_sqr_col .Lcolumn, 0, ((.Lcolumn + 1) / 2)
	.set	.Lcolumn, .Lcolumn + 1
	.endr
	.endm

	.macro gen_sqr_loop_high width
	.set	.Lcolumn, \width
	.rept	\width - 1
	gen_sqr_col .Lcolumn, (.Lcolumn - \width + 1), ((2 * \width - 1 - .Lcolumn) / 2)
	.set	.Lcolumn, .Lcolumn + 1
	.endr
	.endm

	/* Whoever calls with another width would read and write past the ends: trap instead. */
	.macro size_check n, width
	cmp	\n, \width
	jne	9f
	.endm

	.macro size_fail
9:	ud2
	.endm

	/* void name(cc_word *z, const cc_word *x, const cc_word *y, size_t n) */
	.macro mul_function name, width
	function \name
	size_check rcx, \width
	mov	rcx, rdx
	col_begin
	gen_loop_low \width
	gen_loop_high \width
	mov	[rdi + 8 * (2 * \width - 1)], r8
	RETURN
	size_fail
	end_function \name
	.endm

	/* void name(cc_word *z, const cc_word *x, size_t n) */
	.macro sqr_function name, width
	function \name
	size_check rdx, \width
	xor	ecx, ecx
	xor	r11d, r11d
	col_begin
	gen_sqr_loop_low \width
	gen_sqr_loop_high \width
	mov	[rdi + 8 * (2 * \width - 1)], rcx
	RETURN
	size_fail
	end_function \name
	.endm
