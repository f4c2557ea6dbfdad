// SPDX-License-Identifier: MIT
/* Shifts, copies and bits. */
#include "mpn.h"

#include <carrychain/limbs.h>

#include <string.h>

cc_word cc_mpn_lshift(cc_word *r, const cc_word *a, cc_mpn_size n, unsigned int count)
{
	return cc_limbs_lshift(r, a, (size_t)n, count);
}

cc_word cc_mpn_rshift(cc_word *r, const cc_word *a, cc_mpn_size n, unsigned int count)
{
	return cc_limbs_rshift(r, a, (size_t)n, count);
}

void cc_mpn_copyi(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	memmove(r, a, (size_t)n * sizeof(*r));
}

void cc_mpn_copyd(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	memmove(r, a, (size_t)n * sizeof(*r));
}

void cc_mpn_zero(cc_word *r, cc_mpn_size n)
{
	memset(r, 0, (size_t)n * sizeof(*r));
}

void cc_mpn_com(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	cc_mpn_size i;

	for (i = 0; i < n; i++)
		r[i] = ~a[i];
}

#define BY_WORDS(name, value)                                                                      \
	void cc_mpn_##name(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n)          \
	{                                                                                          \
		cc_mpn_size i;                                                                     \
                                                                                                   \
		for (i = 0; i < n; i++)                                                            \
			r[i] = (value);                                                            \
	}

BY_WORDS(and_n, a[i] & b[i])
BY_WORDS(andn_n, a[i] & ~b[i])
BY_WORDS(nand_n, ~(a[i] & b[i]))
BY_WORDS(ior_n, a[i] | b[i])
BY_WORDS(iorn_n, a[i] | ~b[i])
BY_WORDS(nior_n, ~(a[i] | b[i]))
BY_WORDS(xor_n, a[i] ^ b[i])
BY_WORDS(xnor_n, ~(a[i] ^ b[i]))

/* Pairs, fours and eights of bits; the product's top byte is the sum of all bytes. */
static unsigned int ones(cc_word w)
{
	const cc_word all = ~(cc_word)0;

	w -= w >> 1 & all / 3;
	w = (w & all / 5) + (w >> 2 & all / 5);
	w = (w + (w >> 4)) & all / 17;
	return (unsigned int)((w * (all / 255)) >> (CC_WORD_BITS - 8));
}

cc_mpn_bits cc_mpn_popcount(const cc_word *a, cc_mpn_size n)
{
	cc_mpn_bits count = 0;
	cc_mpn_size i;

	for (i = 0; i < n; i++)
		count += ones(a[i]);
	return count;
}

cc_mpn_bits cc_mpn_hamdist(const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	cc_mpn_bits count = 0;
	cc_mpn_size i;

	for (i = 0; i < n; i++)
		count += ones(a[i] ^ b[i]);
	return count;
}

/* The first bit from @from on that is set in a ^ flip. */
static cc_mpn_bits scan(const cc_word *a, cc_mpn_bits from, cc_word flip)
{
	cc_mpn_bits i = from / CC_WORD_BITS;
	cc_word w = (a[i] ^ flip) & ~(cc_word)0 << from % CC_WORD_BITS;

	while (!w)
		w = a[++i] ^ flip;
	return i * CC_WORD_BITS + cc_word_ctz(w);
}

cc_mpn_bits cc_mpn_scan0(const cc_word *a, cc_mpn_bits from)
{
	return scan(a, from, ~(cc_word)0);
}

cc_mpn_bits cc_mpn_scan1(const cc_word *a, cc_mpn_bits from)
{
	return scan(a, from, 0);
}

/* A counter through a mixer (splitmix64: Steele, Lea and Flood, 2014). */
static cc_u64 next(void)
{
	static cc_u64 state;
	const cc_u64 step = 0x9e3779b97f4a7c15;
	cc_u64 z = __atomic_add_fetch(&state, step, __ATOMIC_RELAXED);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void cc_mpn_random(cc_word *r, cc_mpn_size n)
{
	cc_mpn_size i;

	for (i = 0; i < n; i++)
		r[i] = (cc_word)next();
	r[n - 1] += !r[n - 1];
}

void cc_mpn_random2(cc_word *r, cc_mpn_size n)
{
	cc_mpn_bits bits = (cc_mpn_bits)n * CC_WORD_BITS, i = bits, run;
	const cc_mpn_bits longest = 4 + bits / 4;
	cc_word bit = 1;

	cc_mpn_zero(r, n);
	for (; i; bit ^= 1) {
		run = 1 + (cc_mpn_bits)next() % longest;
		for (run = run < i ? run : i; run; run--) {
			i--;
			r[i / CC_WORD_BITS] |= bit << i % CC_WORD_BITS;
		}
	}
}
