/* SPDX-License-Identifier: MIT */
/*
 * places.h - converts long numbers to another radix by arithmetic in that radix: a number is
 * upper 2^k + lower; both halves are converted, and combined by one product and one sum in the
 * radix (Knuth 4.4, method 2a).
 */
#ifndef CC_NATURAL_PLACES_H
#define CC_NATURAL_PLACES_H

#include "radix.h"

#include "../transform/transform.h"

/*
 * Below LEAST words, division is faster.  Half of a number of MOST words has at most as many places
 * as a transform can multiply.
 */
#define CC_PLACES_LEAST 150
#define CC_PLACES_MOST	CC_TRANSFORM_PLACES_MAX

/* Whether cc_natural_to_places() supports numbers of n words, and is the fastest way. */
CC_HIDDEN int cc_places_worth(size_t n);

/* How digits of a radix that is not a power of two are grouped into places: @chunk in each. */
CC_HIDDEN struct cc_radix cc_places(unsigned int radix);

/*
 * The places of a[n], in @scratch, without leading zeros; *count is their number.  NULL if @w
 * stops the work; its total is cc_places_work().
 */
CC_HIDDEN const cc_u64 *cc_natural_to_places(size_t *count, const cc_word *a, size_t n,
					     const struct cc_radix *places, cc_word *scratch,
					     struct cc_watch *w);
CC_HIDDEN size_t cc_natural_to_places_scratch(size_t n, const struct cc_radix *places);
CC_HIDDEN cc_u64 cc_places_work(size_t n, const struct cc_radix *places);

/* Their digits, as cc_natural_to_digits() writes them, into count * chunk; returns how many. */
CC_HIDDEN size_t cc_places_to_digits(char *digits, const cc_u64 *places, size_t count,
				     const struct cc_radix *x);

#endif /* CC_NATURAL_PLACES_H */
