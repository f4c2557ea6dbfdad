// SPDX-License-Identifier: MIT
/*
 * The time and the error of an adjustment by each algorithm.
 *
 * A measurement is a number of calls, each with its own scaled_ppm: random over the whole
 * range, or sweeping over it, so that branches are predictable.  The clock is read before the
 * first call and after the last, interrupts are off, and the algorithms take turns.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/prandom.h>

#include "adjfine.h"
#include "measure.h"

#define SEED 0x5eedadf
#define CALLS_MAX 10000

/* The first turn warms the caches, and is not counted. */
#define TURNS 11
#define ERROR_SAMPLES 100003

static const struct {
	const char *name;
	adjfine_fn *adjust;
} algorithms[] = {
	{ "5.19", adjfine_5_19 },
	{ "6.0", adjfine_6_0 },
	{ "6.0 asm", adjfine_6_0_asm },
	{ "native", adjfine_native },
	{ "fallback64", adjfine_fallback64 },
	{ "fallback32", adjfine_fallback32 },
};

/* The nominal increments of E810 and, by the frequency of their reference, of E822. */
static const struct {
	const char *name;
	u64 incval;
} devices[] = {
	{ "E810", 0x13b13b13b },
	{ "E822, 25 MHz", 0x136e44fab },
	{ "E822, 122.88 MHz", 0x146cc2177 },
	{ "E822, 125 MHz", 0x141414141 },
	{ "E822, 153.6 MHz", 0x139b9b9ba },
	{ "E822, 156.25 MHz", 0x134679ace },
	{ "E822, 245.76 MHz", 0x146cc2177 },
};

static s64 inputs[TURNS * CALLS_MAX];

/* Each call depends on the result of the one before it, whose bits 63 to 48 are 0. */
static u64 time_calls(adjfine_fn *adjust, u64 incval, const s64 *scaled_ppm, unsigned int calls)
{
	unsigned long flags;
	u64 begin, end, moved = 0;
	unsigned int i;

	local_irq_save(flags);
	begin = measure_now();
	for (i = 0; i < calls; i++)
		moved = adjust(incval, scaled_ppm[i] + (moved >> 48));
	end = measure_now();
	local_irq_restore(flags);
	return end - begin;
}

static void measure_times(size_t device, const char *order, unsigned int calls)
{
	u64 ns[ARRAY_SIZE(algorithms)][TURNS];
	size_t i, turn;

	for (turn = 0; turn < TURNS; turn++)
		for (i = 0; i < ARRAY_SIZE(algorithms); i++)
			ns[i][turn] = time_calls(algorithms[i].adjust, devices[device].incval,
						 &inputs[turn * calls], calls);

	for (i = 0; i < ARRAY_SIZE(algorithms); i++) {
		char list[TURNS * 22] = "";
		size_t length = 0;

		for (turn = 1; turn < TURNS; turn++)
			length += scnprintf(list + length, sizeof(list) - length, "%s%llu",
					    turn > 1 ? ", " : "", ns[i][turn]);
		measure_result("\"device\": \"%s\", \"by\": \"%s\", \"%s\": %u, \"ns\": [%s]",
			       devices[device].name, algorithms[i].name, order, calls, list);
	}
}

/* From one end of the range to the other. */
static void sweep(unsigned int calls)
{
	unsigned int i;

	for (i = 0; i < TURNS * calls; i++)
		inputs[i] = div_s64(2 * ADJFINE_MAX, calls) * (i % calls) - ADJFINE_MAX;
}

static void scatter(void)
{
	struct rnd_state state;
	unsigned int i;

	prandom_seed_state(&state, SEED);
	for (i = 0; i < TURNS * CALLS_MAX; i++) {
		u64 x = (u64)prandom_u32_state(&state) << 32 | prandom_u32_state(&state);

		inputs[i] = (s64)(x % (2 * ADJFINE_MAX + 1)) - ADJFINE_MAX;
	}
}

/* The reference: bit by bit, without any of the code that is measured. */
static u64 exact(u64 incval, s64 scaled_ppm)
{
	u64 a = adjfine_size(scaled_ppm), rem = 0, quotient = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		/* quotient : rem = (a >> bit) * incval / (10^6 * 2^16) */
		rem = 2 * rem + (a >> bit & 1 ? incval : 0);
		quotient = 2 * quotient + rem / 65536000000ULL;
		rem %= 65536000000ULL;
	}
	return quotient;
}

static void measure_errors(size_t device)
{
	u64 incval = devices[device].incval;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(algorithms); i++) {
		s64 step = div_s64(2 * ADJFINE_MAX, ERROR_SAMPLES - 1);
		unsigned int sample, inexact = 0;
		u64 worst = 0, sum = 0;

		for (sample = 0; sample < ERROR_SAMPLES; sample++) {
			s64 scaled_ppm = sample < ERROR_SAMPLES - 1 ? sample * step - ADJFINE_MAX :
								      ADJFINE_MAX;
			u64 got = algorithms[i].adjust(incval, scaled_ppm);
			u64 want = adjfine_moved(incval, scaled_ppm, exact(incval, scaled_ppm));
			u64 error = got < want ? want - got : got - want;

			sum += error;
			inexact += error > 0;
			worst = max(worst, error);
		}
		measure_result("\"device\": \"%s\", \"by\": \"%s\", \"tried\": %u, \"inexact\": %u",
			       devices[device].name, algorithms[i].name, ERROR_SAMPLES, inexact);
		measure_result("\"device\": \"%s\", \"by\": \"%s\", \"sum\": %llu, \"max\": %llu",
			       devices[device].name, algorithms[i].name, sum, worst);
	}
}

void measure_adjfine(void)
{
	size_t device;

	for (device = 0; device < ARRAY_SIZE(devices); device++) {
		measure_result("\"device\": \"%s\", \"incval\": %llu", devices[device].name,
			       devices[device].incval);
		sweep(100);
		measure_times(device, "swept", 100);
		sweep(10000);
		measure_times(device, "swept", 10000);
		scatter();
		measure_times(device, "random", 100);
		measure_times(device, "random", 10000);
		measure_errors(device);
	}
}
