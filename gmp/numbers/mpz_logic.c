// SPDX-License-Identifier: MIT
/* Logic on two's complement without end: -m is ~(m - 1). */
#include "mpz.h"

static size_t lowest_word(mpz_srcptr x)
{
	size_t low = 0;

	while (low < mpz_length(x) && !x->_mp_d[low])
		low++;
	return low;
}

/* bigint.h's function for two below 0, on r's own words: it takes them if they suffice, which one
 * more does. */
static void logic(mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
		  int (*function)(cc_bigint *r, const cc_bigint *x, const cc_bigint *y))
{
	size_t xn = mpz_length(x), yn = mpz_length(y), n = (xn > yn ? xn : yn) + 1;
	cc_bigint result = CC_BIGINT_INIT, a, b;

	result.words = mpz_room(r, n);
	result.capacity = n;
	a = mpz_view(x);
	b = mpz_view(y);
	(void)function(&result, &a, &b);
	r->_mp_size = result.negative ? -(int)result.length : (int)result.length;
}

/* So many words of a[n] from @from on, in r's place if they aren't there. */
static void copy_above(mp_ptr r, mp_srcptr a, size_t from, size_t n)
{
	if (r != a && from < n)
		cc_copy_words(r + from, a + from, n - from);
}

/*
 * With m's lowest word that is not 0 at @low, m - 1 has ones below it, that word less 1, and m's
 * words above.  r = x & -m = x & ~(m - 1) for x >= 0 and m > 0.
 */
static void and_minus(mpz_ptr r, mpz_srcptr x, mpz_srcptr m)
{
	size_t xn = mpz_length(x), mn = mpz_length(m), both = xn < mn ? xn : mn;
	size_t low = lowest_word(m);
	mp_ptr words;

	if (low >= xn) {
		r->_mp_size = 0;
		return;
	}
	words = mpz_room(r, xn);
	words[low] = x->_mp_d[low] & (0 - m->_mp_d[low]);
	memset(words, 0, low * sizeof(mp_limb_t));
	low++;
	if (low < both)
		mpn_andn_n(words + low, x->_mp_d + low, m->_mp_d + low, (mp_size_t)(both - low));
	copy_above(words, x->_mp_d, mn, xn);
	mpz_close(r, xn, 0);
}

/* r = x | -m = -((m - 1 & ~x) + 1) */
static void or_minus(mpz_ptr r, mpz_srcptr x, mpz_srcptr m)
{
	size_t xn = mpz_length(x), mn = mpz_length(m), both = xn < mn ? xn : mn;
	size_t low = lowest_word(m), i;
	mp_ptr words = mpz_room(r, mn);
	mp_srcptr a = x->_mp_d, b = m->_mp_d;
	mp_limb_t word = (b[low] - 1) & ~(low < xn ? a[low] : 0);

	for (i = 0; i < low; i++)
		words[i] = ~(i < xn ? a[i] : 0);
	words[low++] = word;
	if (low < both)
		mpn_andn_n(words + low, b + low, a + low, (mp_size_t)(both - low));
	copy_above(words, b, low < xn ? both : low, mn);
	(void)words_add_1(words, words, mn, 1);
	mpz_close(r, mn, 1);
}

/* r = x ^ -m = -((m - 1 ^ x) + 1) */
static void xor_minus(mpz_ptr r, mpz_srcptr x, mpz_srcptr m)
{
	size_t xn = mpz_length(x), mn = mpz_length(m), both = xn < mn ? xn : mn;
	size_t low = lowest_word(m), n = xn > mn ? xn : mn, i;
	mp_ptr words = mpz_room(r, n + 1);
	mp_srcptr a = x->_mp_d, b = m->_mp_d;
	mp_limb_t word = (b[low] - 1) ^ (low < xn ? a[low] : 0);

	for (i = 0; i < low; i++)
		words[i] = ~(i < xn ? a[i] : 0);
	words[low++] = word;
	if (low < both)
		mpn_xor_n(words + low, a + low, b + low, (mp_size_t)(both - low));
	copy_above(words, xn > mn ? a : b, low < both ? both : low, n);
	words[n] = words_add_1(words, words, n, 1);
	mpz_close(r, n + 1, 1);
}

