/* SPDX-License-Identifier: MIT */
/*
 * fixed.h - FZ: integers of a fixed width, in constant time.
 *
 * An FZ is @n words, least significant first; its width n is public, its value is not.
 * No function branches on, or indexes memory by, a value: the time taken depends on the
 * widths alone, and on what a function says below that it shows.  A truth value is a mask:
 * all ones for true, 0 for false.  It is assumed that the machine's additions, shifts and
 * multiplications take the same time for all values; its divisions are not used.
 *
 * Nothing here allocates.  The functions use a bounded piece of the stack, said below, and
 * before they return they wipe what they put there of values; registers spilled by the
 * compiler, or saved by a dynamic linker that resolves a function at its first call, are
 * not.  What the caller holds is the caller's to wipe.
 *
 * Unless a function says otherwise, n may be 0, an output may be the very same vector as
 * an input but not overlap it otherwise, and no pointer may be NULL (with n = 0 it may).
 * Functions that return int return CC_OK or an error, and write nothing then.
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

/* r = a + b, the carry returned (0 or 1); r = a - b, the borrow returned */
cc_word cc_fz_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word cc_fz_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n);

/* r = a + (mask ? b : 0), the carry returned; r = a - (mask ? b : 0), the borrow returned */
cc_word cc_fz_add_if(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n);
cc_word cc_fz_sub_if(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n);
/* r = mask ? -a : a, modulo 2^(n CC_WORD_BITS) */
void cc_fz_negate(cc_word *r, cc_word mask, const cc_word *a, size_t n);

/* Masks: a = 0, a = b, a < b */
cc_word cc_fz_is_zero(const cc_word *a, size_t n);
cc_word cc_fz_eq(const cc_word *a, const cc_word *b, size_t n);
cc_word cc_fz_lt(const cc_word *a, const cc_word *b, size_t n);
/* -1, 0 or 1 as a is less than, equal to or greater than b; a value, not to be branched on */
int cc_fz_cmp(const cc_word *a, const cc_word *b, size_t n);

/* The bits of a without the zeros above its top one, 0 if a is 0; values both of them */
size_t cc_fz_bits(const cc_word *a, size_t n);
/* The zeros below its lowest one; all n CC_WORD_BITS bits if a is 0 */
size_t cc_fz_trailing_zeros(const cc_word *a, size_t n);

/* r = mask ? a : b */
void cc_fz_select(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n);
/* r = mask ? a : r */
void cc_fz_copy_if(cc_word *r, cc_word mask, const cc_word *a, size_t n);
/* mask: a and b change places */
void cc_fz_cswap(cc_word mask, cc_word *a, cc_word *b, size_t n);
/*
 * r = table[which] of count entries of n words, one after the other; 0 if which >= count.
 * The whole table is read; r overlaps nothing of it.
 */
void cc_fz_table_select(cc_word *r, const cc_word *table, size_t count, size_t n, size_t which);
/* a = 0, though nobody reads it again: what a compiler would leave out of a memset() */
void cc_fz_wipe(cc_word *a, size_t n);

/* r = a * 2^count mod 2^(n CC_WORD_BITS), floor(a / 2^count); any count, which is a value too */
void cc_fz_shl(cc_word *r, const cc_word *a, size_t n, size_t count);
void cc_fz_shr(cc_word *r, const cc_word *a, size_t n, size_t count);

/*
 * By one word: r = a + w, r = a - w, r = a * w, r += a * w, r -= a * w; returned is the word
 * above, carried or borrowed (w itself for a sum of no words).  The carry goes all the way.
 */
cc_word cc_fz_add_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word cc_fz_sub_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word cc_fz_mul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word cc_fz_addmul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word cc_fz_submul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);

/*
 * r = a + b, a - b, -a, a / 2 mod m, for a, b < m (else r is anything); r may be a or b, but
 * m only in the last two.  A half wants m odd, and so n >= 1.
 */
void cc_fz_addmod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n);
void cc_fz_submod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n);
void cc_fz_negmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n);
void cc_fz_halfmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n);

/*
 * Bytes as a number, least significant first, or most if @order is CC_BIG_ENDIAN (else it is
 * 0), and back: of any length, those missing being 0.  CC_ERANGE if the value does not fit
 * n words, or length bytes; only whether it does shows.  The bytes overlap no vector.
 */
