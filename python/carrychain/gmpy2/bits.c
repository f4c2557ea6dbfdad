// SPDX-License-Identifier: MIT
/* Single bits of an mpz, in infinite two's complement. */
#include "gmpy2.h"

/* Word i of x, whose lowest word that is not 0 has the index @lowest. */
static cc_word word_at(const cc_bigint *x, size_t i, size_t lowest)
{
	cc_word w = i < x->length ? x->words[i] : 0;

	if (!x->negative)
		return w;
	return i <= lowest ? 0 - w : ~w;
}

static size_t lowest_word(const cc_bigint *x)
{
	size_t i = 0;

	while (i < x->length && !x->words[i])
		i++;
	return i;
}

uint64_t bit_from(const cc_bigint *x, uint64_t from, int set)
{
	size_t lowest = x->negative ? lowest_word(x) : 0, i;
	cc_word w, flip = set ? 0 : ~(cc_word)0;

	if (from / CC_WORD_BITS >= x->length)
		return set == x->negative ? from : UINT64_MAX;
	i = (size_t)(from / CC_WORD_BITS);
	w = (word_at(x, i, lowest) ^ flip) & (~(cc_word)0 << from % CC_WORD_BITS);
	while (!w && ++i < x->length)
		w = word_at(x, i, lowest) ^ flip;
	if (w)
		return (uint64_t)i * CC_WORD_BITS + cc_word_ctz(w);
	return set == x->negative ? (uint64_t)x->length * CC_WORD_BITS : UINT64_MAX;
}

int bits_of(uint64_t *count, PyObject *n)
{
	struct operand value;
	int opened = operand_open(&value, n), status = 0;

	if (!opened)
		PyErr_SetString(PyExc_TypeError, "could not convert object to integer");
	if (opened <= 0)
		return 0;
	if (value.value->negative)
		PyErr_SetString(PyExc_OverflowError, "can't convert negative int to unsigned");
	else if (cc_bigint_get_u64(count, value.value))
		PyErr_SetString(PyExc_OverflowError, "int too big to convert");
	else
		status = 1;
	operand_close(&value);
	return status;
}

static PyObject *scan(PyObject *self, PyObject *const *arguments, Py_ssize_t count, int set)
{
	uint64_t from = 0, bit;

	if (count > 1) {
		PyErr_Format(PyExc_TypeError, "bit_scan%d() requires 'mpz',['int'] arguments", set);
		return NULL;
	}
	if (count && !bits_of(&from, arguments[0]))
		return NULL;
	bit = bit_from(value_of(self), from, set);
	if (bit == UINT64_MAX)
		Py_RETURN_NONE;
	return PyLong_FromUnsignedLongLong(bit);
}

PyObject *mpz_bit_scan0(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
	return scan(self, arguments, count, 0);
}

PyObject *mpz_bit_scan1(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
	return scan(self, arguments, count, 1);
}

PyObject *mpz_bit_test(PyObject *self, PyObject *n)
{
	const cc_bigint *x = value_of(self);
	uint64_t bit;
	size_t i;

	if (!bits_of(&bit, n))
		return NULL;
	if (bit / CC_WORD_BITS >= x->length)
		return PyBool_FromLong(x->negative);
	i = (size_t)(bit / CC_WORD_BITS);
	return PyBool_FromLong(
		word_at(x, i, x->negative ? lowest_word(x) : 0) >> bit % CC_WORD_BITS & 1);
}

/* self @by 2^n, or by ~2^n */
static PyObject *with_bit(PyObject *self, PyObject *n, binary_operation *by, int inverted)
{
	PyObject *one = integer_from_i64(1), *bit = NULL, *mask = NULL, *result = NULL;
	uint64_t count;

	if (one && bits_of(&count, n))
		bit = integer_lshift(one, n);
	if (bit)
		mask = inverted ? integer_invert(bit) : Py_NewRef(bit);
	if (mask)
		result = by(self, mask);
	Py_XDECREF(one);
	Py_XDECREF(bit);
	Py_XDECREF(mask);
	return result;
}

PyObject *mpz_bit_set(PyObject *self, PyObject *n)
{
	return with_bit(self, n, integer_or, 0);
}

PyObject *mpz_bit_clear(PyObject *self, PyObject *n)
{
	return with_bit(self, n, integer_and, 1);
}

PyObject *mpz_bit_flip(PyObject *self, PyObject *n)
{
	return with_bit(self, n, integer_xor, 0);
}
