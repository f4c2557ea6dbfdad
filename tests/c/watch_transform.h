/* SPDX-License-Identifier: MIT */
/* watch_transform.h - what the kernels did since the last question whether to go on. */
#ifndef TESTS_WATCH_TRANSFORM_H
#define TESTS_WATCH_TRANSFORM_H

#include "transform/kernels.h"

extern uint64_t since;
extern const struct cc_transform_kernels counting_transform;

#endif /* TESTS_WATCH_TRANSFORM_H */
