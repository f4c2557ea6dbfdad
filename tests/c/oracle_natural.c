// SPDX-License-Identifier: MIT
/* Sizes to 300 words in densities drawn: every function of natural.h. */
#include "harness.h"
#include "oracle.h"

#include <carrychain/fixed.h>
#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define LONGEST	  300
#define DENSITIES 65
/* of each size, at --scale 1 */
#define DRAWN 16

static cc_word a[2 * LONGEST], b[2 * LONGEST], r[4 * LONGEST], should[4 * LONGEST];
static cc_word *scratch;

static void same(const char *what, const cc_word *is, size_t n)
{
	CHECK(!memcmp(is, should, n * sizeof(*is)), "another %s than %s's", what, oracle_name);
}

#if ORACLE_GMP
/* x[n] as fixed.h has it: in two's complement */
static void same_signed(const char *what, const cc_word *x, size_t n, int negative)
{
	memcpy(r, x, n * sizeof(*r));
	if (negative)
		cc_fz_negate(r, ~(cc_word)0, r, n);
	same(what, r, n);
}

/* a[n] and b[m], which are longer by a word of zeros, so that no sign is lost */
static void check_gcdext(size_t n, size_t m)
{
	static cc_word g[LONGEST + 1], x[LONGEST + 1], y[LONGEST + 1];
	static cc_word g_is[LONGEST + 1], x_is[LONGEST + 1], y_is[LONGEST + 1];
	size_t words = n + 1, gn;
	int negative;

	a[n] = 0;
	memset(b + m, 0, (words - m) * sizeof(*b));
	oracle_gcdext(g_is, x_is, y_is, a, b, words);
	memset(x, 0, sizeof(x));
	memset(y, 0, sizeof(y));
	gn = cc_natural_gcdext(g, x, y, &negative, a, n, b, m, scratch);
	memset(g + gn, 0, (words - gn) * sizeof(*g));
	memcpy(should, g_is, words * sizeof(*g));
	same("divisor", g, words);
	memcpy(should, x_is, words * sizeof(*x));
	same_signed("cofactor of a", x, words, negative);
	memcpy(should, y_is, words * sizeof(*y));
	same_signed("cofactor of b", y, words, !negative);
	/* an exponent of what the divisor is; the modulus not 0 */
	if (n <= CC_FZ_MAX && cc_limbs_normalise(b, m)) {
		memset(y, 0, sizeof(y));
		memcpy(y, x, (n < 2 ? n : 2) * sizeof(*y));
		oracle_powmod(should, a, y, b, n);
		cc_natural_powm(r, a, n, y, n, b, n, scratch);
		same("power", r, n);
	}
	CHECK(cc_natural_jacobi(a, n, b, m, scratch) == oracle_jacobi(a, b, words),
	      "another symbol than %s's", oracle_name);
	CHECK(cc_natural_jacobi(b, m, a, n, scratch) == oracle_jacobi(b, a, words),
	      "another symbol than %s's", oracle_name);
}

/* The divisor of a[n] and b[m] alone, and the inverse of a modulo b > 0 */
static void check_divisor(size_t n, size_t m)
{
	size_t gn = cc_natural_gcd(r, a, n, b, m, scratch);
	bool exists;

	memset(r + gn, 0, (n - gn) * sizeof(*r));
	oracle_gcd(should, a, b, n);
	same("divisor", r, n);
	if (!cc_limbs_normalise(b, m))
		return;
	exists = oracle_inverse(should, a, b, n);
	CHECK(!cc_natural_invert(r, a, n, b, m, scratch) == !exists, "an inverse, or none");
	same("inverse", r, m);
}

/* a[n] as its top word is not 0: square roots, a root of any degree, and what is known of them */
static void check_roots(const cc_word *x, size_t n)
{
	static cc_word root[2 * LONGEST], rest[2 * LONGEST], root_is[2 * LONGEST];
	unsigned long k = 1 + random_below(random_below(4) ? 8 : n * CC_WORD_BITS + 2);
	size_t words = (n + 1) / 2, length;

	oracle_root(root_is, should, x, n, 2);
	length = cc_natural_isqrt(root, rest, x, n, scratch);
	CHECK(length == cc_limbs_normalise(should, n), "another length than %s's", oracle_name);
	same("remainder of the square root", rest, length);
	memcpy(should, root_is, words * sizeof(*should));
	same("square root", root, words);
	CHECK(!cc_natural_is_square(x, n, scratch) == !oracle_is_square(x, n), "a square, or not");
	CHECK(!cc_natural_is_power(x, n, scratch) == !oracle_is_power(x, n), "a power, or not");

	words = (n + k - 1) / k;
	oracle_root(root_is, should, x, n, k);
	length = cc_natural_root(root, rest, x, n, k, scratch);
	CHECK(length == cc_limbs_normalise(should, n), "another length than %s's", oracle_name);
	same("remainder of the root", rest, length);
	CHECK(!cc_natural_root(rest, NULL, x, n, k, scratch) == !length, "exact, or not");
	memcpy(should, root_is, words * sizeof(*should));
	same("root", root, words);
	same("root alone", rest, words);
}

