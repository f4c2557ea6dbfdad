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

/* f = F(n) for any n that fits in memory; otherwise CC_ENOMEM, and f does not change. */
int cc_fib(cc_bigint *f, uint64_t n);

/*
 * The same by the given strategy; CC_EINVAL if there is no such strategy.  @progress may be
 * NULL.  It is called before each step, and inside long ones, with the index reached so far
 * and n.  If it stops the work, f does not change.  It is not called if n needs only a few
 * steps.
 */
int cc_fib_by(cc_bigint *f, uint64_t n, enum cc_fib_strategy strategy,
	      const struct cc_progress *progress);

/*
 * The decimal digits of F(n), @length of them and a NUL; free them with cc_string_free().
 * Faster than cc_fib() and a conversion, because it computes in a decimal radix where that
 * pays.  @progress is called as above, and during a conversion as by cc_bigint_format().
 * After CC_ENOMEM and CC_EINTR *@digits is NULL.
 */
int cc_fib_decimal(char **digits, size_t *length, uint64_t n, const struct cc_progress *progress);

/* The bytes that it needs, digits included; 0 if it computes F(n) in words and converts it. */
uint64_t cc_fib_decimal_memory(uint64_t n);

/*
 * r = L(n) = F(n - 1) + F(n + 1), the Lucas numbers: L(0) = 2, L(1) = 1.  By squarings alone but
 * for the last step.  @progress as for cc_fib_by().
 */
int cc_lucas(cc_bigint *r, uint64_t n, const struct cc_progress *progress);

/* F(n) mod 2^64: exact for n <= CC_FIB_U64_MAX. */
uint64_t cc_fib_u64(uint64_t n);

/* "squaring", "doubling", "iterative"; NULL for any other number. */
const char *cc_fib_strategy_name(int strategy);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_FIB_H */
