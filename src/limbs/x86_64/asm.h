/* SPDX-License-Identifier: MIT */
/*
 * asm.h - the beginning of every assembly file: Intel syntax, and a function's frame.
 *
 * System V calling convention: arguments in rdi, rsi, rdx, rcx, r8, r9; the result in
 * rax; rbx, rbp, r12-r15 are the caller's.  Assembled by GNU as and by clang alike.
 */
#include "../../platform.h"

	.intel_syntax noprefix
	.section .note.GNU-stack, "", @progbits
	.text

#define RETURN CC_RETURN

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

	/* Pushes registers, and pops them, in the order given. */
	.macro save register, more:vararg
	push	\register
	.ifnb \more
	save	\more
	.endif
	.endm

	.macro restore register, more:vararg
	pop	\register
	.ifnb \more
	restore	\more
	.endif
	.endm
