// SPDX-License-Identifier: MIT
/*
 * theory.h: primes beside a sieve, beside fixed.h's test, and by the pseudoprimes of either half of
 * the test; and that an allocation that fails changes nothing.
 */
#include "memory.h"
#include "places.h"
#include "theory/prime.h"
#include "value.h"

#include <carrychain/fixed.h>
#include <carrychain/prime.h>
#include <carrychain/theory.h>

#include <stdlib.h>
#include <string.h>

#define BELOW 100000

static unsigned char composite[BELOW];

static void make_composites(void)
{
	size_t i, j;

	composite[0] = composite[1] = 1;
	for (i = 2; i * i < BELOW; i++)
		for (j = i * i; !composite[i] && j < BELOW; j += i)
			composite[j] = 1;
}

static bool long_says(const cc_word *c, size_t n)
{
	cc_word *value = place(FIRST, c, n);
	bool prime = cc_probable_prime_long(
		value, n, place(SCRATCH, NULL, cc_probable_prime_long_words(n)), NULL);

	check_guards();
	return prime;
}

static bool says(const cc_word *c, size_t n)
{
	cc_word *value = place(FIRST, c, n);
	int prime = 2;

	HOLDS(!cc_probable_prime(&prime, value, n, place(SCRATCH, NULL, cc_probable_prime_words(n)),
				 NULL));
	check_guards();
	return prime == 1;
}

static void check_small(void)
{
	cc_word words[1], next = BELOW - 1;
	size_t i = BELOW;
	cc_bigint x = {words, 0, 1, 0}, r = CC_BIGINT_INIT;
	int prime;

	while (composite[next])
		next--;
	for (i = (size_t)next; i-- && !test_case_failed();) {
		words[0] = i;
		x.length = i != 0;
		test_sizes(i, 0, 0);
		HOLDS(!cc_theory_is_prime(&prime, &x, NULL) && prime == !composite[i]);
		HOLDS(!cc_theory_next_prime(&r, &x, NULL) && r.length == 1 && r.words[0] == next);
		if (!composite[i])
			next = i;
		if (i & 1 && i > 4096 && random_below(8) == 0)
			HOLDS(long_says(words, 1) == !composite[i]);
		x.negative = x.length != 0;
		if (random_below(100) == 0) {
			HOLDS(!cc_theory_is_prime(&prime, &x, NULL) && !prime);
			HOLDS(!cc_theory_next_prime(&r, &x, NULL) && r.words[0] == 2);
		}
		x.negative = 0;
	}
	cc_bigint_clear(&r);
}

/* Products of two primes p and k (p - 1) + 1 are often strong pseudoprimes to a base. */
static void check_pseudoprimes(void)
{
	/* strong ones to base 2, and strong Lucas ones, above the primes that are tried */
	static const uint32_t pseudo[] = {
		1194649, 12327121, 3215031751u, 1082401, 1373653, 25326001, 4835382, 5459,
		5777,	 10877,	   16109,	18971,	 22499,	  24569,    25199,   40309,
		58519,	 75077,	   97439,	100127,	 113573,  115639,   130139,
	};
	size_t i;

	for (i = 0; i < COUNT(pseudo); i++) {
		cc_word c = pseudo[i] | 1;
		cc_bigint x = {&c, 1, 1, 0};
		int prime;

		test_sizes((size_t)c, 0, 0);
		HOLDS(!cc_theory_is_prime(&prime, &x, NULL) && !prime);
		HOLDS(!long_says(&c, 1));
	}
}

/* Odd numbers of n words, primes among them, by every way. */
static void check_long(size_t n)
{
	cc_word c[8], next[8], by_fixed, mask;
	cc_bigint x = {c, n, 8, 0}, r = CC_BIGINT_INIT;
	int prime;

	any_number(c, n);
	test_sizes(n, 0, 0);
	if (cc_fz_next_prime(next, c, n))
		return;
	HOLDS(!cc_theory_next_prime(&r, &x, NULL) && r.length == cc_limbs_normalise(next, n) &&
	      !memcmp(r.words, next, r.length * sizeof(*next)));
	HOLDS(!cc_theory_is_prime(&prime, &r, NULL) && prime);
	if (r.length > 1 || r.words[0] > 1 << 12)
		HOLDS(long_says(r.words, r.length));
	c[0] |= 1;
	HOLDS(!cc_fz_is_prime_public(&mask, c, n));
	by_fixed = mask & 1;
	HOLDS(!cc_theory_is_prime(&prime, &x, NULL) && prime == (int)by_fixed);
	if (n > 1 || c[0] > 1 << 20) {
		HOLDS(long_says(c, n) == (bool)by_fixed);
		HOLDS(says(c, n) == (bool)by_fixed);
	}
	cc_bigint_clear(&r);
}

