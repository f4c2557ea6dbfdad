/* SPDX-License-Identifier: MIT */
/*
 * flint.h - FLINT as another peer, out of a shared library that is named when the program
 * is run: the one inside the wheel of python-flint is newer than those of distributions.
 */
#ifndef CC_BENCH_FLINT_H
#define CC_BENCH_FLINT_H

#include "bench.h"

/* What fmpz.h and mpn_extras.h declare; a fmpz is a long, 0 at first. */
struct cc_flint {
	char peer[32]; /* "flint 3.6.0", "flint 3.6.0 fft_small" */
	unsigned long (*mpn_mul)(unsigned long *r, const unsigned long *a, long an,
				 const unsigned long *b, long bn);
	unsigned long (*mpn_sqr)(unsigned long *r, const unsigned long *a, long n);
	void (*set_words)(long *f, const unsigned long *a, long n);
	void (*divrem)(long *q, long *r, const long *a, const long *d);
	void (*sqrtrem)(long *root, long *r, const long *a);
	void (*gcd)(long *g, const long *a, const long *b);
	void (*fib)(long *f, unsigned long n);
	char *(*get_str)(char *s, int radix, const long *f);
	int (*set_str)(long *f, const char *s, int radix);
	void (*clear)(long *f);
	void (*free)(void *memory);
};

/* NULL, or what is wrong with this file. */
const char *cc_flint_open(const char *path);

/* NULL if none was opened. */
const struct cc_flint *cc_flint(void);

/* cc_bench_pair() with FLINT as the peer; without it, a suite's first row says that it is absent.
 */
void cc_flint_pair(const char *case_, size_t size, const char *impl, cc_bench_fn *ours,
		   cc_bench_fn *theirs, void *context);

#endif /* CC_BENCH_FLINT_H */
