// SPDX-License-Identifier: MIT
/* Integer(text, base), by the grammar of int(text, base). */
#include "integer.h"

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
	PyObject *result = NULL;
	char *digits;
	int found;
	cc_word w;

	if (s && radix == 10 && digits_are_a_word(&w, s, (size_t)length))
		return integer_from_word(w);
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
	if (found)
		result = integer_from_digits(digits, strlen(digits), found);
	PyMem_Free(digits);
	if (!result && !PyErr_Occurred())
		PyErr_Format(PyExc_ValueError, "invalid literal for Integer() with base %d: %.200R",
			     radix, text);
	return result;
}

PyObject *integer_from_decimal(PyObject *type, PyObject *text)
{
	Py_ssize_t length;
	PyObject *result = NULL;
	const char *s;

	(void)type;
	if (!PyUnicode_Check(text) && !PyBytes_Check(text)) {
		PyErr_Format(PyExc_TypeError, "from_decimal() takes str or bytes, not %R",
			     (PyObject *)Py_TYPE(text));
		return NULL;
	}
	s = characters(text, &length);
	if (!s)
		return NULL;
	if (strlen(s) == (size_t)length)
		result = integer_from_digits(s, (size_t)length, 10);
	if (!result && !PyErr_Occurred())
		PyErr_Format(PyExc_ValueError,
			     "from_decimal() takes decimal digits after a sign or none, not %.200R",
			     text);
	return result;
}
