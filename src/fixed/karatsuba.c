// SPDX-License-Identifier: MIT
/*
 * Karatsuba's product (Knuth 4.3.3), in its subtractive form, with masks instead of branches.
 *
 * With h = ceil(n / 2), l = n - h, x = x1 B^h + x0, likewise y:
 *   x y = z2 B^2h + (z0 + z2 - (x0 - x1)(y0 - y1)) B^h + z0,  z0 = x0 y0,  z2 = x1 y1.
 * The signs of the differences are masks; the product of their magnitudes is added, or
 * subtracted by adding its complement.  Every carry is propagated to the top.
 */
#include <carrychain/limbs.h>

#include "kernels.h"
#include "mask.h"

/* The recursion keeps 2h words per level; h <= n / 2 + 1, and n halves with each level. */
#define SCRATCH (2 * CC_FZ_MAX + 64)

/* r[h] = |x0 - x1| for x = x1[l] : x0[h], l being h or h - 1; a mask of whether x0 < x1 */
static cc_word half_difference(cc_word *r, const cc_word *x, size_t h, size_t l)
{
	cc_word borrow = cc_limbs_sub(r, x, x + h, l);

	if (l < h) {
		r[l] = x[l] - borrow;
		borrow &= cc_mask_zero(x[l]);
	}
	borrow = cc_mask(borrow);
	cc_fz_negate(r, borrow, r, h);
	return borrow;
}

/* t[n] = z0 - t, or z0 + t if the mask is set; returns the word above t */
static cc_word subtract_or_add(cc_word *t, const cc_word *z0, cc_word add, size_t n)
{
	cc_word carry = ~add & 1, above = 0 - carry;
	size_t i;

	for (i = 0; i < n; i++)
		t[i] = cc_word_add(z0[i], t[i] ^ ~add, &carry);
	return above + carry;
}

/*
 * r = z2 : z0; t[2h] and @above are z0 minus the product of the differences: adds the middle
 * term in its place.  That term is in [0, 2 B^2h), so @above ends as 0 or 1.
 */
static void put_middle(cc_word *r, cc_word *t, cc_word above, size_t h, size_t l)
{
	cc_word carry;
	size_t i;

	carry = cc_limbs_add(t, t, r + 2 * h, 2 * l);
	for (i = 2 * l; i < 2 * h; i++)
		t[i] = cc_word_add(t[i], 0, &carry);
	above += carry;
	above += cc_limbs_add(r + h, r + h, t, 2 * h);
	cc_fz_add_word(r + 3 * h, r + 3 * h, 2 * l - h, above);
}

static void mul(cc_fixed_mul_fn *base, size_t most, cc_word *xy, const cc_word *x, const cc_word *y,
		size_t n, cc_word *t)
{
	size_t h = n - n / 2, l = n / 2;
	cc_word negative;

	if (n <= most) {
		base(xy, x, y, n);
		return;
	}
	negative = half_difference(xy, x, h, l) ^ half_difference(xy + h, y, h, l);
	mul(base, most, t, xy, xy + h, h, t + 2 * h);
	mul(base, most, xy, x, y, h, t + 2 * h);
	mul(base, most, xy + 2 * h, x + h, y + h, l, t + 2 * h);
	put_middle(xy, t, subtract_or_add(t, xy, negative, 2 * h), h, l);
}

static void sqr(cc_fixed_sqr_fn *base, size_t most, cc_word *xx, const cc_word *x, size_t n,
		cc_word *t)
{
	size_t h = n - n / 2, l = n / 2;

	if (n <= most) {
		base(xx, x, n);
		return;
	}
	half_difference(xx, x, h, l);
	sqr(base, most, t, xx, h, t + 2 * h);
	sqr(base, most, xx, x, h, t + 2 * h);
	sqr(base, most, xx + 2 * h, x + h, l, t + 2 * h);
	put_middle(xx, t, 0 - cc_limbs_sub(t, xx, t, 2 * h), h, l);
}

void cc_fixed_mul_above(cc_fixed_mul_fn *base, size_t most, cc_word *xy, const cc_word *x,
			const cc_word *y, size_t n)
{
	cc_word t[SCRATCH];

	if (n <= most) {
		base(xy, x, y, n);
		return;
	}
	mul(base, most, xy, x, y, n, t);
	cc_wipe(t, (2 * n + 64) * sizeof(*t));
}

void cc_fixed_sqr_above(cc_fixed_sqr_fn *base, size_t most, cc_word *xx, const cc_word *x, size_t n)
{
	cc_word t[SCRATCH];

	if (n <= most) {
		base(xx, x, n);
		return;
	}
	sqr(base, most, xx, x, n, t);
	cc_wipe(t, (2 * n + 64) * sizeof(*t));
}
