/* SPDX-License-Identifier: MIT */
/*
 * harness.h - what every C test is written with.
 *
 * A test program is one module's: test_begin(), then cases, then test_end().  A case is
 * one function in one tier; it passes if every CHECK in it holds and there was at least
 * one.  The program's last line is "N passed, N failed, N skipped", its status 1 if any
 * case failed.  One that hangs within a case ends by itself, and that case has failed.
 *
 *	--seed N, CC_TEST_SEED	the same random vectors again (a decimal or 0x number)
 *	--scale X, CC_TEST_SCALE	X times as many of them: 0.1 on an emulated machine
 *
 * Each case draws from a stream of its own, fixed by the seed and the case's name
 * without its tier: every tier meets the same vectors.
 */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include <carrychain/cpu.h>
#include <carrychain/word.h>

#include <stdbool.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void test_begin(int argc, char **argv);
/* Ends the last case, prints the count; the program's exit status. */
int test_end(void);

/* Ends the case before and begins "@function", in @tier if that is not NULL. */
void test_case(const char *tier, const char *function);
/* A case that can't run here, and why. */
__attribute__((format(printf, 1, 2))) void test_skip(const char *format, ...);
/*
 * A kernel that this processor can't run, which tests/python/test_kernels_emulated.py does by
 * what its instructions mean: said, and no skip.
 */
__attribute__((format(printf, 1, 2))) void test_emulated(const char *format, ...);
/* The sizes at hand, which a failure or a crash reports. */
void test_sizes(size_t a, size_t b, size_t c);
/* Whether the case now open has failed: no need to go on. */
bool test_case_failed(void);
/*
 * What hangs: a program that is @asleep for so many seconds, or takes @work seconds of a common
 * processor's time with no check made, as this one and what emulates it have it.
 */
void test_limits(double asleep, double work);
/* @count times the scale, at least 1. */
size_t test_scaled(size_t count);

/*
 * Counts a check; a case's first failure is printed, with file, case, sizes and seed.
 * After the condition a message, as printf takes it.
 */
#define CHECK(condition, ...)                                                                      \
	do {                                                                                       \
		if (!test_checked(condition))                                                      \
			test_failed(__FILE__, __LINE__, __VA_ARGS__);                              \
	} while (0)

bool test_checked(bool holds);
__attribute__((format(printf, 3, 4))) void test_failed(const char *file, int line,
						       const char *format, ...);

/*
 * Runs @run once for each tier that this processor has, with that tier forced, then
 * restores all; says which tiers are skipped, and counts each as a skipped case.
 */
void test_tiers(void (*run)(const char *tier));

/*
 * A control: runs @run in a silent child, and passes if the child finds a failure (a
 * CHECK that does not hold, or a crash), or none, as @caught says: what was broken
 * deliberately must be caught, and what was not must not.
 */
void test_control(const char *name, bool caught, void (*run)(const void *context),
		  const void *context);

/* random.c */
void random_seed(uint64_t seed);
uint64_t random_u64(void);
cc_word random_word(void);
/* 0 <= it < @bound; 0 if @bound is 0 */
size_t random_below(size_t bound);

/*
 * n words of one shape, drawn anew each time: mostly a bit density of 0 to 64 ones in
 * 64 for the whole vector (uniform words hardly ever carry), else runs of ones and
 * zeros, all ones, one bit set, or one bit clear.
 */
void random_words(cc_word *r, size_t n);
/* n words of one density: each bit is 1 with probability density / 64, density <= 64 */
void random_dense_words(cc_word *r, size_t n, unsigned int density);
/* So many zero words to put above a number: none in half the cases, few or up to @most. */
size_t random_zeros(size_t most);
/* The same for one word: in half the cases an edge. */
cc_word random_edge_word(void);

/* The classic cases: @which < EDGE_VECTORS: 0, 1, all ones, B^(n-1), ... */
#define EDGE_VECTORS 12
void edge_words(cc_word *r, size_t n, size_t which);
/* 0, 1, 2, 3, B - 1, B - 2, B/2 and its neighbours, half a word of ones, ... */
#define EDGE_WORDS 12
cc_word edge_word(size_t which);

/* guard.c: a buffer between two pages that may not be touched. */
enum guard_side {
	GUARD_END,
	GUARD_START,
	GUARD_SIDES,
};

struct guard {
	unsigned char *base; /* the first byte that may be touched */
	size_t size;
	unsigned char *at; /* what was placed last */
	size_t bytes;
};

void guard_init(struct guard *g, size_t bytes);
void guard_free(struct guard *g);
/*
 * @bytes bytes at @gap bytes from the forbidden page at @side; around them a pattern,
 * which guard_intact() finds whole or not, within 256 bytes.
 */
void *guard_place(struct guard *g, size_t bytes, enum guard_side side, size_t gap);
bool guard_intact(const struct guard *g);

/*
 * A call of an assembly kernel: on x86-64 by a trampoline that fills the registers and
 * flags an argument does not define with noise, and fails the case unless the callee
 * left the registers that are the caller's, the direction flag and the stack above it
 * as they were.  Elsewhere the plain call.  U32() is an argument of type unsigned int.
 */
#if defined(__x86_64__) && defined(__linux__) && defined(__LP64__)
#define CHECKED_CALL 1
uint64_t test_call(void (*function)(void), const uint64_t arguments[6]);
#define CALL3(f, a, b, c)                                                                          \
	test_call((void (*)(void))(f), (uint64_t[6]){(uint64_t)(a), (uint64_t)(b), (uint64_t)(c)})
#define CALL4(f, a, b, c, d)                                                                       \
	test_call((void (*)(void))(f),                                                             \
		  (uint64_t[6]){(uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d)})
#define CALL5(f, a, b, c, d, e)                                                                    \
	test_call((void (*)(void))(f), (uint64_t[6]){(uint64_t)(a), (uint64_t)(b), (uint64_t)(c),  \
						     (uint64_t)(d), (uint64_t)(e)})
#define U32(x) ((uint64_t)(uint32_t)(x) | (random_u64() << 32))
#else
#define CHECKED_CALL		0
#define CALL3(f, a, b, c)	(f)(a, b, c)
#define CALL4(f, a, b, c, d)	(f)(a, b, c, d)
#define CALL5(f, a, b, c, d, e) (f)(a, b, c, d, e)
#define U32(x)			((unsigned int)(x))
#endif

#endif /* TESTS_HARNESS_H */
