/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unsigned 128-bit integers, with or without the compiler's help.
 *
 * Three implementations with the same meaning; the architecture selects one,
 * and MATH128_IMPL, defined before this is included, another:
 *   128  unsigned __int128, but for the division
 *    64  two 64-bit words
 *    32  four 32-bit words, no product wider than 64 bits
 * None calls a library.  Division by 0 traps in each.  Sums, differences and
 * products are taken modulo 2^128, and a shift by any count is defined.
 */
#ifndef _LINUX_MATH128_H
#define _LINUX_MATH128_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/types.h>
#include <asm/byteorder.h>

#ifndef MATH128_IMPL
#if defined(CONFIG_ARCH_SUPPORTS_INT128) && defined(__SIZEOF_INT128__)
#define MATH128_IMPL 128
#elif BITS_PER_LONG == 64
#define MATH128_IMPL 64
#else
#define MATH128_IMPL 32
#endif
#endif

#if defined(CONFIG_X86) || defined(CONFIG_UML_X86)
#define MATH128_X86 1
#else
#define MATH128_X86 0
#endif

