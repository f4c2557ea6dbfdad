// SPDX-License-Identifier: MIT
/* Speck128/128 (Beaulieu et al. 2013), as one writes it in C: the xor of so many counters' blocks.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (64 - (n))))
#define ROUNDS	     32

static uint64_t word(const uint8_t *p)
{
	uint64_t x = 0;
	int i;

	for (i = 0; i < 8; i++)
		x = x << 8 | p[i];
	return x;
}

static void round_forward(uint64_t *x, uint64_t *y, uint64_t k)
{
	*x = (ROTATE(*x, 56) + *y) ^ k;
	*y = ROTATE(*y, 3) ^ *x;
}

void peer_speck(const uint8_t *key, uint64_t count, uint8_t *result)
{
	uint64_t high = word(key), low = word(key + 8), keys[ROUNDS], total[2] = {0}, n, x, y;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		keys[i] = low;
		round_forward(&high, &low, (uint64_t)i);
	}
	for (n = 0; n < count; n++) {
		x = 0;
		y = n;
		for (i = 0; i < ROUNDS; i++)
			round_forward(&x, &y, keys[i]);
		total[0] ^= y;
		total[1] ^= x;
	}
	memcpy(result, total, 16);
}
