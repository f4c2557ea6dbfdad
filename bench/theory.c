// SPDX-License-Identifier: MIT
/*
 * Number theory against GMP.  A size is in words: of the number that a function is given, of the
 * quotient for divexact, and for functions of a count n of the result, which is about as long.
 */
#include <carrychain/fib.h>
#include <carrychain/limbs.h>
#include <carrychain/theory.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>

#include "bench.h"

/* As in natural.c, numbers in turn, whose branches no processor learns: so many, or words. */
#define NUMBERS	      512
#define NUMBERS_WORDS 16384

/* a and b are @numbers numbers, and @at is the present one; k is a count. */
struct work {
	cc_bigint *a, *b, r, rem;
	mpz_t *ga, *gb, gr, grem;
	uint64_t k;
	size_t numbers, at;
	int answer;
};

static size_t next_of(struct work *w)
{
	w->at = w->at + 1 < w->numbers ? w->at + 1 : 0;
	return w->at;
}

CC_BENCH_LOOP(our_next_prime, cc_theory_next_prime(&w->r, w->a + next_of(w), NULL))
CC_BENCH_LOOP(gmp_next_prime, mpz_nextprime(w->gr, w->ga[next_of(w)]))
CC_BENCH_LOOP(our_is_square, cc_bigint_is_square(&w->answer, w->a + next_of(w), NULL))
CC_BENCH_LOOP(gmp_is_square, w->answer += mpz_perfect_square_p(w->ga[next_of(w)]))
CC_BENCH_LOOP(our_is_power, cc_bigint_is_power(&w->answer, w->a + next_of(w), NULL))
CC_BENCH_LOOP(gmp_is_power, w->answer += mpz_perfect_power_p(w->ga[next_of(w)]))
CC_BENCH_LOOP(our_root_3, cc_bigint_root(&w->r, &w->answer, w->a + next_of(w), 3, NULL))
CC_BENCH_LOOP(gmp_root_3, mpz_root(w->gr, w->ga[next_of(w)], 3))
CC_BENCH_LOOP(our_rootrem_5, cc_bigint_rootrem(&w->r, &w->rem, w->a + next_of(w), 5, NULL))
CC_BENCH_LOOP(gmp_rootrem_5, mpz_rootrem(w->gr, w->grem, w->ga[next_of(w)], 5))
CC_BENCH_LOOP(our_divexact, size_t i = next_of(w);
	      cc_bigint_divexact(&w->r, w->a + i, w->b + i, NULL))
CC_BENCH_LOOP(gmp_divexact, size_t i = next_of(w); mpz_divexact(w->gr, w->ga[i], w->gb[i]))
CC_BENCH_LOOP(our_factorial, cc_theory_factorial(&w->r, w->k, NULL))
CC_BENCH_LOOP(gmp_factorial, mpz_fac_ui(w->gr, w->k))
CC_BENCH_LOOP(our_primorial, cc_theory_primorial(&w->r, w->k, NULL))
CC_BENCH_LOOP(gmp_primorial, mpz_primorial_ui(w->gr, w->k))
CC_BENCH_LOOP(our_binomial, cc_theory_binomial(&w->r, w->k, w->k / 2, NULL))
CC_BENCH_LOOP(gmp_binomial, mpz_bin_uiui(w->gr, w->k, w->k / 2))
CC_BENCH_LOOP(our_lucas, cc_lucas(&w->r, w->k, NULL))
CC_BENCH_LOOP(gmp_lucas, mpz_lucnum_ui(w->gr, w->k))

/* The bits of the results for n. */
static double factorial_bits(double n)
{
	return lgamma(n + 1) / log(2);
}

static double primorial_bits(double n)
{
	return n / log(2);
}

static double binomial_bits(double n)
{
	return n - log2(n * acos(-1) / 2) / 2;
}

static double lucas_bits(double n)
{
	return n * log2((1 + sqrt(5)) / 2);
}

/* What the numbers are: any, squares, or products of a and b. */
enum given { ANY, SQUARES, PRODUCTS, COUNT };

