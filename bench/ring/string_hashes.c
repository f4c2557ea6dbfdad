// SPDX-License-Identifier: MIT
/* djb2, sdbm and CPython 2's hash of a string, as one writes them in C. */
#include <stddef.h>
#include <stdint.h>

uint32_t peer_djb2(const uint8_t *data, size_t size)
{
	uint32_t h = 5381;
	size_t i;

	for (i = 0; i < size; i++)
		h = (h << 5) + h + data[i];
	return h;
}

uint32_t peer_sdbm(const uint8_t *data, size_t size)
{
	uint32_t h = 0;
	size_t i;

	for (i = 0; i < size; i++)
		h = data[i] + (h << 6) + (h << 16) - h;
	return h;
}

uint64_t peer_python2_hash(const uint8_t *data, size_t size)
{
	uint64_t h;
	size_t i;

	if (!size)
		return 0;
	h = (uint64_t)data[0] << 7;
	for (i = 0; i < size; i++)
		h = (1000003 * h) ^ data[i];
	return h ^ size;
}
