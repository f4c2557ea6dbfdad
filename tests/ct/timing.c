// SPDX-License-Identifier: MIT
/*
 * Constant time, by the clock: Welch's t between the times of a call on one fixed value and
 * on random ones, in turn at random.  A witness, not a test: a busy machine moves it, so
 * that it only prints; |t| above 4.5, again and again, would be a leak (Reparaz, Balasch and
 * Verbauwhede, Dude, is my code constant time?, 2017).  The last line's control has an
 * early exit, and a t to compare with.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ct.h"

#define WORDS	16
#define SAMPLES 4000

static uint64_t state = 0x2545f4914f6cdd1d;

static uint64_t random_word(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Mean and sum of squared deviations, as they come (Welford). */
struct sample {
	double count, mean, squares;
};

static void add_sample(struct sample *s, double x)
{
	double d = x - s->mean;

	s->count++;
	s->mean += d / s->count;
	s->squares += d * (x - s->mean);
}

static double welch(const struct sample *a, const struct sample *b)
{
	double va = a->squares / (a->count - 1) / a->count;
	double vb = b->squares / (b->count - 1) / b->count;

	return (a->mean - b->mean) / sqrt(va + vb + 1e-300);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Compares two numbers word by word, and stops at the first that differ. */
static void early_exit(struct ct_operands *o)
{
	size_t i;

	for (i = 0; i < o->n && o->a[i] == o->b[i]; i++)
		__asm__ volatile("" : : : "memory");
	o->r[0] = i;
}

static void measure(const struct ct_call *call)
{
	static cc_word a[8 * WORDS], b[8 * WORDS], m[8 * WORDS];
	static cc_word r[16 * WORDS], q[16 * WORDS];
	static double times[SAMPLES], sorted[SAMPLES];
	static unsigned char class[SAMPLES];
	struct ct_operands o = {.a = a, .b = b, .m = m, .n = WORDS, .r = r, .q = q};
	struct sample classes[2] = {{0, 0, 0}, {0, 0, 0}};
	size_t i, k, words = WORDS * call->lanes;
	double start;

	for (i = 0; i < SAMPLES; i++) {
		class[i] = random_word() >> 40 & 1;
		for (k = 0; k < words; k++) {
			cc_word x = (cc_word)random_word(), y = (cc_word)random_word();

			/* the fixed value: all zeros and ones, what a shortcut would like best */
			a[k] = class[i] ? x : 0;
			b[k] = class[i] ? y : 0;
			m[k] = ~(cc_word)0;
		}
		for (k = 0; k < words; k += WORDS)
			m[k] = call->shows == CT_EVEN ? ~(cc_word)0 << 3 : ~(cc_word)0;
		o.mask = class[i] ? ~(cc_word)0 : 0;
		o.count = class[i] ? (size_t)random_word() % (WORDS * CC_WORD_BITS) : 0;
		start = now();
		call->run(&o);
		times[i] = now() - start;
	}
	/* what was interrupted is neither's */
	memcpy(sorted, times, sizeof(times));
	qsort(sorted, SAMPLES, sizeof(*sorted), compare);
	for (i = SAMPLES / 10; i < SAMPLES; i++)
		if (times[i] <= sorted[SAMPLES * 9 / 10])
			add_sample(&classes[class[i]], times[i]);
	printf("%-24s %10.1f ns  t = %6.2f\n", call->name, sorted[SAMPLES / 2],
	       welch(&classes[0], &classes[1]));
}

int main(void)
{
	static const struct ct_call control = {"control: an early exit", early_exit, CT_NOTHING, 1};
	size_t i;

	printf("tier %s, %d words, %d calls each, the slowest tenth left out\n", cc_fz_tier(),
	       WORDS, SAMPLES);
	for (i = 0; i < ct_calls_count; i++)
		measure(&ct_calls[i]);
	measure(&control);
	return 0;
}
