/* SPDX-License-Identifier: MIT */
/* comba.h - the columns unrolled in assembly. */
#ifndef CC_FIXED_X86_64_COMBA_H
#define CC_FIXED_X86_64_COMBA_H

#include "../kernels.h"

/* n must be the width in the name; otherwise the machine traps. */
CC_HIDDEN cc_fixed_mul_fn cc_fixed_mul_8_x86_64, cc_fixed_mul_16_x86_64, cc_fixed_mul_32_x86_64;
CC_HIDDEN cc_fixed_sqr_fn cc_fixed_sqr_8_x86_64, cc_fixed_sqr_16_x86_64, cc_fixed_sqr_32_x86_64;

#endif /* CC_FIXED_X86_64_COMBA_H */
