// SPDX-License-Identifier: MIT
/*
 * Modular exponentiation for odd m, in radix 2^52 from beginning to end: Montgomery reduction
 * in whole blocks, and a fixed window.
 *
 * With x = 2^52, K blocks, R = x^8K >= 4 m, m' = -1 / m mod R, and factors below 2 m:
 *
 *	T = a b < 4 m^2,  q = (T mod R) m' mod R,  r = (T + q m) / R < m (4 m / R + 1) <= 2 m,
 *
 * so no step subtracts.  Only the high columns of q m are computed.  T + q m is a multiple of R;
 * let V be the part of T mod R and of q m in columns from 8K - 1 on.  The omitted part has at
 * most 16 K halves and a digit in each column below, together less than (16 K + 2) x^(8K - 1).
 * So V mod R is 0 or above R - (16 K + 2) x^(8K - 1), and with
 *
 *	r = T / R + floor((V + 2^30 x^(8K - 1)) / R)
 *
 * column 8K - 1, rounded up, gives the exact carry: no other column below 8K matters.
 *
 * Columns of T and q m together are sums of at most 32 K halves: below 2^63 for K <= 40.
 *
 * Zen 5, cycles per step (of 6 n CC_WORD_BITS / 5) at n = 16, 32, 48, 64, 128: 414, 660, 1370,
 * 1930, 6500.  The multiply-adds of a square's step alone, two per cycle: 148, 367, 876, 1335,
 * 5070.
 */
#include <carrychain/limbs.h>

#include "../../limbs/x86_64/tiles_avx512ifma.h"
#include "../mask.h"
#include "tier_avx512ifma.h"

#if CC_BUILD_VECTORS

#define ENTRIES 32 /* of the widest window */

struct montgomery {
	struct shape shape;
	size_t blocks; /* of the shape */
	const struct cc_limbs_tiles *tiles;
	__m512i *m;
	__m512i *minus_inverse;
	__m512i *low; /* T mod R */
	__m512i *q;
	__m512i *column; /* 2 blocks */
};

/*
 * Pairs of digits from omitted blocks whose low halves are in column 8K - 2: their high halves
 * are in column 8K - 1.  Each is the product of two top lanes, here of a and of block k of b.
 */
INLINE __m512i add_corner(__m512i p, __m512i a, const __m512i *b, size_t k)
{
	return _mm512_mask_madd52hi_epu64(p, 0x80, a, broadcast(b, (int)k, 7));
}

/* The carry of V's column 8K - 1, in the top lane. */
INLINE __m512i round_up(__m512i column, __m512i low)
{
	__m512i v = _mm512_add_epi64(_mm512_add_epi64(column, low), _mm512_set1_epi64(1 << 30));

	return _mm512_srli_epi64(v, DIGIT_BITS);
}

/* r = the columns t[2 width] / R mod m; everything but m and m' is in registers */
INLINE void reduce_one(const struct montgomery *k, __m512i *r, __m512i *t, int width)
{
	__m512i low[TILE], q[TILE], p[2 * TILE];
	struct carry carry = carry_columns(low, t, width, no_carry());
	int i;

	multiply_tile(p, low, width, k->minus_inverse, width, LOW);
	carry_columns(q, p, width, no_carry());
	multiply_tile(p, q, width, k->m, width, HIGH);
	UNROLLED
	for (i = 0; i < width - 1; i++)
		p[width - 1] = add_corner(p[width - 1], q[width - 2 - i], k->m, (size_t)i);
	carry.high = _mm512_add_epi64(carry.high, round_up(p[width - 1], low[width - 1]));
	UNROLLED
	for (i = width; i < 2 * width; i++)
		p[i] = _mm512_add_epi64(p[i], t[i]);
	carry_columns(r, p + width, width, carry);
}

