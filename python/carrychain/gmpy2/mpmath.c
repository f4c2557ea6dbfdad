// SPDX-License-Identifier: MIT
/*
 * The two functions that mpmath's floats are made with, if gmpy2 has them: a number is
 * (sign, man, exp, bc), with an odd man >= 0 of bc bits, or four times 0.
 */
#include "gmpy2.h"

/* Whether man, of this sign, is rounded up in magnitude where its lowest n > 0 bits are cut off. */
static int rounds_up(const cc_bigint *man, uint64_t n, int negative, Py_UCS4 how)
{
	uint64_t lowest = bit_from(man, 0, 1);
	cc_word half;

	switch (how) {
	case 'n':
		half = man->words[(n - 1) / CC_WORD_BITS] >> (n - 1) % CC_WORD_BITS & 1;
		/* a tie goes to even */
		return half && (lowest < n - 1 || bit_from(man, n, 1) == n);
	case 'f':
		return negative && lowest < n;
	case 'c':
		return !negative && lowest < n;
	case 'u':
		return lowest < n;
	default:
		return 0;
	}
}

/* exp + n */
static PyObject *exponent(PyObject *exp, uint64_t n)
{
	PyObject *more, *result;

	if (!n)
		return Py_NewRef(exp);
	more = PyLong_FromUnsignedLongLong(n);
	result = more ? PyNumber_Add(exp, more) : NULL;
	Py_XDECREF(more);
	return result;
}

static PyObject *zero(void)
{
	PyObject *man = integer_from_i64(0);

	return man ? Py_BuildValue("(iNii)", 0, man, 0, 0) : NULL;
}

/* Rounds man >= 0 to prec bits, or to as many as it has if that is 0; borrows its arguments. */
static PyObject *normalized(int negative, PyObject *man, PyObject *exp, uint64_t prec, Py_UCS4 how)
{
	const cc_bigint *x = value_of(man);
	uint64_t bits = cc_bigint_bit_length(x), cut, shift;
	struct integer *mantissa;
	PyObject *e;
	int up;

	if (!bits)
		return zero();
	cut = prec && bits > prec ? bits - prec : 0;
	up = cut && rounds_up(x, cut, negative, how);
	/* one more at bit @cut carries over the ones there to the first zero, above only zeros */
	shift = bit_from(x, cut, !up);
	if (shift >= bits)
		mantissa = (struct integer *)integer_from_word(1);
	else
		mantissa = (struct integer *)(shift ? integer_shifted_right(x, shift)
						    : Py_NewRef(man));
	e = mantissa ? exponent(exp, shift) : NULL;
	if (!e) {
		Py_XDECREF((PyObject *)mantissa);
		return NULL;
	}
	if (up)
		mantissa->value.words[0] |= 1;
	return Py_BuildValue("(iNNK)", negative, (PyObject *)mantissa, e,
			     (unsigned long long)(shift >= bits ? 1 : bits - shift));
}

/* A precision and a rounding mode; 0 with an exception. */
static int mode_of(uint64_t *prec, Py_UCS4 *how, PyObject *bits, PyObject *mode)
{
	if (!bits_of(prec, bits))
		return 0;
	if (!mode)
		return 1;
	if (!PyUnicode_Check(mode) || PyUnicode_GetLength(mode) != 1) {
		PyErr_SetString(PyExc_ValueError, "invalid rounding mode specified");
		return 0;
	}
	*how = PyUnicode_ReadChar(mode, 0);
	return 1;
}

/* _mpmath_normalize(sign, man, exp, bc, prec, rnd) */
static PyObject *normalize(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
	PyObject *man = count == 6 ? arguments[1] : NULL;
	Py_UCS4 how = 'n';
	uint64_t prec;
	int negative;

	(void)module;
	if (count != 6) {
		PyErr_SetString(PyExc_TypeError, "6 arguments required");
		return NULL;
	}
	negative = PyObject_IsTrue(arguments[0]);
	if (negative < 0)
		return NULL;
	if (!is_integer(man)) {
		PyErr_SetString(PyExc_TypeError, "argument is not an mpz");
		return NULL;
	}
	return mode_of(&prec, &how, arguments[4], arguments[5])
		       ? normalized(negative, man, arguments[2], prec, how)
		       : NULL;
}

/* _mpmath_create(man, exp, prec=0, rnd='f') */
static PyObject *create(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
	PyObject *man, *magnitude, *result;
	uint64_t prec = 0;
	Py_UCS4 how = 'f';

	(void)module;
	if (count < 2 || count > 4) {
		PyErr_SetString(PyExc_TypeError,
				"mpmath_create() expects 'mpz','int'[,'int','str'] arguments");
		return NULL;
	}
	if (count > 2 && !mode_of(&prec, &how, arguments[2], count > 3 ? arguments[3] : NULL))
		return NULL;
	man = mpz_of(arguments[0], "mpmath_create() expects 'mpz','int'[,'int','str'] arguments");
	magnitude = man ? integer_absolute(man) : NULL;
	result = magnitude ? normalized(value_of(man)->negative, magnitude, arguments[1], prec, how)
			   : NULL;
	Py_XDECREF(man);
	Py_XDECREF(magnitude);
	return result;
}

#define FAST(function) ((PyCFunction)(void (*)(void))(function))

PyMethodDef mpmath_functions[] = {
	{"_mpmath_normalize", FAST(normalize), METH_FASTCALL,
	 "_mpmath_normalize($module, sign, man, exp, bc, prec, rnd, /)\n--\n\nFor mpmath."},
	{"_mpmath_create", FAST(create), METH_FASTCALL,
	 "_mpmath_create($module, man, exp, prec=0, rnd='f', /)\n--\n\nFor mpmath."},
	{NULL, NULL, 0, NULL},
};
