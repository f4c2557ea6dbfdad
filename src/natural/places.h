/* SPDX-License-Identifier: MIT */
/*
 * places.h - long numbers to places of another radix by that radix's own arithmetic:
 * a number is upper 2^k + lower, its halves are converted, and one product and one sum in
 * the radix make them one (Knuth 4.4, method 2a).
 */
#ifndef CC_NATURAL_PLACES_H
#define CC_NATURAL_PLACES_H

#include "radix.h"

#include "../transform/transform.h"

/* Fewer words than LEAST are divided sooner; of MOST, half have no more places than there are. */
#define CC_PLACES_LEAST 150
#define CC_PLACES_MOST	CC_TRANSFORM_PLACES_MAX

/* Whether cc_natural_to_places() is there for a number of n words, and is the fastest. */
CC_HIDDEN int cc_places_worth(size_t n);

/* How digits of a radix that is no power of two gather into places: @chunk of them in each. */
CC_HIDDEN struct cc_radix cc_places(unsigned int radix);

/*
 * The places of a[n], in @scratch, with no leading zeros, their number in @count.  NULL once @w
 * is stopped, whose total cc_places_work() is.
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
