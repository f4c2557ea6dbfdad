/* SPDX-License-Identifier: MIT */
/*
 * tiles_avx512ifma.h - products of tiles of up to 5 by 5 blocks, in registers.
 *
 * Digit 8k + r of b, in all lanes, is multiplied by block j of a: the low halves belong to the
 * columns from 8 (k + j) + r on, the high halves to those one further.  The high halves of
 * residue r - 1 and the low ones of residue r are gathered in place; then, from the top down,
 *
 *	p := p x + gathered(r),  r = 8 ... 0,
 *
 * moves every half up by the right number of lanes: columns are realigned once per residue, not
 * once per product, and this shift and addition are the only dependency between residues.
 *
 * Each pair of digits adds one half to a column, and one to the next: a product of K by L
 * blocks, K >= L, adds at most 16 L halves to any column; doubled products off the diagonal of a
 * square of K blocks add at most 16 K.  With L <= MOST_BLOCKS, columns are below
 * 16 * 63 * 2^52 < 2^62.
 */
#ifndef CC_LIMBS_TILES_AVX512IFMA_H
#define CC_LIMBS_TILES_AVX512IFMA_H

#include "digits_avx512ifma.h"

#if CC_BUILD_VECTORS

/*
 * The most blocks of a product's shorter factor, or of a square; so many words have no more.
 */
#define MOST_BLOCKS 63
#define MOST_WORDS  (MOST_BLOCKS * BLOCK_BITS / CC_WORD_BITS)

#define TILE 5 /* the widest: 10 columns, 9 low halves, 5 of a, digits of b: over 25 registers */

/*
 * The pairs of blocks: all; those of the product's low blocks; those of its high blocks and the
 * block below; those above the diagonal (and the digits within it).
 */
enum pairs { ALL, LOW, HIGH, SQUARE };

enum half { LOW_HALF, HIGH_HALF };

INLINE int is_among(enum pairs pairs, int width, int k, int j)
{
	switch (pairs) {
	case LOW:
		return k + j < width;
	case HIGH:
		return k + j >= width - 1;
	case SQUARE:
		return j > k;
	default:
		return 1;
	}
}

/* Broadcasts digit 8 block + lane from memory */
INLINE __m512i broadcast(const __m512i *b, int block, int lane)
{
	return _mm512_set1_epi64(((const long long *)(b + block))[lane]);
}

/* s += the halves of the pairs of a[wide] and the digits of lane r of b[high] */
INLINE void gather(__m512i *s, const __m512i *a, int wide, const __m512i *b, int high, int r,
		   enum pairs pairs, enum half half)
{
	/* the lanes of a block that are above its digit r */
	const __mmask8 above = (__mmask8)(0xfe << r);
	int k, j;

	UNROLLED
	for (k = 0; k < high; k++) {
		__m512i digit = broadcast(b, k, r);

		UNROLLED
		for (j = 0; j < wide; j++) {
			__m512i *to = s + k + j;

			if (pairs == SQUARE && j == k && half == LOW_HALF)
				*to = _mm512_mask_madd52lo_epu64(*to, above, a[j], digit);
			else if (pairs == SQUARE && j == k)
				*to = _mm512_mask_madd52hi_epu64(*to, above, a[j], digit);
			else if (is_among(pairs, wide, k, j) && half == LOW_HALF)
				*to = _mm512_madd52lo_epu64(*to, a[j], digit);
			else if (is_among(pairs, wide, k, j))
				*to = _mm512_madd52hi_epu64(*to, a[j], digit);
		}
	}
}

/*
 * p[wide + high] = the columns of the pairs of a[wide] and b[high]; b is in memory.  Of LOW, HIGH
 * and SQUARE, both widths are the same.
 */
INLINE void multiply_tile(__m512i *p, const __m512i *a, int wide, const __m512i *b, int high,
			  enum pairs pairs)
{
	const __m512i zero = _mm512_setzero_si512();
	int first = pairs == HIGH ? wide - 1 : 0, end = pairs == LOW ? wide : wide + high;
	__m512i s[2 * TILE];
	int r, c;

