/* SPDX-License-Identifier: MIT */
/*
 * natural.h - numbers of any size, as the vectors of words that limbs.h defines.
 *
 * Nothing here allocates.  The caller passes @scratch, of as many words as the function's
 * _scratch() companion returns.  That number never decreases for a longer argument, so scratch
 * for the longest argument suffices for all; it depends on the tier in use (cpu.h).  Unless a
 * function says otherwise, arguments may have zero words at the top, and outputs must not
 * overlap inputs.  The running time may leak values; for secrets use fixed.h.
 *
 * Algorithms: those of limbs.h, and above them number-theoretic transforms (J. Pollard, The
 * fast Fourier transform in a finite field, 1971; Knuth 4.3.3 C); Burnikel and Ziegler, Fast
 * Recursive Division, 1998; Zimmermann, Karatsuba Square Root, 1999; Moeller, On
 * Schoenhage's algorithm and subquadratic integer gcd computation, 2008.
 */
#ifndef CARRYCHAIN_NATURAL_H
#define CARRYCHAIN_NATURAL_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * r[an + bn] = a[an] * b[bn]; lengths in any order, and 0 is allowed.  Among lengths with the
 * same sum, the closest ones need the most scratch.
 */
void cc_natural_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		    cc_word *scratch);
size_t cc_natural_mul_scratch(size_t an, size_t bn);

/* r[2n] = a[n]^2 */
void cc_natural_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch);
size_t cc_natural_sqr_scratch(size_t n);

/*
 * q[an - dn + 1] = a[an] / d[dn], r[dn] = the remainder, for an >= dn >= 1 and a top
 * word d[dn - 1] that is not 0.  r may be a; nothing else may overlap.
 * Knuth's algorithm D with the reciprocal of the divisor's two top words, then
 * Burnikel and Ziegler's recursion, then blocks by Newton's reciprocal of its top words.
 */
void cc_natural_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d,
		       size_t dn, cc_word *scratch);
size_t cc_natural_divrem_scratch(size_t an, size_t dn);

/*
 * root[(n + 1) / 2] = floor(sqrt(a[n])), rem[n / 2 + 1] = a - root^2, for n >= 1 and a top
 * word a[n - 1] that is not 0.  Returns the remainder's length without leading zero words,
 * which is 0 if a is a square.  Zimmermann's recursion.
 */
size_t cc_natural_isqrt(cc_word *root, cc_word *rem, const cc_word *a, size_t n, cc_word *scratch);
size_t cc_natural_isqrt_scratch(size_t n);

/*
 * root[an / k, rounded up] = floor(a[an]^(1/k)) for k >= 1, rem[an] = a - root^k; rem may be NULL.
 * Returns the remainder's length without leading zero words; without rem, 1 for any that is not 0,
 * which then is often known without the power.  The scratch suffices for every k.  Newton's
 * iteration on truncated numbers from a root by logarithms; for k = 2 isqrt.
 */
size_t cc_natural_root(cc_word *root, cc_word *rem, const cc_word *a, size_t an, cc_word k,
		       cc_word *scratch);
size_t cc_natural_root_scratch(size_t an);

/*
 * Whether a[an] is b^2, or b^k for any k >= 2; 0 and 1 are.  Residues modulo small primes decide
 * most; then roots.
 */
int cc_natural_is_square(const cc_word *a, size_t an, cc_word *scratch);
size_t cc_natural_is_square_scratch(size_t an);
int cc_natural_is_power(const cc_word *a, size_t an, cc_word *scratch);
size_t cc_natural_is_power_scratch(size_t an);

/*
 * r[an] = a[an] / f[fn]^m for the largest m that leaves no remainder, which is returned; for a > 0
 * and f > 1.  By f^(2^i), i from 0 up and down again, or by a shift.
 */
size_t cc_natural_remove(cc_word *r, const cc_word *a, size_t an, const cc_word *f, size_t fn,
			 cc_word *scratch);
size_t cc_natural_remove_scratch(size_t an, size_t fn);

/*
 * q[an - dn + 1] = a[an] / d[dn] for an >= dn >= 1, a top word d[dn - 1] that is not 0, and a
 * multiple a of d.  If it is none, q is undefined.  From the low end (Jebelean, An algorithm for
 * exact division, 1993); long quotients from the high end, with one word of the low end.
 */
