// SPDX-License-Identifier: MIT
/* Common divisors and multiples, inverses, symbols. */
#include "mpz.h"

#include "../../src/natural/jacobi.h"

void mpz_gcd(mpz_ptr g, mpz_srcptr a, mpz_srcptr b)
{
	size_t an = mpz_length(a), bn = mpz_length(b), longer = an > bn ? an : bn, n;
	struct temporary t;
	mp_ptr words;

	words = temporary_open(&t, longer + cc_natural_gcd_scratch(an, bn));
	n = cc_natural_gcd(words, a->_mp_d, an, b->_mp_d, bn, words + longer);
	memcpy(mpz_room(g, n), words, n * sizeof(mp_limb_t));
	g->_mp_size = (int)n;
	temporary_close(&t);
}

/* The gcd of two words that are not 0. */
static mp_limb_t gcd_words(mp_limb_t a, mp_limb_t b)
{
	unsigned int zeros = cc_word_ctz(a | b);

	a >>= cc_word_ctz(a);
	do {
		mp_limb_t less;

		b >>= cc_word_ctz(b);
		less = a < b ? a : b;
		b = a < b ? b - a : a - b;
		a = less;
	} while (b);
	return a << zeros;
}

unsigned long mpz_gcd_ui(mpz_ptr g, mpz_srcptr a, unsigned long b)
{
	size_t an = mpz_length(a);
	mp_limb_t d;

	if (!b) {
		if (g)
			mpz_abs(g, a);
		return an == 1 && a->_mp_d[0] <= ULONG_MAX ? (unsigned long)a->_mp_d[0] : 0;
	}
	d = an ? cc_limbs_mod_1(a->_mp_d, an, b) : 0;
	d = d ? gcd_words(b, d) : b;
	if (g) {
		mpz_room(g, 1)[0] = d;
		g->_mp_size = 1;
	}
	return (unsigned long)d;
}

/* s and t may be NULL. */
void mpz_gcdext(mpz_ptr g, mpz_ptr s, mpz_ptr t, mpz_srcptr a, mpz_srcptr b)
{
	size_t an = mpz_length(a), bn = mpz_length(b), longer = an > bn ? an : bn;
	size_t sn = bn ? bn : 1, tn = an ? an : 1, n;
	int a_negative = a->_mp_size < 0, b_negative = b->_mp_size < 0, negative;
	struct temporary memory;
	mp_ptr words, s_words, t_words;

	words = temporary_open(&memory, longer + sn + tn + cc_natural_gcdext_scratch(an, bn));
	s_words = words + longer;
	t_words = s_words + sn;
	n = cc_natural_gcdext(words, s_words, t_words, &negative, a->_mp_d, an, b->_mp_d, bn,
			      t_words + tn);
	sn = cc_limbs_normalise(s_words, sn);
	tn = cc_limbs_normalise(t_words, tn);
	if (s) {
		memcpy(mpz_room(s, sn), s_words, sn * sizeof(mp_limb_t));
		mpz_close(s, sn, negative ^ a_negative);
	}
	if (t) {
		memcpy(mpz_room(t, tn), t_words, tn * sizeof(mp_limb_t));
		mpz_close(t, tn, !negative ^ b_negative);
	}
	if (g) {
		memcpy(mpz_room(g, n), words, n * sizeof(mp_limb_t));
		g->_mp_size = (int)n;
	}
	temporary_close(&memory);
}

void mpz_lcm(mpz_ptr r, mpz_srcptr a, mpz_srcptr b)
{
	__mpz_struct g = MPZ_INIT;

	if (!a->_mp_size || !b->_mp_size) {
		r->_mp_size = 0;
		return;
	}
	mpz_gcd(&g, a, b);
	mpz_divexact(&g, a, &g);
	mpz_mul(r, &g, b);
	r->_mp_size = (int)mpz_length(r);
	mpz_clear(&g);
}

void mpz_lcm_ui(mpz_ptr r, mpz_srcptr a, unsigned long b)
{
	if (!a->_mp_size || !b) {
		r->_mp_size = 0;
		return;
	}
	mpz_mul_ui(r, a, b / mpz_gcd_ui(NULL, a, b));
	r->_mp_size = (int)mpz_length(r);
}

