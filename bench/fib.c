// SPDX-License-Identifier: MIT
/*
 * F(n) by each strategy against mpz_fib_ui; the size is n.  Both write into an integer
 * that already has the room.
 */
#include <carrychain/fib.h>
#include <gmp.h>

#include "bench.h"

struct work {
	cc_bigint f;
	mpz_t peer;
	unsigned long n;
	enum cc_fib_strategy strategy;
};

static void ours(void *context, size_t rounds)
{
	struct work *w = context;

	while (rounds--) {
		cc_fib_by(&w->f, w->n, w->strategy, NULL);
		cc_bench_barrier();
	}
}

static void theirs(void *context, size_t rounds)
{
	struct work *w = context;

	while (rounds--) {
		mpz_fib_ui(w->peer, w->n);
		cc_bench_barrier();
	}
}

static const unsigned long indices[] = {10,   93,    100,   200,    500,    1000,
					2000, 10000, 20000, 100000, 1000000};

/* Beyond this, n - 1 additions take longer than anyone waits for a row. */
#define ITERATIVE_MAX 100000

void cc_bench_fib(void)
{
	struct work w = {.f = CC_BIGINT_INIT};
	size_t i;
	int s;

	mpz_init(w.peer);
	for (s = 0; s < CC_FIB_STRATEGIES; s++) {
		w.strategy = (enum cc_fib_strategy)s;
		for (i = 0; i < sizeof(indices) / sizeof(indices[0]); i++) {
			w.n = indices[i];
			if (s == CC_FIB_ITERATIVE && w.n > ITERATIVE_MAX)
				continue;
			cc_bench_pair("fib", w.n, cc_fib_strategy_name(s), "gmp", ours, theirs, &w);
		}
	}
	mpz_clear(w.peer);
	cc_bigint_clear(&w.f);
}