/* column[blocks] = the low half of a b */
IFMA static void multiply_low(const struct montgomery *k, const __m512i *a, const __m512i *b)
{
	size_t w = k->shape.width, i, j;

	memset(k->column, 0, k->blocks * sizeof(*k->column));
	for (i = 0; i < k->blocks; i += w) {
		for (j = 0; i + j + w < k->blocks; j += w)
			k->tiles->add(k->column + i + j, a + i, b + j);
		k->tiles->add_low(k->column + i + j, a + i, b + j);
	}
}

/* r = the columns / R mod m */
IFMA static void reduce(const struct montgomery *k, __m512i *r)
{
	size_t w = k->shape.width, tiles = k->shape.tiles, blocks = k->blocks, i, j;
	__m512i *column = k->column, *top = column + blocks - 1;
	struct carry carry = no_carry(), of_q = no_carry();

	k->tiles->carry(k->low, column, tiles, &carry);
	multiply_low(k, k->low, k->minus_inverse);
	k->tiles->carry(k->q, column, tiles, &of_q);
	*top = _mm512_setzero_si512();
	for (i = 0; i < blocks; i += w) {
		j = blocks - w - i;
		k->tiles->add_high(column + i + j, k->q + i, k->m + j);
		for (j += w; j < blocks; j += w)
			k->tiles->add(column + i + j, k->q + i, k->m + j);
	}
	for (i = 0; i < blocks - 1; i++)
		*top = add_corner(*top, k->q[blocks - 2 - i], k->m, i);
	carry.high = _mm512_add_epi64(carry.high, round_up(*top, k->low[blocks - 1]));
	k->tiles->carry(r, column + blocks, tiles, &carry);
}

IFMA static void mul_tiles(const struct montgomery *k, __m512i *r, const __m512i *a,
			   const __m512i *b)
{
	size_t w = k->shape.width, i, j;

	memset(k->column, 0, 2 * k->blocks * sizeof(*k->column));
	for (i = 0; i < k->blocks; i += w)
		for (j = 0; j < k->blocks; j += w)
			k->tiles->add(k->column + i + j, a + i, b + j);
	reduce(k, r);
}

IFMA static void sqr_tiles(const struct montgomery *k, __m512i *r, const __m512i *a)
{
	size_t w = k->shape.width, i, j;

	for (i = 0; i < k->blocks; i += w)
		k->tiles->square(k->column + 2 * i, a + i);
	for (i = 0; i < k->blocks; i += w)
		for (j = i + w; j < k->blocks; j += w)
			k->tiles->add_twice(k->column + i + j, a + i, a + j);
	reduce(k, r);
}

INLINE void mul_one(const struct montgomery *k, __m512i *r, const __m512i *from, const __m512i *b,
		    int width)
{
	__m512i a[TILE], t[2 * TILE];
	int i;

	UNROLLED
	for (i = 0; i < width; i++)
		a[i] = from[i];
	multiply_tile(t, a, width, b, width, ALL);
	reduce_one(k, t, t, width);
	UNROLLED
	for (i = 0; i < width; i++)
		r[i] = t[i];
}

INLINE void sqr_one(const struct montgomery *k, __m512i *r, const __m512i *from, int width)
{
	__m512i a[TILE], t[2 * TILE];
	int i;

	UNROLLED
	for (i = 0; i < width; i++)
		a[i] = from[i];
	square_tile(t, a, from, width);
	reduce_one(k, t, t, width);
	UNROLLED
	for (i = 0; i < width; i++)
		r[i] = t[i];
}

#define WIDTH(width)                                                                               \
	IFMA static void mul_##width(const struct montgomery *k, __m512i *r, const __m512i *a,     \
				     const __m512i *b)                                             \
	{                                                                                          \
		mul_one(k, r, a, b, width);                                                        \
	}                                                                                          \
	IFMA static void sqr_##width(const struct montgomery *k, __m512i *r, const __m512i *a)     \
	{                                                                                          \
		sqr_one(k, r, a, width);                                                           \
	}

WIDTH(2)
WIDTH(3)
WIDTH(4)
WIDTH(5)

