/* SPDX-License-Identifier: MIT */
/*
 * kernels.h - the steps of a product by number-theoretic transforms that have a tier for
 * each machine.
 *
 * A polynomial's residues modulo one of the primes are an array of 64-bit slots, in a format of
 * the tier's own.  The transform is a tree of remainders: node J of m coefficients is the ring
 * modulo x^m - r, with r = w[J / 2] for an even J and -w[J / 2] for an odd one.  Its children
 * are nodes 2J and 2J + 1, of m / 2 coefficients, because
 *   x^m - w[J]^2 = (x^(m/2) - w[J]) (x^(m/2) + w[J]),  w[0] = 1,
 *   w[2^t + j] = w[j] root[t]  for j < 2^t.
 * It ends at leaves of as many coefficients as fill a vector, which are multiplied as
 * polynomials.  So a whole node has one factor, and one table serves all lengths.
 */
#ifndef CC_TRANSFORM_KERNELS_H
#define CC_TRANSFORM_KERNELS_H

#include "../cpu/dispatch.h"
#include "../limbs/watch.h"
#include "primes.h"

/* One prime of a transform. */
struct cc_field {
	const struct cc_prime *prime;
	cc_u64 *w;  /* the table, in the tier's form */
	cc_u64 *wq; /* what else a multiplication by w[j] needs */
};

/*
 * The ring modulo a polynomial of @length coefficients, which is the product of up to three
 * nodes': of h coefficients; or h and h / 2; or h and h / 4; or h, h / 2 and h / 4.
 */
#define CC_NODES 3

struct cc_node {
	size_t at, m, j;
};

struct cc_ring {
	size_t length;
	unsigned int nodes;
	struct cc_node node[CC_NODES];
};

/* The slots that are processed between two checks whether to stop. */
#define CC_TRANSFORM_STEP ((size_t)1 << 14)

static inline int cc_transform_stopped(struct cc_watch *w, size_t at)
{
	return at && !(at % CC_TRANSFORM_STEP) && cc_watch_step(w, CC_STEP_WORDS);
}

#define CC_RADIX_PRIMES	   4
#define CC_TO_RADIX_PLACES 512

/* If @w stops the work, all of these return, and their output is undefined. */
struct cc_transform_kernels {
	const char *tier;
	size_t leaf;
	/* the words of the shorter factor, or of the number, from which transforms are faster */
	size_t least_mul, least_sqr;
	/* w[count], at least 4, and wq[count] */
	void (*table)(const struct cc_field *f, size_t count, struct cc_watch *w);
	/*
	 * x[i][length] = the residues of the digits of @bits bits of a[n], each i below
	 * @primes; @bits is a multiple of 8, from 64 to 120.
	 */
	void (*split)(cc_u64 *const *x, const struct cc_field *f, unsigned int primes,
		      size_t length, const cc_word *a, size_t n, unsigned int bits,
		      struct cc_watch *w);
	void (*forward)(const struct cc_field *f, cc_u64 *x, const struct cc_ring *ring,
			struct cc_watch *w);
	/* x = x y scale; y may be x; otherwise it does not change */
	void (*multiply)(const struct cc_field *f, cc_u64 *x, const cc_u64 *y,
			 const struct cc_ring *ring, const int64_t *scale, struct cc_watch *w);
	/* inverts forward(), except that node[i] is multiplied by its m */
	void (*inverse)(const struct cc_field *f, cc_u64 *x, const struct cc_ring *ring,
			struct cc_watch *w);
	/* forward() of x, multiply() by y, which is already transformed (or x squared), inverse()
	 */
	void (*convolve)(const struct cc_field *f, cc_u64 *x, const cc_u64 *y,
			 const struct cc_ring *ring, const int64_t *scale, struct cc_watch *w);
	/*
	 * Parts of these, for the columns from @from to below @to: from the ring to its nodes,
	 * with as many columns as the last node has coefficients; from a node of 4096 coefficients
	 * or more to its grandchildren, with as many columns as one of these has; and back.
	 * Columns are in whole vectors.
	 */
	void (*fold)(const struct cc_field *f, cc_u64 *x, const struct cc_ring *ring, size_t from,
		     size_t to, struct cc_watch *w);
	void (*unfold)(const struct cc_field *f, cc_u64 *x, const struct cc_ring *ring, size_t from,
		       size_t to, struct cc_watch *w);
	void (*descend)(const struct cc_field *f, cc_u64 *x, const struct cc_node *node,
			size_t from, size_t to, struct cc_watch *w);
	void (*ascend)(const struct cc_field *f, cc_u64 *x, const struct cc_node *node, size_t from,
		       size_t to, struct cc_watch *w);
	/* r[n] = the sum of the numbers with these residues, times 2^(bits i) */
	void (*join)(cc_word *r, size_t n, cc_u64 *const *x, const struct cc_field *f,
		     unsigned int primes, size_t length, unsigned int bits, struct cc_watch *w);
	/*
	 * The same for numbers a[n] and r[n] in a radix from 2^38 to 2^43.2, with two places per
	 * coefficient, modulo the first CC_RADIX_PRIMES; NULL if a division is as fast.
	 */
	void (*split_radix)(cc_u64 *const *x, const struct cc_field *f, size_t length,
			    const cc_u64 *a, size_t n, cc_u64 radix, struct cc_watch *w);
	void (*join_radix)(cc_u64 *r, size_t n, cc_u64 *const *x, const struct cc_field *f,
			   size_t length, cc_u64 radix, struct cc_watch *w);
	/*
	 * r[leaf][places] = a[leaf][words] in this radix; places, at most CC_TO_RADIX_PLACES,
	 * more than (64 words + 1) / (bits of the radix - 1), and words is not 0.
	 */
	void (*to_radix)(cc_u64 *r, size_t places, const cc_word *a, size_t words, cc_u64 radix);
};

CC_HIDDEN extern const struct cc_transform_kernels cc_transform_generic;
#if CC_BUILD_VECTORS
CC_HIDDEN extern const struct cc_transform_kernels cc_transform_avx2;
CC_HIDDEN extern const struct cc_transform_kernels cc_transform_avx512;
#endif

CC_HIDDEN const struct cc_transform_kernels *cc_transform_kernels(void);

#endif /* CC_TRANSFORM_KERNELS_H */
