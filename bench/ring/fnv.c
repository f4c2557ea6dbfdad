// SPDX-License-Identifier: MIT
/* FNV-1a (RFC 9923), as one writes it in C. */
#include <stddef.h>
#include <stdint.h>

uint32_t peer_fnv1a_32(const uint8_t *data, size_t size)
{
	uint32_t h = 0x811c9dc5;
	size_t i;

	for (i = 0; i < size; i++)
		h = (h ^ data[i]) * 0x01000193;
	return h;
}

uint64_t peer_fnv1a_64(const uint8_t *data, size_t size)
{
	uint64_t h = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i < size; i++)
		h = (h ^ data[i]) * 0x100000001b3;
	return h;
}
