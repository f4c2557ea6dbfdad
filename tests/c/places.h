/* SPDX-License-Identifier: MIT */
/* places.h - operands, results and scratch of what is tested, each between guard pages. */
#ifndef TESTS_PLACES_H
#define TESTS_PLACES_H

#include "harness.h"

enum place {
	RESULT,
	SECOND_RESULT,
	FIRST,
	SECOND,
	THIRD,
	SCRATCH,
	PLACES,
};

/* A case, with nothing in any place. */
void begin(const char *tier, const char *function);
/*
 * A copy of value[n], or n words of noise where it is NULL, at either end of its memory or up to
 * 8 words from it.
 */
cc_word *place(enum place which, const cc_word *value, size_t n);
/* In so many ways; up to check_guards() each of place() takes a digit of @ways to that base. */
#define PLACE_WAYS 18
void place_by(size_t ways);
/* The same, 64-byte aligned noise. */
cc_word *place_aligned(enum place which, size_t n);
/* The same for bytes. */
unsigned char *place_bytes(enum place which, const unsigned char *value, size_t bytes);
void check_guards(void);
void check_words(const char *what, const cc_word *is, const cc_word *should, size_t n);

/* One vector in four is a classic case, the others are random. */
void any_words(cc_word *r, size_t n);
/* The same, but with a top word that is not 0. */
void any_number(cc_word *r, size_t n);
/* The same, but not 0: n words, or fewer with zeros above. */
void any_modulus(cc_word *r, size_t n);

#endif /* TESTS_PLACES_H */
