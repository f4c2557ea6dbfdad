// SPDX-License-Identifier: MIT
#include "dispatch.h"

/* A cache line, which no vector scheme is quicker for. */
#define SHORT 64
/* What stays in the first cache, twice, between being copied and being summed: even. */
#define COPY 8192

static inline cc_u32 sum(const unsigned char *data, size_t len)
{
	if (len <= SHORT)
		return cc_checksum_fold32(cc_checksum_short(data, len));
	return cc_checksum_kernels()->sum(data, len);
}

const char *cc_checksum_tier(void)
{
	return cc_checksum_kernels()->tier;
}

uint16_t cc_checksum(const void *data, size_t len)
{
	return cc_checksum_fold(sum(data, len));
}

uint32_t cc_checksum_partial(const void *data, size_t len, uint32_t before)
{
	return cc_checksum_add(before, sum(data, len));
}

uint32_t cc_checksum_copy(void *to, const void *from, size_t len, uint32_t before)
{
	const unsigned char *in = from;
	unsigned char *out = to;

	while (len) {
		size_t part = len < COPY ? len : COPY;

		memcpy(out, in, part);
		before = cc_checksum_partial(out, part, before);
		out += part;
		in += part;
		len -= part;
	}
	return before;
}
