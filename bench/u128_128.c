// SPDX-License-Identifier: MIT
#ifdef __SIZEOF_INT128__
#define CC_U128_IMPL 128
#define U128_LOOPS   u128_loops_128
#define U128_NAME    "128"
#include "u128_loops.h"
#else
#include "u128.h"
#endif
