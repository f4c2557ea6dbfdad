// SPDX-License-Identifier: MIT
/* Shifts, copies and bits. */
#include "mpn.h"

#include <carrychain/limbs.h>

#include "../src/limbs/copy.h"

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
	cc_copy_words(r, a, (size_t)n);
}

void cc_mpn_copyd(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	memmove(r, a, (size_t)n * sizeof(*r));
}

void cc_mpn_zero(cc_word *r, cc_mpn_size n)
{
	memset(r, 0, (size_t)n * sizeof(*r));
}

/* Four words at a time, which compilers make vectors of: all are read before one is written. */
#define BY_WORDS(name, parameters, value)                                                          \
	void cc_mpn_##name parameters                                                              \
	{                                                                                          \
		cc_mpn_size i = 0;                                                                 \
                                                                                                   \
		for (; i + 4 <= n; i += 4) {                                                       \
			cc_word w0 = value(i), w1 = value(i + 1), w2 = value(i + 2),               \
				w3 = value(i + 3);                                                 \
                                                                                                   \
			r[i] = w0;                                                                 \
			r[i + 1] = w1;                                                             \
			r[i + 2] = w2;                                                             \
			r[i + 3] = w3;                                                             \
		}                                                                                  \
		for (; i < n; i++)                                                                 \
			r[i] = value(i);                                                           \
	}
#define OF_TWO (cc_word * r, const cc_word *a, const cc_word *b, cc_mpn_size n)

#define COM(i)	(~a[i])
#define AND(i)	(a[i] & b[i])
#define ANDN(i) (a[i] & ~b[i])
#define NAND(i) (~(a[i] & b[i]))
#define IOR(i)	(a[i] | b[i])
#define IORN(i) (a[i] | ~b[i])
#define NIOR(i) (~(a[i] | b[i]))
#define XOR(i)	(a[i] ^ b[i])
#define XNOR(i) (~(a[i] ^ b[i]))
BY_WORDS(com, (cc_word * r, const cc_word *a, cc_mpn_size n), COM)
BY_WORDS(and_n, OF_TWO, AND)
BY_WORDS(andn_n, OF_TWO, ANDN)
BY_WORDS(nand_n, OF_TWO, NAND)
BY_WORDS(ior_n, OF_TWO, IOR)
BY_WORDS(iorn_n, OF_TWO, IORN)
BY_WORDS(nior_n, OF_TWO, NIOR)
BY_WORDS(xor_n, OF_TWO, XOR)
BY_WORDS(xnor_n, OF_TWO, XNOR)

/* The ones in each four bits. */
static inline cc_word of_fours(cc_word w)
{
	const cc_word all = ~(cc_word)0;

	w -= w >> 1 & all / 3;
	return (w & all / 5) + (w >> 2 & all / 5);
}

static inline cc_word of_eights(cc_word fours)
{
	return (fours & ~(cc_word)0 / 17) + (fours >> 4 & ~(cc_word)0 / 17);
}

/* a ^ b, or a if there is no b; three words' fours are below 16, six words' eights below 256. */
static inline __attribute__((__always_inline__)) cc_mpn_bits ones(const cc_word *a,
								  const cc_word *b, cc_mpn_size n)
{
#define WORD(i) of_fours(b ? a[i] ^ b[i] : a[i])
	const cc_word all = ~(cc_word)0;
	cc_mpn_bits count = 0;
	cc_mpn_size i = 0;
	cc_word eights;

	for (; i + 6 <= n; i += 6) {
		eights = of_eights(WORD(i) + WORD(i + 1) + WORD(i + 2));
		eights += of_eights(WORD(i + 3) + WORD(i + 4) + WORD(i + 5));
		/* into sixteens, of which the product's top ones are the sum */
		eights = (eights & all / 257) + (eights >> 8 & all / 257);
		count += eights * (all / 65535) >> (CC_WORD_BITS - 16);
	}
	for (; i < n; i++)
		count += of_eights(WORD(i)) * (all / 255) >> (CC_WORD_BITS - 8);
	return count;
#undef WORD
}

cc_mpn_bits cc_mpn_popcount(const cc_word *a, cc_mpn_size n)
{
	return ones(a, NULL, n);
}

cc_mpn_bits cc_mpn_hamdist(const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	return ones(a, b, n);
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
