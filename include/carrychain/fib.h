/* SPDX-License-Identifier: MIT */
/*
 * fib.h - Fibonacci numbers: F(0) = 0, F(1) = 1, F(n) = F(n - 1) + F(n - 2).
 *
 * After yaohwang99's fibdrv (2022) and Knuth, The Art of Computer Programming 1, 1.2.8.
 */
#ifndef CARRYCHAIN_FIB_H
#define CARRYCHAIN_FIB_H

#include <carrychain/bigint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The last n whose F(n) fits 64 bits. */
#define CC_FIB_U64_MAX 93

enum cc_fib_strategy {
	/* two squarings a bit, one multiplication at the end (the default) */
	CC_FIB_SQUARING = 0,
	/* F(2k) = F(k) (2 F(k + 1) - F(k)), F(2k + 1) = F(k)^2 + F(k + 1)^2 */
	CC_FIB_DOUBLING = 1,
	/* n - 1 additions */
	CC_FIB_ITERATIVE = 2,
};
#define CC_FIB_STRATEGIES 3

/* f = F(n), any n until memory ends: CC_ENOMEM then, and f is as it was. */
int cc_fib(cc_bigint *f, uint64_t n);

/*
 * The same by a named strategy (else CC_EINVAL).  @progress, which may be NULL, is asked
 * before a step, and inside a long one, with the index of the number that has been reached,
 * less than n, of n; if it stops the work, f is as it was.  It is not asked where all takes
 * a few steps.
 */
int cc_fib_by(cc_bigint *f, uint64_t n, enum cc_fib_strategy strategy,
	      const struct cc_progress *progress);

/*
 * F(n)'s decimal digits, @length of them and a NUL, for cc_string_free(): sooner than F(n) and
 * its conversion, being computed in a decimal radix where that is faster.  @progress is asked
 * as above, and where there is a conversion as cc_bigint_format() asks.  CC_ENOMEM and
 * CC_EINTR leave NULL.
 */
int cc_fib_decimal(char **digits, size_t *length, uint64_t n, const struct cc_progress *progress);

/* The bytes it takes, the digits among them; 0 if it computes F(n) in words and converts it. */
uint64_t cc_fib_decimal_memory(uint64_t n);

/* F(n) mod 2^64: exact for n <= CC_FIB_U64_MAX. */
uint64_t cc_fib_u64(uint64_t n);

/* "squaring", "doubling", "iterative"; NULL for any other number. */
const char *cc_fib_strategy_name(int strategy);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_FIB_H */
