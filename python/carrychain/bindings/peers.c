// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "peers.h"

__extension__ typedef unsigned __int128 u128;

void peer_muldiv_each(uint64_t *q, const uint64_t *a, const uint64_t *b, const uint64_t *c,
		      size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		q[i] = (uint64_t)((u128)a[i] * b[i] / c[i]);
}

uint16_t peer_checksum(const void *data, size_t len)
{
	const unsigned char *p = data;
	u128 sum = 0;
	uint64_t word, whole;
	int i;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		sum += word;
	}
	/* the rest, padded with zeros; 2^64, 2^32 and 2^16 are 1 modulo 65535 */
	word = 0;
	memcpy(&word, p, len);
	sum += word;
	sum = (uint64_t)sum + (sum >> 64);
	whole = (uint64_t)sum + (uint64_t)(sum >> 64);
	whole = (whole >> 32) + (uint32_t)whole;
	for (i = 0; i < 3; i++)
		whole = (whole >> 16) + (uint16_t)whole;
	return (uint16_t)~whole;
}
