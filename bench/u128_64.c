// SPDX-License-Identifier: MIT
#define CC_U128_IMPL 64
#define U128_LOOPS   u128_loops_64
#define U128_NAME    "64"
#include "u128_loops.h"
