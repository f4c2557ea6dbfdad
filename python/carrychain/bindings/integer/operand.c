// SPDX-License-Identifier: MIT
/* Operands: Integers, and ints read as Integers. */
#include "integer.h"

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

PyObject *exactly_mixed(PyObject *a, PyObject *b, exact_operation *work,
			binary_operation *otherwise)
{
	int in_front = is_integer(a), opened;
	struct operand other;
	PyObject *result;

	opened = operand_open_int(&other, in_front ? b : a);
	if (opened < 0)
		return NULL;
	if (!opened)
		return as_ints(a, b, otherwise);
	result = in_front ? work(value_of(a), other.value) : work(other.value, value_of(b));
	operand_close(&other);
	return result;
}

PyObject *integer_int(PyObject *self)
{
	return int_from_bigint(value_of(self));
}

PyObject *with_index(PyObject *self, PyObject *other, exact_operation *work)
{
	PyObject *index = is_integer(other) ? Py_NewRef(other) : PyNumber_Index(other), *result;

	if (!index)
		return NULL;
	result = exactly(self, index, work, NULL);
	Py_DECREF(index);
	return result;
}
