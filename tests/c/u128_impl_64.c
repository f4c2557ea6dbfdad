// SPDX-License-Identifier: MIT
#define U128_TABLE   u128_impl_64
#define U128_NAME    "64"
#define CC_U128_IMPL 64
#include "u128_table.h"
