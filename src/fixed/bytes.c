// SPDX-License-Identifier: MIT
/* Conversion from and to bytes, in either order. */
#include "../limbs/bytes.h"
#include "kernels.h"
#include "mask.h"

/* Nonzero if any byte of weight 256^at or more is. */
static cc_word above(const unsigned char *bytes, size_t length, size_t at, unsigned int order)
{
	cc_word any = 0;

	for (; at < length; at++)
		any |= bytes[cc_bytes_place(length, at, 1, order)];
	return any;
}

int cc_fz_from_bytes(cc_word *r, size_t n, const void *bytes, size_t length, unsigned int order)
{
	size_t i;

	if (above(bytes, length, n * CC_WORD_BYTES, order))
		return CC_ERANGE;
	for (i = 0; i < n; i++)
		r[i] = cc_bytes_load(bytes, length, i * CC_WORD_BYTES, order);
	return CC_OK;
}

cc_word cc_fz_from_bytes_below(cc_word *r, const cc_word *m, size_t n, const void *bytes,
			       size_t length, unsigned int order)
{
	cc_word borrow = 0, below;
	size_t i;

	for (i = 0; i < n; i++)
		cc_word_sub(cc_bytes_load(bytes, length, i * CC_WORD_BYTES, order), m[i], &borrow);
	below = cc_mask(borrow) & cc_mask_zero(above(bytes, length, n * CC_WORD_BYTES, order));
	for (i = 0; i < n; i++)
		r[i] = cc_bytes_load(bytes, length, i * CC_WORD_BYTES, order) & below;
	return below;
}

int cc_fz_to_bytes(void *bytes, size_t length, const cc_word *a, size_t n, unsigned int order)
{
	cc_word any = 0;
	size_t i, at;

	for (i = length / CC_WORD_BYTES; i < n; i++)
		any |= i == length / CC_WORD_BYTES ? a[i] >> length % CC_WORD_BYTES * 8 : a[i];
	if (any)
		return CC_ERANGE;
	for (i = 0, at = 0; at < length; i++, at += CC_WORD_BYTES)
		cc_bytes_store(bytes, length, at, i < n ? a[i] : 0, order);
	return CC_OK;
}
