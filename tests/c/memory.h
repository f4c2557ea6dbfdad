/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the heap under the library's feet: counted, and failing on request.
 *
 * Needs the linker's --wrap=malloc,--wrap=free.  Only what happens between
 * memory_begin() and memory_end() counts.
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