	UNROLLED
	for (c = first; c < end; c++)
		p[c] = zero;
	gather(p, a, wide, b, high, 7, pairs, HIGH_HALF);
	ROLLED
	for (r = 7; r >= 0; r--) {
		UNROLLED
		for (c = first; c < end; c++)
			s[c] = zero;
		gather(s, a, wide, b, high, r, pairs, LOW_HALF);
		if (r)
			gather(s, a, wide, b, high, r - 1, pairs, HIGH_HALF);
		UNROLLED
		for (c = end - 1; c > first; c--)
			p[c] = _mm512_add_epi64(lanes_up(p[c], p[c - 1]), s[c]);
		p[first] = _mm512_add_epi64(lanes_up(p[first], zero), s[first]);
	}
}

/* p[2 width] = the columns of a[width]^2: the pairs above the diagonal doubled, the squares */
INLINE void square_tile(__m512i *p, const __m512i *a, const __m512i *in_memory, int width)
{
	const __m512i zero = _mm512_setzero_si512();
	const __m512i lower = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
	const __m512i upper = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
	int k;

	multiply_tile(p, a, width, in_memory, width, SQUARE);
	UNROLLED
	for (k = 0; k < width; k++) {
		__m512i l = _mm512_madd52lo_epu64(zero, a[k], a[k]);
		__m512i h = _mm512_madd52hi_epu64(zero, a[k], a[k]);

		p[2 * k] = _mm512_add_epi64(_mm512_slli_epi64(p[2 * k], 1),
					    _mm512_permutex2var_epi64(l, lower, h));
		p[2 * k + 1] = _mm512_add_epi64(_mm512_slli_epi64(p[2 * k + 1], 1),
						_mm512_permutex2var_epi64(l, upper, h));
	}
}

/* Divides an integer into tiles of one width <= TILE: at least @blocks blocks, and few more. */
struct shape {
	size_t tiles, width;
};

static inline size_t blocks_of(size_t words)
{
	return (words * CC_WORD_BITS + BLOCK_BITS - 1) / BLOCK_BITS;
}

static inline struct shape shape_of(size_t blocks)
{
	struct shape s;

	s.tiles = (blocks + TILE - 1) / TILE;
	s.width = (blocks + s.tiles - 1) / s.tiles;
	return s;
}

/* Divides it into exactly @blocks blocks: the tiles from @narrow on are one block less wide. */
struct cut {
	size_t tiles, width, narrow;
};

static inline struct cut cut_of(size_t blocks)
{
	struct shape s = shape_of(blocks);
	struct cut c = {s.tiles, s.width, s.tiles - (s.tiles * s.width - blocks)};

	return c;
}

static inline size_t width_of(const struct cut *c, size_t tile)
{
	return c->width - (tile >= c->narrow);
}

/* v[n] = 0 */
INLINE void clear(__m512i *v, size_t n)
{
	size_t i;

	ROLLED
	for (i = 0; i < n; i++) {
		v[i] = _mm512_setzero_si512();
		/* neither omitted, nor a call of memset(), which takes longer for so few */
		__asm__ volatile("" : : "r"(v) : "memory");
	}
}

typedef void cc_limbs_tile_fn(__m512i *column, const __m512i *a, const __m512i *b);

/* Products of tiles in memory, stored to columns or added to them. */
typedef void cc_limbs_tile_fn(__m512i *column, const __m512i *a, const __m512i *b);

/* Of one width, from 2 on */
struct cc_limbs_tiles {
	/* column[2 width] += a b; += 2 a b */
	cc_limbs_tile_fn *add, *add_twice;
	/* column[2 width] = a^2 */
	void (*square)(__m512i *column, const __m512i *a);
	/* column[width] += the low blocks of a b */
	cc_limbs_tile_fn *add_low;
	/* column[width - 1 .. 2 width - 1] += the high blocks of a b, the lowest in its top lane
	 * only */
	cc_limbs_tile_fn *add_high;
	/* digits[tiles width] = the columns carried, from and to *carry */
	void (*carry)(__m512i *digits, const __m512i *column, size_t tiles, struct carry *carry);
};

CC_HIDDEN extern const struct cc_limbs_tiles cc_limbs_tiles_avx512ifma[TILE + 1];

/*
 * By both widths, from 2 on: column[wide + high] += a[wide] b[high]; += 2 a b, where wide - high is
 * 0 or 1
 */
CC_HIDDEN extern cc_limbs_tile_fn *const cc_limbs_add_tile_avx512ifma[TILE + 1][TILE + 1];
CC_HIDDEN extern cc_limbs_tile_fn *const cc_limbs_add_tile_twice_avx512ifma[TILE + 1][TILE + 1];

#endif /* CC_BUILD_VECTORS */
#endif /* CC_LIMBS_TILES_AVX512IFMA_H */
