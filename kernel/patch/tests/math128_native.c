// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The implementation that this architecture uses. */
#define U128_TABLE u128_native
#include "math128_table.h"
