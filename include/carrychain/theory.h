/* SPDX-License-Identifier: MIT */
/*
 * theory.h - number theory on bigint.h's integers, for numbers that are no secret: primes, and
 * products of many small factors.
 *
 * Results, errors and @progress are as in bigint.h.  Time and memory depend on the values.  Work on
 * numbers of up to CC_FZ_MAX words (fixed.h) asks @progress between tests of one number alone.
 */
#ifndef CARRYCHAIN_THEORY_H
#define CARRYCHAIN_THEORY_H

#include <carrychain/bigint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * *@prime = whether x is prime; no number below 2 is.  The Baillie-PSW test (Baillie and Wagstaff,
 * Lucas pseudoprimes, 1980): small primes, a strong probable prime test to base 2, and a strong
 * Lucas test with Selfridge's parameters.  Below 2^64 it is never wrong: no number in the list of
 * all base-2 pseudoprimes there (J. Feitsma and W. Galway, 2013) passes the Lucas test.  No larger
 * composite is known to pass both.
 */
int cc_theory_is_prime(int *prime, const cc_bigint *x, const struct cc_progress *progress);

/*
 * r = the least prime above x, by that test.  A sieve whose primes grow with the size leaves the
 * numbers to be tested (HAC 4.4).
 */
int cc_theory_next_prime(cc_bigint *r, const cc_bigint *x, const struct cc_progress *progress);

/*
 * r = n!; the product of the primes up to n; n (n - 1) ... (n - k + 1) / k!, which is 0 for k > n.
 * Long ones are multiplied by halves from their prime factors, which Luschny's prime swing and
 * Kummer's theorem give; short ones come from tables.
 */
int cc_theory_factorial(cc_bigint *r, uint64_t n, const struct cc_progress *progress);
int cc_theory_primorial(cc_bigint *r, uint64_t n, const struct cc_progress *progress);
int cc_theory_binomial(cc_bigint *r, uint64_t n, uint64_t k, const struct cc_progress *progress);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_THEORY_H */
