// SPDX-License-Identifier: MIT
/* asm-8, asm-16, asm-32: which columns run where. */
#include "comba.h"

#define VARIANT(width)                                                                             \
	static void mul_##width(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)         \
	{                                                                                          \
		if (n == width)                                                                    \
			cc_fixed_mul_##width##_x86_64(xy, x, y, n);                                \
		else                                                                               \
			cc_fixed_mul_comba(xy, x, y, n);                                           \
	}                                                                                          \
                                                                                                   \
	static void sqr_##width(cc_word *xx, const cc_word *x, size_t n)                           \
	{                                                                                          \
		if (n == width)                                                                    \
			cc_fixed_sqr_##width##_x86_64(xx, x, n);                                   \
		else                                                                               \
			cc_fixed_sqr_comba(xx, x, n);                                              \
	}                                                                                          \
                                                                                                   \
	void cc_fixed_mul_asm##width(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)    \
	{                                                                                          \
		cc_fixed_mul_above(mul_##width, width, xy, x, y, n);                               \
	}                                                                                          \
                                                                                                   \
	void cc_fixed_sqr_asm##width(cc_word *xx, const cc_word *x, size_t n)                      \
	{                                                                                          \
		cc_fixed_sqr_above(sqr_##width, width, xx, x, n);                                  \
	}

VARIANT(8)
VARIANT(16)
VARIANT(32)
