// SPDX-License-Identifier: MIT
#include "kernels.h"

const struct cc_candidate cc_limbs_candidates[] = {
	{CC_TIER_GENERIC, &cc_limbs_generic},
#if CC_BUILD_X86_64
	{CC_TIER_X86_64, &cc_limbs_x86_64},
	{CC_TIER_BMI2ADX, &cc_limbs_bmi2adx},
#endif
#if CC_BUILD_VECTORS
	{CC_TIER_AVX512IFMA, &cc_limbs_avx512ifma},
#endif
};

const size_t cc_limbs_candidates_count =
	sizeof(cc_limbs_candidates) / sizeof(cc_limbs_candidates[0]);

const char *cc_limbs_tier(void)
{
	return cc_limbs_kernels()->tier;
}

/*
 * The first call, which chooses the tier, is a separate function, so that any other call is a
 * load, a test and a jump, with its arguments still in their registers.
 */
#define DISPATCH(name, parameters, arguments)                                                      \
	static __attribute__((__noinline__, __cold__)) cc_word name##_first parameters             \
	{                                                                                          \
		return cc_limbs_kernels()->name arguments;                                         \
	}                                                                                          \
                                                                                                   \
	cc_word cc_limbs_##name parameters                                                         \
	{                                                                                          \
		const struct cc_limbs_kernels *k = cc_cpu_kernels(CC_FAMILY_LIMBS);                \
                                                                                                   \
		if (__builtin_expect(!k, 0))                                                       \
			return name##_first arguments;                                             \
		return k->name arguments;                                                          \
	}

DISPATCH(add, (cc_word * r, const cc_word *a, const cc_word *b, size_t n), (r, a, b, n))
DISPATCH(sub, (cc_word * r, const cc_word *a, const cc_word *b, size_t n), (r, a, b, n))
DISPATCH(mul_1, (cc_word * r, const cc_word *a, size_t n, cc_word w), (r, a, n, w))
DISPATCH(addmul_1, (cc_word * r, const cc_word *a, size_t n, cc_word w), (r, a, n, w))
DISPATCH(submul_1, (cc_word * r, const cc_word *a, size_t n, cc_word w), (r, a, n, w))
DISPATCH(lshift, (cc_word * r, const cc_word *a, size_t n, unsigned int count), (r, a, n, count))
DISPATCH(rshift, (cc_word * r, const cc_word *a, size_t n, unsigned int count), (r, a, n, count))
