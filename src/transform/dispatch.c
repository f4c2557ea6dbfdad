// SPDX-License-Identifier: MIT
#include "kernels.h"

static const struct cc_candidate candidates[] = {
	{CC_TIER_GENERIC, &cc_transform_generic},
#if CC_BUILD_VECTORS
	{CC_TIER_AVX2, &cc_transform_avx2},
	{CC_TIER_AVX512, &cc_transform_avx512},
#endif
};

const struct cc_transform_kernels *cc_transform_kernels(void)
{
	const struct cc_transform_kernels *k = cc_cpu_kernels(CC_FAMILY_TRANSFORM);

	if (__builtin_expect(!k, 0))
		k = cc_cpu_choose(CC_FAMILY_TRANSFORM, candidates,
				  sizeof(candidates) / sizeof(candidates[0]));
	return k;
}
