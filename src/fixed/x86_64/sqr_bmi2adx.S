/* SPDX-License-Identifier: MIT */
/*
 * z := x^2, unrolled, by blocks of 8 words of x: the products off the diagonal once, then
 * doubled, and the squares added
 *
 * input x[w], n = w; output z[2w]; w = 8, 16, 32; any other n traps
 *
 *	void cc_fixed_sqr_8_bmi2adx(cc_word *z, const cc_word *x, size_t n);
 *
 * Registers: those of window_bmi2adx.h, the block rcx.  al, ah: what the words of z that
 * are done carry, from the doubling and from the squares.
 *
 * A block's products are the triangle of its words by each other, the window widening by
 * a word a row, and the rectangle of them by all words above.  Once block b is done,
 * z[16b .. 16b + 15] change no more: they are doubled, and their squares added, while the
 * next block's rows begin.
 *
 * Zen 5, cycles / w^2 at w = 8, 16, 32: 1.00, 0.73, 0.63
 */
#include "../../limbs/x86_64/asm.h"
#include "../../limbs/x86_64/window_bmi2adx.h"

	/* Row k of the triangle, k words wide; the window's new word begins at 0. */
	.macro triangle_row at, k, add, top, window:vararg
	xor	\top, \top
	row	[rcx + 8 * \k], [rdi + 8 * (\at + \k)], \add, \window
	.endm

	.macro triangle at, add
	first_row [rcx + 8], [rdi + 8 * (\at + 1)], \add, WINDOW_1
	triangle_row \at, 2, \add, r9, WINDOW_2
	triangle_row \at, 3, \add, r10, WINDOW_3
	triangle_row \at, 4, \add, r11, WINDOW_4
	triangle_row \at, 5, \add, r12, WINDOW_5
	triangle_row \at, 6, \add, r13, WINDOW_6
	triangle_row \at, 7, \add, r14, WINDOW_7
	xor	r15d, r15d
	.endm

	/* Two words of z: twice what they are, and the square of a word x. */
	.macro diagonal x, z
	mov	r8, [rdi + 8 * (\z)]
	mov	r9, [rdi + 8 * (\z) + 8]
	adcx	r8, r8
	adox	r8, rbx
	adcx	r9, r9
	adox	r9, rbp
	mov	[rdi + 8 * (\z)], r8
	mov	[rdi + 8 * (\z) + 8], r9
	.endm

	/*
	 * z[2 base .. 2 base + 15].  A square and the carry of the squares below it fit two
	 * words: (B - 1)^2 + 1 < B^2.
	 */
	.macro diagonals base, last
	mov	rdx, [rsi + 8 * (\base)]
	mulx	rbp, rbx, rdx
	.if \base
	movzx	edx, ah
	add	rbx, rdx
	adc	rbp, 0
	add	al, -1
	.else
	xor	r8d, r8d
	mov	[rdi], r8
	.endif
	diagonal \base, (2 * (\base))
	.set	.Lword, \base + 1
	.rept	7
	mov	rdx, [rsi + 8 * .Lword]
	mulx	rbp, rbx, rdx
	diagonal .Lword, (2 * .Lword)
	.set	.Lword, .Lword + 1
	.endr
	.ifeq \last
	setc	al
	seto	ah
	.endif
	.endm

	.macro sqr_function name, width
	function \name
	cmp	rdx, \width
	jne	9f
	push	rbx
	push	rbp
	push	r12
	push	r13
	push	r14
	push	r15
	mov	rcx, rsi
	.set	.Lbase, 0
	.rept	\width / 8
	.if .Lbase
	add	rcx, 64
	triangle (2 * .Lbase), ADD
	.else
	triangle 0, STORE
	.endif
	.set	.Lrow, .Lbase + 8
	.rept	\width - .Lbase - 8
	.if .Lbase
	row	[rsi + 8 * .Lrow], [rdi + 8 * (.Lrow + .Lbase)], ADD, WINDOW_8
	.else
	row	[rsi + 8 * .Lrow], [rdi + 8 * .Lrow], STORE, WINDOW_8
	.endif
	.set	.Lrow, .Lrow + 1
	.endr
	store_window (8 * (\width + .Lbase)), WINDOW_8
	diagonals .Lbase, (.Lbase + 8 == \width)
	.set	.Lbase, .Lbase + 8
	.endr
	pop	r15
	pop	r14
	pop	r13
	pop	r12
	pop	rbp
	pop	rbx
	RETURN
9:	ud2
	end_function \name
	.endm

	sqr_function cc_fixed_sqr_8_bmi2adx, 8
	sqr_function cc_fixed_sqr_16_bmi2adx, 16
	sqr_function cc_fixed_sqr_32_bmi2adx, 32
