// SPDX-License-Identifier: MIT
#define CC_U128_IMPL 32
#define U128_TABLE u128_fallback32
#include "u128_table.h"
