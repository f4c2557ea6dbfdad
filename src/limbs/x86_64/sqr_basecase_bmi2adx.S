/* SPDX-License-Identifier: MIT */
/*
 * z := x^2: the products off the diagonal once, by blocks of up to 8 words of x; then
 * all doubled, and the squares added
 *
 * input x[n], n >= 1; output z[2n]
 *
 *	void cc_limbs_sqr_basecase_bmi2adx(cc_word *z, const cc_word *x, size_t n);
 *
 * Registers: those of window_bmi2adx.h; block rcx, end of x rsi, z[n + block] rdi.
 *
 * A block's products are the triangle of its words by each other, row k the product of
 * the words below k by word k, and the rectangle of them by all words above.  In the
 * triangle the window widens by a word each row, and z[2 block] is rax; in the rectangle
 * rax is the row, from below 0.  The first block has the n mod 8 odd words, or 8.
 *
 * Up to four words have paths of their own, where all of z stays in registers.
 *
 * Zen 5, cycles / n^2 at n = 4, 8, 16, 32: 0.88, 0.99, 0.76, 0.67
 */
#include "asm.h"
#include "window_bmi2adx.h"

	/* Row k of the triangle, k words wide; the window's new word begins at 0. */
	.macro triangle_row k, add, top, window:vararg
	mov	\top, 0
	row	[rcx + 8 * \k], [rax + 8 * \k], \add, \window
	.endm

	/*
	 * The rectangle of a block, and the words above it; the triangle's window is one
	 * word narrower.  Without words above, this new word is the product's top, 0.
	 */
	.macro rectangle words, add, top, window:vararg
	mov	\top, 0
	mov	rax, rcx
	sub	rax, rsi
	sar	rax, 3
	add	rax, \words
	jz	.Ltop_\@
	rows	\add, \window
.Ltop_\@:
	store_window 0, \window
	add	rdi, 8 * \words
	add	rcx, 8 * \words
	.endm

	.macro first_block words, top, window:vararg
	rectangle \words, STORE, \top, \window
	jmp	.Lnext_block
	.endm

	/* z := 2 z + the square of w, on two words z, with the two chains. */
	.macro diagonal w, z0, z1
	mov	rdx, \w
	mulx	rbp, rbx, rdx
	adcx	\z0, \z0
	adox	\z0, rbx
	adcx	\z1, \z1
	adox	\z1, rbp
	.endm

	/* z[1..2n-2] in registers, for n > 1: doubled, with the squares, all into z. */
	.macro finish z1, rest:vararg
	mov	rdx, [rsi]
	mulx	rbp, rbx, rdx
	mov	[rdi], rbx
	xor	ebx, ebx
	adcx	\z1, \z1
	adox	\z1, rbp
	mov	[rdi + 8], \z1
	mov	\z1, 0
	finish_pair 8, 16, \rest, \z1
	restore	rbp, rbx
	RETURN
	.endm

	.macro finish_pair x, z, z0, z1, rest:vararg
	diagonal [rsi + \x], \z0, \z1
	mov	[rdi + \z], \z0
	mov	[rdi + \z + 8], \z1
	.ifnb \rest
	finish_pair (\x + 8), (\z + 16), \rest
	.endif
	.endm

	function cc_limbs_sqr_basecase_bmi2adx
	save	rbx, rbp
	cmp	rdx, 4
	jbe	.Lsmall
	save	r12, r13, r14, r15, rdx
	mov	rcx, rsi
	mov	rax, rdi
	mov	qword ptr [rdi], 0
	lea	rdi, [rdi + rdx * 8]
	lea	rsi, [rsi + rdx * 8]

	/* the odd words are r15 + 1, until the window needs it */
	lea	r15d, [rdx - 1]
	and	r15d, 7
	jz	1f
	first_row [rcx + 8], [rax + 8], STORE, WINDOW_1
	cmp	r15d, 2
	jb	2f
	triangle_row 2, STORE, r9, WINDOW_2
	cmp	r15d, 3
	jb	3f
	triangle_row 3, STORE, r10, WINDOW_3
	cmp	r15d, 4
	jb	4f
	triangle_row 4, STORE, r11, WINDOW_4
	cmp	r15d, 5
	jb	5f
	triangle_row 5, STORE, r12, WINDOW_5
	cmp	r15d, 6
	jb	6f
	triangle_row 6, STORE, r13, WINDOW_6
	cmp	r15d, 7
	jb	7f
	triangle_row 7, STORE, r14, WINDOW_7
	first_block 8, r15, WINDOW_8
