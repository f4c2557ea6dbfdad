// SPDX-License-Identifier: MIT
/* From and to the machine's numbers. */
#include "mpz.h"

#include <float.h>

void mpz_set(mpz_ptr r, mpz_srcptr x)
{
	size_t n = mpz_length(x);
	mp_ptr words;

	if (r == x)
		return;
	words = mpz_room(r, n);
	cc_copy_words(words, x->_mp_d, n);
	r->_mp_size = x->_mp_size;
}

void mpz_set_ui(mpz_ptr r, unsigned long x)
{
	mpz_room(r, 1)[0] = x;
	r->_mp_size = x != 0;
}

void mpz_set_si(mpz_ptr r, long x)
{
	mpz_set_ui(r, magnitude_si(x));
	if (x < 0)
		r->_mp_size = -1;
}

void mpz_init_set(mpz_ptr r, mpz_srcptr x)
{
	mpz_init(r);
	mpz_set(r, x);
}

void mpz_init_set_ui(mpz_ptr r, unsigned long x)
{
	mpz_init(r);
	mpz_set_ui(r, x);
}

void mpz_init_set_si(mpz_ptr r, long x)
{
	mpz_init(r);
	mpz_set_si(r, x);
}

void mpz_init_set_d(mpz_ptr r, double x)
{
	mpz_init(r);
	mpz_set_d(r, x);
}

int mpz_init_set_str(mpz_ptr r, const char *s, int base)
{
	mpz_init(r);
	return mpz_set_str(r, s, base);
}

/* A word's bits, as a double's exponent has them: 2^GMP_LIMB_BITS. */
#define WORD_RANGE ((double)((mp_limb_t)1 << (GMP_LIMB_BITS - 1)) * 2)

/*
 * |x|, truncated, as words[DOUBLE_WORDS], of which it returns how many are in use, for a finite x
 * whose exponent is split off: *zeros words of zeros are below.
 */
#define DOUBLE_WORDS (DBL_MANT_DIG / GMP_LIMB_BITS + 2)

static size_t double_words(mp_limb_t *words, size_t *zeros, double x)
{
	size_t above = 0, n = 0, i;
	mp_limb_t top[DOUBLE_WORDS];

	*zeros = 0;
	if (x < 0)
		x = -x;
	if (x != x || x > DBL_MAX)
		cc_gmp_invalid_argument();
	if (x < 1)
		return 0;
	/* dividing by a power of two is exact for what is this large */
	for (; x >= WORD_RANGE; x /= WORD_RANGE)
		above++;
	for (n = 0; n <= above && n < DOUBLE_WORDS; n++) {
		top[n] = (mp_limb_t)x;
		x = (x - (double)top[n]) * WORD_RANGE;
	}
	*zeros = above + 1 - n;
	for (i = 0; i < n; i++)
		words[i] = top[n - 1 - i];
	return n;
}

void mpz_set_d(mpz_ptr r, double x)
{
	mp_limb_t words[DOUBLE_WORDS];
	size_t zeros, n = double_words(words, &zeros, x);
	mp_ptr room = mpz_room(r, zeros + n);

	memset(room, 0, zeros * sizeof(mp_limb_t));
	memcpy(room + zeros, words, n * sizeof(mp_limb_t));
	mpz_close(r, n ? zeros + n : 0, x < 0);
}

int mpz_cmpabs_d(mpz_srcptr x, double y)
{
	mp_limb_t words[DOUBLE_WORDS];
	size_t zeros, n, xn = mpz_length(x);
	double rest;
	int order;

	if (y != y)
		cc_gmp_invalid_argument();
	if (y < 0)
		y = -y;
	if (y > DBL_MAX)
		return -1;
	n = double_words(words, &zeros, y);
	if (xn != zeros + n)
		return xn < zeros + n ? -1 : 1;
	order = n ? cc_limbs_cmp(x->_mp_d + zeros, words, n) : 0;
	if (order)
		return order;
	if (cc_limbs_normalise(x->_mp_d, zeros))
		return 1;
	/* what is below 1, of a y that is below 2^53 then */
	rest = y;
	while (n--) {
		double part = (double)words[n];
		size_t i;

		for (i = 0; i < n + zeros; i++)
			part *= WORD_RANGE;
		rest -= part;
	}
	return rest > 0 ? -1 : 0;
}

