// SPDX-License-Identifier: MIT
/* The header's own choice: the compiler's 128-bit type, if it has one. */
#ifdef __SIZEOF_INT128__
#define CC_U128_IMPL 128
#endif
#define U128_TABLE u128_native
#include "u128_table.h"
