/* SPDX-License-Identifier: MIT */
/*
 * limbs.h - positional arithmetic on vectors of words.
 *
 * A vector is @n words, least significant first, and stands for an unsigned integer.
 * Nothing here allocates: where work space is needed the caller passes @scratch, of
 * as many words as the function's _scratch() companion says: never fewer for a longer argument,
 * so that what is enough for the longest is enough for all.
 *
 * Unless a function says otherwise: a length may be 0, and the vector's pointer NULL
 * then, but no other pointer, scratch of no words excepted; an output may be the very
 * same vector as an input, but must not overlap it otherwise.
 *
 * Time: add, sub, mul_1, addmul_1, submul_1 and the shifts show the lengths alone; all
 * else may show the values, products by the signs of Karatsuba's differences.  Secrets are
 * for fixed.h.
 *
 * Algorithms: Knuth, The Art of Computer Programming 2, 4.3.1 and 4.3.3.  What is not here,
 * and longer numbers, is in natural.h.
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

/* -1, 0 or 1 as a[n] is less than, equal to or greater than b[n] */
int cc_limbs_cmp(const cc_word *a, const cc_word *b, size_t n);

/* n without the zero words at its top */
size_t cc_limbs_normalise(const cc_word *a, size_t n);

/*
 * r[n] = a[n] shifted by 0 <= @count < CC_WORD_BITS bits; returns the bits that left,
 * at the other end of a word.  lshift also allows r above a, rshift r below a,
 * overlapping.
 */
cc_word cc_limbs_lshift(cc_word *r, const cc_word *a, size_t n, unsigned int count);
cc_word cc_limbs_rshift(cc_word *r, const cc_word *a, size_t n, unsigned int count);

/*
 * r[an + bn] = a[an] * b[bn], lengths in any order; r overlaps neither.
 * Schoolbook, then Karatsuba (Knuth 4.3.3).
 */
void cc_limbs_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		  cc_word *scratch);
size_t cc_limbs_mul_scratch(size_t an, size_t bn);

/*
 * r[2n] = a[n]^2; r does not overlap a
 */
void cc_limbs_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch);
size_t cc_limbs_sqr_scratch(size_t n);

/* q[n] = a[n] / d, remainder returned; d is not 0 */
cc_word cc_limbs_divrem_1(cc_word *q, const cc_word *a, size_t n, cc_word d);

/* The tier now in use, by its name in cc_cpu_tiers(). */
const char *cc_limbs_tier(void);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_LIMBS_H */
