/* SPDX-License-Identifier: MIT */
/*
 * fixed.h - FZ: integers of a fixed width, in constant time.
 *
 * An FZ is @n words, least significant first.  Its width n is public, its value is secret.
 * No function branches on a value or indexes memory by one: the running time depends only on
 * the widths, and on what a function below says that it leaks.  A truth value is a mask: all
 * ones for true, 0 for false.  The machine's additions, shifts and multiplications are
 * assumed to take the same time for all values; its divisions are not used.
 *
 * Nothing here allocates.  The functions use a bounded amount of stack, stated below, and
 * wipe the values that they put there before they return.  Not wiped are registers that the
 * compiler spills, or that a dynamic linker saves while it resolves a function at its first
 * call.  The caller wipes the caller's own memory.
 *
 * Unless a function says otherwise, n may be 0, and an output may be the same vector as an
 * input, but must not overlap it otherwise.  Pointers must not be NULL unless n is 0.
 * Functions that return int return CC_OK or an error; after an error nothing is written.
 */
#ifndef CARRYCHAIN_FIXED_H
#define CARRYCHAIN_FIXED_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The widest modulus or divisor: 16384 bits. */
#define CC_FZ_MAX_BITS 16384
#define CC_FZ_MAX      (CC_FZ_MAX_BITS / CC_WORD_BITS)

/* r = a + b, returns the carry (0 or 1); r = a - b, returns the borrow */
cc_word cc_fz_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word cc_fz_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n);

/* r = a + (mask ? b : 0), returns the carry; r = a - (mask ? b : 0), returns the borrow */
cc_word cc_fz_add_if(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n);
cc_word cc_fz_sub_if(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n);
/* r = mask ? -a : a, modulo 2^(n CC_WORD_BITS) */
void cc_fz_negate(cc_word *r, cc_word mask, const cc_word *a, size_t n);

/* Masks: a = 0, a = b, a < b */
cc_word cc_fz_is_zero(const cc_word *a, size_t n);
cc_word cc_fz_eq(const cc_word *a, const cc_word *b, size_t n);
cc_word cc_fz_lt(const cc_word *a, const cc_word *b, size_t n);
/* -1, 0 or 1 if a is less than, equal to or greater than b; secret: do not branch on it */
int cc_fz_cmp(const cc_word *a, const cc_word *b, size_t n);

/* The bit length of a, 0 if a is 0; this and the next result are secret */
size_t cc_fz_bits(const cc_word *a, size_t n);
/* The number of zeros below the lowest one bit; n CC_WORD_BITS if a is 0 */
size_t cc_fz_trailing_zeros(const cc_word *a, size_t n);

/* r = mask ? a : b */
void cc_fz_select(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n);
/* r = mask ? a : r */
void cc_fz_copy_if(cc_word *r, cc_word mask, const cc_word *a, size_t n);
/* Swaps a and b if mask */
void cc_fz_cswap(cc_word mask, cc_word *a, cc_word *b, size_t n);
/*
 * r = table[which], of count entries of n words one after the other; 0 if which >= count.
 * The whole table is read; r must not overlap it.
 */
void cc_fz_table_select(cc_word *r, const cc_word *table, size_t count, size_t n, size_t which);
/* a = 0, even if a is never read again; a compiler could remove such a memset() */
void cc_fz_wipe(cc_word *a, size_t n);

/* r = a * 2^count mod 2^(n CC_WORD_BITS), floor(a / 2^count); any count, which is secret, too */
void cc_fz_shl(cc_word *r, const cc_word *a, size_t n, size_t count);
void cc_fz_shr(cc_word *r, const cc_word *a, size_t n, size_t count);

/*
 * By one word: r = a + w, r = a - w, r = a * w, r += a * w, r -= a * w.  They return the word
 * carried out or borrowed (w itself for a sum of no words).  The carry always passes through
 * all words.
 */
cc_word cc_fz_add_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word cc_fz_sub_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word cc_fz_mul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word cc_fz_addmul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word cc_fz_submul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);

/*
 * r = a + b, a - b, -a, a / 2 mod m, for a, b < m (otherwise r is unspecified).  r may be a or
 * b; in the last two it may also be m.  halfmod needs an odd m, and so n >= 1.
 */
void cc_fz_addmod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n);
void cc_fz_submod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n);
void cc_fz_negmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n);
void cc_fz_halfmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n);

