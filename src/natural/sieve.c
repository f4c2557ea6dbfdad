// SPDX-License-Identifier: MIT
/* Eratosthenes's sieve of odd numbers. */
#include "sieve.h"

/* Its first bits, for short numbers. */
static const uint64_t first[] = {
	0x7e92ed659b4b3491, 0xde697df279b5b3cd, 0x5b769edfa5fbcb36,
	0xb5d77d2ed679eebb, 0xf7cb66decdbdbfcf, 0xeb75b77bbddaf9b4,
	0xf4bf4bf793cfbdfa, 0x9afb76d7edaef75f, 0x7fedbb697fb3cf67,
};
#define FIRST_WORDS (sizeof(first) / sizeof(first[0]) * (64 / CC_WORD_BITS))

void cc_sieve(cc_word *sieve, size_t limit)
{
	size_t words = cc_sieve_words(limit), last = words * CC_WORD_BITS, i, j;

	if (words <= FIRST_WORDS) {
		for (i = 0; i < words; i++)
			sieve[i] = (cc_word)(first[i * CC_WORD_BITS / 64] >> i * CC_WORD_BITS % 64);
		return;
	}
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
