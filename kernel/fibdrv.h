/* SPDX-License-Identifier: MIT */
/* fibdrv.h - the ioctls of /dev/fibonacci. */
#ifndef FIBDRV_H
#define FIBDRV_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* The number of decimal digits of F(n) for the position n: the bytes of a whole read. */
#define FIB_IOC_LENGTH _IOR('F', 0xf1, __u64)

/* The algorithm, in the order of <carrychain/fib.h>; and how long it took. */
struct fib_time {
	__u32 strategy; /* 0: squaring, 1: doubling, 2: iterative */
	__u32 zero;
	__u64 ns;
};

/* How long the kernel takes for F(n), in nanoseconds, for the position n; writes no digits. */
#define FIB_IOC_TIME _IOWR('F', 0xf2, struct fib_time)

#endif /* FIBDRV_H */
