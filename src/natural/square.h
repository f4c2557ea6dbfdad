/* SPDX-License-Identifier: MIT */
/* square.h - what says of most numbers that they are no squares. */
#ifndef CC_NATURAL_SQUARE_H
#define CC_NATURAL_SQUARE_H

#include <carrychain/word.h>

#include "../platform.h"

/* Bit k says whether k is a square modulo 64. */
#define CC_SQUARES_OF_64 (uint64_t)0x0202021202030213

/*
 * Whether a number with these last bits may be a square: below an even count of zeros, an odd
 * square is 1 modulo 8.  Zeros alone say nothing.  The last six bits decide most.
 */
static inline int cc_square_by_last_bits(cc_word w)
{
	unsigned int zeros;

	if (!(CC_SQUARES_OF_64 >> (w & 63) & 1))
		return 0;
	if (!w)
		return 1;
	zeros = cc_word_ctz(w);
	return !(zeros & 1) && (w >> zeros & 7) == 1;
}

/* Whether a[n] may be a square, by what it leaves modulo small primes. */
CC_HIDDEN int cc_square_by_residues(const cc_word *a, size_t n);

#endif /* CC_NATURAL_SQUARE_H */
