// SPDX-License-Identifier: MIT
/* Constant-time integers: the kernels of every tier, then what is built on them. */
#include "fixed_kernels.h"
#include "harness.h"

#include <string.h>

/* Who names a tier gets it: else what says that it tests one would test another. */
static void tier_names(void)
{
	const struct cc_cpu_tier *tiers;
	size_t count, i, j;

	tiers = cc_cpu_tiers(&count);
	test_case(NULL, "names of tiers");
	for (i = 0; i < cc_fixed_candidates_count; i++) {
		const struct cc_fixed_kernels *k = cc_fixed_candidates[i].kernels;

		for (j = 0; j < count && strcmp(tiers[j].name, k->tier); j++)
			;
		CHECK(j < count && tiers[j].needs == cc_fixed_candidates[i].needs, "%s", k->tier);
	}
}

static void (*part)(const char *tier);

static void in_tier(const char *tier)
{
	if (!strcmp(cc_fz_tier(), tier))
		part(tier);
}

/* Not where others than fixed/ have a tier of that name. */
static void in_tiers(void (*run)(const char *tier))
{
	part = run;
	test_tiers(in_tier);
}

int main(int argc, char **argv)
{
	size_t i;

	test_begin(argc, argv);
	tier_names();
	for (i = 0; i < cc_fixed_candidates_count; i++) {
		const struct cc_fixed_kernels *k = cc_fixed_candidates[i].kernels;
		size_t check;

		if (cc_fixed_candidates[i].needs & ~cc_cpu_detected()) {
			test_emulated("kernels of tier %s", k->tier);
			continue;
		}
		for (check = 0; check < FIXED_CHECKS; check++)
			fixed_checks[check].run(k);
	}
	broken_fixed_kernels();
	in_tiers(fixed_functions);
	in_tiers(fixed_basic);
	in_tiers(fixed_products);
	in_tiers(fixed_bytes);
	in_tiers(fixed_context);
	in_tiers(fixed_number);
	in_tiers(fixed_prime);
	in_tiers(fixed_rsa);
	in_tiers(fixed_stack);
	in_tiers(fixed_vectors);
	return test_end();
}
