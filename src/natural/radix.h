/* SPDX-License-Identifier: MIT */
/*
 * radix.h - how digits of a radix gather into chunks that fit a word, and the powers of
 * such a chunk by which long numbers are cut in halves (Knuth 4.4).
 */
#ifndef CC_NATURAL_RADIX_H
#define CC_NATURAL_RADIX_H

#include "../limbs/divide.h"
#include "product.h"

struct cc_radix {
	unsigned int radix;
	unsigned int bits;    /* of a digit if the radix is a power of two, else 0 */
	unsigned int chunk;   /* most digits that fit a word */
	cc_word big;	      /* radix^chunk, but for a power of two */
	struct cc_divisor by; /* division by it */
};

CC_HIDDEN struct cc_radix cc_radix(unsigned int radix);

/* big^exponent = words[length] B^zeros: an even radix has powers with many zeros below. */
struct cc_radix_power {
	cc_word *words;
	size_t length, zeros;
	size_t exponent;
};

#define CC_RADIX_POWERS 64

/*
 * big^e for e = @chunks halved, rounding down, as long as it is at least @least:
 * power[0] the largest.  Each comes from the next smaller one by a squaring and perhaps
 * one factor more.  Their words lie in @store, the squarings' work space behind them.
 * Stopped by @w, which may be NULL, there are none.
 */
CC_HIDDEN int cc_radix_powers(struct cc_radix_power *power, const struct cc_radix *x, size_t chunks,
			      size_t least, cc_word *store, struct cc_watch *w);
/* Words for @store; what stays in use is the first cc_radix_powers_words(). */
CC_HIDDEN size_t cc_radix_powers_scratch(size_t chunks);
CC_HIDDEN size_t cc_radix_powers_words(size_t chunks);

#endif /* CC_NATURAL_RADIX_H */
