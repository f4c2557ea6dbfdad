// SPDX-License-Identifier: MIT
/* The greatest common divisor: natural.h's, with a separate result, so that r may be x or y. */
#include "room.h"

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
		if (n)
			memcpy(room.words, scratch.words, n * sizeof(cc_word));
		cc_room_close(&room, r, n, 0);
	}
	cc_scratch_close(&scratch);
	return err;
}
