/* SPDX-License-Identifier: MIT */
/* public.h - parts of prime.h's tests and of contexts, for public numbers. */
#ifndef CC_FIXED_PUBLIC_H
#define CC_FIXED_PUBLIC_H

#include "kernels.h"

/* Whether c[n] is a square; n <= CC_FZ_MAX */
CC_HIDDEN bool cc_fixed_is_square(const cc_word *c, size_t n);
/*
 * Whether c[n] is prime: 1 or 0 by small primes, or -1 if they don't tell; c[n - 1] is not 0, and n
 * has no limit
 */
CC_HIDDEN int cc_fixed_is_prime_by_trial(const cc_word *c, size_t n);
/* Whether c is a strong Lucas probable prime by Selfridge's parameters; odd, above 2^12 */
CC_HIDDEN bool cc_fixed_is_lucas(const cc_word *c, size_t n);
/*
 * Each r[i][n] = 2^bits[i] mod m[n], bits[i] >= n CC_WORD_BITS, for an odd m of 2 words or more
 * without the zeros above it; n <= CC_FZ_MAX.  r[i] do not overlap m.
 */
CC_HIDDEN void cc_fixed_public_powers_of_two_mod(cc_word *const *r, const size_t *bits,
						 size_t count, const cc_word *m, size_t n);

#endif /* CC_FIXED_PUBLIC_H */
