// SPDX-License-Identifier: MIT
/*
 * mpz_ functions beside GMP's: random numbers of every sign and of up to 400 words, and results in
 * the place of any argument.  After each call all numbers are compared, and what it returns.
 */
#include "calls.h"
#include "harness.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Three results and three that are read at most. */
#define NUMBERS 6

extern __typeof__(cc_mpz_init) __gmpz_init;
extern __typeof__(cc_mpz_clear) __gmpz_clear;
extern __typeof__(cc_mpz_limbs_write) __gmpz_limbs_write;
extern __typeof__(cc_mpz_limbs_finish) __gmpz_limbs_finish;
extern __typeof__(cc_mpz_gcd) __gmpz_gcd;
extern __typeof__(cc_mpz_cmp_ui) __gmpz_cmp_ui;

struct side {
	mpz_t number[NUMBERS];
	unsigned long answer;
};

struct arguments {
	/* which number each is */
	unsigned int results[3], read[3];
	unsigned long u[2];
	long l;
};

static struct side ours, theirs;

static int results_of(enum shape shape)
{
	switch (shape) {
	case V_RRRzz:
		return 3;
	case V_RRzz:
	case V_RRz:
	case V_RRu:
	case V_RRzu:
	case U_RRzu:
		return 2;
	case U_zu:
	case U_zz:
	case U_z:
	case L_z:
	case I_z:
	case I_zu:
	case I_zl:
	case I_uz:
	case I_lz:
	case I_zz:
	case I_zzz:
	case I_zzu:
	case I_zuu:
		return 0;
	default:
		return 1;
	}
}

static int read_by(enum shape shape)
{
	switch (shape) {
	case V_Rzzz:
	case I_zzz:
		return 3;
	case V_Rzz:
	case V_RRzz:
	case V_Rzuz:
	case V_RRRzz:
	case U_Rzz:
	case U_zz:
	case I_Rzz:
	case I_zz:
	case I_zzu:
		return 2;
	case V_Ru:
	case V_Rl:
	case V_Ruu:
	case V_RRu:
		return 0;
	default:
		return 1;
	}
}

#define AS(type, ...) ((type(*)(__VA_ARGS__))f)

