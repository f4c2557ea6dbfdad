/* SPDX-License-Identifier: MIT */
/* product.h - natural.h's products for work that its caller may end (limbs/watch.h); @w may be
 * NULL. */
#ifndef CC_NATURAL_PRODUCT_H
#define CC_NATURAL_PRODUCT_H

#include <carrychain/natural.h>

#include "../limbs/watch.h"

static inline size_t cc_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* The words of the shorter factor, or of the number, from which transforms are faster here. */
CC_HIDDEN size_t cc_natural_transform_mul(void);
CC_HIDDEN size_t cc_natural_transform_sqr(void);

CC_HIDDEN void cc_natural_mul_watched(cc_word *r, const cc_word *a, size_t an, const cc_word *b,
				      size_t bn, cc_word *scratch, struct cc_watch *w);
CC_HIDDEN void cc_natural_sqr_watched(cc_word *r, const cc_word *a, size_t n, cc_word *scratch,
				      struct cc_watch *w);

CC_HIDDEN void cc_natural_divrem_watched(cc_word *q, cc_word *r, const cc_word *a, size_t an,
					 const cc_word *d, size_t dn, cc_word *scratch,
					 struct cc_watch *w);

/*
 * In place: q[m] and a returned top digit 0 or 1 = a[m + n] / d[n], a[n] = the remainder, for
 * d[n - 1] >= B / 2, 1 <= m <= n, n >= 2, and the reciprocal of the divisor's two top words;
 * scratch as for divrem
 */
CC_HIDDEN cc_word cc_natural_divide_watched(cc_word *q, cc_word *a, size_t m, const cc_word *d,
					    size_t n, cc_word reciprocal, cc_word *scratch,
					    struct cc_watch *w);

/* The zero bits below a's first one; a > 0. */
static inline size_t cc_natural_zeros(const cc_word *a)
{
	size_t i = 0;

	while (!a[i])
		i++;
	return i * CC_WORD_BITS + cc_word_ctz(a[i]);
}

CC_HIDDEN size_t cc_natural_isqrt_watched(cc_word *root, cc_word *rem, const cc_word *a, size_t n,
					  cc_word *scratch, struct cc_watch *w);

CC_HIDDEN size_t cc_natural_root_watched(cc_word *root, cc_word *rem, const cc_word *a, size_t an,
					 cc_word k, cc_word *scratch, struct cc_watch *w);

CC_HIDDEN int cc_natural_is_square_watched(const cc_word *a, size_t an, cc_word *scratch,
					   struct cc_watch *w);
/*
 * Whether a[an] is seen to be no power: a prime divides it just once.  The other, which is for
 * those of which this is not seen, takes odd exponents alone if @odd.
 */
CC_HIDDEN int cc_natural_is_no_power(const cc_word *a, size_t an);
CC_HIDDEN int cc_natural_is_power_watched(const cc_word *a, size_t an, int odd, cc_word *scratch,
					  struct cc_watch *w);

CC_HIDDEN size_t cc_natural_remove_watched(cc_word *r, const cc_word *a, size_t an,
					   const cc_word *f, size_t fn, cc_word *scratch,
					   struct cc_watch *w);
CC_HIDDEN void cc_natural_divexact_watched(cc_word *q, const cc_word *a, size_t an,
					   const cc_word *d, size_t dn, cc_word *scratch,
					   struct cc_watch *w);

CC_HIDDEN size_t cc_natural_gcd_watched(cc_word *g, const cc_word *a, size_t an, const cc_word *b,
					size_t bn, cc_word *scratch, struct cc_watch *w);

CC_HIDDEN size_t cc_natural_gcdext_watched(cc_word *g, cc_word *x, cc_word *y, int *negative,
					   const cc_word *a, size_t an, const cc_word *b, size_t bn,
					   cc_word *scratch, struct cc_watch *w);

CC_HIDDEN int cc_natural_invert_watched(cc_word *r, const cc_word *a, size_t an, const cc_word *m,
					size_t mn, cc_word *scratch, struct cc_watch *w);

CC_HIDDEN int cc_natural_jacobi_watched(const cc_word *a, size_t an, const cc_word *m, size_t mn,
					cc_word *scratch, struct cc_watch *w);

CC_HIDDEN void cc_natural_powm_watched(cc_word *r, const cc_word *b, size_t bn, const cc_word *e,
				       size_t en, const cc_word *m, size_t mn, cc_word *scratch,
				       struct cc_watch *w);

CC_HIDDEN size_t cc_natural_from_digits_watched(cc_word *r, const char *digits, size_t count,
						unsigned int radix, cc_word *scratch,
						struct cc_watch *w);

#endif /* CC_NATURAL_PRODUCT_H */
