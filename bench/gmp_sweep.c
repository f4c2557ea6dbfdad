// SPDX-License-Identifier: MIT
/*
 * gmp-sweep [--least N] [--most N] [--limit MS] [NAME...]: every function of GMP's that we have, on
 * numbers of N words, at sizes from the least to the most: the time that GMP's takes, alone in a
 * namespace of its own, and by it that of carrychain/gmp.h's and of the function that this program
 * gets from libgmp, which tools/gmp-sweep puts libcarrychain-gmp.so before.
 *
 * A row: the case, N, ns of GMP's, two ratios.  The least times of several rounds in turn count;
 * one that is slower is measured again, with its result elsewhere in memory: a short call takes
 * twice as long where a load's address is that of a store before it, but for the page.  Calls of
 * more than so many ms aren't made.
 *
 * A processor learns thousands of branches by heart.  What depends on the numbers' values by
 * branches is called with other numbers each time, or the times were those of a program that
 * computes one thing again and again.
 */
#include <carrychain/gmp.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gmp_sweep.h"

static const struct functions ours = {
#define OURS(name) name,
	NAMES(OURS)
#undef OURS
};
static struct functions gmp, interposed;

/* So many words of numbers that are varied, but not more sets than these. */
#define VARIED_WORDS 4096
#define SETS	     256

static struct operands sets[SETS];
static size_t sets_count;

struct operands *current = sets;

