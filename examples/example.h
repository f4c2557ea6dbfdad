/* SPDX-License-Identifier: MIT */
/*
 * What the examples of secret numbers have in common: hexadecimal, random bytes, a count.
 *
 * Examples end after a moment, and leave on the stack what a server would wipe.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <carrychain/rsa.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WORDS(bits) (((bits) + CC_WORD_BITS - 1) / CC_WORD_BITS)

/* Hexadecimal digits, an even number of them, as bytes; how many, or most + 1. */
static inline size_t hex_bytes(unsigned char *bytes, size_t most, const char *digits)
{
	size_t length = strlen(digits), i;
	unsigned int byte;

	if (length % 2 || length / 2 > most || strspn(digits, "0123456789abcdefABCDEF") != length)
		return most + 1;
	for (i = 0; i < length / 2; i++) {
		sscanf(digits + 2 * i, "%2x", &byte);
		bytes[i] = (unsigned char)byte;
	}
	return length / 2;
}

/* r[n] from hexadecimal; the words it fills, one for 0; 0 where it is none, or wider than n. */
static inline size_t from_hex(cc_word *r, size_t n, const char *digits)
{
	unsigned char bytes[CC_FZ_MAX_BITS / 8];
	size_t length = hex_bytes(bytes, sizeof(bytes), digits);

	if (length > sizeof(bytes) || cc_fz_from_bytes(r, n, bytes, length, CC_BIG_ENDIAN))
		return 0;
	while (n > 1 && !r[n - 1])
		n--;
	return n;
}

static inline void print_bytes(const unsigned char *bytes, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		printf("%02x", bytes[i]);
	printf("\n");
}

static inline void print_number(const cc_word *a, size_t n)
{
	unsigned char bytes[CC_FZ_MAX_BITS / 8];

	cc_fz_to_bytes(bytes, n * sizeof(*a), a, n, CC_BIG_ENDIAN);
	print_bytes(bytes, n * sizeof(*a));
}

/* A cc_fz_generator: the system's. */
static inline int system_random(void *state, unsigned char *bytes, size_t length)
{
	FILE *file = fopen("/dev/urandom", "rb");
	size_t got;

	(void)state;
	if (!file)
		return CC_EINVAL;
	got = fread(bytes, 1, length, file);
	fclose(file);
	return got == length ? CC_OK : CC_EINVAL;
}

static int checks_passed, checks_failed;

static inline void check(bool holds, const char *what)
{
	printf("%-7s %s\n", holds ? "holds:" : "FAILS:", what);
	if (holds)
		checks_passed++;
	else
		checks_failed++;
}

/* The program's status. */
static inline int checked(void)
{
	printf("%d passed, %d failed, 0 skipped\n", checks_passed, checks_failed);
	return checks_failed != 0;
}

#endif /* EXAMPLE_H */