static unsigned long invoke(any_function *f, enum shape shape, struct side *s,
			    const struct arguments *a)
{
	mpz_ptr R = s->number[a->results[0]], S = s->number[a->results[1]],
		T = s->number[a->results[2]];
	mpz_srcptr x = s->number[a->read[0]], y = s->number[a->read[1]], z = s->number[a->read[2]];
	unsigned long u = a->u[0], v = a->u[1];

	switch (shape) {
	case V_Rzz:
		AS(void, mpz_ptr, mpz_srcptr, mpz_srcptr)(R, x, y);
		return 0;
	case V_Rzu:
		AS(void, mpz_ptr, mpz_srcptr, unsigned long)(R, x, u);
		return 0;
	case V_Ruz:
		AS(void, mpz_ptr, unsigned long, mpz_srcptr)(R, u, x);
		return 0;
	case V_Rzl:
		AS(void, mpz_ptr, mpz_srcptr, long)(R, x, a->l);
		return 0;
	case V_Rz:
		AS(void, mpz_ptr, mpz_srcptr)(R, x);
		return 0;
	case V_Ru:
		AS(void, mpz_ptr, unsigned long)(R, u);
		return 0;
	case V_Rl:
		AS(void, mpz_ptr, long)(R, a->l);
		return 0;
	case V_Ruu:
		AS(void, mpz_ptr, unsigned long, unsigned long)(R, v, u);
		return 0;
	case V_RRzz:
		AS(void, mpz_ptr, mpz_ptr, mpz_srcptr, mpz_srcptr)(R, S, x, y);
		return 0;
	case V_RRz:
		AS(void, mpz_ptr, mpz_ptr, mpz_srcptr)(R, S, x);
		return 0;
	case V_RRu:
		AS(void, mpz_ptr, mpz_ptr, unsigned long)(R, S, u);
		return 0;
	case V_RRzu:
		AS(void, mpz_ptr, mpz_ptr, mpz_srcptr, unsigned long)(R, S, x, u);
		return 0;
	case V_Rzzz:
		AS(void, mpz_ptr, mpz_srcptr, mpz_srcptr, mpz_srcptr)(R, x, y, z);
		return 0;
	case V_Rzuz:
		AS(void, mpz_ptr, mpz_srcptr, unsigned long, mpz_srcptr)(R, x, v, y);
		return 0;
	case V_RRRzz:
		AS(void, mpz_ptr, mpz_ptr, mpz_ptr, mpz_srcptr, mpz_srcptr)(R, S, T, x, y);
		return 0;
	case U_Rzu:
		return AS(unsigned long, mpz_ptr, mpz_srcptr, unsigned long)(R, x, u);
	case U_RRzu:
		return AS(unsigned long, mpz_ptr, mpz_ptr, mpz_srcptr, unsigned long)(R, S, x, u);
	case U_Rzz:
		return AS(unsigned long, mpz_ptr, mpz_srcptr, mpz_srcptr)(R, x, y);
	case U_zu:
		return AS(unsigned long, mpz_srcptr, unsigned long)(x, u);
	case U_zz:
		return AS(unsigned long, mpz_srcptr, mpz_srcptr)(x, y);
	case U_z:
		return AS(unsigned long, mpz_srcptr)(x);
	case L_z:
		return (unsigned long)AS(long, mpz_srcptr)(x);
	case I_Rzz:
		return (unsigned long)AS(int, mpz_ptr, mpz_srcptr, mpz_srcptr)(R, x, y);
	case I_Rzu:
		return (unsigned long)AS(int, mpz_ptr, mpz_srcptr, unsigned long)(R, x, u);
	case I_z:
		return (unsigned long)AS(int, mpz_srcptr)(x);
	case I_zu:
		return (unsigned long)AS(int, mpz_srcptr, unsigned long)(x, u);
	case I_zl:
		return (unsigned long)AS(int, mpz_srcptr, long)(x, a->l);
	case I_uz:
		return (unsigned long)AS(int, unsigned long, mpz_srcptr)(u, x);
	case I_lz:
		return (unsigned long)AS(int, long, mpz_srcptr)(a->l, x);
	case I_zz:
		return (unsigned long)AS(int, mpz_srcptr, mpz_srcptr)(x, y);
	case I_zzz:
		return (unsigned long)AS(int, mpz_srcptr, mpz_srcptr, mpz_srcptr)(x, y, z);
	case I_zzu:
		return (unsigned long)AS(int, mpz_srcptr, mpz_srcptr, unsigned long)(x, y, u);
	case I_zuu:
		return (unsigned long)AS(int, mpz_srcptr, unsigned long, unsigned long)(x, v, u);
	}
	abort();
}

/* The same number on both sides, each in memory of its own. */
static void put(unsigned int which, const cc_word *words, size_t n, int negative)
{
	mp_size_t size = negative ? -(mp_size_t)n : (mp_size_t)n;

	memcpy(mpz_limbs_write(ours.number[which], (mp_size_t)n + 1), words, n * sizeof(*words));
	mpz_limbs_finish(ours.number[which], size);
	memcpy(__gmpz_limbs_write(theirs.number[which], (mp_size_t)n + 1), words,
	       n * sizeof(*words));
	__gmpz_limbs_finish(theirs.number[which], size);
}

/* Ours has changed. */
static void again(unsigned int which)
{
	size_t n = mpz_size(ours.number[which]);
	cc_word *words = malloc((n + 1) * sizeof(*words));

	memcpy(words, ours.number[which]->_mp_d, n * sizeof(*words));
	put(which, words, n, mpz_sgn(ours.number[which]) < 0);
	free(words);
}

