// SPDX-License-Identifier: MIT
#define U128_TABLE   u128_impl_32
#define U128_NAME    "32"
#define CC_U128_IMPL 32
#include "u128_table.h"
