// SPDX-License-Identifier: MIT
/* CRC-32 (ISO 3309), as one writes it in C: by a table, and bit by bit. */
#include <stddef.h>
#include <stdint.h>

static uint32_t shifted(uint32_t crc)
{
	int i;

	for (i = 0; i < 8; i++)
		crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	return crc;
}

uint32_t peer_crc32(const uint8_t *data, size_t size)
{
	static uint32_t table[256];
	uint32_t crc = 0xffffffff;
	size_t i;

	if (!table[1])
		for (i = 0; i < 256; i++)
			table[i] = shifted((uint32_t)i);
	for (i = 0; i < size; i++)
		crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

uint32_t peer_crc32_bitwise(const uint8_t *data, size_t size)
{
	uint32_t crc = 0xffffffff;
	size_t i;

	for (i = 0; i < size; i++)
		crc = shifted(crc ^ data[i]);
	return ~crc;
}
