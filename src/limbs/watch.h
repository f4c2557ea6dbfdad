/* SPDX-License-Identifier: MIT */
/*
 * watch.h - long work that its caller may end, between steps and inside them.
 *
 * A step multiplies 2 CC_STEP_WORDS^2 pairs of words at most, and passes 64 times over the
 * operands: what lies between two products of so many words, or is a quotient of fewer;
 * levels of Karatsuba on their way up, each half as long as the one above it; the schoolbook
 * where a factor or a quotient is short.
 *
 * Once stopped a function returns as soon as it can: what it was to write is undefined
 * then, and for the caller to throw away.
 */
#ifndef CC_LIMBS_WATCH_H
#define CC_LIMBS_WATCH_H

#include <carrychain/limbs.h>

#include "../platform.h"

/* Below this many words no one waits for an answer. */
#define CC_STEP_WORDS 1000

struct cc_watch {
	const struct cc_progress *progress; /* NULL: never stopped */
	cc_u64 done, total;
	int stopped;
};

/* Before work on @words words: whether to do it no more.  No watch never stops it. */
static inline int cc_watch_step(struct cc_watch *w, size_t words)
{
	if (!w)
		return 0;
	if (words >= CC_STEP_WORDS && w->progress && w->progress->step && !w->stopped)
		w->stopped = w->progress->step(w->progress->context, w->done, w->total) != 0;
	return w->stopped;
}

static inline int cc_watch_stopped(const struct cc_watch *w)
{
	return w && w->stopped;
}

/* As in limbs.h; @w may be NULL. */
CC_HIDDEN void cc_limbs_mul_watched(cc_word *r, const cc_word *a, size_t an, const cc_word *b,
				    size_t bn, cc_word *scratch, struct cc_watch *w);
CC_HIDDEN void cc_limbs_sqr_watched(cc_word *r, const cc_word *a, size_t n, cc_word *scratch,
				    struct cc_watch *w);

#endif /* CC_LIMBS_WATCH_H */
