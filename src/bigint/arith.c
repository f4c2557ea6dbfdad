// SPDX-License-Identifier: MIT
/* Sums and products. */
#include "room.h"

/* r = x + y, where y's sign is the one given. */
static int add_signed(cc_bigint *r, const cc_bigint *x, const cc_bigint *y, int y_negative)
{
	int negative = x->negative, order = 1, err;
	const cc_bigint *a = x, *b = y;
	struct cc_room room;
	size_t an, bn;
	cc_word out;

	if (x->negative != y_negative)
		order = cc_bigint_cmp_abs(x, y);
	else if (x->length < y->length)
		order = -1;
	if (order < 0) {
		a = y;
		b = x;
		negative = y_negative;
	}
	an = a->length;
	bn = b->length;

	if (x->negative == y_negative) {
		err = cc_room_open(&room, r, an + 1);
		if (err)
			return err;
		if (bn == 1) {
			out = cc_limbs_add_1(room.words, a->words, an, b->words[0]);
		} else {
			out = bn ? cc_limbs_add(room.words, a->words, b->words, bn) : 0;
			if (an > bn)
				out = cc_limbs_add_1(room.words + bn, a->words + bn, an - bn, out);
		}
		room.words[an++] = out;
	} else {
		err = cc_room_open(&room, r, an);
		if (err)
			return err;
		if (bn == 1) {
			cc_limbs_sub_1(room.words, a->words, an, b->words[0]);
		} else {
			out = bn ? cc_limbs_sub(room.words, a->words, b->words, bn) : 0;
			if (an > bn)
				cc_limbs_sub_1(room.words + bn, a->words + bn, an - bn, out);
		}
	}
	cc_room_close(&room, r, an, negative);
	return CC_OK;
}

int cc_bigint_add(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return add_signed(r, x, y, y->negative);
}

int cc_bigint_sub(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return add_signed(r, x, y, !y->negative);
}

int cc_room_mul(cc_bigint *r, const cc_bigint *x, const cc_bigint *y, struct cc_watch *w)
{
	const cc_word *a, *b;
	struct cc_scratch scratch;
	struct cc_room room;
	size_t an, bn, copied;
	int negative = x->negative != y->negative, err;

	if (x == y)
		return cc_room_sqr(r, x, w);
	if (x->length < y->length) {
		const cc_bigint *longer = y;

		y = x;
		x = longer;
	}
	an = x->length;
	bn = y->length;
	if (!bn) {
		r->length = 0;
		r->negative = 0;
		return CC_OK;
	}
	err = cc_room_open(&room, r, an + bn);
	if (err)
		return err;
	a = x->words;
	b = y->words;
	if (bn == 1) {
		room.words[an] = cc_limbs_mul_1(room.words, a, an, b[0]);
		cc_room_close(&room, r, an + 1, negative);
		return CC_OK;
	}

	copied = cc_room_shared(&room, x) ? an : cc_room_shared(&room, y) ? bn : 0;
	err = cc_scratch_open(&scratch, copied + cc_natural_mul_scratch(an, bn));
	if (err) {
		cc_room_abandon(&room, r);
		return err;
	}
	if (copied)
		memcpy(scratch.words, room.words, copied * sizeof(cc_word));
	if (cc_room_shared(&room, x))
		a = scratch.words;
	else if (cc_room_shared(&room, y))
		b = scratch.words;
	if (w)
		cc_natural_mul_watched(room.words, a, an, b, bn, scratch.words + copied, w);
	else
		cc_natural_mul(room.words, a, an, b, bn, scratch.words + copied);
	cc_scratch_close(&scratch);
	if (cc_watch_stopped(w)) {
		cc_room_abandon(&room, r);
		return CC_EINTR;
	}
	cc_room_close(&room, r, an + bn, negative);
	return CC_OK;
}

int cc_room_sqr(cc_bigint *r, const cc_bigint *x, struct cc_watch *w)
{
	const cc_word *a = x->words;
	struct cc_scratch scratch;
	struct cc_room room;
	size_t n = x->length, copied;
	int err;

	if (!n) {
		r->length = 0;
		r->negative = 0;
		return CC_OK;
	}
	err = cc_room_open(&room, r, 2 * n);
	if (err)
		return err;
	copied = cc_room_shared(&room, x) ? n : 0;
	err = cc_scratch_open(&scratch, copied + cc_natural_sqr_scratch(n));
	if (err) {
		cc_room_abandon(&room, r);
		return err;
	}
	if (copied)
		a = memcpy(scratch.words, a, n * sizeof(cc_word));
	if (w)
		cc_natural_sqr_watched(room.words, a, n, scratch.words + copied, w);
	else
		cc_natural_sqr(room.words, a, n, scratch.words + copied);
	cc_scratch_close(&scratch);
	if (cc_watch_stopped(w)) {
		cc_room_abandon(&room, r);
		return CC_EINTR;
	}
	cc_room_close(&room, r, 2 * n, 0);
	return CC_OK;
}

int cc_bigint_mul(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return cc_room_mul(r, x, y, NULL);
}

int cc_bigint_sqr(cc_bigint *r, const cc_bigint *x)
{
	return cc_room_sqr(r, x, NULL);
}

int cc_bigint_mul_watched(cc_bigint *r, const cc_bigint *x, const cc_bigint *y,
			  const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	cc_bigint product = CC_BIGINT_INIT;
	int err = cc_room_mul(&product, x, y, &w);

	if (!err)
		cc_bigint_swap(r, &product);
	cc_bigint_clear(&product);
	return err;
}
