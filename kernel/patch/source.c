// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The large functions of linux/math128.h.
 *
 * asm/div64.h may provide a division of two words by one, which traps if the quotient
 * exceeds a word: arch_div_2by1_u64(rem, high, low, d), or _u32 on 32-bit machines.
 */
#include <linux/export.h>
#include <linux/math128.h>
#include <linux/module.h>

/* Tests set this to 0, so that no instruction specific to the architecture is used */
#ifndef MATH128_ARCH
#define MATH128_ARCH 1
#endif

#if MATH128_ARCH && defined(arch_div_2by1_u64)
#define MATH128_DIV_U64 1
#else
#define MATH128_DIV_U64 0
#endif

#if MATH128_ARCH && defined(arch_div_2by1_u32)
#define MATH128_DIV_U32 1
#else
#define MATH128_DIV_U32 0
#endif

