// SPDX-License-Identifier: MIT
/* XXH64 (Collet), as one writes it in C. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (64 - (n))))

static const uint64_t p1 = 0x9e3779b185ebca87, p2 = 0xc2b2ae3d27d4eb4f, p3 = 0x165667b19e3779f9,
		      p4 = 0x85ebca77c2b2ae63, p5 = 0x27d4eb2f165667c5;

static uint64_t word(const uint8_t *p)
{
	uint64_t x;

	memcpy(&x, p, 8);
	return x;
}

static uint64_t accumulated(uint64_t lane, uint64_t value)
{
	lane += value * p2;
	return ROTATE(lane, 31) * p1;
}

uint64_t peer_xxh64(const uint8_t *data, size_t size)
{
	const uint8_t *p = data, *end = data + size;
	uint64_t h = p5, lanes[4] = {p1 + p2, p2, 0, -p1};
	uint32_t half;
	int i;

	if (size >= 32) {
		for (; end - p >= 32; p += 32)
			for (i = 0; i < 4; i++)
				lanes[i] = accumulated(lanes[i], word(p + 8 * i));
		h = ROTATE(lanes[0], 1) + ROTATE(lanes[1], 7) + ROTATE(lanes[2], 12) +
		    ROTATE(lanes[3], 18);
		for (i = 0; i < 4; i++)
			h = (h ^ accumulated(0, lanes[i])) * p1 + p4;
	}
	h += size;
	for (; end - p >= 8; p += 8) {
		h ^= accumulated(0, word(p));
		h = ROTATE(h, 27) * p1 + p4;
	}
	if (end - p >= 4) {
		memcpy(&half, p, 4);
		h ^= half * p1;
		h = ROTATE(h, 23) * p2 + p3;
		p += 4;
	}
	for (; p < end; p++) {
		h ^= *p * p5;
		h = ROTATE(h, 11) * p1;
	}
	h = (h ^ h >> 33) * p2;
	h = (h ^ h >> 29) * p3;
	return h ^ h >> 32;
}
