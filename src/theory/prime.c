// SPDX-License-Identifier: MIT
/*
 * The Baillie-PSW test.  One word: Miller and Rabin's test for bases that decide below B (Jaeschke
 * 1993; J. Sinclair 2011).  Up to CC_FZ_MAX words: in fixed.h's contexts, which are the fastest,
 * although they could keep secrets.  Beyond: natural.h's powers, and divisions.
 */
#include <carrychain/montgomery.h>
#include <carrychain/theory.h>

#include "../fixed/public.h"
#include "../limbs/divide.h"
#include "../natural/product.h"
#include "../natural/word_product.h"
#include "../platform.h"

#include "prime.h"

static inline cc_word doubled(cc_word x, cc_word c)
{
	return x >= c - x ? x - (c - x) : x + x;
}

/* Whether c = 2^s d + 1 passes for base 2, by doublings and squarings; one is B modulo c */
static bool passes_two(cc_word c, cc_word inverse, cc_word one)
{
	unsigned int s = cc_word_ctz(c - 1), bit;
	cc_word d = c >> s, x = doubled(one, c), minus = c - one;

	for (bit = CC_WORD_BITS - 1 - cc_word_clz(d); bit--;) {
		x = cc_word_product(x, x, c, inverse);
		if (d >> bit & 1)
			x = doubled(x, c);
	}
	if (x == one || x == minus)
		return true;
	while (--s) {
		x = cc_word_product(x, x, c, inverse);
		if (x == minus)
			return true;
	}
	return false;
}

/* Others that, with 2, decide. */
#if CC_WORD_BITS == 64
static const cc_word bases[] = {325, 9375, 28178, 450775, 9780504, 1795265022};
#else
static const cc_word bases[] = {7, 61};
#endif
#define BASES (sizeof(bases) / sizeof(*bases))

/* Whether c passes for each of them, at once: no power waits for another one. */
static bool passes_others(cc_word c, cc_word inverse, cc_word one)
{
	unsigned int s = cc_word_ctz(c - 1), bits, bit;
	cc_word d = c >> s, square = doubled(one, c), minus = c - one, base[BASES], x[BASES];
	bool passes[BASES], all = true;
	size_t i;

	/* B^2 is 2^CC_WORD_BITS in Montgomery's form, by squarings of 2 */
	for (bits = 1; bits < CC_WORD_BITS; bits *= 2)
		square = cc_word_product(square, square, c, inverse);
	for (i = 0; i < BASES; i++)
		x[i] = base[i] = cc_word_product(bases[i] % c, square, c, inverse);
	for (bit = CC_WORD_BITS - 1 - cc_word_clz(d); bit--;) {
#pragma GCC unroll 6
		for (i = 0; i < BASES; i++)
			x[i] = cc_word_product(x[i], x[i], c, inverse);
		if (!(d >> bit & 1))
			continue;
#pragma GCC unroll 6
		for (i = 0; i < BASES; i++)
			x[i] = cc_word_product(x[i], base[i], c, inverse);
	}
	for (i = 0; i < BASES; i++)
		passes[i] = !base[i] || x[i] == one || x[i] == minus;
	while (--s)
		for (i = 0; i < BASES; i++) {
			x[i] = cc_word_product(x[i], x[i], c, inverse);
			passes[i] |= x[i] == minus;
		}
	for (i = 0; i < BASES; i++)
		all &= passes[i];
	return all;
}

static bool is_prime_word(cc_word c)
{
	cc_word inverse = cc_limbs_inverse(c), one = (0 - c) % c;

	return passes_two(c, inverse, one) && passes_others(c, inverse, one);
}

#if CC_HAS_PAIR
/* 2 x modulo c */
static cc_pair twice(cc_pair x, cc_pair c)
{
	return x >= c - x ? x - (c - x) : x + x;
}

/* Whether c[2] passes for base 2, by doublings and squarings; c[1] is not 0 */
static bool passes_pair(const cc_word *words)
{
	cc_pair c = cc_pair_of(words), d = c - 1, one, minus, x;
	cc_pair inverse = cc_pair_inverse(c, cc_limbs_inverse(words[0]));
	unsigned int bits = 2 * CC_WORD_BITS - cc_word_clz(words[1]), s = 0, bit;

	/* B^2 modulo c, from the power of two below c on */
	one = (cc_pair)1 << (bits - 1);
	for (bit = bits - 1; bit < 2 * CC_WORD_BITS; bit++)
		one = twice(one, c);
	minus = c - one;
	for (; !(d & 1); d >>= 1)
		s++;
	x = twice(one, c);
	for (bit = bits - s - 1; bit--;) {
		x = cc_pair_product(x, x, c, inverse);
		if (d >> bit & 1)
			x = twice(x, c);
	}
	if (x == one || x == minus)
		return true;
	while (--s) {
		x = cc_pair_product(x, x, c, inverse);
		if (x == minus)
			return true;
	}
	return false;
}
#endif

