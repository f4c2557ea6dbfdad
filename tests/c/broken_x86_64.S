/* SPDX-License-Identifier: MIT */
/* The faults of broken.c that C can't commit. */
#include "limbs/x86_64/asm.h"

function broken_rbx
	not rbx
	jmp broken_add
end_function broken_rbx

function broken_r15
	xor r15d, r15d
	jmp broken_add
end_function broken_r15

function broken_rbp
	mov rbp, rsp
	jmp broken_add
end_function broken_rbp

/* leaves the stack one word too high */
function broken_rsp
	push rbx
	call broken_add
	pop rbx
	pop rdx
	add rsp, 8
	push rdx
	RETURN
end_function broken_rsp

/* its third spill lands in the caller's frame */
function broken_stack
	mov [rsp + 24], rdi
	jmp broken_add
end_function broken_stack

function broken_direction
	push rbx
	call broken_add
	pop rbx
	std
	RETURN
end_function broken_direction

/* begins a carry chain without clearing the carry */
function broken_carry_in
	setc r11b
	push rbx
	movzx ebx, r11b
	call broken_add
	test ebx, ebx
	pop rbx
	jz 1f
	xor eax, 1
1:	RETURN
end_function broken_carry_in

/* takes all of rcx for the count, whose upper half is not defined */
function broken_count
	push rbx
	mov rbx, rcx
	call broken_lshift
	shr rbx, 32
	pop rbx
	jz 1f
	not rax
1:	RETURN
end_function broken_count

function broken_sound
	jmp broken_add
end_function broken_sound
