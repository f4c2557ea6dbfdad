// SPDX-License-Identifier: MIT
/* Bytes in and out, in either order. */
#include "../limbs/bytes.h"
#include "kernels.h"
#include "mask.h"

/* The word that begins with the byte of weight 256^at; 0 beyond the bytes' end */
static cc_word load(const unsigned char *bytes, size_t length, size_t at, unsigned int order)
{
	unsigned int shift;
	cc_word w = 0;

	if (at + CC_WORD_BYTES <= length) {
		memcpy(&w, bytes + cc_bytes_place(length, at, CC_WORD_BYTES, order), CC_WORD_BYTES);
		return cc_bytes_ordered(w, order);
	}
	for (shift = 0; at < length; shift += 8, at++)
		w |= (cc_word)bytes[cc_bytes_place(length, at, 1, order)] << shift;
	return w;
}

/* Not 0 where a byte of weight 256^at or more is not. */
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
		r[i] = load(bytes, length, i * CC_WORD_BYTES, order);
	return CC_OK;
}

cc_word cc_fz_from_bytes_below(cc_word *r, const cc_word *m, size_t n, const void *bytes,
			       size_t length, unsigned int order)
{
	cc_word borrow = 0, below;
	size_t i;

	for (i = 0; i < n; i++)
		cc_word_sub(load(bytes, length, i * CC_WORD_BYTES, order), m[i], &borrow);
	below = cc_mask(borrow) & cc_mask_zero(above(bytes, length, n * CC_WORD_BYTES, order));
	for (i = 0; i < n; i++)
		r[i] = load(bytes, length, i * CC_WORD_BYTES, order) & below;
	return below;
}

int cc_fz_to_bytes(void *bytes, size_t length, const cc_word *a, size_t n, unsigned int order)
{
	unsigned char *to = bytes;
	cc_word any = 0;
	size_t i, at;

	for (i = length / CC_WORD_BYTES; i < n; i++)
		any |= i == length / CC_WORD_BYTES ? a[i] >> length % CC_WORD_BYTES * 8 : a[i];
	if (any)
		return CC_ERANGE;
	for (i = 0, at = 0; at < length; i++) {
		cc_word w = i < n ? a[i] : 0;

		if (length - at >= CC_WORD_BYTES) {
			w = cc_bytes_ordered(w, order);
			memcpy(to + cc_bytes_place(length, at, CC_WORD_BYTES, order), &w,
			       CC_WORD_BYTES);
			at += CC_WORD_BYTES;
			continue;
		}
		for (; at < length; at++, w >>= 8)
			to[cc_bytes_place(length, at, 1, order)] = (unsigned char)w;
	}
	return CC_OK;
}
