// SPDX-License-Identifier: MIT
/* Number theory: cofactors, exact quotients, symbols, by what defines them. */
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/fixed.h>
#include <string.h>

#define SMALL 40
#define BITS  CC_WORD_BITS

static const char *tier;

/* A product of small primes, so that any two have much in common. */
static void smooth(cc_word *r, size_t n)
{
	static const cc_word primes[] = {2, 3, 5, 7, 11, 13};
	cc_word product[SMALL + 1];
	size_t count = random_below(12 * n);

	set(r, 1, n);
	while (count--) {
		ref_mul(product, r, n, primes + random_below(6), 1);
		if (product[n])
			break;
		memcpy(r, product, n * sizeof(*r));
	}
}

/* Two of any shape: equal, with a factor in common, multiples of one another, zeros below. */
static void any_pair(cc_word *a, cc_word *b, size_t n)
{
	cc_word product[SMALL + 1], x[SMALL];
	size_t part = n / 2;

	any_words(a, n);
	any_words(b, n);
	switch (random_below(8)) {
	case 0:
		memcpy(b, a, n * sizeof(*a));
		break;
	case 1:
		smooth(a, n);
		smooth(b, n);
		break;
	case 2:
		any_words(x, n - part);
		ref_mul(product, b, part, x, n - part);
		memcpy(a, product, n * sizeof(*a));
		memset(b + part, 0, (n - part) * sizeof(*b));
		break;
	case 3:
		any_words(x, part);
		ref_mul(product, a, n - part, x, part);
		memcpy(a, product, n * sizeof(*a));
		ref_mul(product, b, n - part, x, part);
		memcpy(b, product, n * sizeof(*b));
		break;
	case 4:
		set(random_below(2) ? a : b, random_below(5), n);
		break;
	case 5:
		ref_shl(x, a, n, random_below(n * BITS));
		memcpy(a, x, n * sizeof(*a));
		break;
	default:
		break;
	}
}

/* |x|, and whether x[n], in two's complement, is negative */
static bool magnitude(cc_word *r, const cc_word *x, size_t n)
{
	const cc_word zero[SMALL] = {0};
	bool negative = x[n - 1] >> (BITS - 1);

	if (negative)
		ref_sub(r, zero, x, n, 0);
	else
		memcpy(r, x, n * sizeof(*r));
	return negative;
}

/* 2 g |x| <= b */
static bool is_least(const cc_word *g, const cc_word *x, const cc_word *b, size_t n)
{
	cc_word size[SMALL], product[2 * SMALL], twice[2 * SMALL], wide[2 * SMALL] = {0};

	magnitude(size, x, n);
	ref_mul(product, g, n, size, n);
	ref_shl(twice, product, 2 * n, 1);
	memcpy(wide, b, n * sizeof(*b));
	return ref_cmp(twice, wide, 2 * n) <= 0;
}

/* x a + y b = g, for signed x and y */
static bool is_combination(const cc_word *g, const cc_word *x, const cc_word *a, const cc_word *y,
			   const cc_word *b, size_t n)
{
	cc_word size[SMALL], left[2 * SMALL], right[2 * SMALL], sum[2 * SMALL] = {0};

	memcpy(sum, g, n * sizeof(*g));
	if (magnitude(size, x, n)) {
		ref_mul(left, size, n, a, n);
		ref_add(sum, sum, left, 2 * n, 0);
	} else {
		ref_mul(left, size, n, a, n);
		ref_sub(sum, sum, left, 2 * n, 0);
	}
	/* what is left is y b */
	if (magnitude(size, y, n)) {
		ref_mul(right, size, n, b, n);
		ref_add(sum, sum, right, 2 * n, 0);
	} else {
		ref_mul(right, size, n, b, n);
		ref_sub(sum, sum, right, 2 * n, 0);
	}
	return is_zero(sum, 2 * n);
}

static bool divides(const cc_word *g, const cc_word *a, size_t n)
{
	cc_word q[SMALL], r[SMALL];

	ref_divrem(q, r, a, n, g, n);
	return is_zero(r, n);
}

