/* SPDX-License-Identifier: MIT */
/* word.h's functions as a table, one for each way to compile them: see word_functions.c. */
#ifndef TESTS_WORD_FUNCTIONS_H
#define TESTS_WORD_FUNCTIONS_H

#include <carrychain/word.h>

struct word_functions {
	const char *name; /* NULL if this compiler can't */
	unsigned int (*clz_u32)(cc_u32 x);
	unsigned int (*clz_u64)(cc_u64 x);
	unsigned int (*clz)(cc_word x);
	unsigned int (*ctz)(cc_word x);
	cc_u64 (*mul_u32)(cc_u32 a, cc_u32 b);
	cc_u64 (*mul_u64)(cc_u64 *high, cc_u64 a, cc_u64 b);
	cc_word (*mul)(cc_word *high, cc_word a, cc_word b);
	cc_word (*add)(cc_word a, cc_word b, cc_word *carry);
	cc_word (*sub)(cc_word a, cc_word b, cc_word *borrow);
	cc_u32 (*reciprocal_u32)(cc_u32 d);
	cc_u64 (*reciprocal_u64)(cc_u64 d);
	cc_word (*reciprocal)(cc_word d);
	cc_u32 (*div_2by1_u32)(cc_u32 *rem, cc_u32 u1, cc_u32 u0, cc_u32 d, cc_u32 v);
	cc_u64 (*div_2by1_u64)(cc_u64 *rem, cc_u64 u1, cc_u64 u0, cc_u64 d, cc_u64 v);
	cc_word (*div_2by1)(cc_word *rem, cc_word u1, cc_word u0, cc_word d, cc_word v);
	cc_u32 (*div_once_u32)(cc_u32 *rem, cc_u32 u1, cc_u32 u0, cc_u32 d, cc_u32 v);
	cc_u64 (*div_once_u64)(cc_u64 *rem, cc_u64 u1, cc_u64 u0, cc_u64 d);
	cc_u64 (*div_any_u64)(cc_u64 *rem, cc_u64 u1, cc_u64 u0, cc_u64 d);
	cc_u64 (*div_half_u64)(cc_u64 *u, cc_u32 u0, cc_u64 d, cc_u32 v);
	cc_u64 (*div_u64)(cc_u64 *rem, cc_u64 u, cc_u64 d);
	cc_word (*reciprocal_3by2)(cc_word d1, cc_word d0);
	cc_word (*div_3by2)(cc_word *r1, cc_word *r0, cc_word u2, cc_word u1, cc_word u0,
			    cc_word d1, cc_word d0, cc_word v);
};

extern const struct word_functions word_128, word_128_noasm, word_64, word_32, word_32_noasm;
extern const struct word_functions word_128_shifts, word_64_shifts, word_32_shifts;

#endif /* TESTS_WORD_FUNCTIONS_H */
