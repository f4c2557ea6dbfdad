/* SPDX-License-Identifier: MIT */
/*
 * shared.h - the steps of transform.h in independent parts, for callers that provide threads.
 *
 * Each returns when it is done, or stopped.  Parts in the calling thread check whether to stop;
 * those in other threads see its answer.
 */
#ifndef CC_TRANSFORM_SHARED_H
#define CC_TRANSFORM_SHARED_H

#include "transform.h"

/* Whether there are other threads, and enough work for them. */
CC_HIDDEN int cc_shared(const struct cc_transform *t, const struct cc_watch *w);

CC_HIDDEN void cc_shared_table(const struct cc_transform *t, struct cc_watch *w);

/* For a[n] of words, or of places if the plan has a radix; likewise for r. */
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
