/* SPDX-License-Identifier: MIT */
/*
 * window_bmi2adx.h - products by a block of up to 8 words y, kept in registers.
 *
 * A product by the block proceeds through x word by word.  The window t holds the words above
 * the last finished one: as many as the block has.  A row takes one word w of x,
 *
 *	t := t + y w [+ the word of z there],
 *
 * stores the lowest word of t, and moves the window up by one.  So neither half of the products
 * by w passes through memory, and a row's chains begin before the end of the previous row.
 *
 * With B = 2^64 and k words in the block, t < B^k at the end of each row:
 *	(B^k - 1) + (B^k - 1) (B - 1) + (B - 1) = B^(k+1) - 1.
 * Hence both flags are clear after a row.  Nevertheless each row clears them first: only then
 * does the processor know that it does not depend on the previous row.
 *
 * Registers: y rcx; x[row] at rsi + 8 rax, z[row] at rdi + 8 rax; w rdx;
 * t r8-r11, r12-r15, as many as needed; h and l, the halves of a product, rbx and rbp,
 * in turn.
 */
#define WINDOW_1 r8
#define WINDOW_2 WINDOW_1, r9
#define WINDOW_3 WINDOW_2, r10
#define WINDOW_4 WINDOW_3, r11
#define WINDOW_5 WINDOW_4, r12
#define WINDOW_6 WINDOW_5, r13
#define WINDOW_7 WINDOW_6, r14
#define WINDOW_8 WINDOW_7, r15

/* Whether a row adds the word of z that it overwrites. */
#define STORE 0
#define ADD   1

	/*
	 * The row's other columns: l = the old t below, t the next, is replaced by
	 * l + t + carry, with last column's h added on the other chain.
	 */
	.macro columns at, h, last, t, rest:vararg
	.ifb \rest
	mov	\t, 0
	adcx	\last, \t
	adox	\t, \last
	.else
	column	\at, \h, \last, \t, \rest
	.endif
	.endm

	.macro column at, h, last, below, t, rest:vararg
	mulx	\h, \below, [rcx + \at]
	adcx	\below, \t
	adox	\below, \last
	columns	(\at + 8), \last, \h, \t, \rest
	.endm

	/* A row: the word of x at w, of z at z. */
	.macro row w, z, add, t, rest:vararg
	xor	ebx, ebx
	mov	rdx, \w
	mulx	rbx, rbp, [rcx]
	adcx	rbp, \t
	.if \add
	adox	rbp, \z
	.endif
	mov	\z, rbp
	columns	8, rbp, rbx, \t, \rest
	.endm

	/* The first row, for which t is 0: one chain is enough. */
	.macro first_row w, z, add, t, rest:vararg
	mov	rdx, \w
	mulx	\t, rbp, [rcx]
	.if \add
	add	rbp, \z
	.endif
	mov	\z, rbp
	.ifb \rest
	.if \add
	adc	\t, 0
	.else
	clc
	.endif
	.else
	.if \add
	first_columns 8, adc, \t, \rest
	.else
	first_columns 8, add, \t, \rest
	.endif
	.endif
	.endm

	.macro first_columns at, chain, below, t, rest:vararg
	mulx	\t, rbp, [rcx + \at]
	\chain	\below, rbp
	.ifb \rest
	adc	\t, 0
	.else
	first_columns (\at + 8), adc, \t, \rest
	.endif
	.endm

	/* Rows from index rax < 0 up to 0. */
	.macro rows add, window:vararg
	.p2align 5
.Lrows_\@:
	row	[rsi + rax * 8], [rdi + rax * 8], \add, \window
	inc	rax
	jnz	.Lrows_\@
	.endm

	/* Likewise, four at a time after one and two: a loop's own instructions compete with the row's. */
	.macro rows_by_four add, window:vararg
	test	al, 1
	jz	.Leven_\@
	row	[rsi + rax * 8], [rdi + rax * 8], \add, \window
	inc	rax
	jz	.Lend_\@
.Leven_\@:
	test	al, 2
	jz	.Lfour_\@
	row	[rsi + rax * 8], [rdi + rax * 8], \add, \window
	row	[rsi + rax * 8 + 8], [rdi + rax * 8 + 8], \add, \window
	add	rax, 2
	jz	.Lend_\@
	.p2align 5
.Lfour_\@:
	row	[rsi + rax * 8], [rdi + rax * 8], \add, \window
	row	[rsi + rax * 8 + 8], [rdi + rax * 8 + 8], \add, \window
	row	[rsi + rax * 8 + 16], [rdi + rax * 8 + 16], \add, \window
	row	[rsi + rax * 8 + 24], [rdi + rax * 8 + 24], \add, \window
	add	rax, 4
	jnz	.Lfour_\@
.Lend_\@:
	.endm

	.macro store_window at, t, rest:vararg
	mov	[rdi + \at], \t
	.ifnb \rest
	store_window (\at + 8), \rest
	.endif
	.endm
