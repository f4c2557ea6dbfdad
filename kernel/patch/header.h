/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unsigned 128-bit integers, on every architecture.
 *
 * Two implementations with the same meaning: by the compiler's 128-bit type where
 * it has one, and by 64-bit words, whose products are made of 32-bit ones. None
 * calls a library. Sums, differences and products are taken modulo 2^128, a shift
 * by any count is defined, and a division by 0 traps.
 */
#ifndef _LINUX_MATH128_H
#define _LINUX_MATH128_H

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/types.h>
#include <asm/byteorder.h>

/* Set to 0 by the tests: the compiler's type is not used */
#ifndef MATH128_NATIVE
#ifdef __SIZEOF_INT128__
#define MATH128_NATIVE 1
#else
#define MATH128_NATIVE 0
#endif
#endif

