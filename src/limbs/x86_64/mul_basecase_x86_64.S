/* SPDX-License-Identifier: MIT */
/*
 * z := x y, a block of up to 4 words of y at a time
 *
 * input x[m], y[n], m >= n >= 1; output z[m + n]
 *
 *	void cc_limbs_mul_basecase_x86_64(cc_word *z, const cc_word *x, size_t m,
 *					  const cc_word *y, size_t n);
 *
 * One word y: the row of mul_1, with its registers.
 *
 * Otherwise: those of window_x86_64.h; end of x rsi, z[m + block] rdi, -m r13, words of y
 * in later blocks r14.
 *
 * Zen 5, cycles a product of words at m = n = 4, 8, 16, 32: 1.98, 1.78, 1.74, 1.76
 */
#include "asm.h"
#include "rows_x86_64.h"
#include "window_x86_64.h"

	.macro block words, add, window:vararg
	clear_window \window
	rows	\add, \window
	store_window 0, \window
	add	rdi, 8 * \words
	add	rcx, 8 * \words
	mov	r12, r13
	.endm

	function cc_limbs_mul_basecase_x86_64
	cmp	r8, 1
	je	6f
	save	rbx, rbp, r12, r13, r14
	lea	rsi, [rsi + rdx * 8]
	lea	rdi, [rdi + rdx * 8]
	neg	rdx
	mov	r12, rdx
	mov	r13, rdx

	/* the n mod 4 odd words first, or 4 */
	lea	r14, [r8 - 1]
	mov	eax, r14d
	and	r14, -4
	and	eax, 3
	cmp	eax, 1
	jb	1f
	je	2f
	cmp	eax, 3
	jb	3f
	block	4, STORE, WINDOW_4
	jmp	5f
3:	block	3, STORE, WINDOW_3
	jmp	5f
2:	block	2, STORE, WINDOW_2
	jmp	5f
1:	block	1, STORE, WINDOW_1
	jmp	5f

4:	block	4, ADD, WINDOW_4
5:	sub	r14, 4
	jae	4b

	restore	r14, r13, r12, rbp, rbx
	RETURN

6:	mov	r8, [rcx]
	lea	rsi, [rsi + rdx * 8]
	lea	rdi, [rdi + rdx * 8]
	mov	rcx, rdx
	neg	rcx
	xor	r9d, r9d
	mul_row
	mov	[rdi], r9
	RETURN
	end_function cc_limbs_mul_basecase_x86_64
