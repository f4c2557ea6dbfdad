/* SPDX-License-Identifier: MIT */
/*
 * kernels.h - the constant-time operations that have a tier for each machine.
 *
 * No kernel branches on a value or indexes memory by one, only by n.  A tier fills in one
 * struct; the portable one is the specification.  A tier may pass any width on to another's.
 *
 * Secrets: mul and sqr wipe what they put on the stack.  The modular exponentiations get
 * @scratch from their caller, who wipes it, and wipe what they put elsewhere.
 */
#ifndef CC_FIXED_KERNELS_H
#define CC_FIXED_KERNELS_H

#include <carrychain/montgomery.h>
#include <stdbool.h>

#include "../cpu/dispatch.h"

/*
 * The words of scratch that suffice for every tier, aligned to 64 bytes.
 *
 * One exponentiation: a table of 32 entries in radix 2^52, each padded to a multiple of
 * eight digits (at most 64 n / 52 + 8), and a dozen such vectors beside it.  Up to 8 words, no
 * tier has digits.
 */
#define CC_FIXED_POWMOD_SCRATCH(n) (56 * (size_t)(n) + ((n) > 8 ? 512 : 0))

/*
 * Eight at once: an entry has eight lanes; sixteen of them, and eight such vectors.  (Four:
 * thirty-two of half the size, and fewer than sixteen such.)  Above CC_FIXED_POWMOD_8_MAX
 * words there is no batch.
 */
#define CC_FIXED_POWMOD_8_MAX	     (8192 / CC_WORD_BITS)
#define CC_FIXED_POWMOD_8_SCRATCH(n) (240 * (size_t)(n) + 2048)

typedef void cc_fixed_mul_fn(cc_word *xy, const cc_word *x, const cc_word *y, size_t n);
typedef void cc_fixed_sqr_fn(cc_word *xx, const cc_word *x, size_t n);

/*
 * t[2n] += q m[n] with the q that makes the low n words 0 (which are left unspecified);
 * returns the carry.  m0 is -1 / m mod B.
 */
typedef cc_word cc_fixed_clear_low_fn(cc_word *t, const cc_word *m, size_t n, cc_word m0);

/* r[n] = a b / B^n mod m[n] for a b < B^n m, in one pass; r may be a or b */
typedef void cc_fixed_mont_mul_fn(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m,
				  size_t n, cc_word m0);
#define CC_FIXED_MONT_MOST 8

/*
 * r[n] = b[n]^e mod m[n]; m odd, including 1; any b; r may be b, e or m.  The exponent's
 * width in bits, at least 1, is passed separately; higher bits of e are ignored.
 */
struct cc_fixed_power {
	cc_word *r;
	const cc_word *b, *e, *m;
	const cc_word *in; /* R^2 mod m for the kernel's own R; NULL: the kernel computes it */
	bool shown;	   /* e is public */
};

/* Up to eight such (lanes may repeat); no exponent is public; either all or none have their in */
struct cc_fixed_power_8 {
	cc_word *r[8];
	const cc_word *b[8], *e[8], *m[8], *in[8];
};

typedef void cc_fixed_powmod_fn(const struct cc_fixed_power *power, size_t n, size_t bits,
				cc_word *scratch);
typedef void cc_fixed_powmod_8_fn(const struct cc_fixed_power_8 *power, size_t n, size_t bits,
				  cc_word *scratch);

struct cc_fixed_kernels {
	const char *tier;
	/* xy[2n] = x[n] * y[n], xx[2n] = x[n]^2; n <= CC_FZ_MAX; the output overlaps nothing */
	cc_fixed_mul_fn *mul;
	cc_fixed_sqr_fn *sqr;
	cc_fixed_clear_low_fn *clear_low;
	/* by n; NULL: by mul, sqr and clear_low */
	cc_fixed_mont_mul_fn *mont_mul[CC_FIXED_MONT_MOST + 1];
	cc_fixed_mont_mul_fn *mont_sqr_8; /* for b = a and n = 8; NULL: by mont_mul */
	/* The power; 1 <= n <= CC_FZ_MAX; scratch[CC_FIXED_POWMOD_SCRATCH(n)] */
	cc_fixed_powmod_fn *powmod_odd;
	/* log2 of its R */
	size_t (*radix)(size_t n);
	/*
	 * The words from which mul is faster than rows, measured (Zen 5): for blocks of a
	 * product of unequal widths, and for the lower half of a whole product.
	 */
	size_t mul_blocks, mul_low;
	/*
	 * @lanes powers at once, at most 8, or 0 if the tier has no batch; results are written
	 * after everything is read; n <= CC_FIXED_POWMOD_8_MAX;
	 * scratch[CC_FIXED_POWMOD_8_SCRATCH(n)].  @worth is how many must be in use to be faster
	 * than one by one; more than @lanes: it never is.
	 */
	size_t lanes;
	cc_fixed_powmod_8_fn *powmod_odd_8;
	size_t (*radix_8)(size_t n);
	size_t (*worth)(size_t n);
};

