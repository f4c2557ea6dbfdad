// SPDX-License-Identifier: MIT
/* Binomial coefficients: by tables, by their prime factors, or by the numbers themselves. */
#include <carrychain/theory.h>

#include "../natural/sieve.h"
#include "../natural/word_product.h"

#include "product.h"
#include "small.h"

#define ALWAYS_INLINE inline __attribute__((__always_inline__))

/*
 * Primes up to n give a coefficient of at most n bits, and take time like n; factors take time like
 * k^2 as long as products do.
 */
#define FEW_FACTORS 24
#define PER_FACTOR  50

typedef void add_fn(void *to, cc_word x);

/* Calls @add with each odd prime above @low up to @high. */
static ALWAYS_INLINE void add_range(const cc_word *sieve, size_t low, size_t high, add_fn *add,
				    void *to)
{
	size_t i = (low + 1) / 2, end = (high + 1) / 2, word = i / CC_WORD_BITS;
	cc_word primes = ~sieve[word] & ((cc_word)-1 << i % CC_WORD_BITS);

	if (i >= end)
		return;
	for (;; primes = ~sieve[++word]) {
		if (word == end / CC_WORD_BITS)
			primes &= ((cc_word)1 << end % CC_WORD_BITS) - 1;
		for (; primes; primes &= primes - 1)
			add(to, 2 * (word * CC_WORD_BITS + cc_word_ctz(primes)) + 1);
		if (word == end / CC_WORD_BITS)
			return;
	}
}

/* p as often as k and n - k carry in base p */
static cc_word power(size_t p, size_t n, size_t k)
{
	size_t borrow = 0;
	cc_word x = 1;

	for (; n; n /= p, k /= p) {
		borrow = n % p < k % p + borrow;
		x *= borrow ? p : 1;
	}
	return x;
}

/*
 * Calls @add with factors of which C(n, k) is the product, 2k <= n.
 *
 * A prime p divides C(n, k) as often as adding k and c = n - k carries in base p (Kummer 1852).
 * Above the root of n, that is n / p - k / p - c / p, rounded down each, so 0 or 1.  While p
 * falls, the first grows at n, n / 2, n / 3 ..., the others at k / i and c / i.
 */
static ALWAYS_INLINE void add_primes(const cc_word *sieve, size_t n, size_t k, add_fn *add,
				     void *to)
{
	size_t c = n - k, i = 1, j = 1, l = 1, high = n, p, few = 2;
	size_t at_n = n, at_k = k, at_c = c, next;
	int carries = 0;

	/* from here on, there are more of these changes than primes */
	while (few <= 4 * (n / few))
		few *= 2;
	for (; high > few; high = next) {
		next = at_n > at_c ? at_n : at_c;
		next = next > at_k ? next : at_k;
		next = next > few ? next : few;
		if (carries)
			add_range(sieve, next, high, add, to);
		carries += (at_n == next) - (at_k == next) - (at_c == next);
		at_n = n / (i += at_n == next);
		at_k = k / (j += at_k == next);
		at_c = c / (l += at_c == next);
	}
	few = few < n ? few : n;
	add(to, power(2, n, k));
	for (p = 3; p <= few; p = cc_sieve_next(sieve, few + 1, p))
		add(to, power(p, n, k));
}

#if CC_WORD_BITS == 64
/* A product that is kept in a word as long as it fits. */
struct product {
	cc_word *words, last;
	size_t length;
};

static void take(void *to, cc_word x)
{
	struct product *p = to;
	cc_word high, low = cc_word_mul(&high, p->last, x);

	if (high) {
		p->length = cc_small_multiply(p->words, p->length, p->last);
		low = x;
	}
	p->last = low;
}

/* For n of few words, without memory but the result's. */
static __attribute__((__noinline__)) int small_by_primes(cc_bigint *r, size_t n, size_t k)
{
	cc_word sieve[CC_SMALL_PRIMES / 2 / CC_WORD_BITS + 1];
	struct product p;
	struct cc_room room;
	/* at most 2^n */
	int err = cc_room_open(&room, r, n / CC_WORD_BITS + 2);

	if (err)
		return err;
	p = (struct product){room.words, 1, 1};
	p.words[0] = 1;
	cc_sieve(sieve, n + 1);
	add_primes(sieve, n, k, take, &p);
	p.length = cc_small_multiply(p.words, p.length, p.last);
	cc_room_close(&room, r, p.length, 0);
	return CC_OK;
}
#endif

static void add_factor(void *factors, cc_word x)
{
	cc_factors_add(factors, x);
}

static int by_primes(cc_bigint *r, size_t n, size_t k, struct cc_watch *w)
{
	struct cc_factors f;
	cc_word *sieve;
	int err = cc_factors_open(&sieve, &f, n, n);

	if (err)
		return err;
	cc_sieve(sieve, n + 1);
	add_primes(sieve, n, k, add_factor, &f);
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

static int few_primes(size_t n, size_t k)
{
	return n / k < FEW_FACTORS && n / k < k / PER_FACTOR;
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
	else if (few_primes((size_t)n, (size_t)k))
		err = by_primes(&product, (size_t)n, (size_t)k, &w);
	else
		err = by_factors(&product, (cc_word)n, (size_t)k, progress, &w);
	return cc_theory_done(r, &product, err);
}

int cc_theory_binomial(cc_bigint *r, uint64_t n, uint64_t k, const struct cc_progress *progress)
{
	if (k > n)
		return cc_bigint_set_u64(r, 0);
	k = k < n - k ? k : n - k;
	if (!k)
		return cc_bigint_set_u64(r, 1);
	if (n <= CC_SMALL_N)
		return cc_small_binomial(r, (unsigned int)n, (unsigned int)k);
#if CC_WORD_BITS == 64
#if CC_HAS_PAIR
	if (n <= CC_SMALL_PAIR)
		return cc_small_binomial_pair(r, (unsigned int)n, (unsigned int)k);
#endif
	if (k <= CC_SMALL_FACTORS)
		return cc_small_binomial_words(r, n, (unsigned int)k);
	if (n <= CC_SMALL_PRIMES)
		return small_by_primes(r, (size_t)n, (size_t)k);
#endif
	return long_binomial(r, n, k, progress);
}
