// SPDX-License-Identifier: MIT
/*
 * memory.c - the memory of arrays.
 *
 * free() returns large blocks to the kernel, so that each page of the next one faults.  So each
 * thread keeps the last few blocks that it freed, until it ends.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* In bytes; smaller blocks are left to malloc(), which keeps them itself. */
#define LARGE ((size_t)32 << 10)
/* The most bytes and blocks that a thread keeps. */
#define KEPT  ((size_t)32 << 20)
#define COUNT 8

/* Oldest first. */
struct kept {
	struct block {
		void *memory;
		size_t size;
	} blocks[COUNT];
	size_t count, size;
};

static __thread struct kept kept;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int keyed;

static struct block taken(struct kept *from, size_t at)
{
	struct block block = from->blocks[at];

	from->size -= block.size;
	from->count--;
	memmove(from->blocks + at, from->blocks + at + 1,
		(from->count - at) * sizeof(from->blocks[0]));
	return block;
}

/* Called when a thread ends. */
static void drop(void *of)
{
	struct kept *from = of;

	while (from->count)
		free(taken(from, 0).memory);
}

static void begin(void)
{
	keyed = !pthread_key_create(&key, drop);
}

void *ring_memory_new(size_t *size)
{
	size_t at, best = COUNT;
	struct block block;

	for (at = 0; *size >= LARGE && at < kept.count; at++)
		if (kept.blocks[at].size >= *size && kept.blocks[at].size / 2 <= *size &&
		    (best == COUNT || kept.blocks[at].size <= kept.blocks[best].size))
			best = at;
	if (best == COUNT)
		return malloc(*size);
	block = taken(&kept, best);
	*size = block.size;
	return block.memory;
}

void ring_memory_free(void *block, size_t size)
{
	if (size < LARGE || size > KEPT || pthread_once(&once, begin) || !keyed ||
	    pthread_setspecific(key, &kept)) {
		free(block);
		return;
	}
	while (kept.count == COUNT || kept.size > KEPT - size)
		free(taken(&kept, 0).memory);
	kept.blocks[kept.count].memory = block;
	kept.blocks[kept.count++].size = size;
	kept.size += size;
}
