// SPDX-License-Identifier: MIT
/* Montgomery contexts, and exponents with a width of their own. */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/montgomery.h>
#include <string.h>

#define SMALL 40
#define BITS  CC_WORD_BITS

static const char *tier;
static cc_word m[SMALL], a[SMALL], b[SMALL], should[SMALL];
static cc_word context_memory[CC_FZ_MONT_WORDS(SMALL)];
static cc_word modulus[CC_FZ_MAX];

/* r = x * y mod m */
static void ref_mulmod(cc_word *r, const cc_word *x, const cc_word *y, size_t n)
{
	static cc_word product[2 * SMALL], q[2 * SMALL];

	ref_mul(product, x, n, y, n);
	ref_divrem(q, r, product, 2 * n, m, n);
}

/* r = x R mod m */
static void ref_to(cc_word *r, const cc_word *x, size_t n)
{
	static cc_word product[2 * SMALL], q[2 * SMALL];

	memset(product, 0, n * sizeof(*product));
	memcpy(product + n, x, n * sizeof(*x));
	ref_divrem(q, r, product, 2 * n, m, n);
}

static void any_residue(cc_word *r, size_t n)
{
	static cc_word q[SMALL], x[SMALL];

	any_words(x, n);
	switch (random_below(8)) {
	case 0:
		/* m - 1 */
		memcpy(r, m, n * sizeof(*r));
		r[0]--;
		break;
	case 1:
		memset(r, 0, n * sizeof(*r));
		break;
	default:
		ref_divrem(q, r, x, n, m, n);
	}
}

static struct cc_fz_mont begin_context(size_t n)
{
	struct cc_fz_mont M = {.n = 0};

	any_modulus(m, n);
	m[0] |= 1;
	/* 1 at times */
	if (random_below(32) == 0) {
		memset(m, 0, n * sizeof(*m));
		m[0] = 1;
	}
	CHECK((random_below(2) ? cc_fz_mont_init : cc_fz_mont_init_public)(&M, context_memory, m,
									   n) == CC_OK,
	      "refused");
	check_words("modulus", M.m, m, n);
	return M;
}

static void test_products(void)
{
	static cc_word one[SMALL], x[SMALL];
	cc_word *pa, *pb, *r;
	size_t n, round;

	begin(tier, "cc_fz_mont_to, from, mul, sqr");
	for (n = 1; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(n < 10 ? 100 : 8); round++) {
			struct cc_fz_mont M = begin_context(n);
			size_t alias = random_below(3);

			test_sizes(n, alias, 0);
			memset(one, 0, n * sizeof(*one));
			one[0] = 1;
			ref_to(should, one, n);
			check_words("one", M.one, should, n);
			ref_to(x, should, n);
			check_words("square", M.square, x, n);

			any_words(a, n);
			ref_to(should, a, n);
			pa = place(FIRST, a, n);
			r = alias ? pa : place(RESULT, NULL, n);
			cc_fz_mont_to(r, pa, &M);
			check_words("to", r, should, n);
			cc_fz_mont_from(r, r, &M);
			ref_mulmod(should, a, one, n);
			check_words("from", r, should, n);

			/* r R = a b */
			any_residue(a, n);
			any_residue(b, n);
			pa = place(FIRST, a, n);
			pb = place(SECOND, b, n);
			r = alias == 1 ? pa : alias == 2 ? pb : place(RESULT, NULL, n);
			cc_fz_mont_mul(r, pa, pb, &M);
			CHECK(ref_cmp(r, m, n) < 0, "not below the modulus");
			ref_to(x, r, n);
			ref_mulmod(should, a, b, n);
			check_words("product", x, should, n);

			pa = place(FIRST, a, n);
			r = alias ? pa : r;
			cc_fz_mont_sqr(r, pa, &M);
			CHECK(ref_cmp(r, m, n) < 0, "not below the modulus");
			ref_to(x, r, n);
			ref_mulmod(should, a, a, n);
			check_words("square", x, should, n);
			check_guards();
		}
	}
}

/* Moduli of which quotients and reciprocals are least or largest, or which any_modulus() gives. */
static void any_wide_modulus(cc_word *r, size_t n)
{
	size_t bit = random_below(n * BITS);

	switch (random_below(6)) {
	case 0:
		memset(r, 0xff, n * sizeof(*r));
		break;
	case 1:
		memset(r, 0, n * sizeof(*r));
		r[n - 1] = (cc_word)1 << (BITS - 1);
		break;
	case 2:
		memset(r, 0, n * sizeof(*r));
		r[bit / BITS] = (cc_word)1 << bit % BITS;
		break;
	case 3:
		memset(r, 0xff, n * sizeof(*r));
		r[bit / BITS] ^= (cc_word)1 << bit % BITS;
		break;
	case 4:
		memset(r, 0, n * sizeof(*r));
		any_words(r, 1 + bit / BITS);
		break;
	default:
		any_modulus(r, n);
	}
	r[0] |= 1;
}

