// SPDX-License-Identifier: MIT
/*
 * memory.c - the memory of arrays.
 *
 * What malloc() is given back of large blocks it gives back to the kernel, and each page of the
 * next one is a fault.  So a thread keeps the last few that it gave back, until it ends.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes: smaller blocks malloc() keeps itself. */
#define LARGE ((size_t)32 << 10)
/* Of a thread, bytes and blocks at most. */
#define KEPT  ((size_t)32 << 20)
#define COUNT 8

/* Before each block, which stays at a multiple of 16. */
struct head {
	size_t size;
	size_t unused;
};

_Static_assert(sizeof(struct head) == 16 || sizeof(size_t) != 8, "blocks are at multiples of 16");

/* The oldest first. */
struct kept {
	struct head *blocks[COUNT];
	size_t count, size;
};

static __thread struct kept kept;

static int serves(const struct head *head, size_t size)
{
	return head->size >= size && (head->size < LARGE || head->size / 2 <= size);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int keyed;

static struct head *taken(struct kept *from, size_t at)
{
	struct head *head = from->blocks[at];

	from->size -= head->size;
	from->count--;
	memmove(from->blocks + at, from->blocks + at + 1,
		(from->count - at) * sizeof(from->blocks[0]));
	return head;
}

static void drop(void *of)
{
	struct kept *from = of;

	while (from->count)
		free(taken(from, 0));
}

static void begin(void)
{
	keyed = !pthread_key_create(&key, drop);
}

void *ring_memory_new(size_t size)
{
	size_t at, best = COUNT;
	struct head *head;

	for (at = 0; size >= LARGE && at < kept.count; at++)
		if (serves(kept.blocks[at], size) &&
		    (best == COUNT || kept.blocks[at]->size < kept.blocks[best]->size))
			best = at;
	if (best < COUNT)
		return taken(&kept, best) + 1;
	if (size > SIZE_MAX - sizeof(*head))
		return NULL;
	head = malloc(sizeof(*head) + size);
	if (!head)
		return NULL;
	head->size = size;
	return head + 1;
}

int ring_memory_serves(const void *block, size_t size)
{
	return serves((const struct head *)block - 1, size);
}

void ring_memory_free(void *block)
{
	struct head *head = (struct head *)block - 1;

	if (head->size < LARGE || head->size > KEPT || pthread_once(&once, begin) || !keyed ||
	    pthread_setspecific(key, &kept)) {
		free(head);
		return;
	}
	while (kept.count == COUNT || kept.size > KEPT - head->size)
		free(taken(&kept, 0));
	kept.blocks[kept.count++] = head;
	kept.size += head->size;
}
