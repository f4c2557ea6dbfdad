// SPDX-License-Identifier: MIT
/* What numbers.Rational asks of an integer, which is its own real part, floor and copy. */
#include "integer.h"

PyObject *integer_itself(PyObject *self, PyObject *unused)
{
	(void)unused;
	return Py_NewRef(self);
}

PyObject *integer_is_integer(PyObject *self, PyObject *unused)
{
	(void)self, (void)unused;
	Py_RETURN_TRUE;
}

PyObject *integer_as_integer_ratio(PyObject *self, PyObject *unused)
{
	PyObject *one = integer_from_i64(1);

	(void)unused;
	return one ? Py_BuildValue("ON", self, one) : NULL;
}

PyObject *integer_get_itself(PyObject *self, void *unused)
{
	(void)unused;
	return Py_NewRef(self);
}

PyObject *integer_get_zero(PyObject *self, void *unused)
{
	(void)self, (void)unused;
	return integer_from_i64(0);
}