int cc_fz_from_bytes(cc_word *r, size_t n, const void *bytes, size_t length, unsigned int order);
int cc_fz_to_bytes(void *bytes, size_t length, const cc_word *a, size_t n, unsigned int order);
/*
 * Where it is a secret whether the bytes' value is below m: the mask of that is returned, and
 * r is the value, or 0.  r may be m; nothing shows.
 */
cc_word cc_fz_from_bytes_below(cc_word *r, const cc_word *m, size_t n, const void *bytes,
			       size_t length, unsigned int order);

/*
 * xy[2n] = x * y, xx[2n] = x^2; the product overlaps no operand.  Comba's columns, then
 * Karatsuba, up to CC_FZ_MAX words; rows alone above.  At most 16 KB of stack.
 */
void cc_fz_mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n);
void cc_fz_sqr(cc_word *xx, const cc_word *x, size_t n);
/*
 * xy[xn + yn] = x[xn] * y[yn], widths in any order; the product overlaps no operand.  Blocks
 * of the narrower's width, each as above; rows alone where that is above CC_FZ_MAX.  At most
 * 28 KB of stack.
 */
void cc_fz_mul_unequal(cc_word *xy, const cc_word *x, size_t xn, const cc_word *y, size_t yn);
/*
 * r[n] = the lower half of x * y, which is x * y mod 2^(n CC_WORD_BITS), and its upper half,
 * exact; r overlaps no operand.  At most 20 KB of stack.
 */
void cc_fz_mul_low(cc_word *r, const cc_word *x, const cc_word *y, size_t n);
void cc_fz_mul_high(cc_word *r, const cc_word *x, const cc_word *y, size_t n);

/*
 * The rest shows whether a divisor or modulus is 0, which is an error.  But for the powers
 * it takes at most 24 KB of stack.
 */

/*
 * q[an] = a[an] / d[dn], r[dn] the remainder: any an, dn <= CC_FZ_MAX, a word of the
 * quotient at a time.  q may be a; nothing else overlaps.  CC_EINVAL if d is 0 or too wide.
 */
int cc_fz_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn);
/* q[n] = a[n] / d, *r the remainder, for one word d; q may be a.  CC_EINVAL if d is 0. */
int cc_fz_div_word(cc_word *q, cc_word *r, const cc_word *a, size_t n, cc_word d);
/* r[mn] = a[an] mod m[mn]; r may be m.  CC_EINVAL if m is 0 or mn > CC_FZ_MAX. */
int cc_fz_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn);
/*
 * q[an] = a[an] / d[dn] for a that d divides, in about half the time; if it does not, q is
 * anything.  q may be a, and, if an = dn, d.  CC_EINVAL if d is 0 or dn > CC_FZ_MAX.
 */
int cc_fz_divexact(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn);

/*
 * A source of random bytes, such as getrandom() or the state of a generator for ciphers:
 * fills all of @length bytes, or returns an error, which is not CC_OK.
 */
typedef int cc_fz_generator(void *state, unsigned char *bytes, size_t length);

/*
 * r[n] = a random number of @bits bits, each of them 0 or 1: (bits + 7) / 8 of the generator's
 * bytes, least significant first.  CC_EINVAL if they are more than n words; where the
 * generator fails, its error, and r = 0.  The number of bits shows.
 */
int cc_fz_random_bits(cc_word *r, size_t n, size_t bits, cc_fz_generator *generator, void *state);
/*
 * 0 <= r < m, every r as likely as any other: numbers of m's bits until one is below m, two on
 * average at most.  CC_EINVAL if m is 0, or if 128 of them are not below it, which a sound
 * generator's are once in 2^128; errors and r as above; r is not m.
 *
 * It shows how many bits m has, and how many numbers it took: this says something of m, and
 * nothing of r.
 */
int cc_fz_random_below(cc_word *r, const cc_word *m, size_t n, cc_fz_generator *generator,
		       void *state);
/*
 * 0 <= r < m by one number of 128 bits more than n words, modulo m: no set of numbers is more
 * or less likely by 2^-128 than it should be.  r may be m, and is not written where there is
 * an error: the generator's, or CC_EINVAL if m is 0 or n > CC_FZ_MAX.  Nothing else shows.
 */
