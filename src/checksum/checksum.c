// SPDX-License-Identifier: MIT
#include "dispatch.h"

/* Shorter data are summed by words, without looking up the tier. */
#if CC_BUILD_AVX
#define SHORT CC_AVX_FROM
#else
#define SHORT 65
#endif
/* A piece that stays in the first cache, twice, from being copied to being summed; even. */
#define COPY ((size_t)8192)

const char *cc_checksum_tier(void)
{
	return cc_checksum_kernels()->tier;
}

/* A separate function, so that cc_checksum() needs no stack frame. */
static __attribute__((__noinline__)) uint16_t choose_first(const void *data, size_t len)
{
	return cc_checksum_choose()->whole(data, len);
}

/* Aligned: in short calls, fetching the instructions takes a noticeable part of the time. */
__attribute__((__aligned__(64))) uint16_t cc_checksum(const void *data, size_t len)
{
	const struct cc_checksum_kernels *k;

	/* the jump goes to where one jump less follows */
	if (__builtin_expect(len < SHORT, 0))
		return cc_checksum_fold(cc_checksum_short(data, len));
	k = cc_cpu_kernels(CC_FAMILY_CHECKSUM);
	return __builtin_expect(!k, 0) ? choose_first(data, len) : k->whole(data, len);
}

uint32_t cc_checksum_partial(const void *data, size_t len, uint32_t before)
{
	if (len < SHORT)
		return cc_checksum_add(before, cc_checksum_short(data, len));
	return cc_checksum_add(before, cc_checksum_kernels()->sum(data, len));
}

uint32_t cc_checksum_partial_tier(const void *data, size_t len, uint32_t before, uint64_t features)
{
	return cc_checksum_add(before, cc_checksum_best(features)->sum(data, len));
}

static inline uint32_t copy(const struct cc_checksum_kernels *k, unsigned char *to,
			    const unsigned char *from, size_t len, uint32_t before)
{
	if (k->copy)
		return cc_checksum_add(before, k->copy(to, from, len));
	while (len) {
		size_t part = len < COPY ? len : COPY;

		memcpy(to, from, part);
		before = cc_checksum_add(before, k->sum(to, part));
		to += part;
		from += part;
		len -= part;
	}
	return before;
}

uint32_t cc_checksum_copy(void *to, const void *from, size_t len, uint32_t before)
{
	/* lengths for which no tier copies by vectors */
	if (len < 4 * CC_WORD)
		return cc_checksum_add(before, cc_checksum_copy_words(to, from, len));
	return copy(cc_checksum_kernels(), to, from, len, before);
}

uint32_t cc_checksum_copy_tier(void *to, const void *from, size_t len, uint32_t before,
			       uint64_t features)
{
	return copy(cc_checksum_best(features), to, from, len, before);
}
