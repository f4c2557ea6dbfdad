// SPDX-License-Identifier: MIT
/* SipHash-2-4 (Aumasson, Bernstein 2012), as one writes it in C. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (64 - (n))))

static uint64_t word(const uint8_t *p)
{
	uint64_t x;

	memcpy(&x, p, 8);
	return x;
}

static void rounds(int count, uint64_t v[4])
{
	for (; count; count--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = ROTATE(v[1], 13) ^ v[0];
		v[3] = ROTATE(v[3], 16) ^ v[2];
		v[0] = ROTATE(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = ROTATE(v[1], 17) ^ v[2];
		v[3] = ROTATE(v[3], 21) ^ v[0];
		v[2] = ROTATE(v[2], 32);
	}
}

uint64_t peer_siphash(const uint8_t *key, size_t length, const uint8_t *data, size_t size)
{
	uint64_t k0 = word(key), k1 = word(key + 8), m;
	uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
			 k1 ^ 0x7465646279746573};
	uint8_t last[8] = {0};
	size_t at, whole = size / 8 * 8;

	(void)length;
	for (at = 0; at < whole; at += 8) {
		m = word(data + at);
		v[3] ^= m;
		rounds(2, v);
		v[0] ^= m;
	}
	memcpy(last, data + whole, size - whole);
	last[7] = (uint8_t)size;
	m = word(last);
	v[3] ^= m;
	rounds(2, v);
	v[0] ^= m;
	v[2] ^= 0xff;
	rounds(4, v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
