// SPDX-License-Identifier: MIT
#include "timing.h"

#include <stdlib.h>

/* A batch of both together takes about this long, unless one round alone takes longer. */
#define BATCH_NS      60000.0
#define REPEATS_MAX   401
#define REPEATS_QUICK 41
/* Long rounds are repeated only while this much time lasts, but at least so often. */
#define PAIR_NS	      1e9
#define PAIR_QUICK_NS 1e8
#define REPEATS_MIN   5
/* Who waits so long for one round gets fewer of them: noise is shorter. */
#define LONG_NS	     5e9
#define REPEATS_LONG 3
/* Nor is a measurement made again that has taken so many times that. */
#define AGAIN_MOST 10

static double timed(cc_bench_fn *fn, void *context, size_t rounds)
{
	double start = cc_bench_now();

	fn(context, rounds);
	return cc_bench_now() - start;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double *sorted, size_t n)
{
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static double spread(const double *sorted, size_t n)
{
	return sorted[3 * (n - 1) / 4] / sorted[0] - 1;
}

/* The rounds that fill a batch, found by doubling; this also warms the caches. 0: one is long. */
static size_t batch(cc_bench_fn *ours, cc_bench_fn *theirs, void *context)
{
	size_t rounds = 1;
	/* a first call binds symbols and touches pages: else its time says nothing */
	double first = timed(ours, context, 1);

	if (theirs)
		first += timed(theirs, context, 1);
	if (first >= LONG_NS)
		return 0;
	for (;;) {
		double t = timed(ours, context, rounds);

		if (theirs)
			t += timed(theirs, context, rounds);
		if (t >= BATCH_NS)
			return rounds;
		if (t >= BATCH_NS / 16)
			return (size_t)((double)rounds * BATCH_NS / t) + 1;
		rounds *= 2;
	}
}

static struct cc_bench_timing attempt(cc_bench_fn *ours, cc_bench_fn *theirs, void *context,
				      int quick)
{
	static double mine[REPEATS_MAX], other[REPEATS_MAX], ratio[REPEATS_MAX];
	size_t rounds = batch(ours, theirs, context);
	size_t repeats = quick ? REPEATS_QUICK : REPEATS_MAX, least = REPEATS_MIN, i;
	double end = cc_bench_now() + (quick ? PAIR_QUICK_NS : PAIR_NS);
	struct cc_bench_timing t = {0};

	if (!rounds) {
		rounds = 1;
		least = REPEATS_LONG;
	}
	for (i = 0; i < repeats && (i < least || cc_bench_now() < end); i++) {
		if (theirs && i % 2)
			other[i] = timed(theirs, context, rounds);
		mine[i] = timed(ours, context, rounds);
		if (theirs && !(i % 2))
			other[i] = timed(theirs, context, rounds);
		if (theirs)
			ratio[i] = mine[i] / other[i];
	}
	qsort(mine, i, sizeof(*mine), ascending);
	t.ns_median = median(mine, i) / (double)rounds;
	t.ns_min = mine[0] / (double)rounds;
	t.spread = spread(mine, i);
	if (theirs) {
		qsort(ratio, i, sizeof(*ratio), ascending);
		t.ratio = median(ratio, i);
		qsort(other, i, sizeof(*other), ascending);
		if (spread(other, i) > t.spread)
			t.spread = spread(other, i);
	}
	return t;
}

struct cc_bench_timing cc_bench_time(cc_bench_fn *ours, cc_bench_fn *theirs, void *context,
				     int quick)
{
	double end = cc_bench_now() + AGAIN_MOST * (quick ? PAIR_QUICK_NS : PAIR_NS);
	struct cc_bench_timing best = attempt(ours, theirs, context, quick), again;
	int i;

	for (i = 1; i < CC_BENCH_ATTEMPTS; i++) {
		if (best.spread <= CC_BENCH_SPREAD_MAX || cc_bench_now() >= end)
			break;
		again = attempt(ours, theirs, context, quick);
		if (again.spread < best.spread)
			best = again;
	}
	return best;
}
