// SPDX-License-Identifier: MIT
/*
 * What each _scratch() of limbs.h and natural.h promises: that it is enough, to the word, and never
 * less for a longer argument, the zero words at its top counted.  Lengths lie around every
 * threshold, as the tables have them, and their small multiples; of the arguments that begin with
 * zeros half are those for which fewest words are asked beside what their value needs.
 */
#include "natural.h"

#include "places.h"

#include "limbs/kernels.h"
#include "natural/places.h"
#include "natural/product.h"
#include "transform/transform.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define LONGEST	  8000
#define RESULTS	  2
#define ARGUMENTS 2

/* The lengths of the arguments, and the radix of digits. */
struct shape {
	size_t n[ARGUMENTS];
	unsigned int radix;
};

struct function {
	const char *name;
	unsigned int arguments;
	size_t most;
	size_t (*scratch)(const struct shape *s);
	/* results of a[s->n[0]] and b[s->n[1]]; the words that count, in both, are returned */
	void (*run)(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		    size_t *rn);
	bool zeros[ARGUMENTS]; /* which arguments may begin with zeros */
};

static cc_word *value[ARGUMENTS], *want[RESULTS], *work;

static size_t a_threshold(void)
{
	const size_t more[] = {cc_natural_transform_mul(), cc_natural_transform_sqr(),
			       CC_TRANSFORM_LEAST, CC_PLACES_LEAST};
	const size_t count = sizeof(struct cc_thresholds) / sizeof(size_t);
	size_t i = random_below(count + COUNT(more));

	return i < count ? ((const size_t *)cc_thresholds())[i] : more[i - count];
}

static size_t any_length(size_t most)
{
	size_t n = random_below((most >> random_below(8)) + 1);

	if (random_below(3))
		n = a_threshold() * (1 + random_below(6)) + random_below(9) - 4;
	return n <= most ? n : random_below(most + 1);
}

/* --- the functions --------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* What it promises for arguments of n[] words, and its call. */
#define FUNCTION(name, words, ...)                                                                 \
	static size_t name##_scratch(const struct shape *s)                                        \
	{                                                                                          \
		const size_t *n = s->n;                                                            \
                                                                                                   \
		return words;                                                                      \
	}                                                                                          \
	static void name(const struct shape *s, cc_word *const *a, cc_word *scratch,               \
			 cc_word *const *r, size_t *rn)                                            \
	{                                                                                          \
		const size_t *n = s->n;                                                            \
                                                                                                   \
		__VA_ARGS__;                                                                       \
	}

FUNCTION(limbs_mul, cc_limbs_mul_scratch(n[0], n[1]),
	 cc_limbs_mul(r[0], a[0], n[0], a[1], n[1], scratch), rn[0] = n[0] + n[1])
FUNCTION(limbs_sqr, cc_limbs_sqr_scratch(n[0]), cc_limbs_sqr(r[0], a[0], n[0], scratch),
	 rn[0] = 2 * n[0])
FUNCTION(mul, cc_natural_mul_scratch(n[0], n[1]),
	 cc_natural_mul(r[0], a[0], n[0], a[1], n[1], scratch), rn[0] = n[0] + n[1])
FUNCTION(sqr, cc_natural_sqr_scratch(n[0]), cc_natural_sqr(r[0], a[0], n[0], scratch),
	 rn[0] = 2 * n[0])
FUNCTION(gcd, cc_natural_gcd_scratch(n[0], n[1]),
	 rn[0] = cc_natural_gcd(r[0], a[0], n[0], a[1], n[1], scratch))

/* The divisor and a cofactor, from which the other one follows. */
static size_t gcdext_scratch(const struct shape *s)
{
	return cc_natural_gcdext_scratch(s->n[0], s->n[1]);
}

static void gcdext(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		   size_t *rn)
{
	cc_word *x = malloc(larger(s->n[1], 1) * sizeof(*x));
	int negative;

	rn[0] = cc_natural_gcdext(r[0], x, r[1], &negative, a[0], s->n[0], a[1], s->n[1], scratch);
	rn[1] = larger(s->n[0], 1);
	free(x);
}

