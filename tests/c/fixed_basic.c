// SPDX-License-Identifier: MIT
/* The functions of fixed.h that pass over their words once or twice: sums, choices, words. */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/fixed.h>
#include <string.h>

#define SMALL 40
/* as no function here has a limit */
#define WIDE (CC_FZ_MAX + 9)
#define BITS CC_WORD_BITS

static const char *tier;

/* Widths up to SMALL, then one that is wide; vectors for each. */
static size_t next_width(size_t n)
{
	return n == SMALL ? WIDE : n + 1;
}

static size_t rounds(size_t n, size_t most)
{
	return test_scaled(n > SMALL ? 4 : most);
}

/* Which vectors are one: r = a, r = b, a = b, or all three. */
enum { APART, FIRST, SECOND, SAME, ALL, ALIASES };

struct operands {
	cc_word *r, *a, *b;
};

static struct operands place(size_t alias, const cc_word *a, const cc_word *b, size_t n)
{
	struct operands o;

	o.a = fixed_place(FIXED_FIRST, a, n);
	o.b = fixed_place(FIXED_SECOND, b, n);
	o.r = fixed_place(FIXED_RESULT, NULL, n);
	if (alias == SAME || alias == ALL)
		o.b = o.a;
	if (alias == FIRST || alias == ALL)
		o.r = o.a;
	if (alias == SECOND)
		o.r = o.b;
	return o;
}

static void test_sums_if(void)
{
	static cc_word a[WIDE], b[WIDE], should[WIDE];
	const cc_word zero[WIDE] = {0};
	size_t n, round, alias;

	fixed_begin(tier, "cc_fz_add_if, sub_if, negate, copy_if");
	for (n = 0; n <= WIDE; n = next_width(n)) {
		for (round = 0; round < rounds(n, 30); round++) {
			for (alias = 0; alias < ALIASES; alias++) {
				bool made = random_below(2);
				struct operands o;
				cc_word out;

				test_sizes(n, alias, made);
				fixed_any_words(a, n);
				fixed_any_words(b, n);
				if (alias == SAME || alias == ALL)
					memcpy(b, a, n * sizeof(*b));
				out = ref_add(should, a, made ? b : zero, n, 0);
				o = place(alias, a, b, n);
				CHECK(cc_fz_add_if(o.r, mask_of(made), o.a, o.b, n) == out,
				      "carry");
				fixed_check_words("sum", o.r, should, n);
				out = ref_sub(should, a, made ? b : zero, n, 0);
				o = place(alias, a, b, n);
				CHECK(cc_fz_sub_if(o.r, mask_of(made), o.a, o.b, n) == out,
				      "borrow");
				fixed_check_words("difference", o.r, should, n);

				if (alias == SECOND || alias == SAME)
					continue;
				ref_sub(should, zero, a, n, 0);
				o = place(alias, a, b, n);
				cc_fz_negate(o.r, mask_of(made), o.a, n);
				fixed_check_words("negative", o.r, made ? should : a, n);
				o = place(alias, a, b, n);
				cc_fz_copy_if(o.b, mask_of(made), o.a, n);
				fixed_check_words("copy", o.b, made ? a : b, n);
				fixed_check_guards();
			}
		}
	}
}

static size_t ref_bits(const cc_word *a, size_t n)
{
	size_t bits = n * BITS;

	while (bits && !(a[(bits - 1) / BITS] >> (bits - 1) % BITS & 1))
		bits--;
	return bits;
}

static size_t ref_trailing_zeros(const cc_word *a, size_t n)
{
	size_t zeros = 0;

	while (zeros < n * BITS && !(a[zeros / BITS] >> zeros % BITS & 1))
		zeros++;
	return zeros;
}

static void test_counts(void)
{
	static cc_word a[WIDE], b[WIDE];
	cc_word *pa, *pb;
	size_t n, round;

	fixed_begin(tier, "cc_fz_cmp, bits, trailing_zeros, wipe");
	for (n = 0; n <= WIDE; n = next_width(n)) {
		for (round = 0; round < rounds(n, 100); round++) {
			test_sizes(n, 0, 0);
			fixed_any_words(a, n);
			if (random_below(2))
				ref_shr(b, a, n, random_below(n * BITS + 1));
			else
				ref_shl(b, a, n, random_below(n * BITS + 1));
			if (n && random_below(2)) {
				memcpy(b, a, n * sizeof(*b));
				b[random_below(n)] ^= (cc_word)random_below(2)
						      << random_below(BITS);
			}
			pa = fixed_place(FIXED_FIRST, a, n);
			pb = fixed_place(FIXED_SECOND, b, n);
			CHECK(cc_fz_cmp(pa, pb, n) == ref_cmp(a, b, n), "cmp");
			CHECK(cc_fz_cmp(pb, pa, n) == ref_cmp(b, a, n), "cmp");
			CHECK(cc_fz_cmp(pa, pa, n) == 0, "cmp");
			CHECK(cc_fz_bits(pb, n) == ref_bits(b, n), "bits");
			CHECK(cc_fz_trailing_zeros(pb, n) == ref_trailing_zeros(b, n), "zeros");
			cc_fz_wipe(pb, n);
			CHECK(!ref_bits(pb, n), "not wiped");
			fixed_check_guards();
		}
	}
}

