// SPDX-License-Identifier: MIT
/*
 * r = b^e mod m, four at once, m odd: a fixed window, for each digit of which every entry of
 * the table is read, under a mask of the lanes that want it.
 *
 * What is secret is in the caller's scratch, or wiped.
 */
#include "../mask.h"
#include "many_avx2.h"
#include "tier_avx2.h"

#if CC_BUILD_VECTORS

#define LANES 4

/* x[d] = the digits of a[n], lane by lane */
static void load(__m256d *x, size_t d, const cc_word *const a[LANES], size_t n)
{
	real *to = (real *)x;
	size_t i, j;

	for (i = 0; i < d; i++)
		for (j = 0; j < LANES; j++)
			*to++ = i * DIGIT_BITS < n * CC_WORD_BITS
					? (double)(int64_t)cc_fixed_bits(a[j], n, i * DIGIT_BITS,
									 DIGIT_BITS)
					: 0;
}

/* a[n] = the digits of x, integers below 2^52 */
static void store(cc_word *const a[LANES], size_t n, const __m256i *x)
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
AVX2 static void set_one(__m256d *x, size_t d)
{
	memset(x, 0, d * sizeof(*x));
	x[0] = _mm256_set1_pd(1);
}

/* r[d] = in each lane the entry that it wants, every one read */
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

/* x = (x + q m) / 2^52 for the q that makes it one; at most m if x was; x[d] is 0 */
AVX2 static void divide(const struct cc_fixed_moduli *mod, __m256d *x)
{
	/* 2^62 makes a sum positive, of which what is carried then has 2^10 too much */
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

/* x[d] = x - m unless that is below 0, integers */
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

/* x = 2^(104 d) mod m, which is R in Montgomery's form; room[d] besides */
static void square_of_r(const struct cc_fixed_moduli *mod, __m256d *x, __m256d *room,
			const cc_word *const m[LANES], size_t n)
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
		cc_fixed_many_sqr_avx2(mod, x, x);
}

/* x = y^e in Montgomery's form, y = table[d ...]; the table's first entry is 1; t[d] is room */
AVX2 static void power_of(const struct cc_fixed_moduli *mod, __m256d *x, __m256d *table, __m256d *t,
			  const cc_word *const e[LANES], size_t bits, cc_word *wanted)
{
	size_t en = (bits + CC_WORD_BITS - 1) / CC_WORD_BITS, d = mod->d, at = bits, i, j;
	unsigned int width = cc_fixed_window(bits, false), take;
	size_t entries = (size_t)1 << width;

	for (i = 2; i < entries; i++)
		cc_fixed_many_mul_avx2(mod, table + i * d, table + (i - 1) * d, table + d);
	memcpy(x, table, d * sizeof(*x));
	while (at) {
		/* the top digit is narrower unless the window divides the bits */
		take = at % width ? (unsigned int)(at % width) : width;
		at -= take;
		for (i = 0; i < take; i++)
			cc_fixed_many_sqr_avx2(mod, x, x);
		for (j = 0; j < LANES; j++)
			wanted[j] = cc_fixed_bits(e[j], en, at, take);
		look_up(t, table, entries, d, _mm256_load_si256((const __m256i *)wanted));
		cc_fixed_many_mul_avx2(mod, x, x, t);
	}
}

/* R >= 16 2^(64 n) > 9 m */
static size_t digits_of(size_t n)
{
	size_t d = (n * CC_WORD_BITS + 4 + DIGIT_BITS - 1) / DIGIT_BITS;

	return (d + COLUMNS - 1) / COLUMNS * COLUMNS;
}

size_t cc_fixed_radix_8_avx2(size_t n)
{
	return DIGIT_BITS * digits_of(n);
}

/* Zeroes where the products kept what found no register: below 700 bytes, by gcc 12 and clang 14.
 */
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
	/* n[d] remains, the 0 before q */
	set_one(mod.n, d + 1);
	divide(&mod, mod.n);
	divide(&mod, mod.n);

	/* 1 and b in Montgomery's form: b < R / 16 and y < 3 m, so that b y / R < m */
	if (power->in[0])
		load(y, d, power->in, n);
	else
		square_of_r(&mod, y, table, power->m, n);
	set_one(x, d);
	cc_fixed_many_mul_avx2(&mod, table, x, y);
	load(x, d, power->b, n);
	cc_fixed_many_mul_avx2(&mod, table + d, x, y);

	power_of(&mod, x, table, y, power->e, bits, lanes);

	/* ...and back: below 3 m / R + 2 m, so at most 2 m */
	set_one(y, d);
	cc_fixed_many_mul_avx2(&mod, x, x, y);
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
