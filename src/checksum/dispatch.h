/* SPDX-License-Identifier: MIT */
/* dispatch.h - the scheme of this machine's tier. */
#ifndef CC_CHECKSUM_DISPATCH_H
#define CC_CHECKSUM_DISPATCH_H

#include "schemes.h"

struct cc_checksum_kernels {
	const char *tier;
	cc_checksum_fn *sum;
	cc_checksum_whole_fn *whole;
	/* NULL: memcpy(), then the sum */
	cc_checksum_copy_fn *copy;
};

CC_HIDDEN const struct cc_checksum_kernels *cc_checksum_choose(void);

/* The best tier in use that needs only @features */
CC_HIDDEN const struct cc_checksum_kernels *cc_checksum_best(uint64_t features);

static inline const struct cc_checksum_kernels *cc_checksum_kernels(void)
{
	const struct cc_checksum_kernels *k = cc_cpu_kernels(CC_FAMILY_CHECKSUM);

	return __builtin_expect(!k, 0) ? cc_checksum_choose() : k;
}

#endif /* CC_CHECKSUM_DISPATCH_H */