/* Only a modulus that is not 0 has inverses. */
static size_t invert_scratch(const struct shape *s)
{
	return cc_natural_invert_scratch(s->n[0], s->n[1]);
}

static void invert(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		   size_t *rn)
{
	if (!cc_limbs_normalise(a[1], s->n[1]))
		return;
	r[1][0] = (cc_word)cc_natural_invert(r[0], a[0], s->n[0], a[1], s->n[1], scratch);
	rn[0] = s->n[1];
	rn[1] = 1;
}

FUNCTION(jacobi, cc_natural_jacobi_scratch(n[0], n[1]),
	 r[0][0] = (cc_word)(1 + cc_natural_jacobi(a[0], n[0], a[1], n[1], scratch)), rn[0] = 1)

/* The exponent is a word, and a modulus not 0. */
static size_t powm_scratch(const struct shape *s)
{
	return cc_natural_powm_scratch(s->n[0], 1, s->n[1]);
}

static void powm(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		 size_t *rn)
{
	cc_word e = s->radix;

	if (!cc_limbs_normalise(a[1], s->n[1]))
		return;
	cc_natural_powm(r[0], a[0], s->n[0], &e, 1, a[1], s->n[1], scratch);
	rn[0] = s->n[1];
}

/* The degree is the radix less 1. */
static void root(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		 size_t *rn)
{
	cc_word k = s->radix - 1;

	cc_natural_root(r[0], r[1], a[0], s->n[0], k, scratch);
	rn[0] = (s->n[0] + (size_t)k - 1) / (size_t)k;
	rn[1] = s->n[0];
}

static size_t root_scratch(const struct shape *s)
{
	return cc_natural_root_scratch(s->n[0]);
}

FUNCTION(is_square, cc_natural_is_square_scratch(n[0]),
	 r[0][0] = (cc_word)cc_natural_is_square(a[0], n[0], scratch), rn[0] = 1)
FUNCTION(is_power, cc_natural_is_power_scratch(n[0]),
	 r[0][0] = (cc_word)cc_natural_is_power(a[0], n[0], scratch), rn[0] = 1)

/* Of a number that is not 0, a factor above 1. */
static size_t remove_scratch(const struct shape *s)
{
	return cc_natural_remove_scratch(s->n[0], s->n[1]);
}

static void removed(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		    size_t *rn)
{
	size_t fn = cc_limbs_normalise(a[1], s->n[1]);

	if (!cc_limbs_normalise(a[0], s->n[0]) || !fn || (fn == 1 && a[1][0] == 1))
		return;
	r[1][0] = cc_natural_remove(r[0], a[0], s->n[0], a[1], s->n[1], scratch);
	rn[0] = s->n[0];
	rn[1] = 1;
}

/* It has no quotient where the divisor is longer, or of no words. */
static size_t divrem_scratch(const struct shape *s)
{
	return s->n[1] ? cc_natural_divrem_scratch(larger(s->n[0], s->n[1]), s->n[1]) : 0;
}

static void divrem(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		   size_t *rn)
{
	if (s->n[0] < s->n[1] || !s->n[1])
		return;
	cc_natural_divrem(r[0], r[1], a[0], s->n[0], a[1], s->n[1], scratch);
	rn[0] = s->n[0] - s->n[1] + 1;
	rn[1] = s->n[1];
}

/* The same shapes; natural_exact.c compares quotients. */
static size_t divexact_scratch(const struct shape *s)
{
	return s->n[1] ? cc_natural_divexact_scratch(larger(s->n[0], s->n[1]), s->n[1]) : 0;
}

static void divexact(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		     size_t *rn)
{
	if (s->n[0] < s->n[1] || !s->n[1])
		return;
	/* any number will do, as long as it is written where it belongs */
	cc_natural_divexact(r[0], a[0], s->n[0], a[1], s->n[1], scratch);
	rn[0] = 0;
}

static size_t isqrt_scratch(const struct shape *s)
{
	return s->n[0] ? cc_natural_isqrt_scratch(s->n[0]) : 0;
}

static void isqrt(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		  size_t *rn)
{
	if (!s->n[0])
		return;
	rn[1] = cc_natural_isqrt(r[0], r[1], a[0], s->n[0], scratch);
	rn[0] = (s->n[0] + 1) / 2;
}

