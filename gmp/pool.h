/* SPDX-License-Identifier: MIT */
/*
 * pool.h - CARRYCHAIN_THREADS=n: long work shared by n threads, of which the caller is one.
 *
 * There is one pool for the process.  While one of the process's own threads uses it, another's
 * work is not shared, nor is a signal handler's.  Results do not depend on it.
 */
#ifndef CC_GMP_POOL_H
#define CC_GMP_POOL_H

#include "../src/natural/product.h"

#include <signal.h>

/* The words, of all operands of a product, beyond which it is shared. */
#define CC_POOL_LEAST ((size_t)1 << 15)

struct cc_shared_work {
	struct cc_progress progress;
	struct cc_watch watch;
	sigset_t signals;
	int cancel;
};

CC_HIDDEN struct cc_watch *cc_pool_take(struct cc_shared_work *work);
CC_HIDDEN void cc_pool_give(struct cc_shared_work *work);
/* Of more words than CC_POOL_LEAST, operands together. */
CC_HIDDEN void cc_pool_mul_long(cc_word *r, const cc_word *a, size_t an, const cc_word *b,
				size_t bn, cc_word *scratch);
CC_HIDDEN void cc_pool_sqr_long(cc_word *r, const cc_word *a, size_t n, cc_word *scratch);

/*
 * The watch of work on so many words, by which it is shared; NULL if this thread does it alone.
 * Until the end signals wait, and the end of the thread by another, so that a handler which leaves
 * by longjmp() leaves no other thread at work.
 */
static inline struct cc_watch *cc_pool_open(struct cc_shared_work *work, size_t words)
{
	work->progress.tasks = NULL;
	return words > CC_POOL_LEAST ? cc_pool_take(work) : NULL;
}

static inline void cc_pool_close(struct cc_shared_work *work)
{
	if (work->progress.tasks)
		cc_pool_give(work);
}

/* cc_natural_mul() and cc_natural_sqr(), shared where they are long. */
static inline void cc_pool_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
			       cc_word *scratch)
{
	if (an + bn <= CC_POOL_LEAST)
		cc_natural_mul(r, a, an, b, bn, scratch);
	else
		cc_pool_mul_long(r, a, an, b, bn, scratch);
}

static inline void cc_pool_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch)
{
	if (2 * n <= CC_POOL_LEAST)
		cc_natural_sqr(r, a, n, scratch);
	else
		cc_pool_sqr_long(r, a, n, scratch);
}

#endif /* CC_GMP_POOL_H */
