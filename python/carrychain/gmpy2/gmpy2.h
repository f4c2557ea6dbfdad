/* SPDX-License-Identifier: MIT */
/*
 * gmpy2.h - mpz and mpq: gmpy2's types, on the limited API.
 *
 * An mpz is what ../bindings/integer makes an Integer, compiled once more for a type of its own:
 * the functions integer_...() take and return mpz here.  An mpq is two of them.
 */
#ifndef CARRYCHAIN_GMPY2_H
#define CARRYCHAIN_GMPY2_H

#include "../bindings/integer/integer.h"

/* mpz.c */

extern PyType_Spec mpz_spec;

/* The mpz of an mpz, an int, or an object with __mpz__(); TypeError with @text for any other. */
PyObject *mpz_of(PyObject *x, const char *text);
/* A function of a module of this package that is written in Python, for self and an argument. */
PyObject *in_python(const char *module, const char *name, PyObject *self, PyObject *argument);

/* text.c */

/* The number that the text is in a base from 2 to 62; NULL or 0: by its prefix, or 10. */
PyObject *mpz_from_text(PyObject *text, PyObject *base);
PyObject *mpz_digits(PyObject *self, PyObject *const *arguments, Py_ssize_t count);

/* fraction.c: arithmetic, whose results are in lowest terms; ZeroDivisionError by division by 0 */

struct fraction {
	PyObject_HEAD PyObject *numerator, *denominator; /* in lowest terms; denominator > 0 */
	Py_hash_t hash;					 /* -1: not computed yet */
};

static inline const struct fraction *fraction_of(PyObject *mpq)
{
	return (const struct fraction *)mpq;
}

/* Of mpz: */

static inline int is_zero(PyObject *x)
{
	return !value_of(x)->length;
}

static inline int is_one(PyObject *x)
{
	return value_of(x)->length == 1 && value_of(x)->words[0] == 1 && !value_of(x)->negative;
}

static inline int is_negative(PyObject *x)
{
	return value_of(x)->negative;
}

/* @work on both, or NULL if one is, after an exception. */
static inline PyObject *applied(binary_operation *work, PyObject *a, PyObject *b)
{
	return a && b ? work(a, b) : NULL;
}

/* Steals both, of which either may be NULL after an exception; they are in lowest terms. */
PyObject *mpq_new(PyObject *numerator, PyObject *denominator);
/* The mpq a / b of two mpz; ZeroDivisionError with @text */
PyObject *fraction_ratio(PyObject *a, PyObject *b, const char *text);

typedef PyObject *fraction_operation(const struct fraction *x, const struct fraction *y);
PyObject *fraction_add(const struct fraction *x, const struct fraction *y);
PyObject *fraction_subtract(const struct fraction *x, const struct fraction *y);
PyObject *fraction_multiply(const struct fraction *x, const struct fraction *y);
PyObject *fraction_divide(const struct fraction *x, const struct fraction *y);
PyObject *fraction_floor_divide(const struct fraction *x, const struct fraction *y);
PyObject *fraction_modulo(const struct fraction *x, const struct fraction *y);
PyObject *fraction_divmod(const struct fraction *x, const struct fraction *y);
/* x^e for an mpz e */
PyObject *fraction_power(const struct fraction *x, PyObject *e);
PyObject *fraction_compare(const struct fraction *x, const struct fraction *y, int how);
/* The mpz next to x: towards 0, below, above. */
PyObject *fraction_truncated(const struct fraction *x);
PyObject *fraction_floor(const struct fraction *x);
PyObject *fraction_ceil(const struct fraction *x);

/* mpq.c */

extern PyTypeObject *mpq_type;
extern PyType_Spec mpq_spec;

/* The mpq of an mpq, an mpz, an int or a fractions.Fraction; NULL without an exception. */
PyObject *mpq_of(PyObject *x);

/* bits.c */

/* The least bit from @from on that is @set, in two's complement; UINT64_MAX: there is none. */
uint64_t bit_from(const cc_bigint *x, uint64_t from, int set);

PyObject *mpz_bit_scan0(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *mpz_bit_scan1(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *mpz_bit_test(PyObject *self, PyObject *n);
PyObject *mpz_bit_set(PyObject *self, PyObject *n);
PyObject *mpz_bit_clear(PyObject *self, PyObject *n);
PyObject *mpz_bit_flip(PyObject *self, PyObject *n);
/* A number of bits, from 0 up; 0 with an exception. */
int bits_of(uint64_t *count, PyObject *n);

/* functions.c, mpmath.c */

extern PyMethodDef functions[], mpmath_functions[];

#endif /* CARRYCHAIN_GMPY2_H */
