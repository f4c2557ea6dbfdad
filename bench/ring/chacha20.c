// SPDX-License-Identifier: MIT
/* ChaCha20 (RFC 8439), as one writes it in C. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))

static void quarter_round(uint32_t s[16], int a, int b, int c, int d)
{
	s[a] += s[b];
	s[d] = ROTATE(s[d] ^ s[a], 16);
	s[c] += s[d];
	s[b] = ROTATE(s[b] ^ s[c], 12);
	s[a] += s[b];
	s[d] = ROTATE(s[d] ^ s[a], 8);
	s[c] += s[d];
	s[b] = ROTATE(s[b] ^ s[c], 7);
}

static void block(const uint32_t initial[16], uint8_t stream[64])
{
	uint32_t s[16];
	int i;

	memcpy(s, initial, 64);
	for (i = 0; i < 10; i++) {
		quarter_round(s, 0, 4, 8, 12);
		quarter_round(s, 1, 5, 9, 13);
		quarter_round(s, 2, 6, 10, 14);
		quarter_round(s, 3, 7, 11, 15);
		quarter_round(s, 0, 5, 10, 15);
		quarter_round(s, 1, 6, 11, 12);
		quarter_round(s, 2, 7, 8, 13);
		quarter_round(s, 3, 4, 9, 14);
	}
	for (i = 0; i < 16; i++)
		s[i] += initial[i];
	memcpy(stream, s, 64);
}

void peer_chacha20(const uint8_t *key, uint64_t counter, const uint8_t *nonce, const uint8_t *data,
		   size_t size, uint8_t *result)
{
	uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
	uint8_t stream[64];
	size_t start, k;

	memcpy(s + 4, key, 32);
	memcpy(s + 13, nonce, 12);
	for (start = 0; start < size; start += 64) {
		s[12] = (uint32_t)counter++;
		block(s, stream);
		for (k = 0; k < 64 && start + k < size; k++)
			result[start + k] = data[start + k] ^ stream[k];
	}
}
