// SPDX-License-Identifier: MIT
/*
 * carrychain-bench [--quick] [--list] [SUITE...] - one row of JSON a line:
 * {suite, case, size, impl, ns_median, ns_min, peer, ratio}, as bench.h defines them.
 */
#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A batch of both together takes about this long, unless one round alone takes longer. */
#define BATCH_NS      60000.0
#define REPEATS_MAX   401
#define REPEATS_QUICK 41
/* Long rounds are repeated only while this much time lasts, but at least so often. */
#define PAIR_NS	      1e9
#define PAIR_QUICK_NS 1e8
#define REPEATS_MIN   5

/* A suite whose file is not there yet is left out. */
#pragma weak cc_bench_u128
#pragma weak cc_bench_limbs
#pragma weak cc_bench_fib
#pragma weak cc_bench_decimal
#pragma weak cc_bench_fixed
#pragma weak cc_bench_fixed_ffa
#pragma weak cc_bench_checksum
#pragma weak cc_bench_checksum_schemes

static const struct {
	const char *name;
	void (*run)(void);
} suites[] = {
	{"u128", cc_bench_u128},	 {"limbs", cc_bench_limbs},
	{"fixed", cc_bench_fixed},	 {"fixed_ffa", cc_bench_fixed_ffa},
	{"fib", cc_bench_fib},		 {"decimal", cc_bench_decimal},
	{"checksum", cc_bench_checksum}, {"checksum_schemes", cc_bench_checksum_schemes},
};

#define SUITES (sizeof(suites) / sizeof(suites[0]))

static const char *suite;
static int quick;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double timed(cc_bench_fn *fn, void *context, size_t rounds)
{
	double start = now();

	fn(context, rounds);
	return now() - start;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), ascending);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* The rounds that fill a batch, found by doubling; this also warms the caches. */
static size_t batch(cc_bench_fn *ours, cc_bench_fn *theirs, void *context)
{
	size_t rounds = 1;

	/* a first call binds symbols and touches pages: its time says nothing */
	ours(context, 1);
	if (theirs)
		theirs(context, 1);
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

void cc_bench_pair(const char *case_, size_t size, const char *impl, const char *peer,
		   cc_bench_fn *ours, cc_bench_fn *theirs, void *context)
{
	static double mine[REPEATS_MAX], ratio[REPEATS_MAX];
	size_t rounds = batch(ours, theirs, context);
	size_t repeats = quick ? REPEATS_QUICK : REPEATS_MAX, i;
	double end = now() + (quick ? PAIR_QUICK_NS : PAIR_NS);
	double middle;

	for (i = 0; i < repeats && (i < REPEATS_MIN || now() < end); i++) {
		double other = 0;

		if (theirs && i % 2)
			other = timed(theirs, context, rounds);
		mine[i] = timed(ours, context, rounds);
		if (theirs && !(i % 2))
			other = timed(theirs, context, rounds);
		ratio[i] = mine[i] / other;
		mine[i] /= (double)rounds;
	}
	middle = median(mine, i);
	printf("{\"suite\": \"%s\", \"case\": \"%s\", \"size\": %zu, \"impl\": \"%s\", "
	       "\"ns_median\": %.4g, \"ns_min\": %.4g, ",
	       suite, case_, size, impl, middle, mine[0]);
	if (theirs)
		printf("\"peer\": \"%s\", \"ratio\": %.3f}\n", peer, median(ratio, i));
	else
		printf("\"peer\": null, \"ratio\": null}\n");
	fflush(stdout);
}

void cc_bench_random(void *words, size_t bytes)
{
	/* Steele and Vigna's splitmix64 */
	static uint64_t state = 1;
	unsigned char *p = words;

	while (bytes) {
		uint64_t x = state += 0x9e3779b97f4a7c15;
		size_t part = bytes < sizeof(x) ? bytes : sizeof(x);

		x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
		x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
		x ^= x >> 31;
		memcpy(p, &x, part);
		p += part;
		bytes -= part;
	}
}

void *cc_bench_alloc(size_t bytes)
{
	void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);

	if (!p) {
		fprintf(stderr, "carrychain-bench: no memory for %zu bytes\n", bytes);
		exit(1);
	}
	memset(p, 0, bytes);
	return p;
}

static int usage(const char *what, const char *argument)
{
	fprintf(stderr, "carrychain-bench: %s %s: give [--quick] [--list] and suites from --list\n",
		what, argument);
	return 2;
}

int main(int argc, char **argv)
{
	int wanted[SUITES] = {0}, any = 0, i;
	size_t s;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--quick")) {
			quick = 1;
			continue;
		}
		if (!strcmp(argv[i], "--list")) {
			for (s = 0; s < SUITES; s++)
				if (suites[s].run)
					puts(suites[s].name);
			return 0;
		}
		if (argv[i][0] == '-')
			return usage("no option", argv[i]);
		for (s = 0; s < SUITES && strcmp(argv[i], suites[s].name); s++)
			;
		if (s == SUITES)
			return usage("no suite", argv[i]);
		wanted[s] = any = 1;
	}
	for (s = 0; s < SUITES; s++) {
		if (!suites[s].run || (any && !wanted[s]))
			continue;
		suite = suites[s].name;
		suites[s].run();
	}
	return 0;
}
