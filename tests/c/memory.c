// SPDX-License-Identifier: MIT
#include "memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOISE 0xa5
/* AddressSanitizer sees what is written, and read, right behind a block. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif
#define MARGIN ((size_t)(SANITIZED ? 0 : 256))

void *__real_malloc(size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
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

/* Behind each block noise, and behind that, at its very end, how many bytes were asked for. */
static unsigned char *end_of(void *memory, size_t usable)
{
	return (unsigned char *)memory + usable - sizeof(size_t);
}

/* Noise everywhere: what a function takes for zeros is none, and what it writes beyond shows. */
static void *noisy(size_t size)
{
	size_t usable;
	void *memory;

	if (size > SIZE_MAX - MARGIN)
		return NULL;
	memory = __real_malloc(size + MARGIN);
	if (!memory)
		return NULL;
	usable = malloc_usable_size(memory);
	memset(memory, NOISE, usable);
	if (MARGIN)
		memcpy(end_of(memory, usable), &size, sizeof(size));
	return memory;
}

/* The bytes held in it as malloc() made it, had it no margin. */
static size_t holds(void *memory)
{
	return memory ? malloc_usable_size(memory) - MARGIN : 0;
}

static void check_beyond(void *memory)
{
	size_t usable = malloc_usable_size(memory), size, i;
	unsigned char *p = memory, *end = end_of(memory, usable);

	memcpy(&size, end, sizeof(size));
	for (i = size; p + i < end && p[i] == NOISE; i++)
		;
	if (size > usable || p + i < end) {
		fprintf(stderr, "memory: wrote behind a block\n");
		abort();
	}
}

void *__wrap_malloc(size_t size)
{
	void *memory;

	if (!counting)
		return noisy(size);
	if (!left) {
		failed = true;
		return NULL;
	}
	if (left != MEMORY_SOUND)
		left--;
	memory = noisy(size);
	live += memory != NULL;
	held += holds(memory);
	most = held > most ? held : most;
	return memory;
}

/* The tests' own, which is neither counted nor fails. */
void *__wrap_calloc(size_t count, size_t size)
{
	void *memory = size && count > SIZE_MAX / size ? NULL : noisy(count * size);

	return memory ? memset(memory, 0, count * size) : NULL;
}

void __wrap_free(void *memory)
{
	if (counting) {
		live -= memory != NULL;
		held -= holds(memory);
	}
	if (memory && MARGIN)
		check_beyond(memory);
	__real_free(memory);
}
