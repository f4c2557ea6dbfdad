// SPDX-License-Identifier: MIT
/* ints.c - the values of ints, read and written. */
#include "ints.h"

#include <string.h>

enum int_layout int_layout;

/* int's own methods; a subclass may override them. */
static PyObject *bit_length, *negative, *to_bytes, *from_bytes, *little;

static int has_digits_of_30_bits(void)
{
	PyObject *info = PySys_GetObject("int_info"), *bits;
	int result;

	bits = info ? PyObject_GetAttrString(info, "bits_per_digit") : NULL;
	result = bits && PyLong_AsLong(bits) == DIGIT_BITS;
	Py_XDECREF(bits);
	PyErr_Clear();
	return result;
}

/* The head of sign (7 + 5 B + 3 B^2), where B is 2^30; 0 if its digits are found elsewhere. */
static Py_ssize_t head_of_three_digits(int sign)
{
	PyObject *x =
		PyLong_FromLongLong(sign * (7 + (5LL << DIGIT_BITS) + (3LL << 2 * DIGIT_BITS)));
	const struct int_object *in = (const struct int_object *)x;
	Py_ssize_t head;

	if (!x) {
		PyErr_Clear();
		return 0;
	}
	head = in->digits[0] == 7 && in->digits[1] == 5 && in->digits[2] == 3 ? in->head : 0;
	Py_DECREF(x);
	return head;
}

int ints_prepare(void)
{
	PyObject *type = (PyObject *)&PyLong_Type;
	Py_ssize_t above, below;

	if (Py_Version < 0x030f0000 && has_digits_of_30_bits()) {
		above = head_of_three_digits(1);
		below = head_of_three_digits(-1);
		if (above == 3 && below == -3)
			int_layout = SIGNED_COUNT;
		else if (above == 3 << TAG_BITS && below == (3 << TAG_BITS | TAG_BELOW))
			int_layout = TAGGED_COUNT;
	}
	bit_length = PyObject_GetAttrString(type, "bit_length");
	negative = PyObject_GetAttrString(type, "__neg__");
	to_bytes = PyObject_GetAttrString(type, "to_bytes");
	from_bytes = PyObject_GetAttrString(type, "from_bytes");
	little = PyUnicode_InternFromString("little");
	return bit_length && negative && to_bytes && from_bytes && little;
}

/* Writes n words, as many as the digits need. */
static void words_of_digits(cc_word *w, size_t n, const uint32_t *digits, size_t count)
{
	const unsigned int bits = IN_A_WORD * DIGIT_BITS;
	cc_word *end = w + n, word = 0, next;
	unsigned int filled = 0;
	size_t i;

	for (i = 0; i < count; i += IN_A_WORD) {
		next = some_digits(digits + i, count - i);
		word |= next << filled;
		filled += bits;
		if (filled >= CC_WORD_BITS) {
			*w++ = word;
			filled -= CC_WORD_BITS;
			word = next >> (bits - filled);
		}
	}
	if (w < end)
		*w = word;
}

static void digits_of_words(uint32_t *digits, size_t count, const cc_word *w, size_t n)
{
	unsigned int left = 0;
	cc_word word = 0, next;
	size_t i;

	for (i = 0; i < count; i++) {
		if (left >= DIGIT_BITS) {
			digits[i] = (uint32_t)word & DIGIT_MASK;
			word >>= DIGIT_BITS;
			left -= DIGIT_BITS;
			continue;
		}
		next = n ? *w++ : 0;
		n -= n > 0;
		digits[i] = (uint32_t)(word | next << left) & DIGIT_MASK;
		word = next >> (DIGIT_BITS - left);
		left += CC_WORD_BITS - DIGIT_BITS;
	}
}

