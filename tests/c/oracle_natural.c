// SPDX-License-Identifier: MIT
/* Every size to 300 words in every density, products and quotients of natural.h. */
#include "harness.h"
#include "oracle.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define LONGEST	  300
#define DENSITIES 65
#define STEP	  4

static cc_word a[2 * LONGEST], b[2 * LONGEST], r[4 * LONGEST], should[4 * LONGEST];
static cc_word *scratch;

static void same(const char *what, const cc_word *is, size_t n)
{
	CHECK(!memcmp(is, should, n * sizeof(*is)), "another %s than %s's", what, oracle_name);
}

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
#endif
}

void oracle_natural(const char *tier)
{
	size_t n, m, most = cc_natural_mul_scratch(LONGEST, LONGEST);
	unsigned int density;

	test_case(tier, "natural.h");
	for (n = 1; n <= LONGEST; n++)
		for (m = 1; m <= n; m++) {
			size_t words = cc_natural_divrem_scratch(2 * n, m);

			most = words > most ? words : most;
		}
	scratch = malloc(most * sizeof(*scratch));
	for (n = 1; n <= LONGEST; n++)
		for (density = random_below(STEP); density < DENSITIES; density += STEP)
			check(n, random_below(2) ? n : 1 + random_below(n), density);
	/* all ones, and their powers of two */
	for (n = 1; n <= LONGEST; n++)
		check(n, n, 64);
	free(scratch);
}
