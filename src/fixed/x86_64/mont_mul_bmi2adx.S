/* SPDX-License-Identifier: MIT */
/*
 * r := a b / B^w mod m, unrolled: Montgomery's product, a word of b and a word of the
 * quotient at a time, all of it in registers (CIOS; Koc, Acar and Kaliski 1996)
 *
 * input a[w], b[w] with a b < B^w m, odd m[w], m0 = -1 / m mod B; output r[w] < m, which may
 * be a or b; w = 3, ..., 8; n is not looked at
 *
 *	void cc_fixed_mont_mul_8_bmi2adx(cc_word *r, const cc_word *a, const cc_word *b,
 *					 const cc_word *m, size_t n, cc_word m0);
 *
 * Before a row, and after the last, t < a + m, which takes a bit beyond w words.  Within it
 * t + a b_i + q m < B (a + m): w + 2 words, the lowest of which q makes 0; its register is
 * the next row's topmost.  After all, t = (a b + q m) / B^w < 2m.
 *
 * Registers: t in the first w + 2 of r8-r15, rax, rbp; a word of b, or of q, rdx; a rsi, m rcx;
 * products rbx, rdi.  On the stack: r, b, m0.
 *
 * Zen 5, cycles of a product at w = 3, ..., 8: 34, 54, 75, 99, 128, 162
 */
#include "../../limbs/x86_64/asm.h"
#include "mont_bmi2adx.h"

#define B [rsp + 8]

	.macro row i, low, rest:vararg
	mov	rdx, B
	xor	edi, edi
	mov	rdx, [rdx + 8 * \i]
	line	rsi, 0, \low, \rest
	mov	rdx, \low
	imul	rdx, M0
	xor	edi, edi
	line	rcx, 0, \low, \rest
	.endm

	/* Row i and those after it, \left of them; the lowest word has become 0. */
	.macro rows left, i, low, rest:vararg
	row	\i, \low, \rest
	.if \left - 1
	rows	(\left - 1), (\i + 1), \rest, \low
	.else
	finish	\rest, \low
	.endif
	.endm

	.macro mont_mul w, t:vararg
	function cc_fixed_mont_mul_\w\()_bmi2adx
	save	rbx, rbp, r12, r13, r14, r15, r9, rdx, rdi
	clear	\t
	rows	\w, 0, \t
	xor	edi, edi
	mov	M0, rdi
	add	rsp, 24
	restore	r15, r14, r13, r12, rbp, rbx
	RETURN
	end_function cc_fixed_mont_mul_\w\()_bmi2adx
	.endm

	mont_mul 3, r8, r9, r10, r11, rax
	mont_mul 4, r8, r9, r10, r11, rax, rbp
	mont_mul 5, r8, r9, r10, r11, rax, rbp, r12
	mont_mul 6, r8, r9, r10, r11, rax, rbp, r12, r13
	mont_mul 7, r8, r9, r10, r11, rax, rbp, r12, r13, r14
	mont_mul 8, r8, r9, r10, r11, rax, rbp, r12, r13, r14, r15
