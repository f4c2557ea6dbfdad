// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The implementation for machines without 128-bit products and without a division
 * instruction, with its own copy of the out-of-line functions.
 */
#define MATH128_NATIVE 0
#define MATH128_ARCH 0
#define mul_u128_u64_shr generic_mul_u128_u64_shr
#define mul_u128_u128_shr generic_mul_u128_u128_shr
#define div_u128_u64_rem generic_div_u128_u64_rem
#define div_u128_rem generic_div_u128_rem

#include <linux/export.h>
#undef EXPORT_SYMBOL_GPL
#define EXPORT_SYMBOL_GPL(...)
#include "{math128}"

#define U128_TABLE u128_generic
#include "math128_table.h"
