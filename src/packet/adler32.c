// SPDX-License-Identifier: MIT
/* Adler-32 (RFC 1950, 8.2), SCTP's checksum before it had CRC32c: RFC 2960, appendix B. */
#include <carrychain/packet.h>

/* The largest prime below 2^16. */
#define PRIME 65521
/*
 * The number of bytes between reductions: from PRIME - 1, n bytes increase @twice to at most
 * (n + 1) * (PRIME - 1) + 255 * n * (n + 1) / 2, which is below 2^32 for n = 5552.
 */
#define BLOCK 5552

cc_u32 cc_packet_adler32(cc_u32 sum, const void *data, size_t len)
{
	const unsigned char *p = data;
	cc_u32 once = sum & 0xffff, twice = sum >> 16;

	while (len) {
		size_t n = len < BLOCK ? len : BLOCK;

		len -= n;
		for (; n; n--) {
			once += *p++;
			twice += once;
		}
		once %= PRIME;
		twice %= PRIME;
	}
	return twice << 16 | once;
}
