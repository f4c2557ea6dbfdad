// SPDX-License-Identifier: MIT
/* Buffers that end where the memory does. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATTERN 0xc9
#define MARGIN	256
/* of many pages: what lies far beyond the end is not to fall into another buffer */
#define FORBIDDEN ((size_t)1 << 20)

void guard_init(struct guard *g, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *map;

	g->size = (bytes + 2 * MARGIN + page - 1) / page * page;
	map = mmap(NULL, g->size + 2 * FORBIDDEN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED || mprotect(map + FORBIDDEN, g->size, PROT_READ | PROT_WRITE)) {
		perror("guard_init");
		exit(1);
	}
	g->base = map + FORBIDDEN;
	memset(g->base, PATTERN, g->size);
	g->at = g->base;
	g->bytes = 0;
}

void guard_free(struct guard *g)
{
	munmap(g->base - FORBIDDEN, g->size + 2 * FORBIDDEN);
}

/* The pattern's two stretches: @before bytes up to what was placed, @after beyond it. */
static void margins(const struct guard *g, size_t *before, size_t *after)
{
	*before = (size_t)(g->at - g->base);
	*after = g->size - *before - g->bytes;
	if (*before > MARGIN)
		*before = MARGIN;
	if (*after > MARGIN)
		*after = MARGIN;
}

void *guard_place(struct guard *g, size_t bytes, enum guard_side side, size_t gap)
{
	size_t before, after;

	if (bytes + gap > g->size) {
		fprintf(stderr, "guard_place: %zu + %zu bytes in a buffer of %zu\n", bytes, gap,
			g->size);
		exit(1);
	}
	g->at = side == GUARD_END ? g->base + g->size - gap - bytes : g->base + gap;
	g->bytes = bytes;
	margins(g, &before, &after);
	memset(g->at - before, PATTERN, before + bytes + after);
	return g->at;
}

/* The first is, and each is what is before it. */
static bool whole(const unsigned char *at, size_t bytes)
{
	return !bytes || (*at == PATTERN && !memcmp(at, at + 1, bytes - 1));
}

bool guard_intact(const struct guard *g)
{
	size_t before, after;

	margins(g, &before, &after);
	return whole(g->at - before, before) && whole(g->at + g->bytes, after);
}
