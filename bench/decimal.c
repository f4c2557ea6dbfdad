// SPDX-License-Identifier: MIT
/* Decimal digits of F(n) against mpz_get_str and mpz_set_str, memory included; the size is n. */
#include <carrychain/fib.h>
#include <carrychain/limbs.h>
#include <gmp.h>
#include <stdlib.h>

#include "bench.h"

struct work {
	cc_bigint f, read;
	mpz_t peer, peer_read;
	char *digits;
};

static void our_format(void *context, size_t rounds)
{
	const struct work *w = context;

	while (rounds--) {
		cc_string_free(cc_bigint_to_string(&w->f, 10));
		cc_bench_barrier();
	}
}

static void gmp_format(void *context, size_t rounds)
{
	const struct work *w = context;

	while (rounds--) {
		free(mpz_get_str(NULL, 10, w->peer));
		cc_bench_barrier();
	}
}

static void our_parse(void *context, size_t rounds)
{
	struct work *w = context;

	while (rounds--) {
		cc_bigint_from_string(&w->read, w->digits, 10);
		cc_bench_barrier();
	}
}

static void gmp_parse(void *context, size_t rounds)
{
	struct work *w = context;

	while (rounds--) {
		mpz_set_str(w->peer_read, w->digits, 10);
		cc_bench_barrier();
	}
}

static const unsigned long indices[] = {93, 100, 200, 500, 1000, 2000, 10000, 100000, 1000000};

void cc_bench_decimal(void)
{
	struct work w = {.f = CC_BIGINT_INIT, .read = CC_BIGINT_INIT};
	size_t i;

	mpz_inits(w.peer, w.peer_read, NULL);
	for (i = 0; i < sizeof(indices) / sizeof(indices[0]); i++) {
		cc_fib(&w.f, indices[i]);
		mpz_fib_ui(w.peer, indices[i]);
		w.digits = cc_bigint_to_string(&w.f, 10);
		cc_bench_pair("format", indices[i], cc_limbs_tier(), "gmp", our_format, gmp_format,
			      &w);
		cc_bench_pair("parse", indices[i], cc_limbs_tier(), "gmp", our_parse, gmp_parse,
			      &w);
		cc_string_free(w.digits);
	}
	mpz_clears(w.peer, w.peer_read, NULL);
	cc_bigint_clear(&w.f);
	cc_bigint_clear(&w.read);
}
