// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Unsigned 128-bit integers as text.
 */
#include <linux/export.h>
#include <linux/math128.h>
#include <linux/module.h>

