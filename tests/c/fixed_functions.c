// SPDX-License-Identifier: MIT
/* Products, quotients and powers of fixed.h: widths, in place and not, what they refuse. */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <string.h>

#define SMALL 40
#define BITS  CC_WORD_BITS

static const char *tier;

/* Wider than the kernels go. */
static void test_wide_products(void)
{
	static const size_t widths[] = {0, 1, 7, CC_FZ_MAX, CC_FZ_MAX + 1, CC_FZ_MAX + 45};
	static cc_word a[CC_FZ_MAX + 45], b[CC_FZ_MAX + 45], should[2 * CC_FZ_MAX + 90];
	cc_word *pa, *pb, *r;
	size_t i, round;

	begin(tier, "cc_fz_mul, sqr");
	for (i = 0; i < COUNT(widths); i++) {
		size_t n = widths[i];

		for (round = 0; round < test_scaled(8); round++) {
			test_sizes(n, 0, 0);
			any_words(a, n);
			any_words(b, n);
			r = place(RESULT, NULL, 2 * n);
			pa = place(FIRST, a, n);
			pb = place(SECOND, b, n);
			cc_fz_mul(r, pa, pb, n);
			ref_mul(should, a, n, b, n);
			check_words("product", r, should, 2 * n);
			/* the very same vector as both operands */
			cc_fz_mul(r, pa, pa, n);
			ref_mul(should, a, n, a, n);
			check_words("product by itself", r, should, 2 * n);
			cc_fz_sqr(r, pa, n);
			check_words("square", r, should, 2 * n);
			check_guards();
		}
	}
}

static void test_divide(void)
{
	static cc_word a[2 * SMALL], d[SMALL], q[2 * SMALL], r[SMALL];
	cc_word *pa, *pd, *pq, *pr;
	size_t an, dn, round;

	begin(tier, "cc_fz_divrem, mod");
	for (round = 0; round < test_scaled(3000); round++) {
		bool in_place = random_below(2);

		dn = 1 + random_below(random_below(4) ? 8 : SMALL);
		an = random_below(2 * dn + 2);
		an = an > 2 * SMALL ? 2 * SMALL : an;
		test_sizes(an, dn, in_place);
		any_words(a, an);
		any_modulus(d, dn);
		/* a dividend beside a multiple of the divisor: the estimate is at its worst */
		if (an >= dn && random_below(2)) {
			any_words(q, an);
			memset(q + (an - dn), 0, dn * sizeof(*q));
			ref_mul(a, d, dn, q, an - dn);
			if (random_below(2) && an) {
				cc_word one[2 * SMALL] = {1};

				ref_sub(a, a, one, an, 0);
			}
		}
		ref_divrem(q, r, a, an, d, dn);
		pa = place(FIRST, a, an);
		pd = place(SECOND, d, dn);
		pq = in_place ? pa : place(RESULT, NULL, an);
		pr = place(SECOND_RESULT, NULL, dn);
		CHECK(cc_fz_divrem(pq, pr, pa, an, pd, dn) == CC_OK, "divrem refused");
		check_words("quotient", pq, q, an);
		check_words("remainder", pr, r, dn);
		pa = place(FIRST, a, an);
		pr = in_place ? pd : pr;
		CHECK(cc_fz_mod(pr, pa, an, pd, dn) == CC_OK, "mod refused");
		check_words("residue", pr, r, dn);
		check_guards();
	}
}

/*
 * Any modulus.  Few widths by the reference alone; the others by b^e = b^(e - 1) b, and
 * b^1 = b mod m.
 */
