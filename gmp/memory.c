// SPDX-License-Identifier: MIT
/* Work space for one call: blocks of malloc(), one of which each thread keeps. */
#include "memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* The words that a thread keeps at most: 64 MB on 64-bit machines. */
#define KEPT_MOST ((size_t)1 << 23)

/* Its words follow, on a cache line of their own. */
struct block {
	CC_ALIGNED(64) size_t words;
	CC_ALIGNED(64) cc_word first[];
};

static pthread_key_t key;
static int has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_key(void)
{
	has_key = !pthread_key_create(&key, free);
}

/* When the library is unloaded, no thread may call into it any more. */
__attribute__((destructor)) static void close_key(void)
{
	if (!has_key)
		return;
	free(pthread_getspecific(key));
	pthread_key_delete(key);
	has_key = 0;
}

static struct block *allocate(size_t words)
{
	const size_t most = (~(size_t)0 / 2 - sizeof(struct block)) / sizeof(cc_word);
	size_t bytes = sizeof(struct block) + words * sizeof(cc_word);
	void *memory = NULL;

	if (words > most || posix_memalign(&memory, sizeof(struct block), bytes))
		return NULL;
#ifdef MADV_HUGEPAGE
	/* as in platform.h: faster by a third, but not needed */
	if (bytes >= (size_t)4 << 20) {
		const size_t page = 65536;
		char *at = (char *)memory + (0 - (size_t)memory) % page;

		(void)madvise(at, bytes / page * page - page, MADV_HUGEPAGE);
	}
#endif
	((struct block *)memory)->words = words;
	return memory;
}

cc_word *cc_room_take(struct cc_room *room, size_t words)
{
	struct block *block = NULL;

	pthread_once(&once, open_key);
	if (has_key) {
		block = pthread_getspecific(key);
		pthread_setspecific(key, NULL);
	}
	if (block && block->words < words) {
		free(block);
		block = NULL;
	}
	if (!block)
		block = allocate(words);
	room->words = block ? block->first : NULL;
	return room->words;
}

void cc_room_give(struct cc_room *room)
{
	struct block *block = (struct block *)(void *)((char *)room->words - sizeof(*block));
	struct block *other;

	if (!has_key || block->words > KEPT_MOST) {
		free(block);
		return;
	}
	other = pthread_getspecific(key);
	if (pthread_setspecific(key, block))
		free(block);
	else
		free(other);
}

void cc_room_refused(size_t words)
{
	fprintf(stderr, "GNU MP: Cannot allocate memory (size=%zu)\n", words * sizeof(cc_word));
	abort();
}
