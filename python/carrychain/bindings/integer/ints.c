// SPDX-License-Identifier: MIT
/* ints.c - ints as operands, and as integers. */
#include "integer.h"

#include <string.h>

int int_reads(cc_word *w, size_t n, size_t *length, PyObject *x)
{
	cc_bigint value = {w, 0, n + 1, 0};
	Py_ssize_t words;

	if (Py_TYPE(x) != &PyLong_Type)
		return 0;
	if (!int_read_a_word(&value, x)) {
		words = int_words(x);
		value.capacity = (size_t)words;
		if (words < 0 || (size_t)words > n + 1 || int_read(&value, x, (size_t)words)) {
			PyErr_Clear();
			return 0;
		}
	}
	if (value.negative || value.length > n)
		return 0;
	memset(w + value.length, 0, (n - value.length) * sizeof(*w));
	if (length)
		*length = value.length;
	return 1;
}

int operand_open_int(struct operand *o, PyObject *x)
{
	Py_ssize_t words;

	if (Py_TYPE(x) != &PyLong_Type && !PyLong_Check(x))
		return 0;
	o->own.words = o->lent;
	o->own.capacity = LENT;
	o->value = &o->own;
	o->made = NULL;
	if (int_read_a_word(&o->own, x))
		return 1;
	words = int_words(x);
	if (words < 0)
		return -1;
	if (words <= LENT)
		return int_read(&o->own, x, (size_t)words) ? -1 : 1;
	o->made = integer_from_int(x);
	if (!o->made)
		return -1;
	o->value = value_of(o->made);
	return 1;
}

PyObject *integer_from_int(PyObject *x)
{
	Py_ssize_t words = int_words(x);
	struct integer *r;

	if (words < 0)
		return NULL;
	r = integer_new((size_t)words + !words);
	if (r && !int_read_a_word(&r->value, x) && int_read(&r->value, x, (size_t)words))
		Py_CLEAR(r);
	return (PyObject *)r;
}