/* a[n] or 1, times b[m]^times, as far as it fits: a power, and quotients without remainder */
static void check_factors(size_t n, size_t m)
{
	static cc_word x[2 * LONGEST], y[2 * LONGEST];
	size_t times = 0, most = random_below(6), length = n, t;

	if (random_below(2)) {
		x[0] = 1;
		length = 1;
	} else {
		memcpy(x, a, n * sizeof(*x));
	}
	for (; times < most && length + m <= LONGEST; times++) {
		memset(y, 0, sizeof(y));
		memcpy(y, x, length * sizeof(*y));
		if (length >= m)
			cc_natural_mul(x, y, length, b, m, scratch);
		else
			cc_natural_mul(x, b, m, y, length, scratch);
		length = cc_limbs_normalise(x, length + m);
		cc_natural_divexact(r, x, length, b, m, scratch);
		memcpy(should, y, (length - m + 1) * sizeof(*should));
		same("exact quotient", r, length - m + 1);
	}
	check_roots(x, length);
	if (m == 1 && b[0] == 1)
		return;
	t = oracle_remove(should, x, length, b, m);
	CHECK(cc_natural_remove(r, x, length, b, m, scratch) == t, "another number than %s's",
	      oracle_name);
	same("rest without a factor", r, length);
}

static void check_digits(size_t n)
{
	static char digits[64 * LONGEST + 64];
	unsigned int radix = random_below(2) ? 10 : 2 + (unsigned int)random_below(35);
	char *should_be = oracle_to_digits(a, n, radix);
	size_t length = strlen(should_be), words;

	words = cc_natural_from_digits(r, should_be, length, radix, scratch);
	memcpy(should, a, n * sizeof(*should));
	CHECK(words == cc_limbs_normalise(a, n), "another length than %s's", oracle_name);
	same("value of digits", r, words);
	memcpy(r, a, n * sizeof(*r));
	CHECK(cc_natural_to_digits(digits, r, n, radix, scratch, NULL) == length &&
		      !memcmp(digits, should_be, length),
	      "other digits than %s's", oracle_name);
	free(should_be);
}
#endif

/* a[n] and b[m], m <= n, by which a[2n] is divided as well */
static void check(size_t n, size_t m, unsigned int density)
{

	test_sizes(n, m, density);
	random_dense_words(a, n, density);
	random_dense_words(b, m, density);
	memset(b + m, 0, (n - m) * sizeof(*b));
	oracle_mul(should, a, b, n);
	cc_natural_mul(r, a, n, b, m, scratch);
	same("product", r, n + m);
	oracle_sqr(should, a, n);
	cc_natural_sqr(r, a, n, scratch);
	same("square", r, 2 * n);
#if ORACLE_GMP
	random_dense_words(a + n, n, density);
	m = cc_limbs_normalise(b, m);
	if (m) {
		cc_word rem[LONGEST];

		cc_natural_divrem(r, rem, a, 2 * n, b, m, scratch);
		oracle_divrem(should, should + 2 * n, a, 2 * n, b, m);
		same("quotient", r, 2 * n - m + 1);
		memmove(should, should + 2 * n, m * sizeof(*should));
		same("remainder", rem, m);
	}
	check_gcdext(n, m);
	check_divisor(n, m);
	check_digits(n);
	n = cc_limbs_normalise(a, n);
	if (n && m && m <= n)
		check_factors(n, m);
#endif
}

#define LARGER(most, words) ((most) > (words) ? (most) : (words))

static size_t scratch_words(void)
{
	size_t most = cc_natural_mul_scratch(LONGEST, LONGEST), n, m;
	unsigned int radix;

	for (n = 1; n <= LONGEST; n++)
		for (m = 1; m <= n; m++) {
			most = LARGER(most, cc_natural_divrem_scratch(2 * n, m));
			most = LARGER(most, cc_natural_divexact_scratch(n, m));
			most = LARGER(most, cc_natural_remove_scratch(n, m));
		}
	for (radix = 2; radix <= 36; radix++) {
		most = LARGER(most, cc_natural_to_digits_scratch(LONGEST, radix));
		most = LARGER(most, cc_natural_from_digits_scratch(
					    cc_natural_digits_max(LONGEST, radix), radix));
	}
	most = LARGER(most, cc_natural_gcd_scratch(LONGEST, LONGEST));
	most = LARGER(most, cc_natural_gcdext_scratch(LONGEST, LONGEST));
	most = LARGER(most, cc_natural_invert_scratch(LONGEST, LONGEST));
	most = LARGER(most, cc_natural_jacobi_scratch(LONGEST, LONGEST));
	most = LARGER(most, cc_natural_powm_scratch(LONGEST, LONGEST, LONGEST));
	most = LARGER(most, cc_natural_isqrt_scratch(LONGEST));
	most = LARGER(most, cc_natural_root_scratch(LONGEST));
	most = LARGER(most, cc_natural_is_square_scratch(LONGEST));
	return LARGER(most, cc_natural_is_power_scratch(LONGEST));
}

void oracle_natural(const char *tier)
{
	size_t drawn = test_scaled(DRAWN), n;
	unsigned int density, step = drawn < DENSITIES ? (unsigned int)(DENSITIES / drawn) : 1;

	test_case(tier, "natural.h");
	scratch = malloc(scratch_words() * sizeof(*scratch));
	for (n = 1; n <= LONGEST; n++)
		for (density = random_below(step); density < DENSITIES; density += step)
			check(n, random_below(2) ? n : 1 + random_below(n), density);
	/* all ones, and their powers of two */
	for (n = 1; n <= LONGEST; n++)
		check(n, n, 64);
	free(scratch);
}
