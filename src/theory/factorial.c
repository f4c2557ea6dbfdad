// SPDX-License-Identifier: MIT
/*
 * Factorials and primorials by their prime factors.
 *
 * n! = (n / 2)!^2 s for the swing s = n! / (n / 2)!^2, n / 2 rounded down.  A prime p divides s as
 * often as n / p^i is odd for i = 1, 2, ... (P. Luschny, prime swing; Legendre's formula).
 */
#include <carrychain/theory.h>

#include "../natural/sieve.h"

#include "product.h"
#include "small.h"

/* Below it, factorials are products of the numbers themselves. */
#define SWING_LEAST 1024

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
	err = cc_factors_open(&sieve, &f, n, (uint64_t)n + SWING_LEAST * CC_WORD_BITS);
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
	return cc_theory_done(r, &odd, err);
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
	err = n > SIZE_MAX / 4 ? CC_ENOMEM : cc_factors_open(&sieve, &f, n, 2 * n);
	if (err)
		return err;
	cc_sieve(sieve, (size_t)n + 1);
	cc_factors_add(&f, 2);
	add_primes(&f, sieve, (size_t)n + 1);
	err = cc_factors_product(&product, &f, &w);
	CC_FREE(sieve);
	return cc_theory_done(r, &product, err);
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
