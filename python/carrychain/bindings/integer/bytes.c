// SPDX-License-Identifier: MIT
/* Bytes, as int.to_bytes and int.from_bytes define them, and pickles, which contain them. */
#include "integer.h"

#include <string.h>

/* CC_BIG_ENDIAN, 0, or -1 with an exception. */
static int byte_order(const char *name)
{
	if (!strcmp(name, "big"))
		return CC_BIG_ENDIAN;
	if (!strcmp(name, "little"))
		return 0;
	PyErr_SetString(PyExc_ValueError, "byteorder must be either 'little' or 'big'");
	return -1;
}

PyObject *integer_to_bytes(PyObject *self, PyObject *arguments, PyObject *keywords)
{
	static char *names[] = {"length", "byteorder", "signed", NULL};
	const cc_bigint *x = value_of(self);
	const char *order = "big";
	int is_signed = 0, big;
	Py_ssize_t length = 1;
	PyObject *bytes;

	if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|ns$p:to_bytes", names, &length,
					 &order, &is_signed))
		return NULL;
	big = byte_order(order);
	if (big < 0)
		return NULL;
	if (length < 0) {
		PyErr_SetString(PyExc_ValueError, "length argument must be non-negative");
		return NULL;
	}
	if (x->negative && !is_signed) {
		PyErr_SetString(PyExc_OverflowError,
				"can't convert negative Integer to unsigned bytes");
		return NULL;
	}
	bytes = PyBytes_FromStringAndSize(NULL, length);
	if (bytes && cc_bigint_to_bytes(PyBytes_AsString(bytes), (size_t)length, x,
					(unsigned int)big | (is_signed ? CC_SIGNED : 0))) {
		PyErr_Format(PyExc_OverflowError, "Integer too big to convert to %zd bytes",
			     length);
		Py_CLEAR(bytes);
	}
	return bytes;
}

PyObject *integer_from_bytes(PyObject *type, PyObject *arguments, PyObject *keywords)
{
	static char *names[] = {"bytes", "byteorder", "signed", NULL};
	PyObject *from, *bytes;
	const char *order = "big";
	int is_signed = 0, big;
	struct integer *r;
	size_t length;
	int status;

	(void)type;
	if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|s$p:from_bytes", names, &from,
					 &order, &is_signed))
		return NULL;
	big = byte_order(order);
	if (big < 0)
		return NULL;
	/* as int.from_bytes: a buffer, an iterable, or an object with __bytes__ */
	bytes = PyObject_Bytes(from);
	if (!bytes)
		return NULL;
	length = (size_t)PyBytes_Size(bytes);
	r = integer_new(length / sizeof(cc_word) + 1);
	status = r ? cc_bigint_from_bytes(&r->value, PyBytes_AsString(bytes), length,
					  (unsigned int)big | (is_signed ? CC_SIGNED : 0))
		   : CC_OK;
	Py_DECREF(bytes);
	return integer_done(r, status);
}

/* With public names only: (Integer.from_bytes, (magnitude, "little")), or (operator.neg, (-x,)) */
PyObject *integer_reduce(PyObject *self, PyObject *unused)
{
	const cc_bigint *x = value_of(self);
	PyObject *module, *negate, *positive, *bytes, *read;
	size_t length = x->length * sizeof(cc_word);

	(void)unused;
	if (x->negative) {
		module = PyImport_ImportModule("operator");
		negate = module ? PyObject_GetAttrString(module, "neg") : NULL;
		Py_XDECREF(module);
		positive = negate ? integer_negative(self) : NULL;
		if (!positive) {
			Py_XDECREF(negate);
			return NULL;
		}
		return Py_BuildValue("N(N)", negate, positive);
	}
	bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length);
	read = bytes ? PyObject_GetAttrString((PyObject *)integer_type, "from_bytes") : NULL;
	if (!read) {
		Py_XDECREF(bytes);
		return NULL;
	}
	/* cannot fail: the bytes suffice */
	cc_bigint_to_bytes(PyBytes_AsString(bytes), length, x, 0);
	return Py_BuildValue("N(Ns)", read, bytes, "little");
}
