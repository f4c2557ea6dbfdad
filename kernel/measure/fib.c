// SPDX-License-Identifier: MIT
/*
 * Fibonacci numbers in the kernel: the time of each strategy against n, and that of F(n)
 * with its digits, as a read of /dev/fibonacci computes them.  The times include allocating
 * and freeing all memory.
 *
 * Each sample sweeps over all n and strategies before the next begins, so that a temporary
 * slowdown affects one sample of many n, and not all samples of one n.
 */
#include <linux/kernel.h>
#include <linux/sort.h>

#include <carrychain/fib.h>

#include "measure.h"

#define SAMPLES 21
#define POINTS 1001
#define LEAST_OF 101

/* The numbers that fit a line of the log. */
#define LINE_POINTS 80

static u32 times[CC_FIB_STRATEGIES][POINTS][SAMPLES];

static int compare(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static int time_number(u32 *ns, u64 n, int strategy)
{
	cc_bigint f = CC_BIGINT_INIT;
	u64 begin = measure_now();
	int err = cc_fib_by(&f, n, strategy, NULL);

	cc_bigint_clear(&f);
	*ns = measure_now() - begin;
	return err;
}

static int sweep(unsigned int points, unsigned int step)
{
	unsigned int i, sample;
	int strategy, err;

	for (sample = 0; sample < SAMPLES; sample++) {
		for (strategy = 0; strategy < CC_FIB_STRATEGIES; strategy++) {
			for (i = 0; i < points; i++) {
				err = time_number(&times[strategy][i][sample], i * step, strategy);
				if (err)
					return err;
			}
		}
	}
	return 0;
}

static void report(unsigned int points, unsigned int step)
{
	unsigned int i, first;
	int strategy;

	for (strategy = 0; strategy < CC_FIB_STRATEGIES; strategy++) {
		for (first = 0; first < points; first += LINE_POINTS) {
			char list[LINE_POINTS * 12] = "";
			size_t length = 0;

			for (i = first; i < points && i < first + LINE_POINTS; i++) {
				u32 *ns = times[strategy][i];

				sort(ns, SAMPLES, sizeof(*ns), compare, NULL);
				length += scnprintf(list + length, sizeof(list) - length, "%s%u",
						    i > first ? "," : "", ns[SAMPLES / 2]);
			}
			measure_result("\"by\": \"%s\", \"first\": %u, \"step\": %u, \"ns\": [%s]",
				       cc_fib_strategy_name(strategy), first * step, step, list);
		}
	}
}

static int time_decimals(u64 *ns, u64 n, unsigned int calls)
{
	u64 begin = measure_now();
	unsigned int i;

	for (i = 0; i < calls; i++) {
		cc_bigint f = CC_BIGINT_INIT;
		size_t length;
		char *digits;
		int err;

		err = cc_fib(&f, n);
		if (!err)
			err = cc_bigint_format(&digits, &length, &f, 10, NULL);
		cc_bigint_clear(&f);
		if (err)
			return err;
		cc_string_free(digits);
	}
	*ns = measure_now() - begin;
	return 0;
}

static int least_decimals(u64 n, unsigned int calls)
{
	u64 least = U64_MAX, ns;
	unsigned int sample;

	for (sample = 0; sample < LEAST_OF; sample++) {
		int err = time_decimals(&ns, n, calls);

		if (err)
			return err;
		least = min(least, ns);
	}
	measure_result("\"decimals\": \"kernel\", \"n\": %llu, \"calls\": %u, \"ns\": %llu", n,
		       calls, least);
	return 0;
}

void measure_fib(void)
{
	int err;

	err = sweep(POINTS, 1);
	if (!err) {
		report(POINTS, 1);
		err = sweep(201, 50);
	}
	if (!err) {
		report(201, 50);
		err = least_decimals(100, 1000) ?: least_decimals(1000, 1000) ?:
		      least_decimals(10000, 100) ?: least_decimals(100000, 4);
	}
	if (err)
		pr_err("Fibonacci numbers were not measured: %d\n", err);
}
