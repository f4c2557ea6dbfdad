// SPDX-License-Identifier: MIT
/* What the bench program makes of its repeats, by a clock that shows what each call is said to
 * cost. */
#include "../../bench/timing.h"
#include "harness.h"

#include <math.h>

/* A call in so many, beginning with the first, costs @times as much; 0: none does. */
struct side {
	double ns;
	size_t period;
	double times;
	size_t calls;
};

struct pair {
	struct side ours, theirs;
	size_t quiet_after; /* calls of ours */
};

static double clock_ns;

double cc_bench_now(void)
{
	return clock_ns;
}

static void call(struct side *side, size_t rounds, bool quiet)
{
	bool hit = !quiet && side->period && side->calls % side->period == 0;

	side->calls++;
	clock_ns += (double)rounds * side->ns * (hit ? side->times : 1);
}

static void ours(void *context, size_t rounds)
{
	struct pair *pair = context;

	call(&pair->ours, rounds, pair->ours.calls >= pair->quiet_after);
}

static void theirs(void *context, size_t rounds)
{
	struct pair *pair = context;

	call(&pair->theirs, rounds, pair->ours.calls >= pair->quiet_after);
}

static bool near(double a, double b)
{
	return fabs(a - b) < b / 1e6;
}

/* The rounds fill a batch, so that there are as many repeats as there can be: 41. */
static double draw_ns(void)
{
	return 1 + (double)random_below(20000);
}

static bool disturbed(const struct cc_bench_timing *t)
{
	return t->spread > CC_BENCH_SPREAD_MAX;
}

/* One attempt: the first call, at most 16 to find the rounds, 41 repeats. */
#define CALLS_MOST 58

static void test_quiet(void)
{
	size_t i;

	test_case(NULL, "quiet");
	for (i = 0; i < test_scaled(200); i++) {
		/* a call in five or fewer, however much it costs, moves nothing */
		struct pair pair = {
			{draw_ns(), 5 + random_below(9), 1 + (double)random_below(99), 0},
			{draw_ns(), 5 + random_below(9), 1 + (double)random_below(99), 0},
			SIZE_MAX};
		struct cc_bench_timing t = cc_bench_time(ours, theirs, &pair, 1);

		CHECK(!disturbed(&t), "spread %g", t.spread);
		CHECK(near(t.ns_min, pair.ours.ns), "%g ns, not %g", t.ns_min, pair.ours.ns);
		CHECK(near(t.ns_median, pair.ours.ns), "%g ns, not %g", t.ns_median, pair.ours.ns);
		CHECK(near(t.ratio, pair.ours.ns / pair.theirs.ns), "ratio %g", t.ratio);
		CHECK(pair.ours.calls <= CALLS_MOST, "%zu calls", pair.ours.calls);
	}
}

static void test_disturbed(void)
{
	size_t i;

	test_case(NULL, "disturbed throughout");
	for (i = 0; i < test_scaled(200); i++) {
		/* a call in two or three, of ours, of theirs or of both */
		size_t which = random_below(3), period = 2 + random_below(2);
		double times = 1.3 + (double)random_below(99);
		struct pair pair = {{draw_ns(), which != 0 ? period : 0, times, 0},
				    {draw_ns(), which != 1 ? period : 0, times, 0},
				    SIZE_MAX};
		struct cc_bench_timing t = cc_bench_time(ours, theirs, &pair, 1);

		CHECK(disturbed(&t), "spread %g", t.spread);
		CHECK(pair.ours.calls > (CC_BENCH_ATTEMPTS - 1) * 41 &&
			      pair.ours.calls <= CC_BENCH_ATTEMPTS * CALLS_MOST,
		      "%zu calls", pair.ours.calls);
	}
}

static void test_repeated(void)
{
	test_case(NULL, "71 ms beside 3.4, for a while");
	for (size_t quiet_after = 3; quiet_after < 40; quiet_after++) {
		/* long rounds: few repeats */
		struct pair pair = {{3.4e6, 2, 71 / 3.4, 0}, {1.3e7, 0, 1, 0}, quiet_after};
		struct cc_bench_timing t = cc_bench_time(ours, theirs, &pair, 0);

		CHECK(!disturbed(&t), "spread %g", t.spread);
		CHECK(near(t.ns_median, 3.4e6), "%g ns", t.ns_median);
		CHECK(near(t.ratio, 3.4 / 13), "ratio %g", t.ratio);
	}
	test_case(NULL, "alone");
	for (size_t period = 2; period < 7; period++) {
		struct pair pair = {{2e9, period, 2, 0}, {0, 0, 0, 0}, SIZE_MAX};
		struct cc_bench_timing t = cc_bench_time(ours, NULL, &pair, 0);

		CHECK(disturbed(&t) == (period < 4), "every %zu: spread %g", period, t.spread);
		/* one to begin with, one to find the rounds, five repeats: who waits for more? */
		CHECK(pair.ours.calls == 7, "%zu calls", pair.ours.calls);
	}
	test_case(NULL, "minutes");
	for (size_t i = 0; i < 10; i++) {
		/* together: each alone would not be long */
		struct pair pair = {{6e9, 0, 1, 0}, {5e9, 0, 1, 0}, SIZE_MAX};
		struct cc_bench_timing t = cc_bench_time(ours, theirs, &pair, i % 2 != 0);

		CHECK(near(t.ns_median, 6e9) && near(t.ratio, 1.2), "%g ns", t.ns_median);
		/* one to begin with, and three */
		CHECK(pair.ours.calls == 4 && pair.theirs.calls == 4, "%zu calls", pair.ours.calls);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_quiet();
	test_disturbed();
	test_repeated();
	return test_end();
}
