// SPDX-License-Identifier: MIT
/* Factorials, primorials, binomial coefficients and Lucas numbers. */
#include "integer.h"

#include <carrychain/fib.h>

#include <string.h>

static __attribute__((__noinline__)) int size_of_any(uint64_t *n, PyObject *x, const char *name,
						     const char *what)
{
	PyObject *index = PyNumber_Index(x);
	struct operand value;
	int status = 0;

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

/* A number >= 0 of 64 bits, which is @what of the function; 0 with an exception. */
static inline int size_from(uint64_t *n, PyObject *x, const char *name, const char *what)
{
	cc_word word;

	if (!int_fits_word(&word, x))
		return size_of_any(n, x, name, what);
	*n = word;
	return 1;
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
	if (length == 1)
		r->room[0] = unmeasured.words[0];
	else
		memcpy(r->room, unmeasured.words, length * sizeof(cc_word));
	return integer_of(r, length, 0);
}

/* Of more, and without the GIL. */
static __attribute__((__noinline__)) PyObject *long_product(uint64_t n, of_a_count *work,
							    const char *name)
{
	struct integer *r;
	struct watch w;
	int status;

	if (n >= MANY && !fits(name, n, 0))
		return NULL;
	r = integer_new(0);
	if (!r)
		return NULL;
	watch_begin(&w);
	status = work(&r->value, n, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

static inline PyObject *product(PyObject *argument, of_a_count *work, const char *name)
{
	uint64_t n;

	if (!size_from(&n, argument, name, "argument"))
		return NULL;
	if (n < SHORT_BITS / 8)
		return measured(work(&unmeasured, n, NULL));
	return long_product(n, work, name);
}

PyObject *integer_product(PyObject *argument, of_a_count *work, const char *name)
{
	return product(argument, work, name);
}

PyObject *integer_factorial(PyObject *type, PyObject *argument)
{
	(void)type;
	return product(argument, cc_theory_factorial, "factorial");
}

PyObject *integer_primorial(PyObject *type, PyObject *argument)
{
	(void)type;
	return product(argument, cc_theory_primorial, "primorial");
}

PyObject *integer_lucas(PyObject *type, PyObject *argument)
{
	(void)type;
	return product(argument, cc_lucas, "lucas");
}

static __attribute__((__noinline__)) PyObject *long_binomial(uint64_t n, uint64_t k)
{
	uint64_t less = k > n ? 0 : k < n - k ? k : n - k;
	struct integer *r;
	struct watch w;
	int status;

	if (less >= MANY && !fits("binomial", n, less))
		return NULL;
	r = integer_new(0);
	if (!r)
		return NULL;
	watch_begin(&w);
	status = cc_theory_binomial(&r->value, n, k, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

PyObject *integer_binomial(PyObject *type, PyObject *const *arguments, Py_ssize_t count)
{
	uint64_t n, k;

	(void)type;
	if (count != 2) {
		PyErr_Format(PyExc_TypeError, "binomial() takes n and k, not %zd arguments", count);
		return NULL;
	}
	if (!size_from(&n, arguments[0], "binomial", "n") ||
	    !size_from(&k, arguments[1], "binomial", "k"))
		return NULL;
	if (n < SHORT_BITS)
		return measured(cc_theory_binomial(&unmeasured, n, k, NULL));
	return long_binomial(n, k);
}
