// SPDX-License-Identifier: MIT
#define CC_U128_IMPL 32
#define U128_LOOPS   u128_loops_32
#define U128_NAME    "32"
#include "u128_loops.h"
