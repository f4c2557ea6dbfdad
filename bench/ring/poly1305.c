// SPDX-License-Identifier: MIT
/* Poly1305 (RFC 8439), as one writes it in C: the accumulator in three words. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 u128;

void peer_poly1305(const uint8_t *key, const uint8_t *data, size_t size, uint8_t *tag)
{
	uint64_t r[2], s[2], h[3] = {0}, n[3], g[2];
	size_t length;
	u128 t, d0, d1;

	memcpy(r, key, 16);
	memcpy(s, key + 16, 16);
	r[0] &= 0x0ffffffc0fffffff;
	r[1] &= 0x0ffffffc0ffffffc;
	for (; size; size -= length, data += length) {
		length = size < 16 ? size : 16;
		memset(n, 0, sizeof(n));
		memcpy(n, data, length);
		((uint8_t *)n)[length] = 1;
		t = (u128)h[0] + n[0];
		h[0] = (uint64_t)t;
		t = (u128)h[1] + n[1] + (uint64_t)(t >> 64);
		h[1] = (uint64_t)t;
		h[2] += n[2] + (uint64_t)(t >> 64);
		/* r1 is a multiple of 4, and 2^130 is 5: r1 2^128 is r1 + r1 / 4 */
		d0 = (u128)h[0] * r[0] + (u128)h[1] * (r[1] + (r[1] >> 2));
		d1 = (u128)h[0] * r[1] + (u128)h[1] * r[0] + h[2] * (r[1] + (r[1] >> 2));
		d1 += (uint64_t)(d0 >> 64);
		h[2] = h[2] * r[0] + (uint64_t)(d1 >> 64);
		t = (u128)(uint64_t)d0 + (h[2] >> 2) + (h[2] & ~(uint64_t)3);
		h[0] = (uint64_t)t;
		t = (u128)(uint64_t)d1 + (uint64_t)(t >> 64);
		h[1] = (uint64_t)t;
		h[2] = (h[2] & 3) + (uint64_t)(t >> 64);
	}
	t = (u128)h[0] + 5;
	g[0] = (uint64_t)t;
	t = (u128)h[1] + (uint64_t)(t >> 64);
	g[1] = (uint64_t)t;
	if (h[2] + (uint64_t)(t >> 64) >= 4)
		memcpy(h, g, 16);
	t = (u128)h[0] + s[0];
	g[0] = (uint64_t)t;
	g[1] = h[1] + s[1] + (uint64_t)(t >> 64);
	memcpy(tag, g, 16);
}
