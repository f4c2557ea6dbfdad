// SPDX-License-Identifier: MIT
/*
 * Checks F(n) without the library: its residues modulo six primes, of 186 bits together,
 * computed by doubling on 64-bit words, and from the digits, nine at a time.
 */
#include "test.h"

/* the largest below 2^31 */
static const uint64_t primes[] = {2147483647, 2147483629, 2147483587,
				  2147483579, 2147483563, 2147483549};

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t p)
{
	return a * b % p;
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

		/* below 2^31 * 10^9 + 10^9 */
		for (i = 0; i < length;) {
			uint64_t chunk = 0, scale = 1;

			for (; scale < 1000000000 && i < length; scale *= 10)
				chunk = chunk * 10 + (digits[i++] - '0');
			residue = (residue * scale + chunk) % primes[j];
		}
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
