// SPDX-License-Identifier: MIT
/*
 * r = b^e mod m, eight at once, m odd: a fixed window, for each digit of which every entry of
 * the table is read, under a mask of the lanes that want it.
 *
 * What is secret is in the caller's scratch, or wiped.
 */
#include "../mask.h"
#include "many_avx512ifma.h"
#include "tier_avx512ifma.h"

#if CC_BUILD_VECTORS

#define LANES  8
#define WINDOW 4 /* the widest */

/* x[d] = the digits of a[n], lane by lane */
static void load(__m512i *x, size_t d, const cc_word *const a[LANES], size_t n)
{
	cc_word *to = (cc_word *)x;
	size_t i, j;

	for (i = 0; i < d; i++)
		for (j = 0; j < LANES; j++)
			*to++ = i * DIGIT_BITS < n * CC_WORD_BITS
					? cc_fixed_bits(a[j], n, i * DIGIT_BITS, DIGIT_BITS)
					: 0;
}

/* a[n] = the digits of x, each below 2^52 */
static void store(cc_word *const a[LANES], size_t n, const __m512i *x)
{
	size_t i, j;

	for (i = 0; i < n; i++) {
		size_t bit = i * CC_WORD_BITS, shift = bit % DIGIT_BITS;
		const cc_word *from = (const cc_word *)(x + bit / DIGIT_BITS);

		for (j = 0; j < LANES; j++, from++) {
			a[j][i] = from[0] >> shift | from[LANES] << (DIGIT_BITS - shift);
			if (shift > 2 * DIGIT_BITS - CC_WORD_BITS)
				a[j][i] |= from[2 * LANES] << (2 * DIGIT_BITS - shift);
		}
	}
}

/* x[d] = 1 */
IFMA static void set_one(__m512i *x, size_t d)
{
	memset(x, 0, d * sizeof(*x));
	x[0] = _mm512_set1_epi64(1);
}

/* r[d] = in each lane the entry that it wants, every one read */
IFMA static void look_up(__m512i *r, const __m512i *table, size_t entries, size_t d, __m512i wanted)
{
	const __m512i one = _mm512_set1_epi64(1);
	size_t i, at;
	int k;

	for (at = 0; at < d; at += COLUMNS) {
		__m512i entry = _mm512_setzero_si512(), digit[COLUMNS];
		const __m512i *from = table + at;

		UNROLLED
		for (k = 0; k < COLUMNS; k++)
			digit[k] = entry;
		for (i = 0; i < entries; i++, from += d) {
			__mmask8 mine = _mm512_cmpeq_epi64_mask(entry, wanted);

			UNROLLED
			for (k = 0; k < COLUMNS; k++)
				digit[k] = _mm512_mask_mov_epi64(digit[k], mine, from[k]);
			entry = _mm512_add_epi64(entry, one);
		}
		UNROLLED
		for (k = 0; k < COLUMNS; k++)
			r[at + k] = digit[k];
	}
}

/* n = (1 + k m) / 2^52; a product's high half and a carry are below 2^52 */
IFMA static void invert_digit(struct cc_fixed_moduli *mod)
{
	const __m512i mask = _mm512_set1_epi64(DIGIT_MASK);
	__m512i carry = _mm512_set1_epi64(1), sum;
	size_t i;

	for (i = 0; i <= mod->d; i++) {
		sum = _mm512_madd52lo_epu64(carry, mod->minus_inverse, mod->m[i]);
		carry = _mm512_madd52hi_epu64(_mm512_srli_epi64(sum, DIGIT_BITS),
					      mod->minus_inverse, mod->m[i]);
		if (i)
			mod->n[i - 1] = _mm512_and_si512(sum, mask);
	}
}

/* x = x - m unless that is below 0; the digits of x are below 2^52; t[d] is room */
IFMA static void subtract_modulus(const struct cc_fixed_moduli *mod, __m512i *x, __m512i *t)
{
	const __m512i mask = _mm512_set1_epi64(DIGIT_MASK);
	__m512i borrow = _mm512_setzero_si512();
	__mmask8 below;
	size_t i;

	for (i = 0; i < mod->d; i++) {
		__m512i difference = _mm512_sub_epi64(x[i], mod->m[i]);

		difference = _mm512_add_epi64(difference, borrow);
		t[i] = _mm512_and_si512(difference, mask);
		borrow = _mm512_srai_epi64(difference, DIGIT_BITS);
	}
	below = _mm512_movepi64_mask(borrow);
	for (i = 0; i < mod->d; i++)
		x[i] = _mm512_mask_mov_epi64(t[i], below, x[i]);
}

