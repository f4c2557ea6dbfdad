/* SPDX-License-Identifier: MIT */
/* Parts of test_ring_runtime.c's program. */
#ifndef TESTS_RING_RUNTIME_H
#define TESTS_RING_RUNTIME_H

#include "../../python/carrychain/ring/call/runtime/entries.h"

#include "harness.h"
#include "memory.h"
#include "value.h"

/* Whether a value is small: kept in a word, and no object. */
bool fits(const struct value *v);
/* Whether x is the value, in the one form that it has. */
bool means(ring_value x, const struct value *want);
ring_value made(const struct value *v);
ring_value integer(int64_t x);

/* ring_objects.c: who owns what, arrays, and what is kept of them. */
void test_references(void);
void test_new(void);
void test_columns(void);
void test_kept(void);

/* ring_calls.c: calls of compiled code, the frames that led to a failure, and interrupts. */
void test_calls(void);
void test_callers(void);

#endif /* TESTS_RING_RUNTIME_H */
