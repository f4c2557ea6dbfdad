// SPDX-License-Identifier: MIT
/* The portable transforms, with every product of words counted. */
#include <carrychain/word.h>

#include "watch_transform.h"

/* of four products of words if these have 32 bits */
#define WORDS		       (64 / CC_WORD_BITS)
#define cc_mul_u64(high, a, b) (since += WORDS * WORDS, cc_mul_u64(high, a, b))
#define cc_transform_generic   counting_transform

#include "transform/generic.c"