/* x = 2^(104 d) mod m, which is R in Montgomery's form; room[d] besides */
static void square_of_r(const struct cc_fixed_moduli *mod, __m512i *x, __m512i *room,
			const cc_word *const m[8], size_t n)
{
	size_t bits = DIGIT_BITS * mod->d, squarings = 0, j;
	cc_word *power = (cc_word *)room;
	const cc_word *powers[LANES];

	/* From 2^power in that form: each squaring doubles the exponent. */
	for (; bits % 2 == 0; bits /= 2)
		squarings++;
	for (j = 0; j < LANES; j++, power += n) {
		cc_fixed_power_of_two_mod(power, DIGIT_BITS * mod->d + bits, m[j], n);
		powers[j] = power;
	}
	load(x, mod->d, powers, n);
	while (squarings--)
		cc_fixed_many_sqr_avx512ifma(mod, x, x);
}

/* x = y^e in Montgomery's form, y = table[d ...]; the table's first entry is 1; t[d] is room */
IFMA static void power_of(const struct cc_fixed_moduli *mod, __m512i *x, __m512i *table, __m512i *t,
			  const cc_word *const e[LANES], size_t bits, cc_word *wanted)
{
	size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS, d = mod->d, at = bits, i, j;
	unsigned int width = cc_fixed_window(bits, false), take;
	size_t entries;

	if (width > WINDOW)
		width = WINDOW;
	entries = (size_t)1 << width;
	for (i = 2; i < entries; i++)
		cc_fixed_many_mul_avx512ifma(mod, table + i * d, table + (i - 1) * d, table + d);
	memcpy(x, table, d * sizeof(*x));
	while (at) {
		/* the top digit is narrower unless the window divides the bits */
		take = at % width ? (unsigned int)(at % width) : width;
		at -= take;
		for (i = 0; i < take; i++)
			cc_fixed_many_sqr_avx512ifma(mod, x, x);
		for (j = 0; j < LANES; j++)
			wanted[j] = cc_fixed_bits(e[j], en, at, take);
		look_up(t, table, entries, d, _mm512_load_si512(wanted));
		cc_fixed_many_mul_avx512ifma(mod, x, x, t);
	}
}

/* R >= 16 2^(64 n) > 9 m */
static size_t digits_of(size_t n)
{
	size_t d = (n * CC_WORD_BITS + 4 + DIGIT_BITS - 1) / DIGIT_BITS;

	return (d + COLUMNS - 1) / COLUMNS * COLUMNS;
}

size_t cc_fixed_radix_8_avx512ifma(size_t n)
{
	return DIGIT_BITS * digits_of(n);
}

IFMA void cc_fixed_powmod_odd_8_avx512ifma(const struct cc_fixed_power_8 *power, size_t n,
					   size_t bits, cc_word *scratch)
{
	const __m512i mask = _mm512_set1_epi64(DIGIT_MASK);
	struct cc_fixed_moduli mod;
	__m512i *room = (__m512i *)scratch, *x, *y, *table;
	cc_word *lanes;
	size_t d = digits_of(n), i, j;

	mod.d = d;
	lanes = (cc_word *)room++;
	mod.m = room, room += d + 1;
	mod.n = room, room += d;
	mod.q = room, room += d;
	x = room, room += d;
	y = room, room += d;
	table = room;

	load(mod.m, d + 1, power->m, n);
	for (j = 0; j < LANES; j++)
		lanes[j] = cc_fixed_minus_inverse(power->m[j][0]);
	mod.minus_inverse = _mm512_load_si512(lanes);
	invert_digit(&mod);

	/* 1 and b in Montgomery's form: b < R / 16 and y < 3 m, so that b y / R < m */
	if (power->in[0])
		load(y, d, power->in, n);
	else
		square_of_r(&mod, y, table, power->m, n);
	set_one(x, d);
	cc_fixed_many_mul_avx512ifma(&mod, table, x, y);
	load(x, d, power->b, n);
	cc_fixed_many_mul_avx512ifma(&mod, table + d, x, y);

	power_of(&mod, x, table, y, power->e, bits, lanes);

	/* ...and back: below 3 m / R + 2 m, so at most 2 m */
	set_one(y, d);
	cc_fixed_many_mul_avx512ifma(&mod, x, x, y);
	for (i = 0; i < d; i++)
		x[i] = _mm512_and_si512(x[i], mask);
	subtract_modulus(&mod, x, y);
	subtract_modulus(&mod, x, y);
	store(power->r, n, x);
	cc_wipe(&mod, sizeof(mod));
}

#endif /* CC_BUILD_VECTORS */
