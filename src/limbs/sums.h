/* SPDX-License-Identifier: MIT */
/*
 * sums.h - sums and differences of vectors, without a choice where all processors run one kernel.
 *
 * They are called so often, and on so few words, that a load from the table and a jump through it
 * would show: 0.3 ns of 3.
 */
#ifndef CC_LIMBS_SUMS_H
#define CC_LIMBS_SUMS_H

#include <carrychain/limbs.h>

#include "../cpu/dispatch.h"

#if CC_BUILD_X86_64
CC_HIDDEN cc_word cc_limbs_add_x86_64(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
CC_HIDDEN cc_word cc_limbs_sub_x86_64(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
#define cc_sum	      cc_limbs_add_x86_64
#define cc_difference cc_limbs_sub_x86_64
#else
#define cc_sum	      cc_limbs_add
#define cc_difference cc_limbs_sub
#endif

#endif /* CC_LIMBS_SUMS_H */
