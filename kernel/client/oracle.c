// SPDX-License-Identifier: MIT
/*
 * The truth about F(n), by nothing that the library uses: residues modulo three primes,
 * of 186 bits together, from doubling on machine words and from the digits one by one.
 */
#include "test.h"

__extension__ typedef unsigned __int128 u128;

static const uint64_t primes[] = {
	((uint64_t)1 << 61) - 1,
	((uint64_t)1 << 62) - 57,
	((uint64_t)1 << 63) - 25,
};

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t p)
{
	return (u128)a * b % p;
}

/* F(2k) = F(k) (2 F(k + 1) - F(k)), F(2k + 1) = F(k)^2 + F(k + 1)^2 */
static uint64_t fibonacci_mod(uint64_t n, uint64_t p)
{
	uint64_t a = 0, b = 1;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		uint64_t even = mul_mod(a, (2 * b % p + p - a) % p, p);
		uint64_t odd = (mul_mod(a, a, p) + mul_mod(b, b, p)) % p;

		a = n >> bit & 1 ? odd : even;
		b = n >> bit & 1 ? (even + odd) % p : odd;
	}
	return a;
}

bool is_fibonacci(const char *digits, size_t length, uint64_t n)
{
	size_t i, j;

	if (!length || (digits[0] == '0' && length > 1))
		return false;
	for (i = 0; i < length; i++)
		if (digits[i] < '0' || digits[i] > '9')
			return false;
	for (j = 0; j < sizeof(primes) / sizeof(primes[0]); j++) {
		uint64_t residue = 0;

		for (i = 0; i < length; i++)
			residue = ((u128)residue * 10 + (digits[i] - '0')) % primes[j];
		if (residue != fibonacci_mod(n, primes[j]))
			return false;
	}
	return true;
}

uint64_t added_up(uint64_t n)
{
	uint64_t a = 0, b = 1;

	while (n--) {
		uint64_t next = a + b;

		a = b;
		b = next;
	}
	return a;
}
