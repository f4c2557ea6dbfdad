/* SPDX-License-Identifier: MIT */
/*
 * prime.h - square roots modulo a prime, and primality.
 *
 * Numbers, times, masks and errors are as in fixed.h, except that functions ending in _public,
 * and cc_fz_next_prime(), leak everything.  All others use at most CC_FZ_POWMOD_STACK bytes of
 * stack.
 */
#ifndef CARRYCHAIN_PRIME_H
#define CARRYCHAIN_PRIME_H

#include <carrychain/fixed.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * r^2 = a mod p for any a and an odd prime p; r is the even one of the two roots below p.
 * *@exists is a mask: whether there is a root; if not, r = 0.  If p is not prime, a returned
 * root is correct, but not every root is found.  CC_EINVAL if p is even or 1, or
 * n > CC_FZ_MAX.
 *
 * The Tonelli-Shanks algorithm without branches (RFC 9380, I.4): a does not leak.  If p is 3
 * modulo 4, the root is one power, and only this fact about p leaks.  Otherwise p may leak: it
 * takes about s^2 / 2 more squarings if 2^s divides p - 1, and a search for a non-residue.
 */
int cc_fz_sqrtmod(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *p, size_t n);

/*
 * *@passes = a mask: whether c passes the Miller-Rabin test for each of @count bases,
 * bases[count n] (HAC 4.24).  A base may be any number; one that is 0, 1 or -1 modulo c tells
 * nothing.  A composite passes for less than a quarter of the bases below it.  0 and 1 do not
 * pass; the only even number that does is 2.  CC_EINVAL if n > CC_FZ_MAX or count is 0.
 *
 * Only whether c is odd leaks: neither whether it passes, nor how often two divides c - 1.
 */
int cc_fz_miller_rabin(cc_word *passes, const cc_word *c, size_t n, const cc_word *bases,
		       size_t count);

/*
 * *@prime = a mask: whether c is prime by the Baillie-PSW test (Baillie and Wagstaff, Lucas
 * pseudoprimes, 1980): trial division by small primes, a strong probable prime test to base 2,
 * and a strong Lucas test with Selfridge's parameters.  It is never wrong below 2^64, and no
 * composite is known to pass it.  CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_is_prime_public(cc_word *prime, const cc_word *c, size_t n);
/*
 * r = the smallest prime above a, by that test.  CC_ERANGE if n words hold none; CC_EINVAL if
 * n > CC_FZ_MAX.
 */
int cc_fz_next_prime(cc_word *r, const cc_word *a, size_t n);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_PRIME_H */
