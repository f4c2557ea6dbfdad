/* SPDX-License-Identifier: MIT */
/* first_root.h - where the iteration of a k-th root begins (kth_root.c). */
#ifndef CC_NATURAL_FIRST_ROOT_H
#define CC_NATURAL_FIRST_ROOT_H

#include "word_product.h"

#include "../platform.h"

/* The good bits of a root by logarithms, and its words. */
#define CC_FIRST_BITS  58
#define CC_FIRST_WORDS (64 / CC_WORD_BITS)

/* 2^64 Y for Y = a^(1/k) / 2^L, 1/2 <= Y < 1: 2^(log2(a) / k), for 2^whole <= a < 2 2^whole */
CC_HIDDEN uint64_t cc_first_root(const cc_word *a, size_t n, size_t whole, cc_word k);

/*
 * The same times 2^64, from the first one, for n > 1 and k < 2^16.  The step's error is below
 * (k + 1) / 2 2^-116, and what is cut off less than k 2^-118.
 */
#if CC_WORD_BITS == 64 && CC_HAS_PAIR
#define CC_HAS_SECOND_ROOT 1
#define CC_SECOND_MOST	   0xffff
#define CC_SECOND_BITS(k)  (2 * CC_FIRST_BITS - 1 - (CC_WORD_BITS - cc_word_clz(k)))
CC_HIDDEN cc_pair cc_second_root(uint64_t first, const cc_word *a, size_t n, cc_word k);
#else
#define CC_HAS_SECOND_ROOT 0
#endif

#endif /* CC_NATURAL_FIRST_ROOT_H */
