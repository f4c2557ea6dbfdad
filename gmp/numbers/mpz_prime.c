// SPDX-License-Identifier: MIT
/* Primes. */
#include <carrychain/theory.h>

#include "mpz.h"

/* The rounds that count as Baillie-PSW's test. */
#define BPSW_ROUNDS 24

/* Whether odd n > 3 passes Miller and Rabin's test to a base. */
static int strong_probable_prime(mpz_srcptr n, mpz_srcptr below, mpz_srcptr base)
{
	mp_bitcnt_t twos = mpz_scan1(below, 0), i;
	int passes;
	mpz_t x;

	mpz_init(x);
	mpz_tdiv_q_2exp(x, below, twos);
	mpz_powm(x, base, x, n);
	passes = !mpz_cmp_ui(x, 1) || !mpz_cmp(x, below);
	for (i = 1; i < twos && !passes; i++) {
		mpz_mul(x, x, x);
		mpz_tdiv_r(x, x, n);
		passes = !mpz_cmp(x, below);
	}
	mpz_clear(x);
	return passes;
}

/* So many rounds to random bases from 2 to n - 2, for a large odd n. */
static int rounds_passed(mpz_srcptr n, int rounds)
{
	gmp_randstate_t random;
	mpz_t below, most, base;
	int passes = 1;

	gmp_randinit_default(random);
	mpz_inits(below, most, base, NULL);
	mpz_sub_ui(below, n, 1);
	mpz_sub_ui(most, n, 3);
	while (passes && rounds-- > 0) {
		mpz_urandomm(base, random, most);
		mpz_add_ui(base, base, 2);
		passes = strong_probable_prime(n, below, base);
	}
	mpz_clears(below, most, base, NULL);
	gmp_randclear(random);
	return passes;
}

int mpz_probab_prime_p(mpz_srcptr x, int reps)
{
	__mpz_struct n = *x;
	cc_bigint v;
	int prime;

	n._mp_size = (int)mpz_length(x);
	v = mpz_view(&n);
	if (cc_theory_is_prime(&prime, &v, NULL))
		cc_gmp_no_memory(0);
	if (!prime)
		return 0;
	/* there the test is a proof */
	if (cc_bigint_bit_length(&v) <= 64)
		return 2;
	return rounds_passed(&n, reps - BPSW_ROUNDS);
}

void mpz_nextprime(mpz_ptr r, mpz_srcptr x)
{
	cc_bigint made = CC_BIGINT_INIT, v = mpz_view(x);

	cc_mpz_take(r, &made, cc_theory_next_prime(&made, &v, NULL));
}

int mpz_prevprime(mpz_ptr r, mpz_srcptr x)
{
	int prime;
	mpz_t n;

	if (mpz_cmp_ui(x, 2) <= 0)
		return 0;
	mpz_init(n);
	mpz_sub_ui(n, x, 1);
	if (mpz_cmp_ui(n, 2) > 0 && mpz_even_p(n))
		mpz_sub_ui(n, n, 1);
	while (!(prime = mpz_probab_prime_p(n, BPSW_ROUNDS + 1)))
		mpz_sub_ui(n, n, 2);
	mpz_swap(r, n);
	mpz_clear(n);
	return prime;
}
