// SPDX-License-Identifier: MIT
/* Exact quotients and removed factors: natural.h's, with separate results. */
#include "room.h"

int cc_bigint_divexact(cc_bigint *q, const cc_bigint *x, const cc_bigint *y,
		       const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	size_t n = x->length, m = y->length, length;
	int negative = x->negative ^ y->negative, apart, err;
	struct cc_scratch scratch;
	struct cc_room room;
	cc_word *to;

	if (!m)
		return CC_EINVAL;
	if (n < m)
		return cc_bigint_set_u64(q, 0);
	length = n - m + 1;
	err = cc_room_open(&room, q, length);
	if (err)
		return err;
	/* if it is stopped, q must keep its value */
	apart = progress || cc_room_shared(&room, x) || cc_room_shared(&room, y);
	err = cc_scratch_open(&scratch, (apart ? length : 0) + cc_natural_divexact_scratch(n, m));
	if (err) {
		cc_room_abandon(&room, q);
		return err;
	}
	to = apart ? scratch.words : room.words;
	cc_natural_divexact_watched(to, x->words, n, y->words, m,
				    scratch.words + (apart ? length : 0), &w);
	if (w.stopped) {
		cc_room_abandon(&room, q);
		err = CC_EINTR;
	} else {
		if (apart)
			memcpy(room.words, to, length * sizeof(cc_word));
		cc_room_close(&room, q, length, negative);
	}
	cc_scratch_close(&scratch);
	return err;
}

int cc_bigint_remove(cc_bigint *r, uint64_t *count, const cc_bigint *x, const cc_bigint *f,
		     const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	size_t n = x->length, times;
	int negative, err;
	struct cc_scratch scratch;
	struct cc_room room;

	if (!f->length || (f->length == 1 && f->words[0] == 1))
		return CC_EINVAL;
	if (!n) {
		*count = 0;
		return cc_bigint_set(r, x);
	}
	err = cc_scratch_open(&scratch, n + cc_natural_remove_scratch(n, f->length));
	if (err)
		return err;
	times = cc_natural_remove_watched(scratch.words, x->words, n, f->words, f->length,
					  scratch.words + n, &w);
	negative = x->negative ^ (f->negative && times & 1);
	err = w.stopped ? CC_EINTR : cc_room_open(&room, r, n);
	if (!err) {
		memcpy(room.words, scratch.words, n * sizeof(cc_word));
		cc_room_close(&room, r, n, negative);
		*count = times;
	}
	cc_scratch_close(&scratch);
	return err;
}
