/* SPDX-License-Identifier: MIT */
/*
 * transform.h - exact products of long numbers by number-theoretic transforms.
 *
 * A number is cut into digits of 64 to 120 bits, the coefficients of a polynomial; the
 * polynomials' product is computed modulo several primes of 50 bits, and its coefficients,
 * longer than all primes but one multiplied, come back by the Chinese remainder theorem.
 * J. Pollard, The fast Fourier transform in a finite field, 1971; Knuth 4.3.3 C.
 *
 * The residues of a number may be kept, and multiplied again and again under one plan.
 * Nothing allocates.  Once a watch, which may be NULL, is stopped, results are undefined.
 * Time shows the lengths alone.
 */
#ifndef CC_TRANSFORM_TRANSFORM_H
#define CC_TRANSFORM_TRANSFORM_H

#include "kernels.h"

/* For numbers of fewer words no tier's transforms win. */
#define CC_TRANSFORM_LEAST 100

struct cc_transform {
	const struct cc_transform_kernels *k;
	unsigned int primes, bits;
	cc_u64 radix; /* or 0 */
	size_t table; /* so many factors, for each prime */
	struct cc_ring ring;
	struct cc_field field[CC_PRIMES];
};

/* For products of two numbers of at most an and bn words, an, bn >= 1. */
CC_HIDDEN void cc_transform_plan(struct cc_transform *t, size_t an, size_t bn);

/*
 * The same for numbers in another radix, of places from 0 to radix - 1, an and bn of them in
 * two words where words have 32 bits: for radices from 2^38 to CC_TRANSFORM_RADIX_MAX, and at
 * most CC_TRANSFORM_PLACES_MAX places in the shorter one.  0 if there are no kernels for it.
 */
#define CC_TRANSFORM_RADIX_MAX	((cc_u64)10000000000000)
#define CC_TRANSFORM_PLACES_MAX ((size_t)1 << 25)
CC_HIDDEN int cc_transform_plan_radix(struct cc_transform *t, size_t an, size_t bn, cc_u64 radix);

/*
 * What no plan exceeds for products of up to @words words, with its table and the residues of
 * @numbers numbers; never less for more of either.
 */
CC_HIDDEN size_t cc_transform_scratch(size_t words, size_t numbers);

/* What cc_transform_open() takes, and the residues of a number. */
CC_HIDDEN size_t cc_transform_table_words(const struct cc_transform *t);
CC_HIDDEN size_t cc_transform_words(const struct cc_transform *t);

/* Computes the table, which the plan needs as long as it is in use. */
CC_HIDDEN void cc_transform_open(struct cc_transform *t, cc_word *table, struct cc_watch *w);

/* x = the residues of a[n], transformed */
CC_HIDDEN void cc_transform_forward(const struct cc_transform *t, cc_word *x, const cc_word *a,
				    size_t n, struct cc_watch *w);

/* x = x y, residues of numbers within the plan; y may be x */
CC_HIDDEN void cc_transform_multiply(const struct cc_transform *t, cc_word *x, const cc_word *y,
				     struct cc_watch *w);

/* r[n] = what has the residues x, which are destroyed; words above must be 0 */
CC_HIDDEN void cc_transform_inverse(const struct cc_transform *t, cc_word *r, size_t n, cc_word *x,
				    struct cc_watch *w);

/*
 * r[rn] = a[n] times what has the residues y, or squared if y is x, where the residues come and
 * are destroyed; in one go, which passes over memory half as often.
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