static void test_table_select(void)
{
	static cc_word table[33 * SMALL];
	const cc_word zero[SMALL] = {0};
	size_t n, round;

	fixed_begin(tier, "cc_fz_table_select");
	for (n = 0; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(40); round++) {
			size_t count = random_below(34), which = random_below(count + 2);
			cc_word *pt, *r;

			if (!random_below(8))
				which = ~(size_t)0 >> random_below(BITS);
			test_sizes(n, count, which);
			fixed_any_words(table, count * n);
			pt = fixed_place(FIXED_FIRST, table, count * n);
			r = fixed_place(FIXED_RESULT, NULL, n);
			cc_fz_table_select(r, pt, count, n, which);
			fixed_check_words("entry", r, which < count ? table + which * n : zero, n);
			fixed_check_words("table", pt, table, count * n);
			fixed_check_guards();
		}
	}
}

/* should[n] and what is above it, for r and a w, by the reference. */
static cc_word ref_by_word(size_t which, cc_word *should, const cc_word *r, const cc_word *a,
			   size_t n, cc_word w)
{
	static cc_word product[WIDE + 1], more[WIDE + 1];
	cc_word above;

	memset(more, 0, (n + 1) * sizeof(*more));
	more[0] = w;
	switch (which) {
	case 0:
		above = ref_add(should, a, more, n, 0);
		return n ? above : w;
	case 1:
		above = ref_sub(should, a, more, n, 0);
		return n ? above : w;
	default:
		ref_mul(product, a, n, &w, 1);
	}
	above = product[n];
	if (which == 2)
		memcpy(should, product, n * sizeof(*should));
	else if (which == 3)
		above += ref_add(should, r, product, n, 0);
	else
		above += ref_sub(should, r, product, n, 0);
	return above;
}

static void test_words(void)
{
	static const struct {
		const char *name;
		cc_word (*call)(cc_word *r, const cc_word *a, size_t n, cc_word w);
	} calls[] = {
		{"cc_fz_add_word", cc_fz_add_word},	  {"cc_fz_sub_word", cc_fz_sub_word},
		{"cc_fz_mul_word", cc_fz_mul_word},	  {"cc_fz_addmul_word", cc_fz_addmul_word},
		{"cc_fz_submul_word", cc_fz_submul_word},
	};
	static cc_word a[WIDE], before[WIDE], should[WIDE];
	size_t which, n, round;

	for (which = 0; which < sizeof(calls) / sizeof(calls[0]); which++) {
		fixed_begin(tier, calls[which].name);
		for (n = 0; n <= WIDE; n = next_width(n)) {
			for (round = 0; round < rounds(n, 60); round++) {
				bool in_place = random_below(2);
				cc_word w = random_edge_word(), above, *r, *pa;

				test_sizes(n, in_place, 0);
				fixed_any_words(a, n);
				fixed_any_words(before, n);
				if (in_place)
					memcpy(before, a, n * sizeof(*a));
				above = ref_by_word(which, should, before, a, n, w);
				pa = fixed_place(FIXED_FIRST, a, n);
				r = in_place ? pa : fixed_place(FIXED_RESULT, before, n);
				CHECK(calls[which].call(r, pa, n, w) == above, "above");
				fixed_check_words("words", r, should, n);
				fixed_check_guards();
			}
		}
	}
}

static void test_div_word(void)
{
	static cc_word a[WIDE + 1], q[WIDE + 1];
	size_t n, round;

	fixed_begin(tier, "cc_fz_div_word");
	for (n = 0; n <= WIDE; n = next_width(n)) {
		for (round = 0; round < rounds(n, 60); round++) {
			bool in_place = random_below(2);
			cc_word d = random_edge_word(), r, rest = 7, *pa, *pq;

			d >>= random_below(2) ? 0 : random_below(BITS);
			d += !d;
			test_sizes(n, in_place, 0);
			fixed_any_words(a, n);
			/* beside a multiple of the divisor */
			if (n && random_below(2)) {
				ref_mul(q, a, n - 1, &d, 1);
				memcpy(a, q, n * sizeof(*a));
				cc_fz_sub_word(a, a, n, random_below(2));
			}
			ref_divrem(q, &r, a, n, &d, 1);
			pa = fixed_place(FIXED_FIRST, a, n);
			pq = in_place ? pa : fixed_place(FIXED_RESULT, NULL, n);
			CHECK(cc_fz_div_word(pq, &rest, pa, n, d) == CC_OK, "refused");
			fixed_check_words("quotient", pq, q, n);
			CHECK(rest == r, "remainder");
			fixed_check_words("quotient kept", pq, q, n);
			CHECK(cc_fz_div_word(pq, &rest, pa, n, 0) == CC_EINVAL, "0 taken");
			fixed_check_words("quotient kept", pq, q, n);
			CHECK(rest == r, "wrote what it refused");
			fixed_check_guards();
		}
	}
}

