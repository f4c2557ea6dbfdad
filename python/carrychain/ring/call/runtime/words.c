// SPDX-License-Identifier: MIT
/* words.c - operations on words that take a loop or library code. */
#include "entries.h"

/* Finds the root bit by bit. */
uint64_t ring_isqrt_word(uint64_t x)
{
	uint64_t r = 0, bit = (uint64_t)1 << 62;

	for (; bit; bit >>= 2) {
		if (x >= r + bit) {
			x -= r + bit;
			r = (r >> 1) + bit;
		} else {
			r >>= 1;
		}
	}
	return r;
}

uint64_t ring_gcd_word(uint64_t a, uint64_t b)
{
	uint64_t t;

	while (b) {
		t = a % b;
		a = b;
		b = t;
	}
	return a;
}

uint64_t ring_power_word(uint64_t a, uint64_t n)
{
	uint64_t r = 1;

	for (; n; n >>= 1) {
		if (n & 1)
			r *= a;
		a *= a;
	}
	return r;
}

#ifdef __SIZEOF_INT128__
ring_wide ring_divti3(ring_wide a, ring_wide b)
{
	return a / b;
}

ring_wide ring_modti3(ring_wide a, ring_wide b)
{
	return a % b;
}

ring_unsigned_wide ring_udivti3(ring_unsigned_wide a, ring_unsigned_wide b)
{
	return a / b;
}

ring_unsigned_wide ring_umodti3(ring_unsigned_wide a, ring_unsigned_wide b)
{
	return a % b;
}
#endif
