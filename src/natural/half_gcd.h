/* SPDX-License-Identifier: MIT */
/*
 * half_gcd.h - shortens two numbers by one matrix, as gcd_steps.h does (N. Moeller, On Schoenhage's
 * algorithm and subquadratic integer gcd computation, 2008).
 */
#ifndef CC_NATURAL_HALF_GCD_H
#define CC_NATURAL_HALF_GCD_H

#include "gcd_steps.h"
#include "product.h"

#include "../limbs/kernels.h"

/* A matrix of numbers of n words; and the symbol that its steps change, or NULL. */
struct cc_half_gcd {
	cc_word *u[2][2];
	size_t n;
	struct cc_jacobi *j;
};

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
