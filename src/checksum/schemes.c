// SPDX-License-Identifier: MIT
/* The table of implementations, and which of them each tier runs. */
#include "schemes.h"
#include "dispatch.h"

#define ROW(name, tier, needs, flush, function)                                                    \
	{                                                                                          \
#name, tier, needs, flush, function                                                \
	}

const struct cc_checksum_scheme cc_checksum_schemes[] = {
#define GENERIC(name, flush) ROW(name, "generic", CC_TIER_GENERIC, flush, cc_##name)
	GENERIC(checksum16, CC_CHECKSUM16_FLUSH),
	GENERIC(checksum16_unrolled, CC_CHECKSUM16_FLUSH),
	GENERIC(checksum32, CC_CHECKSUM32_FLUSH),
	GENERIC(checksum32_unrolled, CC_CHECKSUM32_FLUSH),
	GENERIC(checksum_word, 0),
	GENERIC(checksum_word_unrolled, 0),
#if CC_BUILD_AVX
#define AVX2(name, flush) ROW(name, "avx2", CC_TIER_AVX2, flush, cc_checksum_##name##_avx2)
	AVX2(mot, CC_MOT_FLUSH),
	AVX2(mot_unrolled, CC_MOT_FLUSH),
	AVX2(ibm, CC_IBM_VECTORS * 32),
	AVX2(ibm_unrolled, CC_IBM_VECTORS * 32),
	AVX2(deferred, CC_DEFERRED_VECTORS * 32),
#define AVX512(name, flush) ROW(name, "avx512", CC_TIER_AVX512, flush, cc_checksum_##name##_avx512)
	AVX512(mot, CC_MOT_FLUSH),
	AVX512(mot_unrolled, CC_MOT_FLUSH),
	AVX512(ibm, CC_IBM_VECTORS * 64),
	AVX512(ibm_unrolled, CC_IBM_VECTORS * 64),
	AVX512(deferred, CC_DEFERRED_VECTORS * 64),
#define VNNI(name, flush)                                                                          \
	ROW(name, "avx512vnni", CC_TIER_AVX512VNNI, flush, cc_checksum_##name##_avx512vnni)
	VNNI(ibm, CC_IBM_VECTORS * 64),
	VNNI(ibm_unrolled, CC_VNNI_VECTORS * 64),
#endif
#if CC_BUILD_NEON
#define NEON(name, flush) ROW(name, "neon", CC_TIER_NEON, flush, cc_checksum_##name##_neon)
	NEON(mot, CC_MOT_FLUSH),
	NEON(mot_unrolled, CC_MOT_FLUSH),
	NEON(ibm, CC_IBM_VECTORS * 16),
	NEON(ibm_unrolled, CC_IBM_VECTORS * 16),
#endif
#if CC_BUILD_ALTIVEC
#define ALTIVEC(name, flush)                                                                       \
	ROW(name, "altivec", CC_TIER_ALTIVEC, flush, cc_checksum_##name##_altivec)
	ALTIVEC(mot, CC_MOT_FLUSH),
	ALTIVEC(mot_unrolled, CC_MOT_FLUSH),
	ALTIVEC(ibm, CC_IBM_VECTORS * 16),
	ALTIVEC(ibm_unrolled, CC_IBM_VECTORS * 16),
#endif
};

const size_t cc_checksum_schemes_count =
	sizeof(cc_checksum_schemes) / sizeof(cc_checksum_schemes[0]);

#define TIER(name, function, copying)                                                              \
	static const struct cc_checksum_kernels name = {                                           \
		.tier = #name,                                                                     \
		.sum = (function),                                                                 \
		.whole = cc_checksum_whole_##name,                                                 \
		.copy = (copying),                                                                 \
	}

TIER(generic, cc_checksum_word_unrolled, cc_checksum_copy_words);
#if CC_BUILD_AVX
TIER(avx2, cc_checksum_deferred_avx2, cc_checksum_copy_avx2);
TIER(avx512, cc_checksum_deferred_avx512, cc_checksum_copy_avx512);
TIER(avx512vnni, cc_checksum_ibm_unrolled_avx512vnni, cc_checksum_copy_avx512);
#endif
#if CC_BUILD_NEON
TIER(neon, cc_checksum_ibm_unrolled_neon, NULL);
#endif
#if CC_BUILD_ALTIVEC
TIER(altivec, cc_checksum_ibm_unrolled_altivec, NULL);
#endif

#define CANDIDATE(tier, needs)                                                                     \
	{                                                                                          \
		needs, &(tier)                                                                     \
	}

static const struct cc_candidate candidates[] = {
	CANDIDATE(generic, CC_TIER_GENERIC),
#if CC_BUILD_AVX
	CANDIDATE(avx2, CC_TIER_AVX2),
	CANDIDATE(avx512, CC_TIER_AVX512),
	CANDIDATE(avx512vnni, CC_TIER_AVX512VNNI),
#endif
#if CC_BUILD_NEON
	CANDIDATE(neon, CC_TIER_NEON),
#endif
#if CC_BUILD_ALTIVEC
	CANDIDATE(altivec, CC_TIER_ALTIVEC),
#endif
};

#define CANDIDATES (sizeof(candidates) / sizeof(candidates[0]))

const struct cc_checksum_kernels *cc_checksum_choose(void)
{
	return cc_cpu_choose(CC_FAMILY_CHECKSUM, candidates, CANDIDATES);
}

const struct cc_checksum_kernels *cc_checksum_best(uint64_t features)
{
	return cc_cpu_best(candidates, CANDIDATES, features & cc_cpu_features());
}
