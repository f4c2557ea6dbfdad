// SPDX-License-Identifier: MIT
/* Operands: Integers, ints read as Integers, and Integers converted to ints. */
#include "integer.h"

/* int's own methods; a subclass may override them. */
static PyObject *bit_length, *to_bytes, *from_bytes, *little;

int operand_prepare(void)
{
	PyObject *type = (PyObject *)&PyLong_Type;

	bit_length = PyObject_GetAttrString(type, "bit_length");
	to_bytes = PyObject_GetAttrString(type, "to_bytes");
	from_bytes = PyObject_GetAttrString(type, "from_bytes");
	little = PyUnicode_InternFromString("little");
	return bit_length && to_bytes && from_bytes && little;
}

/* The bytes of an int >= 0, and their number; NULL with an exception. */
static PyObject *bytes_of(PyObject *x, size_t *length)
{
	PyObject *bits = PyObject_CallFunctionObjArgs(bit_length, x, NULL), *count, *bytes = NULL;

	if (!bits)
		return NULL;
	*length = PyLong_AsSize_t(bits) / 8 + 1;
	Py_DECREF(bits);
	count = PyLong_FromSize_t(*length);
	if (count)
		bytes = PyObject_CallFunctionObjArgs(to_bytes, x, count, little, NULL);
	Py_XDECREF(count);
	return bytes;
}

static int from_int(cc_bigint *r, PyObject *x, int negative)
{
	PyObject *magnitude = negative ? PyNumber_Negative(x) : Py_NewRef(x), *bytes;
	size_t length;
	int status;

	if (!magnitude)
		return -1;
	bytes = bytes_of(magnitude, &length);
	Py_DECREF(magnitude);
	if (!bytes)
		return -1;
	status = cc_bigint_from_bytes(r, PyBytes_AsString(bytes), length, 0);
	Py_DECREF(bytes);
	if (status) {
		integer_raise(status);
		return -1;
	}
	r->negative = negative;
	return 1;
}

int operand_open_int(struct operand *o, PyObject *x)
{
	long long small;
	int overflow;

	if (!PyLong_Check(x))
		return 0;
	o->value = &o->own;
	small = PyLong_AsLongLongAndOverflow(x, &overflow);
	if (overflow) {
		cc_bigint_init(&o->own);
		return from_int(&o->own, x, overflow < 0);
	}
	o->own = (cc_bigint){o->lent, 0, 64 / CC_WORD_BITS, 0};
	/* cannot fail: the words suffice */
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

PyObject *exactly_mixed(PyObject *a, PyObject *b, exact_operation *work,
			binary_operation *otherwise)
{
	struct operand x, y;
	PyObject *result;
	int opened = operands_open(&x, a, &y, b);

	if (opened < 0)
		return NULL;
	if (!opened)
		return as_ints(a, b, otherwise);
	result = work(x.value, y.value);
	operands_close(&x, &y);
	return result;
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
