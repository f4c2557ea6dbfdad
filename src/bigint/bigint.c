// SPDX-License-Identifier: MIT
/* Memory, copies, conversions from and to machine integers, order and sign. */
#include "room.h"

int cc_room_alloc(struct cc_room *room, const cc_bigint *r, size_t words)
{
	size_t grown = r->capacity + r->capacity / 2;

	if (words > CC_WORDS_MAX)
		return CC_ENOMEM;
	/* not beyond what cc_room_open() may then hand out unasked */
	if (grown > CC_WORDS_MAX)
		grown = CC_WORDS_MAX;
	room->capacity = words > grown ? words : grown;
	room->words = CC_ALLOC(room->capacity * sizeof(cc_word));
	return room->words ? CC_OK : CC_ENOMEM;
}

void cc_bigint_init(cc_bigint *x)
{
	*x = (cc_bigint)CC_BIGINT_INIT;
}

void cc_bigint_clear(cc_bigint *x)
{
	CC_FREE(x->words);
	cc_bigint_init(x);
}

void cc_bigint_swap(cc_bigint *x, cc_bigint *y)
{
	cc_bigint old = *x;

	*x = *y;
	*y = old;
}

int cc_bigint_reserve(cc_bigint *x, size_t words)
{
	struct cc_room room;
	int err = cc_room_open(&room, x, words);

	if (err)
		return err;
	if (x->length && !cc_room_shared(&room, x))
		memcpy(room.words, x->words, x->length * sizeof(cc_word));
	cc_room_close(&room, x, x->length, x->negative);
	return CC_OK;
}

/* r = |x| with the given sign: set, neg and abs differ only in that. */
static int set_signed(cc_bigint *r, const cc_bigint *x, int negative)
{
	struct cc_room room;
	int err;

	if (r != x) {
		err = cc_room_open(&room, r, x->length);
		if (err)
			return err;
		if (x->length)
			memcpy(room.words, x->words, x->length * sizeof(cc_word));
		cc_room_close(&room, r, x->length, negative);
	}
	r->negative = negative && r->length;
	return CC_OK;
}

int cc_bigint_set(cc_bigint *r, const cc_bigint *x)
{
	return set_signed(r, x, x->negative);
}

int cc_bigint_neg(cc_bigint *r, const cc_bigint *x)
{
	return set_signed(r, x, !x->negative);
}

int cc_bigint_abs(cc_bigint *r, const cc_bigint *x)
{
	return set_signed(r, x, 0);
}

#define U64_WORDS (64 / CC_WORD_BITS)

static int set_magnitude(cc_bigint *r, uint64_t x, int negative)
{
	/* 0 needs no room: words that were lent for a result may be fewer than 64 bits */
	size_t length = (x != 0) + (size_t)(U64_WORDS == 2 && x >> 32 != 0);
	struct cc_room room;
	int err = cc_room_open(&room, r, length);

	if (err)
		return err;
	if (length)
		room.words[0] = (cc_word)x;
#if U64_WORDS == 2
	if (length == 2)
		room.words[1] = (cc_word)(x >> 32);
#endif
	cc_room_close(&room, r, length, negative);
	return CC_OK;
}

int cc_bigint_set_u64(cc_bigint *r, uint64_t x)
{
	return set_magnitude(r, x, 0);
}

int cc_bigint_set_i64(cc_bigint *r, int64_t x)
{
	/* negated as unsigned: the magnitude of INT64_MIN is no int64_t */
	return set_magnitude(r, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, x < 0);
}

static int get_magnitude(uint64_t *r, const cc_bigint *x)
{
	if (x->length > U64_WORDS)
		return CC_ERANGE;
	*r = x->length ? x->words[0] : 0;
#if U64_WORDS == 2
	if (x->length > 1)
		*r |= (uint64_t)x->words[1] << 32;
#endif
	return CC_OK;
}

int cc_bigint_get_u64(uint64_t *r, const cc_bigint *x)
{
	if (x->negative)
		return CC_ERANGE;
	return get_magnitude(r, x);
}

int cc_bigint_get_i64(int64_t *r, const cc_bigint *x)
{
	uint64_t m, limit = (uint64_t)INT64_MAX + (x->negative ? 1 : 0);

	if (get_magnitude(&m, x) || m > limit)
		return CC_ERANGE;
	*r = x->negative && m ? -(int64_t)(m - 1) - 1 : (int64_t)m;
	return CC_OK;
}

int cc_bigint_cmp_abs(const cc_bigint *x, const cc_bigint *y)
{
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return cc_limbs_cmp(x->words, y->words, x->length);
}

int cc_bigint_cmp(const cc_bigint *x, const cc_bigint *y)
{
	if (x->negative != y->negative)
		return x->negative ? -1 : 1;
	return x->negative ? cc_bigint_cmp_abs(y, x) : cc_bigint_cmp_abs(x, y);
}

int cc_bigint_sign(const cc_bigint *x)
{
	return x->negative ? -1 : x->length > 0;
}

uint64_t cc_bigint_bit_length(const cc_bigint *x)
{
	if (!x->length)
		return 0;
	return (uint64_t)x->length * CC_WORD_BITS - cc_word_clz(x->words[x->length - 1]);
}
