/* SPDX-License-Identifier: MIT */
/* transform_untrimmed.h - the doubles' transforms without the reductions on the way down. */
#ifndef TESTS_TRANSFORM_UNTRIMMED_H
#define TESTS_TRANSFORM_UNTRIMMED_H

#include "transform/kernels.h"

extern const struct cc_transform_kernels untrimmed_avx2, untrimmed_avx512;

#endif /* TESTS_TRANSFORM_UNTRIMMED_H */
