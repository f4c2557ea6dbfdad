// SPDX-License-Identifier: MIT
/*
 * Products of any size in every tier, beside limbs.h's, which test_limbs.c proves: on both sides
 * of every threshold, in slices, with scratch of exactly the size promised between guards.  Its
 * other parts do the same for the rest of natural.h.
 */
#include "natural.h"

#include "places.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include "natural/product.h"
#include "transform/transform.h"

#include <stdlib.h>
#include <string.h>

static cc_word *want, *work;

#define LONGEST 12000

static void check_mul(size_t an, size_t bn)
{
	cc_word *a = place(FIRST, NULL, an), *b = place(SECOND, NULL, bn);
	cc_word *r = place(RESULT, NULL, an + bn);

	test_sizes(an, bn, 0);
	random_words(a, an);
	random_words(b, bn);
	cc_natural_mul(r, a, an, b, bn, place(SCRATCH, NULL, cc_natural_mul_scratch(an, bn)));
	cc_limbs_mul(want, a, an, b, bn, work);
	CHECK(!memcmp(r, want, (an + bn) * sizeof(*r)), "wrong");
	check_guards();
}

static void check_sqr(size_t n)
{
	cc_word *a = place(FIRST, NULL, n);
	cc_word *r = place(RESULT, NULL, 2 * n);

	test_sizes(n, 0, 0);
	random_words(a, n);
	cc_natural_sqr(r, a, n, place(SCRATCH, NULL, cc_natural_sqr_scratch(n)));
	cc_limbs_mul(want, a, n, a, n, work);
	CHECK(!memcmp(r, want, 2 * n * sizeof(*r)), "wrong");
	check_guards();
}

static void tier(const char *name)
{
	const size_t least_mul = cc_natural_transform_mul(), least_sqr = cc_natural_transform_sqr();
	size_t i, n;

	begin(name, "cc_natural_mul");
	for (i = 0; i < test_scaled(300); i++)
		check_mul(random_below(1500), random_below(1500));
	for (i = 0; i < 5; i++)
		for (n = 0; n < 5; n++)
			check_mul(least_mul - 2 + i + random_below(2) * random_below(5000),
				  least_mul - 2 + n);
	for (i = 0; i < test_scaled(20); i++) {
		n = least_mul + random_below(200);
		check_mul(n * (2 + random_below(4)) + random_below(n), n);
	}
	for (i = 0; i < test_scaled(20); i++)
		check_mul(random_below(LONGEST), random_below(LONGEST));

	begin(name, "cc_natural_sqr");
	for (i = 0; i < test_scaled(200); i++)
		check_sqr(random_below(1500));
	for (i = 0; i < 5; i++)
		check_sqr(least_sqr - 2 + i);
	for (i = 0; i < test_scaled(20); i++)
		check_sqr(random_below(LONGEST));

	natural_divide(name);
	natural_root(name);
	natural_gcd(name);
	natural_jacobi(name);
	natural_powm(name);
	natural_kth_root(name);
	natural_exact(name);
	natural_digits(name);
	natural_scratch(name);
}

int main(int argc, char **argv)
{
	size_t longest = 6 * (size_t)5000;

	test_begin(argc, argv);
	want = malloc(2 * longest * sizeof(*want));
	work = malloc(cc_limbs_mul_scratch(longest, longest) * sizeof(*work));
	test_tiers(tier);
	free(work);
	free(want);
	return test_end();
}
