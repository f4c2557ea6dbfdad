// SPDX-License-Identifier: MIT
/* Adler-32 (RFC 1950), as one writes it in C: the remainders at each byte, or at the end. */
#include <stddef.h>
#include <stdint.h>

uint32_t peer_adler32(const uint8_t *data, size_t size)
{
	uint32_t a = 1, b = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		a = (a + data[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

uint32_t peer_adler32_late(const uint8_t *data, size_t size)
{
	uint64_t a = 1, b = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		a += data[i];
		b += a;
	}
	return (uint32_t)(b % 65521 << 16 | a % 65521);
}
