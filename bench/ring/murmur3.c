// SPDX-License-Identifier: MIT
/* MurmurHash3 (Appleby) of x64 and 128 bits, as one writes it in C. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (64 - (n))))

static const uint64_t c1 = 0x87c37b91114253d5, c2 = 0x4cf5ad432745937f;

static uint64_t word(const uint8_t *p)
{
	uint64_t x;

	memcpy(&x, p, 8);
	return x;
}

static uint64_t mixed(uint64_t k)
{
	k ^= k >> 33;
	k *= 0xff51afd7ed558ccd;
	k ^= k >> 33;
	k *= 0xc4ceb9fe1a85ec53;
	return k ^ k >> 33;
}

static uint64_t first(uint64_t k)
{
	k *= c1;
	return ROTATE(k, 31) * c2;
}

static uint64_t second(uint64_t k)
{
	k *= c2;
	return ROTATE(k, 33) * c1;
}

void peer_murmur3_128(const uint8_t *data, size_t size, uint8_t *result)
{
	uint64_t h[2] = {0, 0};
	uint8_t tail[16] = {0};
	size_t at, whole = size / 16 * 16;

	for (at = 0; at < whole; at += 16) {
		h[0] ^= first(word(data + at));
		h[0] = (ROTATE(h[0], 27) + h[1]) * 5 + 0x52dce729;
		h[1] ^= second(word(data + at + 8));
		h[1] = (ROTATE(h[1], 31) + h[0]) * 5 + 0x38495ab5;
	}
	memcpy(tail, data + whole, size - whole);
	h[0] ^= first(word(tail));
	h[1] ^= second(word(tail + 8));
	h[0] ^= size;
	h[1] ^= size;
	h[0] += h[1];
	h[1] += h[0];
	h[0] = mixed(h[0]);
	h[1] = mixed(h[1]);
	h[0] += h[1];
	h[1] += h[0];
	memcpy(result, h, 16);
}
