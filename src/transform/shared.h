/* SPDX-License-Identifier: MIT */
/*
 * shared.h - the steps of transform.h in independent parts, for who lends processors.
 *
 * Each returns when it is done, or stopped.  The parts of the calling thread ask whether to
 * go on, those of others see its answer.
 */
#ifndef CC_TRANSFORM_SHARED_H
#define CC_TRANSFORM_SHARED_H

#include "transform.h"

/* Whether there are processors to share with, and work enough that it pays. */
CC_HIDDEN int cc_shared(const struct cc_transform *t, const struct cc_watch *w);

CC_HIDDEN void cc_shared_table(const struct cc_transform *t, struct cc_watch *w);

/* Of a[n] words, or places where the plan is one of a radix: the same for r. */
CC_HIDDEN void cc_shared_split(const struct cc_transform *t, cc_u64 *const *x, const void *a,
			       size_t n, struct cc_watch *w);
CC_HIDDEN void cc_shared_forward(const struct cc_transform *t, cc_u64 *const *x,
				 struct cc_watch *w);
CC_HIDDEN void cc_shared_multiply(const struct cc_transform *t, cc_u64 *const *x, cc_u64 *const *y,
				  int64_t (*scale)[CC_NODES], struct cc_watch *w);
CC_HIDDEN void cc_shared_inverse(const struct cc_transform *t, cc_u64 *const *x,
				 struct cc_watch *w);
CC_HIDDEN void cc_shared_convolve(const struct cc_transform *t, cc_u64 *const *x, cc_u64 *const *y,
				  int64_t (*scale)[CC_NODES], struct cc_watch *w);
CC_HIDDEN void cc_shared_join(const struct cc_transform *t, void *r, size_t n, cc_u64 *const *x,
			      struct cc_watch *w);

#endif /* CC_TRANSFORM_SHARED_H */
