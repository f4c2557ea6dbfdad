/* SPDX-License-Identifier: MIT */
/* transform_broken.h - transforms in which one thing is wrong, and ones in which nothing is. */
#ifndef TESTS_TRANSFORM_BROKEN_H
#define TESTS_TRANSFORM_BROKEN_H

#include "transform/kernels.h"

#include <stdbool.h>

struct broken_transform {
	const char *name;
	const struct cc_transform_kernels *kernels;
	uint64_t needs;
	bool caught;
};

extern const struct broken_transform broken_transforms[];
extern const size_t broken_transforms_count;

#endif /* TESTS_TRANSFORM_BROKEN_H */
