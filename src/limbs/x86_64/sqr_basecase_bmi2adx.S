/* SPDX-License-Identifier: MIT */
/*
 * z := x^2: the products off the diagonal once, by blocks of up to 8 words of x; then
 * all doubled, and the squares added
 *
 * input x[n], n >= 1; output z[2n]
 *
 *	void cc_limbs_sqr_basecase_bmi2adx(cc_word *z, const cc_word *x, size_t n);
 *
 * Registers: those of window_bmi2adx.h and triangle_bmi2adx.h; block rcx, end of x rsi; rdi is
 * z[2 block] for the triangle, z[n + block] for the rectangle.
 *
 * A block's products are the triangle of its words by each other, and the rectangle of them by
 * all words above: its window begins as the triangle's upper columns, and rax is its row, from
 * below 0.  The first block has the n mod 8 odd words if they are 5 to 7, or 8.  Up to 4 odd words
 * come last, and have no rectangle.
 *
 * Up to 8 words have paths of their own.  Up to 5, all of z stays in registers.
 *
 * Zen 5, cycles / n^2 at n = 4, 8, 16, 32: 0.87, 0.72, 0.71, 0.63
 */
#include "asm.h"
#include "triangle_bmi2adx.h"
#include "window_bmi2adx.h"

	.set	.Lz, 0

	/* The rectangle of a block, and the words above it; the window's top is new. */
	.macro rectangle words, add, top, window:vararg
	mov	\top, 0
	mov	rax, rcx
	sub	rax, rsi
	sub	rdi, rax
	sar	rax, 3
	add	rax, \words
	jz	.Ltop_\@
	.if \words == 8
	rows_by_four \add, \window
	.else
	rows	\add, \window
	.endif
.Ltop_\@:
	store_window 0, \window
	add	rdi, 8 * \words
	add	rcx, 8 * \words
	.endm

	/* The last words have no rectangle. */
	.macro last_block words, columns:vararg
	triangle \words, ADD, (2 * \words - 2), \columns
	mov	qword ptr [rdi + 16 * \words - 8], 0
	jmp	.Lfinish
	.endm

	/* z := 2 z + the square of word i of x, on two words z, with the two chains. */
	.macro diagonal i, z0, z1
	mov	rdx, [rsi + 8 * (\i)]
	mulx	rbp, rbx, rdx
	adcx	\z0, \z0
	adox	\z0, rbx
	mov	[rdi + 16 * (\i)], \z0
	adcx	\z1, \z1
	adox	\z1, rbp
	mov	[rdi + 16 * (\i) + 8], \z1
	.endm

	.macro diagonal_in_memory i
	mov	r8, [rdi + 16 * \i]
	mov	r9, [rdi + 16 * \i + 8]
	diagonal \i, r8, r9
	.endm

	/*
	 * The columns of a whole triangle, of which z has those up to stored: doubled, with the
	 * squares, all into z.  The topmost word of z is in top.
	 */
	.macro finish stored, top, column, rest:vararg
	mov	rdx, [rsi]
	mulx	rbp, rbx, rdx
	mov	[rdi], rbx
	xor	ebx, ebx
	.if \stored
	mov	rax, [rdi + 8]
	finish_first rax
	.else
	finish_first \column
	.endif
	finish_pairs 1, \stored, \top, \rest
	.endm

	.macro finish_first column
	adcx	\column, \column
	adox	\column, rbp
	mov	[rdi + 8], \column
	.endm

	.macro finish_pairs i, stored, top, z0, z1, rest:vararg
	.ifb \z1
	mov	\top, 0
	diagonal \i, \z0, \top
	.else
	.if 2 * (\i) < \stored
	mov	rax, [rdi + 16 * (\i)]
	mov	rcx, [rdi + 16 * (\i) + 8]
	diagonal \i, rax, rcx
	.elseif 2 * (\i) == \stored
	mov	rax, [rdi + 16 * (\i)]
	diagonal \i, rax, \z1
	.else
	diagonal \i, \z0, \z1
	.endif
	finish_pairs (\i + 1), \stored, \top, \rest
	.endif
	.endm

	.macro small_square top, columns:vararg
	finish	0, \top, \columns
	restore	rbp, rbx
	RETURN
	.endm

	/* z has as many of the columns as exceed the registers. */
	.macro square words, columns:vararg
	triangle \words, STORE, (2 * \words - 10), \columns
	finish	(2 * \words - 10), rax, \columns
	restore	r15, r14, r13, r12, rbp, rbx
	RETURN
	.endm

	.macro first_block words, top, window:vararg
	triangle \words, STORE, (\words - 1), COLUMNS_8
	rectangle \words, STORE, \top, \window
	jmp	.Lnext_block
	.endm

	function cc_limbs_sqr_basecase_bmi2adx
	save	rbx, rbp
	cmp	rdx, 4
	ja	5f
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
	small_square r8, r8, r9

