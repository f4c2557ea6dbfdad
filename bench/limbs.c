// SPDX-License-Identifier: MIT
/* Vectors of words against GMP's mpn layer, each through its public functions. */
#include <carrychain/limbs.h>
#include <carrychain/natural.h>
#include <gmp.h>
#include <stdlib.h>

#include "bench.h"

#define SIZE_MAX_WORDS 4096

/* Operands a, b of n words (a of 2n for the division), results r and q. */
struct work {
	cc_word *r, *q, *a, *b, *scratch;
	size_t n;
};

#define LOOP(name, call)                                                                           \
	static void name(void *context, size_t rounds)                                             \
	{                                                                                          \
		const struct work *w = context;                                                    \
		cc_word *r = w->r, *q = w->q, *a = w->a, *b = w->b;                                \
		size_t n = w->n;                                                                   \
                                                                                                   \
		(void)q;                                                                           \
		(void)b;                                                                           \
		while (rounds--) {                                                                 \
			call;                                                                      \
			cc_bench_barrier();                                                        \
		}                                                                                  \
	}

/* One word and one shift for all: neither's time depends on them. */
#define WORD  0xb504f333f9de6485
#define COUNT 23

LOOP(our_add, cc_limbs_add(r, a, b, n))
LOOP(gmp_add, mpn_add_n(r, a, b, (mp_size_t)n))
LOOP(our_sub, cc_limbs_sub(r, a, b, n))
LOOP(gmp_sub, mpn_sub_n(r, a, b, (mp_size_t)n))
LOOP(our_mul_1, cc_limbs_mul_1(r, a, n, WORD))
LOOP(gmp_mul_1, mpn_mul_1(r, a, (mp_size_t)n, WORD))
LOOP(our_addmul_1, cc_limbs_addmul_1(r, a, n, WORD))
LOOP(gmp_addmul_1, mpn_addmul_1(r, a, (mp_size_t)n, WORD))
LOOP(our_submul_1, cc_limbs_submul_1(r, a, n, WORD))
LOOP(gmp_submul_1, mpn_submul_1(r, a, (mp_size_t)n, WORD))
LOOP(our_lshift, cc_limbs_lshift(r, a, n, COUNT))
LOOP(gmp_lshift, mpn_lshift(r, a, (mp_size_t)n, COUNT))
LOOP(our_rshift, cc_limbs_rshift(r, a, n, COUNT))
LOOP(gmp_rshift, mpn_rshift(r, a, (mp_size_t)n, COUNT))
LOOP(our_mul, cc_limbs_mul(r, a, n, b, n, w->scratch))
LOOP(gmp_mul, mpn_mul_n(r, a, b, (mp_size_t)n))
LOOP(our_sqr, cc_limbs_sqr(r, a, n, w->scratch))
LOOP(gmp_sqr, mpn_sqr(r, a, (mp_size_t)n))
LOOP(our_divrem, cc_natural_divrem(q, r, a, 2 * n, b, n, w->scratch))
LOOP(gmp_divrem, mpn_tdiv_qr(q, r, 0, a, (mp_size_t)(2 * n), b, (mp_size_t)n))

static const size_t linear[] = {4, 8, 16, 32, 64, 256, 1024, 4096};
static const size_t product[] = {4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256};
static const size_t quotient[] = {4, 8, 16, 32, 64, 128, 256};

#define SIZES(list) list, sizeof(list) / sizeof(*(list))

static const struct {
	const char *name, *peer;
	cc_bench_fn *ours, *theirs;
	const size_t *sizes;
	size_t count;
} cases[] = {
	{"add", "mpn_add_n", our_add, gmp_add, SIZES(linear)},
	{"sub", "mpn_sub_n", our_sub, gmp_sub, SIZES(linear)},
	{"mul_1", "mpn_mul_1", our_mul_1, gmp_mul_1, SIZES(linear)},
	{"addmul_1", "mpn_addmul_1", our_addmul_1, gmp_addmul_1, SIZES(linear)},
	{"submul_1", "mpn_submul_1", our_submul_1, gmp_submul_1, SIZES(linear)},
	{"lshift", "mpn_lshift", our_lshift, gmp_lshift, SIZES(linear)},
	{"rshift", "mpn_rshift", our_rshift, gmp_rshift, SIZES(linear)},
	{"mul", "mpn_mul_n", our_mul, gmp_mul, SIZES(product)},
	{"sqr", "mpn_sqr", our_sqr, gmp_sqr, SIZES(product)},
	{"divrem", "mpn_tdiv_qr", our_divrem, gmp_divrem, SIZES(quotient)},
};

static size_t larger(size_t x, size_t y)
{
	return x > y ? x : y;
}

void cc_bench_limbs(void)
{
	size_t vector = 2 * SIZE_MAX_WORDS * sizeof(cc_word), scratch = 0, c, s;
	struct work w = {
		.r = cc_bench_alloc(vector),
		.q = cc_bench_alloc(vector),
		.a = cc_bench_alloc(vector),
		.b = cc_bench_alloc(vector),
	};

	for (s = 0; s < sizeof(product) / sizeof(*product); s++) {
		scratch = larger(scratch, cc_limbs_mul_scratch(product[s], product[s]));
		scratch = larger(scratch, cc_limbs_sqr_scratch(product[s]));
	}
	for (s = 0; s < sizeof(quotient) / sizeof(*quotient); s++)
		scratch = larger(scratch, cc_natural_divrem_scratch(2 * quotient[s], quotient[s]));
	w.scratch = cc_bench_alloc(scratch * sizeof(cc_word));
	cc_bench_random(w.a, vector);
	cc_bench_random(w.b, vector);
	for (c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		for (s = 0; s < cases[c].count; s++) {
			w.n = cases[c].sizes[s];
			w.b[w.n - 1] |= 1;
			cc_bench_pair(cases[c].name, w.n, cc_limbs_tier(), cases[c].peer,
				      cases[c].ours, cases[c].theirs, &w);
		}
	}
	free(w.r);
	free(w.q);
	free(w.a);
	free(w.b);
	free(w.scratch);
}
