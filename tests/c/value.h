/* SPDX-License-Identifier: MIT */
/*
 * value.h - signed integers of bounded size for the tests: the meaning of bigint.h.
 *
 * Sums, logic and shifts are done on two's complement wide enough to hold the result,
 * products and quotients on magnitudes, all by reference.h.
 */
#ifndef TESTS_VALUE_H
#define TESTS_VALUE_H

#include <carrychain/bigint.h>

#include <stdbool.h>

#define VALUE_WORDS 1024

struct value {
	cc_word words[VALUE_WORDS]; /* the magnitude; above @length, 0 */
	size_t length;
	int negative;
};

/* Of at most @words words, mostly of one of random_words()'s shapes. */
void value_random(struct value *v, size_t words);
void value_set(struct value *v, int64_t x);
void value_set_power_of_two(struct value *v, size_t bits);
bool value_equal(const struct value *a, const struct value *b);

/* Results may be arguments. */
void value_neg(struct value *r, const struct value *x);
void value_not(struct value *r, const struct value *x);
void value_add(struct value *r, const struct value *x, const struct value *y);
void value_sub(struct value *r, const struct value *x, const struct value *y);
void value_and(struct value *r, const struct value *x, const struct value *y);
void value_or(struct value *r, const struct value *x, const struct value *y);
void value_xor(struct value *r, const struct value *x, const struct value *y);
void value_mul(struct value *r, const struct value *x, const struct value *y);
void value_shl(struct value *r, const struct value *x, size_t bits);
void value_shr(struct value *r, const struct value *x, size_t bits);
/* y is not 0 */
void value_divmod(struct value *q, struct value *r, const struct value *x, const struct value *y,
		  bool floor);
void value_gcd(struct value *r, const struct value *x, const struct value *y);
/* x is not negative */
void value_isqrt(struct value *r, const struct value *x);
void value_pow(struct value *r, const struct value *x, uint64_t exponent);
int value_cmp(const struct value *x, const struct value *y);
/* Byte @i, least significant first, of two's complement without end. */
unsigned char value_byte(const struct value *x, size_t i);

/* An integer of the library with this value and @spare words of capacity beyond it. */
void value_to_bigint(cc_bigint *x, const struct value *v, size_t spare);
/* Whether x is well formed and has this value. */
bool value_is(const struct value *v, const cc_bigint *x);

/* A check that needs no more words than its own. */
#define HOLDS(condition) CHECK(condition, "%s", #condition)

#endif /* TESTS_VALUE_H */