/*
 * Conversion from and to bytes, least significant first if @order is 0, most significant first
 * if it is CC_BIG_ENDIAN.  Any length; missing bytes are 0.  CC_ERANGE if the value does not
 * fit n words, or length bytes; this is all that leaks.  The bytes must not overlap a vector.
 */
int cc_fz_from_bytes(cc_word *r, size_t n, const void *bytes, size_t length, unsigned int order);
int cc_fz_to_bytes(void *bytes, size_t length, const cc_word *a, size_t n, unsigned int order);
/*
 * The same where it is secret whether the value is below m: returns that as a mask, and r is
 * the value or 0.  r may be m.  Nothing leaks.
 */
cc_word cc_fz_from_bytes_below(cc_word *r, const cc_word *m, size_t n, const void *bytes,
			       size_t length, unsigned int order);

/*
 * xy[2n] = x * y, xx[2n] = x^2; the product must not overlap an operand.  Comba's columns,
 * then Karatsuba, up to CC_FZ_MAX words; above, row by row.  At most 16 KB of stack.
 */
void cc_fz_mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n);
void cc_fz_sqr(cc_word *xx, const cc_word *x, size_t n);
/*
 * xy[xn + yn] = x[xn] * y[yn], widths in any order; the product must not overlap an operand.
 * Blocks of the narrower operand's width, each as above; row by row if that exceeds
 * CC_FZ_MAX.  At most 28 KB of stack.
 */
void cc_fz_mul_unequal(cc_word *xy, const cc_word *x, size_t xn, const cc_word *y, size_t yn);
/*
 * r[n] = the lower half of x * y (x * y mod 2^(n CC_WORD_BITS)), or its exact upper half.
 * r must not overlap an operand.  At most 20 KB of stack.
 */
void cc_fz_mul_low(cc_word *r, const cc_word *x, const cc_word *y, size_t n);
void cc_fz_mul_high(cc_word *r, const cc_word *x, const cc_word *y, size_t n);

/*
 * All functions below leak whether a divisor or modulus is 0, which is an error.  Except for
 * the powers, they use at most 24 KB of stack.
 */

/*
 * q[an] = a[an] / d[dn], r[dn] = the remainder, for any an and dn <= CC_FZ_MAX, one word of
 * the quotient at a time.  q may be a; nothing else may overlap.  CC_EINVAL if d is 0 or too
 * wide.
 */
int cc_fz_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn);
/* q[n] = a[n] / d, *r the remainder, for one word d; q may be a.  CC_EINVAL if d is 0. */
int cc_fz_div_word(cc_word *q, cc_word *r, const cc_word *a, size_t n, cc_word d);
/* r[mn] = a[an] mod m[mn]; r may be m.  CC_EINVAL if m is 0 or mn > CC_FZ_MAX. */
int cc_fz_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn);
/*
 * q[an] = a[an] / d[dn] if d divides a, in about half the time; otherwise q is unspecified.
 * q may be a or, if an = dn, d.  CC_EINVAL if d is 0 or dn > CC_FZ_MAX.
 */
int cc_fz_divexact(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn);

/*
 * A source of random bytes, such as getrandom() or a cryptographic generator with a state.
 * It fills all @length bytes and returns CC_OK, or returns an error.
 */
typedef int cc_fz_generator(void *state, unsigned char *bytes, size_t length);

/*
 * r[n] = a random number of at most @bits bits, from (bits + 7) / 8 bytes of the generator,
 * least significant first.  CC_EINVAL if they do not fit n words.  If the generator fails,
 * returns its error, and r = 0.  The number of bits leaks.
 */
int cc_fz_random_bits(cc_word *r, size_t n, size_t bits, cc_fz_generator *generator, void *state);
/*
 * A uniform 0 <= r < m: draws numbers as long as m until one is below m, on average at most
 * two.  CC_EINVAL if m is 0, or if 128 numbers are not below it, which happens once in 2^128
 * with a sound generator.  Errors and r as above; r must not be m.
 *
 * The bit length of m leaks, and how many numbers were drawn: this tells something about m,
 * but nothing about r.
 */
int cc_fz_random_below(cc_word *r, const cc_word *m, size_t n, cc_fz_generator *generator,
		       void *state);
/*
 * An almost uniform 0 <= r < m: one number of n words and 128 bits, modulo m.  The probability
 * of any set of numbers is off by less than 2^-128.  r may be m.  After an error r is not
 * written: the generator's, or CC_EINVAL if m is 0 or n > CC_FZ_MAX.  Nothing else leaks.
 */
