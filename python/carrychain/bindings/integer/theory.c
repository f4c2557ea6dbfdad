// SPDX-License-Identifier: MIT
/* Roots, common divisors with their cofactors, and symbols. */
#include "integer.h"

PyObject *integer_isqrt(PyObject *self, PyObject *unused)
{
	const cc_bigint *x = value_of(self);
	struct integer *r;
	struct watch w;
	int status;

	(void)unused;
	if (x->negative) {
		PyErr_SetString(PyExc_ValueError, "isqrt() argument must be nonnegative");
		return NULL;
	}
	r = integer_new(x->length);
	if (!r)
		return NULL;
	if (!is_long(x->length, x->length))
		return integer_done(r, cc_bigint_isqrt(&r->value, x, NULL));
	watch_begin(&w);
	status = cc_bigint_isqrt(&r->value, x, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

static PyObject *gcd(const cc_bigint *x, const cc_bigint *y)
{
	struct integer *r = integer_new(x->length > y->length ? x->length : y->length);
	struct watch w;
	int status;

	if (!r)
		return NULL;
	if (!is_long(x->length, y->length))
		return integer_done(r, cc_bigint_gcd(&r->value, x, y, NULL));
	watch_begin(&w);
	status = cc_bigint_gcd(&r->value, x, y, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

PyObject *integer_gcd_of_two(PyObject *self, PyObject *other)
{
	return with_index(self, other, gcd);
}

PyObject *integer_gcd(PyObject *self, PyObject *others)
{
	PyObject *result = integer_absolute(self), *next;
	Py_ssize_t i, count = PyTuple_Size(others);

	for (i = 0; i < count && result; i++) {
		next = integer_gcd_of_two(result, PyTuple_GetItem(others, i));
		Py_DECREF(result);
		result = next;
	}
	return result;
}

static int cofactors(cc_bigint *const r[3], const cc_bigint *x, const cc_bigint *y)
{
	struct watch w;
	int status;

	if (!is_long(x->length, y->length))
		return cc_bigint_gcdext(r[0], r[1], r[2], x, y, NULL);
	watch_begin(&w);
	status = cc_bigint_gcdext(r[0], r[1], r[2], x, y, &w.progress);
	watch_end(&w);
	return status;
}

static PyObject *gcdext(const cc_bigint *x, const cc_bigint *y)
{
	size_t n = x->length, m = y->length;
	struct integer *g = integer_new(n > m ? n : m);
	struct integer *of_x = integer_new(m ? m : 1), *of_y = integer_new(n ? n : 1);
	PyObject *result[3];
	int status = CC_OK;

	if (g && of_x && of_y) {
		cc_bigint *const r[3] = {&g->value, &of_x->value, &of_y->value};

		status = cofactors(r, x, y);
	}
	result[0] = integer_done(g, status);
	if (!result[0]) {
		Py_XDECREF((PyObject *)of_x);
		Py_XDECREF((PyObject *)of_y);
		return NULL;
	}
	result[1] = integer_done(of_x, status);
	result[2] = integer_done(of_y, status);
	return Py_BuildValue("(NNN)", result[0], result[1], result[2]);
}

PyObject *integer_gcdext(PyObject *self, PyObject *other)
{
	return with_index(self, other, gcdext);
}

static PyObject *kronecker(const cc_bigint *x, const cc_bigint *m)
{
	struct watch w;
	int status, symbol = 0;

	if (!is_long(x->length, m->length)) {
		status = cc_bigint_kronecker(&symbol, x, m, NULL);
	} else {
		watch_begin(&w);
		status = cc_bigint_kronecker(&symbol, x, m, &w.progress);
		watch_end(&w);
	}
	if (!status)
		return PyLong_FromLong(symbol);
	integer_raise(status);
	return NULL;
}

PyObject *integer_kronecker(PyObject *self, PyObject *other)
{
	return with_index(self, other, kronecker);
}
