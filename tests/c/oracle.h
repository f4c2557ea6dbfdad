/* SPDX-License-Identifier: MIT */
/*
 * oracle.h - another's arithmetic, quick enough for a million answers: GMP's where it is
 * (oracle_gmp.c), else the schoolbook's, which only multiplies (oracle_schoolbook.c).
 *
 * Numbers as in fixed.h; no output is an input.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <carrychain/word.h>

#include <stdbool.h>

extern const char oracle_name[];

void oracle_mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n);
void oracle_sqr(cc_word *xx, const cc_word *x, size_t n);

#if ORACLE_GMP
/* Where mpn's own take scratch: mpn_sec_add_1, mpn_sec_sub_1, and mpn_sec_mul, xn >= yn >= 1 */
cc_word oracle_add_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word oracle_sub_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
void oracle_mul_unequal(cc_word *xy, const cc_word *x, size_t xn, const cc_word *y, size_t yn);
/* q[an], r[dn]; d is not 0 */
void oracle_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d,
		   size_t dn);
/* m is not 0 */
void oracle_powmod(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n);
void oracle_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
/* whether there is one; modulo 1 there is: 0; r = 0 if not */
bool oracle_inverse(cc_word *r, const cc_word *a, const cc_word *m, size_t n);
/* x and y in two's complement */
void oracle_gcdext(cc_word *g, cc_word *x, cc_word *y, const cc_word *a, const cc_word *b,
		   size_t n);
/* whether c, odd, is a prime, and the least above a[n], if it is below B^n */
bool oracle_is_prime(const cc_word *c, size_t n);
bool oracle_next_prime(cc_word *r, const cc_word *a, size_t n);
/* Kronecker's symbol */
int oracle_jacobi(const cc_word *a, const cc_word *m, size_t n);
/* root[n] and rem[n], k >= 1 */
void oracle_root(cc_word *root, cc_word *rem, const cc_word *a, size_t n, unsigned long k);
bool oracle_is_square(const cc_word *a, size_t n);
bool oracle_is_power(const cc_word *a, size_t n);
/* how often f > 1 divides a > 0, and what is left */
size_t oracle_remove(cc_word *r, const cc_word *a, size_t an, const cc_word *f, size_t fn);
/* digits with a NUL, in lower case, to be freed */
char *oracle_to_digits(const cc_word *a, size_t n, unsigned int radix);
#endif

/* A part of test_oracle.c's program, in the tier that is forced. */
void oracle_natural(const char *tier);

#endif /* TESTS_ORACLE_H */
