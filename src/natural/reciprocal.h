/* SPDX-License-Identifier: MIT */
/* reciprocal.h - long quotients by products alone, with the divisor's reciprocal. */
#ifndef CC_NATURAL_RECIPROCAL_H
#define CC_NATURAL_RECIPROCAL_H

#include "product.h"

/* Whether that is faster than recursive division. */
CC_HIDDEN int cc_reciprocal_wins(size_t m, size_t n);

/*
 * q[m] = a[n + m] / d[n]; a[n] = the remainder, for d[n - 1] >= B / 2 and an a whose top n words
 * are below d, if cc_reciprocal_wins().  The words above a[n] are undefined afterwards.
 */
CC_HIDDEN void cc_divide_by_reciprocal(cc_word *q, cc_word *a, size_t m, const cc_word *d, size_t n,
				       cc_word *t, struct cc_watch *w);
/* For dividends of up to an words and divisors of up to dn; 0 if it is faster for none. */
CC_HIDDEN size_t cc_reciprocal_scratch(size_t an, size_t dn);

#endif /* CC_NATURAL_RECIPROCAL_H */
