/* SPDX-License-Identifier: MIT */
/* Parts of test_natural.c's program: each runs its cases in the tier that is forced. */
#ifndef TESTS_NATURAL_H
#define TESTS_NATURAL_H

void natural_divide(const char *tier);
void natural_root(const char *tier);
void natural_gcd(const char *tier);
void natural_digits(const char *tier);
void natural_scratch(const char *tier);

#endif /* TESTS_NATURAL_H */