int cc_fz_random_wide(cc_word *r, const cc_word *m, size_t n, cc_fz_generator *generator,
		      void *state);

/* r = a * b mod m, a^2 mod m, for any a, b of n words; CC_EINVAL if m is 0 or n > CC_FZ_MAX */
int cc_fz_mulmod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n);
int cc_fz_sqrmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n);

/*
 * r = b^e mod m for any b, e of n words and m >= 1 (0^0 is 1 mod m; for m = 1 everything
 * is 0).  CC_EINVAL if m is 0 or n > CC_FZ_MAX; no modulus has n = 0.
 *
 * It shows whether m is odd, and nothing else.  Odd m by Montgomery with a fixed window
 * whose whole table is read for each digit of e.  Even m = 2^k o by both parts, modulo o
 * and modulo a power of two, and the Chinese remainder theorem: k does not show.
 */
int cc_fz_powmod(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n);
/*
 * The same for an exponent of its own width: its low @bits bits, in as many words as these
 * fill, of which what lies above them is not looked at.  It takes the time of @bits
 * squarings, which are public.  r may be e.
 */
int cc_fz_powmod_bits(cc_word *r, const cc_word *b, const cc_word *e, size_t bits, const cc_word *m,
		      size_t n);
/*
 * The same for a public exponent e[en], as in the verification of a signature: in a time
 * that shows e (how long it is, and the zeros in it), but neither b nor m.
 */
int cc_fz_powmod_public(cc_word *r, const cc_word *b, const cc_word *e, size_t en, const cc_word *m,
			size_t n);
/*
 * count of them, independent, one after the other in memory; up to 8192 bits and where that
 * is faster, those with odd m eight at once by AVX-512 IFMA, four by AVX2 (beside BMI2 and
 * ADX), else one by one.  CC_EINVAL if any m is 0 or n > CC_FZ_MAX.  It shows which m are
 * odd, and nothing else.
 */
int cc_fz_powmod_many(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n,
		      size_t count);
/* The same for exponents of @bits bits, each in words of its own; r may be e if these are n. */
int cc_fz_powmod_many_bits(cc_word *r, const cc_word *b, const cc_word *e, size_t bits,
			   const cc_word *m, size_t n, size_t count);

/* Bytes of stack that they take at most, in any tier, for any n. */
#define CC_FZ_POWMOD_STACK	163840
#define CC_FZ_POWMOD_MANY_STACK 327680

/*
 * r = gcd(a, b), by a number of steps that the width alone gives (Bernstein and Yang 2019);
 * gcd(0, 0) = 0.  CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
/*
 * g = gcd(a, b) = x a + y b, x and y in two's complement and the least there are:
 * 2 g |x| <= b and 2 g |y| <= a, except that y = 1 where a is b or 0, and x = 1 where b is
 * 0; all are 0 where both are.  These are GMP's.  g, x and y are three vectors, any of which
 * may be a or b.  CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_gcdext(cc_word *g, cc_word *x, cc_word *y, const cc_word *a, const cc_word *b, size_t n);
/* r[2n] = lcm(a, b), 0 if either is; r overlaps neither.  CC_EINVAL if n > CC_FZ_MAX. */
int cc_fz_lcm(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
/*
 * r = a^-1 mod m for any a and any m >= 1; *@exists a mask of whether there is one, r = 0
 * if not.  Modulo 1 there is: 0.  CC_EINVAL if m is 0 or n > CC_FZ_MAX.
 *
 * It shows whether m is odd, and nothing else: not whether a is, nor whether there is an
 * inverse.  By the same division steps; for even m those that invert m modulo a, and a
 * quotient.
 */
int cc_fz_inverse(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *m, size_t n);
/*
 * *@symbol = (a / m), 1, 0 or -1: Jacobi's for odd m, and Kronecker's for even: (a / 2) is 0
 * for even a, and 1 or -1 as a is +-1 or +-3 modulo 8; (a / 0) is 1 for a = 1, else 0.
 * It shows nothing; the same number of steps as for the gcd.  CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_jacobi(int *symbol, const cc_word *a, const cc_word *m, size_t n);

/* The tier now in use, by its name in cc_cpu_tiers(). */
const char *cc_fz_tier(void);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_FIXED_H */
