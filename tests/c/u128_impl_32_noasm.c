// SPDX-License-Identifier: MIT
#define U128_TABLE   u128_impl_32_noasm
#define U128_NAME    "32, no assembly"
#define CC_U128_IMPL 32
#define CC_NO_ASM
#include "u128_table.h"