/* r = a b / R mod m, a^2 / R mod m, below 2 m if a b < R m; r may be a or b */
static const struct step {
	void (*mul)(const struct montgomery *k, __m512i *r, const __m512i *a, const __m512i *b);
	void (*sqr)(const struct montgomery *k, __m512i *r, const __m512i *a);
} steps[TILE + 1] = {
	{mul_tiles, sqr_tiles}, {NULL, NULL},	{mul_2, sqr_2},
	{mul_3, sqr_3},		{mul_4, sqr_4}, {mul_5, sqr_5},
};

/* d[blocks] = the number */
IFMA static void set(const struct montgomery *k, __m512i *d, cc_word number)
{
	memset(d, 0, k->blocks * sizeof(*d));
	d[0] = _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)number));
}

IFMA static void load(const struct montgomery *k, __m512i *d, const cc_word *x, size_t n)
{
	size_t i;

	for (i = 0; i < k->blocks; i++)
		d[i] = load_block(x, n, i);
}

/* x = -1 / m mod R by Newton: if m x = -1 + e, the error of x (2 + m x) is e^2. */
IFMA static void invert(const struct montgomery *k, __m512i *x, cc_word m0)
{
	size_t tiles = k->shape.tiles, digits;

	set(k, x, cc_fixed_minus_inverse(m0) & DIGIT_MASK);
	for (digits = 1; digits < 8 * k->blocks; digits *= 2) {
		struct carry carry = no_carry();

		multiply_low(k, k->m, x);
		set(k, k->q, 2);
		k->column[0] = _mm512_add_epi64(k->column[0], k->q[0]);
		k->tiles->carry(k->q, k->column, tiles, &carry);
		multiply_low(k, k->q, x);
		carry = no_carry();
		k->tiles->carry(x, k->column, tiles, &carry);
	}
}

/* r[blocks] = table[which] of @entries, all of which are read */
IFMA static void lookup(__m512i *r, const __m512i *table, size_t entries, cc_word which,
			size_t blocks)
{
	const __m512i wanted = _mm512_set1_epi64((long long)which), one = _mm512_set1_epi64(1);
	size_t entry, i;

	for (i = 0; i < blocks; i++) {
		__m512i found = _mm512_setzero_si512(), passing = found;

		for (entry = 0; entry < entries; entry++) {
			__mmask8 here = _mm512_cmpeq_epi64_mask(wanted, passing);

			found = _mm512_mask_mov_epi64(found, here, table[entry * blocks + i]);
			passing = _mm512_add_epi64(passing, one);
		}
		r[i] = found;
	}
}

/* Wipes the stack where the steps spilled: below 1500 bytes, by gcc 12 and clang 14. */
__attribute__((noinline)) static void wipe_stack(void)
{
	unsigned char below[2048];

	cc_wipe(below, sizeof(below));
}

/* An entry of the table has no padding. */
static size_t entry_blocks(size_t n)
{
	return (n * CC_WORD_BITS + 2 + BLOCK_BITS - 1) / BLOCK_BITS;
}

size_t cc_fixed_radix_avx512ifma(size_t n)
{
	struct shape shape = shape_of(entry_blocks(n));

	return BLOCK_BITS * shape.tiles * shape.width;
}

/* Fills the table with the powers of y; its first entry is given, and x is y. */
IFMA static void fill(const struct montgomery *k, const struct step *step, __m512i *table,
		      size_t entries, size_t blocks, __m512i *x, const __m512i *y)
{
	size_t entry;

	for (entry = 1; entry < entries; entry++) {
		if (entry > 1)
			step->mul(k, x, x, y);
		memcpy(table + entry * blocks, x, blocks * sizeof(*x));
	}
}

/*
 * x = y^e in Montgomery form, from the top digit on, which is narrower unless the window divides
 * the number of bits.
 */
