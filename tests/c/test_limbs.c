// SPDX-License-Identifier: MIT
/* Vectors of words: the kernels of every tier, then what is built on them. */
#include "harness.h"
#include "limbs_kernels.h"

int main(int argc, char **argv)
{
	size_t i;

	test_begin(argc, argv);
	broken_kernels();
	for (i = 0; i < cc_limbs_candidates_count; i++) {
		const struct cc_limbs_kernels *k = cc_limbs_candidates[i].kernels;
		size_t check;

		if (cc_limbs_candidates[i].needs & ~cc_cpu_detected()) {
			test_emulated("tier %s", k->tier);
			continue;
		}
		for (check = 0; check < KERNEL_CHECKS; check++)
			kernel_checks[check].run(k);
		limbs_functions(k->tier, cc_limbs_candidates[i].needs);
	}
	return test_end();
}
