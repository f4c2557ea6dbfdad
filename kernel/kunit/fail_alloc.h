/* SPDX-License-Identifier: MIT */
/*
 * The library's allocator for tests that make it fail: included before every file.
 */
#ifndef CC_FAIL_ALLOC_H
#define CC_FAIL_ALLOC_H

#include <linux/types.h>

void *cc_fail_alloc(size_t size);
void cc_fail_free(const void *memory);

/* The number of the allocation that fails, from 1; reset to 0 by the failure.  0: none fails. */
extern unsigned int cc_fail_at;

#define CC_ALLOC(size) cc_fail_alloc(size)
#define CC_FREE(memory) cc_fail_free(memory)

#endif /* CC_FAIL_ALLOC_H */
