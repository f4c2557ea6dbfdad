// SPDX-License-Identifier: MIT
/* Products, their sums, and those by powers of two. */
#include "mpz.h"

#include "../pool.h"

/* r = |x| |y|, negative or not */
static void multiply(mpz_ptr r, mpz_srcptr x, mpz_srcptr y, int negative)
{
	size_t an = mpz_length(x), bn = mpz_length(y), shared, scratch;
	struct temporary t;
	mp_srcptr a, b;
	mp_ptr words, work;
	int square;

	mpz_longer_first(&x, &an, &y, &bn);
	if (!bn) {
		r->_mp_size = 0;
		return;
	}
	words = mpz_room(r, an + bn);
	a = x->_mp_d;
	b = y->_mp_d;
	if (bn == 1) {
		mp_limb_t above = an == 1 ? 0 : b[0];

		if (an == 1)
			words[0] = cc_word_mul(&above, a[0], b[0]);
		else
			above = cc_limbs_mul_1(words, a, an, above);
		words[an] = above;
		an += above != 0;
		r->_mp_size = negative ? -(int)an : (int)an;
		return;
	}
	square = a == b && an == bn;
	shared = (words == a ? an : 0) + (words == b && !square ? bn : 0);
	scratch = square ? cc_natural_sqr_scratch(an) : cc_natural_mul_scratch(an, bn);
	work = temporary_open(&t, shared + scratch);
	if (square) {
		a = apart(a, an, words, &work);
		cc_pool_sqr(words, a, an, work);
	} else {
		a = apart(a, an, words, &work);
		b = apart(b, bn, words, &work);
		cc_pool_mul(words, a, an, b, bn, work);
	}
	temporary_close(&t);
	an += bn;
	an -= !words[an - 1];
	r->_mp_size = negative ? -(int)an : (int)an;
}

void mpz_mul(mpz_ptr r, mpz_srcptr x, mpz_srcptr y)
{
	multiply(r, x, y, (x->_mp_size ^ y->_mp_size) < 0);
}

static inline void multiply_word(mpz_ptr r, mpz_srcptr x, mp_limb_t y, int negative)
{
	size_t n = mpz_length(x);
	mp_limb_t above;
	mp_ptr words;

	if (!n || !y) {
		r->_mp_size = 0;
		return;
	}
	words = mpz_room(r, n + 1);
	above = cc_limbs_mul_1(words, x->_mp_d, n, y);
	words[n] = above;
	n += above != 0;
	r->_mp_size = negative ? -(int)n : (int)n;
}

void mpz_mul_ui(mpz_ptr r, mpz_srcptr x, unsigned long y)
{
	multiply_word(r, x, y, x->_mp_size < 0);
}

void mpz_mul_si(mpz_ptr r, mpz_srcptr x, long y)
{
	multiply_word(r, x, magnitude_si(y), (x->_mp_size < 0) != (y < 0));
}

/* r += |x| y, or r -= |x| y if @negative */
static void addmul_word(mpz_ptr r, mpz_srcptr x, mp_limb_t y, int negative)
{
	size_t xn = mpz_length(x), rn = mpz_length(r), n, i;
	mp_limb_t above;
	mp_ptr words;

	if (!xn || !y)
		return;
	if (!rn) {
		multiply_word(r, x, y, negative);
		return;
	}
	n = xn > rn ? xn : rn;
	words = mpz_room(r, n + 1);
	if ((r->_mp_size < 0) == negative && xn <= rn) {
		above = cc_limbs_addmul_1(words, x->_mp_d, xn, y);
		above = words_add_1(words + xn, words + xn, rn - xn, above);
		words[rn] = above;
		rn += above != 0;
		r->_mp_size = negative ? -(int)rn : (int)rn;
		return;
	}
	if ((r->_mp_size < 0) == negative) {
		memset(words + rn, 0, (n + 1 - rn) * sizeof(mp_limb_t));
		above = cc_limbs_addmul_1(words, x->_mp_d, xn, y);
		cc_limbs_add_1(words + xn, words + xn, n + 1 - xn, above);
		mpz_close(r, n + 1, negative);
		return;
	}
	memset(words + rn, 0, (n - rn) * sizeof(mp_limb_t));
	above = cc_limbs_submul_1(words, x->_mp_d, xn, y);
	above = words_sub_1(words + xn, words + xn, n - xn, above);
	if (!above) {
		mpz_close(r, n, !negative);
		return;
	}
	/* below 0: in two's complement */
	words[n] = 0 - above;
	for (i = 0; i <= n; i++)
		words[i] = ~words[i];
	(void)words_add_1(words, words, n + 1, 1);
	mpz_close(r, n + 1, negative);
}

void mpz_addmul_ui(mpz_ptr r, mpz_srcptr x, unsigned long y)
{
	addmul_word(r, x, y, x->_mp_size < 0);
}

void mpz_submul_ui(mpz_ptr r, mpz_srcptr x, unsigned long y)
{
	addmul_word(r, x, y, x->_mp_size >= 0);
}

/* r += |x| |y|, or r -= that if @negative */
static void addmul(mpz_ptr r, mpz_srcptr x, mpz_srcptr y, int negative)
{
	size_t an = mpz_length(x), bn = mpz_length(y), scratch;
	struct temporary t;
	__mpz_struct product;

	mpz_longer_first(&x, &an, &y, &bn);
	if (bn <= 1) {
		addmul_word(r, x, bn ? y->_mp_d[0] : 0, negative);
		return;
	}
	if (!r->_mp_size) {
		multiply(r, x, y, negative);
		return;
	}
	scratch = x == y ? cc_natural_sqr_scratch(an) : cc_natural_mul_scratch(an, bn);
	product._mp_alloc = 0;
	product._mp_d = temporary_open(&t, an + bn + scratch);
	if (x == y)
		cc_pool_sqr(product._mp_d, x->_mp_d, an, product._mp_d + 2 * an);
	else
		cc_pool_mul(product._mp_d, x->_mp_d, an, y->_mp_d, bn, product._mp_d + an + bn);
	mpz_close(&product, an + bn, negative);
	mpz_add(r, r, &product);
	temporary_close(&t);
}

void mpz_addmul(mpz_ptr r, mpz_srcptr x, mpz_srcptr y)
{
	addmul(r, x, y, (x->_mp_size ^ y->_mp_size) < 0);
}

void mpz_submul(mpz_ptr r, mpz_srcptr x, mpz_srcptr y)
{
	addmul(r, x, y, (x->_mp_size ^ y->_mp_size) >= 0);
}

void mpz_mul_2exp(mpz_ptr r, mpz_srcptr x, mp_bitcnt_t bits)
{
	size_t n = mpz_length(x), low = bits / GMP_LIMB_BITS;
	mp_limb_t above;
	mp_ptr words;
	int negative = x->_mp_size < 0;

	if (!n) {
		r->_mp_size = 0;
		return;
	}
	words = mpz_room(r, n + low + 1);
	above = cc_limbs_lshift(words + low, x->_mp_d, n, bits % GMP_LIMB_BITS);
	memset(words, 0, low * sizeof(mp_limb_t));
	words[n + low] = above;
	n += low + (above != 0);
	r->_mp_size = negative ? -(int)n : (int)n;
}
