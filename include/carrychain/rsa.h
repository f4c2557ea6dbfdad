/* SPDX-License-Identifier: MIT */
/*
 * rsa.h - RSA's two operations on numbers, x^e and x^d mod n, in constant time.
 *
 * Numbers alone: what a message becomes before it is one (RFC 8017's encodings) is the
 * caller's.  A private key is two primes and a public exponent; all else follows.  The
 * private operation goes modulo p and modulo q (Quisquater and Couvreur 1982: a quarter of
 * the work); it may hide its operand behind a random factor, and its exponents behind random
 * multiples of p - 1 and q - 1 (Kocher 1996: who measures doesn't know then what goes in, and
 * no two powers are alike); and its result is raised to e twice before it is given out, by
 * code and numbers of their own, since one that is wrong modulo one prime alone is a factor
 * of n (Boneh, DeMillo and Lipton 1997): a second fault, which spoils one check, meets the other.
 *
 * In time show: the widths, the public exponent, whether a prime is even or 1, and how many
 * bytes of a generator's are asked for.  Whether a result is refused does not: its error is
 * computed as it is.  What is said in fixed.h of vectors and of the stack holds here as well.
 *
 * A key is written by its init function alone: any number of threads may use it then.  It
 * lies in memory of the caller's, which has to stay where it is, and whose it is to wipe.
 */
#ifndef CARRYCHAIN_RSA_H
#define CARRYCHAIN_RSA_H

#include <carrychain/montgomery.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cc_fz_rsa {
	struct cc_fz_mont n; /* of n.n words */
	const cc_word *e;    /* en words */
	size_t en;
	/* true at first, and yours to set: whether 64 random bits times p - 1 and q - 1 hide the
	   exponents where there is a generator; 3 to 25 % of the time */
	bool blinds_exponents;
	/* the library's own; the p of a public key has no words */
	struct cc_fz_mont p, q;
	const cc_word *dp, *dq, *q_inverse;
};

/* Words of memory that a private key takes, and a public one. */
#define CC_FZ_RSA_WORDS(pn, qn, en)                                                                \
	(CC_FZ_RSA_PUBLIC_WORDS((pn) + (qn), en) + CC_FZ_MONT_WORDS((pn) + (qn)) +                 \
	 2 * (size_t)(pn) + (size_t)(qn))
#define CC_FZ_RSA_PUBLIC_WORDS(n, en) (CC_FZ_MONT_WORDS(n) + (size_t)(en))

/*
 * The key of the primes p[pn] and q[qn] and the exponent e[en], all of which are copied; its
 * numbers have pn + qn words.  Widths of their own for primes of different sizes; primes of
 * the same width, with zeros on top if need be, are worked on at once where that pays.
 *
 * CC_EINVAL if p or q is even or 1, e is even, 1 or not below p q, pn + qn > CC_FZ_MAX, or
 * there is no 1 / e modulo p - 1 and q - 1 or no 1 / q modulo p.  The key is of no use then,
 * and of p, q and what follows from them no more than n is left in the memory.  That they
 * are prime is not looked at: if not, the private operation refuses what comes out wrong.  The
 * stack: at most 40 KB.
 */
int cc_fz_rsa_init(struct cc_fz_rsa *key, cc_word *memory, const cc_word *p, size_t pn,
		   const cc_word *q, size_t qn, const cc_word *e, size_t en);
/*
 * A key for the public operation alone, of n[nn]; CC_EINVAL if n is even, 1 or too wide, or e
 * as above.
 */
int cc_fz_rsa_init_public(struct cc_fz_rsa *key, cc_word *memory, const cc_word *n, size_t nn,
			  const cc_word *e, size_t en);

/* r = x^e mod n; CC_EINVAL, and r = 0, unless x < n (RFC 8017, 5.1.1 and 5.2.2) */
int cc_fz_rsa_public(cc_word *r, const cc_word *x, const struct cc_fz_rsa *key);

/*
 * r = x^d mod n (RFC 8017, 5.1.2 and 5.2.1), verified; x is hidden behind a factor of the
 * generator's, unless that is NULL.  r is 0 where there is an error: the generator's own, or
 * CC_EINVAL if r^e is not x, be it that x >= n, p or q is not prime, the factor has no
 * inverse (one in p, one in q), or the machine erred; or if the key is a public one.
 */
int cc_fz_rsa_private(cc_word *r, const cc_word *x, const struct cc_fz_rsa *key,
		      cc_fz_generator *generator, void *state);
/*
 * @count of them, one after the other in memory, by up to eight at once where that pays; each
 * has a factor of its own, and is verified by itself.  The error is the generator's, with
 * which it ends, every r being 0; else CC_EINVAL if any is refused, which is 0 then.  A factor
 * without an inverse has up to eight refused.
 */
int cc_fz_rsa_private_many(cc_word *r, const cc_word *x, size_t count, const struct cc_fz_rsa *key,
			   cc_fz_generator *generator, void *state);

/* Bytes of stack that the private operations take at most; the public one those of a power. */
#define CC_FZ_RSA_STACK (CC_FZ_POWMOD_MANY_STACK + 66560)

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_RSA_H */
