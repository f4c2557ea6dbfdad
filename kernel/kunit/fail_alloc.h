/* SPDX-License-Identifier: MIT */
/*
 * The library's allocator, when tests are to make it fail: included before every file.
 */
#ifndef CC_FAIL_ALLOC_H
#define CC_FAIL_ALLOC_H

#include <linux/types.h>

void *cc_fail_alloc(size_t size);
void cc_fail_free(const void *memory);

/* The allocation that fails, counted from 1; it sets this to 0.  0: none does. */
extern unsigned int cc_fail_at;

#define CC_ALLOC(size) cc_fail_alloc(size)
#define CC_FREE(memory) cc_fail_free(memory)

#endif /* CC_FAIL_ALLOC_H */
