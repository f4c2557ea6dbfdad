/* SPDX-License-Identifier: MIT */
/*
 * limbs.h - positional arithmetic on vectors of words.
 *
 * A vector is @n words, least significant first, and stands for an unsigned integer.
 * Nothing here allocates.  A function that needs work space takes @scratch, of as many words
 * as its _scratch() companion returns.  That number never decreases for a longer argument, so
 * scratch for the longest argument suffices for all.
 *
 * Unless a function says otherwise: a length may be 0, and the vector's pointer may then be
 * NULL.  Scratch of no words may be NULL, too; no other pointer may.  An output may be the
 * same vector as an input, but must not overlap it otherwise.
 *
 * Time: that of add, sub, mul_1, addmul_1, submul_1 and the shifts depends only on the
 * lengths.  All others may leak the values, products by the signs of Karatsuba's differences.
 * For secrets use fixed.h.
 *
 * Algorithms: Knuth, The Art of Computer Programming 2, 4.3.1 and 4.3.3.  For other
 * operations and longer numbers see natural.h.
 */
#ifndef CARRYCHAIN_LIMBS_H
#define CARRYCHAIN_LIMBS_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

/* r[n] = a[n] + b[n]; returns the carry, 0 or 1 */
cc_word cc_limbs_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n);

/* r[n] = a[n] - b[n]; returns the borrow, 0 or 1 */
cc_word cc_limbs_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n);

/* r[n] = a[n] + w; returns the carry (w itself if n is 0) */
cc_word cc_limbs_add_1(cc_word *r, const cc_word *a, size_t n, cc_word w);

/* r[n] = a[n] - w; returns the borrow (w itself if n is 0) */
cc_word cc_limbs_sub_1(cc_word *r, const cc_word *a, size_t n, cc_word w);

/* r[n] = a[n] * w; returns the word above */
cc_word cc_limbs_mul_1(cc_word *r, const cc_word *a, size_t n, cc_word w);

/* r[n] += a[n] * w; returns the word above */
cc_word cc_limbs_addmul_1(cc_word *r, const cc_word *a, size_t n, cc_word w);

/* r[n] -= a[n] * w; returns the word borrowed from above */
cc_word cc_limbs_submul_1(cc_word *r, const cc_word *a, size_t n, cc_word w);

/* -1, 0 or 1 if a[n] is less than, equal to or greater than b[n] */
int cc_limbs_cmp(const cc_word *a, const cc_word *b, size_t n);

/* The length of a[n] without the zero words at its top */
size_t cc_limbs_normalise(const cc_word *a, size_t n);

/*
 * r[n] = a[n] shifted by 0 <= @count < CC_WORD_BITS bits; returns the bits shifted out, at
 * the other end of a word.  r may overlap a if it begins above a for lshift, or below a for
 * rshift.
 */
cc_word cc_limbs_lshift(cc_word *r, const cc_word *a, size_t n, unsigned int count);
cc_word cc_limbs_rshift(cc_word *r, const cc_word *a, size_t n, unsigned int count);

/*
 * r[an + bn] = a[an] * b[bn], lengths in any order; r must not overlap a or b.
 * Schoolbook, then Karatsuba (Knuth 4.3.3).
 */
void cc_limbs_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		  cc_word *scratch);
size_t cc_limbs_mul_scratch(size_t an, size_t bn);

/*
 * r[2n] = a[n]^2; r must not overlap a
 */
void cc_limbs_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch);
size_t cc_limbs_sqr_scratch(size_t n);

/* q[n] = a[n] / d; returns the remainder; d must not be 0 */
cc_word cc_limbs_divrem_1(cc_word *q, const cc_word *a, size_t n, cc_word d);

/* The tier now in use, by its name in cc_cpu_tiers(). */
const char *cc_limbs_tier(void);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_LIMBS_H */
