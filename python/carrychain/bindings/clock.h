/* SPDX-License-Identifier: MIT */
/* clock.h - a monotonic clock in nanoseconds; define _POSIX_C_SOURCE before you include it. */
#ifndef CARRYCHAIN_BINDINGS_CLOCK_H
#define CARRYCHAIN_BINDINGS_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif /* CARRYCHAIN_BINDINGS_CLOCK_H */
