/* SPDX-License-Identifier: MIT */
/*
 * platform.h - the one seam between the library and what is around it.
 *
 * No other file names libc or a Linux header.  Three surroundings: the Linux kernel, a
 * hosted C library, and neither.  In the last there is no heap, so that whatever would
 * allocate says CC_ENOMEM, unless the build defines CC_ALLOC and CC_FREE.
 */
#ifndef CC_PLATFORM_H
#define CC_PLATFORM_H

#if defined(__ASSEMBLER__)

/* A function's return: the kernel may need more than the instruction. */
#if defined(__KERNEL__)
#include <linux/linkage.h>
#define CC_RETURN RET
#else
#define CC_RETURN ret
#endif

#elif defined(__KERNEL__)

#include <linux/slab.h>
#include <linux/string.h>

#define CC_GETENV(name) NULL
#define CC_SAY(line)	((void)(line))
/*
 * Charged to who asks, as what user space can make large has to be; and when memory ends
 * silent, and no reason to kill a process, here or in a control group: every caller
 * passes CC_ENOMEM on.
 */
#define CC_ALLOC_FLAGS	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)
#ifndef CC_ALLOC
#define CC_ALLOC(size)	kvmalloc(size, CC_ALLOC_FLAGS)
#define CC_FREE(memory) kvfree(memory)
#endif

#elif __STDC_HOSTED__

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CC_GETENV(name) getenv(name)
/* to who set the environment, for want of any other way */
#define CC_SAY(line)	((void)fputs(line, stderr))
#ifndef CC_ALLOC
#if defined(__linux__)
#include <sys/mman.h>
#endif

/*
 * Long work passes over much memory again and again: it asks for large pages, whose addresses
 * are found faster by a third, and lives without them.  64 KB hold the system's own pages.
 */
static inline void *cc_alloc(size_t size)
{
	char *memory = malloc(size);
#ifdef MADV_HUGEPAGE
	const size_t page = 65536, least = (size_t)4 << 20;

	if (memory && size >= least)
		(void)madvise(memory + (0 - (size_t)memory) % page, size / page * page - page,
			      MADV_HUGEPAGE);
#endif
	return memory;
}

#define CC_ALLOC(size)	cc_alloc(size)
#define CC_FREE(memory) free(memory)
#endif

#else

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);

#define CC_GETENV(name) NULL
#define CC_SAY(line)	((void)(line))
#ifndef CC_ALLOC
#define CC_ALLOC(size)	((void)(size), (void *)NULL)
#define CC_FREE(memory) ((void)(memory))
#endif

#endif

/* Whether the system says that the processor has AltiVec. */
#if defined(__powerpc64__) && defined(__linux__) && __STDC_HOSTED__ && !defined(__KERNEL__)
#include <sys/auxv.h>
#define CC_HAS_ALTIVEC() (!!(getauxval(AT_HWCAP) & PPC_FEATURE_HAS_ALTIVEC))
#else
#define CC_HAS_ALTIVEC() 0
#endif

/* Compilers that are told nothing must still not export what is ours alone. */
#define CC_HIDDEN __attribute__((visibility("hidden")))

#endif /* CC_PLATFORM_H */
