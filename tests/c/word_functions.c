// SPDX-License-Identifier: MIT
/* Compiled once for each WORD_TABLE, with CC_U128_IMPL and perhaps CC_NO_ASM. */
#if CC_U128_IMPL != 128 || defined(__SIZEOF_INT128__)
#include "word_functions.h"

#define NAME_OF(table) #table
#define NAME(table)    NAME_OF(table)

const struct word_functions WORD_TABLE = {
	.name = NAME(WORD_TABLE),
	.clz_u32 = cc_clz_u32,
	.clz_u64 = cc_clz_u64,
	.clz = cc_word_clz,
	.ctz = cc_word_ctz,
	.mul_u32 = cc_mul_u32,
	.mul_u64 = cc_mul_u64,
	.mul = cc_word_mul,
	.add = cc_word_add,
	.sub = cc_word_sub,
	.reciprocal_u32 = cc_reciprocal_u32,
	.reciprocal_u64 = cc_reciprocal_u64,
	.reciprocal = cc_word_reciprocal,
	.div_2by1_u32 = cc_div_2by1_u32,
	.div_2by1_u64 = cc_div_2by1_u64,
	.div_2by1 = cc_word_div_2by1,
	.div_once_u32 = cc_div_once_u32,
	.div_once_u64 = cc_div_once_u64,
	.div_any_u64 = cc_div_any_u64,
	.div_half_u64 = cc_div_half_u64,
	.div_u64 = cc_div_u64,
	.reciprocal_3by2 = cc_word_reciprocal_3by2,
	.div_3by2 = cc_word_div_3by2,
};

#else
#undef CC_U128_IMPL
#include "word_functions.h"

const struct word_functions WORD_TABLE = {.name = NULL};

#endif