static size_t any_length(size_t most)
{
	size_t few = most < 5 ? most : 5;

	switch (random_below(8)) {
	case 0:
		return random_below(most + 1);
	case 1:
		return random_below((most < 40 ? most : 40) + 1);
	default:
		return random_below(few + 1);
	}
}

static void any_number(unsigned int which, size_t most)
{
	cc_word words[1024];
	size_t n = any_length(most);

	random_words(words, n);
	put(which, words, n, (int)random_below(2));
}

static void make_not_0(unsigned int which)
{
	cc_word word = 1 + random_word() / 2;

	if (!ours.number[which]->_mp_size)
		put(which, &word, 1, (int)random_below(2));
}

/* What the call asks for, or, where its arguments are one number, another try. */
static bool prepare(const struct call *c, struct arguments *a)
{
	int last = read_by(c->shape) - 1;
	unsigned int x = a->read[0], y = last < 0 ? 0 : a->read[last];

	if (c->needs & BITS)
		a->u[0] = random_below(random_below(2) ? 70 : c->most * 70 + 200);
	if (c->needs & SMALL) {
		a->u[0] = random_below(random_below(4) ? 20 : 400);
		/* longer than what is made on the stack */
		if ((c->shape == V_Ru || c->shape == V_RRu) && !random_below(16))
			a->u[0] = random_below(6000);
		if (c->shape == V_Ruu && random_below(2))
			a->u[1] = random_below(3000);
		if (c->needs & NOT_0)
			a->u[1] = random_below(random_below(2) ? 30 : 3000);
	}
	if (c->needs & (NOT_0 | FACTOR)) {
		a->u[0] += !a->u[0];
		if (last >= 0)
			make_not_0(y);
	}
	if (c->needs & FACTOR && mpz_cmpabs_ui(ours.number[y], 1) <= 0)
		return false;
	if (c->needs & MULTIPLE && random_below(4)) {
		if (last == 0) {
			mpz_mul_ui(ours.number[x], ours.number[x], a->u[0]);
		} else if (x != y) {
			unsigned long times = c->needs & FACTOR ? random_below(10) : 1;

			while (times--)
				mpz_mul(ours.number[x], ours.number[x], ours.number[y]);
		}
		again(x);
	} else if (c->needs & MULTIPLE && !(c->needs & (TRUTH | FACTOR))) {
		return x == y && last > 0;
	}
	if (c->needs & SQUARE && random_below(2)) {
		mpz_t root;

		mpz_init_set(root, ours.number[x]);
		mpz_mul(ours.number[x], root, root);
		/* y^2 - 1 to y^2 + 1, or (y + 1)^2 - 1 */
		if (!random_below(4))
			mpz_addmul_ui(ours.number[x], root, 2);
		else
			mpz_add_ui(ours.number[x], ours.number[x], random_below(2));
		if (mpz_sgn(ours.number[x]) > 0)
			mpz_sub_ui(ours.number[x], ours.number[x], random_below(2));
		mpz_clear(root);
		again(x);
	}
	if (c->needs & POSITIVE && mpz_sgn(ours.number[x]) < 0) {
		mpz_neg(ours.number[x], ours.number[x]);
		again(x);
	}
	if (c->needs & ROOT) {
		a->u[0] = 1 + random_below(random_below(2) ? 5 : 200);
		if (random_below(2) && x != a->results[0]) {
			mpz_pow_ui(ours.number[x], ours.number[x], a->u[0] % 8);
			again(x);
		}
		a->u[0] |= mpz_sgn(ours.number[x]) < 0;
	}
	if (c->needs & SEC) {
		mpz_ptr e = ours.number[a->read[1]];

		mpz_abs(e, e);
		if (!random_below(8))
			mpz_set_ui(e, 0);
		again(a->read[1]);
		mpz_setbit(ours.number[y], 0);
		again(y);
	}
	if (c->needs & POWER) {
		make_not_0(y);
		if (mpz_sgn(ours.number[a->read[1]]) < 0) {
			mpz_t g;

			__gmpz_init(g);
			__gmpz_gcd(g, theirs.number[x], theirs.number[y]);
			last = __gmpz_cmp_ui(g, 1);
			__gmpz_clear(g);
			if (last)
				return false;
		}
	}
	return true;
}

