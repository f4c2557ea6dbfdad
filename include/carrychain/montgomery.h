/* SPDX-License-Identifier: MIT */
/*
 * montgomery.h - repeated arithmetic modulo one odd number, in constant time.
 *
 * A context keeps what is computed once per modulus: R mod m, R^2 mod m and 1 / m, for
 * R = 2^(n CC_WORD_BITS).  Each product is then one multiplication and one reduction
 * (Montgomery 1985; HAC 14.32).  The Montgomery form of a residue x is x R mod m.  Most
 * functions take and return Montgomery forms; those named powmod take and return plain
 * numbers.
 *
 * Residues are n words and less than m.  Only cc_fz_mont_to() and the powmod functions take
 * any n words.  An output may be the same vector as an input.  The running time does not
 * depend on the modulus or any value, unless stated otherwise.  What fixed.h says about the
 * stack holds here, too.
 *
 * Only the two init functions write a context; afterwards any number of threads may use it.
 * It lies in the caller's memory, which must not move.  Wiping it is up to the caller (it
 * holds the modulus).  A context keeps using the tier in which it was made.
 */
#ifndef CARRYCHAIN_MONTGOMERY_H
#define CARRYCHAIN_MONTGOMERY_H

#include <carrychain/fixed.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cc_fz_mont {
	size_t n;
	const cc_word *m;      /* the modulus */
	const cc_word *one;    /* 1 in Montgomery's form, R mod m */
	const cc_word *square; /* R^2 mod m */
	/* the library's own */
	const cc_word *in, *in_8;
	cc_word minus_inverse;
	const void *kernels;
};

/* The words of memory for a context of n words. */
#define CC_FZ_MONT_WORDS(n) (5 * (size_t)(n))

/*
 * Makes M for m[n], which is copied, in memory[CC_FZ_MONT_WORDS(n)].  CC_EINVAL if m is
 * even, n = 0 or n > CC_FZ_MAX; this is not secret.  Modulo 1 everything is 0.
 */
int cc_fz_mont_init(struct cc_fz_mont *M, cc_word *memory, const cc_word *m, size_t n);

/* The same in less time, for a public m, which its running time leaks. */
int cc_fz_mont_init_public(struct cc_fz_mont *M, cc_word *memory, const cc_word *m, size_t n);

/* to: r = a R mod m for any a[n]; from: r = a / R mod m for any a < m */
void cc_fz_mont_to(cc_word *r, const cc_word *a, const struct cc_fz_mont *M);
void cc_fz_mont_from(cc_word *r, const cc_word *a, const struct cc_fz_mont *M);

/*
 * r = a b, a^2.  For sums, differences, negatives and halves of Montgomery forms use
 * cc_fz_addmod() and its siblings modulo M->m: these operations are the same in either form.
 */
void cc_fz_mont_mul(cc_word *r, const cc_word *a, const cc_word *b, const struct cc_fz_mont *M);
void cc_fz_mont_sqr(cc_word *r, const cc_word *a, const struct cc_fz_mont *M);

/*
 * r = a^e.  pow takes the low @bits bits of e, as cc_fz_powmod_bits() does.  pow_public takes
 * a public e[en], which its running time leaks, as cc_fz_powmod_public() does.
 */
void cc_fz_mont_pow(cc_word *r, const cc_word *a, const cc_word *e, size_t bits,
		    const struct cc_fz_mont *M);
void cc_fz_mont_pow_public(cc_word *r, const cc_word *a, const cc_word *e, size_t en,
			   const struct cc_fz_mont *M);

/* r = 1 / a and mask *@exists; r = 0 if there is no inverse, as in cc_fz_inverse() */
void cc_fz_mont_inverse(cc_word *r, cc_word *exists, const cc_word *a, const struct cc_fz_mont *M);

/*
 * On plain numbers: r = b^e mod m for any b[n], as the functions in fixed.h, without the set-up
 * per call.  _many() computes @count of them from b[count n] and as many exponents, each in
 * the words of @bits bits; r may be e if these are n.
 */
void cc_fz_mont_powmod(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
		       const struct cc_fz_mont *M);
void cc_fz_mont_powmod_public(cc_word *r, const cc_word *b, const cc_word *e, size_t en,
			      const struct cc_fz_mont *M);
void cc_fz_mont_powmod_many(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
			    const struct cc_fz_mont *M, size_t count);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_MONTGOMERY_H */
