// SPDX-License-Identifier: MIT
#include "memory.h"

#include <malloc.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void __wrap_free(void *memory);

const char *__asan_default_options(void);

/* Sizes that no memory holds are asked for on purpose. */
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static bool counting, failed;
static size_t left;
static long live;
static size_t held, most;

void memory_begin(size_t failing)
{
	counting = true;
	failed = false;
	left = failing;
	most = held;
}

bool memory_end(void)
{
	counting = false;
	return failed;
}

long memory_live(void)
{
	return live;
}

size_t memory_most(void)
{
	return most;
}

void *__wrap_malloc(size_t size)
{
	void *memory;

	if (!counting)
		return __real_malloc(size);
	if (!left) {
		failed = true;
		return NULL;
	}
	if (left != MEMORY_SOUND)
		left--;
	memory = __real_malloc(size);
	live += memory != NULL;
	held += malloc_usable_size(memory);
	most = held > most ? held : most;
	return memory;
}

void __wrap_free(void *memory)
{
	if (counting) {
		live -= memory != NULL;
		held -= malloc_usable_size(memory);
	}
	__real_free(memory);
}
