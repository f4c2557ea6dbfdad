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

/* w[4] += v[4] + *carry, or -=: gcc would take the words between through memory. */
#if defined(__x86_64__) && CC_X86_ASM && CC_WORD_BITS == 64
#define CC_CHAIN_FOUR(name, instruction, chain)                                                    \
	static inline void name(cc_word w[4], const cc_word v[4], cc_carry *carry)                 \
	{                                                                                          \
		cc_word w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];                                \
		cc_carry c = *carry;                                                               \
                                                                                                   \
		__asm__("addb $-1, %4\n\t" instruction " %5, %0\n\t" instruction                   \
			" %6, %1\n\t" instruction " %7, %2\n\t" instruction " %8, %3\n\tsetc %4"   \
			: "+&r"(w0), "+&r"(w1), "+&r"(w2), "+&r"(w3), "+&q"(c)                     \
			: "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])                               \
			: "cc");                                                                   \
		w[0] = w0;                                                                         \
		w[1] = w1;                                                                         \
		w[2] = w2;                                                                         \
		w[3] = w3;                                                                         \
		*carry = c;                                                                        \
	}
#else
#define CC_CHAIN_FOUR(name, instruction, chain)                                                    \
	static inline void name(cc_word w[4], const cc_word v[4], cc_carry *carry)                 \
	{                                                                                          \
		int i;                                                                             \
                                                                                                   \
		for (i = 0; i < 4; i++)                                                            \
			w[i] = chain(w[i], v[i], carry);                                           \
	}
#endif
CC_CHAIN_FOUR(cc_chain_add_four, "adcq", cc_chain_add)
CC_CHAIN_FOUR(cc_chain_sub_four, "sbbq", cc_chain_sub)

/* (*above : s[3]) += a[3] */
static inline void cc_chain_accumulate(cc_word s[3], cc_word *above, const cc_word *a)
{
#if defined(__x86_64__) && CC_X86_ASM && CC_WORD_BITS == 64
	cc_word s0 = s[0], s1 = s[1], s2 = s[2], over = *above;

	__asm__("addq %4, %0\n\tadcq %5, %1\n\tadcq %6, %2\n\tadcq $0, %3"
		: "+&r"(s0), "+&r"(s1), "+&r"(s2), "+&r"(over)
		: "m"(a[0]), "m"(a[1]), "m"(a[2])
		: "cc");
	s[0] = s0;
	s[1] = s1;
	s[2] = s2;
	*above = over;
#else
	cc_carry carry = 0;
	int i;

	for (i = 0; i < 3; i++)
		s[i] = cc_chain_add(s[i], a[i], &carry);
	*above += carry;
#endif
}

#endif /* CC_LIMBS_CHAIN_H */
