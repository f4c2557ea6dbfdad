// SPDX-License-Identifier: MIT
/* MT19937 (Matsumoto, Nishimura 1998), as one writes it in C: the last of so many of
 * random.seed(seed). */
#include <stddef.h>
#include <stdint.h>

#define N 624
#define M 397

static void seed_by_array(uint32_t mt[N], const uint32_t *key, uint32_t length)
{
	uint32_t i, j = 0, k;

	mt[0] = 19650218;
	for (i = 1; i < N; i++)
		mt[i] = 1812433253 * (mt[i - 1] ^ mt[i - 1] >> 30) + i;
	i = 1;
	for (k = N; k; k--) {
		mt[i] = (mt[i] ^ (mt[i - 1] ^ mt[i - 1] >> 30) * 1664525) + key[j] + j;
		i++;
		j++;
		if (i >= N) {
			mt[0] = mt[N - 1];
			i = 1;
		}
		if (j >= length)
			j = 0;
	}
	for (k = N - 1; k; k--) {
		mt[i] = (mt[i] ^ (mt[i - 1] ^ mt[i - 1] >> 30) * 1566083941) - i;
		i++;
		if (i >= N) {
			mt[0] = mt[N - 1];
			i = 1;
		}
	}
	mt[0] = 0x80000000;
}

static void twist(uint32_t mt[N])
{
	uint32_t y;
	int i;

	for (i = 0; i < N; i++) {
		y = (mt[i] & 0x80000000) | (mt[(i + 1) % N] & 0x7fffffff);
		mt[i] = mt[(i + M) % N] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
	}
}

static uint32_t tempered(uint32_t y)
{
	y ^= y >> 11;
	y ^= y << 7 & 0x9d2c5680;
	y ^= y << 15 & 0xefc60000;
	return y ^ y >> 18;
}

uint32_t peer_mt19937(uint64_t seed, uint64_t count)
{
	uint32_t mt[N], key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, number = 0;
	uint64_t n;

	seed_by_array(mt, key, key[1] ? 2 : 1);
	for (n = 0; n < count; n++) {
		if (n % N == 0)
			twist(mt);
		number = tempered(mt[n % N]);
	}
	return number;
}
