// SPDX-License-Identifier: MIT
/*
 * F(n) by each strategy against mpz_fib_ui, and fmpz_fib_ui the best of them; the size is n.
 * All write into an integer that already has the room.
 */
#include <carrychain/fib.h>
#include <gmp.h>

#include "bench.h"
#include "flint.h"

struct work {
	cc_bigint f;
	mpz_t gmp;
	long flint;
	unsigned long n;
	enum cc_fib_strategy strategy;
};

CC_BENCH_LOOP(ours, cc_fib_by(&w->f, w->n, w->strategy, NULL))
CC_BENCH_LOOP(gmp, mpz_fib_ui(w->gmp, w->n))
CC_BENCH_LOOP(flint, cc_flint()->fib(&w->flint, w->n))

/* The last takes minutes. */
static const unsigned long indices[] = {10,	  93,	    100,       200,	  500,	   1000,
					2000,	  5000,	    10000,     20000,	  50000,   100000,
					200000,	  500000,   1000000,   2000000,	  5000000, 10000000,
					20000000, 50000000, 100000000, 1000000000};

#define MOST 100000000
/* What is not the best of them need not be waited for. */
static const unsigned long most[CC_FIB_STRATEGIES] = {
	[CC_FIB_SQUARING] = 1000000000,
	[CC_FIB_DOUBLING] = 1000000,
	[CC_FIB_ITERATIVE] = 100000,
};

void cc_bench_fib(void)
{
	struct work w = {.f = CC_BIGINT_INIT};
	size_t i;
	int s;

	mpz_init(w.gmp);
	for (s = 0; s < CC_FIB_STRATEGIES; s++) {
		w.strategy = (enum cc_fib_strategy)s;
		for (i = 0; i < sizeof(indices) / sizeof(indices[0]); i++) {
			w.n = indices[i];
			if (w.n > most[s] || (w.n > MOST && !cc_bench_all()))
				continue;
			cc_bench_pair("fib", w.n, cc_fib_strategy_name(s), "gmp", ours, gmp, &w);
			if (s == CC_FIB_SQUARING)
				cc_flint_pair("fib", w.n, cc_fib_strategy_name(s), ours, flint, &w);
		}
	}
	mpz_clear(w.gmp);
	if (cc_flint())
		cc_flint()->clear(&w.flint);
	cc_bigint_clear(&w.f);
}