/*
 * What tiers are built from.
 *
 * Portable columns (comba.c), for any n; Karatsuba (karatsuba.c) for n above @most, where
 * @base handles all n <= @most.
 */
CC_HIDDEN cc_fixed_mul_fn cc_fixed_mul_comba;
CC_HIDDEN cc_fixed_sqr_fn cc_fixed_sqr_comba;
CC_HIDDEN void cc_fixed_mul_above(cc_fixed_mul_fn *base, size_t most, cc_word *xy, const cc_word *x,
				  const cc_word *y, size_t n);
CC_HIDDEN void cc_fixed_sqr_above(cc_fixed_sqr_fn *base, size_t most, cc_word *xx, const cc_word *x,
				  size_t n);

/* basic.c: whether a[n] = 1 */
CC_HIDDEN cc_word cc_fixed_is_one(const cc_word *a, size_t n);

/* montgomery.c: a tier's fused product and reduction for n, or NULL */
CC_HIDDEN cc_fixed_mont_mul_fn *cc_fixed_mont_mul(const struct cc_fixed_kernels *kernels, size_t n);
/* likewise, for b = a */
CC_HIDDEN cc_fixed_mont_mul_fn *cc_fixed_mont_sqr(const struct cc_fixed_kernels *kernels, size_t n);

/* montgomery.c: portable rows; one and two words in registers, for every tier's mont_mul[] */
CC_HIDDEN cc_fixed_clear_low_fn cc_fixed_clear_low_rows;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_mul_1;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_mul_2;
#define CC_FIXED_MONT_MUL_FEW NULL, cc_fixed_mont_mul_1, cc_fixed_mont_mul_2

/* montgomery.c: powmod_odd() with R = B^n by a tier's products, and its radix() */
CC_HIDDEN void cc_fixed_powmod_odd(const struct cc_fixed_kernels *kernels,
				   const struct cc_fixed_power *power, size_t n, size_t bits,
				   cc_word *scratch);
CC_HIDDEN size_t cc_fixed_radix(size_t n);

/* montgomery.c: -1 / m mod 2^CC_WORD_BITS, m odd */
CC_HIDDEN cc_word cc_fixed_minus_inverse(cc_word m);

/* divide.c: cc_fz_mod() for a nonzero m, which is not checked; r may be a */
CC_HIDDEN void cc_fixed_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn);

/* exact.c: cc_fz_divexact() for a nonzero d, which is not checked; and q / d for odd d */
CC_HIDDEN void cc_fixed_divexact(cc_word *q, const cc_word *a, size_t an, const cc_word *d,
				 size_t dn);
CC_HIDDEN void cc_fixed_divexact_odd(cc_word *q, size_t qn, const cc_word *d, size_t dn);

/*
 * powers_of_two.c: each r[i][n] = 2^bits[i] mod m[n] for bits[i] >= n CC_WORD_BITS; m odd,
 * n <= CC_FZ_MAX.  The scratch[4n] may be where they go; it and they don't overlap m.  The others
 * take less time if bits[0] is below theirs, as near as possible.
 */
CC_HIDDEN void cc_fixed_powers_of_two_mod(cc_word *const *r, const size_t *bits, size_t count,
					  const cc_word *m, size_t n, cc_word *scratch);
CC_HIDDEN void cc_fixed_power_of_two_mod(cc_word *r, size_t bits, const cc_word *m, size_t n);

/*
 * powmod.c: the power modulo any m but 0; up to eight modulo odd ones, at once if that is
 * faster; and whether it is for the number that is used, n > 0.
 */
CC_HIDDEN void cc_fixed_powmod(const struct cc_fixed_kernels *kernels,
			       const struct cc_fixed_power *power, size_t n, size_t bits);
CC_HIDDEN bool cc_fixed_batches(const struct cc_fixed_kernels *kernels, size_t n, size_t used);
CC_HIDDEN void cc_fixed_powmod_8(const struct cc_fixed_kernels *kernels,
				 struct cc_fixed_power_8 *lanes, size_t used, size_t n,
				 size_t bits);
