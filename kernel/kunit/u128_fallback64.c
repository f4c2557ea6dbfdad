// SPDX-License-Identifier: MIT
#define CC_U128_IMPL 64
#define U128_TABLE u128_fallback64
#include "u128_table.h"
