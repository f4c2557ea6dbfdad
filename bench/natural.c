// SPDX-License-Identifier: MIT
/*
 * Numbers of any size against GMP and FLINT.  A size is that of the longer factor, of the
 * divisor, of the number whose root is taken, of each whose divisor is common, in words.
 */
#include <carrychain/limbs.h>
#include <carrychain/natural.h>
#include <gmp.h>
#include <stdlib.h>

#include "bench.h"
#include "flint.h"

/* Of all products: beyond, the sizes of an octave are given by their number. */
#define EVERY  256
#define OCTAVE 16
/* The largest of a case, and how much larger of all, as shifts. */
#define PRODUCTS     18
#define DIVISORS     14
#define POWERS	     10
#define ALL_PRODUCTS 6
#define ALL	     4

/* The bits of a modular power's exponent; the modulus is odd. */
#define EXPONENT       200
#define EXPONENT_WORDS ((EXPONENT + CC_WORD_BITS - 1) / CC_WORD_BITS)

/*
 * What a processor learns by heart of one pair of numbers it cannot of so many: the quotients of
 * Euclid's algorithm decide the branches.  So many pairs, or so many words.
 */
#define PAIRS	    4096
#define PAIRS_WORDS 262144

/*
 * a of n words (2n for a division), b of m; the same as the peers have integers.  Where they are
 * many, one after the other, and the present one.
 */
struct work {
	cc_word *r, *q, *a, *b, *x, *y, *scratch, e[EXPONENT_WORDS];
	size_t n, m;
	int negative;
	mpz_t gr, gx, gy, ga, gb, ge, *many_a, *many_b;
	size_t pairs, pair;
	int symbol;
	long fq, fr, *fa, *fb;
};

CC_BENCH_LOOP(our_mul, cc_natural_mul(w->r, w->a, w->n, w->b, w->m, w->scratch))
CC_BENCH_LOOP(gmp_mul, mpn_mul(w->r, w->a, (mp_size_t)w->n, w->b, (mp_size_t)w->m))
CC_BENCH_LOOP(flint_mul, cc_flint()->mpn_mul(w->r, w->a, (long)w->n, w->b, (long)w->m))
CC_BENCH_LOOP(our_sqr, cc_natural_sqr(w->r, w->a, w->n, w->scratch))
CC_BENCH_LOOP(gmp_sqr, mpn_sqr(w->r, w->a, (mp_size_t)w->n))
CC_BENCH_LOOP(flint_sqr, cc_flint()->mpn_sqr(w->r, w->a, (long)w->n))
CC_BENCH_LOOP(our_divrem, cc_natural_divrem(w->q, w->r, w->a, 2 * w->n, w->b, w->n, w->scratch))
CC_BENCH_LOOP(gmp_divrem,
	      mpn_tdiv_qr(w->q, w->r, 0, w->a, (mp_size_t)(2 * w->n), w->b, (mp_size_t)w->n))
CC_BENCH_LOOP(flint_divrem, cc_flint()->divrem(&w->fq, &w->fr, w->fa, w->fb))
CC_BENCH_LOOP(our_isqrt, cc_natural_isqrt(w->q, w->r, w->a, w->n, w->scratch))
CC_BENCH_LOOP(gmp_isqrt, mpn_sqrtrem(w->q, w->r, w->a, (mp_size_t)w->n))
CC_BENCH_LOOP(flint_isqrt, cc_flint()->sqrtrem(&w->fq, &w->fr, w->fa))

static const cc_word *next_a(struct work *w)
{
	w->pair = w->pair + 1 < w->pairs ? w->pair + 1 : 0;
	return w->a + w->pair * w->n;
}

static const cc_word *its_b(const struct work *w)
{
	return w->b + w->pair * w->n;
}

static mpz_t *next_mpz(struct work *w)
{
	w->pair = w->pair + 1 < w->pairs ? w->pair + 1 : 0;
	return w->many_a + w->pair;
}

static const long *next_fmpz(struct work *w)
{
	w->pair = w->pair + 1 < w->pairs ? w->pair + 1 : 0;
	return w->fa + w->pair;
}

CC_BENCH_LOOP(our_gcd, const cc_word *a = next_a(w);
	      cc_natural_gcd(w->r, a, w->n, its_b(w), w->n, w->scratch))
CC_BENCH_LOOP(gmp_gcd, mpz_t *a = next_mpz(w); mpz_gcd(w->gr, *a, w->many_b[w->pair]))
CC_BENCH_LOOP(flint_gcd, const long *a = next_fmpz(w); cc_flint()->gcd(&w->fr, a, w->fb + w->pair))
CC_BENCH_LOOP(our_gcdext, const cc_word *a = next_a(w);
	      cc_natural_gcdext(w->r, w->x, w->y, &w->negative, a, w->n, its_b(w), w->n,
				w->scratch))
