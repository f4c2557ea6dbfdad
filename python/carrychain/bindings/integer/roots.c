// SPDX-License-Identifier: MIT
/* Roots of any degree, perfect powers, exact quotients and removed factors. */
#include "integer.h"

/* The degree of a root as a number of 64 bits, of the same parity; 0 with an exception. */
static uint64_t degree_of(PyObject *degree, const cc_bigint *x)
{
	struct operand k;
	uint64_t value = 0;
	PyObject *index;
	cc_word word;

	if (!x->negative && int_fits_word(&word, degree) && word)
		return word;
	index = PyNumber_Index(degree);
	if (!index || operand_open(&k, index) < 0) {
		Py_XDECREF(index);
		return 0;
	}
	if (k.value->negative || !k.value->length)
		PyErr_SetString(PyExc_ValueError, "the degree of a root must be positive");
	else if (cc_bigint_get_u64(&value, k.value))
		value = UINT64_MAX - !(k.value->words[0] & 1);
	if (value && x->negative && !(value & 1)) {
		PyErr_SetString(PyExc_ValueError, "a negative number has no root of even degree");
		value = 0;
	}
	operand_close(&k);
	Py_DECREF(index);
	return value;
}

/* The work of n words by n, long or not. */
static int begin(struct watch *w, size_t n, const struct cc_progress **progress)
{
	int waits = is_long(n, n);

	*progress = NULL;
	if (waits) {
		watch_begin(w);
		*progress = &w->progress;
	}
	return waits;
}

PyObject *integer_iroot(PyObject *self, PyObject *degree)
{
	const cc_bigint *x = value_of(self);
	uint64_t k = degree_of(degree, x);
	const struct cc_progress *progress;
	int status, exact = 0, waits;
	struct integer *r;
	struct watch w;
	PyObject *root;

	if (!k)
		return NULL;
	r = integer_new(x->length ? (size_t)((x->length - 1) / k) + 1 : 1);
	if (!r)
		return NULL;
	waits = begin(&w, x->length, &progress);
	status = cc_bigint_root(&r->value, &exact, x, k, progress);
	if (waits)
		watch_end(&w);
	root = integer_done(r, status);
	return root ? pair_of(root, PyBool_FromLong(exact)) : NULL;
}

PyObject *integer_iroot_rem(PyObject *self, PyObject *degree)
{
	const cc_bigint *x = value_of(self);
	uint64_t k = degree_of(degree, x);
	const struct cc_progress *progress;
	struct integer *r, *rest;
	int status, waits;
	PyObject *root;
	struct watch w;

	if (!k)
		return NULL;
	r = integer_new(x->length ? (size_t)((x->length - 1) / k) + 1 : 1);
	rest = integer_new(x->length ? x->length : 1);
	if (!r || !rest) {
		Py_XDECREF((PyObject *)r);
		Py_XDECREF((PyObject *)rest);
		return NULL;
	}
	waits = begin(&w, x->length, &progress);
	status = cc_bigint_rootrem(&r->value, &rest->value, x, k, progress);
	if (waits)
		watch_end(&w);
	root = integer_done(r, status);
	if (!root) {
		Py_DECREF((PyObject *)rest);
		return NULL;
	}
	return pair_of(root, integer_done(rest, CC_OK));
}

/* A question about x, whose answer is a bool. */
typedef int question(int *answer, const cc_bigint *x, const struct cc_progress *progress);

static PyObject *answered(PyObject *self, question *work)
{
	const cc_bigint *x = value_of(self);
	const struct cc_progress *progress;
	int status, waits, answer = 0;
	struct watch w;

	/* 2 divides it just once */
	if (x->length && (x->words[0] & 3) == 2)
		Py_RETURN_FALSE;
	waits = begin(&w, x->length, &progress);
	status = work(&answer, x, progress);
	if (waits)
		watch_end(&w);
	if (!status)
		return PyBool_FromLong(answer);
	integer_raise(status);
	return NULL;
}

PyObject *integer_is_square(PyObject *self, PyObject *unused)
{
	(void)unused;
	return answered(self, cc_bigint_is_square);
}

PyObject *integer_is_power(PyObject *self, PyObject *unused)
{
	(void)unused;
	return answered(self, cc_bigint_is_power);
}

static PyObject *divexact(const cc_bigint *x, const cc_bigint *y)
{
	size_t words = x->length > y->length ? x->length - y->length + 1 : 1;
	struct integer *r;
	struct watch w;
	int status;

	if (!y->length) {
		PyErr_SetString(PyExc_ZeroDivisionError, "division by zero");
		return NULL;
	}
	r = integer_new(words);
	if (!r)
		return NULL;
	if (!is_long(words, y->length))
		return integer_done(r, cc_bigint_divexact(&r->value, x, y, NULL));
	watch_begin(&w);
	status = cc_bigint_divexact(&r->value, x, y, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

PyObject *integer_divexact(PyObject *self, PyObject *other)
{
	return with_index(self, other, divexact);
}

static PyObject *without(const cc_bigint *x, const cc_bigint *f)
{
	const struct cc_progress *progress;
	uint64_t count = 0;
	struct integer *r;
	struct watch w;
	PyObject *rest;
	int status, waits;

	if (!f->length || (f->length == 1 && f->words[0] == 1)) {
		PyErr_SetString(PyExc_ValueError, "a factor to remove must not be 0, 1 or -1");
		return NULL;
	}
	r = integer_new(x->length ? x->length : 1);
	if (!r)
		return NULL;
	waits = begin(&w, x->length, &progress);
	status = cc_bigint_remove(&r->value, &count, x, f, progress);
	if (waits)
		watch_end(&w);
	rest = integer_done(r, status);
	return rest ? pair_of(rest, PyLong_FromUnsignedLongLong(count)) : NULL;
}

PyObject *integer_remove(PyObject *self, PyObject *factor)
{
	return with_index(self, factor, without);
}
