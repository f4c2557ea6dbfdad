// SPDX-License-Identifier: MIT
/* Construction and destruction of Integers. */
#include "integer.h"

struct kept integers_kept[KEPT_WORDS + 1];

struct integer *integer_allocate(size_t words)
{
	struct integer *r = NULL;

	if (words <= (PY_SSIZE_T_MAX - sizeof(*r)) / sizeof(cc_word))
		r = PyObject_Malloc(sizeof(*r) + words * sizeof(cc_word));
	if (!r) {
		PyErr_NoMemory();
		return NULL;
	}
	r->hash = -1;
	r->value = (cc_bigint){words ? r->room : NULL, 0, words, 0};
	PyObject_Init((PyObject *)r, integer_type);
	return r;
}

PyObject *integer_trim(struct integer *r, int status)
{
	struct integer *tight = NULL;
	const cc_bigint *x;

	if (!r)
		return NULL;
	x = &r->value;
	if (status != CC_OK) {
		integer_raise(status);
	} else {
		tight = integer_new(x->length);
		if (tight)
			cc_bigint_set(&tight->value, x);
	}
	Py_DECREF(r);
	return (PyObject *)tight;
}

PyObject *pair_of(PyObject *a, PyObject *b)
{
	PyObject *pair = a && b ? PyTuple_Pack(2, a, b) : NULL;

	Py_XDECREF(a);
	Py_XDECREF(b);
	return pair;
}

PyObject *integer_from_i64(int64_t x)
{
	struct integer *r = integer_new(64 / CC_WORD_BITS);

	return integer_done(r, r ? cc_bigint_set_i64(&r->value, x) : CC_OK);
}

void integer_dealloc(PyObject *self)
{
	struct integer *x = (struct integer *)self;
	PyTypeObject *type = Py_TYPE(self);
	size_t words = x->value.capacity;

	if (x->value.words != x->room) {
		cc_bigint_clear(&x->value);
		words = 0;
	}
	if (words - 1 < KEPT_WORDS && integers_kept[words].count < KEPT)
		integers_kept[words].objects[integers_kept[words].count++] = x;
	else
		PyObject_Free(self);
	Py_DECREF(type);
}

PyObject *integer_sizeof(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyLong_FromSize_t(sizeof(struct integer) +
				 value_of(self)->capacity * sizeof(cc_word));
}

void integer_raise(int status)
{
	switch (status) {
	case CC_EINTR:
		break;
	case CC_ENOMEM:
		PyErr_NoMemory();
		break;
	default:
		PyErr_Format(PyExc_SystemError, "carrychain: unexpected status %d", status);
	}
}
