/* SPDX-License-Identifier: MIT */
/*
 * montgomery.h - arithmetic modulo one odd number many times, in constant time.
 *
 * What a modulus costs once (R mod m, R^2 mod m, 1 / m, for R = 2^(n CC_WORD_BITS)) is kept
 * in a context; each product then is one multiplication and one reduction (Montgomery 1985;
 * HAC 14.32).  A residue x is in Montgomery's form when it stands as x R mod m.  Functions
 * of two such are named after what they do to x; those named after a power take and give
 * plain numbers.
 *
 * Residues are n words below m; only cc_fz_mont_to() and the powers of plain numbers take
 * any n words.  An output may be the very same vector as an input.  The modulus, and all
 * values, do not show in time; what is said in fixed.h of the stack holds here as well.
 *
 * A context is written by cc_fz_mont_init() alone: any number of threads may use it then.
 * It lies in memory of the caller's, which has to stay where it is, and whose it is to wipe
 * (it holds the modulus).  It keeps the tier that it was made in.
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

/* Words of memory that a context of n words takes. */
#define CC_FZ_MONT_WORDS(n) (5 * (size_t)(n))

/*
 * M, with memory[CC_FZ_MONT_WORDS(n)], for m[n], which is copied.  CC_EINVAL if m is even,
 * n = 0 or n > CC_FZ_MAX: that shows.  Modulo 1 everything is 0.
 */
int cc_fz_mont_init(struct cc_fz_mont *M, cc_word *memory, const cc_word *m, size_t n);

/* r = a R mod m for any a[n]; r = a / R mod m for any a < m */
void cc_fz_mont_to(cc_word *r, const cc_word *a, const struct cc_fz_mont *M);
void cc_fz_mont_from(cc_word *r, const cc_word *a, const struct cc_fz_mont *M);

/*
 * r = a b, a^2.  Sums, differences, negatives and halves are the same in Montgomery's form
 * as outside: cc_fz_addmod() and its like, modulo M->m.
 */
void cc_fz_mont_mul(cc_word *r, const cc_word *a, const cc_word *b, const struct cc_fz_mont *M);
void cc_fz_mont_sqr(cc_word *r, const cc_word *a, const struct cc_fz_mont *M);

/*
 * r = a^e for the low @bits bits of e, as in cc_fz_powmod_bits(); for a public e[en], in a
 * time that shows it, as in cc_fz_powmod_public().
 */
void cc_fz_mont_pow(cc_word *r, const cc_word *a, const cc_word *e, size_t bits,
		    const struct cc_fz_mont *M);
void cc_fz_mont_pow_public(cc_word *r, const cc_word *a, const cc_word *e, size_t en,
			   const struct cc_fz_mont *M);

/* r = 1 / a; *@exists a mask of whether there is one, r = 0 if not, as in cc_fz_inverse() */
void cc_fz_mont_inverse(cc_word *r, cc_word *exists, const cc_word *a, const struct cc_fz_mont *M);

/*
 * Of plain numbers: r = b^e mod m for any b[n], as the functions of fixed.h of the same
 * names without the set-up; _many() for @count of them, b[count n], e[count words of one],
 * where r may be e if these are n.
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
