/* SPDX-License-Identifier: MIT */
/*
 * watch.h - long work that its caller may stop, between steps and inside them.
 *
 * A step multiplies at most 2 CC_STEP_WORDS^2 pairs of words (four times as many by 52-bit
 * multiply-adds, which are so much faster), and passes at most 64 times over the operands.  It is
 * the work between two products of so many words, or a quotient of fewer; levels of Karatsuba on
 * the way up, each half as long as the next; or schoolbook with a short factor or quotient.
 *
 * One step may be longer: a power modulo at most CC_FZ_MAX words by fixed/, of up to two
 * milliseconds (natural/powm.c).
 *
 * A stopped function returns as soon as possible; its output is then undefined, and the caller
 * discards it.
 */
#ifndef CC_LIMBS_WATCH_H
#define CC_LIMBS_WATCH_H

#include <carrychain/limbs.h>

#include "../platform.h"

/* Work on fewer words than this is too short to check. */
#define CC_STEP_WORDS 1000

struct cc_watch {
	const struct cc_progress *progress; /* NULL: never stopped */
	cc_u64 done, total;
	int stopped;
};

/* Called before work on @words words; whether to stop.  Without a watch, never. */
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
