// SPDX-License-Identifier: MIT
/* Factorials, primorials, binomial coefficients and Lucas numbers. */
#include "integer.h"

#include <carrychain/fib.h>

#include <string.h>

/* A number >= 0 of 64 bits, which is @what of the function; 0 with an exception. */
static int size_from(uint64_t *n, PyObject *x, const char *name, const char *what)
{
	struct operand value;
	PyObject *index;
	cc_word word;
	int status = 0;

	if (int_fits_word(&word, x)) {
		*n = word;
		return 1;
	}
	index = PyNumber_Index(x);
	if (!index || operand_open(&value, index) < 0) {
		Py_XDECREF(index);
		return 0;
	}
	if (value.value->negative)
		PyErr_Format(PyExc_ValueError, "%s() %s must be nonnegative", name, what);
	else if (cc_bigint_get_u64(n, value.value))
		PyErr_Format(PyExc_OverflowError, "%s() %s must be below 2**64", name, what);
	else
		status = 1;
	operand_close(&value);
	Py_DECREF(index);
	return status;
}

/* Results of so many bits are computed with the GIL held. */
#define SHORT_BITS 10000

/* From so many factors on a result has megabytes. */
#define MANY 2000000

/* Python knows how much memory there is; 0 with an exception if that is too little. */
static int fits(const char *name, uint64_t n, uint64_t k)
{
	PyObject *sizes = PyImport_ImportModule("carrychain.bindings.integer.sizes"), *none;

	none = sizes ? PyObject_CallMethod(sizes, "require", "sKK", name, n, k) : NULL;
	Py_XDECREF(sizes);
	Py_XDECREF(none);
	return none != NULL;
}

/*
 * Where short results are computed, before their length is known.  The GIL protects it, as it does
 * dead objects.
 */
static cc_bigint unmeasured;

static PyObject *measured(int status)
{
	size_t length = unmeasured.length;
	struct integer *r;

	if (status != CC_OK) {
		integer_raise(status);
		return NULL;
	}
	r = integer_new(length ? length : 1);
	if (!r)
		return NULL;
	memcpy(r->room, unmeasured.words, length * sizeof(cc_word));
	return integer_of(r, length, 0);
}

PyObject *integer_product(PyObject *argument, of_a_count *work, const char *name)
{
	struct integer *r;
	struct watch w;
	uint64_t n;
	int status;

	if (!size_from(&n, argument, name, "argument") || (n >= MANY && !fits(name, n, 0)))
		return NULL;
	if (n < SHORT_BITS / 8)
		return measured(work(&unmeasured, n, NULL));
	r = integer_new(0);
	if (!r)
		return NULL;
	watch_begin(&w);
	status = work(&r->value, n, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

PyObject *integer_factorial(PyObject *type, PyObject *argument)
{
	(void)type;
	return integer_product(argument, cc_theory_factorial, "factorial");
}

PyObject *integer_primorial(PyObject *type, PyObject *argument)
{
	(void)type;
	return integer_product(argument, cc_theory_primorial, "primorial");
}

PyObject *integer_lucas(PyObject *type, PyObject *argument)
{
	(void)type;
	return integer_product(argument, cc_lucas, "lucas");
}

PyObject *integer_binomial(PyObject *type, PyObject *const *arguments, Py_ssize_t count)
{
	struct integer *r;
	struct watch w;
	uint64_t n, k, less;
	int status;

	(void)type;
	if (count != 2) {
		PyErr_Format(PyExc_TypeError, "binomial() takes n and k, not %zd arguments", count);
		return NULL;
	}
	if (!size_from(&n, arguments[0], "binomial", "n") ||
	    !size_from(&k, arguments[1], "binomial", "k"))
		return NULL;
	less = k > n ? 0 : k < n - k ? k : n - k;
	if (less >= MANY && !fits("binomial", n, less))
		return NULL;
	if (n < SHORT_BITS)
		return measured(cc_theory_binomial(&unmeasured, n, k, NULL));
	r = integer_new(0);
	if (!r)
		return NULL;
	watch_begin(&w);
	status = cc_theory_binomial(&r->value, n, k, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}
