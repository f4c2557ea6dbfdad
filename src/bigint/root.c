// SPDX-License-Identifier: MIT
/* Roots: natural.h's, with separate operand, result and remainder, so that r may be x. */
#include "room.h"

#include "../natural/square.h"

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

/* The root, and the remainder or whether there is none. */
static int root_of(cc_bigint *root, cc_bigint *rem, int *exact, const cc_bigint *x, uint64_t k,
		   const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	size_t n = x->length, rn, rest = 0;
	int negative = x->negative, err;
	struct cc_scratch scratch;
	struct cc_room room, room_rem;
	cc_word *r, *t;

	if (!k || (negative && !(k & 1)))
		return CC_EINVAL;
	/* a word, as far as there are more bits */
	if (k > (cc_word)-1)
		k = (cc_word)-1;
	rn = n ? (n - 1) / (size_t)k + 1 : 0;
	err = cc_scratch_open(&scratch, rn + (rem ? n : 0) + cc_natural_root_scratch(n));
	if (err)
		return err;
	r = scratch.words;
	t = r + rn;
	rest = cc_natural_root_watched(r, rem ? t : NULL, x->words, n, (cc_word)k, rem ? t + n : t,
				       &w);
	err = w.stopped ? CC_EINTR : cc_room_open(&room, root, rn);
	if (err)
		goto close;
	if (rem) {
		err = cc_room_open(&room_rem, rem, rest);
		if (err) {
			cc_room_abandon(&room, root);
			goto close;
		}
		if (rest)
			memcpy(room_rem.words, t, rest * sizeof(cc_word));
		cc_room_close(&room_rem, rem, rest, negative);
	}
	if (rn)
		memcpy(room.words, r, rn * sizeof(cc_word));
	cc_room_close(&room, root, rn, negative);
	if (exact)
		*exact = !rest;
close:
	cc_scratch_close(&scratch);
	return err;
}

int cc_bigint_root(cc_bigint *root, int *exact, const cc_bigint *x, uint64_t k,
		   const struct cc_progress *progress)
{
	return root_of(root, NULL, exact, x, k, progress);
}

int cc_bigint_rootrem(cc_bigint *root, cc_bigint *rem, const cc_bigint *x, uint64_t k,
		      const struct cc_progress *progress)
{
	return root == rem ? CC_EINVAL : root_of(root, rem, NULL, x, k, progress);
}

static __attribute__((__noinline__)) int has_root(int *square, const cc_bigint *x,
						  const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	struct cc_scratch scratch;
	int err, found;

	err = cc_scratch_open(&scratch, cc_natural_is_square_scratch(x->length));
	if (err)
		return err;
	found = cc_natural_is_square_watched(x->words, x->length, scratch.words, &w);
	cc_scratch_close(&scratch);
	if (w.stopped)
		return CC_EINTR;
	*square = found;
	return CC_OK;
}

/* The last bits decide most, so they are looked at before there is any room. */
int cc_bigint_is_square(int *square, const cc_bigint *x, const struct cc_progress *progress)
{
	if (x->length && !x->negative && cc_square_by_last_bits(x->words[0]))
		return has_root(square, x, progress);
	*square = !x->length;
	return CC_OK;
}

int cc_bigint_is_power(int *power, const cc_bigint *x, const struct cc_progress *progress)
{
	struct cc_watch w = {progress, 0, 0, 0};
	struct cc_scratch scratch;
	int err, found;

	if (cc_natural_is_no_power(x->words, x->length)) {
		*power = 0;
		return CC_OK;
	}
	err = cc_scratch_open(&scratch, cc_natural_is_power_scratch(x->length));
	if (err)
		return err;
	found = cc_natural_is_power_watched(x->words, x->length, x->negative, scratch.words, &w);
	cc_scratch_close(&scratch);
	if (w.stopped)
		return CC_EINTR;
	*power = found;
	return CC_OK;
}
