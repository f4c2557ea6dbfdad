/* SPDX-License-Identifier: MIT */
/* fibdrv.h - what a program says to /dev/fibonacci beside read, write and lseek. */
#ifndef FIBDRV_H
#define FIBDRV_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* The decimal digits of F(n), for n the position: as many bytes as a whole read returns. */
#define FIB_IOC_LENGTH _IOR('F', 0xf1, __u64)

#endif /* FIBDRV_H */
