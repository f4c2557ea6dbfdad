// SPDX-License-Identifier: MIT
/*
 * Every kernel on words: all lengths to 70 and some beyond, at each end of guarded
 * memory, aligned in every way, aliased in every way that limbs.h allows.  Short ones are
 * placed in all ways that there are, the others in ways that are drawn.
 */
#include "limbs_kernels.h"

#include "places.h"
#include "reference.h"

#include <string.h>

#define SMALL 70
/* Two are placed in all ways up to the first length, three up to the second. */
#define SHORT	 20
#define SHORTEST 3
#define NARROW	 8
#define LARGEST	 1000
/* Products of two so long are by any tier's own way, and of some longer ones by another's. */
#define WIDE 430

static const size_t lengths_beyond[] = {71, 96, 97, 127, 128, 129, 255, 256, 257, LARGEST};

#define LENGTHS (SMALL + 1 + COUNT(lengths_beyond))

static size_t length(size_t i)
{
	return i <= SMALL ? i : lengths_beyond[i - SMALL - 1];
}

/* The check of one kernel, a case. */
#define KERNEL(name, check)                                                                        \
	static void check_##name(const struct cc_limbs_kernels *k)                                 \
	{                                                                                          \
		begin(k->tier, #name);                                                             \
		check;                                                                             \
	}

static void check_word(const char *what, cc_word is, cc_word should)
{
	CHECK(is == should, "%s is %#llx, not %#llx", what, (unsigned long long)is,
	      (unsigned long long)should);
}

/* In how many ways so many are placed, if they are of n words. */
static size_t ways(size_t places, size_t n)
{
	static const size_t all[] = {1, PLACE_WAYS, PLACE_WAYS * PLACE_WAYS,
				     PLACE_WAYS * PLACE_WAYS * PLACE_WAYS};

	return n <= (places > 2 ? SHORTEST : SHORT) ? all[places] : 0;
}

/* r = a + b, r = a - b: apart, or r in a's place, b's, or both's. */

typedef cc_word sum_kernel(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
typedef cc_word sum_reference(cc_word *r, const cc_word *a, const cc_word *b, size_t n, cc_word c);

enum {
	APART,
	IS_A,
	IS_B,
	IS_BOTH,
	ALIASES,
};

static void one_sum(sum_kernel *kernel, sum_reference *reference, const cc_word *a,
		    const cc_word *b, size_t n, size_t alias)
{
	cc_word should[LARGEST], out, *pa, *pb, *r;

	if (alias == IS_BOTH)
		b = a;
	test_sizes(n, alias, 0);
	out = reference(should, a, b, n, 0);
	pa = place(FIRST, a, n);
	pb = alias == IS_BOTH ? pa : place(SECOND, b, n);
	r = alias == APART ? place(RESULT, NULL, n) : alias == IS_B ? pb : pa;
	check_word("carry", (cc_word)CALL4(kernel, r, pa, pb, n), out);
	check_words("result", r, should, n);
	if (r != pa)
		check_words("first operand, after", pa, a, n);
	if (r != pb)
		check_words("second operand, after", pb, b, n);
	check_guards();
}

static void check_sum(sum_kernel *kernel, sum_reference *reference)
{
	cc_word a[LARGEST], b[LARGEST];
	size_t i, x, y, alias, round;

	for (i = 0; i < LENGTHS && !test_case_failed(); i++) {
		size_t n = length(i);

		for (x = 0; x < EDGE_VECTORS; x++) {
			for (y = 0; y < EDGE_VECTORS; y++) {
				edge_words(a, n, x);
				edge_words(b, n, y);
				one_sum(kernel, reference, a, b, n, random_below(ALIASES));
			}
		}
		for (alias = 0; alias < ALIASES; alias++) {
			size_t places = alias == APART ? 3 : alias == IS_BOTH ? 1 : 2;

			for (round = 0; round < ways(places, n); round++) {
				random_words(a, n);
				random_words(b, n);
				place_by(round);
				one_sum(kernel, reference, a, b, n, alias);
			}
			for (round = 0; round < test_scaled(80); round++) {
				random_words(a, n);
				random_words(b, n);
				one_sum(kernel, reference, a, b, n, alias);
			}
		}
	}
}

KERNEL(add, check_sum(k->add, ref_add))
KERNEL(sub, check_sum(k->sub, ref_sub))

/* r = a * w, r += a * w, r -= a * w: apart, or r in a's place. */

typedef cc_word scale_kernel(cc_word *r, const cc_word *a, size_t n, cc_word w);
/* @should[n] from the product p[n + 1] and the old r[n]; the word above */
typedef cc_word scale_reference(cc_word *should, const cc_word *old, const cc_word *p, size_t n);

static cc_word scaled(cc_word *should, const cc_word *old, const cc_word *p, size_t n)
{
	(void)old;
	memcpy(should, p, n * sizeof(*p));
	return p[n];
}

static cc_word scaled_added(cc_word *should, const cc_word *old, const cc_word *p, size_t n)
{
	return p[n] + ref_add(should, old, p, n, 0);
}

static cc_word scaled_subtracted(cc_word *should, const cc_word *old, const cc_word *p, size_t n)
{
	return p[n] + ref_sub(should, old, p, n, 0);
}

static void one_scale(scale_kernel *kernel, scale_reference *reference, const cc_word *old,
		      const cc_word *a, size_t n, cc_word w, bool apart)
{
	cc_word p[LARGEST + 1], should[LARGEST], out, *pa, *r;

	test_sizes(n, apart, 0);
	ref_mul(p, a, n, &w, 1);
	out = reference(should, apart ? old : a, p, n);
	pa = place(FIRST, a, n);
	r = apart ? place(RESULT, old, n) : pa;
	check_word("word above", (cc_word)CALL4(kernel, r, pa, n, w), out);
	check_words("result", r, should, n);
	if (apart)
		check_words("operand, after", pa, a, n);
	check_guards();
}

static void check_scale(scale_kernel *kernel, scale_reference *reference)
{
	cc_word a[LARGEST], old[LARGEST];
	size_t i, x, y, apart, round;

	for (i = 0; i < LENGTHS && !test_case_failed(); i++) {
		size_t n = length(i);

		for (x = 0; x < EDGE_VECTORS; x++) {
			for (y = 0; y < EDGE_WORDS; y++) {
				edge_words(a, n, x);
				edge_words(old, n, random_below(EDGE_VECTORS));
				one_scale(kernel, reference, old, a, n, edge_word(y),
					  random_below(2));
			}
		}
		for (apart = 0; apart < 2; apart++) {
			for (round = 0; round < ways(1 + apart, n); round++) {
				random_words(a, n);
				random_words(old, n);
				place_by(round);
				one_scale(kernel, reference, old, a, n, random_edge_word(), apart);
			}
			for (round = 0; round < test_scaled(80); round++) {
				random_words(a, n);
				random_words(old, n);
				one_scale(kernel, reference, old, a, n, random_edge_word(), apart);
			}
		}
	}
}

KERNEL(mul_1, check_scale(k->mul_1, scaled))
KERNEL(addmul_1, check_scale(k->addmul_1, scaled_added))
KERNEL(submul_1, check_scale(k->submul_1, scaled_subtracted))

/* Shifts: apart, or overlapping with r @distance words above (left) or below (right). */

#define APART_SHIFT ((size_t)-1)

static void one_shift(const struct cc_limbs_kernels *k, bool left, const cc_word *a, size_t n,
		      unsigned int count, size_t distance)
{
	cc_word wide[LARGEST + 1], should[LARGEST + 1], out, *pa, *r;

	test_sizes(n, count, distance);
	if (left) {
		memcpy(wide, a, n * sizeof(*a));
		wide[n] = 0;
		ref_shl(should, wide, n + 1, count);
		out = should[n];
	} else {
		wide[0] = 0;
		memcpy(wide + 1, a, n * sizeof(*a));
		ref_shr(should, wide, n + 1, count);
		out = should[0];
		memmove(should, should + 1, n * sizeof(*a));
	}
	if (distance == APART_SHIFT) {
		pa = place(FIRST, a, n);
		r = place(RESULT, NULL, n);
	} else {
		cc_word *low = place(RESULT, NULL, n + distance);

		pa = left ? low : low + distance;
		r = left ? low + distance : low;
		memcpy(pa, a, n * sizeof(*a));
	}
	check_word("bits out", (cc_word)CALL4(left ? k->lshift : k->rshift, r, pa, n, U32(count)),
		   out);
	check_words("result", r, should, n);
	if (distance == APART_SHIFT) {
		check_words("operand, after", pa, a, n);
	} else {
		size_t rest = distance < n ? distance : n;

		/* what of the operand the result does not cover */
		if (left)
			check_words("operand below, after", pa, a, rest);
		else
			check_words("operand above, after", pa + n - rest, a + n - rest, rest);
	}
	check_guards();
}

static void check_shift(const struct cc_limbs_kernels *k, bool left)
{
	cc_word a[LARGEST];
	unsigned int count;
	size_t i, distance, round;

	for (i = 0; i < LENGTHS && !test_case_failed(); i++) {
		size_t n = length(i);

		for (count = 0; count < CC_WORD_BITS; count++) {
			random_words(a, n);
			one_shift(k, left, a, n, count, APART_SHIFT);
			random_words(a, n);
			one_shift(k, left, a, n, count, random_below(n + 3));
		}
		for (round = 0; round < ways(2, n); round++) {
			random_words(a, n);
			place_by(round);
			one_shift(k, left, a, n, (unsigned int)random_below(CC_WORD_BITS),
				  APART_SHIFT);
		}
		for (distance = 0; distance < 12; distance++) {
			for (round = 0; round < ways(1, n); round++) {
				random_words(a, n);
				place_by(round);
				one_shift(k, left, a, n, (unsigned int)random_below(CC_WORD_BITS),
					  distance);
			}
			for (round = 0; round < test_scaled(10); round++) {
				random_words(a, n);
				one_shift(k, left, a, n, (unsigned int)random_below(CC_WORD_BITS),
					  distance);
			}
		}
	}
}

KERNEL(lshift, check_shift(k, true))
KERNEL(rshift, check_shift(k, false))

/* Whole products. */

typedef void mul_kernel(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn);
typedef void sqr_kernel(cc_word *r, const cc_word *a, size_t n);

static void one_mul(mul_kernel *mul, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		    bool slow)
{
	cc_word should[2 * LARGEST], *pa, *pb, *r;

	test_sizes(an, bn, 0);
	if (slow)
		ref_mul(should, a, an, b, bn);
	else
		cc_limbs_generic.mul_basecase(should, a, an, b, bn);
	pa = place(FIRST, a, an);
	pb = place(SECOND, b, bn);
	r = place(RESULT, NULL, an + bn);
	CALL5(mul, r, pa, an, pb, bn);
	check_words("product", r, should, an + bn);
	check_words("first operand, after", pa, a, an);
	check_words("second operand, after", pb, b, bn);
	check_guards();
}

/* The shorter factor has fewer words than @end. */
static void check_mul(mul_kernel *mul, size_t end)
{
	static const size_t beyond[][2] = {{71, 1},    {100, 100}, {127, 3},  {128, 128},
					   {129, 127}, {257, 8},   {600, 30}, {LARGEST, 2}};
	cc_word a[LARGEST], b[LARGEST];
	size_t an, bn, i, round;

	for (an = 1; an <= SMALL && !test_case_failed(); an++) {
		for (bn = 1; bn <= an && bn < end; bn++) {
			edge_words(a, an, 2);
			edge_words(b, bn, 2);
			one_mul(mul, a, an, b, bn, true);
			edge_words(a, an, random_below(EDGE_VECTORS));
			edge_words(b, bn, random_below(EDGE_VECTORS));
			one_mul(mul, a, an, b, bn, false);
			for (round = 0; round < test_scaled(20); round++) {
				random_words(a, an);
				random_words(b, bn);
				one_mul(mul, a, an, b, bn, round == 0);
			}
			for (round = 0; round < ways(3, an); round++) {
				random_words(a, an);
				random_words(b, bn);
				place_by(round);
				one_mul(mul, a, an, b, bn, false);
			}
		}
	}
	/* a tier may have functions for short factors, one for each length */
	for (an = SMALL + 1; an <= 2 * SMALL && !test_case_failed(); an++) {
		for (bn = 1; bn <= NARROW && bn < end; bn++) {
			edge_words(a, an, random_below(EDGE_VECTORS));
			edge_words(b, bn, random_below(EDGE_VECTORS));
			one_mul(mul, a, an, b, bn, true);
			random_words(a, an);
			random_words(b, bn);
			place_by(an);
			one_mul(mul, a, an, b, bn, true);
		}
	}
	for (i = 0; i < COUNT(beyond); i++) {
		if (beyond[i][1] >= end)
			continue;
		for (round = 0; round < test_scaled(10); round++) {
			random_words(a, beyond[i][0]);
			random_words(b, beyond[i][1]);
			one_mul(mul, a, beyond[i][0], b, beyond[i][1], true);
		}
	}
	for (round = 0; round < test_scaled(500); round++) {
		an = SMALL + random_below(WIDE) +
		     (round % 8 ? 0 : random_below(LARGEST - 2 * WIDE));
		bn = 1 + random_below(an < WIDE ? an : WIDE) % (end - 1);
		edge_words(a, an, random_below(EDGE_VECTORS));
		edge_words(b, bn, random_below(EDGE_VECTORS));
		one_mul(mul, a, an, b, bn, round % 8 == 0);
	}
}

KERNEL(mul_basecase, check_mul(k->mul_basecase, SIZE_MAX))
KERNEL(mul_few, check_mul(k->mul_few, CC_FEW))

static void one_sqr(sqr_kernel *sqr, const cc_word *a, size_t n, bool slow)
{
	cc_word should[2 * LARGEST], *pa, *r;

	test_sizes(n, 0, 0);
	if (slow)
		ref_mul(should, a, n, a, n);
	else
		cc_limbs_generic.mul_basecase(should, a, n, a, n);
	pa = place(FIRST, a, n);
	r = place(RESULT, NULL, 2 * n);
	CALL3(sqr, r, pa, n);
	check_words("square", r, should, 2 * n);
	check_words("operand, after", pa, a, n);
	check_guards();
}

static void check_sqr(sqr_kernel *sqr, size_t end)
{
	cc_word a[LARGEST];
	size_t i, x, round;

	for (i = 1; length(i) < end && length(i) < 300 && !test_case_failed(); i++) {
		size_t n = length(i);

		for (x = 0; x < EDGE_VECTORS; x++) {
			edge_words(a, n, x);
			one_sqr(sqr, a, n, true);
		}
		for (round = 0; round < test_scaled(200); round++) {
			random_words(a, n);
			one_sqr(sqr, a, n, round < 4);
		}
		for (round = 0; round < ways(2, n); round++) {
			random_words(a, n);
			place_by(round);
			one_sqr(sqr, a, n, false);
		}
	}
	for (round = 0; round < test_scaled(300); round++) {
		size_t n = end < SMALL ? 1 + random_below(end - 1) : SMALL + random_below(WIDE);

		edge_words(a, n, random_below(EDGE_VECTORS));
		one_sqr(sqr, a, n, round % 8 == 0);
	}
}

KERNEL(sqr_basecase, check_sqr(k->sqr_basecase, SIZE_MAX))
KERNEL(sqr_few, check_sqr(k->sqr_few, CC_FEW))

const struct kernel_check kernel_checks[KERNEL_CHECKS] = {
	{"add", check_add},
	{"sub", check_sub},
	{"mul_1", check_mul_1},
	{"addmul_1", check_addmul_1},
	{"submul_1", check_submul_1},
	{"lshift", check_lshift},
	{"rshift", check_rshift},
	{"mul_basecase", check_mul_basecase},
	{"sqr_basecase", check_sqr_basecase},
	{"mul_few", check_mul_few},
	{"sqr_few", check_sqr_few},
};
