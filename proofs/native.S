/* SPDX-License-Identifier: MIT */
/*
 * One instruction on this processor: all registers from a state, the bytes, all of them back.
 *
 *	void native_step(struct state *state, const void *code, int level);
 *
 * The state is machine/compiled.py's STATE.  The code ends with a jump to native_back, or to
 * native_taken, which leaves 1 in the state's rip.  level: 0 has 16 vectors of 128 bits, 1 of
 * 256, 2 has 32 of 512 and the masks.
 */
	.intel_syntax noprefix
	.section .note.GNU-stack, "", @progbits
	.equ LEFT, 128
	.equ STATUS, 136
	.equ MXCSR, 152
	.equ MASK, 192
	.equ VECTOR, 256

	.local state, target, host_rsp, kept_rdi, host_mxcsr, level
	.comm state, 8, 8
	.comm target, 8, 8
	.comm host_rsp, 8, 8
	.comm kept_rdi, 8, 8
	.comm host_mxcsr, 4, 4
	.comm level, 4, 4

	.macro vectors instruction, name, last, store
	.altmacro
	.set n, 0
	.rept \last + 1
	vector_\store \instruction, \name, %n
	.set n, n + 1
	.endr
	.noaltmacro
	.endm
	.macro vector_0 instruction, name, number
	\instruction \name\number, [rdi + VECTOR + 64 * \number]
	.endm
	.macro vector_1 instruction, name, number
	\instruction [rdi + VECTOR + 64 * \number], \name\number
	.endm
	.macro mask_0 number
	kmovq k\number, [rdi + MASK + 8 * \number]
	.endm
	.macro mask_1 number
	kmovq [rdi + MASK + 8 * \number], k\number
	.endm
	.macro masks store
	.irp number, 0, 1, 2, 3, 4, 5, 6, 7
	mask_\store \number
	.endr
	.endm

	.macro all_vectors store
	cmp	dword ptr [rip + level], 1
	ja	2f
	je	1f
	vectors movups, xmm, 15, \store
	jmp	3f
1:	vectors vmovups, ymm, 15, \store
	jmp	3f
2:	vectors vmovups, zmm, 31, \store
	masks \store
3:
	.endm

	.text
	.globl native_step, native_back, native_taken
native_step:
	push	rbx
	push	rbp
	push	r12
	push	r13
	push	r14
	push	r15
	mov	[rip + state], rdi
	mov	[rip + target], rsi
	mov	[rip + level], edx
	mov	[rip + host_rsp], rsp
	stmxcsr	[rip + host_mxcsr]
	ldmxcsr	[rdi + MXCSR]
	mov	qword ptr [rdi + LEFT], 0
	all_vectors 0
	push	qword ptr [rdi + STATUS]
	popfq
	mov	rax, [rdi]
	mov	rcx, [rdi + 8]
	mov	rdx, [rdi + 16]
	mov	rbx, [rdi + 24]
	mov	rsp, [rdi + 32]
	mov	rbp, [rdi + 40]
	mov	rsi, [rdi + 48]
	mov	r8, [rdi + 64]
	mov	r9, [rdi + 72]
	mov	r10, [rdi + 80]
	mov	r11, [rdi + 88]
	mov	r12, [rdi + 96]
	mov	r13, [rdi + 104]
	mov	r14, [rdi + 112]
	mov	r15, [rdi + 120]
	mov	rdi, [rdi + 56]
	jmp	[rip + target]

native_taken:
	mov	[rip + kept_rdi], rdi
	mov	rdi, [rip + state]
	mov	qword ptr [rdi + LEFT], 1
	jmp	1f
native_back:
	mov	[rip + kept_rdi], rdi
	mov	rdi, [rip + state]
1:	mov	[rdi], rax
	mov	[rdi + 8], rcx
	mov	[rdi + 16], rdx
	mov	[rdi + 24], rbx
	mov	[rdi + 32], rsp
	mov	[rdi + 40], rbp
	mov	[rdi + 48], rsi
	mov	[rdi + 64], r8
	mov	[rdi + 72], r9
	mov	[rdi + 80], r10
	mov	[rdi + 88], r11
	mov	[rdi + 96], r12
	mov	[rdi + 104], r13
	mov	[rdi + 112], r14
	mov	[rdi + 120], r15
	mov	rsp, [rip + host_rsp]
	pushfq
	pop	[rdi + STATUS]
	cld
	mov	rax, [rip + kept_rdi]
	mov	[rdi + 56], rax
	all_vectors 1
	stmxcsr	[rdi + MXCSR]
	ldmxcsr	[rip + host_mxcsr]
	cmp	dword ptr [rip + level], 0
	je	1f
	vzeroupper
1:	pop	r15
	pop	r14
	pop	r13
	pop	r12
	pop	rbp
	pop	rbx
	ret

/* void native_batch(states, memories, count, bytes, scratch, code, level, state_bytes, skip) */
	.globl native_batch
native_batch:
	push	rbx
	push	rbp
	push	r12
	push	r13
	push	r14
	push	r15
	sub	rsp, 24
	mov	[rsp], r9
	mov	rbx, rdi
	mov	rbp, rsi
	mov	r12, rdx
	mov	r13, rcx
	mov	r14, r8
	mov	r15, [rsp + 96]
	test	r12, r12
	jz	9f
1:	cmp	byte ptr [r15], 0
	jne	2f
	mov	rdi, r14
	mov	rsi, rbp
	mov	rcx, r13
	rep movsb
	mov	rdi, rbx
	mov	rsi, [rsp]
	mov	edx, [rsp + 80]
	call	native_step
	mov	rdi, rbp
	mov	rsi, r14
	mov	rcx, r13
	rep movsb
2:	add	rbx, [rsp + 88]
	add	rbp, r13
	inc	r15
	dec	r12
	jnz	1b
9:	add	rsp, 24
	pop	r15
	pop	r14
	pop	r13
	pop	r12
	pop	rbp
	pop	rbx
	ret
