// SPDX-License-Identifier: MIT
/* Sizes to 300 words in densities drawn, products and quotients of natural.h, and cofactors. */
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
#endif
}

void oracle_natural(const char *tier)
{
	size_t n, m, most = cc_natural_mul_scratch(LONGEST, LONGEST);
	size_t drawn = test_scaled(DRAWN);
	unsigned int density, step = drawn < DENSITIES ? (unsigned int)(DENSITIES / drawn) : 1;

	test_case(tier, "natural.h");
	for (n = 1; n <= LONGEST; n++)
		for (m = 1; m <= n; m++) {
			size_t words = cc_natural_divrem_scratch(2 * n, m);

			most = words > most ? words : most;
		}
	m = cc_natural_gcdext_scratch(LONGEST, LONGEST);
	most = m > most ? m : most;
	m = cc_natural_jacobi_scratch(LONGEST, LONGEST);
	most = m > most ? m : most;
	m = cc_natural_powm_scratch(LONGEST, LONGEST, LONGEST);
	most = m > most ? m : most;
	scratch = malloc(most * sizeof(*scratch));
	for (n = 1; n <= LONGEST; n++)
		for (density = random_below(step); density < DENSITIES; density += step)
			check(n, random_below(2) ? n : 1 + random_below(n), density);
	/* all ones, and their powers of two */
	for (n = 1; n <= LONGEST; n++)
		check(n, n, 64);
	free(scratch);
}
