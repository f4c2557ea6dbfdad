// SPDX-License-Identifier: MIT
/* Random words whose carries travel. */
#include "harness.h"

#include <string.h>

static uint64_t state;

void random_seed(uint64_t seed)
{
	state = seed;
}

/* A counter through a mixer (splitmix64: Steele, Lea and Flood, 2014). */
uint64_t random_u64(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

cc_word random_word(void)
{
	return (cc_word)random_u64();
}

size_t random_below(size_t bound)
{
	return bound ? (size_t)(random_u64() % bound) : 0;
}

/*
 * Each bit is 1 with probability density / 64: the binary digits of the density, lowest
 * first, each halve the distance to 0 (and) or to 1 (or).
 */
static cc_word dense_word(unsigned int density)
{
	cc_word w = 0;
	int i;

	if (density == 64)
		return ~(cc_word)0;
	for (i = 0; i < 6; i++) {
		if ((density >> i) & 1)
			w |= random_word();
		else
			w &= random_word();
	}
	return w;
}

static void flip(cc_word *r, size_t bit)
{
	r[bit / CC_WORD_BITS] ^= (cc_word)1 << bit % CC_WORD_BITS;
}

static void runs(cc_word *r, size_t n)
{
	size_t bits = n * CC_WORD_BITS, i, end, longest = 1 + random_below(3 * CC_WORD_BITS);

	memset(r, 0, n * sizeof(*r));
	for (i = random_below(longest); i < bits; i = end + 1 + random_below(longest))
		for (end = i + 1 + random_below(longest); i < bits && i < end; i++)
			flip(r, i);
}

void random_dense_words(cc_word *r, size_t n, unsigned int density)
{
	size_t i;

	for (i = 0; i < n; i++)
		r[i] = dense_word(density);
}

void random_words(cc_word *r, size_t n)
{
	size_t i, shape = random_below(16);
	unsigned int density = (unsigned int)random_below(65);

	if (!n)
		return;
	switch (shape) {
	case 0:
		memset(r, 0xff, n * sizeof(*r));
		break;
	case 1:
		memset(r, 0, n * sizeof(*r));
		flip(r, random_below(n * CC_WORD_BITS));
		break;
	case 2:
		memset(r, 0xff, n * sizeof(*r));
		flip(r, random_below(n * CC_WORD_BITS));
		break;
	case 3:
	case 4:
	case 5:
		runs(r, n);
		break;
	case 6:
	case 7:
		for (i = 0; i < n; i++)
			r[i] = random_word();
		break;
	default:
		random_dense_words(r, n, density);
	}
}

size_t random_zeros(size_t most)
{
	size_t zeros = random_below(random_below(2) ? 4 : most + 1);

	return random_below(2) || zeros > most ? 0 : zeros;
}

cc_word random_edge_word(void)
{
	cc_word w;

	if (random_below(2))
		return edge_word(random_below(EDGE_WORDS));
	random_words(&w, 1);
	return w;
}

cc_word edge_word(size_t which)
{
	const cc_word half = (cc_word)1 << (CC_WORD_BITS - 1), ones = ~(cc_word)0;
	const cc_word low = ones >> (CC_WORD_BITS / 2);
	const cc_word edges[EDGE_WORDS] = {0,	     1,	   2,	     3,	  ones,	   ones - 1,
					   half - 1, half, half + 1, low, low + 1, ~low};

	return edges[which];
}

void edge_words(cc_word *r, size_t n, size_t which)
{
	const cc_word ones = ~(cc_word)0;
	size_t i;

	if (!n)
		return;
	memset(r, 0, n * sizeof(*r));
	switch (which) {
	case 0: /* 0 */
		break;
	case 1: /* 1 */
		r[0] = 1;
		break;
	case 2: /* B^n - 1 */
		memset(r, 0xff, n * sizeof(*r));
		break;
	case 3: /* B^(n-1) */
		r[n - 1] = 1;
		break;
	case 4: /* B^n / 2 */
		r[n - 1] = (ones >> 1) + 1;
		break;
	case 5: /* B^n / 2 - 1 */
		memset(r, 0xff, n * sizeof(*r));
		r[n - 1] = ones >> 1;
		break;
	case 6: /* B^n - 2 */
		memset(r, 0xff, n * sizeof(*r));
		r[0] = ones - 1;
		break;
	case 7: /* B^n - B */
		memset(r, 0xff, n * sizeof(*r));
		r[0] = 0;
		break;
	case 8: /* B^(n-1) - 1 */
		memset(r, 0xff, n * sizeof(*r));
		r[n - 1] = 0;
		break;
	case 9: /* every other word */
		for (i = 0; i < n; i += 2)
			r[i] = ones;
		break;
	case 10: /* 5555... */
		memset(r, 0x55, n * sizeof(*r));
		break;
	default: /* aaaa... */
		memset(r, 0xaa, n * sizeof(*r));
	}
}
