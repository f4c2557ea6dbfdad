// SPDX-License-Identifier: MIT
/*
 * The Jacobi symbol by division steps (divsteps.h), after Hamburg (Computing the Jacobi symbol
 * using Bernstein-Yang, 2021), except that the signs are found from the matrices.
 *
 * With s = (g / |f|), a step takes s to (g' / |f'|) by
 *
 *	(2 / |f'|), which is -1 for f' = +-3 (mod 8), and, if f and g are swapped,
 *	(f / |g|) (-1 / |g|) = s (-1)^((g - 1) / 2 (f + 1) / 2) e,  e = -1 for f > 0 > g, else 1
 *
 * by quadratic reciprocity: (f / |g|) (g / |f|) = (-1)^((f - 1) / 2 (g - 1) / 2), except for
 * the sign if both are negative, and (-1 / |g|) = (-1)^((g - 1) / 2), except for g's sign.
 * Everything but e depends on the lowest three bits, and STEPS steps leave two bits at the
 * words' tops unused.  Once g is 0, nothing changes for f = +-1.
 *
 * The product of the e is the parity of how often f changes from plus to minus.  Every step is
 * a linear map with a positive determinant, which rotates (f, g) in the plane: clockwise by
 * less than half a turn if f and g are swapped; otherwise f does not change.  So the signs of
 * f tell through which half planes, right and left, (f, g) passes.  During STEPS steps,
 * consider the vector w that begins as (0, 1) and ends as (v, r), which is in the right half
 * plane while v >= 0 (on the border, the following holds for w on either side), and a vector x
 * that begins with f > 0.  x begins less than half a turn clockwise of w, and linear maps
 * preserve that: so its half plane is w's or the next one, and the sign of its f tells which.
 * If w has changed p times from right to left, so has x, and once more if in the end w is right
 * and x left.  For f < 0, -x is such a vector, and x changes from right to left when -x changes
 * from left to right: p times, but once less if in the end w is left and x right.
 */
#include "divsteps.h"

int cc_fz_jacobi(int *symbol, const cc_word *a, const cc_word *m, size_t n)
{
	struct {
		cc_word f[CC_FZ_MAX + 1], g[CC_FZ_MAX + 1], t[CC_FZ_MAX + 1];
		cc_word delta, negative, before, jacobi, coprime;
		struct cc_matrix matrix;
	} k;
	size_t twos, i;

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	*symbol = 0;
	if (!n)
		return CC_OK;
	/* (a / 2) once per factor two of m: an even number of times if m is 0 */
	twos = cc_fz_trailing_zeros(m, n);
	k.coprime = cc_mask_zero(twos) | cc_mask(a[0] & 1);
	k.jacobi = (a[0] >> 1 ^ a[0] >> 2) & twos;
	cc_fz_shr(k.f, m, n, twos);
	memcpy(k.g, a, n * sizeof(*a));
	/* (a / 0) is 1 only for a = 1, like (0 / a) */
	cc_fz_cswap(cc_fz_is_zero(k.f, n), k.f, k.g, n);
	k.f[n] = 0;
	k.g[n] = 0;
	k.negative = 0;
	k.delta = 1;
	for (i = cc_fixed_rounds(n); i--;) {
		cc_divsteps(&k.matrix, &k.delta, k.f[0], k.g[0], &k.jacobi);
		k.before = k.negative;
		cc_fixed_update(&k.matrix, k.f, k.g, k.t, n + 1);
		k.negative = cc_sign(k.f[n]);
		k.jacobi ^= ~(cc_sign(k.matrix.v) ^ k.before) & (k.negative ^ k.before);
	}
	cc_fz_negate(k.f, k.negative, k.f, n);
	k.coprime &= cc_fixed_is_one(k.f, n);
	*symbol = (int)(k.coprime & 1) - 2 * (int)(k.coprime & k.jacobi & 1);
	cc_wipe(&k, sizeof(k));
	return CC_OK;
}
