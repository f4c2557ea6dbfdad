// SPDX-License-Identifier: MIT
/*
 * mpz from and to text: white space and underscores are ignored, and a prefix names the base.  In
 * bases above 36 the case of a letter counts; these are converted in Python.
 */
#include "gmpy2.h"

#include <string.h>

static int is_ignored(char c)
{
	return c == ' ' || c == '_' || (c >= '\t' && c <= '\r');
}

static int is_ascii(const char *s, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if ((unsigned char)s[i] > 127)
			return 0;
	return 1;
}

/* Copies what is not ignored, and a NUL; returns its length. */
static size_t squeezed(char *to, const char *from, size_t length)
{
	size_t n = 0, i;

	for (i = 0; i < length; i++)
		if (!is_ignored(from[i]))
			to[n++] = from[i];
	to[n] = '\0';
	return n;
}

/* The base that the digits have a prefix for, or 0. */
static int named_base(const char *digits)
{
	if (digits[0] != '0')
		return 0;
	switch (digits[1]) {
	case 'b':
	case 'B':
		return 2;
	case 'o':
	case 'O':
		return 8;
	case 'x':
	case 'X':
		return 16;
	default:
		return 0;
	}
}

/* Digits after a sign or none; NULL without an exception if they are none. */
static PyObject *read_digits(char *digits, size_t length, int base)
{
	size_t sign = *digits == '-' || *digits == '+';
	int named = named_base(digits + sign);

	if (named && (!base || base == named)) {
		base = named;
		/* the sign is moved over the prefix */
		digits[2] = sign ? digits[0] : digits[2];
		digits += 2;
		length -= 2;
	}
	/* a sign after the prefix is none */
	if (length > sign && (digits[sign] == '-' || digits[sign] == '+'))
		return NULL;
	return integer_from_digits(digits, length, base ? base : 10);
}

static PyObject *from_characters(const char *s, size_t length, int base)
{
	char *digits = PyMem_Malloc(length + 1);
	PyObject *result = NULL, *text, *radix;
	size_t n;

	if (!digits)
		return PyErr_NoMemory();
	n = squeezed(digits, s, length);
	if (base <= 36 && strlen(digits) == n) {
		result = read_digits(digits, n, base);
	} else if (base > 36) {
		text = PyUnicode_DecodeLatin1(digits, (Py_ssize_t)n, NULL);
		radix = PyLong_FromLong(base);
		if (text && radix)
			result = in_python("carrychain.gmpy2.conversion", "in_high_base", text,
					   radix);
		Py_XDECREF(text);
		Py_XDECREF(radix);
	}
	PyMem_Free(digits);
	if (!result && !PyErr_Occurred())
		PyErr_SetString(PyExc_ValueError, "invalid digits");
	return result;
}

PyObject *mpz_from_text(PyObject *text, PyObject *base)
{
	Py_ssize_t length;
	const char *s = characters(text, &length);
	long radix = base ? PyLong_AsLong(base) : 0;
	cc_word w;

	if (!s || (radix == -1 && PyErr_Occurred()))
		return NULL;
	if (radix < 0 || radix == 1 || radix > 62) {
		PyErr_SetString(PyExc_ValueError,
				"base for mpz() must be 0 or in the interval [2, 62]");
		return NULL;
	}
	if (!is_ascii(s, (size_t)length)) {
		PyErr_SetString(PyExc_ValueError, "string contains non-ASCII characters");
		return NULL;
	}
	if ((!radix || radix == 10) && digits_are_a_word(&w, s, (size_t)length))
		return integer_from_word(w);
	return from_characters(s, (size_t)length, (int)radix);
}

PyObject *mpz_digits(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
	long base = 10;

	if (count > 1) {
		PyErr_Format(PyExc_TypeError, "function takes at most 1 argument (%zd given)",
			     count);
		return NULL;
	}
	if (count) {
		base = PyLong_AsLong(arguments[0]);
		if (base == -1 && PyErr_Occurred())
			return NULL;
	}
	if (base >= 2 && base <= 36)
		return integer_digits(self, (int)base);
	return in_python("carrychain.gmpy2.conversion", "digits_in", self, arguments[0]);
}
