// SPDX-License-Identifier: MIT
/* Integer(x, base), and Integers as ints and floats. */
#include "integer.h"

PyObject *integer_new_object(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	static char *names[] = {"", "base", NULL};
	PyObject *x = NULL, *base = NULL, *whole, *result;
	Py_ssize_t radix = 10;
	int is_text;

	(void)type;
	if (!keywords && PyTuple_Size(arguments) == 1)
		x = PyTuple_GetItem(arguments, 0);
	else if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:Integer", names, &x, &base))
		return NULL;
	if (x && !base && Py_TYPE(x) == &PyLong_Type)
		return integer_from_int(x);
	is_text = x && (PyUnicode_Check(x) || PyBytes_Check(x) || PyByteArray_Check(x));
	if (base) {
		if (!is_text) {
			PyErr_SetString(PyExc_TypeError,
					x ? "Integer() can't convert non-string with explicit base"
					  : "Integer() missing string argument");
			return NULL;
		}
		radix = PyNumber_AsSsize_t(base, NULL);
		if (radix == -1 && PyErr_Occurred())
			return NULL;
		if (radix && (radix < 2 || radix > 36)) {
			PyErr_SetString(PyExc_ValueError,
					"Integer() base must be >= 2 and <= 36, or 0");
			return NULL;
		}
	}
	if (!x)
		return integer_from_i64(0);
	if (is_integer(x))
		return Py_NewRef(x);
	if (is_text)
		return integer_from_text(x, (int)radix);
	if (PyLong_Check(x))
		return integer_from_int(x);
	whole = PyNumber_Long(x);
	if (!whole)
		return NULL;
	result = integer_from_int(whole);
	Py_DECREF(whole);
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

PyObject *integer_float(PyObject *self)
{
	PyObject *same;
	double x;

	/* every float is below 2^1024: refuse before the conversion */
	if (cc_bigint_bit_length(value_of(self)) > 1024) {
		PyErr_SetString(PyExc_OverflowError, "Integer too large to convert to float");
		return NULL;
	}
	same = integer_int(self);
	if (!same)
		return NULL;
	x = PyLong_AsDouble(same);
	Py_DECREF(same);
	return x == -1 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(x);
}
