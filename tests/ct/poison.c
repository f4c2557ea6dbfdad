// SPDX-License-Identifier: MIT
/*
 * Constant time, by memcheck: every operand's value is marked as undefined, so that
 * memcheck reports each branch taken and each address formed on it.  Run it under
 *
 *	valgrind -q --expensive-definedness-checks=yes poison
 *
 * Controls that branch on, and index by, a secret must be reported.  Without valgrind it
 * skips, and says so; likewise a tier whose instructions valgrind does not know: for that
 * one there is check_disassembly.py.
 *
 * With a CC_TEST_SCALE below 1 that share of the calls with wide operands is made, drawn
 * by CC_TEST_SEED.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ct.h"
#include "fixed/kernels.h"
#include "limbs/kernels.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

#define LANES 8

static size_t passed, failed, skipped;

static void fill(cc_word *r, size_t n)
{
	static uint64_t state = 0x9e3779b97f4a7c15;
	size_t i;

	for (i = 0; i < n; i++) {
		state = state * 6364136223846793005 + 1442695040888963407;
		r[i] = (cc_word)(state ^ state >> 29);
	}
}

static void poison(void *at, size_t bytes)
{
	(void)VALGRIND_MAKE_MEM_UNDEFINED(at, bytes);
}

/* Bit @bit of @word becomes public, and no other. */
static void show(cc_word *word, unsigned int bit)
{
	cc_word undefined = 0;

	(void)VALGRIND_GET_VBITS(word, &undefined, sizeof(undefined));
	undefined &= ~((cc_word)1 << bit);
	(void)VALGRIND_SET_VBITS(word, &undefined, sizeof(undefined));
}

static struct ct_operands operands(size_t n, size_t lanes)
{
	size_t words = n * lanes;
	struct ct_operands o = {.n = n};

	o.a = malloc(words * sizeof(cc_word));
	o.b = malloc(words * sizeof(cc_word));
	o.m = malloc(words * sizeof(cc_word));
	o.r = malloc(2 * words * sizeof(cc_word));
	o.q = malloc(2 * words * sizeof(cc_word));
	fill(o.a, words);
	fill(o.b, words);
	fill(o.m, words);
	fill(o.r, 2 * words);
	fill(o.q, 2 * words);
	return o;
}

static void release(struct ct_operands *o)
{
	free(o->a);
	free(o->b);
	free(o->m);
	free(o->r);
	free(o->q);
}

/* The reports that @run, with all values poisoned, brings about. */
static size_t reports(const struct ct_call *call, size_t n)
{
	struct ct_operands o = operands(n, call->lanes);
	size_t words = n * call->lanes, before, lane;

	o.mask = n & 1 ? ~(cc_word)0 : 0;
	o.count = 77;
	for (lane = 0; lane < words; lane += n) {
		if (call->shows == CT_EVEN)
			o.m[lane] &= ~(cc_word)7;
		else
			o.m[lane] |= 1;
		if (call->shows == CT_3_MOD_4)
			o.m[lane] |= 3;
		if (call->shows == CT_ALL)
			o.m[lane] = (o.m[lane] & ~(cc_word)15) | 9;
		o.m[lane + n - 1] |= (cc_word)1 << (CC_WORD_BITS - 1);
		o.m[lane + (n - 1) / 2] |= (cc_word)1 << 3;
	}
	poison(o.a, words * sizeof(*o.a));
	poison(o.b, words * sizeof(*o.b));
	if (call->shows != CT_TRIES && call->shows != CT_ALL)
		poison(o.m, words * sizeof(*o.m));
	poison(&o.mask, sizeof(o.mask));
	poison(&o.count, sizeof(o.count));
	for (lane = 0; lane < words; lane += n) {
		if (call->shows == CT_ODD || call->shows == CT_EVEN || call->shows == CT_PRIME ||
		    call->shows == CT_3_MOD_4)
			show(o.m + lane, 0);
		if (call->shows == CT_3_MOD_4)
			show(o.m + lane, 1);
		/* that it is not 0, even its lower half alone */
		if (call->shows == CT_EVEN || call->shows == CT_NOT_ZERO || call->shows == CT_PRIME)
			show(o.m + lane + (n - 1) / 2, 3);
	}
	before = VALGRIND_COUNT_ERRORS;
	call->run(&o);
	before = VALGRIND_COUNT_ERRORS - before;
	release(&o);
	return before;
}

