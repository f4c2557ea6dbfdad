/* SPDX-License-Identifier: MIT */
/* small.h - theory.h's products that are a few words long. */
#ifndef CC_THEORY_SMALL_H
#define CC_THEORY_SMALL_H

#include <carrychain/bigint.h>

#include "../platform.h"

/* n! for n up to this */
#if CC_WORD_BITS == 64
#define CC_SMALL_FACTORIAL 402
#else
#define CC_SMALL_FACTORIAL 20
#endif
CC_HIDDEN int cc_small_factorial(cc_bigint *r, unsigned int n);

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
CC_HIDDEN int cc_small_binomial_primes(cc_bigint *r, unsigned int n, unsigned int k);

/* C(n, k) by its factors, for 0 < k up to this, k <= n: k! has at most 63 twos */
#define CC_SMALL_FACTORS 65
CC_HIDDEN int cc_small_binomial_few(cc_bigint *r, cc_word n, unsigned int k);
#endif

#endif /* CC_THEORY_SMALL_H */
