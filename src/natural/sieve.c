// SPDX-License-Identifier: MIT
/* Eratosthenes's sieve of odd numbers. */
#include "sieve.h"

void cc_sieve(cc_word *sieve, size_t limit)
{
	size_t words = cc_sieve_words(limit), last = words * CC_WORD_BITS, i, j;

	memset(sieve, 0, words * sizeof(*sieve));
	sieve[0] = 1;
	/* 2i + 1 from its square on, which is number 2i (i + 1) */
	for (i = 1; 2 * i * (i + 1) < last; i++) {
		if (sieve[i / CC_WORD_BITS] >> i % CC_WORD_BITS & 1)
			continue;
		for (j = 2 * i * (i + 1); j < last; j += 2 * i + 1)
			sieve[j / CC_WORD_BITS] |= (cc_word)1 << j % CC_WORD_BITS;
	}
}
