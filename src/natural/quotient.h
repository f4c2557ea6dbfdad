/* SPDX-License-Identifier: MIT */
/* quotient.h - quotients whose remainder nobody asks for. */
#ifndef CC_NATURAL_QUOTIENT_H
#define CC_NATURAL_QUOTIENT_H

#include <carrychain/natural.h>

#include "../platform.h"

/*
 * q[an - dn + 1] = a[an] / d[dn], for an >= dn >= 1 and a top word d[dn - 1] that is not 0; nothing
 * overlaps.
 */
CC_HIDDEN void cc_natural_quotient(cc_word *q, const cc_word *a, size_t an, const cc_word *d,
				   size_t dn, cc_word *scratch);
CC_HIDDEN size_t cc_natural_quotient_scratch(size_t an, size_t dn);

/*
 * The same by the upper parts, for dn >= 3, dn > an - dn and a short quotient; returns 0 if these
 * don't decide it.  The scratch has 3 (an - dn + 1) + 4 words.
 */
CC_HIDDEN int cc_natural_quotient_by_top(cc_word *q, const cc_word *a, size_t an, const cc_word *d,
					 size_t dn, cc_word *scratch);

/*
 * q[m] = a[n + m] / d[n] from digit @end on, end >= 1, for a normalised d of n words, 4 <= n <= m +
 * 1, with the reciprocal of its two top ones, and an a whose top n words are below d; by digits, of
 * which the lower ones need less of the divisor.  The top min(n, end + 1) words of the remainder
 * are left below a[n + end].  Returns 0 if a digit is no word.
 */
CC_HIDDEN int cc_natural_divide_upper(cc_word *q, cc_word *a, size_t m, const cc_word *d, size_t n,
				      cc_word reciprocal, size_t end);

#endif /* CC_NATURAL_QUOTIENT_H */
