// SPDX-License-Identifier: MIT
#define U128_TABLE u128_impl_128
#define U128_NAME  "128"
#ifdef __SIZEOF_INT128__
#define CC_U128_IMPL 128
#include "u128_table.h"
#else
#include <stddef.h>

#include "u128_impl.h"

const struct u128_impl U128_TABLE = {.name = U128_NAME};
#endif
