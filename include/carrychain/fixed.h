/* SPDX-License-Identifier: MIT */
/*
 * fixed.h - FZ: integers of a fixed width, in constant time.
 *
 * An FZ is @n words, least significant first; its width n is public, its value is not.
 * No function branches on, or indexes memory by, a value: the time taken depends on the
 * widths (and on the errors returned, which say so) alone.  A truth value is a mask: all
 * ones for true, 0 for false.
 *
 * Nothing here allocates.  Functions without @scratch use a bounded piece of the stack,
 * said below, and wipe what they leave on it; @scratch is the caller's to wipe.
 *
 * Unless a function says otherwise, n may be 0, an output may be the very same vector as
 * an input but not overlap it otherwise, and no pointer may be NULL.  Functions that return
 * int return CC_OK or an error, and write nothing then.
 */
#ifndef CARRYCHAIN_FIXED_H
#define CARRYCHAIN_FIXED_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The widest modulus of the functions that take no scratch: 16384 bits. */
#define CC_FZ_MAX_BITS 16384
#define CC_FZ_MAX      (CC_FZ_MAX_BITS / CC_WORD_BITS)

/* r = a + b, the carry returned (0 or 1); r = a - b, the borrow returned */
cc_word cc_fz_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
cc_word cc_fz_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n);

/* Masks: a = 0, a = b, a < b */
cc_word cc_fz_is_zero(const cc_word *a, size_t n);
cc_word cc_fz_eq(const cc_word *a, const cc_word *b, size_t n);
cc_word cc_fz_lt(const cc_word *a, const cc_word *b, size_t n);

/* r = mask ? a : b */
void cc_fz_select(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n);
/* mask: a and b change places */
void cc_fz_cswap(cc_word mask, cc_word *a, cc_word *b, size_t n);

/* r = a * 2^count mod 2^(n CC_WORD_BITS), floor(a / 2^count); any count, which is a value too */
void cc_fz_shl(cc_word *r, const cc_word *a, size_t n, size_t count);
void cc_fz_shr(cc_word *r, const cc_word *a, size_t n, size_t count);

/*
 * xy[2n] = x * y, xx[2n] = x^2; the product overlaps no operand.  Comba's columns, unrolled
 * for 8, 16 and 32 words; above, Karatsuba.  At most 8 KB of stack.
 */
void cc_fz_mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n);
void cc_fz_sqr(cc_word *xx, const cc_word *x, size_t n);

/*
 * q[an] = a[an] / d[dn], r[dn] the remainder, bit by bit.  q may be a; nothing else overlaps.
 * CC_EINVAL if d is 0 (which shows).
 */
int cc_fz_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn);
/* r[mn] = a[an] mod m[mn]; CC_EINVAL if m is 0 */
int cc_fz_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn);

/* r = a * b mod m, a^2 mod m, for any a, b of n words and m >= 1; CC_EINVAL if m is 0 or n > CC_FZ_MAX */
int cc_fz_mulmod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n);
int cc_fz_sqrmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n);

/*
 * r = b^e mod m for any b, e of n words and m >= 1 (0^0 is 1 mod m; for m = 1 everything
 * is 0).  Odd m by Montgomery (HAC 14.36, in whole blocks) with a fixed window whose whole
 * table is read for each digit; even m = 2^k odd by both parts and the Chinese remainder
 * theorem, k not showing.  CC_EINVAL if m is 0, n is 0 or n > CC_FZ_MAX; whether m is 0
 * shows, nothing else.  cc_fz_powmod() takes up to CC_FZ_POWMOD_STACK bytes of stack.
 */
int cc_fz_powmod(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n);
/* count of them, independent, one after the other in memory; batched across vector lanes */
int cc_fz_powmod_many(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n,
		      size_t count);

/*
 * r = gcd(a, b), by a number of steps that the width alone gives (Bernstein and Yang 2019);
 * gcd(0, 0) = 0.  CC_EINVAL if n > CC_FZ_MAX.
 */
int cc_fz_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
/*
 * r = a^-1 mod m for odd m > 1; *@exists a mask of whether there is one, r = 0 if not.
 * CC_EINVAL if m is even or n > CC_FZ_MAX.
 */
int cc_fz_inverse(cc_word *r, cc_word *exists, const cc_word *a, const cc_word *m, size_t n);

/* The tier now in use, by its name in cc_cpu_tiers(). */
const char *cc_fz_tier(void);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_FIXED_H */
