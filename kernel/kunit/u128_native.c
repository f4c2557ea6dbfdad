// SPDX-License-Identifier: MIT
#define CC_U128_IMPL 128
#define U128_TABLE u128_native
#include "u128_table.h"
