/* SPDX-License-Identifier: MIT */
/*
 * bigint.h - integers that grow: sign and magnitude, exact, of any size that memory holds.
 *
 * Every function takes its result first, and the result may be any of its arguments.
 * A function that returns int returns CC_OK, CC_ENOMEM, or an error documented here.
 * After an error every argument has the value it had before.  A result reuses the words
 * that it has, and temporaries of up to 64 words are not allocated.  Pointers must not be
 * NULL unless stated otherwise.  Time and memory depend on the values.
 */
#ifndef CARRYCHAIN_BIGINT_H
#define CARRYCHAIN_BIGINT_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A caller may lend memory to a result: set words and capacity, and set length and negative
 * to 0.  If capacity is at least what the table says, the result uses that memory, and must
 * not be cleared.  n and m are the lengths of the arguments:
 *   set, neg, abs, isqrt		n
 *   set_u64, set_i64			64 / CC_WORD_BITS
 *   not				n + 1
 *   add, sub, and, or, xor		max(n, m) + 1
 *   mul, sqr				n + m
 *   gcd				max(n, m)
 *   gcdext				g: max(n, m); x: max(m, 1); y: max(n, 1)
 *   invert, powm			m
 *   root, rootrem		root: n / k, rounded up; rem: n
 *   divexact			max(n - m, 0) + 1
 *   remove			n
 *   pow				bit length * exponent / CC_WORD_BITS + 3
 *   divmod				q: max(n - m, 0) + 2; r: m
 *   shl				n + bits / CC_WORD_BITS + 1
 *   shr				max(n - bits / CC_WORD_BITS, 1) + 1
 *   from_string			cc_natural_from_digits_max()
 *   from_bytes				the words that the bytes fill, rounded up
 * Do not lend memory to the _watched functions, which free it.
 */
