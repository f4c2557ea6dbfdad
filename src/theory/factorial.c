// SPDX-License-Identifier: MIT
/*
 * Factorials, primorials and binomial coefficients by their prime factors.
 *
 * n! = (n / 2)!^2 s for the swing s = n! / (n / 2)!^2, n / 2 rounded down.  A prime p divides s as
 * often as n / p^i is odd for i = 1, 2, ... (P. Luschny, prime swing; Legendre's formula).  It
 * divides C(n, k) as often as adding k and n - k carries in base p (Kummer 1852).
 */
#include <carrychain/theory.h>

#include "../natural/sieve.h"
#include "../natural/word_product.h"

#include "product.h"
#include "small.h"

/* Below it, factorials are products of the numbers themselves. */
#define SWING_LEAST 1024
/* Primes up to n give a coefficient of at most n bits; few factors are multiplied themselves. */
#define FEW_FACTORS 24

/* The sieve, and the words of factors with so many bits. */
static int open_memory(cc_word **memory, struct cc_factors *f, uint64_t n, uint64_t bits)
{
	uint64_t words = n / (2 * CC_WORD_BITS) + 2 + cc_factors_words(bits);

	if (n > SIZE_MAX / 2 || words > PTRDIFF_MAX / sizeof(cc_word))
		return CC_ENOMEM;
	*memory = CC_ALLOC((size_t)words * sizeof(cc_word));
	if (!*memory)
		return CC_ENOMEM;
	f->words = *memory + cc_sieve_words((size_t)n + 1);
	cc_factors_begin(f);
	return CC_OK;
}

static void add_swing(struct cc_factors *f, const cc_word *sieve, size_t limit, size_t n)
{
	size_t p, q;

	for (p = 3; p <= n; p = cc_sieve_next(sieve, limit, p)) {
		if (p > n / p) {
			if (n / p & 1)
				cc_factors_add(f, p);
			continue;
		}
		for (q = n / p; q; q /= p)
			if (q & 1)
				cc_factors_add(f, p);
	}
}

/* r = the odd part of n! */
static int odd_factorial(cc_bigint *r, size_t n, struct cc_watch *w)
{
	cc_bigint swing = CC_BIGINT_INIT, square = CC_BIGINT_INIT;
	unsigned int level = 0;
	struct cc_factors f;
	cc_word *sieve;
	size_t i;
	int err;

	/* a swing has less than n + log2 n bits, the first product less than SWING_LEAST words */
	err = open_memory(&sieve, &f, n, (uint64_t)n + SWING_LEAST * CC_WORD_BITS);
	if (err)
		return err;
	while (n >> level >= SWING_LEAST)
		level++;
	for (i = 2; i <= n >> level; i++)
		cc_factors_add(&f, (cc_word)i >> cc_word_ctz((cc_word)i));
	err = cc_factors_product(r, &f, w);
	if (level)
		cc_sieve(sieve, n + 1);
	while (level-- && !err) {
		cc_factors_begin(&f);
		add_swing(&f, sieve, n + 1, n >> level);
		err = cc_factors_product(&swing, &f, w);
		if (!err)
			err = cc_room_sqr(&square, r, w);
		if (!err)
			err = cc_room_mul(r, &square, &swing, w);
	}
	CC_FREE(sieve);
	cc_bigint_clear(&swing);
	cc_bigint_clear(&square);
	return err;
}

/* r = x, whose words it gets, if there was no error */
static int done(cc_bigint *r, cc_bigint *x, int err)
{
	if (!err)
		cc_bigint_swap(r, x);
	cc_bigint_clear(x);
	return err;
}

static __attribute__((__noinline__)) int long_factorial(cc_bigint *r, uint64_t n,
							const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	cc_bigint odd = CC_BIGINT_INIT;
	uint64_t twos = 0, left;
	int err;

	err = n > SIZE_MAX / 2 ? CC_ENOMEM : odd_factorial(&odd, (size_t)n, &w);
	for (left = n / 2; left; left /= 2)
		twos += left;
	if (!err)
		err = cc_bigint_shl(&odd, &odd, twos);
	return done(r, &odd, err);
}

int cc_theory_factorial(cc_bigint *r, uint64_t n, const struct cc_progress *progress)
{
	return n <= CC_SMALL_FACTORIAL ? cc_small_factorial(r, (unsigned int)n)
				       : long_factorial(r, n, progress);
}

/* The odd primes below @limit, word by word of the sieve. */
static void add_primes(struct cc_factors *f, const cc_word *sieve, size_t limit)
{
	size_t words = (limit / 2 + CC_WORD_BITS - 1) / CC_WORD_BITS, i;

	for (i = 0; i < words; i++) {
		cc_word primes = ~sieve[i];

		if (i == words - 1 && limit / 2 % CC_WORD_BITS)
			primes &= ((cc_word)1 << limit / 2 % CC_WORD_BITS) - 1;
		for (; primes; primes &= primes - 1)
			cc_factors_add(f, 2 * (i * CC_WORD_BITS + cc_word_ctz(primes)) + 1);
	}
}

