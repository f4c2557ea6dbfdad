/* SPDX-License-Identifier: MIT */
/* table.h - the Fibonacci numbers below 2^64. */
#ifndef CC_FIB_TABLE_H
#define CC_FIB_TABLE_H

#include <carrychain/fib.h>

#include "../platform.h"

CC_HIDDEN extern const cc_u64 cc_fib_table[CC_FIB_U64_MAX + 1];

#endif /* CC_FIB_TABLE_H */
