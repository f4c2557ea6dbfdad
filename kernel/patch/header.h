/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unsigned 128-bit integers, on every architecture.
 *
 * There are two equivalent implementations: by the compiler's 128-bit type, if it has
 * one, and by 64-bit words, with products made from 32-bit ones. Neither calls a
 * library. Sums, differences and products are modulo 2^128, a shift by any count is
 * defined, and a division by 0 traps.
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

/* Tests set this to 0, so that the compiler's type is not used */
#ifndef MATH128_NATIVE
#ifdef __SIZEOF_INT128__
#define MATH128_NATIVE 1
#else
#define MATH128_NATIVE 0
#endif
#endif

