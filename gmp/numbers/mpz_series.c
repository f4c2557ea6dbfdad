// SPDX-License-Identifier: MIT
/* Factorials, binomial coefficients, Fibonacci's and Lucas's numbers. */
#include <carrychain/fib.h>
#include <carrychain/theory.h>

#include "mpz.h"

#include "../../src/fib/table.h"
#include "../../src/limbs/kernels.h"
#include "../../src/theory/product.h"
#include "../../src/theory/small.h"

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

static unsigned int word_bits(unsigned long n)
{
	return GMP_LIMB_BITS - cc_word_clz(n | 1);
}

void mpz_fac_ui(mpz_ptr r, unsigned long n)
{
	cc_bigint made = CC_BIGINT_INIT;

	check_factors(n);
	if (n > CC_SMALL_FACTORIAL) {
		cc_mpz_take(r, &made, cc_theory_factorial(&made, n, NULL));
		return;
	}
	/* in r's own words, which suffice */
	made.capacity = n * word_bits(n) / GMP_LIMB_BITS + 2;
	made.words = mpz_room(r, made.capacity);
	if (cc_small_factorial(&made, (unsigned int)n))
		cc_gmp_no_memory(0);
	r->_mp_size = (int)made.length;
}

void mpz_primorial_ui(mpz_ptr r, unsigned long n)
{
	cc_bigint made = CC_BIGINT_INIT;

	check_bits(n, 1);
	cc_mpz_take(r, &made, cc_theory_primorial(&made, n, NULL));
}

/* Words of factors that are multiplied at once. */
#define FALLING_WORDS 64

/* r = @first times the product of @count numbers, the greatest n, each @step less than the one
 * before
 */
