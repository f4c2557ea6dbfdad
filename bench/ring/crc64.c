// SPDX-License-Identifier: MIT
/* CRC-64 (XZ's), as one writes it in C. */
#include <stddef.h>
#include <stdint.h>

uint64_t peer_crc64_xz(const uint8_t *data, size_t size)
{
	static uint64_t table[256];
	uint64_t crc;
	size_t i;
	int k;

	if (!table[1]) {
		for (i = 0; i < 256; i++) {
			crc = i;
			for (k = 0; k < 8; k++)
				crc = crc & 1 ? crc >> 1 ^ 0xc96c5795d7870f42 : crc >> 1;
			table[i] = crc;
		}
	}
	crc = ~(uint64_t)0;
	for (i = 0; i < size; i++)
		crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}
