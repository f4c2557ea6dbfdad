// SPDX-License-Identifier: MIT
/* Roots and common divisors: by Python's math, which reads Integers as ints. */
#include "integer.h"

static PyObject *by_math(const char *name, PyObject *arguments)
{
	PyObject *module = PyImport_ImportModule("math"), *function, *x = NULL, *result = NULL;

	function = module ? PyObject_GetAttrString(module, name) : NULL;
	if (function)
		x = PyObject_CallObject(function, arguments);
	if (x)
		result = integer_from_int(x);
	Py_XDECREF(x);
	Py_XDECREF(function);
	Py_XDECREF(module);
	return result;
}

PyObject *integer_isqrt(PyObject *self, PyObject *unused)
{
	PyObject *arguments = PyTuple_Pack(1, self), *result;

	(void)unused;
	if (!arguments)
		return NULL;
	result = by_math("isqrt", arguments);
	Py_DECREF(arguments);
	return result;
}

PyObject *integer_gcd(PyObject *self, PyObject *others)
{
	PyObject *first = PyTuple_Pack(1, self), *arguments, *result;

	arguments = first ? PySequence_Concat(first, others) : NULL;
	Py_XDECREF(first);
	if (!arguments)
		return NULL;
	result = by_math("gcd", arguments);
	Py_DECREF(arguments);
	return result;
}