static void check_power_of_two(const char *what, const cc_word *r, size_t bits, size_t n)
{
	static cc_word power[2 * CC_FZ_MAX + 64], rest[CC_FZ_MAX];
	size_t words = bits / BITS + 1;

	memset(power, 0, words * sizeof(*power));
	power[words - 1] = (cc_word)1 << bits % BITS;
	CHECK(cc_fz_mod(rest, power, words, modulus, n) == CC_OK, "refused");
	check_words(what, r, rest, n);
}

/* What contexts of any width hold, by the division. */
static void test_wide(void)
{
	static cc_word memory[CC_FZ_MONT_WORDS(CC_FZ_MAX)];
	const struct cc_fixed_kernels *k;
	struct cc_fz_mont M;
	size_t n, round;

	begin(tier, "cc_fz_mont_init, cc_fz_mont_init_public");
	for (n = 1; n <= CC_FZ_MAX; n += n < 24 ? 1 : 1 + random_below(n / 4)) {
		for (round = 0; round < 2 * test_scaled(fixed_slow() ? 2 : 16); round++) {
			any_wide_modulus(modulus, n);
			CHECK((round % 2 ? cc_fz_mont_init_public
					 : cc_fz_mont_init)(&M, memory, modulus, n) == CC_OK,
			      "refused");
			k = M.kernels;
			test_sizes(n, round, 0);
			check_power_of_two("one", M.one, n * BITS, n);
			check_power_of_two("square", M.square, 2 * n * BITS, n);
			check_power_of_two("in", M.in, 2 * k->radix(n), n);
			if (k->lanes && n <= CC_FIXED_POWMOD_8_MAX)
				check_power_of_two("in of a batch", M.in_8, 2 * k->radix_8(n), n);
		}
	}
}

#define MOST_BITS (3 * BITS)

/* The low bits of an exponent; what lies above them is noise. */
static size_t any_exponent(cc_word *e, cc_word *low, size_t *bits)
{
	size_t en;

	*bits = random_below(MOST_BITS + 1);
	en = (*bits + BITS - 1) / BITS;
	any_words(e, en);
	memcpy(low, e, en * sizeof(*e));
	if (*bits % BITS)
		low[en - 1] &= ((cc_word)1 << *bits % BITS) - 1;
	return en;
}

/* r = a^e mod m: by the reference while that is quick, else by an e as wide as m. */
static void should_be(cc_word *r, const cc_word *e, size_t en, size_t n)
{
	cc_word wide[SMALL] = {0};

	if (n < MOST_BITS / BITS) {
		ref_powmod(r, a, e, en, m, n);
		return;
	}
	memcpy(wide, e, en * sizeof(*e));
	CHECK(cc_fz_powmod(r, a, wide, m, n) == CC_OK, "refused");
}