void cc_natural_divexact(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn,
			 cc_word *scratch);
size_t cc_natural_divexact_scratch(size_t an, size_t dn);

/*
 * g = the greatest common divisor of a[an] and b[bn]; lengths in any order, and 0 is allowed.
 * gcd(a, 0) = a.  Returns its length without leading zero words.  g has room for the longer
 * argument.  Bit by bit up to two words, then Lehmer's steps, then Moeller's half-gcd.
 */
size_t cc_natural_gcd(cc_word *g, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		      cc_word *scratch);
size_t cc_natural_gcd_scratch(size_t an, size_t bn);

/*
 * g = the greatest common divisor of a[an] and b[bn] with its cofactors, x[bn] and y[an]:
 *   g = x a - y b, or, if *@negative, g = y b - x a,
 * as small as possible, the same as GMP's: 2 g x <= b and 2 g y <= a, except that y = 1 if a is
 * b or 0, and x = 1 if b is 0.  If a and b are 0, so are all three.  Returns g's length without
 * leading zero words.  g has room for the longer argument, x and y have at least one word.
 * By gcd's steps.
 */
size_t cc_natural_gcdext(cc_word *g, cc_word *x, cc_word *y, int *negative, const cc_word *a,
			 size_t an, const cc_word *b, size_t bn, cc_word *scratch);
size_t cc_natural_gcdext_scratch(size_t an, size_t bn);

/*
 * r[mn] = a[an]^-1 mod m[mn] for any a and any m >= 1; returns whether there is an inverse.  If
 * not, r = 0.  Modulo 1 the inverse is 0.
 */
int cc_natural_invert(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn,
		      cc_word *scratch);
size_t cc_natural_invert_scratch(size_t an, size_t mn);

/*
 * The Jacobi symbol (a[an] / m[mn]) for odd m, the Kronecker symbol for even m: 1, -1, or 0 if
 * they have a common divisor.  (a / 2) is 0 for even a, 1 if a is +-1 modulo 8, and -1 if a is
 * +-3 modulo 8.  (a / 0) is 1 for a = 1, else 0.  By gcd's steps, as Moeller, Efficient
 * computation of the Jacobi symbol, 2019.
 */
int cc_natural_jacobi(const cc_word *a, size_t an, const cc_word *m, size_t mn, cc_word *scratch);
size_t cc_natural_jacobi_scratch(size_t an, size_t mn);

/*
 * r[mn] = b[bn]^e[en] mod m[mn], for any m >= 1; 1 for e = 0, but 0 modulo 1.  Sliding windows;
 * Montgomery's reduction modulo the odd part, if less than a word of zeros is below it, else
 * division.
 */
void cc_natural_powm(cc_word *r, const cc_word *b, size_t bn, const cc_word *e, size_t en,
		     const cc_word *m, size_t mn, cc_word *scratch);
size_t cc_natural_powm_scratch(size_t bn, size_t en, size_t mn);

/*
 * The digits of a[n] in @radix (2 to 36), most significant first, as characters 0-9a-z
 * without leading zeros ("0" for zero) and without NUL.  Returns their number.  @digits has
 * room for cc_natural_digits_max().  a is destroyed.  Returns 0 if *@progress stops the work.
 * Divide and conquer on the powers of the radix (Knuth 4.4, exercise 14).
 */
size_t cc_natural_to_digits(char *digits, cc_word *a, size_t n, unsigned int radix,
			    cc_word *scratch, const struct cc_progress *progress);
size_t cc_natural_to_digits_scratch(size_t n, unsigned int radix);
size_t cc_natural_digits_max(size_t n, unsigned int radix);

/*
 * r[cc_natural_from_digits_max()] = the value of @count digits as above, in either case, most
 * significant first.  Each must be valid in @radix.  Returns the length of r without leading
 * zero words.
 */
size_t cc_natural_from_digits(cc_word *r, const char *digits, size_t count, unsigned int radix,
			      cc_word *scratch);
size_t cc_natural_from_digits_scratch(size_t count, unsigned int radix);
size_t cc_natural_from_digits_max(size_t count, unsigned int radix);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_NATURAL_H */