/* context.c: up to eight by contexts of the same n, which give m and in; used > 0 */
CC_HIDDEN void cc_fixed_mont_powmod_8(const struct cc_fixed_power_8 *powers,
				      const struct cc_fz_mont *const *M, size_t used, size_t bits);
/* e, or a one-bit 0 if e has no bits */
CC_HIDDEN const cc_word *cc_fixed_exponent(const cc_word *e, size_t bits);
/*
 * For public exponents: the bit length of e[n]; the @width bits of e, which has @bits bits,
 * from bit @at on.  They are separate functions, so that the checker of constant time knows
 * what their callers leak.
 */
CC_HIDDEN size_t cc_fixed_shown_bits(const cc_word *e, size_t n);
CC_HIDDEN size_t cc_fixed_shown_digit(const cc_word *e, size_t bits, size_t at, unsigned int width);

/*
 * low.c: the power modulo B^n, ignoring its m; 1 / o[n] mod B^n for odd o; scratch as for
 * powmod_odd()
 */
CC_HIDDEN void cc_fixed_power_low(const struct cc_fixed_kernels *kernels,
				  const struct cc_fixed_power *power, size_t n, size_t bits,
				  cc_word *scratch);
CC_HIDDEN void cc_fixed_inverse_low(const struct cc_fixed_kernels *kernels, cc_word *r,
				    const cc_word *o, size_t n, cc_word *scratch);

/*
 * The best width of the window for an exponent of @bits bits, by the number of products:
 * 2^w - 2 for the table, bits / w others, and bits / w reads of the table.  A public exponent
 * saves those for zero digits.
 */
static inline unsigned int cc_fixed_window(size_t bits, bool shown)
{
	if (shown && bits <= 32)
		return 1;
	return bits <= 32 ? 2 : bits <= 128 ? 3 : bits <= 512 ? 4 : 5;
}

/* The @width bits of e[n] from bit @at on, 0 beyond its end; width < CC_WORD_BITS */
static inline cc_word cc_fixed_bits(const cc_word *e, size_t n, size_t at, unsigned int width)
{
	size_t word = at / CC_WORD_BITS, shift = at % CC_WORD_BITS;
	cc_word bits = e[word] >> shift;

	if (shift + width > CC_WORD_BITS && word + 1 < n)
		bits |= e[word + 1] << (CC_WORD_BITS - shift);
	return bits & (((cc_word)1 << width) - 1);
}

CC_HIDDEN extern const struct cc_fixed_kernels cc_fixed_generic;
#if CC_BUILD_X86_64
CC_HIDDEN extern const struct cc_fixed_kernels cc_fixed_x86_64;
CC_HIDDEN extern const struct cc_fixed_kernels cc_fixed_bmi2adx;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_mul_3_bmi2adx;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_mul_4_bmi2adx;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_mul_5_bmi2adx;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_mul_6_bmi2adx;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_mul_7_bmi2adx;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_mul_8_bmi2adx;
CC_HIDDEN cc_fixed_mont_mul_fn cc_fixed_mont_sqr_8_bmi2adx;
#define CC_FIXED_MONT_MUL_BMI2ADX                                                                  \
	CC_FIXED_MONT_MUL_FEW, cc_fixed_mont_mul_3_bmi2adx, cc_fixed_mont_mul_4_bmi2adx,           \
		cc_fixed_mont_mul_5_bmi2adx, cc_fixed_mont_mul_6_bmi2adx,                          \
		cc_fixed_mont_mul_7_bmi2adx, cc_fixed_mont_mul_8_bmi2adx
#endif
#if CC_BUILD_VECTORS
CC_HIDDEN extern const struct cc_fixed_kernels cc_fixed_avx2;
CC_HIDDEN extern const struct cc_fixed_kernels cc_fixed_avx512ifma;
#endif

/* Every tier of this family built for this architecture, from slow to fast. */
CC_HIDDEN extern const struct cc_candidate cc_fixed_candidates[];
CC_HIDDEN extern const size_t cc_fixed_candidates_count;

static inline const struct cc_fixed_kernels *cc_fixed_kernels(void)
{
	const struct cc_fixed_kernels *k = cc_cpu_kernels(CC_FAMILY_FIXED);

	if (__builtin_expect(!k, 0))
		k = cc_cpu_choose(CC_FAMILY_FIXED, cc_fixed_candidates, cc_fixed_candidates_count);
	return k;
}

#endif /* CC_FIXED_KERNELS_H */