static void test_powers(void)
{
	static cc_word x[SMALL], wide[SMALL];
	cc_word e[MOST_BITS / BITS], low[MOST_BITS / BITS], *pa, *pe, *r;
	size_t n, round, bits, en;

	begin(tier, "powers of a width");
	for (n = 1; n <= SMALL; n += n < 10 ? 1 : 10) {
		for (round = 0; round < test_scaled(n < 10 ? 20 : 4); round++) {
			struct cc_fz_mont M = begin_context(n);
			bool in_place = random_below(2);

			en = any_exponent(e, low, &bits);
			test_sizes(n, bits, in_place);
			any_words(a, n);
			should_be(should, low, en, n);
#define POWER(call, exponent, words)                                                               \
	do {                                                                                       \
		pa = place(FIRST, a, n);                                                           \
		pe = place(SECOND, exponent, words);                                               \
		r = in_place ? pa : place(RESULT, NULL, n);                                        \
		call;                                                                              \
		check_words(#call, r, should, n);                                                  \
		check_guards();                                                                    \
	} while (0)
			POWER(cc_fz_mont_powmod(r, pa, pe, bits, &M), e, en);
			POWER(cc_fz_mont_powmod_public(r, pa, pe, en, &M), low, en);
			POWER(cc_fz_powmod_bits(r, pa, pe, bits, m, n), e, en);
			POWER(cc_fz_powmod_public(r, pa, pe, en, m, n), low, en);

			/* in Montgomery's form, from a residue */
			any_residue(a, n);
			should_be(x, low, en, n);
			ref_to(should, x, n);
			ref_to(wide, a, n);
			memcpy(a, wide, n * sizeof(*a));
			POWER(cc_fz_mont_pow(r, pa, pe, bits, &M), e, en);
			POWER(cc_fz_mont_pow_public(r, pa, pe, en, &M), low, en);

			/* any modulus */
			any_modulus(m, n);
			any_words(a, n);
			should_be(should, low, en, n);
			POWER(cc_fz_powmod_bits(r, pa, pe, bits, m, n), e, en);
			POWER(cc_fz_powmod_public(r, pa, pe, en, m, n), low, en);
#undef POWER
		}
	}
}

#define MANY 11

static void test_many(void)
{
	static const size_t widths[] = {1, 2, 9, 16, 20};
	static cc_word bs[MANY * SMALL], ms[MANY * SMALL], all[MANY * SMALL];
	static cc_word e[MANY * MOST_BITS / BITS];
	cc_word *pb, *pe, *r;
	size_t i, count, each, bits, en;

	begin(tier, "many powers of a width");
	for (i = 0; i < COUNT(widths); i++) {
		size_t n = widths[i];

		for (count = 0; count <= MANY; count += n > 8 && fixed_slow() ? 4 : 1) {
			struct cc_fz_mont M = begin_context(n);

			bits = random_below(MOST_BITS + 1);
			en = (bits + BITS - 1) / BITS;
			test_sizes(n, count, bits);
			any_words(bs, count * n);
			any_words(e, count * en);
			for (each = 0; each < count; each++)
				cc_fz_powmod_bits(all + each * n, bs + each * n, e + each * en,
						  bits, m, n);
			pb = place(FIRST, bs, count * n);
			pe = place(SECOND, e, count * en);
			r = random_below(2) ? pb : place(RESULT, NULL, count * n);
			cc_fz_mont_powmod_many(r, pb, pe, bits, &M, count);
			check_words("powers of one modulus", r, all, count * n);
			check_guards();

			for (each = 0; each < count; each++) {
				any_modulus(ms + each * n, n);
				ms[each * n] |= random_below(4) != 0;
				cc_fz_powmod_bits(all + each * n, bs + each * n, e + each * en,
						  bits, ms + each * n, n);
			}
			pb = place(FIRST, bs, count * n);
			r = random_below(2) ? pb : place(RESULT, NULL, count * n);
			CHECK(cc_fz_powmod_many_bits(r, pb, pe, bits, ms, n, count) == CC_OK,
			      "refused");
			check_words("powers", r, all, count * n);
			check_guards();
		}
	}
}

static void test_inverse(void)
{
	static cc_word x[SMALL], r[SMALL];
	cc_word exists, there;
	size_t n, round;

	begin(tier, "cc_fz_mont_inverse");
	for (n = 1; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(n < 10 ? 40 : 2); round++) {
			struct cc_fz_mont M = begin_context(n);

			test_sizes(n, 0, 0);
			any_residue(a, n);
			cc_fz_inverse(x, &there, a, m, n);
			ref_to(should, x, n);
			ref_to(r, a, n);
			cc_fz_mont_inverse(r, &exists, r, &M);
			CHECK(exists == there, "there is one, or not");
			check_words("inverse", r, should, n);
		}
	}
}

static void test_refused(void)
{
	static cc_word wide[CC_FZ_MAX + 1] = {1};
	const cc_word even = 6, zero = 0;
	struct cc_fz_mont M = {.n = 7};

	begin(tier, "montgomery.h refuses");
	CHECK(cc_fz_mont_init(&M, NULL, &even, 1) == CC_EINVAL, "even");
	CHECK(cc_fz_mont_init(&M, NULL, &zero, 1) == CC_EINVAL, "0");
	CHECK(cc_fz_mont_init(&M, NULL, NULL, 0) == CC_EINVAL, "nothing");
	CHECK(cc_fz_mont_init(&M, NULL, wide, CC_FZ_MAX + 1) == CC_EINVAL, "too wide");
	CHECK(cc_fz_mont_init_public(&M, NULL, &even, 1) == CC_EINVAL, "even");
	CHECK(cc_fz_mont_init_public(&M, NULL, wide, CC_FZ_MAX + 1) == CC_EINVAL, "too wide");
	CHECK(cc_fz_powmod_bits(NULL, NULL, NULL, 0, &zero, 1) == CC_EINVAL, "modulo 0");
	CHECK(cc_fz_powmod_public(NULL, NULL, NULL, 0, wide, CC_FZ_MAX + 1) == CC_EINVAL, "wide");
	CHECK(cc_fz_powmod_many_bits(NULL, NULL, NULL, 0, &zero, 1, 1) == CC_EINVAL, "modulo 0");
	CHECK(M.n == 7, "wrote what it refused");
}

void fixed_context(const char *in_tier)
{
	tier = in_tier;
	test_products();
	test_wide();
	test_powers();
	test_many();
	test_inverse();
	test_refused();
}
