/* SPDX-License-Identifier: MIT */
/*
 * half_gcd.h - shortens two numbers by one matrix (N. Moeller, On Schoenhage's algorithm and
 * subquadratic integer gcd computation, 2008).
 *
 * Below, (a; b) = U (a'; b') for a matrix U of nonnegative numbers with the determinant 1: then
 * a and b have the same greatest common divisor as a' and b', and
 *   a' = u11 a - u01 b,  b' = u00 b - u10 a.
 * As a = u00 a' + u01 b' and b = u10 a' + u11 b', no entry is above max(a, b) / min(a', b').
 */
#ifndef CC_NATURAL_HALF_GCD_H
#define CC_NATURAL_HALF_GCD_H

#include "product.h"

#include "../limbs/kernels.h"

/* A matrix of words. */
struct cc_steps {
	cc_word u00, u01, u10, u11;
};

/* A matrix of numbers of n words. */
struct cc_half_gcd {
	cc_word *u[2][2];
	size_t n;
};

/*
 * The steps of a[n], b[n] that follow from their two top words, for n >= 2 and a top word of
 * either that is not 0.  Returns whether there are any.  Both stay at least 2 B^(n - 2) if
 * n > 2.
 */
CC_HIDDEN int cc_gcd_steps(struct cc_steps *steps, const cc_word *a, const cc_word *b, size_t n);

/* a[n], b[n] = a', b'; returns n, or n - 1 if both top words are 0; t[n] */
CC_HIDDEN size_t cc_gcd_take_steps(cc_word *a, cc_word *b, size_t n, const struct cc_steps *steps,
				   cc_word *t);

/*
 * a[n], b[n] = a', b' and their matrix, for n >= 2 and a top word of either that is not 0.
 * If both are at least B^(n/2 + 1), they remain so, usually with few words more than that;
 * otherwise, or if their difference is less, nothing is done.  Returns the length of the longer
 * one, or 0 if nothing was done.  The matrix must have room for this n or more.
 */
CC_HIDDEN size_t cc_half_gcd(struct cc_half_gcd *m, cc_word *a, cc_word *b, size_t n, cc_word *t,
			     struct cc_watch *w);
CC_HIDDEN size_t cc_half_gcd_scratch(size_t n);
CC_HIDDEN void cc_half_gcd_place(struct cc_half_gcd *m, cc_word *store, size_t n);
CC_HIDDEN size_t cc_half_gcd_store(size_t n);

/*
 * a[n], b[n] = a', b' by the matrix, which has already been applied to their words from p on.
 * Returns the length of the longer one.  Scratch as for n words above.
 */
CC_HIDDEN size_t cc_half_gcd_take_along(const struct cc_half_gcd *m, cc_word *a, cc_word *b,
					size_t p, size_t n, cc_word *t, struct cc_watch *w);

#endif /* CC_NATURAL_HALF_GCD_H */
