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

int main(int argc, char **argv)
{
	size_t i;

	test_begin(argc, argv);
	tier_names();
	for (i = 0; i < cc_fixed_candidates_count; i++) {
		const struct cc_fixed_kernels *k = cc_fixed_candidates[i].kernels;
		size_t check;

		if (cc_fixed_candidates[i].needs & ~cc_cpu_detected()) {
			test_skip("kernels of tier %s: this processor lacks it", k->tier);
			continue;
		}
		for (check = 0; check < FIXED_CHECKS; check++)
			fixed_checks[check].run(k);
	}
	broken_fixed_kernels();
	test_tiers(fixed_functions);
	test_tiers(fixed_basic);
	test_tiers(fixed_products);
	test_tiers(fixed_bytes);
	test_tiers(fixed_context);
	test_tiers(fixed_number);
	test_tiers(fixed_prime);
	test_tiers(fixed_rsa);
	test_tiers(fixed_vectors);
	return test_end();
}
