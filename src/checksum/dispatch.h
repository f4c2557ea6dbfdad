/* SPDX-License-Identifier: MIT */
/* dispatch.h - the scheme that this machine's tier runs. */
#ifndef CC_CHECKSUM_DISPATCH_H
#define CC_CHECKSUM_DISPATCH_H

#include "schemes.h"

struct cc_checksum_kernels {
	const char *tier;
	cc_checksum_fn *sum;
	cc_checksum_whole_fn *whole;
};

CC_HIDDEN const struct cc_checksum_kernels *cc_checksum_choose(void);

static inline const struct cc_checksum_kernels *cc_checksum_kernels(void)
{
	const struct cc_checksum_kernels *k = cc_cpu_kernels(CC_FAMILY_CHECKSUM);

	return __builtin_expect(!k, 0) ? cc_checksum_choose() : k;
}

#endif /* CC_CHECKSUM_DISPATCH_H */
