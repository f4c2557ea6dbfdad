/* SPDX-License-Identifier: MIT */
/*
 * bigint.h - integers that grow: sign and magnitude, exact, of any size that memory holds.
 *
 * Every function takes its result first, and allows the result to be any of its
 * arguments.  A function that returns int returns CC_OK, or an error that it documents
 * here or CC_ENOMEM; after an error every argument has the value it had.  A result
 * reuses the words it has, and temporaries of up to 64 words are not allocated.
 * No pointer may be NULL unless said.  Time and memory depend on values throughout.
 */
#ifndef CARRYCHAIN_BIGINT_H
#define CARRYCHAIN_BIGINT_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Words may be lent: who sets words and capacity, and length and negative to 0, gets the
 * result in them, and never clears it, so long as they are no fewer than the function asks
 * for, n and m being its arguments' lengths:
 *   set, neg, abs, isqrt		n
 *   set_u64, set_i64			64 / CC_WORD_BITS
 *   not				n + 1
 *   add, sub, and, or, xor		max(n, m) + 1
 *   mul, sqr				n + m
 *   gcd				max(n, m)
 *   pow				bit length * exponent / CC_WORD_BITS + 3
 *   divmod				q: max(n - m, 0) + 2; r: m
 *   shl				n + bits / CC_WORD_BITS + 1
 *   shr				max(n - bits / CC_WORD_BITS, 1) + 1
 *   from_string			cc_natural_from_digits_max()
 *   from_bytes				the bytes' words, the last perhaps in part
 * The _watched functions free them.
 */
typedef struct cc_bigint {
	cc_word *words;	 /* the magnitude, least significant first */
	size_t length;	 /* words in use; the top one is not 0; none for zero */
	size_t capacity; /* words allocated */
	int negative;	 /* 1 below zero, else 0 */
} cc_bigint;

/* Zero, owning no memory. */
#define CC_BIGINT_INIT                                                                             \
	{                                                                                          \
		NULL, 0, 0, 0                                                                      \
	}

void cc_bigint_init(cc_bigint *x);
void cc_bigint_swap(cc_bigint *x, cc_bigint *y);
/* Frees the words (wiping nothing) and leaves zero. */
void cc_bigint_clear(cc_bigint *x);
/* Room for @words words; the value stays. */
int cc_bigint_reserve(cc_bigint *x, size_t words);

int cc_bigint_set(cc_bigint *r, const cc_bigint *x);
int cc_bigint_set_u64(cc_bigint *r, uint64_t x);
int cc_bigint_set_i64(cc_bigint *r, int64_t x);
/* CC_ERANGE if x does not fit. */
int cc_bigint_get_u64(uint64_t *r, const cc_bigint *x);
int cc_bigint_get_i64(int64_t *r, const cc_bigint *x);

/* -1, 0, 1 as x is less than, equal to, greater than y (cmp_abs: |x| and |y|) or 0 (sign) */
int cc_bigint_cmp(const cc_bigint *x, const cc_bigint *y);
int cc_bigint_cmp_abs(const cc_bigint *x, const cc_bigint *y);
int cc_bigint_sign(const cc_bigint *x);
/* Bits of |x|: 0 for 0, else floor(log2 |x|) + 1. */
uint64_t cc_bigint_bit_length(const cc_bigint *x);

int cc_bigint_neg(cc_bigint *r, const cc_bigint *x);
int cc_bigint_abs(cc_bigint *r, const cc_bigint *x);
int cc_bigint_add(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_sub(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_mul(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_sqr(cc_bigint *r, const cc_bigint *x);
/* x^0 is 1 for any x. */
int cc_bigint_pow(cc_bigint *r, const cc_bigint *x, uint64_t exponent);

/*
 * x = q * y + r.  floor: 0 <= r < y or y < r <= 0 (Python's //, %; Lisp's floor).
 * trunc: r has x's sign (C's /, %; Lisp's truncate).  q or r or both may be NULL; they
 * must differ otherwise.  CC_EINVAL if y is 0 or q is r.
 */
int cc_bigint_divmod_floor(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_divmod_trunc(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y);

/*
 * The same with @progress, which may be NULL and is told nothing of how far the work is.
 * CC_EINTR if it ends it.  The result is made in new memory.
 */
int cc_bigint_mul_watched(cc_bigint *r, const cc_bigint *x, const cc_bigint *y,
			  const struct cc_progress *progress);
int cc_bigint_pow_watched(cc_bigint *r, const cc_bigint *x, uint64_t exponent,
			  const struct cc_progress *progress);
int cc_bigint_divmod_floor_watched(cc_bigint *q, cc_bigint *r, const cc_bigint *x,
				   const cc_bigint *y, const struct cc_progress *progress);
int cc_bigint_divmod_trunc_watched(cc_bigint *q, cc_bigint *r, const cc_bigint *x,
				   const cc_bigint *y, const struct cc_progress *progress);
int cc_bigint_from_string_watched(cc_bigint *r, const char *s, int radix,
				  const struct cc_progress *progress);

/*
 * floor(sqrt x), CC_EINVAL if x is negative; and the greatest common divisor, never negative,
 * that of x and 0 being |x|.  @progress as above; they leave r as it was if it ends them.
 */
int cc_bigint_isqrt(cc_bigint *r, const cc_bigint *x, const struct cc_progress *progress);
int cc_bigint_gcd(cc_bigint *r, const cc_bigint *x, const cc_bigint *y,
		  const struct cc_progress *progress);

/* x * 2^bits, and floor(x / 2^bits). */
int cc_bigint_shl(cc_bigint *r, const cc_bigint *x, uint64_t bits);
int cc_bigint_shr(cc_bigint *r, const cc_bigint *x, uint64_t bits);

/* Bit by bit on two's complement without end, as Python and Lisp define them. */
int cc_bigint_and(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_or(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_xor(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_not(cc_bigint *r, const cc_bigint *x);

/*
 * An optional sign, then digits 0-9a-z in @radix, 2 to 36, either case; nothing else,
 * and at least one digit.  CC_EINVAL otherwise.
 */
int cc_bigint_from_string(cc_bigint *r, const char *s, int radix);

/*
 * x in @radix, lower case, NUL at the end; free it with cc_string_free.
 * NULL if memory ends or the radix is not 2 to 36.
 */
char *cc_bigint_to_string(const cc_bigint *x, int radix);
void cc_string_free(char *s);

/*
 * The same with every error told apart (CC_EINVAL, CC_ENOMEM, CC_EINTR), the length
 * (without NUL) in *@length, and @progress, which may be NULL.  On error *@s is NULL.
 */
int cc_bigint_format(char **s, size_t *length, const cc_bigint *x, int radix,
		     const struct cc_progress *progress);

/*
 * Bytes: two's complement if CC_SIGNED, most significant first if CC_BIG_ENDIAN.  to_bytes
 * fills all of @length bytes; CC_ERANGE if x does not fit them (or is negative,
 * unsigned).
 */
int cc_bigint_to_bytes(void *bytes, size_t length, const cc_bigint *x, unsigned int flags);
int cc_bigint_from_bytes(cc_bigint *r, const void *bytes, size_t length, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_BIGINT_H */
