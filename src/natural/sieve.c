// SPDX-License-Identifier: MIT
/* Eratosthenes's sieve of odd numbers. */
#include "sieve.h"

/* Its first bits, for short numbers. */
static const uint64_t first[] = {
	0x7e92ed659b4b3491, 0xde697df279b5b3cd, 0x5b769edfa5fbcb36,
	0xb5d77d2ed679eebb, 0xf7cb66decdbdbfcf, 0xeb75b77bbddaf9b4,
	0xf4bf4bf793cfbdfa, 0x9afb76d7edaef75f, 0x7fedbb697fb3cf67,
};
#define PER_64	    (64 / CC_WORD_BITS)
#define FIRST_WORDS (sizeof(first) / sizeof(first[0]) * PER_64)

/* The multiples of 3, 5 and 7. */
static const uint64_t of_three[] = {0x2492492492492492, 0x9249249249249249, 0x4924924924924924};
static const uint64_t of_five[] = {0x4210842108421084, 0x8421084210842108, 0x842108421084210,
				   0x1084210842108421, 0x2108421084210842};
static const uint64_t of_seven[] = {0x810204081020408,	0x408102040810204,  0x204081020408102,
				    0x8102040810204081, 0x4081020408102040, 0x2040810204081020,
				    0x1020408102040810};

/* Word @i of a sieve that has @x there, of 64 bits. */
static inline cc_word word_of(uint64_t x, size_t i)
{
	return (cc_word)(x >> i % PER_64 * CC_WORD_BITS);
}

void cc_sieve(cc_word *sieve, size_t limit)
{
	size_t words = cc_sieve_words(limit), last = words * CC_WORD_BITS, i, j;

	if (words <= FIRST_WORDS) {
		for (i = 0; i < words; i++)
			sieve[i] = word_of(first[i / PER_64], i);
		return;
	}
	for (i = 0; i < words; i++) {
		j = i / PER_64;
		sieve[i] = word_of(of_three[j % 3] | of_five[j % 5] | of_seven[j % 7], i);
	}
	/* 1 is no prime, but 3, 5 and 7 are */
	sieve[0] ^= 15;
	/* 2i + 1 from its square on, which is number 2i (i + 1) */
	for (i = 5; 2 * i * (i + 1) < last; i++) {
		if (sieve[i / CC_WORD_BITS] >> i % CC_WORD_BITS & 1)
			continue;
		for (j = 2 * i * (i + 1); j < last; j += 2 * i + 1)
			sieve[j / CC_WORD_BITS] |= (cc_word)1 << j % CC_WORD_BITS;
	}
}