3:	mov	rdx, [rsi]
	mulx	r9, r8, [rsi + 8]
	mulx	r10, rbx, [rsi + 16]
	add	r9, rbx
	mov	rdx, [rsi + 8]
	mulx	r11, rbx, [rsi + 16]
	adc	r10, rbx
	adc	r11, 0
	small_square r8, r8, r9, r10, r11

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
	small_square r8, r8, r9, r10, r11, rcx, rax

5:	save	r12, r13, r14, r15
	mov	rcx, rsi
	cmp	rdx, 8
	ja	9f
	je	8f
	cmp	edx, 6
	ja	7f
	je	6f
	square	5, COLUMNS_5
6:	square	6, COLUMNS_6
7:	square	7, COLUMNS_7
8:	square	8, COLUMNS_8

9:	save	rdi, rdx
	mov	qword ptr [rdi], 0
	lea	rsi, [rsi + rdx * 8]
	and	edx, 7
	cmp	edx, 5
	jb	8f
	je	5f
	cmp	edx, 6
	je	6f
	first_block 7, r13, r15, r8, r9, r10, r11, r12, r13
6:	first_block 6, r11, r14, r15, r8, r9, r10, r11
5:	first_block 5, r9, r13, r14, r15, r8, r9
8:	first_block 8, r15, WINDOW_8

.Lblock:
	triangle 8, ADD, 7, COLUMNS_8
	rectangle 8, ADD, r15, WINDOW_8
.Lnext_block:
	mov	rax, rcx
	sub	rax, rsi
	jz	.Lfinish
	add	rdi, rax
	cmp	rax, -32
	jb	.Lblock
	je	4f
	cmp	eax, -16
	jb	3f
	je	2f
	mov	qword ptr [rdi + 8], 0
	jmp	.Lfinish
2:	last_block 2, COLUMNS_2
3:	last_block 3, COLUMNS_3
4:	last_block 4, COLUMNS_4

	/* z := 2 z + the squares, each sum with a chain of its own: n mod 4 words, then by 4 */
.Lfinish:
	restore	rcx, rdi
	lea	rax, [rcx * 8]
	sub	rsi, rax
	mov	r10, rcx
	shr	r10, 2
	and	ecx, 3
	xor	eax, eax
	jrcxz	2f
1:	diagonal_in_memory 0
	lea	rdi, [rdi + 16]
	lea	rsi, [rsi + 8]
	lea	rcx, [rcx - 1]
	jrcxz	2f
	jmp	1b
2:	mov	rcx, r10
3:	diagonal_in_memory 0
	diagonal_in_memory 1
	diagonal_in_memory 2
	diagonal_in_memory 3
	lea	rdi, [rdi + 64]
	lea	rsi, [rsi + 32]
	lea	rcx, [rcx - 1]
	jrcxz	4f
	jmp	3b
4:	restore	r15, r14, r13, r12, rbp, rbx
	RETURN
	end_function cc_limbs_sqr_basecase_bmi2adx
