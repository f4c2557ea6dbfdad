/* SPDX-License-Identifier: MIT */
/*
 * platform.h - the only interface between the library and its environment.
 *
 * No other file names libc or a Linux header.  There are three environments: the Linux
 * kernel, a hosted C library, and neither.  The last has no heap, so every allocation fails
 * with CC_ENOMEM, unless the build defines CC_ALLOC and CC_FREE.
 */
#ifndef CC_PLATFORM_H
#define CC_PLATFORM_H

#if defined(__ASSEMBLER__)

/* The return from a function: the kernel may need more than the instruction. */
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
 * Charged to the caller's control group, because user space decides the size.  A failure is
 * silent, and does not invoke the OOM killer, because every caller passes CC_ENOMEM on.
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
/* for whoever set the environment variable: there is no other way to report it */
#define CC_SAY(line)	((void)fputs(line, stderr))
#ifndef CC_ALLOC
#if defined(__linux__)
#include <sys/mman.h>
#endif

/*
 * Long work passes over much memory again and again.  It requests huge pages, which make
 * address translation faster by a third, but does not need them.  64 KB is a multiple of every
 * system's page size.
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

/* Whether the system reports that the processor has AltiVec. */
#if defined(__powerpc64__) && defined(__linux__) && __STDC_HOSTED__ && !defined(__KERNEL__)
#include <sys/auxv.h>
#define CC_HAS_ALTIVEC() (!!(getauxval(AT_HWCAP) & PPC_FEATURE_HAS_ALTIVEC))
#else
#define CC_HAS_ALTIVEC() 0
#endif

#if !defined(__ASSEMBLER__)
/* Zeroes memory, even if it is never read again. */
static inline void cc_wipe(void *memory, size_t bytes)
{
	memset(memory, 0, bytes);
	__asm__ volatile("" : : "r"(memory) : "memory");
}

#endif

/* Internal symbols must not be exported, even if the compiler's flags do not hide them. */
#define CC_HIDDEN __attribute__((visibility("hidden")))

#endif /* CC_PLATFORM_H */
