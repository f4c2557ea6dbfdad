/* SPDX-License-Identifier: MIT */
/*
 * How a driver turns a requested change of frequency into a clock's increment: the increment
 * changes by incval * scaled_ppm / (10^6 * 2^16).
 */
#ifndef CC_MEASURE_ADJFINE_H
#define CC_MEASURE_ADJFINE_H

#include <linux/compiler.h>
#include <linux/types.h>

/* scaled_ppm for 10^8 parts per billion, the most that ice devices accept. */
#define ADJFINE_MAX 6553600000LL

static __always_inline u64 adjfine_size(s64 scaled_ppm)
{
	return scaled_ppm < 0 ? -(u64)scaled_ppm : scaled_ppm;
}

static __always_inline u64 adjfine_moved(u64 incval, s64 scaled_ppm, u64 diff)
{
	return scaled_ppm < 0 ? incval - diff : incval + diff;
}

/* The new increment of a clock with the nominal increment @incval. */
typedef u64 adjfine_fn(u64 incval, s64 scaled_ppm);

adjfine_fn adjfine_5_19, adjfine_6_0, adjfine_6_0_asm;
adjfine_fn adjfine_native, adjfine_fallback64, adjfine_fallback32;

#endif /* CC_MEASURE_ADJFINE_H */
