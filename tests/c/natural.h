/* SPDX-License-Identifier: MIT */
/* Parts of test_natural.c's program: each runs its cases in the tier that is forced. */
#ifndef TESTS_NATURAL_H
#define TESTS_NATURAL_H

#include <carrychain/word.h>

#include <stdbool.h>

void natural_divide(const char *tier);
void natural_root(const char *tier);
void natural_gcd(const char *tier);
/* Of a[an] and b[bn], in their places, the cofactors of their divisor g[gn], and the inverse. */
void check_gcdext(const cc_word *a, size_t an, const cc_word *b, size_t bn, const cc_word *g,
		  size_t gn);
/* And their symbol. */
void check_jacobi(const cc_word *a, size_t an, const cc_word *b, size_t bn, bool coprime);
void natural_jacobi(const char *tier);
void natural_powm(const char *tier);
void natural_kth_root(const char *tier);
void natural_exact(const char *tier);
void natural_digits(const char *tier);
void natural_scratch(const char *tier);

#endif /* TESTS_NATURAL_H */
