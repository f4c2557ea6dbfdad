/* SPDX-License-Identifier: MIT */
/*
 * reference.h - slow arithmetic on words, digit by digit, in base 2^16: independent of the
 * library in method, and short enough to be believed.
 *
 * Lengths are in words and may be 0; an output may be an input only where it says so.
 */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include <carrychain/word.h>

#include <stdbool.h>

/* r[n] = a[n] + b[n] + carry (0 or 1); r may be an input; the carry out */
cc_word ref_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n, cc_word carry);
/* r[n] = a[n] - b[n] - borrow (0 or 1); r may be an input; the borrow out */
cc_word ref_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n, cc_word borrow);
/* r[an + bn] = a[an] * b[bn] */
void ref_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn);
/* q[an] = a[an] / d[dn], r[dn] the remainder; d is not 0; bit by bit */
void ref_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn);
/* r[n] = a[n] * 2^count mod B^n, count any */
void ref_shl(cc_word *r, const cc_word *a, size_t n, size_t count);
/* r[n] = a[n] / 2^count, count any */
void ref_shr(cc_word *r, const cc_word *a, size_t n, size_t count);
int ref_cmp(const cc_word *a, const cc_word *b, size_t n);
bool ref_equal(const cc_word *a, const cc_word *b, size_t n);
/* r[n] = the greatest common divisor of a[n] and b[n] */
void ref_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
/* a[n] in @radix, most significant digit first, "0" for 0, NUL at the end; the length */
size_t ref_to_digits(char *digits, const cc_word *a, size_t n, unsigned int radix);

#endif /* TESTS_REFERENCE_H */
