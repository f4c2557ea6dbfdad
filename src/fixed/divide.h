/* SPDX-License-Identifier: MIT */
/* divide.h - what a division keeps of its divisor, and one step of it; see divide.c */
#ifndef CC_FIXED_DIVIDE_H
#define CC_FIXED_DIVIDE_H

#include "kernels.h"

struct cc_fixed_divisor {
	cc_word d[CC_FZ_MAX]; /* normalised: shifted to the left by @shift */
	cc_word w[CC_FZ_MAX + 1];
	size_t n;
	size_t shift;
	cc_word d1, d0, v; /* the two top words (d0 = 0 if n = 1), their reciprocal */
};

/* For d[n], which is not 0; w = 0 */
CC_HIDDEN void cc_fixed_divisor_start(struct cc_fixed_divisor *k, const cc_word *d, size_t n);

/* w[n + 1] = w mod d[n] for w < d B, by the top two words of k; returns the quotient */
CC_HIDDEN cc_word cc_fixed_take_multiple(const struct cc_fixed_divisor *k, cc_word *w,
					 const cc_word *d, size_t n);

#endif /* CC_FIXED_DIVIDE_H */
