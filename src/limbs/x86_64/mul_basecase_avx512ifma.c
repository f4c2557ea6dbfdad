// SPDX-License-Identifier: MIT
/*
 * z = x y: converted to digits, multiplied tile by tile to columns, carried, and converted back.
 *
 * input x[xn], y[yn], xn >= yn >= 1; output z[xn + yn], overlapping neither
 *
 * By 3 to 8 words, columns are computed one vector at a time (narrow_avx512ifma.h).  Up to 5 by 5
 * blocks (32 words each), everything stays in registers, except the digits that are
 * broadcast.  Beyond, the digits of all of y and a window of the columns are in memory: a row of
 * tiles of x completes as many columns as it has blocks, which leave the window.
 *
 * Constant time; what it puts on the stack is wiped.  fixed/ uses it for its secrets.
 *
 * Zen 5, ns at n = 16, 32, 48, 64, 96, 128: 34, 75, 203, 287, 587, 1000.  The multiply-adds alone,
 * two per cycle, take 72, 200, 512, 800, 1800, 3200 cycles.
 */
#include "narrow_avx512ifma.h"
#include "tiers.h"
#include "tiles_avx512ifma.h"

#if CC_BUILD_VECTORS

/* Of fewer pairs of words, converting to digits costs more than it saves. */
#define FEW_PAIRS 81

/* So many words fit a tile; from then on columns by 7 and 8 words are faster, too. */
#define TILE_WORDS (TILE * BLOCK_BITS / CC_WORD_BITS)

#define WINDOW (2 * MOST_BLOCKS + TILE)

INLINE void mul_in_registers(cc_word *z, const cc_word *x, size_t xn, const cc_word *y, size_t yn,
			     int wide, int high)
{
	__m512i a[TILE], b[TILE], p[2 * TILE];
	struct carry carry;
	int i;

	UNROLLED
	for (i = 0; i < high; i++)
		b[i] = load_block(y, yn, (size_t)i);
	UNROLLED
	for (i = 0; i < wide; i++)
		a[i] = load_block(x, xn, (size_t)i);
	multiply_tile(p, a, wide, b, high, ALL);
	carry = carry_columns(p, p, wide, no_carry());
	carry_columns(p + wide, p + wide, high, carry);
	UNROLLED
	for (i = 0; i < wide + high; i++)
		store_block(z, xn + yn, (size_t)i, p[i]);
	clear(b, (size_t)high);
}

#define IN_REGISTERS(wide, high)                                                                   \
	IFMA static void mul_##wide##_##high(cc_word *z, const cc_word *x, size_t xn,              \
					     const cc_word *y, size_t yn)                          \
	{                                                                                          \
		mul_in_registers(z, x, xn, y, yn, wide, high);                                     \
	}

IN_REGISTERS(2, 2)
IN_REGISTERS(3, 2)
IN_REGISTERS(3, 3)
IN_REGISTERS(4, 2)
IN_REGISTERS(4, 3)
IN_REGISTERS(4, 4)
IN_REGISTERS(5, 2)
IN_REGISTERS(5, 3)
IN_REGISTERS(5, 4)
IN_REGISTERS(5, 5)

static void (*const in_registers[TILE + 1][TILE + 1])(cc_word *z, const cc_word *x, size_t xn,
						      const cc_word *y, size_t yn) = {
	[2] = {NULL, NULL, mul_2_2},
	[3] = {NULL, NULL, mul_3_2, mul_3_3},
	[4] = {NULL, NULL, mul_4_2, mul_4_3, mul_4_4},
	[5] = {NULL, NULL, mul_5_2, mul_5_3, mul_5_4, mul_5_5},
};

#define NARROW(words)                                                                              \
	IFMA static void mul_by_##words(cc_word *z, const cc_word *x, size_t xn, const cc_word *y) \
	{                                                                                          \
		mul_narrow(z, x, xn, y, words);                                                    \
	}

NARROW(3)
NARROW(4)
NARROW(5)
NARROW(6)
NARROW(7)
NARROW(8)

static void (*const by_words[NARROW_MOST + 1])(cc_word *z, const cc_word *x, size_t xn,
					       const cc_word *y) = {
	[3] = mul_by_3, [4] = mul_by_4, [5] = mul_by_5,
	[6] = mul_by_6, [7] = mul_by_7, [8] = mul_by_8,
};

IFMA static void mul_tiles(cc_word *z, const cc_word *x, size_t xn, const cc_word *y, size_t yn)
{
	const size_t length = blocks_of(yn), end = blocks_of(xn);
	const struct cut rows = cut_of(end), across = cut_of(length);
	__m512i a[TILE], b[MOST_BLOCKS], window[WINDOW], *column = window;
	struct carry carry = no_carry();
	size_t done, row, width, i, j, at;

	for (i = 0; i < length; i++)
		b[i] = load_block(y, yn, i);
	clear(column, length);
	for (done = 0, row = 0; done < end; done += width, row++) {
		width = width_of(&rows, row);
		if (column + length + width > window + WINDOW) {
			memmove(window, column, length * sizeof(*column));
			column = window;
		}
		clear(column + length, width);
		for (i = 0; i < width; i++)
			a[i] = load_block(x, xn, done + i);
		for (at = 0, j = 0; at < length; at += width_of(&across, j), j++)
			cc_limbs_add_tile_avx512ifma[width][width_of(&across, j)](column + at, a,
										  b + at);
		cc_limbs_tiles_avx512ifma[width].carry(column, column, 1, &carry);
		for (i = 0; i < width; i++)
			store_block(z, xn + yn, done + i, column[i]);
		column += width;
	}
	for (at = 0, j = 0; at < length; at += width, j++) {
		width = width_of(&across, j);
		cc_limbs_tiles_avx512ifma[width].carry(column + at, column + at, 1, &carry);
	}
	for (i = 0; i < length; i++)
		store_block(z, xn + yn, end + i, column[i]);
	carry = no_carry();
	__asm__ volatile("" : : "r"(&carry) : "memory");
	clear(a, TILE);
	clear(b, length);
	clear(window, end + length < WINDOW ? end + length : WINDOW);
}

static __attribute__((__noinline__)) void mul_digits(cc_word *z, const cc_word *x, size_t xn,
						     const cc_word *y, size_t yn)
{
	if (yn < CC_FEW || (yn <= NARROW_MOST && xn > TILE_WORDS))
		by_words[yn](z, x, xn, y);
	else if (xn * yn < FEW_PAIRS || yn > MOST_WORDS)
		cc_limbs_mul_basecase_bmi2adx(z, x, xn, y, yn);
	else if (xn > TILE_WORDS)
		mul_tiles(z, x, xn, y, yn);
	else
		in_registers[blocks_of(xn)][blocks_of(yn)](z, x, xn, y, yn);
}

/* Of few words, as fast as a test and a jump can be. */
void cc_limbs_mul_basecase_avx512ifma(cc_word *z, const cc_word *x, size_t xn, const cc_word *y,
				      size_t yn)
{
	if (cc_limbs_are_few(xn, yn))
		cc_limbs_mul_basecase_bmi2adx(z, x, xn, y, yn);
	else
		mul_digits(z, x, xn, y, yn);
}

#endif /* CC_BUILD_VECTORS */
