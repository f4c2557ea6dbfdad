// SPDX-License-Identifier: MIT
/* xoshiro256** (Blackman, Vigna 2018), as one writes it in C: the last of so many numbers. */
#include <stddef.h>
#include <stdint.h>

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (64 - (n))))

static uint64_t splitmix64(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t following(uint64_t s[4])
{
	uint64_t number = ROTATE(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = ROTATE(s[3], 45);
	return number;
}

uint64_t peer_xoshiro256(uint64_t seed, uint64_t count)
{
	uint64_t s[4], number = 0;
	int i;

	for (i = 0; i < 4; i++)
		s[i] = splitmix64(&seed);
	for (; count; count--)
		number = following(s);
	return number;
}
