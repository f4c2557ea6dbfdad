/* SPDX-License-Identifier: MIT */
/*
 * residues.h - products of residues modulo one number: in Montgomery's form modulo odd numbers
 * (Montgomery 1985; HAC 14.32), which is x B^n modulo m for x, and by division modulo others.
 */
#ifndef CC_NATURAL_RESIDUES_H
#define CC_NATURAL_RESIDUES_H

#include "product.h"

/* r[n] = a b / B^n modulo m, for a, b < m; r may be either; minus_inverse is -1 / m modulo B */
typedef void cc_residues_mul_fn(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m,
				size_t n, cc_word minus_inverse);

struct cc_residues {
	const cc_word *m;
	size_t n;
	cc_word minus_inverse;	   /* 0: by division */
	const cc_word *inverse;	   /* 1 / m modulo B^n, where products reduce; or NULL */
	cc_residues_mul_fn *fused; /* product and reduction in one, or NULL */
	cc_word *product, *t;	   /* 2n words, and what a reduction or a product takes */
	struct cc_watch *w;
	size_t work; /* pairs of words multiplied since the watch was asked */
};

/*
 * Modulo m[n], n > 1, m[n - 1] not 0; @memory has cc_residues_words(n).  Unless @montgomery, or if
 * m is even, by division.
 */
CC_HIDDEN void cc_residues_init(struct cc_residues *residues, const cc_word *m, size_t n,
				int montgomery, cc_word *memory, struct cc_watch *w);
CC_HIDDEN size_t cc_residues_words(size_t n);

/* r[n] = b[bn] in their form, bn <= n, and back, in place */
CC_HIDDEN void cc_residues_to(cc_word *r, const cc_word *b, size_t bn, struct cc_residues *m);
CC_HIDDEN void cc_residues_from(cc_word *r, struct cc_residues *m);

/* r may be an operand */
CC_HIDDEN void cc_residues_mul(cc_word *r, const cc_word *a, const cc_word *b,
			       struct cc_residues *m);
CC_HIDDEN void cc_residues_sqr(cc_word *r, const cc_word *a, struct cc_residues *m);

#endif /* CC_NATURAL_RESIDUES_H */
