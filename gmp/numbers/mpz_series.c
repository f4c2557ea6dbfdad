// SPDX-License-Identifier: MIT
/* Factorials, binomial coefficients, Fibonacci's and Lucas's numbers. */
#include <carrychain/fib.h>
#include <carrychain/theory.h>

#include "mpz.h"

#include "../../src/theory/product.h"

/*
 * What no number can hold, 2^31 words or 2^37 bits, is refused before the work: n! > (n / e)^n, and
 * so is a product of that many different factors; C(n, k) >= 2^k for k <= n / 2; a primorial has
 * more than n bits (for n > 41, Rosser and Schoenfeld 1962), and F(n) and L(n) more than n / 2.
 */
static void check_bits(unsigned long bits, unsigned int times)
{
	if ((uint64_t)bits >> 37 >= times)
		cc_gmp_overflow();
}

static void check_factors(unsigned long count)
{
	if ((uint64_t)count >> 33)
		cc_gmp_overflow();
}

void mpz_fac_ui(mpz_ptr r, unsigned long n)
{
	cc_bigint made = CC_BIGINT_INIT;

	check_factors(n);
	cc_mpz_take(r, &made, cc_theory_factorial(&made, n, NULL));
}

void mpz_primorial_ui(mpz_ptr r, unsigned long n)
{
	cc_bigint made = CC_BIGINT_INIT;

	check_bits(n, 1);
	cc_mpz_take(r, &made, cc_theory_primorial(&made, n, NULL));
}

static unsigned int word_bits(unsigned long n)
{
	return GMP_LIMB_BITS - cc_word_clz(n | 1);
}

/* Words of factors that are multiplied at once. */
#define FALLING_WORDS 64

/* r = the product of @count numbers, the greatest n, each @step less than the one before */
static void falling(mpz_ptr r, unsigned long n, unsigned long step, unsigned long count)
{
	mp_limb_t words[FALLING_WORDS];
	struct cc_factors f = {words, 1};
	cc_bigint made = CC_BIGINT_INIT;
	unsigned long half = count / 2;
	mpz_t low;

	/* cc_factors_words() */
	if (count <= (FALLING_WORDS - 4) / 2 * GMP_LIMB_BITS / word_bits(n)) {
		words[0] = 1;
		/* two at once, which the products before needn't wait for */
		for (; n >> GMP_LIMB_BITS / 2 == 0 && count > 1; count -= 2, n -= 2 * step)
			cc_factors_add(&f, (mp_limb_t)n * (n - step));
		for (; count; count--, n -= step)
			cc_factors_add(&f, n);
		/* in r's own words, which suffice */
		made.words = mpz_room(r, f.n + 1);
		made.capacity = f.n + 1;
		if (cc_factors_product(&made, &f, NULL))
			cc_gmp_no_memory(0);
		r->_mp_size = (int)made.length;
		return;
	}
	mpz_init(low);
	falling(r, n, step, half);
	falling(low, n - half * step, step, count - half);
	mpz_mul(r, r, low);
	mpz_clear(low);
}

void mpz_mfac_uiui(mpz_ptr r, unsigned long n, unsigned long m)
{
	if (!m)
		cc_gmp_division_by_zero();
	check_factors(n / m);
	falling(r, n, m, n / m + (n % m != 0));
}

/* (2k)!! = 2^k k!, (2k + 1)!! = 1 3 5 ... */
void mpz_2fac_ui(mpz_ptr r, unsigned long n)
{
	check_factors(n / 2);
	if (n & 1) {
		falling(r, n, 2, n / 2 + 1);
		return;
	}
	mpz_fac_ui(r, n / 2);
	mpz_mul_2exp(r, r, n / 2);
}

void mpz_bin_uiui(mpz_ptr r, unsigned long n, unsigned long k)
{
	cc_bigint made = CC_BIGINT_INIT;

	if (k <= n)
		check_bits(k < n - k ? k : n - k, 1);
	cc_mpz_take(r, &made, cc_theory_binomial(&made, n, k, NULL));
}

/* r = n (n - 1) ... (n - count + 1) */
static void falling_long(mpz_ptr r, mpz_srcptr n, unsigned long count)
{
	unsigned long half = count / 2;
	mpz_t low;

	if (count == 1) {
		mpz_set(r, n);
		return;
	}
	mpz_init(low);
	mpz_sub_ui(low, n, half);
	falling_long(low, low, count - half);
	falling_long(r, n, half);
	mpz_mul(r, r, low);
	mpz_clear(low);
}

void mpz_bin_ui(mpz_ptr r, mpz_srcptr n, unsigned long k)
{
	int negative = n->_mp_size < 0 && k & 1;
	mpz_t top, factorial;

	mpz_init_set(top, n);
	if (n->_mp_size < 0) {
		/* (-n over k) = (-1)^k (n + k - 1 over k) */
		mpz_ui_sub(top, k, top);
		mpz_sub_ui(top, top, 1);
	}
	if (k && !mpz_fits_ulong_p(top))
		check_bits(k, 1);
	if (!k) {
		mpz_set_ui(r, 1);
	} else if (mpz_fits_ulong_p(top)) {
		mpz_bin_uiui(r, mpz_get_ui(top), k);
	} else {
		mpz_init(factorial);
		falling_long(r, top, k);
		mpz_fac_ui(factorial, k);
		mpz_divexact(r, r, factorial);
		mpz_clear(factorial);
	}
	if (negative)
		r->_mp_size = -r->_mp_size;
	mpz_clear(top);
}

/*
 * r = F(n) or L(n).  For n up to SHORT fib.h's functions need fewer words than are here: those of
 * two factors of n / 2 bits and a few more.
 */
#define SHORT	    4096
#define SHORT_WORDS (SHORT / GMP_LIMB_BITS)

static inline void by_index(mpz_ptr r, unsigned long n, int lucas)
{
	mp_limb_t words[SHORT_WORDS];
	cc_bigint made = CC_BIGINT_INIT;
	int err;

	if (n > SHORT) {
		check_bits(n, 2);
		err = lucas ? cc_lucas(&made, n, NULL) : cc_fib(&made, n);
		cc_mpz_take(r, &made, err);
		return;
	}
	made.words = words;
	made.capacity = SHORT_WORDS;
	if (lucas ? cc_lucas(&made, n, NULL) : cc_fib(&made, n))
		cc_gmp_no_memory(0);
	cc_copy_words(mpz_room(r, made.length), made.words, made.length);
	r->_mp_size = (int)made.length;
}

void mpz_fib_ui(mpz_ptr f, unsigned long n)
{
	by_index(f, n, 0);
}

void mpz_lucnum_ui(mpz_ptr l, unsigned long n)
{
	by_index(l, n, 1);
}

/* L(n) = F(n) + 2 F(n - 1) */
void mpz_fib2_ui(mpz_ptr f, mpz_ptr before, unsigned long n)
{
	mpz_fib_ui(f, n);
	mpz_lucnum_ui(before, n);
	mpz_sub(before, before, f);
	mpz_tdiv_q_2exp(before, before, 1);
}

/* 2 L(n - 1) = 5 F(n) - L(n) */
void mpz_lucnum2_ui(mpz_ptr l, mpz_ptr before, unsigned long n)
{
	mpz_lucnum_ui(l, n);
	mpz_fib_ui(before, n);
	mpz_mul_ui(before, before, 5);
	mpz_sub(before, before, l);
	/* 0 - 2 of L(0) */
	mpz_tdiv_q_2exp(before, before, 1);
}
