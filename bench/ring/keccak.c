// SPDX-License-Identifier: MIT
/* SHA3-256 (FIPS 202), as one writes it in C. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RATE 136

static const uint64_t constants[24] = {
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
	0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static uint64_t rotate(uint64_t x, int n)
{
	return x << n | x >> (-n & 63);
}

static void keccak_f(uint64_t a[25])
{
	uint64_t c[5], d, lane, next;
	int round, t, x, y, z;

	for (round = 0; round < 24; round++) {
		for (x = 0; x < 5; x++)
			c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
		for (x = 0; x < 5; x++) {
			d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1);
			for (y = 0; y < 25; y += 5)
				a[x + y] ^= d;
		}
		x = 1;
		y = 0;
		lane = a[1];
		for (t = 0; t < 24; t++) {
			z = (2 * x + 3 * y) % 5;
			x = y;
			y = z;
			next = a[x + 5 * y];
			a[x + 5 * y] = rotate(lane, (t + 1) * (t + 2) / 2 % 64);
			lane = next;
		}
		for (y = 0; y < 25; y += 5) {
			memcpy(c, a + y, sizeof(c));
			for (x = 0; x < 5; x++)
				a[x + y] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
		}
		a[0] ^= constants[round];
	}
}

static void absorb(uint64_t a[25], const uint8_t *data)
{
	uint64_t lane;
	int i;

	for (i = 0; i < RATE / 8; i++) {
		memcpy(&lane, data + 8 * i, 8);
		a[i] ^= lane;
	}
	keccak_f(a);
}

void peer_keccak(const uint8_t *data, size_t size, uint8_t *digest)
{
	uint64_t a[25] = {0};
	uint8_t last[RATE] = {0};

	for (; size >= RATE; size -= RATE, data += RATE)
		absorb(a, data);
	memcpy(last, data, size);
	last[size] = 0x06;
	last[RATE - 1] ^= 0x80;
	absorb(a, last);
	memcpy(digest, a, 32);
}
