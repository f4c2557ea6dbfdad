// SPDX-License-Identifier: MIT
/* Conversion of ints to words and to the runtime's values, and back. */
#include "call.h"

#include <string.h>

#define SMALL_BITS 62

static PyObject *bit_length, *int_index, *to_bytes, *from_bytes, *little, *is_signed, *sixty_four;

int integers_prepare(void)
{
	PyObject *type = (PyObject *)&PyLong_Type;

	bit_length = PyObject_GetAttrString(type, "bit_length");
	int_index = PyObject_GetAttrString(type, "__index__");
	to_bytes = PyObject_GetAttrString(type, "to_bytes");
	from_bytes = PyObject_GetAttrString(type, "from_bytes");
	little = PyUnicode_InternFromString("little");
	is_signed = Py_BuildValue("{sO}", "signed", Py_True);
	sixty_four = PyLong_FromLong(64);
	return bit_length && int_index && to_bytes && from_bytes && little && is_signed &&
	       sixty_four;
}

/* The int in signed two's complement, little-endian. */
static PyObject *bytes_of(PyObject *x)
{
	PyObject *bits = PyObject_CallFunctionObjArgs(bit_length, x, NULL), *arguments, *bytes;

	if (!bits)
		return NULL;
	arguments = Py_BuildValue("OnO", x, (Py_ssize_t)(PyLong_AsSize_t(bits) / 8 + 1), little);
	Py_DECREF(bits);
	if (!arguments)
		return NULL;
	bytes = PyObject_Call(to_bytes, arguments, is_signed);
	Py_DECREF(arguments);
	return bytes;
}

static PyObject *of_bytes(const void *data, size_t length, int with_sign)
{
	PyObject *arguments = Py_BuildValue("y#O", (const char *)data, (Py_ssize_t)length, little);
	PyObject *x;

	if (!arguments)
		return NULL;
	x = PyObject_Call(from_bytes, arguments, with_sign ? is_signed : NULL);
	Py_DECREF(arguments);
	return x;
}

static ring_value tagged(long long x)
{
	return (ring_value)((uint64_t)x << 1 | 1);
}

static int is_small(long long x)
{
	return x >= -(1LL << SMALL_BITS) && x < 1LL << SMALL_BITS;
}

static enum taken value_take(ring_value *value, PyObject *x)
{
	int overflow;
	long long word = PyLong_AsLongLongAndOverflow(x, &overflow);
	PyObject *bytes;

	if (!overflow && is_small(word)) {
		*value = tagged(word);
		return TAKEN;
	}
	bytes = bytes_of(x);
	if (!bytes)
		return FAILED;
	*value = runtime.from_bytes(PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
	Py_DECREF(bytes);
	if (!*value)
		PyErr_NoMemory();
	return *value ? TAKEN : FAILED;
}

static int is_within(const struct node *node, PyObject *x)
{
	int overflow;
	long long word = PyLong_AsLongLongAndOverflow(x, &overflow);
	unsigned long long above;

	if (node->bounded == BY_OBJECTS)
		return (!node->least || PyObject_RichCompareBool(node->least, x, Py_LE) > 0) &&
		       (!node->most || PyObject_RichCompareBool(x, node->most, Py_LE) > 0);
	if (!overflow)
		return word < 0 ? word >= node->low : (unsigned long long)word <= node->high;
	if (overflow < 0 || node->high <= LLONG_MAX)
		return 0;
	above = PyLong_AsUnsignedLongLong(x);
	if (above == ULLONG_MAX && PyErr_Occurred()) {
		PyErr_Clear();
		return 0;
	}
	return above <= node->high;
}

static enum taken words_take(uint64_t words[2], int wide, PyObject *x)
{
	PyObject *above;

	/* cannot fail for an int */
	words[0] = PyLong_AsUnsignedLongLongMask(x);
	if (!wide)
		return TAKEN;
	above = PyNumber_Rshift(x, sixty_four);
	if (!above)
		return FAILED;
	words[1] = PyLong_AsUnsignedLongLongMask(above);
	Py_DECREF(above);
	return TAKEN;
}

/* The same for any other object, by its __index__; subclasses of int included. */
static enum taken index_take(uint64_t slot[2], const struct node *node, PyObject *x)
{
	PyObject *index, *exact;
	enum taken taken = FAILED;

	if (!node->indexed || PyBool_Check(x) || !PyIndex_Check(x))
		return OTHER;
	index = PyNumber_Index(x);
	if (!index)
		return FAILED;
	exact = PyObject_CallFunctionObjArgs(int_index, index, NULL);
	if (exact)
		taken = int_take(slot, node, exact);
	Py_XDECREF(exact);
	Py_DECREF(index);
	return taken;
}

enum taken int_take(uint64_t slot[2], const struct node *node, PyObject *x)
{
	if (Py_TYPE(x) != &PyLong_Type)
		return index_take(slot, node, x);
	if (node->bounded && !is_within(node, x))
		return OTHER;
	if (!node->bits)
		return value_take((ring_value *)slot, x);
	return words_take(slot, node->bits == 128, x);
}

enum taken item_take(void *place, const struct node *node, PyObject *x)
{
	uint64_t words[2] = {0, 0};
	enum taken taken = int_take(words, node, x);

	/* compiled code only runs on little-endian machines */
	if (taken == TAKEN)
		memcpy(place, words, item_size(node));
	return taken;
}

PyObject *int_of_value(ring_value x)
{
	const cc_bigint *integer;
	PyObject *magnitude, *result;

	if (x & 1)
		return PyLong_FromLongLong(x >> 1);
	integer = &((const struct ring_integer *)(uintptr_t)x)->value;
	magnitude = of_bytes(integer->words, integer->length * sizeof(cc_word), 0);
	if (!magnitude || !integer->negative)
		return magnitude;
	result = PyNumber_Negative(magnitude);
	Py_DECREF(magnitude);
	return result;
}

PyObject *int_of_words(uint64_t low, uint64_t high, const struct node *node)
{
	uint64_t words[2] = {low, high};

	if (node->bits == 128) {
		if (low >> 63 ? node->is_signed && high == UINT64_MAX : !high)
			return PyLong_FromLongLong((int64_t)low);
		return of_bytes(words, sizeof(words), node->is_signed);
	}
	low <<= 64 - node->bits;
	if (node->is_signed)
		return PyLong_FromLongLong((int64_t)low >> (64 - node->bits));
	return PyLong_FromUnsignedLongLong(low >> (64 - node->bits));
}

PyObject *int_of_item(const void *place, const struct node *node)
{
	uint64_t words[2] = {0, 0};

	memcpy(words, place, item_size(node));
	return node->bits ? int_of_words(words[0], words[1], node)
			  : int_of_value((ring_value)words[0]);
}
