// SPDX-License-Identifier: MIT
/*
 * The time of F(n) with its decimals, all memory allocated and freed, as a read of
 * /dev/fibonacci has them computed.
 */
#include <linux/kernel.h>

#include <carrychain/fib.h>

#include "measure.h"

#define SAMPLES 101

static const struct {
	u64 n;
	unsigned int calls;
} sizes[] = {
	{ 100, 1000 },
	{ 1000, 1000 },
	{ 10000, 100 },
	{ 100000, 4 },
};

static int time_calls(u64 *ns, u64 n, unsigned int calls)
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

void measure_fib(void)
{
	size_t i, sample;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		u64 least = U64_MAX, ns;

		for (sample = 0; sample < SAMPLES; sample++) {
			int err = time_calls(&ns, sizes[i].n, sizes[i].calls);

			if (err) {
				pr_err("F(%llu): %d\n", sizes[i].n, err);
				return;
			}
			least = min(least, ns);
		}
		measure_result("\"n\": %llu, \"calls\": %u, \"samples\": %u, \"ns_min\": %llu",
			       sizes[i].n, sizes[i].calls, SAMPLES, least);
	}
}
