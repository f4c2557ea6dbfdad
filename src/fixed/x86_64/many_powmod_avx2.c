// SPDX-License-Identifier: MIT
/*
 * r = b^e mod m, four at once, for odd m, with a fixed window.  For each digit of the exponent,
 * every entry of the table is read, under a mask of the lanes that need it.
 *
 * Secrets are in the caller's scratch, or wiped.
 */
#include "../mask.h"
#include "many_avx2.h"
#include "tier_avx2.h"

#if CC_BUILD_VECTORS

#define ONE	_mm256_set1_pd(1)
#define WINDOW	5 /* the widest */
#define radix_8 cc_fixed_radix_8_avx2

/* r[d] = the entry for each lane; all entries are read */
AVX2 static void look_up(__m256d *r, const __m256d *table, size_t entries, size_t d, __m256i wanted)
{
	const __m256i one = every(1);
	size_t i, at;
	int k;

	for (at = 0; at < d; at += COLUMNS) {
		__m256i entry = _mm256_setzero_si256();
		__m256d found[COLUMNS];
		const __m256d *from = table + at;

#pragma GCC unroll 10
		for (k = 0; k < COLUMNS; k++)
			found[k] = _mm256_setzero_pd();
		for (i = 0; i < entries; i++, from += d) {
			__m256d mine = _mm256_castsi256_pd(_mm256_cmpeq_epi64(entry, wanted));

#pragma GCC unroll 10
			for (k = 0; k < COLUMNS; k++)
				found[k] = _mm256_or_pd(found[k], _mm256_and_pd(mine, from[k]));
			entry = _mm256_add_epi64(entry, one);
		}
#pragma GCC unroll 10
		for (k = 0; k < COLUMNS; k++)
			r[at + k] = found[k];
	}
}

#include "many_powmod.h"

/* x = (x + q m) / 2^52, for the q that makes it exact; at most m if x was; x[d] is 0 */
AVX2 static void divide(const struct cc_fixed_moduli *mod, __m256d *x)
{
	/* adding 2^62 makes the sum positive, so its carry is too large by 2^10 */
	const uint64_t positive = (uint64_t)1 << 62;
	__m256i low = every(LOW_BITS), high = low;
	__m256d q;
	size_t i;

	add_product(&low, &high, x[0], (const vector *)&mod->minus_inverse);
	q = digit(low);
	low = _mm256_setzero_si256();
	for (i = 0; i <= mod->d; i++) {
		low = _mm256_add_epi64(low, integer(x[i]));
		low = _mm256_add_epi64(low, every(LOW_BITS + positive));
		high = every(0 - HIGH_BITS - (positive >> DIGIT_BITS));
		add_product(&low, &high, q, (const vector *)&mod->m[i]);
		if (i)
			x[i - 1] = digit(low);
		low = _mm256_add_epi64(high, _mm256_srli_epi64(low, DIGIT_BITS));
	}
}

/* x[d] = x - m unless that is negative; digits are integers */
AVX2 static void subtract_modulus(const struct cc_fixed_moduli *mod, __m256i *x, __m256i *t)
{
	const __m256i zero = _mm256_setzero_si256();
	__m256i borrow = zero;
	size_t i;

	for (i = 0; i < mod->d; i++) {
		__m256i difference = _mm256_sub_epi64(x[i], integer(mod->m[i]));

		difference = _mm256_add_epi64(difference, borrow);
		t[i] = _mm256_and_si256(difference, every(DIGIT_MASK));
		borrow = _mm256_cmpgt_epi64(zero, difference);
	}
	for (i = 0; i < mod->d; i++)
		x[i] = _mm256_blendv_epi8(t[i], x[i], borrow);
}

/* Wipes the stack where the products spilled: below 700 bytes, by gcc 12 and clang 14. */
__attribute__((noinline)) static void wipe_stack(void)
{
	unsigned char below[1024];

	cc_wipe(below, sizeof(below));
}

AVX2 void cc_fixed_powmod_odd_8_avx2(const struct cc_fixed_power_8 *power, size_t n, size_t bits,
				     cc_word *scratch)
{
	struct cc_fixed_moduli mod;
	__m256d *room = (__m256d *)scratch, *x, *y, *table;
	unsigned int control = _mm_getcsr();
	cc_word *lanes;
	size_t d = digits_of(n), i, j;

	/* halves are rounded to nearest */
	_mm_setcsr(CONTROL);
	mod.d = d;
	lanes = (cc_word *)room++;
	mod.bias = (uint64_t *)room, room += d / 2;
	mod.m = room, room += d + 2;
	mod.n = room, room += d + 1;
	mod.q = room, room += d;
	x = room, room += d;
	y = room, room += d;
	table = room;
	cc_fixed_many_bias_avx2(&mod);

	load(mod.m, d + 2, power->m, n);
	for (j = 0; j < LANES; j++)
		lanes[j] = cc_fixed_minus_inverse(power->m[j][0]);
	mod.minus_inverse = digit(_mm256_load_si256((const __m256i *)lanes));
	/* the remaining n[d] is the 0 before q */
	set_one(mod.n, d + 1);
	divide(&mod, mod.n);
	divide(&mod, mod.n);

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
		table[i] = _mm256_castsi256_pd(integer(x[i]));
	subtract_modulus(&mod, (__m256i *)table, (__m256i *)y);
	subtract_modulus(&mod, (__m256i *)table, (__m256i *)y);
	store(power->r, n, (const __m256i *)table);
	cc_wipe(&mod, sizeof(mod));
	_mm_setcsr(control);
	wipe_stack();
}

#endif /* CC_BUILD_VECTORS */
