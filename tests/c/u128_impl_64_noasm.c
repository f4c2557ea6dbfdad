// SPDX-License-Identifier: MIT
#define U128_TABLE   u128_impl_64_noasm
#define U128_NAME    "64, no assembly"
#define CC_U128_IMPL 64
#define CC_NO_ASM
#include "u128_table.h"
