/* SPDX-License-Identifier: MIT */
/* digits.h - digits of bases up to 62, as mpz_digits.c has them, for what reads and writes text. */
#ifndef CC_GMP_DIGITS_H
#define CC_GMP_DIGITS_H

#include "mpz.h"

/*
 * words[n] as digits without zeros above, one for 0; returns how many.  s has room for
 * cc_natural_digits_max(), or, for a base above 36, for as many as mpz_sizeinbase() says.
 */
CC_HIDDEN size_t cc_gmp_digits(char *s, unsigned int base, mp_srcptr words, size_t n);

/* A character's value in the base, or -1. */
CC_HIDDEN int cc_gmp_digit(int c, int base);

/* r = the value of digits[count], each one of the base, and the first not 0. */
CC_HIDDEN void cc_gmp_value(mpz_ptr r, const char *digits, size_t count, int base);

/*
 * r = the number that the next characters are, of which at most so many are taken, with a sign and,
 * for base 0, a prefix.  Returns how many they were, or 0 if there is none; the character behind
 * them is given back.
 */
CC_HIDDEN size_t cc_gmp_read(mpz_ptr r, int base, int (*next)(void *context),
			     void (*back)(void *context, int c), void *context, size_t most);

/* The same from a file. */
CC_HIDDEN size_t cc_gmp_read_file(mpz_ptr r, FILE *file, int base);

/* How many characters of s say which base it is in. */
CC_HIDDEN int cc_gmp_prefix(const char *s, int *base);

/* The digits of a number that is read, of which there may be many; cc_gmp_release() ends them. */
struct collected {
	char *digits;
	size_t count, room;
};

static inline struct collected collected_begin(void)
{
	return (struct collected){cc_gmp_allocate(64), 0, 64};
}

static inline void collect(struct collected *c, int digit)
{
	if (c->count == c->room) {
		c->digits = cc_gmp_reallocate(c->digits, c->room, 2 * c->room);
		c->room *= 2;
	}
	c->digits[c->count++] = (char)digit;
}

#endif /* CC_GMP_DIGITS_H */