IFMA static void power_of(const struct montgomery *k, const struct step *step, __m512i *x,
			  __m512i *y, __m512i *table, size_t blocks, const cc_word *e, size_t bits)
{
	size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS, i;
	unsigned int width = cc_fixed_window(bits, false);
	size_t entries = (size_t)1 << width, at = (bits - 1) / width * width;

	fill(k, step, table, entries, blocks, x, y);
	memset(x, 0, 2 * k->blocks * sizeof(*x));
	lookup(x, table, entries, cc_fixed_bits(e, en, at, (unsigned int)(bits - at)), blocks);
	while (at) {
		at -= width;
		for (i = 0; i < width; i++)
			step->sqr(k, x, x);
		lookup(y, table, entries, cc_fixed_bits(e, en, at, width), blocks);
		step->mul(k, x, x, y);
	}
}

/* The same for a public e. */
IFMA static void power_of_shown(const struct montgomery *k, const struct step *step, __m512i *x,
				__m512i *y, __m512i *table, size_t blocks, const cc_word *e,
				size_t bits)
{
	unsigned int width = cc_fixed_window(bits, true);
	size_t at = (bits - 1) / width * width, digit, i;

	fill(k, step, table, (size_t)1 << width, blocks, x, y);
	memset(x, 0, 2 * k->blocks * sizeof(*x));
	digit = cc_fixed_shown_digit(e, bits, at, width);
	memcpy(x, table + digit * blocks, blocks * sizeof(*x));
	while (at) {
		at -= width;
		for (i = 0; i < width; i++)
			step->sqr(k, x, x);
		digit = cc_fixed_shown_digit(e, bits, at, width);
		if (!digit)
			continue;
		memcpy(y, table + digit * blocks, blocks * sizeof(*y));
		step->mul(k, x, x, y);
	}
}

IFMA void cc_fixed_powmod_odd_avx512ifma(const struct cc_fixed_power *power, size_t n, size_t bits,
					 cc_word *scratch)
{
	size_t blocks = entry_blocks(n), i;
	const cc_word *m = power->m, *in = power->in;
	__m512i *table = (__m512i *)scratch, *x, *y;
	struct montgomery k;
	const struct step *step;
	cc_word *word, below;

	k.shape = shape_of(blocks);
	k.blocks = k.shape.tiles * k.shape.width;
	k.tiles = &cc_limbs_tiles_avx512ifma[k.shape.width];
	step = &steps[k.shape.tiles == 1 ? k.shape.width : 0];
	x = table + ENTRIES * blocks;
	y = x + k.blocks;
	k.low = y + k.blocks;
	k.q = k.low + k.blocks;
	k.column = k.q + k.blocks;
	word = (cc_word *)k.column;
	k.m = k.column + 2 * k.blocks;
	k.minus_inverse = k.m + k.blocks;
	load(&k, k.m, m, n);
	invert(&k, k.minus_inverse, m[0]);

	/* y = R^2 mod m: 1 and b to Montgomery form */
	if (!in) {
		cc_fixed_power_of_two_mod(word, 2 * BLOCK_BITS * k.blocks, m, n);
		in = word;
	}
	load(&k, y, in, n);
	set(&k, x, 1);
	step->mul(&k, x, x, y);
	memcpy(table, x, blocks * sizeof(*x));
	load(&k, x, power->b, n);
	step->mul(&k, y, x, y);
	memcpy(x, y, k.blocks * sizeof(*x));
	if (power->shown)
		power_of_shown(&k, step, x, y, table, blocks, power->e, bits);
	else
		power_of(&k, step, x, y, table, blocks, power->e, bits);

	/* from Montgomery form: (x + q m) / R < (2 m + R m) / R, so at most m */
	set(&k, y, 1);
	step->mul(&k, x, x, y);
	for (i = 0; i < blocks; i++)
		store_block(word, n, i, x[i]);
	below = cc_mask(cc_limbs_sub(word + n, word, m, n));
	for (i = 0; i < n; i++)
		power->r[i] = cc_choose(below, word[i], word[n + i]);
	wipe_stack();
}

#endif /* CC_BUILD_VECTORS */
