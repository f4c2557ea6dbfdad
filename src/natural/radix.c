// SPDX-License-Identifier: MIT
#include "radix.h"

/* Radix 10, precomputed: floor((B^2 - 1) / d) - B is the reciprocal of d = big << shift. */
static const struct cc_radix decimal = {
#if CC_WORD_BITS == 64
	10, 0, 19, 10000000000000000000u, {10000000000000000000u, 0xd83c94fb6d2ac34a, 0},
#else
	10, 0, 9, 1000000000, {4000000000, 0x12e0be82, 2},
#endif
};

struct cc_radix cc_radix(unsigned int radix)
{
	struct cc_radix x = {radix, 0, 0, 1, {0, 0, 0}};
	cc_word most = ~(cc_word)0 / radix;

	if (radix == 10)
		return decimal;
	if (!(radix & (radix - 1))) {
		x.bits = cc_word_ctz(radix);
		x.chunk = CC_WORD_BITS / x.bits;
		return x;
	}
	while (x.big <= most) {
		x.big *= radix;
		x.chunk++;
	}
	x.by = cc_divisor(x.big);
	return x;
}

/* A chunk is less than a word, so big^e has at most e words; the halves add up to < chunks. */
size_t cc_radix_powers_words(size_t chunks)
{
	return chunks;
}

size_t cc_radix_parts_words(size_t chunks)
{
	size_t bits = CC_WORD_BITS - cc_word_clz(chunks | 1);

	return chunks + bits * (bits + 5) / 2;
}

/* After the powers, room to square the second largest: big^(chunks / 4). */
size_t cc_radix_powers_scratch(size_t chunks)
{
	return cc_radix_powers_words(chunks) + cc_natural_sqr_scratch(chunks / 4);
}

static void multiply_by_big(struct cc_radix_power *p, const struct cc_radix *x)
{
	cc_word above = cc_limbs_mul_1(p->words, p->words, p->length, x->big);

	p->words[p->length] = above;
	p->length += above != 0;
}

static void strip_zeros(struct cc_radix_power *p)
{
	while (!*p->words) {
		p->words++;
		p->length--;
		p->zeros++;
	}
}

int cc_radix_powers(struct cc_radix_power *power, const struct cc_radix *x, size_t chunks,
		    size_t least, cc_word *store, struct cc_watch *w)
{
	cc_word *work = store + cc_radix_powers_words(chunks);
	int count = 0, i;
	size_t e;

	for (e = chunks / 2; e && e >= least; e /= 2)
		power[count++].exponent = e;
	for (i = count - 1; i >= 0; i--) {
		struct cc_radix_power *p = &power[i];

		p->words = store;
		p->zeros = 0;
		if (i == count - 1) {
			/* the smallest, factor by factor */
			p->words[0] = x->big;
			p->length = 1;
			for (e = 1; e < p->exponent; e++)
				multiply_by_big(p, x);
		} else {
			const struct cc_radix_power *root = &power[i + 1];

			cc_natural_sqr_watched(p->words, root->words, root->length, work, w);
			if (cc_watch_stopped(w))
				return 0;
			p->length = cc_limbs_normalise(p->words, 2 * root->length);
			p->zeros = 2 * root->zeros;
			if (p->exponent & 1)
				multiply_by_big(p, x);
		}
		strip_zeros(p);
		store += p->exponent;
	}
	return count;
}
