/* SPDX-License-Identifier: MIT */
/*
 * rsa.h - RSA's two operations on numbers, x^e and x^d mod n, in constant time.
 *
 * The functions work on numbers only; encoding messages as numbers (RFC 8017) is up to the
 * caller.  A private key is made from two primes and a public exponent.  The private
 * operation works modulo p and modulo q (Quisquater and Couvreur 1982), which is a quarter of
 * the work.  It can blind its operand with a random factor, and its exponents with random
 * multiples of p - 1 and q - 1 (Kocher 1996): an attacker who measures does not know the
 * operand, and no two powers are alike.  Before a result is returned it is raised to e twice, by
 * independent code and numbers: a result that is wrong modulo only one prime reveals a factor
 * of n (Boneh, DeMillo and Lipton 1997), and a second fault in one check is caught by the
 * other.
 *
 * The running time leaks the widths, the public exponent, whether a prime is even or 1, and
 * how many bytes are requested from a generator.  It does not leak whether a result is
 * refused: the error is computed without branches.  What fixed.h says about vectors and the
 * stack holds here, too.
 *
 * Only its init function writes a key; afterwards any number of threads may use it.  It lies
 * in the caller's memory, which must not move.  Wiping it is up to the caller.
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
	/* initially true; you may change it: whether the exponents are blinded with 64 random
	   bits times p - 1 and q - 1 if there is a generator; takes 3 to 25 % of the time */
	bool blinds_exponents;
	/* private to the library; p has no words in a public key */
	struct cc_fz_mont p, q;
	const cc_word *dp, *dq, *q_inverse;
};

/* The words of memory for a private key, and for a public one. */
#define CC_FZ_RSA_WORDS(pn, qn, en)                                                                \
	(CC_FZ_RSA_PUBLIC_WORDS((pn) + (qn), en) + CC_FZ_MONT_WORDS((pn) + (qn)) +                 \
	 2 * (size_t)(pn) + (size_t)(qn))
#define CC_FZ_RSA_PUBLIC_WORDS(n, en) (CC_FZ_MONT_WORDS(n) + (size_t)(en))

/*
 * Makes the key of the primes p[pn] and q[qn] and the exponent e[en], all of which are copied.
 * Its numbers have pn + qn words.  The primes may have different widths.  Primes of the same
 * width, padded with zeros at the top if necessary, are computed at once where that pays.
 *
 * CC_EINVAL if p or q is even or 1; if e is even, 1 or not below p q; if pn + qn > CC_FZ_MAX;
 * or if there is no 1 / e modulo p - 1 and q - 1, or no 1 / q modulo p.  The key must then not
 * be used, and of p, q and what follows from them only n is left in the memory.  Primality is
 * not checked: if p or q is not prime, the private operation refuses wrong results.  At most
 * 40 KB of stack.
 */
int cc_fz_rsa_init(struct cc_fz_rsa *key, cc_word *memory, const cc_word *p, size_t pn,
		   const cc_word *q, size_t qn, const cc_word *e, size_t en);
/*
 * Makes a key for the public operation only, from n[nn] and e[en].  CC_EINVAL if n is even, 1
 * or too wide, or for e as above.
 */
int cc_fz_rsa_init_public(struct cc_fz_rsa *key, cc_word *memory, const cc_word *n, size_t nn,
			  const cc_word *e, size_t en);

/* r = x^e mod n; CC_EINVAL, and r = 0, unless x < n (RFC 8017, 5.1.1 and 5.2.2) */
int cc_fz_rsa_public(cc_word *r, const cc_word *x, const struct cc_fz_rsa *key);

/*
 * r = x^d mod n (RFC 8017, 5.1.2 and 5.2.1), verified.  x is blinded with a factor from the
 * generator, unless that is NULL.  After an error r is 0.  Errors are the generator's own, and
 * CC_EINVAL if r^e is not x or if the key is public.  r^e is not x if x >= n, if p or q is not
 * prime, if the factor has no inverse (one in p, one in q), or if the machine made an error.
 */
int cc_fz_rsa_private(cc_word *r, const cc_word *x, const struct cc_fz_rsa *key,
		      cc_fz_generator *generator, void *state);
/*
 * @count private operations, one after the other in memory, up to eight at once where that
 * pays.  Each has its own factor and is verified separately.  An error of the generator ends
 * the work, is returned, and sets every r to 0.  Otherwise CC_EINVAL if any result is refused;
 * that r is 0.  A factor without an inverse causes up to eight results to be refused.
 */
int cc_fz_rsa_private_many(cc_word *r, const cc_word *x, size_t count, const struct cc_fz_rsa *key,
			   cc_fz_generator *generator, void *state);

/* The most bytes of stack that the private operations use; the public one uses those of a power. */
#define CC_FZ_RSA_STACK (CC_FZ_POWMOD_MANY_STACK + 66560)

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_RSA_H */
