// SPDX-License-Identifier: MIT
/* Common divisors: natural.h's, with separate results, so that any may be an argument. */
#include "room.h"

/* The value of words[n], which may have zeros at the top, in @room. */
static void write(struct cc_room *room, cc_bigint *r, const cc_word *words, size_t n, int negative)
{
	if (n)
		memcpy(room->words, words, n * sizeof(cc_word));
	cc_room_close(room, r, n, negative);
}

int cc_bigint_gcd(cc_bigint *r, const cc_bigint *x, const cc_bigint *y,
		  const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	size_t n = x->length > y->length ? x->length : y->length;
	struct cc_scratch scratch;
	struct cc_room room;
	int err;

	err = cc_scratch_open(&scratch, n + cc_natural_gcd_scratch(x->length, y->length));
	if (err)
		return err;
	n = cc_natural_gcd_watched(scratch.words, x->words, x->length, y->words, y->length,
				   scratch.words + n, &w);
	err = w.stopped ? CC_EINTR : cc_room_open(&room, r, n);
	if (!err) {
		write(&room, r, scratch.words, n, 0);
	}
	cc_scratch_close(&scratch);
	return err;
}

int cc_bigint_gcdext(cc_bigint *g, cc_bigint *x, cc_bigint *y, const cc_bigint *a,
		     const cc_bigint *b, const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	size_t longer = a->length > b->length ? a->length : b->length;
	size_t xn = b->length ? b->length : 1, yn = a->length ? a->length : 1, gn;
	int x_negative, y_negative, a_negative = a->negative, b_negative = b->negative, err;
	cc_word *x_words, *y_words, *rest;
	struct cc_scratch scratch;
	struct cc_room rooms[3];

	if (g == x || g == y || x == y)
		return CC_EINVAL;
	err = cc_scratch_open(&scratch,
			      longer + xn + yn + cc_natural_gcdext_scratch(a->length, b->length));
	if (err)
		return err;
	x_words = scratch.words + longer;
	y_words = x_words + xn;
	rest = y_words + yn;
	gn = cc_natural_gcdext_watched(scratch.words, x_words, y_words, &x_negative, a->words,
				       a->length, b->words, b->length, rest, &w);
	xn = cc_limbs_normalise(x_words, xn);
	yn = cc_limbs_normalise(y_words, yn);
	err = w.stopped ? CC_EINTR : cc_room_open(&rooms[0], g, gn);
	if (err)
		goto close;
	err = cc_room_open(&rooms[1], x, xn);
	if (err)
		goto abandon_g;
	err = cc_room_open(&rooms[2], y, yn);
	if (err)
		goto abandon_x;
	y_negative = !x_negative ^ b_negative;
	x_negative ^= a_negative;
	write(&rooms[0], g, scratch.words, gn, 0);
	write(&rooms[1], x, x_words, xn, x_negative);
	write(&rooms[2], y, y_words, yn, y_negative);
	goto close;

abandon_x:
	cc_room_abandon(&rooms[1], x);
abandon_g:
	cc_room_abandon(&rooms[0], g);
close:
	cc_scratch_close(&scratch);
	return err;
}

int cc_bigint_invert(cc_bigint *r, const cc_bigint *x, const cc_bigint *m,
		     const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	size_t n = m->length;
	struct cc_scratch scratch;
	struct cc_room room;
	int err, exists;

	if (!n)
		return CC_EINVAL;
	err = cc_scratch_open(&scratch, n + cc_natural_invert_scratch(x->length, n));
	if (err)
		return err;
	exists = cc_natural_invert_watched(scratch.words, x->words, x->length, m->words, n,
					   scratch.words + n, &w);
	err = w.stopped ? CC_EINTR : exists ? cc_room_open(&room, r, n) : CC_ERANGE;
	if (!err) {
		/* modulo 1 it is 0, also of a negative number */
		if (x->negative && cc_limbs_normalise(scratch.words, n))
			cc_limbs_sub(scratch.words, m->words, scratch.words, n);
		write(&room, r, scratch.words, n, 0);
	}
	cc_scratch_close(&scratch);
	return err;
}

int cc_bigint_kronecker(int *symbol, const cc_bigint *x, const cc_bigint *m,
			const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	struct cc_scratch scratch;
	int err, found;
	size_t i = 0;

	err = cc_scratch_open(&scratch, cc_natural_jacobi_scratch(x->length, m->length));
	if (err)
		return err;
	found = cc_natural_jacobi_watched(x->words, x->length, m->words, m->length, scratch.words,
					  &w);
	cc_scratch_close(&scratch);
	if (w.stopped)
		return CC_EINTR;
	if (x->negative && m->length) {
		/* (-1 / m): by m's odd part modulo 4, and its sign */
		while (!m->words[i])
			i++;
		if (m->words[i] >> cc_word_ctz(m->words[i]) >> 1 & 1 ||
		    (i + 1 < m->length && cc_word_ctz(m->words[i]) == CC_WORD_BITS - 1 &&
		     m->words[i + 1] & 1))
			found = -found;
		if (m->negative)
			found = -found;
	}
	*symbol = found;
	return CC_OK;
}
