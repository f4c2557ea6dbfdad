// SPDX-License-Identifier: MIT
/*
 * Powers, and by natural.h powers modulo a number.
 *
 * x^e = odd^e 2^(e zeros) for x = odd 2^zeros; the odd part is raised by the bits of e from
 * the top (Knuth 4.6.3).
 *
 * Room for the odd part: let |odd| have b bits, and the accumulator be odd^j, which has at
 * most ceil(bj / W) words.  A squaring needs 2 ceil(bj / W) < 2bj / W + 2 words, a
 * multiplication ceil(bj / W) + ceil(b / W) < b(j + 1) / W + 2; 2j and j + 1 never exceed e,
 * so be / W + 2 words suffice.  For a power of one, b counts as 0: two words suffice.
 */
#include "room.h"

static uint64_t trailing_zeros(const cc_bigint *x)
{
	size_t i = 0;

	while (!x->words[i])
		i++;
	return (uint64_t)i * CC_WORD_BITS + cc_word_ctz(x->words[i]);
}

static int power_of(cc_bigint *r, const cc_bigint *x, uint64_t exponent, struct cc_watch *w)
{
	cc_bigint odd = CC_BIGINT_INIT, power = CC_BIGINT_INIT, next = CC_BIGINT_INIT;
	struct cc_scratch scratch;
	uint64_t bits, zeros, above;
	unsigned int bit;
	int err;

	if (!exponent)
		return cc_bigint_set_u64(r, 1);
	if (!x->length)
		return cc_bigint_set_u64(r, 0);
	zeros = trailing_zeros(x);
	bits = cc_bigint_bit_length(x) - zeros;
	if (bits == 1)
		bits = 0;
	cc_mul_u64(&above, bits + zeros, exponent);
	if (above || (bits + zeros) * exponent > (uint64_t)CC_WORDS_MAX * CC_WORD_BITS)
		return CC_ENOMEM;

	odd.capacity = x->length + 1;
	power.capacity = (size_t)(bits * exponent / CC_WORD_BITS) + 2;
	next.capacity = power.capacity;
	err = cc_scratch_open(&scratch, odd.capacity + 2 * power.capacity);
	if (err)
		return err;
	odd.words = scratch.words;
	power.words = odd.words + odd.capacity;
	next.words = power.words + power.capacity;

	err = cc_bigint_shr(&odd, x, zeros);
	if (!err)
		err = cc_bigint_set(&power, &odd);
	for (bit = 63 - cc_clz_u64(exponent); bit-- && !err;) {
		err = cc_room_sqr(&next, &power, w);
		cc_bigint_swap(&next, &power);
		if (!err && (exponent >> bit & 1)) {
			err = cc_room_mul(&next, &power, &odd, w);
			cc_bigint_swap(&next, &power);
		}
	}
	if (!err)
		err = cc_bigint_shl(r, &power, zeros * exponent);
	cc_scratch_close(&scratch);
	return err;
}

int cc_bigint_pow(cc_bigint *r, const cc_bigint *x, uint64_t exponent)
{
	return power_of(r, x, exponent, NULL);
}

int cc_bigint_pow_watched(cc_bigint *r, const cc_bigint *x, uint64_t exponent,
			  const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	cc_bigint result = CC_BIGINT_INIT;
	int err = power_of(&result, x, exponent, &w);

	if (!err)
		cc_bigint_swap(r, &result);
	cc_bigint_clear(&result);
	return err;
}

int cc_bigint_powm(cc_bigint *r, const cc_bigint *x, const cc_bigint *e, const cc_bigint *m,
		   const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	int negative = x->negative && e->length && e->words[0] & 1, err;
	size_t n = m->length;
	struct cc_scratch scratch;
	struct cc_room room;

	if (!n || e->negative)
		return CC_EINVAL;
	err = cc_scratch_open(&scratch, n + cc_natural_powm_scratch(x->length, e->length, n));
	if (err)
		return err;
	cc_natural_powm_watched(scratch.words, x->words, x->length, e->words, e->length, m->words,
				n, scratch.words + n, &w);
	err = w.stopped ? CC_EINTR : cc_room_open(&room, r, n);
	if (!err) {
		if (negative && cc_limbs_normalise(scratch.words, n))
			cc_limbs_sub(scratch.words, m->words, scratch.words, n);
		memcpy(room.words, scratch.words, n * sizeof(cc_word));
		cc_room_close(&room, r, n, 0);
	}
	cc_scratch_close(&scratch);
	return err;
}
