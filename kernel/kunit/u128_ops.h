/* SPDX-License-Identifier: MIT */
/*
 * u128.h as a table of operations, one table for each implementation.
 *
 * Arguments and results are plain words, so that implementations with different unions can
 * be compiled separately, and compared.
 */
#ifndef CC_KUNIT_U128_OPS_H
#define CC_KUNIT_U128_OPS_H

#include <carrychain/u128.h>

/* a = a1 : a0, b = b1 : b0 */
struct u128_args {
	cc_u64 a1, a0, b1, b0;
	unsigned int shift;
};

/* Two words, high first: the result; then the remainder, if there is one. */
struct u128_result {
	cc_u64 w[4];
};

enum u128_op {
#define U128_OP(name, ...) U128_OP_##name,
#include "u128_list.h"
#undef U128_OP
	U128_OP_COUNT
};

struct u128_impl {
	void (*run[U128_OP_COUNT])(struct u128_result *r, const struct u128_args *x);
	size_t (*to_dec)(char *buf, cc_u64 high, cc_u64 low);
	size_t (*to_hex)(char *buf, cc_u64 high, cc_u64 low);
	int (*from_dec)(cc_u64 *high, cc_u64 *low, const char *s, size_t length);
	int (*from_hex)(cc_u64 *high, cc_u64 *low, const char *s, size_t length);
};

extern const struct u128_impl u128_native, u128_fallback64, u128_fallback32;

#endif /* CC_KUNIT_U128_OPS_H */