static unsigned long shown(unsigned long answer, int needs)
{
	if (needs & TRUTH)
		return answer != 0;
	if (needs & SIGN)
		return (int)answer < 0 ? 2 : (int)answer > 0;
	return answer;
}

static bool same(mpz_srcptr x, mpz_srcptr y)
{
	return x->_mp_size == y->_mp_size &&
	       !memcmp(x->_mp_d, y->_mp_d, mpz_size(x) * sizeof(mp_limb_t)) &&
	       mpz_size(x) <= (size_t)x->_mp_alloc;
}

static void tighten(mpz_ptr x)
{
	_mpz_realloc(x, (mp_size_t)mpz_size(x));
}

static void check(const struct call *c)
{
	int results = results_of(c->shape), i;
	struct arguments a;
	unsigned long one, other;

	/* the results are three different ones; what is read may be any */
	a.results[0] = (unsigned int)random_below(NUMBERS);
	a.results[1] = (a.results[0] + 1 + (unsigned int)random_below(2)) % NUMBERS;
	a.results[2] = (a.results[0] + 3 + (unsigned int)random_below(2)) % NUMBERS;
	for (i = 0; i < 3; i++)
		a.read[i] = (unsigned int)random_below(NUMBERS);
	if (random_below(4) == 0)
		a.read[0] = a.results[random_below((size_t)results + 1) % 3];
	/* the others are what earlier calls have left */
	for (i = 0; i < read_by(c->shape); i++)
		any_number(a.read[i], c->most);
	for (i = 0; i < 2; i++)
		a.u[i] = random_edge_word() >> random_below(64);
	a.l = (long)(random_edge_word() >> random_below(64));
	if (random_below(2))
		a.l = ~a.l;
	if (!prepare(c, &a))
		return;
	/* no room but that of the value */
	if (!random_below(4))
		for (i = 0; i < results; i++)
			tighten(ours.number[a.results[i]]);
	test_sizes(mpz_size(ours.number[a.read[0]]), mpz_size(ours.number[a.read[1]]), a.u[0]);
	one = invoke(c->ours, c->shape, &ours, &a);
	other = invoke(c->theirs, c->shape, &theirs, &a);
	CHECK(shown(one, c->needs) == shown(other, c->needs), "%s returns %lu, GMP's %lu", c->name,
	      one, other);
	if (c->needs & MAYBE && !other)
		return;
	for (i = 0; i < NUMBERS; i++)
		CHECK(same(ours.number[i], theirs.number[i]),
		      "%s: number %d differs; results %u %u %u, read %u %u %u, u %lu %lu, l %ld",
		      c->name, i, a.results[0], a.results[1], a.results[2], a.read[0], a.read[1],
		      a.read[2], a.u[0], a.u[1], a.l);
}

int main(int argc, char **argv)
{
	size_t i, rounds;
	int n;

	test_begin(argc, argv);
	for (n = 0; n < NUMBERS; n++) {
		mpz_init(ours.number[n]);
		__gmpz_init(theirs.number[n]);
	}
	for (i = 0; i < mpz_calls_count; i++) {
		test_case(NULL, mpz_calls[i].name);
		for (rounds = test_scaled(4000); rounds-- && !test_case_failed();)
			check(&mpz_calls[i]);
	}
	for (n = 0; n < NUMBERS; n++) {
		mpz_clear(ours.number[n]);
		__gmpz_clear(theirs.number[n]);
	}
	return test_end();
}