/* Whether 2 is a witness of c by a context; memory has the context, and 3n words. */
static bool passes_fixed(const cc_word *c, size_t n, cc_word *memory)
{
	cc_word *x = memory + CC_FZ_MONT_WORDS(n), *minus = x + n, *d = minus + n;
	struct cc_fz_mont M;
	size_t zeros, s, en;

	(void)cc_fz_mont_init_public(&M, memory, c, n);
	/* d = (c - 1) / 2^s */
	memcpy(d, c, n * sizeof(*d));
	d[0]--;
	s = (size_t)cc_fz_trailing_zeros(d, n);
	zeros = s / CC_WORD_BITS;
	en = n - zeros;
	cc_limbs_rshift(d, d + zeros, en, s % CC_WORD_BITS);
	cc_limbs_sub(minus, c, M.one, n);
	cc_fz_addmod(x, M.one, M.one, c, n);
	cc_fz_mont_pow_public(x, x, d, cc_limbs_normalise(d, en), &M);
	if (!cc_limbs_cmp(x, M.one, n) || !cc_limbs_cmp(x, minus, n))
		return true;
	while (--s) {
		cc_fz_mont_sqr(x, x, &M);
		if (!cc_limbs_cmp(x, minus, n))
			return true;
	}
	return false;
}

static bool passes_few(const cc_word *c, size_t n, cc_word *memory)
{
#if CC_HAS_PAIR
	if (n == 2)
		return passes_pair(c);
#endif
	return passes_fixed(c, n, memory);
}

/* r = x y modulo c, for n words each; t has a product, its quotient, and what both take */
static void multiply(cc_word *r, const cc_word *x, const cc_word *y, const cc_word *c, size_t n,
		     cc_word *t, struct cc_watch *w)
{
	cc_word *q = t + 2 * n, *work = q + n + 1;

	if (x == y)
		cc_natural_sqr_watched(t, x, n, work, w);
	else
		cc_natural_mul_watched(t, x, n, y, n, work, w);
	if (!cc_watch_stopped(w))
		cc_natural_divrem_watched(q, r, t, 2 * n, c, n, work, w);
}

static size_t multiply_words(size_t n)
{
	return 3 * n + 1 +
	       cc_larger(cc_larger(cc_natural_mul_scratch(n, n), cc_natural_sqr_scratch(n)),
			 cc_natural_divrem_scratch(2 * n, n));
}

/* The same as passes_fixed(), without a context. */
static bool passes_long(const cc_word *c, size_t n, cc_word *memory, struct cc_watch *w)
{
	static const cc_word two = 2;
	cc_word *x = memory, *d = x + n, *t = d + n;
	size_t zeros = 0, s;

	memcpy(d, c, n * sizeof(*d));
	d[0]--;
	while (!d[zeros])
		zeros++;
	s = zeros * CC_WORD_BITS + cc_word_ctz(d[zeros]);
	cc_limbs_rshift(d, d + zeros, n - zeros, s % CC_WORD_BITS);
	cc_natural_powm_watched(x, &two, 1, d, n - zeros, c, n, t, w);
	/* 1, or -1 before the last squaring */
	if (cc_limbs_normalise(x, n) == 1 && x[0] == 1)
		return true;
	cc_limbs_sub_1(d, c, n, 1);
	while (!cc_watch_stopped(w)) {
		if (!cc_limbs_cmp(x, d, n))
			return true;
		if (!--s)
			break;
		multiply(x, x, x, c, n, t, w);
	}
	return false;
}

/* r = (x + y) / 2, x - y, modulo c */
static void half_sum(cc_word *r, const cc_word *x, const cc_word *y, const cc_word *c, size_t n)
{
	cc_word carry = cc_limbs_add(r, x, y, n);

	if (r[0] & 1)
		carry += cc_limbs_add(r, r, c, n);
	cc_limbs_rshift(r, r, n, 1);
	r[n - 1] |= carry << (CC_WORD_BITS - 1);
	if (carry > 1 || cc_limbs_cmp(r, c, n) >= 0)
		cc_limbs_sub(r, r, c, n);
}

static void subtract(cc_word *r, const cc_word *x, const cc_word *y, const cc_word *c, size_t n)
{
	if (cc_limbs_sub(r, x, y, n))
		cc_limbs_add(r, r, c, n);
}

/* r = x d modulo c for a small number |d| */
static void multiply_small(cc_word *r, const cc_word *x, cc_word d, bool negative, const cc_word *c,
			   size_t n, cc_word *t)
{
	cc_word *q = t + n + 1;

	t[n] = cc_limbs_mul_1(t, x, n, d);
	cc_natural_divrem(q, r, t, n + 1, c, n, q + 2);
	if (negative && cc_limbs_normalise(r, n))
		cc_limbs_sub(r, c, r, n);
}

