// SPDX-License-Identifier: MIT
/*
 * r = b^e mod m, eight at once, for odd m, with a fixed window.  For each digit of the exponent,
 * every entry of the table is read, under a mask of the lanes that need it.
 *
 * Secrets are in the caller's scratch, or wiped.
 */
#include "../mask.h"
#include "many_avx512ifma.h"
#include "tier_avx512ifma.h"

#if CC_BUILD_VECTORS

#define ONE	_mm512_set1_epi64(1)
#define WINDOW	4 /* the widest */
#define radix_8 cc_fixed_radix_8_avx512ifma

/* r[d] = the entry for each lane; all entries are read */
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

#include "many_powmod.h"

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

/* x = x - m unless that is negative; the digits of x are below 2^52; t[d] is scratch */
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

	/* 1 and b in Montgomery form: b < R / 16 and y < 3 m, so b y / R < m */
	if (power->in[0])
		load(y, d, power->in, n);
	else
		square_of_r(&mod, y, table, power->m, n);
	set_one(x, d);
	many_mul(&mod, table, x, y);
	load(x, d, power->b, n);
	many_mul(&mod, table + d, x, y);

	power_of(&mod, x, table, y, power->e, bits, lanes);

	/* ...and back: below 3 m / R + 2 m, so at most 2 m */
	set_one(y, d);
	many_mul(&mod, x, x, y);
	for (i = 0; i < d; i++)
		x[i] = _mm512_and_si512(x[i], mask);
	subtract_modulus(&mod, x, y);
	subtract_modulus(&mod, x, y);
	store(power->r, n, x);
	cc_wipe(&mod, sizeof(mod));
}

#endif /* CC_BUILD_VECTORS */
