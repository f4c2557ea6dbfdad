/* SPDX-License-Identifier: MIT */
/*
 * primes.h - the primes modulo which products are transformed, and the constants for the way back.
 *
 * All are below 2^50 and 1 modulo 2^36, so there are roots of unity of every order for which
 * memory can hold a transform.  Residues in tables are the least in magnitude.
 * tools/primes writes primes.c; the test of the transforms proves every number in it.
 */
#ifndef CC_TRANSFORM_PRIMES_H
#define CC_TRANSFORM_PRIMES_H

#include <carrychain/word.h>

#include "../platform.h"

#define CC_PRIMES	    5
#define CC_PRIMES_FEWEST    3
#define CC_PRIME_ORDER	    36
#define CC_PRIME_ROOTS	    (CC_PRIME_ORDER - 1)
#define CC_REMAINDERS_WORDS 4

struct cc_prime {
	int64_t p;
	/* 2^48 and 2^96 */
	int64_t power[2];
	int64_t quarter_i; /* root[0] / 4 */
	/* root[t] is of order 2^(t + 2), and the square of root[t + 1] */
	int64_t root[CC_PRIME_ROOTS];
};

/* The Chinese remainder theorem for the first n primes, P their product. */
struct cc_remainders {
	unsigned int bits; /* 2^bits < P */
	cc_u64 product[CC_REMAINDERS_WORDS];
	/* P / p, and its inverse modulo p */
	cc_u64 cofactor[CC_PRIMES][CC_REMAINDERS_WORDS];
	int64_t inverse[CC_PRIMES];
};

CC_HIDDEN extern const struct cc_prime cc_primes[CC_PRIMES];
/* from CC_PRIMES_FEWEST on */
CC_HIDDEN extern const struct cc_remainders cc_remainders[CC_PRIMES + 1];

#endif /* CC_TRANSFORM_PRIMES_H */