static void find(struct functions *into, void *library)
{
	void **place = (void **)into;

#define FIND(name)                                                                                 \
	*place = dlsym(library, "__g" #name);                                                      \
	if (!*place++) {                                                                           \
		fprintf(stderr, "gmp-sweep: libgmp has no " #name "\n");                           \
		exit(2);                                                                           \
	}
	NAMES(FIND)
#undef FIND
}

static void *reallocate(void *memory, size_t old_size, size_t size)
{
	(void)old_size;
	return realloc(memory, size);
}

static void release(void *memory, size_t size)
{
	(void)size;
	free(memory);
}

typedef void setter(void *(*)(size_t), void *(*)(void *, size_t, size_t), void (*)(void *, size_t));

static void use_malloc(void *library)
{
	setter *set;

	*(void **)&set = dlsym(library, "__gmp_set_memory_functions");
	set(malloc, reallocate, release);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* From the set of that number on. */
static double batch(const struct test *c, const struct functions *f, size_t times, size_t set)
{
	double start = now();
	size_t i;

	if (c->varied) {
		for (i = 0; i < times; i++) {
			current = sets + (set + i) % sets_count;
			c->run(f);
		}
	} else {
		for (i = 0; i < times; i++)
			c->run(f);
	}
	start = (now() - start) / (double)times;
	current = sets;
	return start;
}

static uint64_t state = 88172645463325252;

static cc_word word(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (cc_word)state;
}

static void put(mpz_ptr x, size_t n)
{
	mp_ptr words = mpz_limbs_write(x, (mp_size_t)n);
	size_t i;

	for (i = 0; i < n; i++)
		words[i] = word();
	words[n - 1] |= (cc_word)1 << (CC_WORD_BITS - 1);
	mpz_limbs_finish(x, (mp_size_t)n);
}

static void prepare_set(size_t n)
{
	o.n = (mp_size_t)n;
	put(o.a, n);
	put(o.b, n);
	o.b->_mp_d[n - 1] ^= word() >> 1;
	put(o.half, n / 2);
	put(o.few, 4);
	put(o.wide, 2 * n);
	o.b->_mp_d[0] |= 1;
	o.half->_mp_d[0] |= 1;
	mpz_mul(o.multiple, o.a, o.b);
	mpz_mul(o.square, o.half, o.half);
	mpz_set(o.same, o.a);
	mpz_neg(o.negative, o.b);
	mpz_mul_ui(o.by_word, o.a, 1234567891);
	put(o.r, 4 * n + 4);
	put(o.s, 4 * n + 4);
	put(o.t, 4 * n + 4);
	free(o.text);
	free(o.bytes);
	o.text = mpz_get_str(NULL, 10, o.a);
	o.bytes = malloc(8 * n + 64);
	memset(o.bytes, 1, 8 * n + 64);
	mpz_realloc2(o.r, (mp_bitcnt_t)(4 * n + 4) * GMP_LIMB_BITS);
	memcpy(o.room = realloc(o.room, (4 * n + 4) * sizeof(cc_word)), o.wide->_mp_d,
	       2 * n * sizeof(cc_word));
	o.room2 = realloc(o.room2, (4 * n + 4) * sizeof(cc_word));
	o.room3 = realloc(o.room3, (4 * n + 4) * sizeof(cc_word));
	mpz_set(o.base, o.a);
	mpz_fdiv_r(o.base, o.base, o.b);
}

static void prepare(size_t n)
{
	for (sets_count = 1; sets_count < SETS && 2 * sets_count * n <= VARIED_WORDS;)
		sets_count *= 2;
	for (current = sets; current < sets + sets_count; current++)
		prepare_set(n);
	current = sets;
}

/* Another place for what is written. */
static void move_results(size_t round)
{
	void *gap = malloc(round % 32 * 128 + 16);
	mpz_t fresh;

	for (current = sets; current < sets + sets_count; current++) {
		mpz_init2(fresh, (mp_bitcnt_t)(4 * o.n + 4) * GMP_LIMB_BITS);
		mpz_swap(o.r, fresh);
		mpz_clear(fresh);
	}
	current = sets;
	free(gap);
}

#define ROUNDS 7
#define MORE   60
#define SLOWER 1.03

static void least(double *best, double time)
{
	if (time < *best)
		*best = time;
}

static int measure(const struct test *c, double limit)
{
	const struct functions *const all[3] = {&gmp, &ours, &interposed};
	double best[3] = {1e18, 1e18, 1e18}, once;
	size_t times, round, k;

	for (k = 0; k < 3; k++)
		c->run(all[k]);
	once = batch(c, &gmp, 1, 0);
	if (once > limit)
		return 0;
	for (times = 1; times < 1 << 20 && once * (double)times < 3e4;) {
		times *= 2;
		once = batch(c, &gmp, times, 0);
	}
	/* of all sets, if that is not long */
	if (c->varied && times < sets_count && once * (double)sets_count < 3e6)
		times = sets_count;
	for (round = 0; round < ROUNDS + MORE; round++) {
		if (round >= ROUNDS && best[1] <= best[0] * SLOWER && best[2] <= best[0] * SLOWER)
			break;
		/* long calls are disturbed by less */
		if (round >= 2 * ROUNDS && once * (double)times > 1e7)
			break;
		if (round >= ROUNDS)
			move_results(round);
		for (k = 0; k < 3; k++)
			least(&best[(round + k) % 3],
			      batch(c, all[(round + k) % 3], times, round * times));
	}
	printf("%s %ld %.1f %.3f %.3f\n", c->name, (long)o.n, best[0], best[1] / best[0],
	       best[2] / best[0]);
	fflush(stdout);
	return 1;
}

static int named(const char *name, char **names)
{
	if (!*names)
		return 1;
	for (; *names; names++)
		if (!strcmp(name, *names))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	size_t smallest = 8, most = 1000000, n, i;
	double limit = 1e9;
	char *done;
	void *alone = dlmopen(LM_ID_NEWLM, "libgmp.so.10", RTLD_NOW);

	for (argv++, argc--; argc > 1 && argv[0][0] == '-'; argv += 2, argc -= 2) {
		if (!strcmp(*argv, "--least"))
			smallest = strtoul(argv[1], NULL, 10);
		else if (!strcmp(*argv, "--most"))
			most = strtoul(argv[1], NULL, 10);
		else
			limit = strtod(argv[1], NULL) * 1e6;
	}
	if (!alone || !dlopen("libgmp.so.10", RTLD_NOW | RTLD_GLOBAL)) {
		fprintf(stderr, "gmp-sweep: libgmp.so.10 is not here\n");
		return 2;
	}
	find(&gmp, alone);
	find(&interposed, RTLD_DEFAULT);
	use_malloc(alone);
	use_malloc(RTLD_DEFAULT);
	mp_set_memory_functions(malloc, reallocate, release);
	for (current = sets; current < sets + SETS; current++)
		mpz_inits(o.a, o.b, o.half, o.few, o.wide, o.multiple, o.square, o.same, o.negative,
			  o.by_word, o.r, o.s, o.t, o.base, NULL);
	done = calloc(1, tests_count);
	for (n = smallest; n <= most; n += n < 64 ? (n + 3) / 4 : n / 3) {
		prepare(n);
		for (i = 0; i < tests_count; i++)
			if (!done[i] && n <= tests[i].most && named(tests[i].name, argv))
				done[i] = !measure(&tests[i], limit);
	}
	free(done);
	return 0;
}
