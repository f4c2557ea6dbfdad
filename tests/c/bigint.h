/* SPDX-License-Identifier: MIT */
/* Parts of test_bigint.c's program. */
#ifndef TESTS_BIGINT_H
#define TESTS_BIGINT_H

#include "harness.h"
#include "value.h"

/* bigint_convert.c: to and from machine integers, text and bytes. */
void bigint_convert(void);
/* bigint_gcdext.c */
void bigint_gcdext(void);
/* bigint_roots.c */
void bigint_roots(void);

#endif /* TESTS_BIGINT_H */
