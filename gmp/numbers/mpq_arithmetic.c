// SPDX-License-Identifier: MIT
/* Fractions' arithmetic, with common divisors taken out early (Knuth 4.5.1), and their order. */
#include "mpz.h"

/* r = x + y, or x - y */
static void add(mpq_ptr r, mpq_srcptr x, mpq_srcptr y,
		void (*function)(mpz_ptr r, mpz_srcptr x, mpz_srcptr y))
{
	mpz_t g, x_part, y_part, sum;

	mpz_inits(g, x_part, y_part, sum, NULL);
	mpz_gcd(g, mpq_denref(x), mpq_denref(y));
	if (!mpz_cmp_ui(g, 1)) {
		mpz_mul(x_part, mpq_numref(x), mpq_denref(y));
		mpz_mul(y_part, mpq_numref(y), mpq_denref(x));
		function(sum, x_part, y_part);
		mpz_mul(mpq_denref(r), mpq_denref(x), mpq_denref(y));
		mpz_swap(mpq_numref(r), sum);
	} else {
		/* only divisors of g may be common to the sum and the denominator */
		mpz_divexact(y_part, mpq_denref(y), g);
		mpz_mul(x_part, mpq_numref(x), y_part);
		mpz_divexact(sum, mpq_denref(x), g);
		mpz_mul(y_part, mpq_numref(y), sum);
		function(sum, x_part, y_part);
		mpz_divexact(x_part, mpq_denref(x), g);
		mpz_gcd(g, sum, g);
		mpz_divexact(y_part, mpq_denref(y), g);
		mpz_divexact(mpq_numref(r), sum, g);
		mpz_mul(mpq_denref(r), x_part, y_part);
	}
	mpz_clears(g, x_part, y_part, sum, NULL);
}

void mpq_add(mpq_ptr r, mpq_srcptr x, mpq_srcptr y)
{
	add(r, x, y, mpz_add);
}

void mpq_sub(mpq_ptr r, mpq_srcptr x, mpq_srcptr y)
{
	add(r, x, y, mpz_sub);
}

/* num / den = (a / b) (c / d), each in lowest terms */
static void multiply(mpq_ptr r, mpz_srcptr a, mpz_srcptr b, mpz_srcptr c, mpz_srcptr d)
{
	mpz_t g, h, left, right, den;

	mpz_inits(g, h, left, right, den, NULL);
	mpz_gcd(g, a, d);
	mpz_gcd(h, c, b);
	mpz_divexact(left, b, h);
	mpz_divexact(right, d, g);
	mpz_mul(den, left, right);
	mpz_divexact(left, a, g);
	mpz_divexact(right, c, h);
	mpz_mul(mpq_numref(r), left, right);
	mpz_swap(mpq_denref(r), den);
	mpz_clears(g, h, left, right, den, NULL);
}

void mpq_mul(mpq_ptr r, mpq_srcptr x, mpq_srcptr y)
{
	if (x == y) {
		/* a square has no new common divisors */
		mpz_mul(mpq_numref(r), mpq_numref(x), mpq_numref(x));
		mpz_mul(mpq_denref(r), mpq_denref(x), mpq_denref(x));
		return;
	}
	multiply(r, mpq_numref(x), mpq_denref(x), mpq_numref(y), mpq_denref(y));
}

void mpq_div(mpq_ptr r, mpq_srcptr x, mpq_srcptr y)
{
	if (!mpq_sgn(y))
		cc_gmp_division_by_zero();
	if (!mpq_sgn(x)) {
		mpq_set_ui(r, 0, 1);
		return;
	}
	multiply(r, mpq_numref(x), mpq_denref(x), mpq_denref(y), mpq_numref(y));
	if (mpq_denref(r)->_mp_size < 0) {
		mpq_denref(r)->_mp_size = -mpq_denref(r)->_mp_size;
		mpq_numref(r)->_mp_size = -mpq_numref(r)->_mp_size;
	}
}