static void test_powmod(void)
{
	static cc_word b[SMALL], e[SMALL], m[SMALL], less[SMALL], r[SMALL];
	static cc_word product[2 * SMALL], q[2 * SMALL], should[SMALL];
	const cc_word one[SMALL] = {1};
	cc_word *pb, *pe, *pm, *pr;
	size_t n, round;

	begin(tier, "cc_fz_powmod");
	for (n = 1; n <= (fixed_slow() ? 12 : SMALL); n += n < 10 ? 1 : 5) {
		for (round = 0; round < test_scaled(n <= 3 ? 30 : n <= 16 ? 3 : 1); round++) {
			size_t alias = random_below(4);

			test_sizes(n, alias, 0);
			any_words(b, n);
			any_words(e, n);
			any_modulus(m, n);
			if (random_below(2)) {
				ref_shl(r, m, n, random_below(n * BITS / 2));
				memcpy(m, r, n * sizeof(*m));
			}
			if (cc_fz_is_zero(m, n))
				m[n - 1] = 1;
			if (n <= 3) {
				ref_powmod(should, b, e, n, m, n);
			} else {
				e[0] |= 1;
				ref_sub(less, e, one, n, 0);
				cc_fz_powmod(r, b, less, m, n);
				ref_mul(product, r, n, b, n);
				ref_divrem(q, should, product, 2 * n, m, n);
				cc_fz_powmod(r, b, one, m, n);
				ref_divrem(q, product, b, n, m, n);
				check_words("b^1", r, product, n);
			}
			pr = place(RESULT, NULL, n);
			pb = place(FIRST, b, n);
			pe = place(SECOND, e, n);
			pm = place(THIRD, m, n);
			pr = alias == 1 ? pb : alias == 2 ? pe : alias == 3 ? pm : pr;
			CHECK(cc_fz_powmod(pr, pb, pe, pm, n) == CC_OK, "refused");
			check_words("power", pr, should, n);
			check_guards();
		}
	}
}

#define MANY 19

static void test_powmod_many(void)
{
	static cc_word b[MANY * SMALL], e[MANY * SMALL], m[MANY * SMALL], should[MANY * SMALL];
	static const size_t widths[] = {1, 2, 3, 8, 16, 17, 32};
	cc_word *pb, *pe, *pm, *pr;
	size_t i, count, each;

	begin(tier, "cc_fz_powmod_many");
	for (i = 0; i < COUNT(widths); i++) {
		size_t n = widths[i];

		if (n > 8 && fixed_slow())
			continue;
		for (count = 0; count <= MANY; count += n > 8 ? 3 : 1) {
			bool in_place = random_below(2), any_even = random_below(2);

			test_sizes(n, count, in_place);
			for (each = 0; each < count * n; each += n) {
				any_words(b + each, n);
				any_words(e + each, n);
				any_modulus(m + each, n);
				m[each] |= !any_even;
				cc_fz_powmod(should + each, b + each, e + each, m + each, n);
			}
			pb = place(FIRST, b, count * n);
			pe = place(SECOND, e, count * n);
			pm = place(THIRD, m, count * n);
			pr = in_place ? pb : place(RESULT, NULL, count * n);
			CHECK(cc_fz_powmod_many(pr, pb, pe, pm, n, count) == CC_OK, "refused");
			check_words("powers", pr, should, count * n);
			check_guards();
			/* one modulus of many is 0: nothing is written */
			if (!count)
				continue;
			memset(pm + random_below(count) * n, 0, n * sizeof(*pm));
			memcpy(should, pr, count * n * sizeof(*pr));
			CHECK(cc_fz_powmod_many(pr, pb, pe, pm, n, count) == CC_EINVAL,
			      "modulus 0 taken");
			check_words("untouched", pr, should, count * n);
		}
	}
}

