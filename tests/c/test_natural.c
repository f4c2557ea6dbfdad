// SPDX-License-Identifier: MIT
/*
 * Products of any size in every tier, beside limbs.h's, which test_limbs.c proves: on both sides
 * of every threshold, in slices, with scratch of exactly the size promised between guards.  Its
 * other parts do the same for the rest of natural.h.
 */
#include "natural.h"

#include "harness.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include "transform/transform.h"

#include <stdlib.h>
#include <string.h>

static struct guard result, first, second, room;
static cc_word *want, *work;

#define LONGEST 12000

static void check_mul(size_t an, size_t bn)
{
	cc_word *a = guard_words(&first, an, GUARD_END), *b = guard_words(&second, bn, GUARD_END);
	cc_word *r = guard_words(&result, an + bn, GUARD_END);

	test_sizes(an, bn, 0);
	random_words(a, an);
	random_words(b, bn);
	cc_natural_mul(r, a, an, b, bn,
		       guard_words(&room, cc_natural_mul_scratch(an, bn), GUARD_END));
	cc_limbs_mul(want, a, an, b, bn, work);
	CHECK(!memcmp(r, want, (an + bn) * sizeof(*r)), "wrong");
	CHECK(guard_intact(&result) && guard_intact(&room) && guard_intact(&first) &&
		      guard_intact(&second),
	      "wrote beside its room");
}

static void check_sqr(size_t n)
{
	cc_word *a = guard_words(&first, n, GUARD_END);
	cc_word *r = guard_words(&result, 2 * n, GUARD_END);

	test_sizes(n, 0, 0);
	random_words(a, n);
	cc_natural_sqr(r, a, n, guard_words(&room, cc_natural_sqr_scratch(n), GUARD_END));
	cc_limbs_mul(want, a, n, a, n, work);
	CHECK(!memcmp(r, want, 2 * n * sizeof(*r)), "wrong");
	CHECK(guard_intact(&result) && guard_intact(&room) && guard_intact(&first),
	      "wrote beside its room");
}

static void tier(const char *name)
{
	const struct cc_transform_kernels *k = cc_transform_kernels();
	size_t i, n;

	test_case(name, "cc_natural_mul");
	for (i = 0; i < test_scaled(300); i++)
		check_mul(random_below(1500), random_below(1500));
	for (i = 0; i < 5; i++)
		for (n = 0; n < 5; n++)
			check_mul(k->least_mul - 2 + i + random_below(2) * random_below(5000),
				  k->least_mul - 2 + n);
	for (i = 0; i < test_scaled(20); i++) {
		n = k->least_mul + random_below(200);
		check_mul(n * (2 + random_below(4)) + random_below(n), n);
	}
	for (i = 0; i < test_scaled(20); i++)
		check_mul(random_below(LONGEST), random_below(LONGEST));

	test_case(name, "cc_natural_sqr");
	for (i = 0; i < test_scaled(200); i++)
		check_sqr(random_below(1500));
	for (i = 0; i < 5; i++)
		check_sqr(k->least_sqr - 2 + i);
	for (i = 0; i < test_scaled(20); i++)
		check_sqr(random_below(LONGEST));

	natural_divide(name);
	natural_root(name);
	natural_gcd(name);
	natural_digits(name);
	natural_scratch(name);
}

int main(int argc, char **argv)
{
	size_t longest = 6 * (size_t)5000;

	test_begin(argc, argv);
	guard_init(&result, 2 * longest * sizeof(cc_word));
	guard_init(&first, longest * sizeof(cc_word));
	guard_init(&second, longest * sizeof(cc_word));
	guard_init(&room, 24 * longest * sizeof(cc_word));
	want = malloc(2 * longest * sizeof(*want));
	work = malloc(cc_limbs_mul_scratch(longest, longest) * sizeof(*work));
	test_tiers(tier);
	free(work);
	free(want);
	guard_free(&room);
	guard_free(&second);
	guard_free(&first);
	guard_free(&result);
	return test_end();
}
