// SPDX-License-Identifier: MIT
/* Tiles in memory, which make up wide products. */
#include "tiles_avx512ifma.h"

#if CC_BUILD_VECTORS

INLINE void load_tile(__m512i *a, const __m512i *from, int width)
{
	int i;

	UNROLLED
	for (i = 0; i < width; i++)
		a[i] = from[i];
}

INLINE void add_tile(__m512i *column, const __m512i *from_a, int wide, const __m512i *b, int high,
		     enum pairs pairs, int shift)
{
	int first = pairs == HIGH ? wide - 1 : 0, end = pairs == LOW ? wide : wide + high, c;
	__m512i a[TILE], p[2 * TILE];

	load_tile(a, from_a, wide);
	multiply_tile(p, a, wide, b, high, pairs);
	UNROLLED
	for (c = first; c < end; c++)
		column[c] = _mm512_add_epi64(
			column[c], shift ? _mm512_slli_epi64(p[c], (unsigned int)shift) : p[c]);
}

#define WIDTH(width)                                                                               \
	IFMA static void add_low_##width(__m512i *column, const __m512i *a, const __m512i *b)      \
	{                                                                                          \
		add_tile(column, a, width, b, width, LOW, 0);                                      \
	}                                                                                          \
	IFMA static void add_high_##width(__m512i *column, const __m512i *a, const __m512i *b)     \
	{                                                                                          \
		add_tile(column, a, width, b, width, HIGH, 0);                                     \
	}                                                                                          \
	IFMA static void square_##width(__m512i *column, const __m512i *from)                      \
	{                                                                                          \
		__m512i a[TILE], p[2 * TILE];                                                      \
		int c;                                                                             \
                                                                                                   \
		load_tile(a, from, width);                                                         \
		square_tile(p, a, from, width);                                                    \
		UNROLLED                                                                           \
		for (c = 0; c < 2 * (width); c++)                                                  \
			column[c] = p[c];                                                          \
	}                                                                                          \
	IFMA static void carry_##width(__m512i *digits, const __m512i *column, size_t tiles,       \
				       struct carry *carry)                                        \
	{                                                                                          \
		size_t at;                                                                         \
                                                                                                   \
		for (at = 0; at < tiles * (width); at += (width))                                  \
			*carry = carry_columns(digits + at, column + at, width, *carry);           \
	}

WIDTH(2)
WIDTH(3)
WIDTH(4)
WIDTH(5)

#define ADD(wide, high)                                                                            \
	IFMA static void add_##wide##_##high(__m512i *column, const __m512i *a, const __m512i *b)  \
	{                                                                                          \
		add_tile(column, a, wide, b, high, ALL, 0);                                        \
	}

#define ADD_TWICE(wide, high)                                                                      \
	IFMA static void add_twice_##wide##_##high(__m512i *column, const __m512i *a,              \
						   const __m512i *b)                               \
	{                                                                                          \
		add_tile(column, a, wide, b, high, ALL, 1);                                        \
	}

ADD(2, 2)
ADD(2, 3)
ADD(2, 4)
ADD(2, 5)
ADD(3, 2)
ADD(3, 3)
ADD(3, 4)
ADD(3, 5)
ADD(4, 2)
ADD(4, 3)
ADD(4, 4)
ADD(4, 5)
ADD(5, 2)
ADD(5, 3)
ADD(5, 4)
ADD(5, 5)
ADD_TWICE(2, 2)
ADD_TWICE(3, 2)
ADD_TWICE(3, 3)
ADD_TWICE(4, 3)
ADD_TWICE(4, 4)
ADD_TWICE(5, 4)
ADD_TWICE(5, 5)

#define TILES(width)                                                                               \
	[width] = {                                                                                \
		.add = add_##width##_##width,                                                      \
		.add_twice = add_twice_##width##_##width,                                          \
		.square = square_##width,                                                          \
		.add_low = add_low_##width,                                                        \
		.add_high = add_high_##width,                                                      \
		.carry = carry_##width,                                                            \
	}

const struct cc_limbs_tiles cc_limbs_tiles_avx512ifma[TILE + 1] = {
	TILES(2),
	TILES(3),
	TILES(4),
	TILES(5),
};

cc_limbs_tile_fn *const cc_limbs_add_tile_avx512ifma[TILE + 1][TILE + 1] = {
	[2] = {NULL, NULL, add_2_2, add_2_3, add_2_4, add_2_5},
	[3] = {NULL, NULL, add_3_2, add_3_3, add_3_4, add_3_5},
	[4] = {NULL, NULL, add_4_2, add_4_3, add_4_4, add_4_5},
	[5] = {NULL, NULL, add_5_2, add_5_3, add_5_4, add_5_5},
};

cc_limbs_tile_fn *const cc_limbs_add_tile_twice_avx512ifma[TILE + 1][TILE + 1] = {
	[2] = {NULL, NULL, add_twice_2_2},
	[3] = {NULL, NULL, add_twice_3_2, add_twice_3_3},
	[4] = {NULL, NULL, NULL, add_twice_4_3, add_twice_4_4},
	[5] = {NULL, NULL, NULL, NULL, add_twice_5_4, add_twice_5_5},
};

#endif /* CC_BUILD_VECTORS */