/* A square passes no Lucas test; a product of two primes fails. */
static void check_products(size_t n)
{
	cc_word p[4], q[4], product[8];
	cc_bigint x = {product, 0, 8, 0};
	int prime;

	any_number(p, n);
	any_number(q, n);
	if (cc_fz_next_prime(p, p, n) || cc_fz_next_prime(q, q, n))
		return;
	if (random_below(2))
		memcpy(q, p, n * sizeof(*q));
	cc_limbs_mul(product, p, n, q, n, NULL);
	x.length = cc_limbs_normalise(product, 2 * n);
	HOLDS(!cc_theory_is_prime(&prime, &x, NULL) && !prime);
	if (product[0] & 1 && (x.length > 1 || product[0] > 1 << 20))
		HOLDS(!long_says(product, x.length));
}

static int answer_no(void *context, cc_u64 done, cc_u64 total)
{
	(void)context, (void)done, (void)total;
	return 1;
}

/* The next prime in x itself, with an allocation that fails. */
static void check_memory(size_t n)
{
	static struct value v;
	size_t failing;
	bool failed = true;

	value_random(&v, n);
	for (failing = 0; failed; failing++) {
		cc_bigint x;
		int err, prime = 2;

		memory_begin(MEMORY_SOUND);
		value_to_bigint(&x, &v, 0);
		memory_begin(failing);
		err = cc_theory_next_prime(&x, &x, NULL);
		failed = memory_end();
		CHECK(err == (failed ? CC_ENOMEM : CC_OK), "%d", err);
		if (err)
			HOLDS(value_is(&v, &x));
		memory_begin(failed ? 0 : MEMORY_SOUND);
		err = cc_theory_is_prime(&prime, &x, NULL);
		if (memory_end())
			CHECK(err == CC_ENOMEM && prime == 2, "%d", err);
		else
			HOLDS(!err);
		memory_begin(MEMORY_SOUND);
		cc_bigint_clear(&x);
		memory_end();
		CHECK(!memory_live(), "%ld blocks leaked", memory_live());
	}
}

/* n! and C(n, k) by what follows from them, step by step; the product of the primes. */
static void check_products_of_many(uint64_t most)
{
	cc_bigint factorial = CC_BIGINT_INIT, primorial = CC_BIGINT_INIT, r = CC_BIGINT_INIT;
	cc_bigint x = CC_BIGINT_INIT, y = CC_BIGINT_INIT;
	uint64_t n, k;

	HOLDS(!cc_bigint_set_u64(&factorial, 1) && !cc_bigint_set_u64(&primorial, 1));
	for (n = 0; n <= most && !test_case_failed(); n++) {
		test_sizes((size_t)n, 0, 0);
		HOLDS(!cc_bigint_set_u64(&x, n));
		if (n)
			HOLDS(!cc_bigint_mul(&factorial, &factorial, &x));
		if (!composite[n])
			HOLDS(!cc_bigint_mul(&primorial, &primorial, &x));
		HOLDS(!cc_theory_factorial(&r, n, NULL) && !cc_bigint_cmp(&r, &factorial));
		HOLDS(!cc_theory_primorial(&r, n, NULL) && !cc_bigint_cmp(&r, &primorial));
		/* C(n, k) k! (n - k)! = n! */
		k = random_below((size_t)n + 1) >> random_below(5);
		HOLDS(!cc_theory_binomial(&r, n, k, NULL));
		HOLDS(!cc_theory_factorial(&x, k, NULL) && !cc_theory_factorial(&y, n - k, NULL));
		HOLDS(!cc_bigint_mul(&r, &r, &x) && !cc_bigint_mul(&r, &r, &y));
		HOLDS(!cc_bigint_cmp(&r, &factorial));
	}
	HOLDS(!cc_theory_binomial(&r, most, most + 1, NULL) && !r.length);
	/* one choice less: C(n, 2) of 64 bits */
	HOLDS(!cc_theory_binomial(&r, UINT64_MAX, UINT64_MAX - 1, NULL));
	HOLDS(!cc_bigint_set_u64(&x, UINT64_MAX) && !cc_bigint_cmp(&r, &x));
	HOLDS(!cc_theory_binomial(&r, UINT64_MAX, 2, NULL));
	HOLDS(!cc_bigint_set_u64(&y, UINT64_MAX - 1) && !cc_bigint_mul(&x, &x, &y));
	HOLDS(!cc_bigint_shr(&x, &x, 1) && !cc_bigint_cmp(&r, &x));
	cc_bigint_clear(&factorial);
	cc_bigint_clear(&primorial);
	cc_bigint_clear(&r);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
}

