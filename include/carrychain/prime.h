/* SPDX-License-Identifier: MIT */
/*
 * prime.h - square roots modulo a prime, and whether a number is one.
 *
 * Numbers, times, masks and errors as in fixed.h; what here ends in _public, and the next
 * prime, takes a time that shows everything.  But for these, at most as much stack as
 * cc_fz_powmod() takes (CC_FZ_POWMOD_STACK).
 */
#ifndef CARRYCHAIN_PRIME_H
#define CARRYCHAIN_PRIME_H

#include <carrychain/fixed.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * r^2 = a mod p for any a and an odd prime p, r the even one of the two roots below p;
 * *@exists a mask of whether there is one, r = 0 if not.  If p is no prime, a root that is
 * found is one, but not all are found.  CC_EINVAL if p is even or 1, or n > CC_FZ_MAX.
 *
 * Tonelli and Shanks' algorithm, without a branch (RFC 9380, I.4): a does not show.  Of p it
 * shows whether it is 3 modulo 4, and nothing else if so: then there is one power.  Else p
 * may show: 2^s dividing p - 1 takes about s^2 / 2 squarings more, and a non-residue is
 * looked for.
 */
int cc_fz_sqrtmod(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *p, size_t n);

/*
 * *@passes = a mask of whether c is a prime for all that Miller and Rabin's test can tell with
 * each of @count bases, bases[count n] (HAC 4.24; any numbers: one that is 0, 1 or -1 modulo
 * c says nothing).  A composite passes for less than a quarter of the bases below it.  0 and 1
 * do not pass, and of even numbers 2 alone.  CC_EINVAL if n > CC_FZ_MAX, or there is no base: that
 * would say nothing.
 *
 * It shows whether c is odd, and nothing else: neither whether it passes, nor how often two
 * divides c - 1.
 */
int cc_fz_miller_rabin(cc_word *passes, const cc_word *c, size_t n, const cc_word *bases,
		       size_t count);

/*
 * *@prime = a mask of whether c is a prime by Baillie and Wagstaff's test (Lucas pseudoprimes,
 * 1980): small primes, a strong probable prime to base 2, a strong Lucas probable prime with
 * Selfridge's parameters.  Below 2^64 it is never wrong; no composite is known that it takes
 * for a prime.  CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_is_prime_public(cc_word *prime, const cc_word *c, size_t n);
/* r = the least prime above a, by that test.  CC_ERANGE if n words have none, CC_EINVAL as there */
int cc_fz_next_prime(cc_word *r, const cc_word *a, size_t n);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_PRIME_H */
