// SPDX-License-Identifier: MIT
/* Bytes, as int.to_bytes and int.from_bytes define them, and pickles, which contain them. */
#include "integer.h"

/* The arguments of both: the first, byteorder, and signed, by its name alone.  NULL: absent. */
enum {
	FIRST,
	ORDER,
	SIGNED,
	ARGUMENTS,
};

/* 0 with an exception.  PyArg_ParseTupleAndKeywords() takes longer than the conversion. */
static int take_arguments(PyObject *found[ARGUMENTS], const char *function, const char *first,
			  PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
	const char *names[ARGUMENTS] = {first, "byteorder", "signed"};
	Py_ssize_t i, named = keywords ? PyTuple_Size(keywords) : 0;
	int at;

	if (count > SIGNED) {
		PyErr_Format(PyExc_TypeError,
			     "%s() takes at most 2 positional arguments (%zd given)", function,
			     count);
		return 0;
	}
	for (at = 0; at < ARGUMENTS; at++)
		found[at] = at < count ? arguments[at] : NULL;
	for (i = 0; i < named; i++) {
		PyObject *name = PyTuple_GetItem(keywords, i);

		for (at = 0; at < ARGUMENTS; at++)
			if (!PyUnicode_CompareWithASCIIString(name, names[at]))
				break;
		if (at == ARGUMENTS || found[at]) {
			PyErr_Format(PyExc_TypeError,
				     at == ARGUMENTS
					     ? "%s() got an unexpected keyword argument '%U'"
					     : "%s() got multiple values for argument '%U'",
				     function, name);
			return 0;
		}
		found[at] = arguments[count + i];
	}
	return 1;
}

/* CC_BIG_ENDIAN and CC_SIGNED as the arguments say, or -1 with an exception. */
static int flags_of(PyObject *const found[ARGUMENTS])
{
	PyObject *order = found[ORDER];
	int flags = CC_BIG_ENDIAN, is_signed;

	if (order && !PyUnicode_Check(order)) {
		PyErr_Format(PyExc_TypeError, "byteorder must be str, not %R",
			     (PyObject *)Py_TYPE(order));
		return -1;
	}
	if (order && !PyUnicode_CompareWithASCIIString(order, "little")) {
		flags = 0;
	} else if (order && PyUnicode_CompareWithASCIIString(order, "big")) {
		PyErr_SetString(PyExc_ValueError, "byteorder must be either 'little' or 'big'");
		return -1;
	}
	is_signed = found[SIGNED] ? PyObject_IsTrue(found[SIGNED]) : 0;
	if (is_signed < 0)
		return -1;
	return is_signed ? flags | CC_SIGNED : flags;
}

PyObject *integer_to_bytes(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
			   PyObject *keywords)
{
	const cc_bigint *x = value_of(self);
	PyObject *found[ARGUMENTS], *bytes;
	Py_ssize_t length = 1;
	int flags;

	if (!take_arguments(found, "to_bytes", "length", arguments, count, keywords))
		return NULL;
	if (found[FIRST]) {
		length = PyNumber_AsSsize_t(found[FIRST], PyExc_OverflowError);
		if (length == -1 && PyErr_Occurred())
			return NULL;
	}
	flags = flags_of(found);
	if (flags < 0)
		return NULL;
	if (length < 0) {
		PyErr_SetString(PyExc_ValueError, "length argument must be non-negative");
		return NULL;
	}
	if (x->negative && !(flags & CC_SIGNED)) {
		PyErr_Format(PyExc_OverflowError, "can't convert negative %s to unsigned bytes",
			     integer_texts.name);
		return NULL;
	}
	bytes = PyBytes_FromStringAndSize(NULL, length);
	if (bytes &&
	    cc_bigint_to_bytes(PyBytes_AsString(bytes), (size_t)length, x, (unsigned int)flags)) {
		PyErr_Format(PyExc_OverflowError, "%s too big to convert to %zd bytes",
			     integer_texts.name, length);
		Py_CLEAR(bytes);
	}
	return bytes;
}

PyObject *integer_from_bytes(PyObject *type, PyObject *const *arguments, Py_ssize_t count,
			     PyObject *keywords)
{
	PyObject *found[ARGUMENTS], *bytes;
	struct integer *r;
	int flags, status;
	size_t length;

	(void)type;
	if (!take_arguments(found, "from_bytes", "bytes", arguments, count, keywords))
		return NULL;
	if (!found[FIRST]) {
		PyErr_SetString(PyExc_TypeError, "from_bytes() missing required argument 'bytes'");
		return NULL;
	}
	flags = flags_of(found);
	if (flags < 0)
		return NULL;
	/* as int.from_bytes: a buffer, an iterable, or an object with __bytes__ */
	bytes = PyObject_Bytes(found[FIRST]);
	if (!bytes)
		return NULL;
	length = (size_t)PyBytes_Size(bytes);
	r = integer_new(length / sizeof(cc_word) + 1);
	status = r ? cc_bigint_from_bytes(&r->value, PyBytes_AsString(bytes), length,
					  (unsigned int)flags)
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
