// SPDX-License-Identifier: MIT
/* PCG64 (O'Neill 2014), XSL-RR 128/64, as one writes it in C: the last of so many numbers. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 u128;

uint64_t peer_pcg64(const uint8_t *state, const uint8_t *increment, uint64_t count)
{
	const u128 multiplier = (u128)0x2360ed051fc65da4 << 64 | 0x4385df649fccf645;
	uint64_t folded, number = 0;
	unsigned int turn;
	u128 x, i;

	memcpy(&x, state, 16);
	memcpy(&i, increment, 16);
	for (; count; count--) {
		x = x * multiplier + i;
		folded = (uint64_t)(x >> 64) ^ (uint64_t)x;
		turn = (unsigned int)(x >> 122);
		number = folded >> turn | folded << (-turn & 63);
	}
	return number;
}
