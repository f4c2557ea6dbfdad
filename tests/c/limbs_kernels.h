/* SPDX-License-Identifier: MIT */
/* Parts of test_limbs.c's program. */
#ifndef TESTS_LIMBS_KERNELS_H
#define TESTS_LIMBS_KERNELS_H

#include "limbs/kernels.h"

/* The check of one kernel: a case, against the reference and the portable tier. */
struct kernel_check {
	const char *function;
	void (*run)(const struct cc_limbs_kernels *k);
};

#define KERNEL_CHECKS 11
extern const struct kernel_check kernel_checks[KERNEL_CHECKS];

/* broken.c: kernels with one fault each, every one of which kernel_checks must catch. */
void broken_kernels(void);

/* limbs_functions.c: every function of limbs.h, in the tier that @features choose. */
void limbs_functions(const char *tier, uint64_t features);

#endif /* TESTS_LIMBS_KERNELS_H */
