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
/* What GMP has for secrets: mpn_cnd_add_n, mpn_cnd_sub_n, mpn_sec_add_1, mpn_sec_sub_1 */
cc_word oracle_add_if(cc_word *r, bool made, const cc_word *a, const cc_word *b, size_t n);
cc_word oracle_sub_if(cc_word *r, bool made, const cc_word *a, const cc_word *b, size_t n);
cc_word oracle_add_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word oracle_sub_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
/* mpn_sec_mul, xn >= yn >= 1; mpn_sec_tabselect */
void oracle_mul_unequal(cc_word *xy, const cc_word *x, size_t xn, const cc_word *y, size_t yn);
void oracle_table_select(cc_word *r, const cc_word *table, size_t count, size_t n, size_t which);
/* and what it has not: the word above, the remainder */
cc_word oracle_mul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word oracle_addmul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word oracle_submul_word(cc_word *r, const cc_word *a, size_t n, cc_word w);
cc_word oracle_div_word(cc_word *q, const cc_word *a, size_t n, cc_word d);
/* q[an], r[dn]; d is not 0 */
void oracle_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d,
		   size_t dn);
/* m is not 0 */
void oracle_powmod(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n);
void oracle_gcd(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
/* whether there is one; modulo 1 there is: 0; r = 0 if not */
bool oracle_inverse(cc_word *r, const cc_word *a, const cc_word *m, size_t n);
#endif

/* A part of test_oracle.c's program, in the tier that is forced. */
void oracle_natural(const char *tier);

#endif /* TESTS_ORACLE_H */
