/* SPDX-License-Identifier: MIT */
/*
 * window_x86_64.h - products by a block of up to 4 words y, kept in registers.
 *
 * As in window_bmi2adx.h: a row takes one word w of x, t := t + y w [+ the word of z there],
 * stores the lowest word of t, and moves the window up by one.  mul changes all flags, so there
 * is no carry chain: each product's high half h takes both carries at once.  It has room for
 * them: with B = 2^64, (B - 1)^2 + 2 (B - 1) = B^2 - 1.
 *
 * Registers: y rcx; x[row] at rsi + 8 r12, z[row] at rdi + 8 r12; w rbp; t r8-r11, as many
 * as needed; h rbx.  rax and rdx are destroyed.
 */
#define WINDOW_1 r8
#define WINDOW_2 WINDOW_1, r9
#define WINDOW_3 WINDOW_2, r10
#define WINDOW_4 WINDOW_3, r11

/* Whether a row adds the word of z that it overwrites. */
#define STORE 0
#define ADD   1

	.macro columns at, below, rest:vararg
	.ifb \rest
	mov	\below, rbx
	.else
	column	\at, \below, \rest
	.endif
	.endm

	.macro column at, below, t, rest:vararg
	mov	rax, [rcx + \at]
	mul	rbp
	add	rax, \t
	adc	rdx, 0
	add	rax, rbx
	mov	\below, rax
	adc	rdx, 0
	mov	rbx, rdx
	columns	(\at + 8), \t, \rest
	.endm

	/* A row: the word of x at w, of z at z. */
	.macro row w, z, add, t, rest:vararg
	mov	rbp, \w
	mov	rax, [rcx]
	mul	rbp
	add	rax, \t
	adc	rdx, 0
	.if \add
	add	rax, \z
	adc	rdx, 0
	.endif
	mov	\z, rax
	mov	rbx, rdx
	columns	8, \t, \rest
	.endm

	/* Rows from index r12 < 0 up to 0. */
	.macro rows add, window:vararg
	.p2align 5
.Lrows_\@:
	row	[rsi + r12 * 8], [rdi + r12 * 8], \add, \window
	inc	r12
	jnz	.Lrows_\@
	.endm

	.macro clear_window window:vararg
	.irp	t, \window
	xor	\t, \t
	.endr
	.endm

	.macro store_window at, t, rest:vararg
	mov	[rdi + \at], \t
	.ifnb \rest
	store_window (\at + 8), \rest
	.endif
	.endm
