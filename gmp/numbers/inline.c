// SPDX-License-Identifier: MIT
/* The library's own copies of the header's inline functions. */
#define CC_GMP_INLINE
#include <carrychain/gmp.h>