/* By int's methods: the least number of words, or -1 with an exception */
static Py_ssize_t words_by_methods(PyObject *x)
{
	PyObject *bits;
	size_t count;
	int overflow;

	PyLong_AsLongLongAndOverflow(x, &overflow);
	if (!overflow)
		return 64 / CC_WORD_BITS;
	bits = PyObject_CallFunctionObjArgs(bit_length, x, NULL);
	if (!bits)
		return -1;
	count = PyLong_AsSize_t(bits);
	Py_DECREF(bits);
	return (Py_ssize_t)(count / CC_WORD_BITS + 1);
}

static int read_by_methods(cc_bigint *r, PyObject *x)
{
	PyObject *magnitude, *length, *bytes = NULL;
	int overflow;
	long long small = PyLong_AsLongLongAndOverflow(x, &overflow);

	if (!overflow)
		return cc_bigint_set_i64(r, small);
	magnitude = overflow < 0 ? PyObject_CallFunctionObjArgs(negative, x, NULL) : Py_NewRef(x);
	length = PyLong_FromSize_t(r->capacity * sizeof(cc_word));
	if (magnitude && length)
		bytes = PyObject_CallFunctionObjArgs(to_bytes, magnitude, length, little, NULL);
	Py_XDECREF(magnitude);
	Py_XDECREF(length);
	if (!bytes)
		return -1;
	cc_bigint_from_bytes(r, PyBytes_AsString(bytes), r->capacity * sizeof(cc_word), 0);
	r->negative = overflow < 0;
	Py_DECREF(bytes);
	return 0;
}

static PyObject *write_by_methods(const cc_bigint *x)
{
	size_t length = x->length * sizeof(cc_word);
	PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length), *magnitude, *result;
	cc_bigint positive = *x;

	if (!bytes)
		return NULL;
	positive.negative = 0;
	cc_bigint_to_bytes(PyBytes_AsString(bytes), length, &positive, 0);
	magnitude = PyObject_CallFunctionObjArgs(from_bytes, bytes, little, NULL);
	Py_DECREF(bytes);
	if (!magnitude || !x->negative)
		return magnitude;
	result = PyNumber_Negative(magnitude);
	Py_DECREF(magnitude);
	return result;
}

Py_ssize_t int_words(PyObject *x)
{
	size_t count;

	if (!int_layout)
		return words_by_methods(x);
	count = digit_count((const struct int_object *)x);
	return (Py_ssize_t)(count / CC_WORD_BITS * DIGIT_BITS +
			    (count % CC_WORD_BITS * DIGIT_BITS + CC_WORD_BITS - 1) / CC_WORD_BITS);
}

int int_read(cc_bigint *r, PyObject *x, size_t words)
{
	const struct int_object *in = (const struct int_object *)x;

	if (!int_layout)
		return read_by_methods(r, x);
	words_of_digits(r->words, words, in->digits, digit_count(in));
	while (words && !r->words[words - 1])
		words--;
	r->length = words;
	r->negative = is_below_zero(in);
	return 0;
}

PyObject *int_from_bigint(const cc_bigint *x)
{
	struct int_object *r;
	int64_t small;
	size_t count;

	if (cc_bigint_get_i64(&small, x) == CC_OK)
		return PyLong_FromLongLong(small);
	if (!int_layout)
		return write_by_methods(x);
	/* more than two digits: none of the ints that Python has only one of */
	count = (size_t)((cc_bigint_bit_length(x) + DIGIT_BITS - 1) / DIGIT_BITS);
	if (count > (PY_SSIZE_T_MAX - sizeof(*r)) / sizeof(r->digits[0]))
		return PyErr_NoMemory();
	r = PyObject_Malloc(sizeof(*r) + count * sizeof(r->digits[0]));
	if (!r)
		return PyErr_NoMemory();
	if (int_layout == TAGGED_COUNT)
		r->head = (Py_ssize_t)(count << TAG_BITS | (x->negative ? TAG_BELOW : 0));
	else
		r->head = x->negative ? -(Py_ssize_t)count : (Py_ssize_t)count;
	digits_of_words(r->digits, count, x->words, x->length);
	return PyObject_Init((PyObject *)r, &PyLong_Type);
}
