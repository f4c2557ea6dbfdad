/* SPDX-License-Identifier: MIT */
/*
 * transform.h - exact products of long numbers by number-theoretic transforms.
 *
 * A number is cut into digits of 64 to 120 bits, the coefficients of a polynomial.  The
 * polynomials' product is computed modulo several 50-bit primes, as few as its coefficients
 * allow, and these are recovered by the Chinese remainder theorem.
 * J. Pollard, The fast Fourier transform in a finite field, 1971; Knuth 4.3.3 C.
 *
 * A number's residues may be kept, and multiplied again and again under one plan.  Nothing
 * allocates.  If a watch, which may be NULL, stops the work, results are undefined.  The running
 * time leaks only the lengths.
 */
#ifndef CC_TRANSFORM_TRANSFORM_H
#define CC_TRANSFORM_TRANSFORM_H

#include "kernels.h"

/* For fewer words, no tier's transforms are faster. */
#define CC_TRANSFORM_LEAST 100

struct cc_transform {
	const struct cc_transform_kernels *k;
	unsigned int primes, bits;
	cc_u64 radix; /* or 0 */
	size_t table; /* the number of factors, for each prime */
	struct cc_ring ring;
	struct cc_field field[CC_PRIMES];
};

/* For products of two numbers of at most an and bn words, an, bn >= 1. */
CC_HIDDEN void cc_transform_plan(struct cc_transform *t, size_t an, size_t bn);

/*
 * The same for numbers of an and bn places in another radix, each from 0 to radix - 1, and in two
 * words if words have 32 bits: for radices from 2^38 to CC_TRANSFORM_RADIX_MAX, and at most
 * CC_TRANSFORM_PLACES_MAX places in the shorter one.  0 if there are no kernels for it.
 */
#define CC_TRANSFORM_RADIX_MAX	((cc_u64)10000000000000)
#define CC_TRANSFORM_PLACES_MAX ((size_t)1 << 25)
CC_HIDDEN int cc_transform_plan_radix(struct cc_transform *t, size_t an, size_t bn, cc_u64 radix);

/*
 * A bound for any plan for products of up to @words words, with its table and the residues of
 * @numbers numbers; it does not decrease with either.
 */
CC_HIDDEN size_t cc_transform_scratch(size_t words, size_t numbers);

/* The words that cc_transform_open() takes, and those of a number's residues. */
CC_HIDDEN size_t cc_transform_table_words(const struct cc_transform *t);
CC_HIDDEN size_t cc_transform_words(const struct cc_transform *t);

/* Computes the table, which the plan uses until the end. */
CC_HIDDEN void cc_transform_open(struct cc_transform *t, cc_word *table, struct cc_watch *w);

/* x = the residues of a[n], transformed */
CC_HIDDEN void cc_transform_forward(const struct cc_transform *t, cc_word *x, const cc_word *a,
				    size_t n, struct cc_watch *w);

/* x = x y, residues of numbers within the plan; y may be x */
CC_HIDDEN void cc_transform_multiply(const struct cc_transform *t, cc_word *x, const cc_word *y,
				     struct cc_watch *w);

/* r[n] = the number with the residues x, which are destroyed; its words above must be 0 */
CC_HIDDEN void cc_transform_inverse(const struct cc_transform *t, cc_word *r, size_t n, cc_word *x,
				    struct cc_watch *w);

/*
 * r[rn] = a[n] times the number with the residues y, or a^2 if y is x.  x is scratch for a's
 * residues.  This passes over memory half as often as the separate steps.
 */
CC_HIDDEN void cc_transform_times(const struct cc_transform *t, cc_word *r, size_t rn,
				  const cc_word *a, size_t n, cc_word *x, const cc_word *y,
				  struct cc_watch *w);

/* All three for numbers in the plan's radix. */
CC_HIDDEN void cc_transform_forward_radix(const struct cc_transform *t, cc_word *x, const cc_u64 *a,
					  size_t n, struct cc_watch *w);
CC_HIDDEN void cc_transform_inverse_radix(const struct cc_transform *t, cc_u64 *r, size_t n,
					  cc_word *x, struct cc_watch *w);
CC_HIDDEN void cc_transform_times_radix(const struct cc_transform *t, cc_u64 *r, size_t rn,
					const cc_u64 *a, size_t n, cc_word *x, const cc_word *y,
					struct cc_watch *w);

#endif /* CC_TRANSFORM_TRANSFORM_H */
