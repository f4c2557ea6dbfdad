/* SPDX-License-Identifier: MIT */
/* u128.h - the loops that every implementation of <carrychain/u128.h> is timed in. */
#ifndef BENCH_U128_H
#define BENCH_U128_H

#include <carrychain/u128.h>

#include "bench.h"

#define U128_OPERANDS 1024

/* What is in memory here has the same layout in all implementations. */
struct u128_work {
	cc_u128 a[U128_OPERANDS], b[U128_OPERANDS], r;
	cc_u64 zero; /* what no compiler knows to be 0 */
	unsigned int shift;
};

/* The chains: each operation waits for the one before. */
struct u128_loops {
	const char *impl;
	cc_bench_fn *add, *sub, *lt, *mul_shr, *mul_shr_chain, *div, *div_chain, *mul_div;
};

extern const struct u128_loops u128_loops_128, u128_loops_64, u128_loops_32;

/* a ^ (r & mask) in both halves: for a mask of 0 it is a, but not before r is known */
static inline cc_u128 after(cc_u128 a, cc_u128 r, cc_u64 mask)
{
	return u128_store(a.b127_64 ^ (r.b127_64 & mask), a.b63_0 ^ (r.b63_0 & mask));
}

/* One operation a round on operands from memory; @statement puts what it makes into r. */
#define U128_LOOP(name, statement)                                                                 \
	static void name(void *context, size_t rounds)                                             \
	{                                                                                          \
		struct u128_work *w = context;                                                     \
		cc_u64 zero = w->zero;                                                             \
		cc_u128 r = w->r;                                                                  \
		size_t i;                                                                          \
                                                                                                   \
		(void)zero;                                                                        \
		for (i = 0; i < rounds; i++) {                                                     \
			cc_u128 a = w->a[i % U128_OPERANDS], b = w->b[i % U128_OPERANDS];          \
                                                                                                   \
			(void)b;                                                                   \
			statement;                                                                 \
		}                                                                                  \
		w->r = r;                                                                          \
	}

#endif /* BENCH_U128_H */
