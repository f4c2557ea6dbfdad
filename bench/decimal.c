// SPDX-License-Identifier: MIT
/*
 * Decimal digits of F(n), from n and from F(n), against mpz_get_str and mpz_set_str, and FLINT's,
 * memory included; the size is n.
 */
#include <carrychain/fib.h>
#include <carrychain/limbs.h>
#include <gmp.h>
#include <stdlib.h>

#include "bench.h"
#include "flint.h"

struct work {
	cc_bigint f, read;
	mpz_t gmp, gmp_read;
	long flint, flint_read;
	char *digits;
	unsigned long n;
};

static void print_fib(const struct work *w)
{
	size_t length;
	char *s;

	cc_fib_decimal(&s, &length, w->n, NULL);
	cc_string_free(s);
}

CC_BENCH_LOOP(our_digits, print_fib(w))
CC_BENCH_LOOP(gmp_digits, (mpz_fib_ui(w->gmp, w->n), free(mpz_get_str(NULL, 10, w->gmp))))
CC_BENCH_LOOP(flint_digits, (cc_flint()->fib(&w->flint, w->n),
			     cc_flint()->free(cc_flint()->get_str(NULL, 10, &w->flint))))
CC_BENCH_LOOP(our_format, cc_string_free(cc_bigint_to_string(&w->f, 10)))
CC_BENCH_LOOP(gmp_format, free(mpz_get_str(NULL, 10, w->gmp)))
CC_BENCH_LOOP(flint_format, cc_flint()->free(cc_flint()->get_str(NULL, 10, &w->flint)))
CC_BENCH_LOOP(our_parse, cc_bigint_from_string(&w->read, w->digits, 10))
CC_BENCH_LOOP(gmp_parse, mpz_set_str(w->gmp_read, w->digits, 10))
CC_BENCH_LOOP(flint_parse, cc_flint()->set_str(&w->flint_read, w->digits, 10))

static const unsigned long indices[] = {93,	  100,	     200,	500,	 1000,	   2000,
					5000,	  10000,     20000,	50000,	 100000,   200000,
					500000,	  1000000,   2000000,	5000000, 10000000, 20000000,
					50000000, 100000000, 1000000000};

/* Beyond, minutes and more. */
#define MOST 10000000

static void bench_digits(struct work *w, size_t n)
{
	if (!cc_bench_wants("digits", n) && !cc_bench_wants("format", n) &&
	    !cc_bench_wants("parse", n))
		return;
	cc_fib(&w->f, n);
	mpz_fib_ui(w->gmp, n);
	if (cc_flint())
		cc_flint()->fib(&w->flint, n);
	w->digits = cc_bigint_to_string(&w->f, 10);
	w->n = n;
	cc_bench_pair("digits", n, cc_limbs_tier(), "gmp", our_digits, gmp_digits, w);
	cc_flint_pair("digits", n, cc_limbs_tier(), our_digits, flint_digits, w);
	cc_bench_pair("format", n, cc_limbs_tier(), "gmp", our_format, gmp_format, w);
	cc_flint_pair("format", n, cc_limbs_tier(), our_format, flint_format, w);
	cc_bench_pair("parse", n, cc_limbs_tier(), "gmp", our_parse, gmp_parse, w);
	cc_flint_pair("parse", n, cc_limbs_tier(), our_parse, flint_parse, w);
	cc_string_free(w->digits);
}

void cc_bench_decimal(void)
{
	struct work w = {.f = CC_BIGINT_INIT, .read = CC_BIGINT_INIT};
	size_t i;

	mpz_inits(w.gmp, w.gmp_read, NULL);
	for (i = 0; i < sizeof(indices) / sizeof(indices[0]); i++)
		if (indices[i] <= MOST || cc_bench_all())
			bench_digits(&w, indices[i]);
	mpz_clears(w.gmp, w.gmp_read, NULL);
	if (cc_flint()) {
		cc_flint()->clear(&w.flint);
		cc_flint()->clear(&w.flint_read);
	}
	cc_bigint_clear(&w.f);
	cc_bigint_clear(&w.read);
}
