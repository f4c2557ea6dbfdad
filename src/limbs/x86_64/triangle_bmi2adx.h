/* SPDX-License-Identifier: MIT */
/*
 * triangle_bmi2adx.h - the products of up to 8 words of x by each other, off the diagonal.
 *
 * Row k is the product of the words above word k by it, from column 2k + 1 on.  Column c, from
 * 1 to 2 words - 2, is in the register of c mod 8.  The row makes columns 2k + 1 and 2k + 2
 * final: they go to z if a later column needs their registers, or if they are to be there.
 *
 * A product's halves go into two columns, each on a chain of its own.  Both chains end in the
 * row's topmost column, which is new.
 *
 * Registers: x rcx, its word rdx; columns r8-r15; halves rax and rbx; 0 rbp.  z is at
 * rdi + 8 .Lz, a symbol of the file.
 */
#define COLUMNS_2 r9, r10
#define COLUMNS_3 COLUMNS_2, r11, r12
#define COLUMNS_4 COLUMNS_3, r13, r14
#define COLUMNS_5 COLUMNS_4, r15, r8
#define COLUMNS_6 COLUMNS_5, r9, r10
#define COLUMNS_7 COLUMNS_6, r11, r12
#define COLUMNS_8 COLUMNS_7, r13, r14

	.macro products left, at, low, high, rest:vararg
	.if \left == 1
	mulx	\high, rax, [rcx + \at]
	adcx	\low, rax
	adcx	\high, rbp
	adox	\high, rbp
	.else
	mulx	rbx, rax, [rcx + \at]
	adcx	\low, rax
	adox	\high, rbx
	products (\left - 1), (\at + 8), \high, \rest
	.endif
	.endm

	/* Row 0, whose columns are all new: one chain is enough. */
	.macro first_products left, at, chain, low, high, rest:vararg
	mulx	\high, rax, [rcx + \at]
	\chain	\low, rax
	.if \left == 1
	adc	\high, 0
	.else
	first_products (\left - 1), (\at + 8), adc, \high, \rest
	.endif
	.endm

	.macro store_final c, stored, low, high
	.if \c <= \stored
	mov	[rdi + 8 * (.Lz + \c)], \low
	.endif
	.if \c < \stored
	mov	[rdi + 8 * (.Lz + \c) + 8], \high
	.endif
	.endm

	.macro triangle_row k, words, stored, low, high, rest:vararg
	.if \k < \words - 1
	mov	rdx, [rcx + 8 * (\k)]
	xor	ebp, ebp
	products (\words - 1 - (\k)), (8 * (\k) + 8), \low, \high, \rest
	store_final (2 * (\k) + 1), \stored, \low, \high
	triangle_row (\k + 1), \words, \stored, \rest
	.endif
	.endm

	/* Adds the words of z from 1 on to the columns there, with the carry into the one above. */
	.macro add_columns left, c, chain, column, rest:vararg
	.if \left
	\chain	\column, [rdi + 8 * (.Lz + \c)]
	add_columns (\left - 1), (\c + 1), adc, \rest
	.else
	adc	\column, 0
	.endif
	.endm

	/* The columns up to \stored go to z; with ADD, z[1..words - 1] is added. */
	.macro triangle words, add, stored, low, high, rest:vararg
	mov	rdx, [rcx]
	mulx	\high, \low, [rcx + 8]
	.if \words > 2
	first_products (\words - 2), 16, add, \high, \rest
	.endif
	.if \add
	add_columns (\words - 1), 1, add, \low, \high, \rest
	.endif
	store_final 1, \stored, \low, \high
	triangle_row 1, \words, \stored, \rest
	.endm
