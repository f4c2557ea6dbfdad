// SPDX-License-Identifier: MIT
/*
 * Products of n words: converted to digits, multiplied tile by tile to columns, carried, and
 * converted back.
 *
 * input x[n], y[n]; output z[2n], overlapping neither
 *
 * Up to 5 blocks (32 words), everything stays in registers, except the digits that are
 * broadcast.
 *
 * Zen 5, cycles at n = 16, 32, 48, 64, 96, 128: 142, 316, 814, 1260, 2490, 4220; for squares
 * 133, 234, 548, 759, 1550, 2480.  The multiply-adds alone, two per cycle: 72, 200, 512, 800,
 * 1800, 3200; 51, 125, 296, 450, 975, 1700.
 */
#include "../mask.h"
#include "tier_avx512ifma.h"
#include "tiles_avx512ifma.h"

#if CC_BUILD_VECTORS

#define MOST_BLOCKS ((CC_FZ_MAX_BITS + BLOCK_BITS - 1) / BLOCK_BITS)

INLINE void finish_one(cc_word *z, size_t n, __m512i *p, int width)
{
	struct carry carry = carry_columns(p, p, width, no_carry());
	int i;

	carry_columns(p + width, p + width, width, carry);
	UNROLLED
	for (i = 0; i < 2 * width; i++)
		store_block(z, 2 * n, (size_t)i, p[i]);
}

INLINE void mul_one(cc_word *z, const cc_word *x, const cc_word *y, size_t n, int width)
{
	__m512i a[TILE], b[TILE], p[2 * TILE];
	int i;

	UNROLLED
	for (i = 0; i < width; i++) {
		b[i] = load_block(y, n, (size_t)i);
		a[i] = load_block(x, n, (size_t)i);
	}
	multiply_tile(p, a, b, width, ALL);
	finish_one(z, n, p, width);
	cc_wipe(b, (size_t)width * sizeof(*b));
}

INLINE void sqr_one(cc_word *z, const cc_word *x, size_t n, int width)
{
	__m512i a[TILE], b[TILE], p[2 * TILE];
	int i;

	UNROLLED
	for (i = 0; i < width; i++)
		b[i] = a[i] = load_block(x, n, (size_t)i);
	square_tile(p, a, b, width);
	finish_one(z, n, p, width);
	cc_wipe(b, (size_t)width * sizeof(*b));
}

#define ONE(width)                                                                                 \
	IFMA static void mul_##width(cc_word *z, const cc_word *x, const cc_word *y, size_t n)     \
	{                                                                                          \
		mul_one(z, x, y, n, width);                                                        \
	}                                                                                          \
	IFMA static void sqr_##width(cc_word *z, const cc_word *x, size_t n)                       \
	{                                                                                          \
		sqr_one(z, x, n, width);                                                           \
	}

ONE(2)
ONE(3)
ONE(4)
ONE(5)

static cc_fixed_mul_fn *const mul_of_one[TILE + 1] = {NULL, NULL, mul_2, mul_3, mul_4, mul_5};
static cc_fixed_sqr_fn *const sqr_of_one[TILE + 1] = {NULL, NULL, sqr_2, sqr_3, sqr_4, sqr_5};

/* A product in tiles; the digits of x[n], y[n] and the columns are in memory[4 MOST_BLOCKS]. */
struct product {
	struct shape shape;
	size_t blocks;
	const struct cc_fixed_tiles *tiles;
	__m512i *x, *y, *column;
};

static struct product product_of(size_t blocks, __m512i *memory)
{
	struct product k;

	k.shape = shape_of(blocks);
	k.blocks = k.shape.tiles * k.shape.width;
	k.tiles = &cc_fixed_tiles_avx512ifma[k.shape.width];
	k.column = memory;
	k.x = k.column + 2 * k.blocks;
	k.y = k.x + k.blocks;
	return k;
}

IFMA static void load(const struct product *k, __m512i *d, const cc_word *x, size_t n)
{
	size_t i;

	for (i = 0; i < k->blocks; i++)
		d[i] = load_block(x, n, i);
}

IFMA static void finish(const struct product *k, cc_word *z, size_t n)
{
	struct carry carry = no_carry();
	size_t i;

	k->tiles->carry(k->column, k->column, 2 * k->shape.tiles, &carry);
	cc_wipe(&carry, sizeof(carry));
	for (i = 0; i < 2 * k->blocks; i++)
		store_block(z, 2 * n, i, k->column[i]);
}

IFMA static void mul_tiles(cc_word *z, const cc_word *x, const cc_word *y, size_t n, size_t blocks)
{
	__m512i memory[4 * MOST_BLOCKS];
	struct product k = product_of(blocks, memory);
	size_t i, j;

	load(&k, k.x, x, n);
	load(&k, k.y, y, n);
	memset(k.column, 0, 2 * k.blocks * sizeof(*k.column));
	for (i = 0; i < k.blocks; i += k.shape.width)
		for (j = 0; j < k.blocks; j += k.shape.width)
			k.tiles->add(k.column + i + j, k.x + i, k.y + j);
	finish(&k, z, n);
	cc_wipe(memory, 4 * k.blocks * sizeof(*memory));
}

IFMA static void sqr_tiles(cc_word *z, const cc_word *x, size_t n, size_t blocks)
{
	__m512i memory[3 * MOST_BLOCKS];
	struct product k = product_of(blocks, memory);
	size_t i, j;

	load(&k, k.x, x, n);
	for (i = 0; i < k.blocks; i += k.shape.width)
		k.tiles->square(k.column + 2 * i, k.x + i);
	for (i = 0; i < k.blocks; i += k.shape.width)
		for (j = i + k.shape.width; j < k.blocks; j += k.shape.width)
			k.tiles->add_twice(k.column + i + j, k.x + i, k.x + j);
	finish(&k, z, n);
	cc_wipe(memory, 3 * k.blocks * sizeof(*memory));
}

static size_t blocks_of(size_t n)
{
	return (n * CC_WORD_BITS + BLOCK_BITS - 1) / BLOCK_BITS;
}

void cc_fixed_mul_avx512ifma(cc_word *z, const cc_word *x, const cc_word *y, size_t n)
{
	size_t blocks = blocks_of(n);

	if (blocks > TILE)
		mul_tiles(z, x, y, n, blocks);
	else
		mul_of_one[blocks](z, x, y, n);
}

void cc_fixed_sqr_avx512ifma(cc_word *z, const cc_word *x, size_t n)
{
	size_t blocks = blocks_of(n);

	if (blocks > TILE)
		sqr_tiles(z, x, n, blocks);
	else
		sqr_of_one[blocks](z, x, n);
}

#endif /* CC_BUILD_VECTORS */