int mpz_cmp_d(mpz_srcptr x, double y)
{
	if (y != y)
		cc_gmp_invalid_argument();
	if (x->_mp_size < 0)
		return y < 0 ? -mpz_cmpabs_d(x, y) : -1;
	return y < 0 ? 1 : mpz_cmpabs_d(x, y);
}

long mpz_get_si(mpz_srcptr x)
{
	unsigned long low = mpz_get_ui(x);

	/* of what does not fit the low bits, with x's sign */
	if (x->_mp_size < 0)
		return -(long)((low - 1) & LONG_MAX) - 1;
	return (long)(low & LONG_MAX);
}

/* |x|'s top DBL_MANT_DIG bits as an integer, in *@bits how many are below. */
static double top_bits(mpz_srcptr x, mp_bitcnt_t *bits)
{
	size_t n = mpz_length(x), at;
	mp_bitcnt_t total = words_bits(x->_mp_d, n), drop;
	double value = 0, scale = 1;
	unsigned int low;

	drop = total > DBL_MANT_DIG ? total - DBL_MANT_DIG : 0;
	*bits = drop;
	low = drop % GMP_LIMB_BITS;
#if GMP_LIMB_BITS >= DBL_MANT_DIG
	if (n) {
		/* they fit one word */
		mp_limb_t word = x->_mp_d[drop / GMP_LIMB_BITS] >> low;

		if (low && drop / GMP_LIMB_BITS + 1 < n)
			word |= x->_mp_d[n - 1] << (GMP_LIMB_BITS - low);
		return (double)word;
	}
#endif
	for (at = drop / GMP_LIMB_BITS; at < n; at++) {
		mp_limb_t word = x->_mp_d[at];

		/* what is truncated is a bit less than a whole word, so no rounding below */
		if (at == drop / GMP_LIMB_BITS)
			word = word >> low << low;
		value += (double)word * scale;
		scale *= WORD_RANGE;
	}
	return value / (double)((mp_limb_t)1 << low);
}

/* value * 2^exponent, for a value of DBL_MANT_DIG bits or less; infinite above, 0 below */
static double scaled(double value, mp_bitcnt_t exponent)
{
	if (exponent > 2 * DBL_MAX_EXP)
		exponent = 2 * DBL_MAX_EXP;
	for (; exponent >= 256; exponent -= 256)
		value *= 0x1p256;
	for (; exponent >= 32; exponent -= 32)
		value *= 4294967296.0;
	return value * (double)((uint64_t)1 << exponent);
}

/* 2^exponent, for an exponent of a normal number that is not below 0 */
static inline double power_of_two(mp_bitcnt_t exponent)
{
#if DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024
	uint64_t bits = (uint64_t)(exponent + DBL_MAX_EXP - 1) << (DBL_MANT_DIG - 1);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
#else
	return scaled(1, exponent);
#endif
}

double mpz_get_d(mpz_srcptr x)
{
	mp_bitcnt_t exponent;
	double value = top_bits(x, &exponent);

	value = exponent < DBL_MAX_EXP ? value * power_of_two(exponent) : scaled(value, exponent);
	return x->_mp_size < 0 ? -value : value;
}

double mpz_get_d_2exp(long *exponent, mpz_srcptr x)
{
	mp_bitcnt_t below, total = words_bits(x->_mp_d, mpz_length(x));
	double value = top_bits(x, &below) / (double)((uint64_t)1 << (total - below));

	*exponent = (long)total;
	return x->_mp_size < 0 ? -value : value;
}