/*
 * The strong Lucas test, as fixed's, for any length: from the top of (c + 1) / 2^s on,
 * U_2k = U_k V_k, V_2k = V_k^2 - 2 Q^k, and U_(k+1) = (U_k + V_k) / 2,
 * V_(k+1) = (D U_k + V_k) / 2.
 */
static bool is_lucas_long(const cc_word *c, size_t n, cc_word *memory, struct cc_watch *w)
{
	cc_word *u = memory, *v = u + n, *power = v + n, *e = power + n, *s = e + n, *t = s + n;
	size_t zeros = 0, at, bits;
	cc_word d = 5, q;
	bool negative = false;
	int symbol;

	for (;; d += 2, negative = !negative) {
		symbol = cc_natural_jacobi_watched(&d, 1, c, n, t, w);
		if (cc_watch_stopped(w))
			return false;
		if (negative && c[0] & 2)
			symbol = -symbol;
		if (symbol < 0)
			break;
		if (!symbol || (d == 41 && cc_natural_is_square_watched(c, n, t, w)))
			return false;
	}
	q = negative ? (d + 1) / 4 : (d - 1) / 4;
	/* c + 1, but for what is carried out of all ones, which no prime is here: 3 divides it */
	cc_limbs_add_1(e, c, n, 1);
	while (!(e[zeros / CC_WORD_BITS] >> zeros % CC_WORD_BITS & 1))
		zeros++;
	bits = cc_limbs_normalise(e, n);
	bits = bits * CC_WORD_BITS - cc_word_clz(e[bits - 1]);
	memset(u, 0, 3 * n * sizeof(*u));
	u[0] = v[0] = 1;
	power[0] = q;
	if (!negative)
		cc_limbs_sub(power, c, power, n);
	for (at = bits - 1; at-- > zeros && !cc_watch_stopped(w);) {
		multiply(u, u, v, c, n, t, w);
		multiply(v, v, v, c, n, t, w);
		subtract(v, v, power, c, n);
		subtract(v, v, power, c, n);
		multiply(power, power, power, c, n, t, w);
		if (!(e[at / CC_WORD_BITS] >> at % CC_WORD_BITS & 1) || cc_watch_stopped(w))
			continue;
		multiply_small(s, u, d, negative, c, n, t);
		half_sum(u, u, v, c, n);
		half_sum(v, v, s, c, n);
		multiply_small(power, power, q, !negative, c, n, t);
	}
	if (!cc_limbs_normalise(u, n))
		return !cc_watch_stopped(w);
	while (zeros-- && !cc_watch_stopped(w)) {
		if (!cc_limbs_normalise(v, n))
			return true;
		multiply(v, v, v, c, n, t, w);
		subtract(v, v, power, c, n);
		subtract(v, v, power, c, n);
		multiply(power, power, power, c, n, t, w);
	}
	return false;
}

/* Five numbers and what the longest of their steps takes. */
size_t cc_probable_prime_long_words(size_t n)
{
	size_t words = cc_larger(multiply_words(n), cc_natural_powm_scratch(1, n, n));

	words = cc_larger(words, cc_natural_jacobi_scratch(n, n));
	words = cc_larger(words, n + 3 + cc_natural_divrem_scratch(n + 1, n));
	return 5 * n + cc_larger(words, cc_natural_is_square_scratch(n));
}

int cc_probable_prime_long(const cc_word *c, size_t n, cc_word *memory, struct cc_watch *w)
{
	return passes_long(c, n, memory, w) && is_lucas_long(c, n, memory, w);
}

/* A context and 3n words. */
size_t cc_probable_prime_words(size_t n)
{
	if (n > CC_FZ_MAX)
		return cc_probable_prime_long_words(n);
	return n > 1 ? CC_FZ_MONT_WORDS(n) + 3 * n : 0;
}

int cc_probable_prime(int *prime, const cc_word *c, size_t n, cc_word *memory, struct cc_watch *w)
{
	if (n == 1)
		*prime = is_prime_word(c[0]);
	else if (n <= CC_FZ_MAX)
		*prime = passes_few(c, n, memory) && cc_fixed_is_lucas(c, n);
	else
		*prime = cc_probable_prime_long(c, n, memory, w);
	return cc_watch_stopped(w) ? CC_EINTR : CC_OK;
}

int cc_theory_is_prime(int *prime, const cc_bigint *x, const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	size_t n = x->length, words;
	cc_word *memory = NULL;
	int found = x->negative ? 0 : cc_fixed_is_prime_by_trial(x->words, n), err = CC_OK;

	if (found < 0) {
		words = cc_probable_prime_words(n);
		if (words) {
			memory = CC_ALLOC(words * sizeof(*memory));
			if (!memory)
				return CC_ENOMEM;
		}
		err = cc_probable_prime(&found, x->words, n, memory, &w);
		CC_FREE(memory);
	}
	if (!err)
		*prime = found;
	return err;
}