typedef struct cc_bigint {
	cc_word *words;	 /* the magnitude, least significant first */
	size_t length;	 /* words in use; the top one is not 0; 0 for zero */
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
/* Frees the words without wiping them.  x becomes zero. */
void cc_bigint_clear(cc_bigint *x);
/* Allocates room for @words words.  The value does not change. */
int cc_bigint_reserve(cc_bigint *x, size_t words);

int cc_bigint_set(cc_bigint *r, const cc_bigint *x);
int cc_bigint_set_u64(cc_bigint *r, uint64_t x);
int cc_bigint_set_i64(cc_bigint *r, int64_t x);
/* CC_ERANGE if x does not fit. */
int cc_bigint_get_u64(uint64_t *r, const cc_bigint *x);
int cc_bigint_get_i64(int64_t *r, const cc_bigint *x);

/* -1, 0 or 1 if x is less than, equal to or greater than y; cmp_abs: |x| and |y|; sign: x and 0 */
int cc_bigint_cmp(const cc_bigint *x, const cc_bigint *y);
int cc_bigint_cmp_abs(const cc_bigint *x, const cc_bigint *y);
int cc_bigint_sign(const cc_bigint *x);
/* The number of bits in |x|: 0 for 0, else floor(log2 |x|) + 1. */
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
 * trunc: r has x's sign (C's /, %; Lisp's truncate).  q, r or both may be NULL; otherwise
 * they must differ.  CC_EINVAL if y is 0 or q is r.
 */
int cc_bigint_divmod_floor(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_divmod_trunc(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y);

/*
 * The same with @progress, which may be NULL.  It is not told how far the work is.
 * CC_EINTR if it stops the work.  The result is made in new memory.
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
 * isqrt: floor(sqrt x); CC_EINVAL if x is negative.  gcd: the greatest common divisor, never
 * negative; gcd(x, 0) = |x|.  @progress as above; if it stops the work, r does not change.
 */
int cc_bigint_isqrt(cc_bigint *r, const cc_bigint *x, const struct cc_progress *progress);
int cc_bigint_gcd(cc_bigint *r, const cc_bigint *x, const cc_bigint *y,
		  const struct cc_progress *progress);

/*
 * x = root^k + rem, with the root rounded towards 0 and rem of x's sign; *@exact = whether rem is
 * 0. exact may be NULL.  CC_EINVAL if k is 0, if x is negative and k even, or if root is rem.
 */
int cc_bigint_root(cc_bigint *root, int *exact, const cc_bigint *x, uint64_t k,
		   const struct cc_progress *progress);
int cc_bigint_rootrem(cc_bigint *root, cc_bigint *rem, const cc_bigint *x, uint64_t k,
		      const struct cc_progress *progress);
/* Whether x is y^2, or y^k for any y and any k >= 2: 0, 1 and -1 are such powers. */
int cc_bigint_is_square(int *square, const cc_bigint *x, const struct cc_progress *progress);
int cc_bigint_is_power(int *power, const cc_bigint *x, const struct cc_progress *progress);

/*
 * divexact: q = x / y for a multiple x of y; if it is none, q may be any number.  CC_EINVAL if y is
 * 0.  remove: r = x / f^*@count, which is not divisible by f, or r = 0 and *@count = 0 for x = 0.
 * CC_EINVAL if f is 0, 1 or -1.
 */
int cc_bigint_divexact(cc_bigint *q, const cc_bigint *x, const cc_bigint *y,
		       const struct cc_progress *progress);
int cc_bigint_remove(cc_bigint *r, uint64_t *count, const cc_bigint *x, const cc_bigint *f,
		     const struct cc_progress *progress);

/*
 * g = gcd(a, b) = x a + y b, with x and y as small as possible, the same as GMP's:
 * 2 g |x| <= |b| and 2 g |y| <= |a|, except that |y| = 1 if |a| is |b| or 0, and |x| = 1 if b
 * is 0.  If a and b are 0, so are all three.  CC_EINVAL unless g, x and y differ.
 */
int cc_bigint_gcdext(cc_bigint *g, cc_bigint *x, cc_bigint *y, const cc_bigint *a,
		     const cc_bigint *b, const struct cc_progress *progress);
/* 0 <= r < |m| with r x = 1 modulo m.  CC_EINVAL if m is 0; CC_ERANGE if there is none. */
int cc_bigint_invert(cc_bigint *r, const cc_bigint *x, const cc_bigint *m,
		     const struct cc_progress *progress);

/*
 * *@symbol = the Kronecker symbol (x / m), which for odd m > 0 is the Jacobi symbol: 1, -1, or 0 if
 * they have a common divisor.  (x / -1) is -1 below 0, else 1; (x / 0) is 1 for |x| = 1, else 0.
 */
int cc_bigint_kronecker(int *symbol, const cc_bigint *x, const cc_bigint *m,
			const struct cc_progress *progress);

/*
 * 0 <= r < |m| with r = x^e modulo m; x^0 is 1 for any x, but 0 modulo 1.  CC_EINVAL if m is 0 or
 * e is negative.
 */
int cc_bigint_powm(cc_bigint *r, const cc_bigint *x, const cc_bigint *e, const cc_bigint *m,
		   const struct cc_progress *progress);

/* x * 2^bits, and floor(x / 2^bits). */
int cc_bigint_shl(cc_bigint *r, const cc_bigint *x, uint64_t bits);
int cc_bigint_shr(cc_bigint *r, const cc_bigint *x, uint64_t bits);

/* Bitwise on infinite two's complement, as in Python and Lisp. */
int cc_bigint_and(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_or(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_xor(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
int cc_bigint_not(cc_bigint *r, const cc_bigint *x);

/*
 * The text is an optional sign and at least one digit 0-9a-z in @radix (2 to 36), in either
 * case.  CC_EINVAL for anything else.
 */
int cc_bigint_from_string(cc_bigint *r, const char *s, int radix);

/*
 * x in @radix, in lower case, NUL-terminated.  Free it with cc_string_free.
 * NULL if there is no memory, or if the radix is not 2 to 36.
 */
char *cc_bigint_to_string(const cc_bigint *x, int radix);
void cc_string_free(char *s);

/*
 * The same, but distinguishes errors (CC_EINVAL, CC_ENOMEM, CC_EINTR), stores the length
 * without the NUL in *@length, and takes @progress, which may be NULL.  After an error *@s
 * is NULL.
 */
int cc_bigint_format(char **s, size_t *length, const cc_bigint *x, int radix,
		     const struct cc_progress *progress);

/*
 * Conversion to and from bytes: in two's complement with CC_SIGNED, most significant byte
 * first with CC_BIG_ENDIAN.  to_bytes fills all @length bytes; CC_ERANGE if x does not fit,
 * or if it is negative without CC_SIGNED.
 */
int cc_bigint_to_bytes(void *bytes, size_t length, const cc_bigint *x, unsigned int flags);
int cc_bigint_from_bytes(cc_bigint *r, const void *bytes, size_t length, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_BIGINT_H */
