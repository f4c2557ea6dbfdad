// SPDX-License-Identifier: MIT
/*
 * Finds, on this machine, from how many words on each better algorithm wins, and writes them into
 * src/limbs/thresholds.h:  carrychain-tune FILE
 *
 * First for products by rows of words, then for those by 52-bit multiply-adds, where this machine
 * has them.  What it has not stays.
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

#include "limbs/kernels.h"
#include "natural/half_gcd.h"

#define SIZE_MAX_WORDS 800
#define REPEATS	       60
#define RUN	       6 /* consecutive sizes that decide, of which all but one must win */

/* Of the tier whose thresholds are sought. */
static struct cc_limbs_kernels kernels;

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

static void run_natural_mul(size_t n)
{
	cc_natural_mul(r, a, n, b, n, scratch);
}

static void run_natural_sqr(size_t n)
{
	cc_natural_sqr(r, a, n, scratch);
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

#define T(member) offsetof(struct cc_thresholds, member)

/* In the order of the struct. */
static const struct task {
	const char *name;
	size_t member;
	void (*run)(size_t n);
	size_t from;
} tasks[] = {
	{"karatsuba_mul", T(karatsuba_mul), run_mul, 8},
	{"karatsuba_sqr", T(karatsuba_sqr), run_sqr, 8},
	{"transform_mul", T(transform_mul), run_natural_mul, 200},
	{"transform_sqr", T(transform_sqr), run_natural_sqr, 200},
	{"divide", T(divide), run_divide, 8},
	{"to_digits", T(to_digits), run_to_digits, 6},
	{"from_digits", T(from_digits), run_from_digits, 6},
	{"half_gcd", T(half_gcd), run_half_gcd, 20},
	{"gcd", T(gcd), run_gcd, 30},
	{"gcdext", T(gcdext), run_gcdext, 30},
};

#define TASKS (sizeof(tasks) / sizeof(tasks[0]))

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void set(const struct task *task, size_t threshold)
{
	memcpy((char *)&kernels.thresholds + task->member, &threshold, sizeof(threshold));
}

static double time_once(const struct task *task, size_t n, size_t threshold, int rounds)
{
	double start;
	int i;

	set(task, threshold);
	start = now();
	for (i = 0; i < rounds; i++)
		task->run(n);
	return now() - start;
}

/* How the recursion at size n compares with going without: below 1 it wins. */
static double ratio(const struct task *task, size_t n)
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

static size_t find(const struct task *task)
{
	int won[RUN] = {0}, wins = 0;
	size_t n;

	for (n = task->from; n < SIZE_MAX_WORDS; n++) {
		int *slot = &won[n % RUN];

		memcpy(copy, a, n * sizeof(*a));
		if (task->run == run_from_digits)
			text_length = cc_natural_to_digits(text, copy, n, 10, scratch, NULL);
		wins -= *slot;
		*slot = ratio(task, n) < 1;
		wins += *slot;
		fprintf(stderr, "\r%-14s %3zu", task->name, n);
		if (wins >= RUN - 1)
			break;
	}
	n = n >= RUN ? n - RUN + 1 : n;
	fprintf(stderr, "\r%-14s %3zu\n", task->name, n);
	return n;
}

static void tune(const struct cc_limbs_kernels *tier)
{
	const struct task *task;

	kernels = *tier;
	(void)cc_limbs_tier();
	__atomic_store_n(&cc_cpu_chosen[CC_FAMILY_LIMBS], &kernels, __ATOMIC_RELEASE);
	fprintf(stderr, "%s\n", tier->tier);
	for (task = tasks; task < tasks + TASKS; task++)
		if (kernels.thresholds.transform_mul || !strstr(task->name, "transform"))
			set(task, find(task));
}

/* The line of that macro, with these thresholds. */
static int put_line(FILE *file, const char *macro)
{
	const char *separator = "";
	const struct task *task;

	fprintf(file, "#define %-20s ", macro);
	for (task = tasks; task < tasks + TASKS; task++) {
		size_t value;

		memcpy(&value, (char *)&kernels.thresholds + task->member, sizeof(value));
		fprintf(file, "%s%zu", separator, value);
		separator = ", ";
	}
	return fputs("\n", file) >= 0;
}

/* Copies the file at @path, with the macro's line anew. */
static int write_header(const char *path, const char *macro)
{
	char temporary[4096], line[1024], start[64];
	FILE *from, *to;
	int ok;

	if (snprintf(temporary, sizeof(temporary), "%s.new", path) >= (int)sizeof(temporary))
		return 0;
	snprintf(start, sizeof(start), "#define %s ", macro);
	from = fopen(path, "r");
	to = from ? fopen(temporary, "w") : NULL;
	if (!to) {
		if (from)
			fclose(from);
		return 0;
	}
	while (fgets(line, sizeof(line), from))
		if (strncmp(line, start, strlen(start)))
			fputs(line, to);
		else
			put_line(to, macro);
	ok = !ferror(from) && !ferror(to);
	fclose(from);
	ok = !fclose(to) && ok;
	return ok && !rename(temporary, path);
}

static const struct cc_limbs_kernels *best(uint64_t features)
{
	return cc_cpu_best(cc_limbs_candidates, cc_limbs_candidates_count, features);
}

int main(int argc, char **argv)
{
	const struct cc_limbs_kernels *digits_tier = best(cc_cpu_detected());
	const struct cc_limbs_kernels *words =
		best(cc_cpu_detected() & ~(uint64_t)CC_CPU_AVX512IFMA);
	size_t i;
	int ok;

	if (argc != 2) {
		fputs("usage: carrychain-tune FILE, the thresholds.h to rewrite\n", stderr);
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
	tune(words);
	ok = write_header(argv[1], "CC_THRESHOLDS_WORDS");
	if (digits_tier != words) {
		tune(digits_tier);
		ok = ok && write_header(argv[1], "CC_THRESHOLDS_DIGITS");
	}
	if (!ok) {
		fprintf(stderr, "carrychain-tune: cannot write %s\n", argv[1]);
		return 1;
	}
	return 0;
}
