// SPDX-License-Identifier: MIT
/*
 * Floor and truncating division: the magnitudes' quotient and remainder.  If the signs differ
 * and the remainder is not 0, floor division then takes one less and adds y:
 *   x = q y + r = (q - 1) y + (r + y).
 */
#include "room.h"

#include "../limbs/divide.h"
#include "../natural/quotient.h"

/* |x| < |y|, y not 0: the quotient is 0, or -1 for floor. */
static int divide_smaller(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y,
			  int adjust)
{
	struct cc_room room;
	int err;

	if (q) {
		err = cc_room_open(&room, q, 1);
		if (err)
			return err;
	}
	if (r) {
		err = adjust ? cc_bigint_add(r, x, y) : cc_bigint_set(r, x);
		if (err) {
			if (q)
				cc_room_abandon(&room, q);
			return err;
		}
	}
	if (q) {
		room.words[0] = 1;
		cc_room_close(&room, q, adjust ? 1 : 0, 1);
	}
	return CC_OK;
}

/* @w may be NULL; if it stops the work, the words of q and r are undefined. */
static int divide(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y, int floor,
		  struct cc_watch *w)
{
	size_t xn = x->length, yn = y->length, qn, x_copied = 0, y_copied = 0, need;
	int differ = x->negative != y->negative, r_negative, err;
	/* nobody asks for the remainder, nor whether there is one */
	int alone = q && !r && !w && !(floor && differ) && yn > 1;
	struct cc_room q_room = {NULL, 0}, r_room = {NULL, 0};
	cc_word *quotient, *remainder, *work;
	struct cc_scratch scratch;
	const cc_word *a, *d;

	if (!yn || (q && q == r))
		return CC_EINVAL;
	if (!q && !r)
		return CC_OK;
	if (cc_bigint_cmp_abs(x, y) < 0)
		return divide_smaller(q, r, x, y, floor && differ && xn);

	qn = xn - yn + 1;
	r_negative = floor ? y->negative : x->negative;
	if (q) {
		/* 1 more: floor adds 1 to a quotient that may be all ones */
		err = cc_room_open(&q_room, q, qn + 1);
		if (err)
			return err;
	}
	if (r) {
		err = cc_room_open(&r_room, r, yn);
		if (err)
			goto no_r;
	}
	/* The remainder may take the dividend's place; nothing else may share. */
	if (q && cc_room_shared(&q_room, x))
		x_copied = xn;
	if ((q && cc_room_shared(&q_room, y)) || (r && cc_room_shared(&r_room, y)))
		y_copied = yn;
	need = x_copied + y_copied;
	if (alone)
		need += cc_natural_quotient_scratch(xn, yn);
	else
		need += (q || yn == 1 ? 0 : qn) + (r ? 0 : yn) +
			(yn > 1 ? cc_natural_divrem_scratch(xn, yn) : 0);
	err = cc_scratch_open(&scratch, need);
	if (err)
		goto no_scratch;
	work = scratch.words;
	a = x->words;
	d = y->words;
	if (x_copied) {
		a = memcpy(work, a, xn * sizeof(cc_word));
		work += xn;
	}
	if (y_copied) {
		d = memcpy(work, d, yn * sizeof(cc_word));
		work += yn;
	}
	quotient = q_room.words;
	if (!q && yn > 1) {
		quotient = work;
		work += qn;
	}
	remainder = r_room.words;
	if (!r && !alone) {
		remainder = work;
		work += yn;
	}

	if (alone)
		cc_natural_quotient(quotient, a, xn, d, yn, work);
	else if (yn == 1 && !q)
		remainder[0] = cc_limbs_mod_1(a, xn, d[0]);
	else if (yn == 1)
		remainder[0] = cc_limbs_divrem_1(quotient, a, xn, d[0]);
	else
		cc_natural_divrem_watched(quotient, remainder, a, xn, d, yn, work, w);
	if (cc_watch_stopped(w)) {
		cc_scratch_close(&scratch);
		err = CC_EINTR;
		goto no_scratch;
	}
	if (q)
		quotient[qn] = 0;
	if (!alone && floor && differ && cc_limbs_normalise(remainder, yn)) {
		if (q)
			cc_limbs_add_1(quotient, quotient, qn + 1, 1);
		cc_limbs_sub(remainder, d, remainder, yn);
	}
	cc_scratch_close(&scratch);
	if (q)
		cc_room_close(&q_room, q, qn + 1, differ);
	if (r)
		cc_room_close(&r_room, r, yn, r_negative);
	return CC_OK;

no_scratch:
	if (r)
		cc_room_abandon(&r_room, r);
no_r:
	if (q)
		cc_room_abandon(&q_room, q);
	return err;
}

int cc_bigint_divmod_floor(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return divide(q, r, x, y, 1, NULL);
}

int cc_bigint_divmod_trunc(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return divide(q, r, x, y, 0, NULL);
}

static int watched(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y, int floor,
		   const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	cc_bigint quotient = CC_BIGINT_INIT, remainder = CC_BIGINT_INIT;
	int err;

	if (q && q == r)
		return CC_EINVAL;
	err = divide(q ? &quotient : NULL, r ? &remainder : NULL, x, y, floor, &w);
	if (!err && q)
		cc_bigint_swap(q, &quotient);
	if (!err && r)
		cc_bigint_swap(r, &remainder);
	cc_bigint_clear(&quotient);
	cc_bigint_clear(&remainder);
	return err;
}

int cc_bigint_divmod_floor_watched(cc_bigint *q, cc_bigint *r, const cc_bigint *x,
				   const cc_bigint *y, const struct cc_progress *progress)
{
	return watched(q, r, x, y, 1, progress);
}

int cc_bigint_divmod_trunc_watched(cc_bigint *q, cc_bigint *r, const cc_bigint *x,
				   const cc_bigint *y, const struct cc_progress *progress)
{
	return watched(q, r, x, y, 0, progress);
}
