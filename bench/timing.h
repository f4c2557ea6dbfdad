/* SPDX-License-Identifier: MIT */
/*
 * timing.h - repeats of a pair in turn, and whether anything disturbed them.
 *
 * Each repeat times a batch of rounds of ours and a batch of as many rounds of theirs (the
 * one that goes first alternates), so that whatever slows the machine for longer than a
 * batch slows both.  What slows it for only some of the repeats spreads them: then all of
 * them are taken again, and those that lie closest together count.
 * python/carrychain/bench/timing.py has the same rule for what Python times.
 */
#ifndef CC_BENCH_TIMING_H
#define CC_BENCH_TIMING_H

#include "bench.h"

/* Repeats that spread further are disturbed. */
#define CC_BENCH_SPREAD_MAX 0.25
/* So often a measurement is made at most, if each time it is disturbed. */
#define CC_BENCH_ATTEMPTS 3

struct cc_bench_timing {
	double ns_median, ns_min; /* ours, a round */
	double ratio;		  /* the median of the repeats' ours / theirs; without theirs 0 */
	/* the upper quartile over the least, less 1: ours' or theirs', whichever is more */
	double spread;
};

/* In ns, from any beginning. */
double cc_bench_now(void);

/* Without a peer @theirs is NULL. */
struct cc_bench_timing cc_bench_time(cc_bench_fn *ours, cc_bench_fn *theirs, void *context,
				     int quick);

#endif /* CC_BENCH_TIMING_H */
