/* SPDX-License-Identifier: MIT */
/*
 * r := a^2 / B^w mod m, as mont_mul_bmi2adx.S, for one width
 *
 * input a[w] < m, odd m[w], m0 = -1 / m mod B; output r[w] < m, which may be a; w = 8; n is not
 * looked at, and b is a
 *
 *	void cc_fixed_mont_sqr_8_bmi2adx(cc_word *r, const cc_word *a, const cc_word *b,
 *					 const cc_word *m, size_t n, cc_word m0);
 *
 * Row i adds a_i times a_i and the double of the words above it:
 *
 *	a^2 = sum of B^2i a_i (a_i + 2 (a_(i+1) B + a_(i+2) B^2 + ...))
 *
 * The doubles have one bit more, top.  The double of a_(i+1), where a row's begin, has no bit of a_i.
 * t before row i is below (2 a (a mod B^i) + q m) / B^i < 2a + m; so a row stays in w + 2 words.
 *
 * Registers: those of mont_mul.  On the stack, from below: w - 1 doubles without the bit below, from
 * a_1 on; w - 2 with it, from a_2 on; top; r, a, m0.
 *
 * Zen 5, cycles: 150
 */
#include "../../limbs/x86_64/asm.h"
#include "mont_bmi2adx.h"

#define DOUBLE(j)	  [rsp + 8 * (j) - 8]
#define DOUBLE_WITH(w, j) [rsp + 8 * (w) + 8 * (j) - 24]
#define TOP(w)		  [rsp + 16 * (w) - 24]
#define FRAME(w)	  (16 * (w) - 16)

	/* rdi and rbx, the halves of a product, go to low and high. */
	.macro square_line w, j, first, low, high, rest:vararg
	adcx	\low, rdi
	adox	\high, rbx
	.if \j < \w
	.if \first
	mulx	rbx, rdi, DOUBLE(\j)
	.else
	mulx	rbx, rdi, DOUBLE_WITH(\w, \j)
	.endif
	square_line \w, (\j + 1), 0, \high, \rest
	.else
	square_end \w, \first, \high, \rest
	.endif
	.endm

	/* A row of one word has no doubles.  Else rbx becomes 0, as top is a bit. */
	.macro square_end w, alone, low, high
	.if \alone
	mov	ebx, 0
	adcx	\low, rbx
	.else
	mulx	rbx, rdi, TOP(\w)
	adcx	\low, rdi
	.endif
	adox	\high, rbx
	adcx	\high, rbx
	.endm

	.macro square_from w, i, skip, low, rest:vararg
	.if \skip
	square_from \w, \i, (\skip - 1), \rest
	.else
	mulx	rbx, rdi, [rsi + 8 * (\i)]
	square_line \w, (\i + 1), 1, \low, \rest
	.endif
	.endm

	.macro square_rows w, i, low, rest:vararg
	mov	rdx, [rsi + 8 * (\i)]
	xor	edi, edi
	square_from \w, \i, \i, \low, \rest
	mov	rdx, \low
	imul	rdx, [rsp + FRAME(\w) + 16]
	xor	edi, edi
	line	rcx, 0, \low, \rest
	.if \w - 1 - (\i)
	square_rows \w, (\i + 1), \rest, \low
	.else
	add	rsp, FRAME(\w)
	finish	\rest, \low
	.endif
	.endm

	/* rbx is the word below. */
	.macro double w, j
	mov	rdi, [rsi + 8 * (\j)]
	lea	r8, [rdi + rdi]
	shr	rbx, 63
	mov	DOUBLE(\j), r8
	.if \j > 1
	or	r8, rbx
	mov	DOUBLE_WITH(\w, \j), r8
	.endif
	mov	rbx, rdi
	.if \j < \w - 1
	double	\w, (\j + 1)
	.endif
	.endm

	.macro wipe words
	mov	[rsp - 8 * (\words)], rdi
	.if \words - 1
	wipe	(\words - 1)
	.endif
	.endm

	.macro mont_sqr w, t:vararg
	function cc_fixed_mont_sqr_\w\()_bmi2adx
	save	rbx, rbp, r12, r13, r14, r15, r9, rdx, rdi
	sub	rsp, FRAME(\w)
	mov	rbx, [rsi]
	double	\w, 1
	shr	rbx, 63
	mov	TOP(\w), rbx
	clear	\t
	square_rows \w, 0, \t
	xor	edi, edi
	mov	M0, rdi
	wipe	(2 * \w - 2)
	add	rsp, 24
	restore	r15, r14, r13, r12, rbp, rbx
	RETURN
	end_function cc_fixed_mont_sqr_\w\()_bmi2adx
	.endm

	mont_sqr 8, r8, r9, r10, r11, rax, rbp, r12, r13, r14, r15
