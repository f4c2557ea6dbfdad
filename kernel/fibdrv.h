/* SPDX-License-Identifier: MIT */
/* fibdrv.h - what a program says to /dev/fibonacci beside read, write and lseek. */
#ifndef FIBDRV_H
#define FIBDRV_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* The decimal digits of F(n), for n the position: as many bytes as a whole read returns. */
#define FIB_IOC_LENGTH _IOR('F', 0xf1, __u64)

/* By which of the algorithms, in the order of <carrychain/fib.h>; and how long it took. */
struct fib_time {
	__u32 strategy; /* 0: squaring, 1: doubling, 2: iterative */
	__u32 zero;
	__u64 ns;
};

/* The nanoseconds that F(n) takes the kernel, for n the position; no digit is written. */
#define FIB_IOC_TIME _IOWR('F', 0xf2, struct fib_time)

#endif /* FIBDRV_H */
