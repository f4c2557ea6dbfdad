/* SPDX-License-Identifier: MIT */
/* prime.h - probable primes, on memory that many tests share. */
#ifndef CC_THEORY_PRIME_H
#define CC_THEORY_PRIME_H

#include "../limbs/watch.h"

/*
 * Whether c[n], odd and without small factors, passes the Baillie-PSW test; c[n - 1] is not 0.
 * @memory has cc_probable_prime_words(n).  CC_ENOMEM only beyond CC_FZ_MAX words; CC_EINTR if @w
 * stops it.
 */
CC_HIDDEN int cc_probable_prime(int *prime, const cc_word *c, size_t n, cc_word *memory,
				struct cc_watch *w);
CC_HIDDEN size_t cc_probable_prime_words(size_t n);

/* The same as it is done beyond CC_FZ_MAX words, for any odd c > 2^12, and its memory. */
CC_HIDDEN int cc_probable_prime_long(const cc_word *c, size_t n, cc_word *memory,
				     struct cc_watch *w);
CC_HIDDEN size_t cc_probable_prime_long_words(size_t n);

#endif /* CC_THEORY_PRIME_H */
