// SPDX-License-Identifier: MIT
/* Products of any width: by the tier's kernel, and by rows for greater widths. */
#include "../limbs/kernels.h"
#include "kernels.h"
#include "mask.h"

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

int cc_fz_mulmod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n)
{
	cc_word product[2 * CC_FZ_MAX];
	int error;

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	cc_fixed_kernels()->mul(product, a, b, n);
	error = cc_fz_mod(r, product, 2 * n, m, n);
	cc_wipe(product, 2 * n * sizeof(*product));
	return error;
}

int cc_fz_sqrmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	cc_word product[2 * CC_FZ_MAX];
	int error;

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	cc_fixed_kernels()->sqr(product, a, n);
	error = cc_fz_mod(r, product, 2 * n, m, n);
	cc_wipe(product, 2 * n * sizeof(*product));
	return error;
}