static const struct {
	const char *name, *peer;
	cc_bench_fn *ours, *gmp;
	enum given given;
	double (*bits)(double n);
	int most, all; /* sizes, as shifts: in all, with --all */
} cases[] = {
	{"next_prime", "mpz_nextprime", our_next_prime, gmp_next_prime, ANY, NULL, 4, 7},
	{"is_square", "mpz_perfect_square_p", our_is_square, gmp_is_square, ANY, NULL, 10, 17},
	{"is_square yes", "mpz_perfect_square_p", our_is_square, gmp_is_square, SQUARES, NULL, 10,
	 17},
	{"is_power", "mpz_perfect_power_p", our_is_power, gmp_is_power, ANY, NULL, 10, 13},
	{"root 3", "mpz_root", our_root_3, gmp_root_3, ANY, NULL, 10, 17},
	{"rootrem 5", "mpz_rootrem", our_rootrem_5, gmp_rootrem_5, ANY, NULL, 10, 17},
	{"divexact", "mpz_divexact", our_divexact, gmp_divexact, PRODUCTS, NULL, 10, 17},
	{"factorial", "mpz_fac_ui", our_factorial, gmp_factorial, COUNT, factorial_bits, 14, 17},
	{"primorial", "mpz_primorial_ui", our_primorial, gmp_primorial, COUNT, primorial_bits, 14,
	 17},
	{"binomial", "mpz_bin_uiui", our_binomial, gmp_binomial, COUNT, binomial_bits, 14, 17},
	{"lucas", "mpz_lucnum_ui", our_lucas, gmp_lucas, COUNT, lucas_bits, 14, 17},
};

/* The largest n whose result has so many words. */
static uint64_t count_for(double (*bits)(double n), size_t words)
{
	uint64_t n = 1, step;

	for (step = (uint64_t)1 << 40; step; step /= 2)
		if (bits((double)(n + step)) < (double)words * CC_WORD_BITS)
			n += step;
	return n;
}

/* Fills both with a random number of n words. */
static void number(cc_bigint *x, mpz_t g, size_t n)
{
	cc_word *words = cc_bench_alloc(n * sizeof(*words));

	cc_bench_random(words, n * sizeof(*words));
	words[n - 1] |= 1;
	cc_bigint_from_bytes(x, words, n * sizeof(*words), 0);
	mpz_import(g, n * sizeof(*words), -1, 1, 0, 0, words);
	free(words);
}

static void give(struct work *w, size_t i, enum given given, size_t n)
{
	w->a[i] = (cc_bigint)CC_BIGINT_INIT;
	w->b[i] = (cc_bigint)CC_BIGINT_INIT;
	mpz_inits(w->ga[i], w->gb[i], NULL);
	number(w->a + i, w->ga[i], given == SQUARES ? (n + 1) / 2 : n);
	if (given == SQUARES) {
		cc_bigint_sqr(w->a + i, w->a + i);
		mpz_mul(w->ga[i], w->ga[i], w->ga[i]);
	} else if (given == PRODUCTS) {
		number(w->b + i, w->gb[i], n);
		cc_bigint_mul(w->a + i, w->a + i, w->b + i);
		mpz_mul(w->ga[i], w->ga[i], w->gb[i]);
	}
}

static void bench_case(size_t c, size_t n)
{
	size_t numbers = NUMBERS_WORDS / n, i;
	struct work w = {.r = CC_BIGINT_INIT, .rem = CC_BIGINT_INIT};

	numbers = numbers < 1 ? 1 : numbers < NUMBERS ? numbers : NUMBERS;
	w.numbers = cases[c].given == COUNT ? 0 : numbers;
	w.a = cc_bench_alloc(numbers * sizeof(*w.a));
	w.b = cc_bench_alloc(numbers * sizeof(*w.b));
	w.ga = cc_bench_alloc(numbers * sizeof(*w.ga));
	w.gb = cc_bench_alloc(numbers * sizeof(*w.gb));
	mpz_inits(w.gr, w.grem, NULL);
	if (cases[c].given == COUNT)
		w.k = count_for(cases[c].bits, n);
	for (i = 0; i < w.numbers; i++)
		give(&w, i, cases[c].given, n);
	cc_bench_pair(cases[c].name, n, cc_limbs_tier(), cases[c].peer, cases[c].ours, cases[c].gmp,
		      &w);
	for (i = 0; i < w.numbers; i++) {
		cc_bigint_clear(w.a + i);
		cc_bigint_clear(w.b + i);
		mpz_clears(w.ga[i], w.gb[i], NULL);
	}
	cc_bigint_clear(&w.r);
	cc_bigint_clear(&w.rem);
	mpz_clears(w.gr, w.grem, NULL);
	free(w.a);
	free(w.b);
	free(w.ga);
	free(w.gb);
}

void cc_bench_theory(void)
{
	size_t c, n;

	for (c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		size_t most = (size_t)1 << (cc_bench_all() ? cases[c].all : cases[c].most);

		for (n = 1; n <= most; n = cc_bench_next(n))
			if (cc_bench_wants(cases[c].name, n))
				bench_case(c, n);
	}
}