int mpz_invert(mpz_ptr r, mpz_srcptr a, mpz_srcptr m)
{
	size_t an = mpz_length(a), n = mpz_length(m);
	struct temporary t;
	int exists;
	mp_ptr words;

	if (!n)
		return 0;
	words = temporary_open(&t, n + cc_natural_invert_scratch(an, n));
	exists = cc_natural_invert(words, a->_mp_d, an, m->_mp_d, n, words + n);
	if (exists) {
		/* modulo 1 it is 0, also of a negative number */
		if (a->_mp_size < 0 && cc_limbs_normalise(words, n))
			cc_limbs_sub(words, m->_mp_d, words, n);
		memcpy(mpz_room(r, n), words, n * sizeof(mp_limb_t));
		mpz_close(r, n, 0);
	}
	temporary_close(&t);
	return exists;
}

int mpz_jacobi(mpz_srcptr a, mpz_srcptr b)
{
	cc_bigint x = mpz_view(a), m = mpz_view(b);
	int symbol;

	if (cc_bigint_kronecker(&symbol, &x, &m, NULL))
		cc_gmp_no_memory(0);
	return symbol;
}

/* Words up to which an exact division is faster than the remainder. */
#define EXACT_MOST 12

/* (a[n] / b), or its negative, for an odd b. */
static int symbol_by_word(mp_srcptr a, size_t n, mp_limb_t b, int negative)
{
	/* a = -t B^n, where B is a square, and (-1 / b) is by b modulo 4 */
	if (n <= EXACT_MOST)
		return cc_jacobi_of_words(cc_limbs_exact_rest(a, n, b), b,
					  (unsigned int)negative ^ (unsigned int)(b >> 1 & 1));
	return cc_jacobi_of_words(cc_limbs_mod_1(a, n, b), b, (unsigned int)negative);
}

/* (a / |b|) for a word b that is not 0 */
static int symbol_over(mpz_srcptr a, mp_limb_t b, int b_negative)
{
	unsigned int zeros = cc_word_ctz(b);
	mp_limb_t low = a->_mp_size ? a->_mp_d[0] : 0;
	/* (a / -1) */
	int negative = b_negative && a->_mp_size < 0;

	if (zeros && !(low & 1))
		return 0;
	/* of an odd a, (a / 2) = (2 / |a|) */
	negative ^= (int)(zeros & ((low >> 1) ^ (low >> 2)) & 1);
	b >>= zeros;
	/* (-1 / b) */
	negative ^= a->_mp_size < 0 && (b >> 1 & 1);
	return symbol_by_word(a->_mp_d, mpz_length(a), b, negative);
}

/* (a / b) for a word |a| that is not 0 */
static int symbol_of(mp_limb_t a, int a_negative, mpz_srcptr b)
{
	unsigned int zeros = cc_word_ctz(a);
	size_t n = mpz_length(b);
	mp_limb_t low;
	struct word_view v;
	int negative;

	/* 0, or even: as any two numbers */
	if (!n || !(b->_mp_d[0] & 1)) {
		mpz_srcptr x = view_ui(&v, a);

		v.z._mp_size = a_negative ? -1 : 1;
		return mpz_jacobi(x, b);
	}
	low = b->_mp_d[0];
	negative = a_negative && b->_mp_size < 0;
	negative ^= a_negative && (low >> 1 & 1);
	negative ^= (int)(zeros & ((low >> 1) ^ (low >> 2)) & 1);
	a >>= zeros;
	negative ^= (int)((a & low) >> 1 & 1);
	return symbol_by_word(b->_mp_d, n, a, negative);
}

int mpz_kronecker_si(mpz_srcptr a, long b)
{
	struct word_view v;

	return b ? symbol_over(a, magnitude_si(b), b < 0) : mpz_jacobi(a, view_si(&v, b));
}

int mpz_kronecker_ui(mpz_srcptr a, unsigned long b)
{
	struct word_view v;

	return b ? symbol_over(a, b, 0) : mpz_jacobi(a, view_ui(&v, b));
}

int mpz_si_kronecker(long a, mpz_srcptr b)
{
	struct word_view v;

	return a ? symbol_of(magnitude_si(a), a < 0, b) : mpz_jacobi(view_si(&v, a), b);
}

int mpz_ui_kronecker(unsigned long a, mpz_srcptr b)
{
	struct word_view v;

	return a ? symbol_of(a, 0, b) : mpz_jacobi(view_ui(&v, a), b);
}
