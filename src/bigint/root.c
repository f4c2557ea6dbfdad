// SPDX-License-Identifier: MIT
/* Square root: natural.h's, with separate operand, result and remainder, so that r may be x. */
#include "room.h"

int cc_bigint_isqrt(cc_bigint *r, const cc_bigint *x, const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	size_t n = x->length, k = (n + 1) / 2;
	struct cc_scratch scratch;
	struct cc_room room;
	int err;

	if (x->negative)
		return CC_EINVAL;
	if (!n)
		return cc_bigint_set(r, x);
	err = cc_scratch_open(&scratch, k + n / 2 + 1 + cc_natural_isqrt_scratch(n));
	if (err)
		return err;
	cc_natural_isqrt_watched(scratch.words, scratch.words + k, x->words, n,
				 scratch.words + k + n / 2 + 1, &w);
	err = w.stopped ? CC_EINTR : cc_room_open(&room, r, k);
	if (!err) {
		memcpy(room.words, scratch.words, k * sizeof(cc_word));
		cc_room_close(&room, r, k, 0);
	}
	cc_scratch_close(&scratch);
	return err;
}