static void falling(mpz_ptr r, mp_limb_t first, unsigned long n, unsigned long step,
		    unsigned long count)
{
	mp_limb_t words[FALLING_WORDS];
	struct cc_factors f = {words, 1};
	cc_bigint made = CC_BIGINT_INIT;
	unsigned long half = count / 2;
	mpz_t low;

	/* cc_factors_words() of these and @first */
	if (count <= (FALLING_WORDS - 6) / 2 * GMP_LIMB_BITS / word_bits(n)) {
		words[0] = first;
		/* four at once, or two, which the products before needn't wait for */
		for (; n >> GMP_LIMB_BITS / 4 == 0 && count > 3; count -= 4, n -= 4 * step)
			cc_factors_add(&f, (mp_limb_t)n * (n - step) *
						   ((mp_limb_t)(n - 2 * step) * (n - 3 * step)));
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
	falling(r, first, n, step, half);
	falling(low, 1, n - half * step, step, count - half);
	mpz_mul(r, r, low);
	mpz_clear(low);
}

void mpz_mfac_uiui(mpz_ptr r, unsigned long n, unsigned long m)
{
	if (!m)
		cc_gmp_division_by_zero();
	check_factors(n / m);
	falling(r, 1, n, m, n / m + (n % m != 0));
}

/* An n!! that fits a word. */
#if GMP_LIMB_BITS == 64
#define WORD_2FAC   33
#define WORD_2FAC_P 0x57e22099c030d941u
#else
#define WORD_2FAC   19
#define WORD_2FAC_P 654729075u
#endif

/* (2k)!! = 2^k k!, (2k + 1)!! = 1 3 5 ... */
void mpz_2fac_ui(mpz_ptr r, unsigned long n)
{
	check_factors(n / 2);
	if (n & 1) {
		if (n > WORD_2FAC)
			falling(r, WORD_2FAC_P, n, 2, (n - WORD_2FAC) / 2);
		else
			falling(r, 1, n, 2, n / 2 + 1);
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

/* Up to so many words, and up to such a k, whose factorial is a word, by one factor at a time. */
#define SHORT_BINOMIAL 128
#define WORD_FACTORIAL (GMP_LIMB_BITS == 64 ? 20 : 12)

/* r = (top over k) for k > 1, a top[n] >= k, n > 1, and k n <= SHORT_BINOMIAL */
static void short_binomial(mpz_ptr r, mp_ptr top, size_t n, unsigned long k, int negative)
{
	const struct cc_limbs_kernels *kernels = cc_limbs_kernels();
	mp_limb_t room[2][SHORT_BINOMIAL], *product = room[0], *next = room[1], *made;
	mp_limb_t factorial = 1;
	size_t length = n;

	cc_copy_words(product, top, n);
	for (; k > 1; k--) {
		(void)words_sub_1(top, top, n, 1);
		kernels->mul_basecase(next, product, length, top, n);
		length += n;
		length -= !next[length - 1];
		made = next;
		next = product;
		product = made;
		factorial *= k;
	}
	mpn_divexact_1(mpz_room(r, length), product, (mp_size_t)length, factorial);
	mpz_close(r, length, negative);
}

void mpz_bin_ui(mpz_ptr r, mpz_srcptr n, unsigned long k)
{
	int negative = n->_mp_size < 0 && k & 1;
	size_t length = mpz_length(n);
	mp_limb_t words[SHORT_BINOMIAL / 2 + 1];
	mpz_t top, factorial;

	/* (-n over k) = (-1)^k (n + k - 1 over k) */
	if (length > 1 && k > 1 && k <= WORD_FACTORIAL && (length + 1) * k <= SHORT_BINOMIAL) {
		words[length] = words_add_1(words, n->_mp_d, length, n->_mp_size < 0 ? k - 1 : 0);
		length += words[length];
		short_binomial(r, words, length, k, negative);
		return;
	}
	mpz_init_set(top, n);
	if (n->_mp_size < 0) {
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

/* Up to here numbers are made on the stack. */
#define SHORT	    4096
#define SHORT_WORDS (SHORT / GMP_LIMB_BITS)

/* The last n whose F(n) is a word. */
#define WORD_FIB (GMP_LIMB_BITS == 64 ? CC_FIB_U64_MAX : 47)

/* f[n] = F(k) and before[n] = F(k - 1); t is work. */
struct fib_pair {
	mp_limb_t room[3][SHORT_WORDS + 1], *f, *before, *t;
	size_t n;
};

/* By two squares a bit of k <= SHORT, k > 0 (fib.c). */
static void fib_pair(struct fib_pair *p, unsigned long k)
{
	const struct cc_limbs_kernels *kernels = cc_limbs_kernels();
	unsigned int bits = 0;
	mp_ptr f, made;
	size_t n;

	while (k >> bits > WORD_FIB)
		bits++;
	p->f = p->room[0];
	p->before = p->room[1];
	p->t = p->room[2];
	p->f[0] = (mp_limb_t)cc_fib_table[k >> bits];
	p->before[0] = (mp_limb_t)cc_fib_table[(k >> bits) - 1];
	p->n = 1;
	for (; bits; bits--) {
		unsigned long j = k >> bits;

		n = 2 * p->n;
		kernels->sqr_basecase(p->t, p->f, p->n);
		kernels->sqr_basecase(p->f, p->before, p->n);
		/* F(2j - 1) */
		p->before[n] = cc_sum(p->before, p->t, p->f, n);
		/* F(2j + 1), greater than each of these squares */
		p->t[n] = cc_limbs_lshift(p->t, p->t, n, 2);
		p->t[n] -= cc_difference(p->t, p->t, p->f, n);
		if (j & 1)
			(void)words_sub_1(p->t, p->t, n + 1, 2);
		else
			(void)words_add_1(p->t, p->t, n + 1, 2);
		/* F(2j) */
		f = p->f;
		(void)cc_difference(f, p->t, p->before, n + 1);
		if (k >> (bits - 1) & 1) {
			made = p->before;
			p->before = f;
			p->f = p->t;
			p->t = made;
		}
		for (n++; !p->f[n - 1];)
			n--;
		p->n = n;
	}
}

/* r = F(n) for WORD_FIB < n <= SHORT: the last step is a product of two numbers of one length. */
static void short_fib(mpz_ptr r, unsigned long n)
{
	struct fib_pair p;
	mp_ptr words, x;
	size_t m;

	fib_pair(&p, n >> 1);
	m = p.n;
	words = mpz_room(r, 2 * m + 2);
	x = p.t;
	if (n & 1) {
		/* F(2k + 1) = (2a + b)(2a - b) + 2(-1)^k for a = F(k), b = F(k - 1) */
		p.f[m] = cc_limbs_lshift(p.f, p.f, m, 1);
		x[m] = p.f[m] + cc_sum(x, p.f, p.before, m);
		p.f[m] -= cc_difference(p.f, p.f, p.before, m);
	} else {
		/* F(2k) = a (a + 2b) */
		x[m] = cc_limbs_lshift(x, p.before, m, 1);
		x[m] += cc_sum(x, x, p.f, m);
		p.f[m] = 0;
	}
	m += x[m] != 0;
	cc_limbs_kernels()->mul_basecase(words, p.f, m, x, m);
	if (n & 1 && n >> 1 & 1)
		(void)words_sub_1(words, words, 2 * m, 2);
	else if (n & 1)
		(void)words_add_1(words, words, 2 * m, 2);
	mpz_close(r, 2 * m, 0);
}

void mpz_fib_ui(mpz_ptr f, unsigned long n)
{
	cc_bigint made = CC_BIGINT_INIT;

	if (n <= WORD_FIB) {
		mpz_set_ui(f, (unsigned long)cc_fib_table[n]);
	} else if (n <= SHORT) {
		short_fib(f, n);
	} else {
		check_bits(n, 2);
		cc_mpz_take(f, &made, cc_fib(&made, n));
	}
}

/* cc_lucas() needs fewer words than are here: those of two factors of n / 2 bits and a few more. */
void mpz_lucnum_ui(mpz_ptr l, unsigned long n)
{
	mp_limb_t words[SHORT_WORDS];
	cc_bigint made = CC_BIGINT_INIT;

	if (n > SHORT) {
		check_bits(n, 2);
		cc_mpz_take(l, &made, cc_lucas(&made, n, NULL));
		return;
	}
	made.words = words;
	made.capacity = SHORT_WORDS;
	if (cc_lucas(&made, n, NULL))
		cc_gmp_no_memory(0);
	cc_copy_words(mpz_room(l, made.length), made.words, made.length);
	l->_mp_size = (int)made.length;
}

/* L(n) = F(n) + 2 F(n - 1) */
void mpz_fib2_ui(mpz_ptr f, mpz_ptr before, unsigned long n)
{
	struct fib_pair p;

	if (n <= WORD_FIB) {
		mpz_set_ui(f, (unsigned long)cc_fib_table[n]);
		mpz_set_ui(before, n ? (unsigned long)cc_fib_table[n - 1] : 1);
	} else if (n <= SHORT) {
		fib_pair(&p, n);
		cc_copy_words(mpz_room(f, p.n), p.f, p.n);
		f->_mp_size = (int)p.n;
		cc_copy_words(mpz_room(before, p.n), p.before, p.n);
		mpz_close(before, p.n, 0);
	} else {
		mpz_fib_ui(f, n);
		mpz_lucnum_ui(before, n);
		mpz_sub(before, before, f);
		mpz_tdiv_q_2exp(before, before, 1);
	}
}

/* L(n) = F(n) + 2 F(n - 1), and L(n - 1) = 2 F(n) - F(n - 1) */
static void short_lucas(mpz_ptr l, mpz_ptr before, unsigned long n)
{
	struct fib_pair p;
	mp_ptr words;
	size_t m;

	fib_pair(&p, n);
	m = p.n;
	words = mpz_room(l, m + 1);
	words[m] = cc_limbs_lshift(words, p.before, m, 1);
	words[m] += cc_sum(words, words, p.f, m);
	mpz_close(l, m + 1, 0);
	words = mpz_room(before, m + 1);
	words[m] = cc_limbs_lshift(words, p.f, m, 1);
	words[m] -= cc_difference(words, words, p.before, m);
	mpz_close(before, m + 1, 0);
}

/* 2 L(n - 1) = 5 F(n) - L(n) */
void mpz_lucnum2_ui(mpz_ptr l, mpz_ptr before, unsigned long n)
{
	if (n && n <= SHORT) {
		short_lucas(l, before, n);
		return;
	}
	mpz_lucnum_ui(l, n);
	mpz_fib_ui(before, n);
	mpz_mul_ui(before, before, 5);
	mpz_sub(before, before, l);
	/* 0 - 2 of L(0) */
	mpz_tdiv_q_2exp(before, before, 1);
}
