/* SPDX-License-Identifier: MIT */
/* Of fixed.h to come: gone as soon as that has them. */
#ifndef CC_FIXED_RSA_NEEDS_H
#define CC_FIXED_RSA_NEEDS_H

#include <carrychain/limbs.h>
#include <carrychain/rsa.h>

#include "mask.h"

static inline cc_word cc_fz_add_word(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	cc_word carry = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		r[i] = cc_word_add(a[i], w, &carry);
		w = 0;
	}
	return carry;
}

static inline void cc_fz_mul_unequal(cc_word *xy, const cc_word *x, size_t xn, const cc_word *y,
				     size_t yn)
{
	size_t i;

	memset(xy, 0, (xn + yn) * sizeof(*xy));
	for (i = 0; i < yn; i++)
		xy[xn + i] = cc_limbs_addmul_1(xy + i, x, xn, y[i]);
}

static inline void cc_fz_submod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m,
				size_t n)
{
	cc_word borrow = cc_mask(cc_limbs_sub(r, a, b, n)), carry = 0;
	size_t i;

	for (i = 0; i < n; i++)
		r[i] = cc_word_add(r[i], m[i] & borrow, &carry);
}

static inline int cc_fz_random_wide(cc_word *r, const cc_word *m, size_t n,
				    cc_fz_generator *generator, void *state)
{
	cc_word t[CC_FZ_MAX + 128 / CC_WORD_BITS];
	size_t bytes = n * sizeof(*t) + 16;
	int error = generator(state, (unsigned char *)t, bytes);

	if (!error)
		error = cc_fz_mod(r, t, bytes / sizeof(*t), m, n);
	cc_wipe(t, bytes);
	return error;
}

#endif /* CC_FIXED_RSA_NEEDS_H */
