/* SPDX-License-Identifier: MIT */
/* small.h - theory.h's products that are a few words long. */
#ifndef CC_THEORY_SMALL_H
#define CC_THEORY_SMALL_H

#include <carrychain/bigint.h>

#include "../limbs/kernels.h"

/* n! for n up to this */
#if CC_WORD_BITS == 64
#define CC_SMALL_FACTORIAL 402
#else
#define CC_SMALL_FACTORIAL 20
#endif
CC_HIDDEN int cc_small_factorial(cc_bigint *r, unsigned int n);

/* Of n!, for n up to CC_SMALL_PAIR: the odd part modulo 2^64, and how many twos. */
extern CC_HIDDEN const cc_u64 cc_odd_parts[];
extern CC_HIDDEN const unsigned char cc_factorial_twos[];

/* C(n, k) for k <= n <= CC_SMALL_N: all of them are below 2^64 */
#define CC_SMALL_N 67
CC_HIDDEN int cc_small_binomial(cc_bigint *r, unsigned int n, unsigned int k);
/* the same below 2^128, for 64-bit words where they have pairs (natural/word_product.h) */
#define CC_SMALL_PAIR 131
CC_HIDDEN int cc_small_binomial_pair(cc_bigint *r, unsigned int n, unsigned int k);

#if CC_WORD_BITS == 64
/* the product of the primes up to n, and C(n, k) for 2k <= n by its primes, for n up to this */
#define CC_SMALL_PRIMES 1008
CC_HIDDEN int cc_small_primorial(cc_bigint *r, unsigned int n);

/* C(n, k) by few words of factors, for 0 < k up to this, 2k <= n */
#define CC_SMALL_FACTORS 262
CC_HIDDEN int cc_small_binomial_words(cc_bigint *r, cc_word n, unsigned int k);
#endif

/* r[n] *= x; returns the new length */
static inline size_t cc_small_multiply(cc_word *r, size_t n, cc_word x)
{
	cc_word carry = 0, high;
	size_t i;

	if (n >= 6) {
		carry = cc_limbs_mul_1(r, r, n, x);
	} else {
		for (i = 0; i < n; i++) {
			cc_word low = cc_word_mul(&high, r[i], x);

			r[i] = low + carry;
			carry = high + (r[i] < low);
		}
	}
	r[n] = carry;
	return n + (carry > 0);
}

#endif /* CC_THEORY_SMALL_H */
