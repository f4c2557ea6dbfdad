// SPDX-License-Identifier: MIT
/*
 * Finds, on this machine, from how many words on each better algorithm wins, and writes
 * src/limbs/thresholds.h anew:  carrychain-tune FILE
 *
 * At a size n the two ways differ only by the threshold being n + 1 or n, that is by one
 * level of recursion.  Both are timed in turn; the ratio of their minima decides.  The
 * threshold is the first size from which on the recursion wins at most of the next ones.
 */
#include <carrychain/limbs.h>
#include <carrychain/natural.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "natural/half_gcd.h"
#include "variables.h"

#define SIZE_MAX_WORDS 400
#define REPEATS	       60
#define RUN	       6 /* consecutive sizes that decide, of which all but one must win */

size_t thresholds[THRESHOLDS] = {24, 32, 60, 30, 60, 100, 300, 300};

static cc_word a[2 * SIZE_MAX_WORDS], b[SIZE_MAX_WORDS], r[2 * SIZE_MAX_WORDS];
static cc_word copy[SIZE_MAX_WORDS], scratch[60 * SIZE_MAX_WORDS];
static char digits[20 * SIZE_MAX_WORDS], text[20 * SIZE_MAX_WORDS];
static size_t text_length;

static void run_mul(size_t n)
{
	cc_limbs_mul(r, a, n, b, n, scratch);
}

static void run_sqr(size_t n)
{
	cc_limbs_sqr(r, a, n, scratch);
}

static void run_divide(size_t n)
{
	cc_natural_divrem(r, copy, a, 2 * n, b, n, scratch);
}

static void run_to_digits(size_t n)
{
	memcpy(copy, a, n * sizeof(*a));
	cc_natural_to_digits(digits, copy, n, 10, scratch, NULL);
}

static void run_from_digits(size_t n)
{
	(void)n;
	cc_natural_from_digits(r, text, text_length, 10, scratch);
}

static void run_half_gcd(size_t n)
{
	struct cc_half_gcd matrix;

	memcpy(r, a, n * sizeof(*r));
	memcpy(copy, b, n * sizeof(*copy));
	cc_half_gcd_place(&matrix, scratch, n);
	cc_half_gcd(&matrix, r, copy, n, scratch + cc_half_gcd_store(n), NULL);
}

static void run_gcd(size_t n)
{
	cc_natural_gcd(r, a, n, b, n, scratch);
}

static void run_gcdext(size_t n)
{
	int negative;

	cc_natural_gcdext(r, copy, r + n, &negative, a, n, b, n, scratch);
}

static const struct {
	const char *name;
	void (*run)(size_t n);
	size_t from;
} tasks[THRESHOLDS] = {
	{"CC_KARATSUBA_MUL", run_mul, 8},
	{"CC_KARATSUBA_SQR", run_sqr, 8},
	{"CC_DIVIDE_RECURSIVE", run_divide, 8},
	{"CC_TO_DIGITS_RECURSIVE", run_to_digits, 6},
	{"CC_FROM_DIGITS_RECURSIVE", run_from_digits, 6},
	{"CC_HALF_GCD_RECURSIVE", run_half_gcd, 20},
	{"CC_GCD_RECURSIVE", run_gcd, 30},
	{"CC_GCDEXT_RECURSIVE", run_gcdext, 30},
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_once(int task, size_t n, size_t threshold, int rounds)
{
	double start;
	int i;

	thresholds[task] = threshold;
	start = now();
	for (i = 0; i < rounds; i++)
		tasks[task].run(n);
	return now() - start;
}

/* How the recursion at size n compares with going without: below 1 it wins. */
static double ratio(int task, size_t n)
{
	double flat = 1e30, recursive = 1e30;
	int rounds = 1, i;

	while (time_once(task, n, n + 1, rounds) < 2e4)
		rounds *= 2;
	for (i = 0; i < REPEATS; i++) {
		double t = time_once(task, n, n + 1, rounds);

		flat = t < flat ? t : flat;
		t = time_once(task, n, n, rounds);
		recursive = t < recursive ? t : recursive;
	}
	return recursive / flat;
}

static size_t find(int task)
{
	int won[RUN] = {0}, wins = 0;
	size_t n;

	for (n = tasks[task].from; n < SIZE_MAX_WORDS; n++) {
		int *slot = &won[n % RUN];

		memcpy(copy, a, n * sizeof(*a));
		if (task == FROM_DIGITS_RECURSIVE)
			text_length = cc_natural_to_digits(text, copy, n, 10, scratch, NULL);
		wins -= *slot;
		*slot = ratio(task, n) < 1;
		wins += *slot;
		fprintf(stderr, "\r%-26s %3zu", tasks[task].name, n);
		if (wins >= RUN - 1)
			break;
	}
	n = n >= RUN ? n - RUN + 1 : n;
	fprintf(stderr, "\r%-26s %3zu\n", tasks[task].name, n);
	return n;
}

static int write_header(const char *path)
{
	char temporary[4096];
	int task, ok;
	FILE *file;

	if (snprintf(temporary, sizeof(temporary), "%s.new", path) >= (int)sizeof(temporary))
		return 0;
	file = fopen(temporary, "w");
	if (!file)
		return 0;
	fputs("/* SPDX-License-Identifier: MIT */\n"
	      "/*\n"
	      " * thresholds.h - from how many words on the better algorithm wins.  `make tune` "
	      "measures\n"
	      " * them on this machine and rewrites this file.\n"
	      " */\n"
	      "#ifndef CC_LIMBS_THRESHOLDS_H\n"
	      "#define CC_LIMBS_THRESHOLDS_H\n\n",
	      file);
	for (task = 0; task < THRESHOLDS; task++)
		fprintf(file, "#define %-24s %zu\n", tasks[task].name, thresholds[task]);
	fputs("\n/* All of them, for who tests around each. */\n#define CC_THRESHOLDS {", file);
	for (task = 0; task < THRESHOLDS; task++)
		fprintf(file, "%s%s", task ? ", " : "", tasks[task].name);
	fputs("}\n\n#endif /* CC_LIMBS_THRESHOLDS_H */\n", file);
	ok = !ferror(file);
	ok = !fclose(file) && ok;
	return ok && !rename(temporary, path);
}

int main(int argc, char **argv)
{
	size_t i;
	int task;

	if (argc != 2) {
		fputs("usage: carrychain-tune FILE, the thresholds.h to write\n", stderr);
		return 2;
	}
	srand(1);
	for (i = 0; i < 2 * SIZE_MAX_WORDS; i++) {
		unsigned int byte;

		for (byte = 0; byte < sizeof(cc_word); byte++)
			a[i] = a[i] << 8 | ((cc_word)rand() >> 7 & 0xff);
		if (i < SIZE_MAX_WORDS)
			b[i] = ~a[i] | (cc_word)1 << (CC_WORD_BITS - 1);
	}
	for (task = 0; task < THRESHOLDS; task++)
		thresholds[task] = find(task);
	if (!write_header(argv[1])) {
		fprintf(stderr, "carrychain-tune: cannot write %s\n", argv[1]);
		return 1;
	}
	return 0;
}