static void check_gcdext(const cc_word *a, const cc_word *b, size_t n)
{
	const cc_word one[SMALL] = {1};
	size_t alias = random_below(7);
	cc_word *pg = place(RESULT, NULL, n), *px, *py, *pa, *pb;

	test_sizes(n, alias, 0);
	px = place(SECOND_RESULT, NULL, n);
	py = place(THIRD, NULL, n);
	pa = place(FIRST, a, n);
	pb = place(SECOND, b, n);
	pg = alias == 1 ? pa : alias == 2 ? pb : pg;
	px = alias == 3 ? pa : alias == 4 ? pb : px;
	py = alias == 3 ? pb : alias == 4 ? pa : alias == 5 ? pa : alias == 6 ? pb : py;
	CHECK(cc_fz_gcdext(pg, px, py, pa, pb, n) == CC_OK, "refused");
	if (is_zero(a, n) && is_zero(b, n)) {
		CHECK(is_zero(pg, n) && is_zero(px, n) && is_zero(py, n), "not 0 of 0 and 0");
	} else {
		CHECK(is_combination(pg, px, a, py, b, n), "not x a + y b");
		CHECK(divides(pg, a, n) && divides(pg, b, n), "no divisor of both");
		if (is_zero(a, n) || ref_equal(a, b, n)) {
			CHECK(is_zero(px, n) && ref_equal(py, one, n), "not 0 and 1");
		} else if (is_zero(b, n)) {
			CHECK(ref_equal(px, one, n) && is_zero(py, n), "not 1 and 0");
		} else {
			CHECK(is_least(pg, px, b, n), "another x is less");
			CHECK(is_least(pg, py, a, n), "another y is less");
		}
	}
	check_guards();
}

static void test_gcdext(void)
{
	static cc_word a[SMALL], b[SMALL];
	size_t n, round;

	begin(tier, "cc_fz_gcdext");
	for (round = 0; round < 20 * 20; round++) {
		n = 1 + round % 3;
		set(a, round / 20, n);
		set(b, round % 20, n);
		check_gcdext(a, b, n);
	}
	for (n = 1; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(n <= 8 ? 200 : 8); round++) {
			any_pair(a, b, n);
			check_gcdext(a, b, n);
		}
	}
	CHECK(cc_fz_gcdext(NULL, NULL, NULL, NULL, NULL, 0) == CC_OK, "of nothing");
}

/* lcm(a, b) gcd(a, b) = a b */
static void test_lcm(void)
{
	static cc_word a[SMALL], b[SMALL], g[SMALL];
	static cc_word left[3 * SMALL], right[3 * SMALL];
	cc_word *pa, *pb, *pr;
	size_t n, round;

	begin(tier, "cc_fz_lcm");
	for (n = 1; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(n <= 8 ? 60 : 4); round++) {
			bool same = random_below(8) == 0;

			test_sizes(n, same, 0);
			any_pair(a, b, n);
			if (same)
				memcpy(b, a, n * sizeof(*b));
			pr = place(RESULT, NULL, 2 * n);
			pa = place(FIRST, a, n);
			pb = same ? pa : place(SECOND, b, n);
			CHECK(cc_fz_lcm(pr, pa, pb, n) == CC_OK, "refused");
			memset(right, 0, 3 * n * sizeof(*right));
			ref_mul(right, a, n, b, n);
			if (is_zero(right, 2 * n)) {
				check_words("lcm", pr, right, 2 * n);
				continue;
			}
			cc_fz_gcd(g, a, b, n);
			ref_mul(left, pr, 2 * n, g, n);
			check_words("lcm times gcd", left, right, 3 * n);
			check_guards();
		}
	}
	CHECK(cc_fz_lcm(NULL, NULL, NULL, 0) == CC_OK, "of nothing");
}

static void test_divexact(void)
{
	static cc_word a[2 * SMALL], d[2 * SMALL], q[2 * SMALL], shifted[2 * SMALL];
	cc_word *pa, *pd, *pr;
	size_t an, dn, qn, round;

	begin(tier, "cc_fz_divexact");
	for (round = 0; round < test_scaled(4000); round++) {
		size_t alias = random_below(3);

		dn = 1 + random_below(random_below(4) ? 8 : SMALL);
		qn = random_below(random_below(4) ? 8 : SMALL);
		/* the dividend may be longer than it has to, and shorter than its divisor */
		an = dn + qn;
		memset(q, 0, sizeof(q));
		any_words(q, qn);
		any_modulus(d, dn);
		if (random_below(2)) {
			ref_shl(shifted, d, dn, random_below(dn * BITS));
			if (!is_zero(shifted, dn))
				memcpy(d, shifted, dn * sizeof(*d));
		}
		ref_mul(a, d, dn, q, qn);
		while (an && !a[an - 1] && random_below(3))
			an--;
		alias = alias == 2 && an != dn ? 1 : alias;
		test_sizes(an, dn, alias);
		pa = place(FIRST, a, an);
		pd = place(SECOND, d, dn);
		pr = alias == 1 ? pa : alias == 2 ? pd : place(RESULT, NULL, an);
		CHECK(cc_fz_divexact(pr, pa, an, pd, dn) == CC_OK, "refused");
		check_words("quotient", pr, q, an);
		check_guards();
	}
}

