// SPDX-License-Identifier: MIT
/* Shifts, and logic in infinite two's complement. */
#include "integer.h"

static PyObject * and (const cc_bigint *x, const cc_bigint *y)
{
	return in_a_pass(x, y, cc_bigint_and);
}

static PyObject * or (const cc_bigint *x, const cc_bigint *y)
{
	return in_a_pass(x, y, cc_bigint_or);
}

static PyObject * xor
	(const cc_bigint *x, const cc_bigint *y) { return in_a_pass(x, y, cc_bigint_xor); }

	PyObject *integer_and(PyObject *a, PyObject *b)
{
	return exactly(a, b, and, PyNumber_And);
}

PyObject *integer_or(PyObject *a, PyObject *b)
{
	return exactly(a, b, or, PyNumber_Or);
}

PyObject *integer_xor(PyObject *a, PyObject *b)
{
	return exactly(a, b, xor, PyNumber_Xor);
}

PyObject *integer_invert(PyObject *self)
{
	struct integer *r = integer_new(value_of(self)->length + 1);

	return integer_done(r, r ? cc_bigint_not(&r->value, value_of(self)) : CC_OK);
}

/* Sets the shift's count, at most UINT64_MAX; 0 with an exception if it is negative. */
static int shift_count(uint64_t *count, const cc_bigint *y)
{
	if (y->negative) {
		PyErr_SetString(PyExc_ValueError, "negative shift count");
		return 0;
	}
	if (cc_bigint_get_u64(count, y) != CC_OK)
		*count = UINT64_MAX;
	return 1;
}

static PyObject *shift_left(const cc_bigint *x, const cc_bigint *y)
{
	struct integer *r;
	uint64_t count;
	int status;

	if (!shift_count(&count, y))
		return NULL;
	if (!x->length)
		return integer_from_i64(0);
	if (count == UINT64_MAX || count / 8 >= PY_SSIZE_T_MAX) {
		PyErr_SetString(PyExc_OverflowError, "too many bits in an Integer");
		return NULL;
	}
	r = integer_new((size_t)(count / CC_WORD_BITS) + x->length + 1);
	if (!r)
		return NULL;
	status = cc_bigint_shl(&r->value, x, count);
	return integer_done(r, status);
}

static PyObject *shift_right(const cc_bigint *x, const cc_bigint *y)
{
	struct integer *r;
	uint64_t count, low;

	if (!shift_count(&count, y))
		return NULL;
	low = count / CC_WORD_BITS;
	if (low >= x->length)
		return integer_from_i64(-x->negative);
	r = integer_new(x->length - (size_t)low + 1);
	return integer_done(r, r ? cc_bigint_shr(&r->value, x, count) : CC_OK);
}

PyObject *integer_lshift(PyObject *a, PyObject *b)
{
	return exactly(a, b, shift_left, PyNumber_Lshift);
}

PyObject *integer_rshift(PyObject *a, PyObject *b)
{
	return exactly(a, b, shift_right, PyNumber_Rshift);
}

PyObject *integer_bit_length(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyLong_FromUnsignedLongLong(cc_bigint_bit_length(value_of(self)));
}

/* Counts ones in pairs, in fours and in bytes, then sums the bytes by a product. */
static unsigned int ones(uint64_t w)
{
	w -= w >> 1 & 0x5555555555555555;
	w = (w & 0x3333333333333333) + (w >> 2 & 0x3333333333333333);
	w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (unsigned int)(w * 0x0101010101010101 >> 56);
}

PyObject *integer_bit_count(PyObject *self, PyObject *unused)
{
	const cc_bigint *x = value_of(self);
	uint64_t count = 0;
	size_t i;

	(void)unused;
	for (i = 0; i < x->length; i++)
		count += ones(x->words[i]);
	return PyLong_FromUnsignedLongLong(count);
}
