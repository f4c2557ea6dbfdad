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

#define TILES(width)                                                                               \
	[width] = {                                                                                \
		.square = square_##width,                                                          \
		.add_low = add_low_##width,                                                        \
		.add_high = add_high_##width,                                                      \
		.carry = carry_##width,                                                            \
	}

WIDTH(2)
WIDTH(3)
WIDTH(4)
WIDTH(5)

const struct cc_limbs_tiles cc_limbs_tiles_avx512ifma[TILE + 1] = {
	TILES(2),
	TILES(3),
	TILES(4),
	TILES(5),
};

#define WIDTHS(wide, high)                                                                         \
	IFMA static void add_##wide##_##high(__m512i *column, const __m512i *a, const __m512i *b)  \
	{                                                                                          \
		add_tile(column, a, wide, b, high, ALL, 0);                                        \
	}                                                                                          \
	IFMA static void add_twice_##wide##_##high(__m512i *column, const __m512i *a,              \
						   const __m512i *b)                               \
	{                                                                                          \
		add_tile(column, a, wide, b, high, ALL, 1);                                        \
	}

#define TILE_OF(wide, high)                                                                        \
	[wide][high] = {                                                                           \
		.add = add_##wide##_##high,                                                        \
		.add_twice = add_twice_##wide##_##high,                                            \
	}

WIDTHS(2, 2)
WIDTHS(2, 3)
WIDTHS(2, 4)
WIDTHS(2, 5)
WIDTHS(3, 2)
WIDTHS(3, 3)
WIDTHS(3, 4)
WIDTHS(3, 5)
WIDTHS(4, 2)
WIDTHS(4, 3)
WIDTHS(4, 4)
WIDTHS(4, 5)
WIDTHS(5, 2)
WIDTHS(5, 3)
WIDTHS(5, 4)
WIDTHS(5, 5)

const struct cc_limbs_tile cc_limbs_tile_avx512ifma[TILE + 1][TILE + 1] = {
	TILE_OF(2, 2), TILE_OF(2, 3), TILE_OF(2, 4), TILE_OF(2, 5), TILE_OF(3, 2), TILE_OF(3, 3),
	TILE_OF(3, 4), TILE_OF(3, 5), TILE_OF(4, 2), TILE_OF(4, 3), TILE_OF(4, 4), TILE_OF(4, 5),
	TILE_OF(5, 2), TILE_OF(5, 3), TILE_OF(5, 4), TILE_OF(5, 5),
};

#endif /* CC_BUILD_VECTORS */
