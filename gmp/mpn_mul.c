// SPDX-License-Identifier: MIT
/* Products. */
#include "memory.h"
#include "mpn.h"
#include "pool.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

cc_word cc_mpn_mul_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b)
{
	return cc_limbs_mul_1(r, a, (size_t)n, b);
}

cc_word cc_mpn_addmul_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b)
{
	return cc_limbs_addmul_1(r, a, (size_t)n, b);
}

cc_word cc_mpn_submul_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b)
{
	return cc_limbs_submul_1(r, a, (size_t)n, b);
}

int cc_try_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn)
{
	struct cc_room room;

	if (a == b && an == bn)
		return cc_try_sqr(r, a, an);
	if (!cc_room_open(&room, cc_natural_mul_scratch((size_t)an, (size_t)bn)))
		return 0;
	cc_pool_mul(r, a, (size_t)an, b, (size_t)bn, room.words);
	cc_room_close(&room);
	return 1;
}

int cc_try_sqr(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	struct cc_room room;

	if (!cc_room_open(&room, cc_natural_sqr_scratch((size_t)n)))
		return 0;
	cc_pool_sqr(r, a, (size_t)n, room.words);
	cc_room_close(&room);
	return 1;
}

cc_word cc_mpn_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn)
{
	if (!cc_try_mul(r, a, an, b, bn))
		cc_room_refused(cc_natural_mul_scratch((size_t)an, (size_t)bn));
	return r[an + bn - 1];
}

void cc_mpn_mul_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	cc_mpn_mul(r, a, n, b, n);
}

void cc_mpn_sqr(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	if (!cc_try_sqr(r, a, n))
		cc_room_refused(cc_natural_sqr_scratch((size_t)n));
}
