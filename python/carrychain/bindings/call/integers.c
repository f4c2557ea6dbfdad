// SPDX-License-Identifier: MIT
/* Conversion of ints to words and to the runtime's values, and back. */
#include "call.h"

#include "../ints.h"

#include <string.h>

#define SMALL_BITS 62

static PyObject *int_index, *sixty_four;

int integers_prepare(void)
{
	int_index = PyObject_GetAttrString((PyObject *)&PyLong_Type, "__index__");
	sixty_four = PyLong_FromLong(64);
	return int_index && sixty_four && ints_prepare();
}

static ring_value tagged(long long x)
{
	return (ring_value)((uint64_t)x << 1 | 1);
}

static int is_small(long long x)
{
	return x >= -(1LL << SMALL_BITS) && x < 1LL << SMALL_BITS;
}

/* The words on the stack, enough for most ints. */
#define LENT 16

static enum taken value_take(ring_value *value, PyObject *x)
{
	int overflow;
	long long word = PyLong_AsLongLongAndOverflow(x, &overflow);
	cc_word lent[LENT + 1], carry = 1;
	cc_bigint integer = {lent, 0, LENT, 0};
	Py_ssize_t needed;
	size_t i, n;

	if (!overflow && is_small(word)) {
		*value = tagged(word);
		return TAKEN;
	}
	needed = int_words(x);
	if (needed < 0)
		return FAILED;
	if (needed > LENT) {
		integer.words = PyMem_Malloc(((size_t)needed + 1) * sizeof(cc_word));
		if (!integer.words) {
			PyErr_NoMemory();
			return FAILED;
		}
	}
	integer.capacity = (size_t)needed;
	*value = 0;
	if (!int_read(&integer, x, (size_t)needed)) {
		/* in two's complement */
		n = integer.length;
		integer.words[n++] = 0;
		for (i = 0; integer.negative && i < n; i++)
			integer.words[i] = cc_word_add(~integer.words[i], 0, &carry);
		*value = runtime.from_bytes(integer.words, n * sizeof(cc_word));
		if (!*value)
			PyErr_NoMemory();
	}
	if (integer.words != lent)
		PyMem_Free(integer.words);
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
	if (x & 1)
		return PyLong_FromLongLong(x >> 1);
	return int_from_bigint(&((const struct ring_integer *)(uintptr_t)x)->value);
}

static PyObject *int_of_halves(uint64_t low, uint64_t high, int is_signed)
{
	cc_word words[128 / CC_WORD_BITS];
	cc_bigint integer = {words, 128 / CC_WORD_BITS, 128 / CC_WORD_BITS, 0};
	size_t i;

	if (is_signed && high >> 63) {
		low = -low;
		high = ~high + !low;
		integer.negative = 1;
	}
	for (i = 0; i < 64 / CC_WORD_BITS; i++) {
		words[i] = (cc_word)(low >> (i * CC_WORD_BITS));
		words[64 / CC_WORD_BITS + i] = (cc_word)(high >> (i * CC_WORD_BITS));
	}
	while (!words[integer.length - 1])
		integer.length--;
	return int_from_bigint(&integer);
}

PyObject *int_of_words(uint64_t low, uint64_t high, const struct node *node)
{
	if (node->bits == 128) {
		if (low >> 63 ? node->is_signed && high == UINT64_MAX : !high)
			return PyLong_FromLongLong((int64_t)low);
		return int_of_halves(low, high, node->is_signed);
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