CC_BENCH_LOOP(gmp_gcdext, mpz_t *a = next_mpz(w);
	      mpz_gcdext(w->gr, w->gx, w->gy, *a, w->many_b[w->pair]))
CC_BENCH_LOOP(our_invert, const cc_word *a = next_a(w);
	      cc_natural_invert(w->r, a, w->n, its_b(w), w->n, w->scratch))
CC_BENCH_LOOP(gmp_invert, mpz_t *a = next_mpz(w); mpz_invert(w->gr, *a, w->many_b[w->pair]))
CC_BENCH_LOOP(our_powm,
	      cc_natural_powm(w->r, w->a, w->n, w->e, EXPONENT_WORDS, w->b, w->n, w->scratch))
CC_BENCH_LOOP(gmp_powm, mpz_powm(w->gr, w->ga, w->ge, w->gb))
CC_BENCH_LOOP(our_jacobi, const cc_word *a = next_a(w);
	      w->symbol += cc_natural_jacobi(a, w->n, its_b(w), w->n, w->scratch))
CC_BENCH_LOOP(gmp_jacobi, mpz_t *a = next_mpz(w); w->symbol += mpz_jacobi(*a, w->many_b[w->pair]))

static size_t mul_scratch(const struct work *w)
{
	return cc_natural_mul_scratch(w->n, w->m);
}

static size_t sqr_scratch(const struct work *w)
{
	return cc_natural_sqr_scratch(w->n);
}

static size_t divrem_scratch(const struct work *w)
{
	return cc_natural_divrem_scratch(2 * w->n, w->n);
}

static size_t isqrt_scratch(const struct work *w)
{
	return cc_natural_isqrt_scratch(w->n);
}

static size_t gcd_scratch(const struct work *w)
{
	return cc_natural_gcd_scratch(w->n, w->n);
}

static size_t gcdext_scratch(const struct work *w)
{
	return cc_natural_gcdext_scratch(w->n, w->n);
}

static size_t invert_scratch(const struct work *w)
{
	return cc_natural_invert_scratch(w->n, w->n);
}

static size_t jacobi_scratch(const struct work *w)
{
	return cc_natural_jacobi_scratch(w->n, w->n);
}

static size_t powm_scratch(const struct work *w)
{
	return cc_natural_powm_scratch(w->n, EXPONENT_WORDS, w->n);
}

static const struct {
	const char *name, *peer;
	cc_bench_fn *ours, *gmp, *flint; /* flint: NULL where it is not timed */
	size_t (*scratch)(const struct work *w);
	size_t shape; /* b is as many times shorter than the size */
	int most, all;
} cases[] = {
	{"mul", "mpn_mul", our_mul, gmp_mul, flint_mul, mul_scratch, 1, PRODUCTS, ALL_PRODUCTS},
	{"sqr", "mpn_sqr", our_sqr, gmp_sqr, flint_sqr, sqr_scratch, 1, PRODUCTS, ALL_PRODUCTS},
	{"mul 1:2", "mpn_mul", our_mul, gmp_mul, flint_mul, mul_scratch, 2, PRODUCTS, ALL_PRODUCTS},
	{"mul 1:10", "mpn_mul", our_mul, gmp_mul, flint_mul, mul_scratch, 10, PRODUCTS,
	 ALL_PRODUCTS},
	{"mul 1:1000", "mpn_mul", our_mul, gmp_mul, flint_mul, mul_scratch, 1000, PRODUCTS,
	 ALL_PRODUCTS},
	{"divrem 2:1", "mpn_tdiv_qr", our_divrem, gmp_divrem, flint_divrem, divrem_scratch, 1,
	 PRODUCTS, ALL},
	{"isqrt", "mpn_sqrtrem", our_isqrt, gmp_isqrt, flint_isqrt, isqrt_scratch, 1, PRODUCTS,
	 ALL},
	{"gcd", "mpz_gcd", our_gcd, gmp_gcd, flint_gcd, gcd_scratch, 1, DIVISORS, ALL},
	{"gcdext", "mpz_gcdext", our_gcdext, gmp_gcdext, NULL, gcdext_scratch, 1, DIVISORS, ALL},
	{"invert", "mpz_invert", our_invert, gmp_invert, NULL, invert_scratch, 1, DIVISORS, ALL},
	{"jacobi", "mpz_jacobi", our_jacobi, gmp_jacobi, NULL, jacobi_scratch, 1, DIVISORS, ALL},
	{"powm 200", "mpz_powm", our_powm, gmp_powm, NULL, powm_scratch, 1, POWERS, ALL},
};

/* Each one, then so many an octave. */
static size_t next_dense(size_t n)
{
	size_t octave = EVERY;

	while (octave <= n / 2)
		octave *= 2;
	return n + (n < EVERY ? 1 : octave / OCTAVE);
}

