/* SPDX-License-Identifier: MIT */
/*
 * limbs.h - positional arithmetic on vectors of words.
 *
 * A vector is @n words, least significant first, and stands for an unsigned integer.
 * Nothing here allocates: where work space is needed the caller passes @scratch, of
 * as many words as the function's _scratch() companion says.
 *
 * Unless a function says otherwise: a length may be 0, and the vector's pointer NULL
 * then, but no other pointer, scratch of no words excepted; an output may be the very
 * same vector as an input, but must not overlap it otherwise.
 *
 * Time: add, sub, mul_1, addmul_1, submul_1 and the shifts show the lengths alone; all
 * else may show the values, products by the signs of Karatsuba's differences.  Secrets are
 * for fixed.h.
 *
 * Algorithms: Knuth, The Art of Computer Programming 2, 4.3.1 and 4.3.3; Burnikel and
 * Ziegler, Fast Recursive Division, 1998.
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
 * r[2n] = a[n]^2; r does not overlap a.  sqr_scratch(n), and mul_scratch(n, n) likewise,
 * never fall as n grows.
 */
void cc_limbs_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch);
size_t cc_limbs_sqr_scratch(size_t n);

/* q[n] = a[n] / d, remainder returned; d is not 0 */
cc_word cc_limbs_divrem_1(cc_word *q, const cc_word *a, size_t n, cc_word d);

/*
 * q[an - dn + 1] = a[an] / d[dn], r[dn] = the remainder, for an >= dn >= 1 and a top
 * word d[dn - 1] that is not 0.  r may be a; otherwise nothing overlaps.
 * Knuth's algorithm D with the reciprocal of the divisor's two top words, then
 * Burnikel and Ziegler's recursion.
 */
void cc_limbs_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d,
		     size_t dn, cc_word *scratch);
size_t cc_limbs_divrem_scratch(size_t an, size_t dn);

/*
 * The digits of a[n] in @radix, 2 to 36, most significant first, as characters
 * 0-9a-z with no leading zero ("0" for zero) and no NUL; returns how many.
 * @digits has room for cc_limbs_digits_max().  a is destroyed.  *@progress may stop it: then
 * it returns 0.  Divide and conquer on the powers of the radix (Knuth 4.4, exercise 14).
 */
size_t cc_limbs_to_digits(char *digits, cc_word *a, size_t n, unsigned int radix, cc_word *scratch,
			  const struct cc_progress *progress);
size_t cc_limbs_to_digits_scratch(size_t n, unsigned int radix);
size_t cc_limbs_digits_max(size_t n, unsigned int radix);

/*
 * The value of @count digits as above (either case), most significant first, each of
 * them valid in @radix, into r[cc_limbs_from_digits_max()]; returns its length without
 * leading zero words.
 */
size_t cc_limbs_from_digits(cc_word *r, const char *digits, size_t count, unsigned int radix,
			    cc_word *scratch);
size_t cc_limbs_from_digits_scratch(size_t count, unsigned int radix);
size_t cc_limbs_from_digits_max(size_t count, unsigned int radix);

/* The tier now in use, by its name in cc_cpu_tiers(). */
const char *cc_limbs_tier(void);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_LIMBS_H */