int cc_fz_random_wide(cc_word *r, const cc_word *m, size_t n, cc_fz_generator *generator,
		      void *state);

/* r = a * b mod m, a^2 mod m, for any n-word a, b; CC_EINVAL if m is 0 or n > CC_FZ_MAX */
int cc_fz_mulmod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n);
int cc_fz_sqrmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n);

/*
 * r = b^e mod m for any b, e of n words and m >= 1.  0^0 is 1 mod m; for m = 1 everything is
 * 0.  CC_EINVAL if m is 0 or n > CC_FZ_MAX; with n = 0 there is no modulus.
 *
 * Only whether m is odd leaks.  Odd m: Montgomery multiplication with a fixed window, whose
 * whole table is read for each digit of e.  Even m = 2^k o: modulo o and modulo a power of
 * two, combined by the Chinese remainder theorem; k does not leak.
 */
int cc_fz_powmod(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n);
/*
 * The same for an exponent with a width of its own: the low @bits bits of e, in as many words
 * as they fill; higher bits are ignored.  @bits is public: the time is that of @bits
 * squarings.  r may be e.
 */
int cc_fz_powmod_bits(cc_word *r, const cc_word *b, const cc_word *e, size_t bits, const cc_word *m,
		      size_t n);
/*
 * The same for a public exponent e[en], as in the verification of a signature.  The time
 * leaks e (its length and its zero bits), but neither b nor m.
 */
int cc_fz_powmod_public(cc_word *r, const cc_word *b, const cc_word *e, size_t en, const cc_word *m,
			size_t n);
/*
 * @count independent powers, one after the other in memory.  Up to 8192 bits and where it is
 * faster, those with odd m are computed eight at once by AVX-512 IFMA, or four at once by AVX2
 * (with BMI2 and ADX); all others one at a time.  CC_EINVAL if any m is 0 or n > CC_FZ_MAX.
 * Only which m are odd leaks.
 */
int cc_fz_powmod_many(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n,
		      size_t count);
/*
 * The same for exponents of @bits bits, each in the words that these fill; r may be e if that
 * is n words.
 */
int cc_fz_powmod_many_bits(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
			   const cc_word *m, size_t n, size_t count);

/* The most bytes of stack that they use, in any tier, for any n. */
#define CC_FZ_POWMOD_STACK	163840
#define CC_FZ_POWMOD_MANY_STACK 327680

/*
 * r = gcd(a, b), in a number of steps that depends only on the width (Bernstein and Yang
 * 2019).  gcd(0, 0) = 0.  CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
/*
 * g = gcd(a, b) = x a + y b, with x and y in two's complement and as small as possible, the
 * same as GMP's: 2 g |x| <= b and 2 g |y| <= a, except that y = 1 if a is b or 0, and x = 1 if
 * b is 0.  If a and b are 0, so are all three.  g, x and y are distinct vectors, any of which
 * may be a or b.  CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_gcdext(cc_word *g, cc_word *x, cc_word *y, const cc_word *a, const cc_word *b, size_t n);
/* r[2n] = lcm(a, b), 0 if either is 0; r must not overlap them.  CC_EINVAL if n > CC_FZ_MAX. */
int cc_fz_lcm(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
/*
 * r = a^-1 mod m for any a and any m >= 1.  *@exists is a mask: whether there is an inverse;
 * if not, r = 0.  Modulo 1 the inverse is 0.  CC_EINVAL if m is 0 or n > CC_FZ_MAX.
 *
 * Only whether m is odd leaks: neither whether a is odd nor whether there is an inverse.  It
 * uses the same division steps; for even m it inverts m modulo a, and divides.
 */
int cc_fz_inverse(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *m, size_t n);
/*
 * *@symbol = (a / m), which is 1, 0 or -1: the Jacobi symbol for odd m, the Kronecker symbol
 * for even m.  (a / 2) is 0 for even a, 1 if a is +-1 modulo 8, and -1 if a is +-3 modulo 8.
 * (a / 0) is 1 for a = 1, else 0.  Nothing leaks: the number of steps is that of the gcd.
 * CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_jacobi(int *symbol, const cc_word *a, const cc_word *m, size_t n);

/* The tier now in use, by its name in cc_cpu_tiers(). */
const char *cc_fz_tier(void);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_FIXED_H */
