// SPDX-License-Identifier: MIT
/* XTEA (Needham, Wheeler 1997), as one writes it in C. */
#include <stddef.h>
#include <stdint.h>

static uint32_t get(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put(uint8_t *p, uint32_t x)
{
	p[0] = (uint8_t)(x >> 24);
	p[1] = (uint8_t)(x >> 16);
	p[2] = (uint8_t)(x >> 8);
	p[3] = (uint8_t)x;
}

void peer_xtea(const uint8_t *key, const uint8_t *data, size_t size, uint8_t *result)
{
	uint32_t k[4], v0, v1, sum;
	size_t at;
	int i;

	for (i = 0; i < 4; i++)
		k[i] = get(key + 4 * i);
	for (at = 0; at + 8 <= size; at += 8) {
		v0 = get(data + at);
		v1 = get(data + at + 4);
		sum = 0;
		for (i = 0; i < 32; i++) {
			v0 += ((v1 << 4 ^ v1 >> 5) + v1) ^ (sum + k[sum & 3]);
			sum += 0x9e3779b9;
			v1 += ((v0 << 4 ^ v0 >> 5) + v0) ^ (sum + k[sum >> 11 & 3]);
		}
		put(result + at, v0);
		put(result + at + 4, v1);
	}
}
