// SPDX-License-Identifier: MIT
/* SHA-1 (FIPS 180-4), as one writes it in C: what compiled Lisp is timed against. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))

#define STEP(f, k)                                                                                 \
	(t = ROTATE(a, 5) + (f) + e + (k) + w[i], e = d, d = c, c = ROTATE(b, 30), b = a, a = t)

static uint32_t word(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void blocks(uint32_t state[5], const uint8_t *data, size_t count)
{
	uint32_t a, b, c, d, e, t, w[80];
	int i;

	for (; count; count--, data += 64) {
		for (i = 0; i < 16; i++)
			w[i] = word(data + 4 * i);
		for (; i < 80; i++)
			w[i] = ROTATE(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
		a = state[0];
		b = state[1];
		c = state[2];
		d = state[3];
		e = state[4];
		for (i = 0; i < 20; i++)
			STEP((b & c) | (~b & d), 0x5a827999);
		for (; i < 40; i++)
			STEP(b ^ c ^ d, 0x6ed9eba1);
		for (; i < 60; i++)
			STEP((b & c) | (b & d) | (c & d), 0x8f1bbcdc);
		for (; i < 80; i++)
			STEP(b ^ c ^ d, 0xca62c1d6);
		state[0] += a;
		state[1] += b;
		state[2] += c;
		state[3] += d;
		state[4] += e;
	}
}

void peer_sha1(const uint8_t *data, size_t size, uint8_t *digest)
{
	uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
	uint8_t last[128] = {0};
	size_t whole = size / 64, rest = size % 64, length = rest < 56 ? 64 : 128;
	int i;

	blocks(state, data, whole);
	memcpy(last, data + whole * 64, rest);
	last[rest] = 0x80;
	for (i = 0; i < 8; i++)
		last[length - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
	blocks(state, last, length / 64);
	for (i = 0; i < 20; i++)
		digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
