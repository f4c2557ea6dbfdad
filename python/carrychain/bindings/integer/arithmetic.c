// SPDX-License-Identifier: MIT
/* Sums, products and quotients. */
#include "integer.h"

static PyObject *add(const cc_bigint *x, const cc_bigint *y)
{
	return in_a_pass(x, y, cc_bigint_add);
}

static PyObject *subtract(const cc_bigint *x, const cc_bigint *y)
{
	return in_a_pass(x, y, cc_bigint_sub);
}

static PyObject *multiply(const cc_bigint *x, const cc_bigint *y)
{
	int alone = !is_long(x->length, y->length), status;
	struct integer *r = integer_new(alone ? x->length + y->length : 0);
	struct watch w;

	if (!r)
		return NULL;
	if (alone)
		return integer_done(r, cc_bigint_mul(&r->value, x, y));
	watch_begin(&w);
	status = cc_bigint_mul_watched(&r->value, x, y, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

/* Computes quotient and remainder; either of q and r may be NULL.  0 with an exception. */
static int divide(PyObject **q, PyObject **r, const cc_bigint *x, const cc_bigint *y)
{
	size_t n = x->length >= y->length ? x->length - y->length : 0;
	struct integer *quotient = NULL, *remainder = NULL;
	cc_bigint *to_q = NULL, *to_r = NULL;
	int alone = !is_long(n, y->length), status = CC_OK;
	struct watch w;

	if (!y->length) {
		PyErr_SetString(PyExc_ZeroDivisionError, "integer division or modulo by zero");
		return 0;
	}
	if (q) {
		quotient = integer_new(alone ? n + 2 : 0);
		if (!quotient)
			return 0;
		to_q = &quotient->value;
	}
	if (r) {
		remainder = integer_new(alone ? y->length : 0);
		if (!remainder) {
			Py_XDECREF((PyObject *)quotient);
			return 0;
		}
		to_r = &remainder->value;
	}
	if (alone) {
		status = cc_bigint_divmod_floor(to_q, to_r, x, y);
	} else {
		watch_begin(&w);
		status = cc_bigint_divmod_floor_watched(to_q, to_r, x, y, &w.progress);
		watch_end(&w);
	}
	if (q)
		*q = integer_done(quotient, status);
	if (r)
		*r = integer_done(remainder, status);
	return (!q || *q) && (!r || *r);
}

static PyObject *floor_divide(const cc_bigint *x, const cc_bigint *y)
{
	PyObject *q = NULL;

	divide(&q, NULL, x, y);
	return q;
}

static PyObject *modulo(const cc_bigint *x, const cc_bigint *y)
{
	PyObject *r = NULL;

	divide(NULL, &r, x, y);
	return r;
}

static PyObject *quotient_and_remainder(const cc_bigint *x, const cc_bigint *y)
{
	PyObject *q = NULL, *r = NULL, *both = NULL;

	if (divide(&q, &r, x, y))
		both = PyTuple_Pack(2, q, r);
	Py_XDECREF(q);
	Py_XDECREF(r);
	return both;
}

PyObject *integer_add(PyObject *a, PyObject *b)
{
	return exactly(a, b, add, PyNumber_Add);
}

PyObject *integer_subtract(PyObject *a, PyObject *b)
{
	return exactly(a, b, subtract, PyNumber_Subtract);
}

PyObject *integer_multiply(PyObject *a, PyObject *b)
{
	return exactly(a, b, multiply, PyNumber_Multiply);
}

PyObject *integer_floor_divide(PyObject *a, PyObject *b)
{
	return exactly(a, b, floor_divide, PyNumber_FloorDivide);
}

PyObject *integer_remainder(PyObject *a, PyObject *b)
{
	return exactly(a, b, modulo, PyNumber_Remainder);
}

PyObject *integer_divmod(PyObject *a, PyObject *b)
{
	return exactly(a, b, quotient_and_remainder, PyNumber_Divmod);
}

/* int rounds the quotient to the nearest float, ties to even, for operands of any length. */
PyObject *integer_true_divide(PyObject *a, PyObject *b)
{
	return as_ints(a, b, PyNumber_TrueDivide);
}

PyObject *integer_positive(PyObject *self)
{
	return Py_NewRef(self);
}

PyObject *integer_negative(PyObject *self)
{
	struct integer *r = integer_new(value_of(self)->length);

	return integer_done(r, r ? cc_bigint_neg(&r->value, value_of(self)) : CC_OK);
}

PyObject *integer_absolute(PyObject *self)
{
	return value_of(self)->negative ? integer_negative(self) : Py_NewRef(self);
}