void mpz_and(mpz_ptr r, mpz_srcptr x, mpz_srcptr y)
{
	if (x->_mp_size >= 0 && y->_mp_size >= 0) {
		mp_size_t n = x->_mp_size < y->_mp_size ? x->_mp_size : y->_mp_size;
		mp_ptr words = mpz_room(r, (size_t)n);

		mpn_and_n(words, x->_mp_d, y->_mp_d, n);
		mpz_close(r, (size_t)n, 0);
	} else if (x->_mp_size >= 0) {
		and_minus(r, x, y);
	} else if (y->_mp_size >= 0) {
		and_minus(r, y, x);
	} else {
		logic(r, x, y, cc_bigint_and);
	}
}

/* Two that are not negative: the longer one's upper words stay. */
static inline void by_words(mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
			    void (*function)(mp_ptr, mp_srcptr, mp_srcptr, mp_size_t))
{
	size_t xn, yn;
	mp_ptr words;

	if (x->_mp_size < y->_mp_size) {
		mpz_srcptr longer = y;

		y = x;
		x = longer;
	}
	xn = (size_t)x->_mp_size;
	yn = (size_t)y->_mp_size;
	words = mpz_room(r, xn);
	function(words, x->_mp_d, y->_mp_d, (mp_size_t)yn);
	if (xn > yn && words != x->_mp_d)
		memcpy(words + yn, x->_mp_d + yn, (xn - yn) * sizeof(mp_limb_t));
	mpz_close(r, xn, 0);
}

void mpz_ior(mpz_ptr r, mpz_srcptr x, mpz_srcptr y)
{
	if (x->_mp_size >= 0 && y->_mp_size >= 0)
		by_words(r, x, y, cc_mpn_ior_n);
	else if (x->_mp_size >= 0)
		or_minus(r, x, y);
	else if (y->_mp_size >= 0)
		or_minus(r, y, x);
	else
		logic(r, x, y, cc_bigint_or);
}

void mpz_xor(mpz_ptr r, mpz_srcptr x, mpz_srcptr y)
{
	if (x->_mp_size >= 0 && y->_mp_size >= 0)
		by_words(r, x, y, cc_mpn_xor_n);
	else if (x->_mp_size >= 0)
		xor_minus(r, x, y);
	else if (y->_mp_size >= 0)
		xor_minus(r, y, x);
	else
		logic(r, x, y, cc_bigint_xor);
}

static unsigned int ones(mp_limb_t x)
{
	x -= x >> 1 & (GMP_NUMB_MAX / 3);
	x = (x & (GMP_NUMB_MAX / 5)) + (x >> 2 & (GMP_NUMB_MAX / 5));
	x = (x + (x >> 4)) & (GMP_NUMB_MAX / 17);
	return (unsigned int)(x * (GMP_NUMB_MAX / 255) >> (GMP_LIMB_BITS - 8));
}

mp_bitcnt_t mpz_popcount(mpz_srcptr x)
{
	return x->_mp_size < 0 ? ~(mp_bitcnt_t)0 : mpn_popcount(x->_mp_d, x->_mp_size);
}

mp_bitcnt_t mpz_hamdist(mpz_srcptr x, mpz_srcptr y)
{
	size_t xn = mpz_length(x), yn = mpz_length(y), i;
	mp_limb_t x_borrow = x->_mp_size < 0, y_borrow = y->_mp_size < 0;
	mp_bitcnt_t count = 0;

	if (x_borrow != y_borrow)
		return ~(mp_bitcnt_t)0;
	if (!x_borrow) {
		size_t both = xn < yn ? xn : yn;

		if (xn == yn)
			return mpn_hamdist(x->_mp_d, y->_mp_d, (mp_size_t)xn);
		count = mpn_hamdist(x->_mp_d, y->_mp_d, (mp_size_t)both);
		count += mpn_popcount(x->_mp_d + both, (mp_size_t)(xn - both));
		return count + mpn_popcount(y->_mp_d + both, (mp_size_t)(yn - both));
	}
	for (i = 0; i < xn || i < yn; i++) {
		mp_limb_t a = i < xn ? x->_mp_d[i] : 0, b = i < yn ? y->_mp_d[i] : 0;

		count += ones((a - x_borrow) ^ (b - y_borrow));
		x_borrow = x_borrow && !a;
		y_borrow = y_borrow && !b;
	}
	return count;
}

/* Word i of x in two's complement, for a negative x with its lowest word that is not 0 at @low. */
static inline mp_limb_t word_at(mpz_srcptr x, size_t i, size_t low)
{
	mp_limb_t word = i < mpz_length(x) ? x->_mp_d[i] : 0;

	if (x->_mp_size >= 0)
		return word;
	return i < low ? 0 : i == low ? 0 - word : ~word;
}

