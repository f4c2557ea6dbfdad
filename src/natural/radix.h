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

/*
 * Halvings of a number of chunks, down to 3 at least: the widest addresses reach 2^53 words.
 * And so few that they lie on a kernel's stack.
 */
#define CC_RADIX_POWERS 52

/*
 * big^e for e = @chunks halved, rounding down, as long as it is at least @least:
 * power[0] the largest.  Each comes from the next smaller one by a squaring and perhaps
 * one factor more.  Their words lie in @store, the squarings' work space behind them.
 * Stopped by @w, which may be NULL, there are none.
 */
CC_HIDDEN int cc_radix_powers(struct cc_radix_power *power, const struct cc_radix *x, size_t chunks,
			      size_t least, cc_word *store, struct cc_watch *w);
/*
 * A number of so many chunks, cut by those powers down to the last: the parts on one way have no
 * more words, with one more each.  A part of c chunks is cut by e = chunks halved i + 1 times, into
 * e and c - e, and e > chunks / 2^(i+1) - 1: so the i-th has at most chunks / 2^i + i, or one more
 * where a count of digits rounds up, and fewer than the bits of chunks are cut.
 */
CC_HIDDEN size_t cc_radix_parts_words(size_t chunks);
/* Words for @store; what stays in use is the first cc_radix_powers_words(). */
CC_HIDDEN size_t cc_radix_powers_scratch(size_t chunks);
CC_HIDDEN size_t cc_radix_powers_words(size_t chunks);

#endif /* CC_NATURAL_RADIX_H */
