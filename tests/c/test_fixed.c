// SPDX-License-Identifier: MIT
/* Constant-time integers: the kernels of every tier, then what is built on them. */
#include "fixed_kernels.h"
#include "harness.h"

int main(int argc, char **argv)
{
	size_t i;

	test_begin(argc, argv);
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
	test_tiers(fixed_vectors);
	return test_end();
}
