/* SPDX-License-Identifier: MIT */
/*
 * mont_bmi2adx.h - what Montgomery's product and square in registers share: a row, and the end.
 *
 * Registers: t in w + 2 of them; w + 2 words; the word that multiplies a row rdx; m rcx; products rbx,
 * rdi.  On the stack: r, at 16 above it m0.
 */
#define R  [rsp]
#define M0 [rsp + 16]

	/* t += rdx x[w], by two chains of carries; at the end rdi is 0 */
	.macro line x, at, low, high, rest:vararg
	.ifb \rest
	mov	edi, 0
	adcx	\low, rdi
	adox	\high, rdi
	adcx	\high, rdi
	.else
	mulx	rbx, rdi, [\x + \at]
	adcx	\low, rdi
	adox	\high, rbx
	line	\x, (\at + 8), \high, \rest
	.endif
	.endm

	/* Of t[w + 1] and the register that is 0 after it: the w words, then what is above. */
	.macro store at, t, above, zero, rest:vararg
	mov	[rdi + \at], \t
	.ifnb \rest
	store	(\at + 8), \above, \zero, \rest
	.endif
	.endm

	.macro subtract at, t, above, zero, rest:vararg
	sbb	\t, [rcx + \at]
	.ifnb \rest
	subtract (\at + 8), \above, \zero, \rest
	.else
	sbb	\above, 0
	.endif
	.endm

	/* where t was below m, what was stored */
	.macro choose at, t, above, zero, rest:vararg
	cmovc	\t, [rdi + \at]
	mov	[rdi + \at], \t
	.ifnb \rest
	choose	(\at + 8), \above, \zero, \rest
	.endif
	.endm

	.macro finish t:vararg
	mov	rdi, R
	store	0, \t
	clc
	subtract 0, \t
	choose	0, \t
	.endm

	.macro clear t, rest:vararg
	xor	\t, \t
	.ifnb \rest
	clear	\rest
	.endif
	.endm
