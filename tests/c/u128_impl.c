// SPDX-License-Identifier: MIT
/* The table U128_TABLE of one way to compile u128.h, empty if this compiler has no such type. */
#if CC_U128_IMPL == 128 && !defined(__SIZEOF_INT128__)
#undef CC_U128_IMPL
#include "u128_impl.h"

const struct u128_impl U128_TABLE = {.to_dec = NULL};
#else
#include "../../kernel/kunit/u128_table.h"

#include "u128_impl.h"
#endif
