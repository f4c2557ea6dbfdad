// SPDX-License-Identifier: MIT
/* Guards: whether the objects that were read when a function was compiled are still the same. */
#include "call.h"

static PyObject *cell_contents;

int guards_prepare(void)
{
	cell_contents = PyUnicode_InternFromString("cell_contents");
	return cell_contents != NULL;
}

static int same_items(const struct guard *guard)
{
	Py_ssize_t at, count = PyTuple_Size(guard->value);

	if (PyList_Size(guard->where) != count)
		return 0;
	for (at = 0; at < count; at++)
		if (PyList_GetItem(guard->where, at) != guard->items[at])
			return 0;
	return 1;
}

/* A missing attribute, or an empty cell, counts as NULL: its exception is cleared. */
static int is_attribute(const struct guard *guard, PyObject *name)
{
	PyObject *found = PyObject_GetAttr(guard->where, name);

	if (!found) {
		if (!PyErr_ExceptionMatches(PyExc_AttributeError) &&
		    !PyErr_ExceptionMatches(PyExc_ValueError))
			return -1;
		PyErr_Clear();
	}
	Py_XDECREF(found);
	return found == guard->value;
}

static int holds(const struct guard *guard)
{
	PyObject *found;

	switch (guard->kind) {
	case IN_DICT:
		found = PyDict_GetItemWithError(guard->where, guard->name);
		if (!found && PyErr_Occurred())
			return -1;
		return found == guard->value;
	case IN_LIST:
		return same_items(guard);
	case IN_CELL:
		return is_attribute(guard, cell_contents);
	}
	return is_attribute(guard, guard->name);
}

int guards_name(const struct guard *guards, Py_ssize_t count, const PyObject *list)
{
	for (; count--; guards++)
		if (guards->kind == IN_LIST && guards->where == list)
			return 1;
	return 0;
}

int guards_hold(const struct guard *guards, Py_ssize_t count)
{
	int held = 1;

	for (; count-- && held > 0; guards++)
		held = holds(guards);
	return held;
}
