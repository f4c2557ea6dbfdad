/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the heap under the library's feet: counted, failing on request, and full of noise.
 *
 * Needs the linker's --wrap=malloc,--wrap=calloc,--wrap=free.  Only what happens between
 * memory_begin() and memory_end() counts.  A program whose code wrote behind a block ends
 * when the block is freed.
 */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#define MEMORY_SOUND ((size_t)-1)

/* From here on allocation number @failing, from 0, fails, and every later one. */
void memory_begin(size_t failing);
/* Whether one failed. */
bool memory_end(void);
/* Blocks allocated less blocks freed, in all. */
long memory_live(void);
/* The most bytes that were held at a time, each block as large as malloc() made it. */
size_t memory_most(void);

#endif /* TESTS_MEMORY_H */