/* r[n] = any number below m: 0, 1, m - 1 and halves of m among them */
static void any_below(cc_word *r, const cc_word *m, size_t n)
{
	static cc_word any[WIDE];
	const cc_word one[WIDE] = {1};
	size_t shape = random_below(8);

	fixed_any_words(any, n);
	if (shape < 2) {
		memset(any, 0, n * sizeof(*any));
		any[0] = shape;
	} else if (shape == 2) {
		ref_sub(any, m, one, n, 0);
	} else if (shape == 3) {
		ref_shr(any, m, n, 1);
	}
	if (ref_cmp(any, m, n) >= 0)
		ref_shr(r, any, n, ref_bits(any, n) - ref_bits(m, n) + 1);
	else
		memcpy(r, any, n * sizeof(*r));
}

/* should = what a + b is mod m, for a, b < m */
static void ref_addmod(cc_word *should, const cc_word *a, const cc_word *b, const cc_word *m,
		       size_t n)
{
	if (ref_add(should, a, b, n, 0) || ref_cmp(should, m, n) >= 0)
		ref_sub(should, should, m, n, 0);
}

static void check_mod(size_t alias, const cc_word *a, const cc_word *b, const cc_word *m, size_t n)
{
	static cc_word should[WIDE], negative[WIDE];
	const cc_word zero[WIDE] = {0}, *pm = fixed_place(FIXED_THIRD, m, n);
	struct operands o;

	ref_addmod(should, a, b, m, n);
	o = place(alias, a, b, n);
	cc_fz_addmod(o.r, o.a, o.b, pm, n);
	fixed_check_words("sum", o.r, should, n);
	/* -b mod m */
	ref_sub(negative, m, b, n, 0);
	ref_addmod(should, a, ref_equal(b, zero, n) ? zero : negative, m, n);
	o = place(alias, a, b, n);
	cc_fz_submod(o.r, o.a, o.b, pm, n);
	fixed_check_words("difference", o.r, should, n);
	fixed_check_words("modulus", pm, m, n);
	fixed_check_guards();
}

/* In place of @alias: r apart, r = a, r = m. */
static void check_one_mod(size_t alias, const cc_word *a, const cc_word *m, size_t n)
{
	static cc_word should[WIDE], half[WIDE];
	const cc_word zero[WIDE] = {0};
	struct operands o;

	if (alias > SECOND)
		return;
	ref_sub(should, m, a, n, 0);
	o = place(alias, a, m, n);
	cc_fz_negmod(o.r, o.a, o.b, n);
	fixed_check_words("negative", o.r, ref_equal(a, zero, n) ? zero : should, n);
	if (m[0] & 1) {
		o = place(alias, a, m, n);
		cc_fz_halfmod(o.r, o.a, o.b, n);
		memcpy(half, o.r, n * sizeof(*half));
		CHECK(ref_cmp(half, m, n) < 0, "half not below m");
		ref_addmod(should, half, half, m, n);
		fixed_check_words("twice half", should, a, n);
	}
	fixed_check_guards();
}

static void test_modular(void)
{
	static cc_word a[WIDE], b[WIDE], m[WIDE];
	size_t n, round, alias;

	fixed_begin(tier, "cc_fz_addmod, submod, negmod, halfmod");
	for (n = 1; n <= WIDE; n = next_width(n)) {
		for (round = 0; round < rounds(n, n <= 4 ? 100 : 10); round++) {
			for (alias = 0; alias < ALIASES; alias++) {
				test_sizes(n, alias, 0);
				fixed_any_modulus(m, n);
				if (!random_below(8)) {
					memset(m, 0, n * sizeof(*m));
					m[0] = 1 + random_below(3);
				}
				any_below(a, m, n);
				any_below(b, m, n);
				if (alias == SAME || alias == ALL)
					memcpy(b, a, n * sizeof(*b));
				check_mod(alias, a, b, m, n);
				check_one_mod(alias, a, m, n);
			}
		}
	}
	/* nothing of nothing */
	cc_fz_addmod(NULL, NULL, NULL, NULL, 0);
	cc_fz_submod(NULL, NULL, NULL, NULL, 0);
	cc_fz_negmod(NULL, NULL, NULL, 0);
}

void fixed_basic(const char *in_tier)
{
	tier = in_tier;
	test_sums_if();
	test_counts();
	test_table_select();
	test_words();
	test_div_word();
	test_modular();
}