/* The first bit from there on that differs from @ones' bits. */
static mp_bitcnt_t scan(mpz_srcptr x, mp_bitcnt_t from, mp_limb_t all)
{
	size_t n = mpz_length(x), low = x->_mp_size < 0 ? lowest_word(x) : 0;
	size_t i = from / GMP_LIMB_BITS;
	mp_limb_t word;

	if (i >= n) /* only the sign's bits */
		return (x->_mp_size < 0) == (all != 0) ? ~(mp_bitcnt_t)0 : from;
	word = (word_at(x, i, low) ^ all) >> from % GMP_LIMB_BITS << from % GMP_LIMB_BITS;
	while (!word && ++i < n)
		word = word_at(x, i, low) ^ all;
	if (word)
		return (mp_bitcnt_t)i * GMP_LIMB_BITS + cc_word_ctz(word);
	return (x->_mp_size < 0) == (all != 0) ? ~(mp_bitcnt_t)0 : (mp_bitcnt_t)n * GMP_LIMB_BITS;
}

mp_bitcnt_t mpz_scan0(mpz_srcptr x, mp_bitcnt_t from)
{
	return scan(x, from, ~(mp_limb_t)0);
}

mp_bitcnt_t mpz_scan1(mpz_srcptr x, mp_bitcnt_t from)
{
	return scan(x, from, 0);
}

int mpz_tstbit(mpz_srcptr x, mp_bitcnt_t bit)
{
	size_t i = bit / GMP_LIMB_BITS;
	size_t low = x->_mp_size < 0 && i < mpz_length(x) ? lowest_word(x) : 0;

	return (int)(word_at(x, i, low) >> bit % GMP_LIMB_BITS & 1);
}

/* |x| += 2^bit */
static void add_bit(mpz_ptr x, mp_bitcnt_t bit)
{
	size_t n = mpz_length(x), i = bit / GMP_LIMB_BITS, longer = n > i ? n : i + 1;
	mp_ptr words = mpz_room(x, longer + 1);

	memset(words + n, 0, (longer + 1 - n) * sizeof(mp_limb_t));
	cc_limbs_add_1(words + i, words + i, longer + 1 - i, (mp_limb_t)1 << bit % GMP_LIMB_BITS);
	mpz_close(x, longer + 1, x->_mp_size < 0);
}

/* |x| -= 2^bit, which it is at least */
static void subtract_bit(mpz_ptr x, mp_bitcnt_t bit)
{
	size_t n = mpz_length(x), i = bit / GMP_LIMB_BITS;

	cc_limbs_sub_1(x->_mp_d + i, x->_mp_d + i, n - i, (mp_limb_t)1 << bit % GMP_LIMB_BITS);
	mpz_close(x, n, x->_mp_size < 0);
}

void mpz_setbit(mpz_ptr x, mp_bitcnt_t bit)
{
	size_t i = bit / GMP_LIMB_BITS;

	if (x->_mp_size > 0 && i < (size_t)x->_mp_size) {
		x->_mp_d[i] |= (mp_limb_t)1 << bit % GMP_LIMB_BITS;
		return;
	}
	if (mpz_tstbit(x, bit))
		return;
	if (x->_mp_size < 0)
		subtract_bit(x, bit);
	else
		add_bit(x, bit);
}

void mpz_clrbit(mpz_ptr x, mp_bitcnt_t bit)
{
	size_t i = bit / GMP_LIMB_BITS;

	if (x->_mp_size > 0 && i + 1 < (size_t)x->_mp_size) {
		x->_mp_d[i] &= ~((mp_limb_t)1 << bit % GMP_LIMB_BITS);
		return;
	}
	if (!mpz_tstbit(x, bit))
		return;
	if (x->_mp_size < 0)
		add_bit(x, bit);
	else
		subtract_bit(x, bit);
}

void mpz_combit(mpz_ptr x, mp_bitcnt_t bit)
{
	size_t i = bit / GMP_LIMB_BITS, n = (size_t)x->_mp_size;

	/* within a positive number, but for its top word */
	if (x->_mp_size > 0 && i + 1 < n)
		x->_mp_d[i] ^= (mp_limb_t)1 << bit % GMP_LIMB_BITS;
	else if (mpz_tstbit(x, bit))
		mpz_clrbit(x, bit);
	else
		mpz_setbit(x, bit);
}
