// SPDX-License-Identifier: MIT
/*
 * Modular exponentiation for any m.  Odd m is the tier's own; even m = 2^k o has its two
 * parts, x1 = b^e mod o and x2 = b^e mod B^n, put together by
 *
 *	x1 + o ((x2 - x1) / o mod 2^k)  <=  (o - 1) + o (2^k - 1)  <  m.
 */
#include "kernels.h"
#include "mask.h"

/* The modular exponentiation for even m, k a value that does not show. */
static __attribute__((__noinline__)) void powmod_even(const struct cc_fixed_kernels *kernels,
						      cc_word *r, const cc_word *b,
						      const cc_word *e, const cc_word *m, size_t n,
						      cc_word *scratch)
{
	cc_word parts[4 * CC_FZ_MAX];
	cc_word *o = parts, *x1 = o + n, *x2 = x1 + n, *inverse = x2 + n, *product = scratch;
	size_t k = cc_fz_trailing_zeros(m, n);

	cc_fz_shr(o, m, n, k);
	kernels->powmod_odd(x1, b, e, o, n, scratch);
	cc_fixed_power_low(kernels, x2, b, e, n, scratch);
	cc_fixed_inverse_low(kernels, inverse, o, n, scratch);

	cc_fz_sub(x2, x2, x1, n);
	kernels->mul(product, x2, inverse, n);
	cc_fz_shl(x2, product, n, n * CC_WORD_BITS - k);
	cc_fz_shr(x2, x2, n, n * CC_WORD_BITS - k);
	kernels->mul(product, x2, o, n);
	cc_fz_add(r, product, x1, n);
	cc_wipe(parts, 4 * n * sizeof(*parts));
}

/* A frame of its own, so that powmod_many()'s does not hold it beside another. */
static __attribute__((__noinline__)) void powmod(const struct cc_fixed_kernels *kernels, cc_word *r,
						 const cc_word *b, const cc_word *e,
						 const cc_word *m, size_t n)
{
	cc_word scratch[CC_FIXED_POWMOD_SCRATCH(CC_FZ_MAX)] CC_ALIGNED(64);

	if (m[0] & 1)
		kernels->powmod_odd(r, b, e, m, n, scratch);
	else
		powmod_even(kernels, r, b, e, m, n, scratch);
	cc_wipe(scratch, CC_FIXED_POWMOD_SCRATCH(n) * sizeof(*scratch));
}

int cc_fz_powmod(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n)
{
	if (n > CC_FZ_MAX || cc_shows_zero(m, n))
		return CC_EINVAL;
	powmod(cc_fixed_kernels(), r, b, e, m, n);
	return CC_OK;
}

/*
 * So many lanes of eight in use are faster than as many exponentiations one by one, at each
 * multiple of 256 bits: the time of eight at once over that of one, rounded up (Zen 5; the
 * ratios are in docs/decisions/fixed-batch.md).  It falls wherever the one, whose width is
 * in tiles, is padded more than the batch, whose width is in tens of digits.
 */
static const unsigned char lanes_worth[] = {
	3, 2, 3, 2, 4, 4, 5, 5, 6, 4, 5, 5, 5, 5, 7, 7,
	6, 6, 7, 5, 6, 6, 7, 7, 7, 5, 6, 6, 7, 7, 7, 7,
};

_Static_assert(sizeof(lanes_worth) == CC_FIXED_POWMOD_8_MAX * CC_WORD_BITS / 256,
	       "an entry for every width");

struct lanes {
	cc_word *r[8];
	const cc_word *b[8], *e[8], *m[8];
	size_t used;
};

static __attribute__((__noinline__)) void powmod_lanes(const struct cc_fixed_kernels *kernels,
						       struct lanes *lanes, size_t n)
{
	cc_word scratch[CC_FIXED_POWMOD_8_SCRATCH(CC_FIXED_POWMOD_8_MAX)] CC_ALIGNED(64);
	size_t i;

	for (i = lanes->used; i < 8; i++) {
		lanes->r[i] = lanes->r[0];
		lanes->b[i] = lanes->b[0];
		lanes->e[i] = lanes->e[0];
		lanes->m[i] = lanes->m[0];
	}
	kernels->powmod_odd_8(lanes->r, lanes->b, lanes->e, lanes->m, n, scratch);
	cc_wipe(scratch, CC_FIXED_POWMOD_8_SCRATCH(n) * sizeof(*scratch));
}

/* Where n has no batch, no lane is in use. */
static void flush(const struct cc_fixed_kernels *kernels, struct lanes *lanes, size_t n)
{
	size_t i;

	if (!lanes->used)
		return;
	if (lanes->used >= lanes_worth[(n * CC_WORD_BITS - 1) / 256])
		powmod_lanes(kernels, lanes, n);
	else
		for (i = 0; i < lanes->used; i++)
			powmod(kernels, lanes->r[i], lanes->b[i], lanes->e[i], lanes->m[i], n);
	lanes->used = 0;
}

int cc_fz_powmod_many(cc_word *r, const cc_word *b, const cc_word *e, const cc_word *m, size_t n,
		      size_t count)
{
	const struct cc_fixed_kernels *kernels = cc_fixed_kernels();
	struct lanes lanes = {.used = 0};
	size_t i;

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	for (i = 0; i < count; i++)
		if (cc_shows_zero(m + i * n, n))
			return CC_EINVAL;
	for (; count--; r += n, b += n, e += n, m += n) {
		if (!kernels->powmod_odd_8 || n > CC_FIXED_POWMOD_8_MAX || !(m[0] & 1)) {
			powmod(kernels, r, b, e, m, n);
			continue;
		}
		lanes.r[lanes.used] = r;
		lanes.b[lanes.used] = b;
		lanes.e[lanes.used] = e;
		lanes.m[lanes.used] = m;
		if (++lanes.used == 8)
			flush(kernels, &lanes, n);
	}
	flush(kernels, &lanes, n);
	return CC_OK;
}