/* C(n, k) k! = n (n - 1) ... (n - k + 1), for all sizes of n */
static void check_binomial(uint64_t n, uint64_t k)
{
	cc_bigint r = CC_BIGINT_INIT, x = CC_BIGINT_INIT, y = CC_BIGINT_INIT;
	uint64_t i;

	test_sizes((size_t)n, (size_t)k, 0);
	HOLDS(!cc_theory_binomial(&r, n, random_below(2) ? k : n - k, NULL));
	HOLDS(!cc_bigint_set_u64(&y, 1));
	for (i = 0; i < k; i++) {
		HOLDS(!cc_bigint_set_u64(&x, n - i) && !cc_bigint_mul(&y, &y, &x));
		HOLDS(!cc_bigint_set_u64(&x, i + 1) && !cc_bigint_mul(&r, &r, &x));
	}
	HOLDS(!cc_bigint_cmp(&r, &y));
	cc_bigint_clear(&r);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
}

static void check_binomials(void)
{
	uint64_t n, k;

	for (n = 0; n <= 135; n++)
		for (k = 0; k <= n; k++)
			check_binomial(n, k);
	for (n = 0; n < test_scaled(300); n++) {
		k = random_below(40);
		check_binomial(random_u64() >> random_below(58) | 64, k);
	}
	/* by words of factors, by primes, and by the factors themselves */
	for (n = 0; n < test_scaled(100); n++) {
		k = 66 + random_below(300);
		check_binomial(2 * k + random_below((size_t)k << random_below(8)), k);
		check_binomial(2 * k + (random_u64() >> random_below(58)) / 2, k);
	}
}

static int binomial_of_half(cc_bigint *r, uint64_t n, const struct cc_progress *progress)
{
	return cc_theory_binomial(r, n, n / 2, progress);
}

static int binomial_of_few(cc_bigint *r, uint64_t n, const struct cc_progress *progress)
{
	return cc_theory_binomial(r, n, 20, progress);
}

typedef int of_one(cc_bigint *r, uint64_t n, const struct cc_progress *progress);

static of_one *const products[] = {cc_theory_factorial, cc_theory_primorial, binomial_of_half,
				   binomial_of_few};

/* r is what it was if an allocation fails, or the work is stopped. */
static void check_products_fail(of_one *work, uint64_t n)
{
	const struct cc_progress progress = {answer_no, NULL, NULL};
	size_t failing;
	bool failed = true;
	int err;

	for (failing = 0; failed; failing++) {
		cc_bigint r = CC_BIGINT_INIT;

		memory_begin(failing);
		err = work(&r, n, NULL);
		failed = memory_end();
		CHECK(err == (failed ? CC_ENOMEM : CC_OK) && !r.length == failed, "%d", err);
		memory_begin(MEMORY_SOUND);
		cc_bigint_clear(&r);
		HOLDS(work(&r, 1000000, &progress) == CC_EINTR || work == binomial_of_few);
		cc_bigint_clear(&r);
		memory_end();
		CHECK(!memory_live(), "%ld blocks leaked", memory_live());
	}
}

static int stop(void *context, cc_u64 done, cc_u64 total)
{
	size_t *asked = context;

	(void)done, (void)total;
	return !(*asked)--;
}

/* It ends when it is asked to, and r is what it was. */
static void check_stopped(void)
{
	cc_word c[8];
	cc_bigint x = {c, 8, 8, 0};
	size_t left, first;
	const struct cc_progress progress = {stop, &left, NULL};

	memset(c, 0xff, sizeof(c));
	for (first = 0; first < 3; first++) {
		left = first;
		HOLDS(cc_theory_next_prime(&x, &x, &progress) == CC_EINTR);
		HOLDS(x.words == c && !~c[0] && !~c[7]);
	}
}

static void tier(const char *name)
{
	size_t n, round;

	begin(name, "cc_theory_is_prime, cc_theory_next_prime");
	check_small();
	check_pseudoprimes();
	for (n = 1; n <= 8; n++)
		for (round = 0; round < test_scaled(10); round++)
			check_long(n);
	for (round = 0; round < test_scaled(100); round++)
		check_products(1 + random_below(4));
	for (n = 0; n < 6; n++)
		check_memory(n);
	check_stopped();
	begin(name, "cc_theory_factorial, cc_theory_primorial, cc_theory_binomial");
	check_products_of_many(1100);
	check_binomials();
	for (n = 0; n < COUNT(products); n++)
		check_products_fail(products[n], n % 2 ? 300 : 1300);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	make_composites();
	test_tiers(tier);
	return test_end();
}
