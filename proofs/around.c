// SPDX-License-Identifier: MIT
/*
 * What is around the kernels, emulated with them: what they call of the C library, and the
 * dispatcher's choice, which is the tier of every x86-64 processor.
 */
#include <stddef.h>

extern const char cc_limbs_x86_64[], cc_fixed_x86_64[];
const void *cc_cpu_chosen[] = {cc_limbs_x86_64, NULL, cc_fixed_x86_64}; /* by enum cc_family */

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
	return to;
}

/* By way of the stack: which of two arrays lies below is nothing that a path knows. */
void *memmove(void *to, const void *from, size_t size)
{
	unsigned char between[4096];

	memcpy(between, from, size);
	return memcpy(to, between, size);
}

void *memset(void *to, int byte, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		((unsigned char *)to)[i] = (unsigned char)byte;
	return to;
}