/* What is refused, and that nothing is written then. */
static void test_refused(void)
{
	static cc_word wide[CC_FZ_MAX + 1], r[CC_FZ_MAX + 1];
	const cc_word zero[2] = {0, 0}, five[2] = {5, 0};
	const size_t too_wide = CC_FZ_MAX + 1;
	cc_word q[2] = {7, 7}, exists = 7;

	begin(tier, "fixed.h refuses");
	memset(wide, 0xff, sizeof(wide));
	memset(r, 0x37, sizeof(r));
#define REFUSED(call) CHECK((call) == CC_EINVAL, #call)
	REFUSED(cc_fz_divrem(q, r, five, 2, zero, 2));
	REFUSED(cc_fz_divrem(q, r, five, 2, zero, 0));
	REFUSED(cc_fz_divrem(q, r, five, 2, NULL, 0));
	REFUSED(cc_fz_divrem(q, r, five, 2, wide, too_wide));
	REFUSED(cc_fz_mod(r, five, 2, zero, 2));
	REFUSED(cc_fz_mod(r, five, 2, zero, 0));
	REFUSED(cc_fz_mod(r, five, 2, wide, too_wide));
	REFUSED(cc_fz_mulmod(r, five, five, zero, 2));
	REFUSED(cc_fz_mulmod(r, five, five, five, 0));
	REFUSED(cc_fz_mulmod(r, wide, wide, wide, too_wide));
	REFUSED(cc_fz_sqrmod(r, five, zero, 2));
	REFUSED(cc_fz_sqrmod(r, wide, wide, too_wide));
	REFUSED(cc_fz_powmod(r, five, five, zero, 2));
	REFUSED(cc_fz_powmod(r, five, five, five, 0));
	REFUSED(cc_fz_powmod(r, NULL, NULL, NULL, 0));
	REFUSED(cc_fz_powmod(r, wide, wide, wide, too_wide));
	REFUSED(cc_fz_powmod_many(r, five, five, zero, 2, 1));
	REFUSED(cc_fz_powmod_many(r, wide, wide, wide, too_wide, 1));
	REFUSED(cc_fz_gcd(r, wide, wide, too_wide));
	REFUSED(cc_fz_inverse(r, &exists, five, zero, 2));
	REFUSED(cc_fz_inverse(r, &exists, five, five, 0));
	REFUSED(cc_fz_inverse(r, &exists, wide, wide, too_wide));
#undef REFUSED
	CHECK(q[0] == 7 && q[1] == 7 && exists == 7, "wrote what it refused");
	CHECK(r[0] == r[CC_FZ_MAX] && (r[0] & 0xff) == 0x37, "wrote what it refused");
	CHECK(cc_fz_powmod_many(NULL, NULL, NULL, NULL, 2, 0) == CC_OK, "none of none");
	CHECK(cc_fz_gcd(NULL, NULL, NULL, 0) == CC_OK, "gcd of nothing");
}

/* b, e and m at the edges that fixed.h speaks of. */
static void test_powmod_edges(void)
{
	static const struct {
		cc_word b, e, m, r;
	} edges[] = {
		{0, 0, 1, 0}, {0, 0, 2, 1}, {0, 0, 7, 1},  {0, 5, 7, 0},   {5, 0, 1, 0},
		{5, 0, 7, 1}, {5, 1, 1, 0}, {12, 1, 7, 5}, {12, 3, 5, 3},  {7, 2, 7, 0},
		{3, 4, 8, 1}, {2, 9, 8, 0}, {6, 1, 4, 2},  {10, 3, 12, 4}, {7, 77, 2, 1},
	};
	size_t i, n;

	begin(tier, "cc_fz_powmod at the edges");
	for (i = 0; i < COUNT(edges); i++) {
		for (n = 1; n <= 9; n++) {
			cc_word b[9] = {edges[i].b}, e[9] = {edges[i].e}, m[9] = {edges[i].m};
			cc_word should[9] = {edges[i].r}, r[9];

			test_sizes(i, n, 0);
			CHECK(cc_fz_powmod(r, b, e, m, n) == CC_OK, "refused");
			check_words("power", r, should, n);
		}
	}
}

void fixed_functions(const char *in_tier)
{
	tier = in_tier;
	test_wide_products();
	test_divide();
	test_powmod();
	test_powmod_many();
	test_powmod_edges();
	test_refused();
}
