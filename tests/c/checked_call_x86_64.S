/* SPDX-License-Identifier: MIT */
/*
 * void checked_call_x86_64(struct call *call), see checked_call.c: calls call->function
 * between registers full of noise and above it a stretch of stack with a pattern, and
 * leaves in call->damage one bit for each thing that came back changed.
 */
#include "limbs/x86_64/asm.h"

#define FUNCTION  0
#define ARGUMENTS 8
#define FLAGS	  56
#define RESULT	  64
#define DAMAGE	  72

#define PATTERN_WORDS 16
#define PATTERN	      0x5ca1ab1edeadf00d

/* What register number i of those that the callee keeps is filled with. */
#define NOISE(i) (0xc0ffee0000000001 + (i) * 0x0101010101)

	.macro expect what, value, bit
	movabs rdx, \value
	cmp \what, rdx
	setne dl
	movzx edx, dl
	shl edx, \bit
	or ecx, edx
	.endm

function checked_call_x86_64
	push rbx
	push rbp
	push r12
	push r13
	push r14
	push r15
	sub rsp, 8 * PATTERN_WORDS + 8
	movabs rax, PATTERN
	mov ecx, PATTERN_WORDS
1:	mov [rsp + 8 * rcx - 8], rax
	dec ecx
	jnz 1b

	mov [rip + saved_rsp], rsp
	mov [rip + saved_call], rdi
	movabs rbx, NOISE(0)
	movabs rbp, NOISE(1)
	movabs r12, NOISE(2)
	movabs r13, NOISE(3)
	movabs r14, NOISE(4)
	movabs r15, NOISE(5)
	mov rax, rdi
	push [rax + FLAGS]
	popfq
	mov rdi, [rax + ARGUMENTS]
	mov rsi, [rax + ARGUMENTS + 8]
	mov rdx, [rax + ARGUMENTS + 16]
	mov rcx, [rax + ARGUMENTS + 24]
	mov r8, [rax + ARGUMENTS + 32]
	mov r9, [rax + ARGUMENTS + 40]
	mov r11, [rax + FUNCTION]
	movabs r10, NOISE(6)
	movabs rax, NOISE(7)
	call r11

	mov r10, rsp
	mov rsp, [rip + saved_rsp]
	pushfq
	pop r11
	cld
	mov rdi, [rip + saved_call]
	mov [rdi + RESULT], rax
	xor ecx, ecx
	expect rbx, NOISE(0), 0
	expect rbp, NOISE(1), 1
	expect r12, NOISE(2), 2
	expect r13, NOISE(3), 3
	expect r14, NOISE(4), 4
	expect r15, NOISE(5), 5
	cmp r10, rsp
	setne dl
	movzx edx, dl
	shl edx, 6
	or ecx, edx
	/* the direction flag is bit 10 of the flags, bit 7 of the damage */
	shr r11d, 3
	and r11d, 0x80
	or ecx, r11d
	mov esi, PATTERN_WORDS
2:	expect [rsp + 8 * rsi - 8], PATTERN, 8
	dec esi
	jnz 2b
	mov [rdi + DAMAGE], rcx

	add rsp, 8 * PATTERN_WORDS + 8
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbp
	pop rbx
	RETURN
end_function checked_call_x86_64

	.bss
	.p2align 3
saved_rsp:
	.skip 8
saved_call:
	.skip 8