7:	first_block 7, r14, WINDOW_7
6:	first_block 6, r13, WINDOW_6
5:	first_block 5, r12, WINDOW_5
4:	first_block 4, r11, WINDOW_4
3:	first_block 3, r10, WINDOW_3
2:	first_block 2, r9, WINDOW_2
1:	first_block 1, r8, WINDOW_1

3:	mov	rax, rcx
	sub	rax, rsi
	add	rax, rdi
	first_row [rcx + 8], [rax + 8], ADD, WINDOW_1
	triangle_row 2, ADD, r9, WINDOW_2
	triangle_row 3, ADD, r10, WINDOW_3
	triangle_row 4, ADD, r11, WINDOW_4
	triangle_row 5, ADD, r12, WINDOW_5
	triangle_row 6, ADD, r13, WINDOW_6
	triangle_row 7, ADD, r14, WINDOW_7
	rectangle 8, ADD, r15, WINDOW_8
.Lnext_block:
	cmp	rcx, rsi
	jne	3b

	/* z := 2 z + the squares, each sum with a chain of its own */
	pop	rcx
	mov	rax, rcx
	shl	rax, 4
	sub	rdi, rax
	neg	rcx
	xor	eax, eax
4:	mov	r8, [rdi]
	mov	r9, [rdi + 8]
	diagonal [rsi + rcx * 8], r8, r9
	mov	[rdi], r8
	mov	[rdi + 8], r9
	lea	rdi, [rdi + 16]
	lea	rcx, [rcx + 1]
	jrcxz	5f
	jmp	4b

5:	restore	r15, r14, r13, r12, rbp, rbx
	RETURN

.Lsmall:
	je	4f
	cmp	edx, 2
	ja	3f
	je	2f
	mov	rdx, [rsi]
	mulx	r9, r8, rdx
	mov	[rdi], r8
	mov	[rdi + 8], r9
	restore	rbp, rbx
	RETURN

2:	mov	rdx, [rsi]
	mulx	r9, r8, [rsi + 8]
	finish	r8, r9

3:	mov	rdx, [rsi]
	mulx	r9, r8, [rsi + 8]
	mulx	r10, rbx, [rsi + 16]
	add	r9, rbx
	mov	rdx, [rsi + 8]
	mulx	r11, rbx, [rsi + 16]
	adc	r10, rbx
	adc	r11, 0
	finish	r8, r9, r10, r11

4:	mov	rdx, [rsi]
	mulx	r9, r8, [rsi + 8]
	mulx	r10, rbx, [rsi + 16]
	add	r9, rbx
	mulx	r11, rbx, [rsi + 24]
	adc	r10, rbx
	adc	r11, 0
	mov	rdx, [rsi + 8]
	mulx	rbp, rbx, [rsi + 16]
	mulx	rcx, rax, [rsi + 24]
	add	r10, rbx
	adc	r11, rbp
	adc	rcx, 0
	add	r11, rax
	mov	rdx, [rsi + 16]
	mulx	rax, rbx, [rsi + 24]
	adc	rcx, rbx
	adc	rax, 0
	finish	r8, r9, r10, r11, rcx, rax
	end_function cc_limbs_sqr_basecase_bmi2adx
