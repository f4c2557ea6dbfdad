// SPDX-License-Identifier: MIT
/* Products of any width: the tier's kernel, and rows above what it takes. */
#include "../limbs/kernels.h"
#include "kernels.h"

void cc_fz_mul(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	if (n <= CC_FZ_MAX)
		cc_fixed_kernels()->mul(xy, x, y, n);
	else
		cc_limbs_kernels()->mul_basecase(xy, x, n, y, n);
}

void cc_fz_sqr(cc_word *xx, const cc_word *x, size_t n)
{
	if (n <= CC_FZ_MAX)
		cc_fixed_kernels()->sqr(xx, x, n);
	else
		cc_limbs_kernels()->sqr_basecase(xx, x, n);
}