static size_t pairs_of(size_t n)
{
	size_t pairs = PAIRS_WORDS / n;

	return pairs < 1 ? 1 : pairs < PAIRS ? pairs : PAIRS;
}

static cc_word *random_words(size_t n)
{
	cc_word *words = cc_bench_alloc(n * sizeof(cc_word));

	cc_bench_random(words, n * sizeof(cc_word));
	words[n - 1] |= 1;
	return words;
}

static void bench_case(size_t c, size_t n)
{
	size_t an = cases[c].ours == our_divrem ? 2 * n : n, i;
	int many = cases[c].scratch == gcd_scratch || cases[c].scratch == gcdext_scratch ||
		   cases[c].scratch == invert_scratch || cases[c].scratch == jacobi_scratch;
	struct work w = {
		.r = cc_bench_alloc(2 * n * sizeof(cc_word)),
		.q = cc_bench_alloc((n + 1) * sizeof(cc_word)),
		.pairs = many ? pairs_of(n) : 1,
		.x = cc_bench_alloc(n * sizeof(cc_word)),
		.y = cc_bench_alloc(n * sizeof(cc_word)),
		.n = n,
		.m = n / cases[c].shape,
	};

	w.a = random_words(w.pairs * an);
	w.b = random_words(w.pairs * w.m);
	w.scratch = cc_bench_alloc(cases[c].scratch(&w) * sizeof(cc_word));
	mpz_inits(w.gr, w.gx, w.gy, NULL);
	mpz_roinit_n(w.ga, w.a, (mp_size_t)an);
	mpz_roinit_n(w.gb, w.b, (mp_size_t)w.m);
	cc_bench_random(w.e, sizeof(w.e));
	w.e[EXPONENT_WORDS - 1] &= ((cc_word)1 << EXPONENT % CC_WORD_BITS) - 1;
	w.e[EXPONENT_WORDS - 1] |= (cc_word)1 << (EXPONENT % CC_WORD_BITS - 1);
	mpz_roinit_n(w.ge, w.e, EXPONENT_WORDS);
	w.b[0] |= cases[c].ours == our_powm;
	w.many_a = cc_bench_alloc(w.pairs * sizeof(mpz_t));
	w.many_b = cc_bench_alloc(w.pairs * sizeof(mpz_t));
	for (i = 0; many && i < w.pairs; i++) {
		/* odd, as mpz_jacobi wants it, and no word less than the others */
		w.a[i * n + n - 1] |= 1;
		w.b[i * n + n - 1] |= 1;
		w.b[i * n] |= 1;
		mpz_roinit_n(w.many_a[i], w.a + i * n, (mp_size_t)n);
		mpz_roinit_n(w.many_b[i], w.b + i * n, (mp_size_t)n);
	}
	cc_bench_pair(cases[c].name, n, cc_limbs_tier(), cases[c].peer, cases[c].ours, cases[c].gmp,
		      &w);
	w.fa = cc_bench_alloc(w.pairs * sizeof(long));
	w.fb = cc_bench_alloc(w.pairs * sizeof(long));
	for (i = 0; cc_flint() && cases[c].flint && i < w.pairs; i++) {
		w.fa[i] = 0;
		w.fb[i] = 0;
		cc_flint()->set_words(w.fa + i, w.a + i * an, (long)an);
		cc_flint()->set_words(w.fb + i, w.b + i * w.m, (long)w.m);
	}
	if (cases[c].flint)
		cc_flint_pair(cases[c].name, n, cc_limbs_tier(), cases[c].ours, cases[c].flint, &w);
	if (cc_flint() && cases[c].flint) {
		cc_flint()->clear(&w.fq);
		cc_flint()->clear(&w.fr);
		for (i = 0; i < w.pairs; i++) {
			cc_flint()->clear(w.fa + i);
			cc_flint()->clear(w.fb + i);
		}
	}
	mpz_clears(w.gr, w.gx, w.gy, NULL);
	free(w.r);
	free(w.q);
	free(w.a);
	free(w.b);
	free(w.many_a);
	free(w.many_b);
	free(w.fa);
	free(w.fb);
	free(w.x);
	free(w.y);
	free(w.scratch);
}

void cc_bench_natural(void)
{
	size_t c, n;

	for (c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		size_t most = (size_t)1 << (cases[c].most + (cc_bench_all() ? cases[c].all : 0));
		int dense = cc_bench_all() && cases[c].all == ALL_PRODUCTS;

		for (n = 1; n <= most; n = dense ? next_dense(n) : cc_bench_next(n))
			if (n >= cases[c].shape && cc_bench_wants(cases[c].name, n))
				bench_case(c, n);
	}
}
