// SPDX-License-Identifier: MIT
/* Products by halves, so that the factors of each are about as long. */
#include "product.h"

#include "../natural/sieve.h"
#include "small.h"

/* So many words are multiplied one by one. */
#define FEW 8

int cc_factors_open(cc_word **sieve, struct cc_factors *f, uint64_t n, uint64_t bits)
{
	uint64_t words = n / (2 * CC_WORD_BITS) + 2 + cc_factors_words(bits);

	if (n > SIZE_MAX / 2 || words > PTRDIFF_MAX / sizeof(cc_word))
		return CC_ENOMEM;
	*sieve = CC_ALLOC((size_t)words * sizeof(cc_word));
	if (!*sieve)
		return CC_ENOMEM;
	f->words = *sieve + cc_sieve_words((size_t)n + 1);
	cc_factors_begin(f);
	return CC_OK;
}

/* r[n] = the product of words[n]; returns its length.  t has 2n words, and a product's scratch. */
static size_t multiply(cc_word *r, const cc_word *words, size_t n, cc_word *t, struct cc_watch *w)
{
	size_t low = n / 2, high = n - low, ln, hn, length;

	if (n <= FEW) {
		r[0] = words[0];
		for (length = 1; --n;)
			length = cc_small_multiply(r, length, *++words);
		return length;
	}
	ln = multiply(t, words, low, t + n, w);
	if (cc_watch_stopped(w))
		return 1;
	hn = multiply(t + low, words + low, high, t + n, w);
	if (cc_watch_step(w, n))
		return 1;
	cc_natural_mul_watched(r, t + low, hn, t, ln, t + n, w);
	return cc_limbs_normalise(r, ln + hn);
}

int cc_factors_product(cc_bigint *r, const struct cc_factors *f, struct cc_watch *w)
{
	size_t n = f->n, half = n - n / 2, length;
	struct cc_scratch scratch;
	struct cc_room room;
	int err;

	err = cc_scratch_open(&scratch,
			      n <= FEW ? 0 : 2 * n + 64 + cc_natural_mul_scratch(half, half));
	if (err)
		return err;
	err = cc_room_open(&room, r, n + 1);
	if (!err) {
		length = multiply(room.words, f->words, n, scratch.words, w);
		if (cc_watch_stopped(w)) {
			cc_room_abandon(&room, r);
			err = CC_EINTR;
		} else {
			cc_room_close(&room, r, length, 0);
		}
	}
	cc_scratch_close(&scratch);
	return err;
}
