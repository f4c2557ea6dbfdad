// SPDX-License-Identifier: MIT
/* Conversion from and to text: as int(), but of any length, in less than quadratic time. */
#include "integer.h"

#include <carrychain/natural.h>
#include <string.h>

static int is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* The radix that a prefix names; 0 if there is no prefix. */
static int prefix(const char *s, const char *end)
{
	if (end - s < 2 || s[0] != '0')
		return 0;
	switch (lower(s[1])) {
	case 'b':
		return 2;
	case 'o':
		return 8;
	case 'x':
		return 16;
	default:
		return 0;
	}
}

/*
 * Parses an integer literal by Python's grammar, after white space and a sign.  Copies it to @to
 * without spaces, prefix and underscores, for cc_bigint_from_string(), which checks the digits.
 * Returns the radix, or 0 if the grammar is violated.
 */
static int plain(char *to, const char *s, const char *end, int radix)
{
	int named;

	while (s < end && is_space(*s))
		s++;
	while (s < end && is_space(end[-1]))
		end--;
	if (s < end && (*s == '+' || *s == '-'))
		*to++ = *s++;
	named = prefix(s, end);
	if (named && (radix == 0 || radix == named)) {
		radix = named;
		s += 2;
		if (s < end && *s == '_')
			s++;
	} else if (radix == 0) {
		/* 010 is 8 in C and an error in Python; 00 is 0 in both */
		radix = 10;
		if (s < end && *s == '0' && strspn(s, "0_") < (size_t)(end - s))
			return 0;
	}
	while (s < end) {
		/* a second sign or a NUL is no digit */
		if (*s == '+' || *s == '-' || !*s)
			return 0;
		*to++ = *s++;
		/* usually all that follows is decimal digits */
		while (s < end && *s >= '0' && *s <= '9')
			*to++ = *s++;
		if (s < end && *s == '_' && (++s == end || *s == '_'))
			return 0;
	}
	*to = '\0';
	return radix;
}

static int is_long_text(size_t length)
{
	return is_long(length, length / 64);
}

/* An Integer with room for this many digits; without room if they are read by watched work. */
static struct integer *new_for(size_t length, int radix)
{
	int has_room = radix && !is_long_text(length);

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

/* The bytes of a str, bytes or bytearray, terminated by NUL; NULL with an exception. */
static const char *characters(PyObject *text, Py_ssize_t *length)
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

/* Whether the text is decimal digits alone whose value surely fits a word, as most texts are. */
static int is_a_word(cc_word *w, const char *s, size_t length)
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

static PyObject *from_word(cc_word w)
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

/* Text with digits or spaces of other scripts is read by int(), within its limit. */
static PyObject *through_int(PyObject *text, int radix)
{
	PyObject *x = PyObject_CallFunction((PyObject *)&PyLong_Type, "Oi", text, radix), *result;

	if (!x)
		return NULL;
	result = integer_from_int(x);
	Py_DECREF(x);
	return result;
}

PyObject *integer_from_text(PyObject *text, int radix)
{
	Py_ssize_t length;
	const char *s = characters(text, &length);
	int status = CC_EINVAL, found;
	struct integer *r;
	char *digits;
	cc_word w;

	if (s && radix == 10 && is_a_word(&w, s, (size_t)length))
		return from_word(w);
	if (PyUnicode_Check(text) && (!s || PyUnicode_GetLength(text) != length)) {
		PyErr_Clear();
		return through_int(text, radix);
	}
	if (!s)
		return NULL;
	digits = PyMem_Malloc((size_t)length + 1);
	if (!digits)
		return PyErr_NoMemory();
	found = plain(digits, s, s + length, radix);
	r = new_for((size_t)length, found);
	if (r && found)
		status = read_digits(r, digits, (size_t)length, found);
	PyMem_Free(digits);
	if (r && status == CC_EINVAL) {
		PyErr_Format(PyExc_ValueError, "invalid literal for Integer() with base %d: %.200R",
			     radix, text);
		Py_DECREF(r);
		return NULL;
	}
	return integer_done(r, status);
}

PyObject *integer_from_decimal(PyObject *type, PyObject *text)
{
	Py_ssize_t length;
	const char *s;
	struct integer *r;
	int status = CC_EINVAL;

	(void)type;
	if (!PyUnicode_Check(text) && !PyBytes_Check(text)) {
		PyErr_Format(PyExc_TypeError, "from_decimal() takes str or bytes, not %R",
			     (PyObject *)Py_TYPE(text));
		return NULL;
	}
	s = characters(text, &length);
	r = s ? new_for((size_t)length, 10) : NULL;
	if (!r)
		return NULL;
	if (strlen(s) == (size_t)length)
		status = read_digits(r, s, (size_t)length, 10);
	if (status == CC_EINVAL) {
		PyErr_Format(PyExc_ValueError,
			     "from_decimal() takes decimal digits after a sign or none, not %.200R",
			     text);
		Py_DECREF(r);
		return NULL;
	}
	return integer_done(r, status);
}

PyObject *integer_str(PyObject *self)
{
	const cc_bigint *x = value_of(self);
	PyObject *result = NULL;
	struct watch w;
	size_t length;
	char *digits;
	int status;

	if (x->length <= 1)
		return digits_of_a_word(x->length ? x->words[0] : 0, x->negative);
	if (is_long(x->length, x->length)) {
		watch_begin(&w);
		status = cc_bigint_format(&digits, &length, x, 10, &w.progress);
		watch_end(&w);
	} else {
		status = cc_bigint_format(&digits, &length, x, 10, NULL);
	}
	if (status)
		integer_raise(status);
	else
		result = PyUnicode_FromStringAndSize(digits, (Py_ssize_t)length);
	cc_string_free(digits);
	return result;
}
