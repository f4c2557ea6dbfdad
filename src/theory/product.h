/* SPDX-License-Identifier: MIT */
/* product.h - the product of many small factors: packed into words, then by halves. */
#ifndef CC_THEORY_PRODUCT_H
#define CC_THEORY_PRODUCT_H

#include "../bigint/room.h"

/* words[n], of which the last may still take factors; starts with words[0] = 1 and n = 1 */
struct cc_factors {
	cc_word *words;
	size_t n;
};

/* Words for factors whose product has so many bits: two of them in turn are B or more. */
static inline uint64_t cc_factors_words(uint64_t bits)
{
	return 2 * (bits / CC_WORD_BITS) + 4;
}

static inline void cc_factors_begin(struct cc_factors *f)
{
	f->words[0] = 1;
	f->n = 1;
}

static inline void cc_factors_add(struct cc_factors *f, cc_word x)
{
	cc_word high, low = cc_word_mul(&high, f->words[f->n - 1], x);

	if (high)
		f->words[f->n++] = x;
	else
		f->words[f->n - 1] = low;
}

/* The sieve for n, and the words of factors whose product has so many bits. */
CC_HIDDEN int cc_factors_open(cc_word **sieve, struct cc_factors *f, uint64_t n, uint64_t bits);

/* r = the factors' product, by halves */
CC_HIDDEN int cc_factors_product(cc_bigint *r, const struct cc_factors *f, struct cc_watch *w);

/* r = x, whose words it gets, if there was no error */
static inline int cc_theory_done(cc_bigint *r, cc_bigint *x, int err)
{
	if (!err)
		cc_bigint_swap(r, x);
	cc_bigint_clear(x);
	return err;
}

#endif /* CC_THEORY_PRODUCT_H */
