// SPDX-License-Identifier: MIT
#include <linux/mm.h>

#include "../src/platform.h"
#include "fail_alloc.h"

unsigned int cc_fail_at;

void *cc_fail_alloc(size_t size)
{
	if (cc_fail_at && !--cc_fail_at)
		return NULL;
	return kvmalloc(size, CC_ALLOC_FLAGS);
}

void cc_fail_free(const void *memory)
{
	kvfree(memory);
}
