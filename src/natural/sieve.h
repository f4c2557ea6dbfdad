/* SPDX-License-Identifier: MIT */
/* sieve.h - the primes below a limit, by Eratosthenes's sieve. */
#ifndef CC_NATURAL_SIEVE_H
#define CC_NATURAL_SIEVE_H

#include <carrychain/word.h>

#include "../platform.h"

/* Bit i is 1 unless 2i + 1 is prime, for each odd number below @limit. */
CC_HIDDEN void cc_sieve(cc_word *sieve, size_t limit);

static inline size_t cc_sieve_words(size_t limit)
{
	return limit / 2 / CC_WORD_BITS + 1;
}

/* The least odd prime above @p, or a number from @limit on. */
static inline size_t cc_sieve_next(const cc_word *sieve, size_t limit, size_t p)
{
	size_t i = p / 2 + (p & 1), last = limit / 2;

	while (i < last) {
		cc_word primes = ~sieve[i / CC_WORD_BITS] >> i % CC_WORD_BITS;

		if (primes)
			return 2 * (i + cc_word_ctz(primes)) + 1;
		i = (i / CC_WORD_BITS + 1) * CC_WORD_BITS;
	}
	return limit;
}

#endif /* CC_NATURAL_SIEVE_H */
