// SPDX-License-Identifier: MIT
/* Operands: Integers, ints read as one, and Integers turned to ints. */
#include "integer.h"

static int from_int(cc_bigint *r, PyObject *x, int negative)
{
	PyObject *type = (PyObject *)&PyLong_Type, *magnitude = PyNumber_Absolute(x);
	PyObject *bits = NULL, *bytes = NULL;
	int opened = -1, status;
	size_t length;

	if (magnitude)
		bits = PyObject_CallMethod(type, "bit_length", "O", magnitude);
	if (bits) {
		length = PyLong_AsSize_t(bits) / 8 + 1;
		bytes = PyObject_CallMethod(type, "to_bytes", "Ons", magnitude, (Py_ssize_t)length,
					    "little");
	}
	if (bytes) {
		status = cc_bigint_from_bytes(r, PyBytes_AsString(bytes), length, 0);
		if (status == CC_OK) {
			r->negative = negative;
			opened = 1;
		} else {
			integer_raise(status);
		}
	}
	Py_XDECREF(bytes);
	Py_XDECREF(bits);
	Py_XDECREF(magnitude);
	return opened;
}

int operand_open(struct operand *o, PyObject *x)
{
	long long small;
	int overflow;

	if (is_integer(x)) {
		o->value = value_of(x);
		o->own.words = NULL;
		return 1;
	}
	if (!PyLong_Check(x))
		return 0;
	o->value = &o->own;
	small = PyLong_AsLongLongAndOverflow(x, &overflow);
	if (overflow) {
		cc_bigint_init(&o->own);
		return from_int(&o->own, x, overflow < 0);
	}
	o->own = (cc_bigint){o->lent, 0, 64 / CC_WORD_BITS, 0};
	/* there is room: nothing can fail */
	cc_bigint_set_i64(&o->own, small);
	return 1;
}

void operand_close(struct operand *o)
{
	if (o->own.words && o->own.words != o->lent)
		cc_bigint_clear(&o->own);
}

int operands_open(struct operand *x, PyObject *a, struct operand *y, PyObject *b)
{
	int opened = operand_open(x, a);

	if (opened <= 0)
		return opened;
	opened = operand_open(y, b);
	if (opened <= 0)
		operand_close(x);
	return opened;
}

void operands_close(struct operand *x, struct operand *y)
{
	operand_close(x);
	operand_close(y);
}

PyObject *int_from_bigint(const cc_bigint *x)
{
	size_t length = x->length * sizeof(cc_word);
	PyObject *bytes, *magnitude, *result;
	cc_bigint positive = *x;
	int64_t small;

	if (cc_bigint_get_i64(&small, x) == CC_OK)
		return PyLong_FromLongLong(small);
	bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length);
	if (!bytes)
		return NULL;
	positive.negative = 0;
	cc_bigint_to_bytes(PyBytes_AsString(bytes), length, &positive, 0);
	magnitude =
		PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "Os", bytes, "little");
	Py_DECREF(bytes);
	if (!magnitude || !x->negative)
		return magnitude;
	result = PyNumber_Negative(magnitude);
	Py_DECREF(magnitude);
	return result;
}

PyObject *integer_from_int(PyObject *x)
{
	struct integer *r = NULL;
	struct operand o;

	if (operand_open(&o, x) < 0)
		return NULL;
	if (o.own.words == o.lent) {
		r = integer_new(o.own.length);
		if (r)
			cc_bigint_set(&r->value, &o.own);
	} else {
		r = integer_new(0);
		if (r)
			cc_bigint_swap(&r->value, &o.own);
		operand_close(&o);
	}
	return (PyObject *)r;
}

PyObject *as_ints(PyObject *a, PyObject *b, binary_operation *by)
{
	PyObject *x, *y, *result = NULL;

	if (!PyNumber_Check(a) || !PyNumber_Check(b))
		Py_RETURN_NOTIMPLEMENTED;
	x = is_integer(a) ? integer_int(a) : Py_NewRef(a);
	y = is_integer(b) ? integer_int(b) : Py_NewRef(b);
	if (x && y)
		result = by(x, y);
	Py_XDECREF(x);
	Py_XDECREF(y);
	return result;
}