/*
 * The controls.  Each path has a statement that is executed if and only if the path is taken,
 * and each access is made as it stands: no compiler may do without the branch or the index.
 */
#define TAKEN(path) __asm__ volatile("/* " path " */" : : : "memory")

static void control_branch(struct ct_operands *o)
{
	if (o->a[0] & 1)
		TAKEN("odd");
	else
		TAKEN("even");
}

static void control_index(struct ct_operands *o)
{
	volatile cc_word *q = o->q;

	q[o->a[0] % o->n];
}

static void control_early_exit(struct ct_operands *o)
{
	size_t i;

	for (i = 0; i < o->n && o->a[i] == o->b[i]; i++)
		TAKEN("equal");
}

static const struct ct_call controls[] = {
	{"control: a branch", control_branch, CT_NOTHING, 1},
	{"control: an index", control_index, CT_NOTHING, 1},
	{"control: an early exit", control_early_exit, CT_NOTHING, 1},
};

static void result(const char *tier, const char *name, size_t n, bool holds, const char *what)
{
	if (holds)
		passed++;
	else
		failed++;
	if (!holds)
		printf("%s [%s], %zu words: %s\n", name, tier, n, what);
}

/* The tiers of both families, whatever valgrind's CPUID says: it hides ADX, and knows it. */
static void force(const struct cc_candidate *fixed)
{
	const void *limbs = NULL;
	size_t i;

	for (i = 0; i < cc_limbs_candidates_count; i++)
		if (!(cc_limbs_candidates[i].needs & ~fixed->needs))
			limbs = cc_limbs_candidates[i].kernels;
	__atomic_store_n(&cc_cpu_chosen[CC_FAMILY_LIMBS], limbs, __ATOMIC_RELEASE);
	__atomic_store_n(&cc_cpu_chosen[CC_FAMILY_FIXED], fixed->kernels, __ATOMIC_RELEASE);
}

static uint64_t seed;
static double scale = 1;

/* Whether a call of more than a few words is made; the same in each tier. */
static bool drawn(size_t call, size_t n)
{
	uint64_t x = seed ^ (uint64_t)(call << 8 | n) * 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (double)((x ^ x >> 31) >> 11) * 0x1p-53 < scale;
}

static void run_tier(const char *tier)
{
	/* columns, both sides of Karatsuba's threshold, odd parts, a batch; each a path of its own
	 */
	static const size_t widths[] = {1, 2, 3, 5, 8, 11, 16, 17, 24, 32, 33, 40, 64, 65};
	size_t i, w;

	printf("tier %s\n", tier);
	for (i = 0; i < ct_calls_count; i++) {
		for (w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
			size_t n = widths[w];

			/* what takes n^3, emulated */
			if (n > 17 && n != 32 && n != 33 && strstr(ct_calls[i].name, "pow"))
				continue;
			if (n > 11 && ct_calls[i].lanes > 1)
				continue;
			if (n > 8 && !drawn(i, n))
				continue;
			result(tier, ct_calls[i].name, n,
			       reports(&ct_calls[i], n) == (ct_calls[i].shows == CT_TRIES),
			       "a report");
		}
	}
}

int main(void)
{
	size_t i;

	if (getenv("CC_TEST_SEED"))
		seed = strtoull(getenv("CC_TEST_SEED"), NULL, 0);
	if (getenv("CC_TEST_SCALE"))
		scale = strtod(getenv("CC_TEST_SCALE"), NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!RUNNING_ON_VALGRIND) {
		printf("skipped: not under valgrind\n0 passed, 0 failed, 1 skipped\n");
		return 0;
	}
	for (i = 0; i < sizeof(controls) / sizeof(controls[0]); i++)
		result("", controls[i].name, 8, reports(&controls[i], 8), "not reported");
	for (i = 0; i < cc_fixed_candidates_count; i++) {
		const struct cc_fixed_kernels *k = cc_fixed_candidates[i].kernels;

		if (cc_fixed_candidates[i].needs & CC_CPU_AVX512) {
			printf("skipped: tier %s: valgrind does not know its instructions\n",
			       k->tier);
			skipped++;
			continue;
		}
		force(&cc_fixed_candidates[i]);
		run_tier(k->tier);
	}
	printf("%zu passed, %zu failed, %zu skipped\n", passed, failed, skipped);
	return failed != 0;
}

#else

int main(void)
{
	printf("skipped: built without valgrind/memcheck.h\n0 passed, 0 failed, 1 skipped\n");
	return 0;
}

#endif
