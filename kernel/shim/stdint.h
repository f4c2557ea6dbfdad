/* SPDX-License-Identifier: MIT */
/* The kernel builds without the compiler's headers: this replaces <stdint.h>. */
#ifndef CC_SHIM_STDINT_H
#define CC_SHIM_STDINT_H

#include <linux/limits.h>
#include <linux/math64.h> /* before u128.h takes some of its names */
#include <linux/types.h>

#define INT64_MAX   __INT64_MAX__
#define UINT64_MAX  __UINT64_MAX__
#define PTRDIFF_MAX __PTRDIFF_MAX__

/* The kernel's is ~0UL, which has 64 bits in the preprocessor on every machine. */
#undef UINTPTR_MAX
#define UINTPTR_MAX __UINTPTR_MAX__

#endif /* CC_SHIM_STDINT_H */
