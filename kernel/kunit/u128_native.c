// SPDX-License-Identifier: MIT
/* Where the compiler has no 128-bit type, native is what the header chooses. */
#ifdef __SIZEOF_INT128__
#define CC_U128_IMPL 128
#endif
#define U128_TABLE u128_native
#include "u128_table.h"
