// SPDX-License-Identifier: MIT
/* Digits, read and written: any number of them, in less than quadratic time. */
#include "integer.h"

#include <carrychain/natural.h>
#include <string.h>

const char *characters(PyObject *text, Py_ssize_t *length)
{
	char *bytes;

	if (PyUnicode_Check(text))
		return PyUnicode_AsUTF8AndSize(text, length);
	if (PyByteArray_Check(text)) {
		*length = PyByteArray_Size(text);
		return PyByteArray_AsString(text);
	}
	return PyBytes_AsStringAndSize(text, &bytes, length) ? NULL : bytes;
}

/* Any number of so many decimal digits fits a word; a word has at most one digit more. */
#define WORD_DIGITS (CC_WORD_BITS == 64 ? 19 : 9)

int digits_are_a_word(cc_word *w, const char *s, size_t length)
{
	size_t i;

	if (!length || length > WORD_DIGITS)
		return 0;
	*w = 0;
	for (i = 0; i < length; i++) {
		if (s[i] < '0' || s[i] > '9')
			return 0;
		*w = 10 * *w + (cc_word)(s[i] - '0');
	}
	return 1;
}

PyObject *integer_from_word(cc_word w)
{
	struct integer *r = integer_new(1);

	if (!r)
		return NULL;
	r->room[0] = w;
	return integer_of(r, w > 0, 0);
}

/* The decimal digits of a number of at most one word, two by two from the end. */
static PyObject *digits_of_a_word(cc_word w, int negative)
{
	char digits[WORD_DIGITS + 2], *end = digits + sizeof(digits), *at = end;

	for (; w >= 100; w /= 100) {
		*--at = (char)('0' + w % 10);
		*--at = (char)('0' + w / 10 % 10);
	}
	*--at = (char)('0' + w % 10);
	if (w >= 10)
		*--at = (char)('0' + w / 10);
	if (negative)
		*--at = '-';
	return PyUnicode_FromStringAndSize(at, end - at);
}

static int is_long_text(size_t length)
{
	return is_long(length, length / 64);
}

/* An Integer with room for this many digits; without room if they are read by watched work. */
static struct integer *new_for(size_t length, int radix)
{
	int has_room = !is_long_text(length);

	return integer_new(has_room ? cc_natural_from_digits_max(length, (unsigned int)radix) : 0);
}

/* Reads @digits: an optional sign, digits of the radix, and NUL at @length. */
static int read_digits(struct integer *r, const char *digits, size_t length, int radix)
{
	struct watch w;
	int status;

	if (!is_long_text(length))
		return cc_bigint_from_string(&r->value, digits, radix);
	watch_begin(&w);
	status = cc_bigint_from_string_watched(&r->value, digits, radix, &w.progress);
	watch_end(&w);
	return status;
}

PyObject *integer_from_digits(const char *digits, size_t length, int radix)
{
	struct integer *r = new_for(length, radix);
	int status;

	if (!r)
		return NULL;
	status = read_digits(r, digits, length, radix);
	if (status == CC_EINVAL) {
		Py_DECREF(r);
		return NULL;
	}
	return integer_done(r, status);
}

PyObject *integer_digits(PyObject *self, int radix)
{
	const cc_bigint *x = value_of(self);
	PyObject *result = NULL;
	struct watch w;
	size_t length;
	char *digits;
	int status;

	if (radix == 10 && x->length <= 1)
		return digits_of_a_word(x->length ? x->words[0] : 0, x->negative);
	if (is_long(x->length, x->length)) {
		watch_begin(&w);
		status = cc_bigint_format(&digits, &length, x, radix, &w.progress);
		watch_end(&w);
	} else {
		status = cc_bigint_format(&digits, &length, x, radix, NULL);
	}
	if (status)
		integer_raise(status);
	else
		result = PyUnicode_FromStringAndSize(digits, (Py_ssize_t)length);
	cc_string_free(digits);
	return result;
}

PyObject *integer_str(PyObject *self)
{
	return integer_digits(self, 10);
}