static void test_inverse(void)
{
	static cc_word a[SMALL], m[SMALL], g[SMALL], product[2 * SMALL], q[2 * SMALL], r[SMALL];
	const cc_word one[SMALL] = {1};
	cc_word *pa, *pm, *pr, exists, one_mod_m[SMALL];
	size_t n, round;

	begin(tier, "cc_fz_inverse");
	for (n = 1; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(n <= 8 ? 60 : 2); round++) {
			size_t alias = random_below(3);
			bool is_one;

			test_sizes(n, alias, 0);
			any_pair(a, m, n);
			if (random_below(8) == 0) {
				memset(a, 0, n * sizeof(*a));
				a[0] = random_below(4);
			}
			if (random_below(8) == 0)
				memset(m, 0, n * sizeof(*m));
			/* odd, or with any number of zeros below; then a is odd, half the time */
			if (random_below(2)) {
				m[0] |= 1;
			} else {
				ref_shl(r, m, n, random_below(n * BITS));
				memcpy(m, r, n * sizeof(*m));
				if (cc_fz_is_zero(m, n))
					m[random_below(n)] = (cc_word)1 << random_below(BITS);
				a[0] |= random_below(2);
			}
			ref_gcd(g, a, m, n);
			is_one = ref_equal(g, one, n);
			pr = place(RESULT, NULL, n);
			pa = place(FIRST, a, n);
			pm = place(SECOND, m, n);
			pr = alias == 1 ? pa : alias == 2 ? pm : pr;
			CHECK(cc_fz_inverse(pr, &exists, pa, pm, n) == CC_OK, "refused");
			CHECK(exists == mask_of(is_one), "exists is %#llx",
			      (unsigned long long)exists);
			if (is_one) {
				CHECK(ref_cmp(pr, m, n) < 0, "not below the modulus");
				ref_mul(product, pr, n, a, n);
				ref_divrem(q, r, product, 2 * n, m, n);
				ref_divrem(q, one_mod_m, one, n, m, n);
				check_words("a / a", r, one_mod_m, n);
			} else {
				CHECK(cc_fz_is_zero(pr, n), "not 0 where there is none");
			}
			check_guards();
		}
	}
}

/* Modulo powers of primes, 1 among them: there is an inverse of what the prime does not divide. */
static void test_prime_powers(void)
{
	static const cc_word primes[] = {2, 3, 5, 7, 257, 65537};
	static cc_word a[SMALL], m[SMALL], q[SMALL], r[SMALL];
	static cc_word product[2 * SMALL], quotient[2 * SMALL];
	const cc_word one[SMALL] = {1};
	size_t n, round, power;

	begin(tier, "cc_fz_inverse modulo prime powers");
	for (n = 1; n <= 12; n++) {
		for (round = 0; round < test_scaled(40); round++) {
			cc_word p = primes[random_below(6)], rest, *pa, *pm, *pr, exists;

			power = random_below(n * BITS);
			set(m, 1, n);
			while (power--) {
				ref_mul(product, m, n, &p, 1);
				if (product[n])
					break;
				memcpy(m, product, n * sizeof(*m));
			}
			test_sizes(n, (size_t)p, 0);
			any_words(a, n);
			if (random_below(4) == 0)
				ref_sub(a, m, one, n, 0);
			ref_divrem(q, &rest, a, n, &p, 1);
			pr = place(RESULT, NULL, n);
			pa = place(FIRST, a, n);
			pm = place(SECOND, m, n);
			CHECK(cc_fz_inverse(pr, &exists, pa, pm, n) == CC_OK, "refused");
			if (ref_equal(m, one, n)) {
				CHECK(exists == TRUE && is_zero(pr, n), "0 modulo 1");
				continue;
			}
			CHECK(exists == mask_of(rest), "exists or not");
			CHECK(ref_cmp(pr, m, n) < 0, "not below the modulus");
			ref_mul(product, pr, n, a, n);
			ref_divrem(quotient, r, product, 2 * n, m, n);
			if (rest)
				check_words("a / a", r, one, n);
			else
				CHECK(is_zero(pr, n), "not 0 where there is none");
			check_guards();
		}
	}
}

