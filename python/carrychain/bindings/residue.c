// SPDX-License-Identifier: MIT
/*
 * Residues of long numbers, by Horner's rule and division of two words by one.  They check results
 * independently: no code that computes or converts long numbers is used.
 */
#include "native.h"

uint64_t residue_of_words(uint64_t r, const cc_word *a, size_t n, uint64_t modulus)
{
	while (n--) {
		cc_u64 high = CC_WORD_BITS == 64 ? r : r >> 32;
		cc_u64 low = CC_WORD_BITS == 64 ? a[n] : r << 32 | a[n];

		cc_div_any_u64(&r, high, low, modulus);
	}
	return r;
}

/* The most digits whose value always fits 64 bits. */
#define CHUNK 19

int residue_of_digits(uint64_t *r, const char *digits, size_t count, uint64_t modulus)
{
	while (count) {
		cc_u64 value = 0, scale = 1, low, high;
		size_t chunk = count < CHUNK ? count : CHUNK, i;

		for (i = 0; i < chunk; i++) {
			unsigned int digit = (unsigned char)digits[i] - (unsigned int)'0';

			if (digit > 9)
				return CC_EINVAL;
			value = 10 * value + digit;
			scale *= 10;
		}
		/* r scale + value <= (modulus - 1) scale + scale - 1 < modulus 2^64 */
		low = cc_mul_u64(&high, *r, scale) + value;
		cc_div_any_u64(r, high + (low < value), low, modulus);
		digits += chunk;
		count -= chunk;
	}
	return CC_OK;
}
