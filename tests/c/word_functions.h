/* SPDX-License-Identifier: MIT */
/* word.h's functions as a table, one for each way to compile them: see word_functions.c. */
#ifndef TESTS_WORD_FUNCTIONS_H
#define TESTS_WORD_FUNCTIONS_H

#include <carrychain/word.h>

/* What each returns, what it is called here, its name, and its parameters. */
#define WORD_FUNCTIONS                                                                             \
	FUNCTION(unsigned int, clz_u32, cc_clz_u32, cc_u32 x)                                      \
	FUNCTION(unsigned int, clz_u64, cc_clz_u64, cc_u64 x)                                      \
	FUNCTION(unsigned int, clz, cc_word_clz, cc_word x)                                        \
	FUNCTION(unsigned int, ctz, cc_word_ctz, cc_word x)                                        \
	FUNCTION(cc_u64, mul_u32, cc_mul_u32, cc_u32 a, cc_u32 b)                                  \
	FUNCTION(cc_u64, mul_u64, cc_mul_u64, cc_u64 *high, cc_u64 a, cc_u64 b)                    \
	FUNCTION(cc_word, mul, cc_word_mul, cc_word *high, cc_word a, cc_word b)                   \
	FUNCTION(cc_word, add, cc_word_add, cc_word a, cc_word b, cc_word *carry)                  \
	FUNCTION(cc_word, sub, cc_word_sub, cc_word a, cc_word b, cc_word *borrow)                 \
	FUNCTION(cc_u32, reciprocal_u32, cc_reciprocal_u32, cc_u32 d)                              \
	FUNCTION(cc_u64, reciprocal_u64, cc_reciprocal_u64, cc_u64 d)                              \
	FUNCTION(cc_word, reciprocal, cc_word_reciprocal, cc_word d)                               \
	FUNCTION(cc_u32, div_2by1_u32, cc_div_2by1_u32, cc_u32 *rem, cc_u32 u1, cc_u32 u0,         \
		 cc_u32 d, cc_u32 v)                                                               \
	FUNCTION(cc_u64, div_2by1_u64, cc_div_2by1_u64, cc_u64 *rem, cc_u64 u1, cc_u64 u0,         \
		 cc_u64 d, cc_u64 v)                                                               \
	FUNCTION(cc_word, div_2by1, cc_word_div_2by1, cc_word *rem, cc_word u1, cc_word u0,        \
		 cc_word d, cc_word v)                                                             \
	FUNCTION(cc_u32, div_once_u32, cc_div_once_u32, cc_u32 *rem, cc_u32 u1, cc_u32 u0,         \
		 cc_u32 d, cc_u32 v)                                                               \
	FUNCTION(cc_u64, div_once_u64, cc_div_once_u64, cc_u64 *rem, cc_u64 u1, cc_u64 u0,         \
		 cc_u64 d)                                                                         \
	FUNCTION(cc_u64, div_any_u64, cc_div_any_u64, cc_u64 *rem, cc_u64 u1, cc_u64 u0, cc_u64 d) \
	FUNCTION(cc_u64, div_half_u64, cc_div_half_u64, cc_u64 *u, cc_u32 u0, cc_u64 d, cc_u32 v)  \
	FUNCTION(cc_u64, div_u64, cc_div_u64, cc_u64 *rem, cc_u64 u, cc_u64 d)                     \
	FUNCTION(cc_word, reciprocal_3by2, cc_word_reciprocal_3by2, cc_word d1, cc_word d0)        \
	FUNCTION(cc_word, div_3by2, cc_word_div_3by2, cc_word *r1, cc_word *r0, cc_word u2,        \
		 cc_word u1, cc_word u0, cc_word d1, cc_word d0, cc_word v)

struct word_functions {
	const char *name; /* NULL if this compiler can't */
#define FUNCTION(type, name, function, ...) type (*name)(__VA_ARGS__);
	WORD_FUNCTIONS
#undef FUNCTION
};

extern const struct word_functions word_128, word_128_noasm, word_64, word_64_noasm, word_32,
	word_32_noasm;
extern const struct word_functions word_128_shifts, word_64_shifts, word_32_shifts;

#endif /* TESTS_WORD_FUNCTIONS_H */