/*
 * By the textbook: twos out by (2 / m), the smaller from the larger, and changing places by
 * the law of reciprocity.
 */
static int ref_jacobi(const cc_word *a, const cc_word *m, size_t n)
{
	static const int of_two[] = {0, 1, 0, -1, 0, -1, 0, 1};
	const cc_word one[SMALL] = {1};
	cc_word x[SMALL], y[SMALL], t[SMALL];
	int symbol = 1;

	memcpy(x, a, n * sizeof(*x));
	memcpy(y, m, n * sizeof(*y));
	if (is_zero(y, n))
		return ref_equal(x, one, n);
	while (!(y[0] & 1)) {
		symbol *= of_two[x[0] % 8];
		ref_shr(t, y, n, 1);
		memcpy(y, t, n * sizeof(*y));
	}
	while (!is_zero(x, n)) {
		while (!(x[0] & 1)) {
			symbol *= of_two[y[0] % 8];
			ref_shr(t, x, n, 1);
			memcpy(x, t, n * sizeof(*x));
		}
		if (ref_cmp(x, y, n) < 0) {
			memcpy(t, x, n * sizeof(*x));
			memcpy(x, y, n * sizeof(*x));
			memcpy(y, t, n * sizeof(*x));
			symbol *= x[0] % 4 == 3 && y[0] % 4 == 3 ? -1 : 1;
		}
		ref_sub(x, x, y, n, 0);
	}
	return ref_equal(y, one, n) ? symbol : 0;
}

static void check_jacobi(const cc_word *a, const cc_word *m, size_t n)
{
	bool same = ref_equal(a, m, n);
	cc_word *pa = place(FIRST, a, n);
	cc_word *pm = same ? pa : place(SECOND, m, n);
	int symbol = 7, should = ref_jacobi(a, m, n);

	test_sizes(n, same, 0);
	CHECK(cc_fz_jacobi(&symbol, pa, pm, n) == CC_OK, "refused");
	CHECK(symbol == should, "%d, not %d", symbol, should);
	check_guards();
}

static void test_jacobi(void)
{
	static cc_word a[SMALL], m[SMALL];
	size_t n, round;
	int symbol = 7;

	begin(tier, "cc_fz_jacobi");
	for (round = 0; round < 70 * 70; round++) {
		n = 1 + round % 2;
		set(a, round / 70, n);
		set(m, round % 70, n);
		check_jacobi(a, m, n);
	}
	for (n = 1; n <= SMALL; n++) {
		for (round = 0; round < test_scaled(n <= 8 ? 100 : 4); round++) {
			any_pair(a, m, n);
			if (random_below(4))
				m[0] |= 1;
			check_jacobi(a, m, n);
		}
	}
	CHECK(cc_fz_jacobi(&symbol, NULL, NULL, 0) == CC_OK && !symbol, "of nothing");
}

/* What is refused, and that nothing is written then. */
static void test_refused(void)
{
	static cc_word wide[CC_FZ_MAX + 1];
	const size_t too_wide = CC_FZ_MAX + 1;
	const cc_word zero[2] = {0, 0}, five[2] = {5, 0};
	cc_word r[2] = {7, 7};
	int symbol = 7;

	begin(tier, "number theory refuses");
	memset(wide, 0xff, sizeof(wide));
#define REFUSED(call) CHECK((call) == CC_EINVAL, #call)
	REFUSED(cc_fz_gcdext(r, r, r, wide, wide, too_wide));
	REFUSED(cc_fz_lcm(r, wide, wide, too_wide));
	REFUSED(cc_fz_jacobi(&symbol, wide, wide, too_wide));
	REFUSED(cc_fz_divexact(r, five, 2, zero, 2));
	REFUSED(cc_fz_divexact(r, five, 2, NULL, 0));
	REFUSED(cc_fz_divexact(r, five, 2, wide, too_wide));
#undef REFUSED
	CHECK(r[0] == 7 && r[1] == 7 && symbol == 7, "wrote what it refused");
}

void fixed_number(const char *in_tier)
{
	tier = in_tier;
	test_gcdext();
	test_lcm();
	test_divexact();
	test_inverse();
	test_prime_powers();
	test_jacobi();
	test_refused();
}
