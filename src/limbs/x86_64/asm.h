/* SPDX-License-Identifier: MIT */
/*
 * asm.h - what every assembly file begins with: Intel syntax, and a function's frame.
 *
 * System V calling convention: arguments in rdi, rsi, rdx, rcx, r8, r9; the result in
 * rax; rbx, rbp, r12-r15 are the caller's.  Assembled by GNU as and by clang alike.
 */
	.intel_syntax noprefix
	.section .note.GNU-stack, "", @progbits
	.text

#ifdef __KERNEL__
#include <linux/linkage.h>
#define RETURN RET
#else
#define RETURN ret
#endif

	.macro function name
	.globl \name
	.hidden \name
	.type \name, @function
	.p2align 5
\name:
	endbr64
	.endm

	.macro end_function name
	.size \name, . - \name
	.endm
