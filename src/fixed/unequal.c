// SPDX-License-Identifier: MIT
/*
 * Products of factors of unequal widths: the wider one is cut into blocks of the narrower
 * one's width, which the tier multiplies; the rest is handled with the roles exchanged, as in
 * Euclid's algorithm.
 */
#include "../limbs/kernels.h"
#include "kernels.h"
#include "mask.h"

/*
 * With the widths w0 = yn, w1 = xn mod w0, w2 = w0 mod w1, ..., every level needs twice its
 * width.  Since w(i + 2) <= w(i) - w(i + 1), those from w2 on add up to at most w0, and all of
 * them to less than 3 w0.
 */
#define SCRATCH(yn) (6 * (yn))

/* r[n + more] = r[n] + t[n + more], which does not overflow; r's words above n are ignored */
static void put(cc_word *r, const cc_word *t, size_t n, size_t more)
{
	cc_fz_add_word(r + n, t + n, more, cc_limbs_add(r, r, t, n));
}

/* xn >= yn >= 1 */
static void multiply(cc_word *xy, const cc_word *x, size_t xn, const cc_word *y, size_t yn,
		     cc_word *t)
{
	const struct cc_fixed_kernels *kernels = cc_fixed_kernels();
	size_t at;

	if (yn < kernels->mul_blocks) {
		cc_limbs_kernels()->mul_basecase(xy, x, xn, y, yn);
		return;
	}
	kernels->mul(xy, x, y, yn);
	for (at = yn; at + yn <= xn; at += yn) {
		kernels->mul(t, x + at, y, yn);
		put(xy + at, t, yn, yn);
	}
	if (at < xn) {
		multiply(t, y, yn, x + at, xn - at, t + 2 * yn);
		put(xy + at, t, yn, xn - at);
	}
}

/* A function with its own frame, so that rows need none. */
static __attribute__((__noinline__)) void blocks(cc_word *xy, const cc_word *x, size_t xn,
						 const cc_word *y, size_t yn)
{
	cc_word t[SCRATCH(CC_FZ_MAX)];

	multiply(xy, x, xn, y, yn, t);
	cc_wipe(t, SCRATCH(yn) * sizeof(*t));
}

void cc_fz_mul_unequal(cc_word *xy, const cc_word *x, size_t xn, const cc_word *y, size_t yn)
{
	if (xn < yn)
		cc_fz_mul_unequal(xy, y, yn, x, xn);
	else if (!yn)
		memset(xy, 0, xn * sizeof(*xy));
	else if (yn < cc_fixed_kernels()->mul_blocks || yn > CC_FZ_MAX)
		cc_limbs_kernels()->mul_basecase(xy, x, xn, y, yn);
	else
		blocks(xy, x, xn, y, yn);
}
