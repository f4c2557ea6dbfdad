/* SPDX-License-Identifier: MIT */
/* The kernel builds without the compiler's headers: this replaces <stddef.h>. */
#ifndef CC_SHIM_STDDEF_H
#define CC_SHIM_STDDEF_H

#include <linux/stddef.h>
#include <linux/types.h>

#endif /* CC_SHIM_STDDEF_H */
