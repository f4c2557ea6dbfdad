/* SPDX-License-Identifier: MIT */
/* Results go to the kernel's log, one JSON object per line, after this mark. */
#ifndef CC_MEASURE_H
#define CC_MEASURE_H

#include <linux/printk.h>

#ifdef CONFIG_UML
/* There, ktime_get() counts in steps of 256 ns. */
#include <os.h>
#define measure_now() ((u64)os_nsecs())
#else
#include <linux/timekeeping.h>
#define measure_now() ktime_get_ns()
#endif

#define measure_result(format, ...) pr_info("carrychain-result {" format "}\n", ##__VA_ARGS__)

void measure_adjfine(void);
void measure_fib(void);

#endif /* CC_MEASURE_H */