/* num 2^bits / den, with the twos of den taken first */
static void shift(mpz_ptr r_num, mpz_ptr r_den, mpz_srcptr num, mpz_srcptr den, mp_bitcnt_t bits)
{
	mp_bitcnt_t twos;

	if (!num->_mp_size) {
		mpz_set(r_num, num);
		mpz_set_ui(r_den, 1);
		return;
	}
	twos = mpz_scan1(den, 0);
	twos = twos < bits ? twos : bits;
	mpz_mul_2exp(r_num, num, bits - twos);
	mpz_tdiv_q_2exp(r_den, den, twos);
}

void mpq_mul_2exp(mpq_ptr r, mpq_srcptr x, mp_bitcnt_t bits)
{
	shift(mpq_numref(r), mpq_denref(r), mpq_numref(x), mpq_denref(x), bits);
}

void mpq_div_2exp(mpq_ptr r, mpq_srcptr x, mp_bitcnt_t bits)
{
	if (!mpq_sgn(x))
		mpq_set_ui(r, 0, 1);
	else
		shift(mpq_denref(r), mpq_numref(r), mpq_denref(x), mpq_numref(x), bits);
}

void mpq_neg(mpq_ptr r, mpq_srcptr x)
{
	mpq_set(r, x);
	mpq_numref(r)->_mp_size = -mpq_numref(r)->_mp_size;
}

void mpq_abs(mpq_ptr r, mpq_srcptr x)
{
	mpq_set(r, x);
	mpq_numref(r)->_mp_size = (int)mpz_length(mpq_numref(r));
}

void mpq_inv(mpq_ptr r, mpq_srcptr x)
{
	if (!mpq_sgn(x))
		cc_gmp_division_by_zero();
	mpq_set(r, x);
	mpz_swap(mpq_numref(r), mpq_denref(r));
	if (mpq_denref(r)->_mp_size < 0) {
		mpq_denref(r)->_mp_size = -mpq_denref(r)->_mp_size;
		mpq_numref(r)->_mp_size = -mpq_numref(r)->_mp_size;
	}
}

int mpq_equal(mpq_srcptr x, mpq_srcptr y)
{
	return !mpz_cmp(mpq_numref(x), mpq_numref(y)) && !mpz_cmp(mpq_denref(x), mpq_denref(y));
}

/* The order of a / b and c / d for denominators above 0. */
static int compare(mpz_srcptr a, mpz_srcptr b, mpz_srcptr c, mpz_srcptr d)
{
	mp_bitcnt_t left, right;
	mpz_t x, y;
	int order;

	if (mpz_sgn(a) != mpz_sgn(c) || !mpz_sgn(a))
		return mpz_sgn(a) - mpz_sgn(c);
	/* a product of numbers has the sum of their bits, or one less */
	left = words_bits(a->_mp_d, mpz_length(a)) + words_bits(d->_mp_d, mpz_length(d));
	right = words_bits(c->_mp_d, mpz_length(c)) + words_bits(b->_mp_d, mpz_length(b));
	if (left > right + 1 || right > left + 1)
		return (left > right) == (mpz_sgn(a) > 0) ? 1 : -1;
	mpz_inits(x, y, NULL);
	mpz_mul(x, a, d);
	mpz_mul(y, c, b);
	order = mpz_cmp(x, y);
	mpz_clears(x, y, NULL);
	return order;
}

int mpq_cmp(mpq_srcptr x, mpq_srcptr y)
{
	return compare(mpq_numref(x), mpq_denref(x), mpq_numref(y), mpq_denref(y));
}

int mpq_cmp_z(mpq_srcptr x, mpz_srcptr y)
{
	struct word_view one;

	return compare(mpq_numref(x), mpq_denref(x), y, view_ui(&one, 1));
}

int mpq_cmp_ui(mpq_srcptr x, unsigned long num, unsigned long den)
{
	struct word_view n, d;

	if (!den)
		cc_gmp_division_by_zero();
	return compare(mpq_numref(x), mpq_denref(x), view_ui(&n, num), view_ui(&d, den));
}

int mpq_cmp_si(mpq_srcptr x, long num, unsigned long den)
{
	struct word_view n, d;

	if (!den)
		cc_gmp_division_by_zero();
	return compare(mpq_numref(x), mpq_denref(x), view_si(&n, num), view_ui(&d, den));
}