static size_t to_digits_scratch(const struct shape *s)
{
	return cc_natural_to_digits_scratch(s->n[0], s->radix);
}

/* The digits as words, so that all results are. */
static void to_digits(const struct shape *s, cc_word *const *a, cc_word *scratch, cc_word *const *r,
		      size_t *rn)
{
	size_t count = cc_natural_to_digits((char *)r[0], a[0], s->n[0], s->radix, scratch, NULL);

	rn[0] = (count + sizeof(cc_word) - 1) / sizeof(cc_word);
	memset((char *)r[0] + count, 0, rn[0] * sizeof(cc_word) - count);
}

/* The argument's bytes as digits, a zero word the digits 0. */
static size_t from_digits_scratch(const struct shape *s)
{
	return cc_natural_from_digits_scratch(s->n[0] * sizeof(cc_word), s->radix);
}

static void from_digits(const struct shape *s, cc_word *const *a, cc_word *scratch,
			cc_word *const *r, size_t *rn)
{
	size_t count = s->n[0] * sizeof(cc_word), i;
	char *digits = malloc(count + 1);

	for (i = 0; i < count; i++) {
		unsigned int byte = (unsigned int)(a[0][s->n[0] - 1 - i / sizeof(cc_word)] >>
						   8 * (i % sizeof(cc_word))) %
				    256;

		digits[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[byte % s->radix];
	}
	rn[0] = cc_natural_from_digits(r[0], digits, count, s->radix, scratch);
	free(digits);
}

static const struct function functions[] = {
	{"cc_limbs_mul", 2, LONGEST / 2, limbs_mul_scratch, limbs_mul, {true, true}},
	{"cc_limbs_sqr", 1, LONGEST / 2, limbs_sqr_scratch, limbs_sqr, {true}},
	{"cc_natural_mul", 2, LONGEST, mul_scratch, mul, {true, true}},
	{"cc_natural_sqr", 1, LONGEST, sqr_scratch, sqr, {true}},
	{"cc_natural_divrem", 2, LONGEST, divrem_scratch, divrem, {true, false}},
	{"cc_natural_isqrt", 1, LONGEST, isqrt_scratch, isqrt, {false}},
	{"cc_natural_root", 1, LONGEST / 2, root_scratch, root, {true}},
	{"cc_natural_is_square", 1, LONGEST, is_square_scratch, is_square, {true}},
	{"cc_natural_is_power", 1, LONGEST / 8, is_power_scratch, is_power, {true}},
	{"cc_natural_remove", 2, LONGEST / 2, remove_scratch, removed, {true, true}},
	{"cc_natural_divexact", 2, LONGEST, divexact_scratch, divexact, {true, false}},
	{"cc_natural_gcd", 2, LONGEST, gcd_scratch, gcd, {true, true}},
	{"cc_natural_gcdext", 2, LONGEST, gcdext_scratch, gcdext, {true, true}},
	{"cc_natural_invert", 2, LONGEST, invert_scratch, invert, {true, true}},
	{"cc_natural_powm", 2, LONGEST / 4, powm_scratch, powm, {true, true}},
	{"cc_natural_jacobi", 2, LONGEST, jacobi_scratch, jacobi, {true, true}},
	{"cc_natural_to_digits", 1, LONGEST / 4, to_digits_scratch, to_digits, {true}},
	{"cc_natural_from_digits", 1, LONGEST / 4, from_digits_scratch, from_digits, {true}},
};

/* --- the promises ---------------------------------------------------------- */

static struct shape any_shape(const struct function *f, size_t most)
{
	struct shape s = {{any_length(most), 0}, 2 + (unsigned int)random_below(35)};

	if (f->arguments == 2)
		s.n[1] = any_length(f->run == divrem || f->run == divexact ? s.n[0] : most);
	return s;
}

/* The same, shorter where it may begin with zeros. */
static struct shape any_value(const struct function *f, const struct shape *s)
{
	struct shape v = *s;
	unsigned int i;

	for (i = 0; i < f->arguments; i++) {
		size_t length = any_length(s->n[i]);

		if (f->zeros[i] && (i || random_below(2) || f->arguments == 1))
			v.n[i] = random_below(8) ? length : 0;
	}
	return v;
}

static void check_shorter(const struct function *f)
{
	struct shape s = any_shape(f, 4 * LONGEST), shorter = s;

	shorter.n[0] = any_length(s.n[0]);
	shorter.n[1] = any_length(s.n[1]);
	test_sizes(s.n[0], s.n[1], s.radix);
	CHECK(f->scratch(&shorter) <= f->scratch(&s), "%zu by %zu take more", shorter.n[0],
	      shorter.n[1]);
}

static void check_run(const struct function *f, const struct shape *s, const struct shape *v)
{
	cc_word *a[ARGUMENTS], *r[RESULTS], *stripped[ARGUMENTS];
	size_t rn[RESULTS] = {0, 0}, wanted[RESULTS] = {0, 0},
	       most = s->n[0] + larger(s->n[0], s->n[1]) + 1, i;

	test_sizes(s->n[0], s->n[1], s->radix);
	for (i = 0; i < ARGUMENTS; i++) {
		a[i] = place(FIRST + i, NULL, s->n[i]);
		memset(a[i], 0, s->n[i] * sizeof(cc_word));
		random_words(a[i], v->n[i]);
		while (v->n[i] && !a[i][v->n[i] - 1])
			a[i][v->n[i] - 1] = random_edge_word();
		stripped[i] = value[i];
		memcpy(stripped[i], a[i], s->n[i] * sizeof(cc_word));
	}
	if (f->run == to_digits)
		most = cc_natural_digits_max(s->n[0], s->radix) / sizeof(cc_word) + 1;
	if (f->run == from_digits)
		most = cc_natural_from_digits_max(s->n[0] * sizeof(cc_word), s->radix);
	for (i = 0; i < RESULTS; i++)
		r[i] = place(RESULT + i, NULL, most);
	f->run(s, a, place(SCRATCH, NULL, f->scratch(s)), r, rn);
	check_guards();
	if (test_case_failed())
		return;
	/* of the value alone, with room enough whatever is asked for */
	f->run(f->run == divrem || f->run == divexact ? s : v, stripped, work, want, wanted);
	for (i = 0; i < RESULTS; i++) {
		size_t n = cc_limbs_normalise(r[i], rn[i]);

		CHECK(n == cc_limbs_normalise(want[i], wanted[i]) &&
			      !memcmp(r[i], want[i], n * sizeof(cc_word)),
		      "another result than without zeros at the top");
	}
}

/* Words that the zeros add to what is asked for. */
static ptrdiff_t room_to_spare(const struct function *f, const struct shape *s,
			       const struct shape *value_of)
{
	return (ptrdiff_t)f->scratch(s) - (ptrdiff_t)f->scratch(value_of);
}

#define CANDIDATES 1000

static void check_enough(const struct function *f, bool tight)
{
	struct shape s = any_shape(f, f->most), v = any_value(f, &s), other, its;
	size_t i;

	for (i = 0; tight && i < CANDIDATES; i++) {
		other = any_shape(f, f->most);
		its = any_value(f, &other);
		if (room_to_spare(f, &other, &its) < room_to_spare(f, &s, &v)) {
			s = other;
			v = its;
		}
	}
	check_run(f, &s, &v);
}

void natural_scratch(const char *tier)
{
	size_t i, round;

	for (i = 0; i < ARGUMENTS; i++)
		value[i] = malloc(LONGEST * sizeof(cc_word));
	/* digits in radix 2 are the longest */
	for (i = 0; i < RESULTS; i++)
		want[i] = malloc((size_t)LONGEST / 4 * CC_WORD_BITS + 64);
	work = malloc((size_t)64 * LONGEST * sizeof(cc_word));
	for (i = 0; i < COUNT(functions); i++) {
		begin(tier, functions[i].name);
		for (round = 0; round < 2000; round++)
			check_shorter(&functions[i]);
		for (round = 0; round < test_scaled(100); round++)
			check_enough(&functions[i], round & 1);
	}
	free(work);
	for (i = 0; i < RESULTS; i++)
		free(want[i]);
	for (i = 0; i < ARGUMENTS; i++)
		free(value[i]);
}
