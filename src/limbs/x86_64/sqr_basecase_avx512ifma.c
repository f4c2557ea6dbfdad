// SPDX-License-Identifier: MIT
/*
 * z = x^2: converted to digits, squared tile by tile to columns, carried, and converted back.
 *
 * input x[n], n >= 1; output z[2n], not overlapping it
 *
 * Up to 5 blocks (32 words), everything stays in registers, except the digits that are broadcast.
 *
 * Constant time; what it puts on the stack is wiped.  fixed/ uses it for its secrets.
 *
 * Zen 5, ns at n = 16, 32, 48, 64, 96, 128: 31, 55, 127, 179, 350, 570.  The multiply-adds alone,
 * two per cycle, take 51, 125, 296, 450, 975, 1700 cycles.
 */
#include "tiers.h"
#include "tiles_avx512ifma.h"

#if CC_BUILD_VECTORS

/* Of fewer words, converting to digits costs more than it saves. */
#define FEW 11

INLINE void sqr_in_registers(cc_word *z, const cc_word *x, size_t n, int width)
{
	__m512i a[TILE], b[TILE], p[2 * TILE];
	struct carry carry;
	int i;

	UNROLLED
	for (i = 0; i < width; i++)
		b[i] = a[i] = load_block(x, n, (size_t)i);
	square_tile(p, a, b, width);
	carry = carry_columns(p, p, width, no_carry());
	carry_columns(p + width, p + width, width, carry);
	UNROLLED
	for (i = 0; i < 2 * width; i++)
		store_block(z, 2 * n, (size_t)i, p[i]);
	clear(b, (size_t)width);
}

#define IN_REGISTERS(width)                                                                        \
	IFMA static void sqr_##width(cc_word *z, const cc_word *x, size_t n)                       \
	{                                                                                          \
		sqr_in_registers(z, x, n, width);                                                  \
	}

IN_REGISTERS(2)
IN_REGISTERS(3)
IN_REGISTERS(4)
IN_REGISTERS(5)

static void (*const in_registers[TILE + 1])(cc_word *z, const cc_word *x, size_t n) = {
	NULL, NULL, sqr_2, sqr_3, sqr_4, sqr_5,
};

IFMA static void sqr_tiles(cc_word *z, const cc_word *x, size_t n)
{
	const size_t length = blocks_of(n);
	const struct cut cut = cut_of(length);
	__m512i d[MOST_BLOCKS], column[2 * MOST_BLOCKS];
	struct carry carry = no_carry();
	size_t i, j, at, beyond, width, other;

	for (i = 0; i < length; i++)
		d[i] = load_block(x, n, i);
	for (at = 0, i = 0; at < length; at += width, i++) {
		width = width_of(&cut, i);
		cc_limbs_tiles_avx512ifma[width].square(column + 2 * at, d + at);
	}
	for (at = 0, i = 0; at < length; at += width, i++) {
		width = width_of(&cut, i);
		for (beyond = at + width, j = i + 1; beyond < length; beyond += other, j++) {
			other = width_of(&cut, j);
			cc_limbs_add_tile_twice_avx512ifma[width][other](column + at + beyond,
									 d + at, d + beyond);
		}
	}
	for (at = 0, i = 0; at < length; at += width, i++) {
		width = width_of(&cut, i);
		cc_limbs_tiles_avx512ifma[width].carry(column + 2 * at, column + 2 * at, 2, &carry);
	}
	for (i = 0; i < 2 * length; i++)
		store_block(z, 2 * n, i, column[i]);
	carry = no_carry();
	__asm__ volatile("" : : "r"(&carry) : "memory");
	clear(d, length);
	clear(column, 2 * length);
}

void cc_limbs_sqr_basecase_avx512ifma(cc_word *z, const cc_word *x, size_t n)
{
	if (n < FEW || n > MOST_WORDS)
		cc_limbs_sqr_basecase_bmi2adx(z, x, n);
	else if (n * CC_WORD_BITS > TILE * BLOCK_BITS)
		sqr_tiles(z, x, n);
	else
		in_registers[blocks_of(n)](z, x, n);
}

#endif /* CC_BUILD_VECTORS */
