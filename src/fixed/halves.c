// SPDX-License-Identifier: MIT
/* Halves of a product: from the whole product if a tier has it, else row by row. */
#include <carrychain/limbs.h>

#include "kernels.h"
#include "mask.h"

/* r[n] = the words of x y, from word @from on */
static __attribute__((__noinline__)) void part(cc_word *r, const cc_word *x, const cc_word *y,
					       size_t n, size_t from)
{
	cc_word t[2 * CC_FZ_MAX];

	cc_fixed_kernels()->mul(t, x, y, n);
	memcpy(r, t + from, n * sizeof(*r));
	cc_wipe(t, 2 * n * sizeof(*t));
}

void cc_fz_mul_low(cc_word *r, const cc_word *x, const cc_word *y, size_t n)
{
	size_t i;

	if (n >= cc_fixed_kernels()->mul_low && n <= CC_FZ_MAX) {
		part(r, x, y, n, 0);
		return;
	}
	memset(r, 0, n * sizeof(*r));
	for (i = 0; i < n; i++)
		cc_limbs_addmul_1(r + i, x, n - i, y[i]);
}

/*
 * Row by row: the sum so far stays below B^n, because (B^n - 1) + (B^n - 1)(B - 1) < B^(n + 1),
 * and then its lowest word, which no other row changes, is dropped.
 */
void cc_fz_mul_high(cc_word *r, const cc_word *x, const cc_word *y, size_t n)
{
	size_t i;

	if (n <= CC_FZ_MAX) {
		part(r, x, y, n, n);
		return;
	}
	memset(r, 0, n * sizeof(*r));
	for (i = 0; i < n; i++) {
		cc_word above = cc_limbs_addmul_1(r, x, n, y[i]);

		memmove(r, r + 1, (n - 1) * sizeof(*r));
		r[n - 1] = above;
	}
}
