/* SPDX-License-Identifier: MIT */
/*
 * radix.h - how digits of a radix are grouped into chunks that fit a word, and the powers of
 * the chunk's radix by which long numbers are halved (Knuth 4.4).
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

/* Numbers up to so many words are multiplied by a loop here: the kernel's call takes longer. */
#define CC_RADIX_INLINE 12

/* r = r[n] big + value; returns its length, which is n or one more. */
static inline size_t cc_radix_append(cc_word *r, size_t n, cc_word big, cc_word value)
{
	size_t i;

	if (n > CC_RADIX_INLINE) {
		cc_word above = cc_limbs_mul_1(r, r, n, big);

		/* r big + value < B^n big <= B^(n + 1) */
		value = above + cc_limbs_add_1(r, r, n, value);
	} else {
		for (i = 0; i < n; i++) {
			cc_word above, below = cc_word_mul(&above, r[i], big), carry = 0;

			r[i] = cc_word_add(below, value, &carry);
			value = above + carry;
		}
	}
	if (value)
		r[n++] = value;
	return n;
}

/* big^exponent = words[length] B^zeros: powers of an even radix end in many zeros. */
struct cc_radix_power {
	cc_word *words;
	size_t length, zeros;
	size_t exponent;
};

/*
 * Halvings of a number of chunks, down to at least 3: the widest addresses reach 2^53 words.
 * There are few enough to be on a kernel's stack.
 */
#define CC_RADIX_POWERS 52

/*
 * big^e for e = @chunks, repeatedly halved and rounded down, as long as e >= @least; power[0]
 * is the largest.  Each is computed from the next smaller one by a squaring, and perhaps one
 * more factor.  Their words are in @store, followed by scratch for the squarings.  If @w, which
 * may be NULL, stops the work, there are none.
 */
CC_HIDDEN int cc_radix_powers(struct cc_radix_power *power, const struct cc_radix *x, size_t chunks,
			      size_t least, cc_word *store, struct cc_watch *w);
/*
 * A bound for the words of all parts on one path, one more than each part has, if a number of
 * @chunks chunks is cut by those powers down to the last.  A part of c chunks is cut by e = chunks
 * halved i + 1 times, into e and c - e, and e > chunks / 2^(i+1) - 1.  So the i-th part has at most
 * chunks / 2^i + i chunks, or one more if a count of digits is rounded up, and the number of cuts
 * is less than the number of bits of chunks.
 */
CC_HIDDEN size_t cc_radix_parts_words(size_t chunks);
/* Words for @store, of which the first cc_radix_powers_words() remain in use. */
CC_HIDDEN size_t cc_radix_powers_scratch(size_t chunks);
CC_HIDDEN size_t cc_radix_powers_words(size_t chunks);

#endif /* CC_NATURAL_RADIX_H */
