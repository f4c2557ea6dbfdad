/* SPDX-License-Identifier: MIT */
/* chain.h - sums and differences whose carry compilers keep in the flag, where there is one. */
#ifndef CC_LIMBS_CHAIN_H
#define CC_LIMBS_CHAIN_H

#include <carrychain/word.h>

#if defined(__x86_64__) && CC_WORD_BITS == 64
typedef unsigned char cc_carry;

/* a + b + *carry, for *carry 0 or 1; leaves the carry out in *carry */
static inline cc_word cc_chain_add(cc_word a, cc_word b, cc_carry *carry)
{
	unsigned long long sum;

	*carry = __builtin_ia32_addcarryx_u64(*carry, a, b, &sum);
	return sum;
}

/* a - b - *borrow, for *borrow 0 or 1; leaves the borrow out in *borrow */
static inline cc_word cc_chain_sub(cc_word a, cc_word b, cc_carry *borrow)
{
	unsigned long long rest;

#if defined(__clang__)
	*borrow = __builtin_ia32_subborrow_u64(*borrow, a, b, &rest);
#else
	*borrow = __builtin_ia32_sbb_u64(*borrow, a, b, &rest);
#endif
	return rest;
}
#else
typedef cc_word cc_carry;

#define cc_chain_add cc_word_add
#define cc_chain_sub cc_word_sub
#endif

#endif /* CC_LIMBS_CHAIN_H */
