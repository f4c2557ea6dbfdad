/* SPDX-License-Identifier: MIT */
/*
 * bench.h - how a suite times one of our functions against a peer's.
 *
 * A row gives our median and our minimum over the repeats, in nanoseconds a round; as the
 * ratio the median of the repeats' ratios (ours / theirs): below 1 we are faster; how far the
 * repeats spread; and whether that is so far that something else must have disturbed them,
 * each time the measurement was made (timing.h).
 */
#ifndef CC_BENCH_H
#define CC_BENCH_H

#include <stddef.h>

/* Does the work @rounds times over; the loop is inside, so that it costs next to nothing. */
typedef void cc_bench_fn(void *context, size_t rounds);

/*
 * Times @ours against @theirs and prints the row.  Before, it calls each once with one
 * round.  Without a peer @theirs is NULL, and the row has no ratio; nor does it name a peer,
 * but for a @peer that is not NULL, and says why there is none.  Does nothing if the row is
 * not wanted.
 */
void cc_bench_pair(const char *case_, size_t size, const char *impl, const char *peer,
		   cc_bench_fn *ours, cc_bench_fn *theirs, void *context);

/* The next size of a suite in words: every one up to 16 if all are asked for, else two an octave.
 */
size_t cc_bench_next(size_t n);

/* The name of the one that now runs, and whether all its sizes were asked for. */
const char *cc_bench_suite(void);
int cc_bench_all(void);

/* Whether --case and --most let this row be: for suites whose rows take long to prepare. */
int cc_bench_wants(const char *case_, size_t size);

/* Keeps the compiler from moving, merging or removing work on memory across it. */
static inline void cc_bench_barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

/* A cc_bench_fn: what is done each round with the struct work that is its context. */
#define CC_BENCH_LOOP(name, call)                                                                  \
	static void name(void *context, size_t rounds)                                             \
	{                                                                                          \
		struct work *w = context;                                                          \
                                                                                                   \
		while (rounds--) {                                                                 \
			call;                                                                      \
			cc_bench_barrier();                                                        \
		}                                                                                  \
	}

/* Pseudo-random words, the same in every run. */
void cc_bench_random(void *words, size_t bytes);

/* Never NULL, 64-byte aligned; free() it. */
void *cc_bench_alloc(size_t bytes);

/*
 * crypto.c, which is there if fixed.c is: opens a library whose version begins with @name as a
 * peer of that suite; NULL, or what is wrong with this file.
 */
const char *cc_crypto_open(const char *path, const char *name);

/* The suites, one file each. */
void cc_bench_u128(void);
void cc_bench_limbs(void);
void cc_bench_natural(void);
void cc_bench_theory(void);
void cc_bench_fixed(void);
void cc_bench_fixed_ffa(void);
void cc_bench_fib(void);
void cc_bench_decimal(void);
void cc_bench_checksum(void);
void cc_bench_checksum_lengths(void);
void cc_bench_checksum_schemes(void);

#endif /* CC_BENCH_H */