static __attribute__((__noinline__)) int long_primorial(cc_bigint *r, uint64_t n,
							const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	cc_bigint product = CC_BIGINT_INIT;
	struct cc_factors f;
	cc_word *sieve;
	int err;

	/* below 4^n (Erdos) */
	err = n > SIZE_MAX / 4 ? CC_ENOMEM : open_memory(&sieve, &f, n, 2 * n);
	if (err)
		return err;
	cc_sieve(sieve, (size_t)n + 1);
	cc_factors_add(&f, 2);
	add_primes(&f, sieve, (size_t)n + 1);
	err = cc_factors_product(&product, &f, &w);
	CC_FREE(sieve);
	return done(r, &product, err);
}

int cc_theory_primorial(cc_bigint *r, uint64_t n, const struct cc_progress *progress)
{
	if (n < 2)
		return cc_bigint_set_u64(r, 1);
#if CC_WORD_BITS == 64
	if (n <= CC_SMALL_PRIMES)
		return cc_small_primorial(r, (unsigned int)n);
#endif
	return long_primorial(r, n, progress);
}

static void add_power(struct cc_factors *f, size_t p, size_t n, size_t k)
{
	size_t borrow = 0;

	if (p > n / p) {
		if (n % p < k % p)
			cc_factors_add(f, p);
		return;
	}
	for (; n; n /= p, k /= p) {
		borrow = n % p < k % p + borrow;
		if (borrow)
			cc_factors_add(f, p);
	}
}

static int by_primes(cc_bigint *r, size_t n, size_t k, struct cc_watch *w)
{
	struct cc_factors f;
	cc_word *sieve;
	size_t p;
	int err = open_memory(&sieve, &f, n, n);

	if (err)
		return err;
	cc_sieve(sieve, n + 1);
	add_power(&f, 2, n, k);
	for (p = 3; p <= n; p = cc_sieve_next(sieve, n + 1, p))
		add_power(&f, p, n, k);
	err = cc_factors_product(r, &f, w);
	CC_FREE(sieve);
	return err;
}

/* n (n - 1) ... (n - k + 1) / k!, for n of one word */
static int by_factors(cc_bigint *r, cc_word n, size_t k, const struct cc_progress *progress,
		      struct cc_watch *w)
{
	cc_bigint below = CC_BIGINT_INIT;
	struct cc_factors f;
	size_t i;
	int err;

	if (k > PTRDIFF_MAX / sizeof(cc_word) - 1)
		return CC_ENOMEM;
	f.words = CC_ALLOC((k + 1) * sizeof(cc_word));
	if (!f.words)
		return CC_ENOMEM;
	cc_factors_begin(&f);
	for (i = 0; i < k; i++)
		cc_factors_add(&f, n - i);
	err = cc_factors_product(r, &f, w);
	CC_FREE(f.words);
	if (!err)
		err = cc_theory_factorial(&below, k, progress);
	if (!err)
		err = cc_bigint_divexact(r, r, &below, progress);
	cc_bigint_clear(&below);
	return err;
}

/* The same for an n that is no word: each C(n, i + 1) = C(n, i) (n - i) / (i + 1) */
static int one_by_one(cc_bigint *r, uint64_t n, uint64_t k, const struct cc_progress *progress)
{
	cc_bigint x = CC_BIGINT_INIT;
	uint64_t i;
	int err = cc_bigint_set_u64(r, 1);

	for (i = 0; i < k && !err; i++) {
		err = cc_bigint_set_u64(&x, n - i);
		if (!err)
			err = cc_bigint_mul_watched(r, r, &x, progress);
		if (!err)
			err = cc_bigint_set_u64(&x, i + 1);
		if (!err)
			err = cc_bigint_divexact(r, r, &x, progress);
	}
	cc_bigint_clear(&x);
	return err;
}

/* For 2k <= n */
static __attribute__((__noinline__)) int long_binomial(cc_bigint *r, uint64_t n, uint64_t k,
						       const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	cc_bigint product = CC_BIGINT_INIT;
	int err;

	if (n > (cc_word)-1)
		err = one_by_one(&product, n, k, progress);
	else if (k > FEW_FACTORS && (cc_word)n / (cc_word)k < FEW_FACTORS)
		err = by_primes(&product, (size_t)n, (size_t)k, &w);
	else
		err = by_factors(&product, (cc_word)n, (size_t)k, progress, &w);
	return done(r, &product, err);
}

int cc_theory_binomial(cc_bigint *r, uint64_t n, uint64_t k, const struct cc_progress *progress)
{
	if (k > n)
		return cc_bigint_set_u64(r, 0);
	k = k < n - k ? k : n - k;
	if (n <= CC_SMALL_N)
		return cc_small_binomial(r, (unsigned int)n, (unsigned int)k);
#if CC_WORD_BITS == 64
#if CC_HAS_PAIR
	if (n <= CC_SMALL_PAIR)
		return cc_small_binomial_pair(r, (unsigned int)n, (unsigned int)k);
#endif
	if (k <= CC_SMALL_FACTORS)
		return cc_small_binomial_few(r, n, (unsigned int)k);
	if (n <= CC_SMALL_PRIMES)
		return cc_small_binomial_primes(r, (unsigned int)n, (unsigned int)k);
#endif
	return long_binomial(r, n, k, progress);
}
