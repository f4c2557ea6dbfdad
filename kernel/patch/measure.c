// SPDX-License-Identifier: MIT
/*
 * The time and the error of a * mul / div, by this tree's function and by the series'; linked
 * into the patched tree, but not part of it.
 *
 * The first argument is ascending or random: branches that depend on it are predictable only in
 * the first order.  Each call depends on the result of the one before it, interrupts are off,
 * the algorithms take turns, each over the whole range, and the least time is reported.
 */
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/math128.h>
#include <linux/math64.h>
#include <linux/prandom.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <os.h>

#define SEED 0x5eedadf
#define TURNS 21
#define CALLS 2000
#define SAMPLES 100003

#define SCALED_PPM (1000000ULL << 16)
/* 10^8 parts per billion, what fits a long everywhere or the most that ice devices take */
#define PPM_MAX (BITS_PER_LONG == 64 ? 6553600000ULL : 0x7fffffffULL)
/* the nominal increment of E810 */
#define INCVAL 0x13b13b13bULL

#include "measure_math128_generic.h"

typedef u64 muldiv_fn(u64 a, u64 mul, u64 div);

static noinline u64 by_arch(u64 a, u64 mul, u64 div)
{
	return mul_u64_u64_div_u64(a, mul, SCALED_PPM);
}

static noinline u64 by_generic(u64 a, u64 mul, u64 div)
{
	return generic_mul_u64_u64_div_u64(a, mul, SCALED_PPM);
}

static noinline u64 by_const(u64 a, u64 mul, u64 div)
{
	return mul_u64_u64_div_const(a, mul, SCALED_PPM);
}

static noinline u64 by_arch_any(u64 a, u64 mul, u64 div)
{
	return mul_u64_u64_div_u64(a, mul, div);
}

static noinline u64 by_generic_any(u64 a, u64 mul, u64 div)
{
	return generic_mul_u64_u64_div_u64(a, mul, div);
}

static noinline u64 by_math128_any(u64 a, u64 mul, u64 div)
{
	return u128_load_low(div_u128_u64(mul_half_u128_u64(a, mul), div));
}

static const struct {
	const char *task, *name;
	muldiv_fn *run;
} algorithms[] = {
	{ "scaled_ppm", "mul_u64_u64_div_u64()", by_arch },
	{ "scaled_ppm", "its generic C", by_generic },
	{ "scaled_ppm", "mul_u64_u64_div_const()", by_const },
	{ "64-bit divisor", "mul_u64_u64_div_u64()", by_arch_any },
	{ "64-bit divisor", "its generic C", by_generic_any },
	{ "64-bit divisor", "div_u128_u64()", by_math128_any },
};

/* The divisor exceeds mul: a quotient fits 64 bits whatever a is */
static u64 first[SAMPLES], second, divisor;

static u64 time_calls(muldiv_fn *run, unsigned int turn)
{
	unsigned long flags;
	u64 begin, end, last = 0;
	unsigned int i;

	local_irq_save(flags);
	begin = os_nsecs();
	/* bit 63 of no answer here is set */
	for (i = 0; i < CALLS; i++)
		last = run(first[i * (SAMPLES / CALLS) + turn] + (last >> 63), second, divisor);
	end = os_nsecs();
	local_irq_restore(flags);
	return end - begin;
}

/* The reference: bit by bit, without any of the code that is measured. */
static u64 exact(u64 a, u64 mul, u64 div)
{
	u64 rem = 0, quotient = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		/* quotient : rem = (a >> bit) * mul / div, and mul < div < 2^62 */
		rem = 2 * rem + (a >> bit & 1 ? mul : 0);
		quotient = 2 * quotient;
		while (rem >= div) {
			rem -= div;
			quotient++;
		}
	}
	return quotient;
}

static void measure(const char *task, const char *order)
{
	u64 ns[ARRAY_SIZE(algorithms)];
	unsigned int i, turn;

	memset(ns, 0xff, sizeof(ns));
	for (turn = 0; turn < TURNS; turn++)
		for (i = 0; i < ARRAY_SIZE(algorithms); i++)
			if (!strcmp(algorithms[i].task, task))
				ns[i] = min(ns[i], time_calls(algorithms[i].run, turn));

	for (i = 0; i < ARRAY_SIZE(algorithms); i++) {
		unsigned int wrong = 0, sample;

		if (strcmp(algorithms[i].task, task))
			continue;
		for (sample = 0; sample < SAMPLES; sample++)
			wrong += algorithms[i].run(first[sample], second, divisor) !=
				 exact(first[sample], second, divisor);
		pr_info("math128-measured %s|%s|%s|%u|%u|%u\n", task, algorithms[i].name, order,
			(unsigned int)ns[i] / (CALLS / 1000), wrong, SAMPLES);
	}
}

static void both_orders(const char *task, u64 most)
{
	u64 step = div64_u64(most, SAMPLES);
	struct rnd_state state;
	unsigned int i;

	for (i = 0; i < SAMPLES; i++)
		first[i] = step * i;
	measure(task, "ascending");

	prandom_seed_state(&state, SEED);
	for (i = 0; i < SAMPLES; i++) {
		u64 x = (u64)prandom_u32_state(&state) << 32 | prandom_u32_state(&state);

		div64_u64_rem(x, most, &first[i]);
	}
	measure(task, "random");
}

static int __init measure_math128(void)
{
	/* the argument varies as scaled_ppm does, and base is the constant of the two factors */
	second = INCVAL;
	divisor = SCALED_PPM;
	both_orders("scaled_ppm", PPM_MAX);
	second = 0x1b9ac9ff12345677ULL;
	divisor = 0x3fedcba987654321ULL;
	both_orders("64-bit divisor", S64_MAX);
	return 0;
}
late_initcall(measure_math128);
