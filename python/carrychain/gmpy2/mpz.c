// SPDX-License-Identifier: MIT
/* The type mpz: what it adds to the methods that it shares with Integer. */
#include "gmpy2.h"

PyTypeObject *integer_type;

const struct integer_texts integer_texts = {
	"mpz",
	"division or modulo by zero",
	"pow() base not invertible",
};

PyObject *in_python(const char *module, const char *name, PyObject *self, PyObject *argument)
{
	PyObject *home = PyImport_ImportModule(module), *result;

	if (!home)
		return NULL;
	if (argument)
		result = PyObject_CallMethod(home, name, "OO", self, argument);
	else
		result = PyObject_CallMethod(home, name, "O", self);
	Py_DECREF(home);
	return result;
}

PyObject *mpz_of(PyObject *x, const char *text)
{
	PyObject *made;

	if (is_integer(x))
		return Py_NewRef(x);
	if (PyLong_Check(x))
		return integer_from_int(x);
	/* an mpq has __mpz__(), which truncates */
	if (Py_TYPE(x) != mpq_type && PyObject_HasAttrString(x, "__mpz__") &&
	    !PyObject_HasAttrString(x, "__mpq__")) {
		made = PyObject_CallMethod(x, "__mpz__", NULL);
		if (!made || is_integer(made))
			return made;
		Py_DECREF(made);
	}
	PyErr_SetString(PyExc_TypeError, text);
	return NULL;
}

/* An mpz or an mpq of a number of another class; NULL without an exception if it is none. */
static PyObject *converted(PyObject *x)
{
	if (PyObject_HasAttrString(x, "__mpz__") && !PyObject_HasAttrString(x, "__mpq__"))
		return mpz_of(x, "cannot convert object to mpz");
	return mpq_of(x);
}

/* Numbers of other types: ints and floats as int does it, fractions as mpq does it. */
PyObject *as_ints(PyObject *a, PyObject *b, binary_operation *by)
{
	PyObject *other = is_integer(a) ? b : a, *x, *y, *result = NULL;

	if (!PyLong_Check(other) && !is_integer(other) && !PyFloat_Check(other) &&
	    !PyComplex_Check(other)) {
		x = Py_TYPE(other) == mpq_type ? NULL : converted(other);
		if (x)
			result = other == b ? by(a, x) : by(x, b);
		else if (!PyErr_Occurred())
			result = Py_NewRef(Py_NotImplemented);
		Py_XDECREF(x);
		return result;
	}
	x = is_integer(a) ? integer_int(a) : Py_NewRef(a);
	y = is_integer(b) ? integer_int(b) : Py_NewRef(b);
	if (x && y)
		result = by(x, y);
	Py_XDECREF(x);
	Py_XDECREF(y);
	return result;
}

PyObject *integer_float(PyObject *self)
{
	PyObject *same;
	double x = -1;

	/* every float is below 2^1024: refuse before the conversion */
	if (cc_bigint_bit_length(value_of(self)) > 1024) {
		PyErr_SetString(PyExc_OverflowError, "'mpz' too large to convert to float");
		return NULL;
	}
	same = integer_int(self);
	if (same)
		x = PyLong_AsDouble(same);
	Py_XDECREF(same);
	return x == -1 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(x);
}

/* A float: without MPFR there is nothing longer that would round as gmpy2's result does. */
static PyObject *true_divide(PyObject *a, PyObject *b)
{
	if ((is_integer(b) && !value_of(b)->length) || (PyLong_Check(b) && !PyObject_IsTrue(b))) {
		if (PyComplex_Check(a) || PyFloat_Check(a) || PyLong_Check(a) || is_integer(a)) {
			PyErr_SetString(PyExc_ZeroDivisionError, integer_texts.division_by_zero);
			return NULL;
		}
	}
	return as_ints(a, b, PyNumber_TrueDivide);
}

static PyObject *compare(PyObject *self, PyObject *other, int how)
{
	PyObject *x, *result;

	if (is_integer(other) || PyLong_Check(other) || PyFloat_Check(other) ||
	    Py_TYPE(other) == mpq_type)
		return integer_compare(self, other, how);
	x = converted(other);
	if (!x)
		return PyErr_Occurred() ? NULL : integer_compare(self, other, how);
	result = PyObject_RichCompare(self, x, how);
	Py_DECREF(x);
	return result;
}

/* OverflowError for a negative count, where >> has ValueError. */
static PyObject *lshift(PyObject *a, PyObject *b)
{
	PyObject *result = integer_lshift(a, b);

	if (!result && PyErr_ExceptionMatches(PyExc_ValueError))
		PyErr_SetString(PyExc_OverflowError, "can't convert negative int to unsigned");
	return result;
}

/* Too long a power is a ValueError. */
static PyObject *power(PyObject *a, PyObject *b, PyObject *modulus)
{
	PyObject *result = integer_power(a, b, modulus);

	if (!result && PyErr_ExceptionMatches(PyExc_MemoryError))
		PyErr_SetString(PyExc_ValueError, "pow() outrageous exponent");
	return result;
}

static PyObject *from_number(PyObject *x)
{
	PyObject *whole, *result;

	if (is_integer(x))
		return Py_NewRef(x);
	if (PyLong_Check(x))
		return integer_from_int(x);
	if (!PyFloat_Check(x))
		return in_python("carrychain.gmpy2.conversion", "mpz_from", x, NULL);
	whole = PyNumber_Long(x);
	if (!whole) {
		if (PyErr_ExceptionMatches(PyExc_OverflowError))
			PyErr_SetString(PyExc_OverflowError, "'mpz' does not support Infinity");
		else if (PyErr_ExceptionMatches(PyExc_ValueError))
			PyErr_SetString(PyExc_ValueError, "'mpz' does not support NaN");
		return NULL;
	}
	result = integer_from_int(whole);
	Py_DECREF(whole);
	return result;
}

static PyObject *new_object(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	static char *names[] = {"", "base", NULL};
	PyObject *x = NULL, *base = NULL;

	(void)type;
	if (!keywords && PyTuple_Size(arguments) == 1)
		x = PyTuple_GetItem(arguments, 0);
	else if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:mpz", names, &x, &base))
		return NULL;
	if (!x && !base)
		return integer_from_i64(0);
	if (x && (PyUnicode_Check(x) || PyBytes_Check(x) || PyByteArray_Check(x)))
		return mpz_from_text(x, base);
	if (!x || base) {
		PyErr_SetString(PyExc_TypeError,
				"mpz() with number argument only takes 1 argument");
		return NULL;
	}
	return from_number(x);
}

static PyObject *repr(PyObject *self)
{
	PyObject *digits = integer_str(self), *result;

	if (!digits)
		return NULL;
	result = PyUnicode_FromFormat("mpz(%U)", digits);
	Py_DECREF(digits);
	return result;
}

static PyObject *format(PyObject *self, PyObject *spec)
{
	return in_python("carrychain.gmpy2.conversion", "formatted", self, spec);
}

static PyObject *rounded(PyObject *self, PyObject *arguments)
{
	PyObject *digits = NULL;

	if (!PyArg_ParseTuple(arguments, "|O:__round__", &digits))
		return NULL;
	if (!digits || digits == Py_None)
		return Py_NewRef(self);
	return in_python("carrychain.gmpy2.conversion", "rounded", self, digits);
}

static PyObject *to_array(PyObject *self, PyObject *arguments, PyObject *keywords)
{
	static char *names[] = {"dtype", "copy", NULL};
	PyObject *type = Py_None, *copy = Py_None;

	if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:__array__", names, &type, &copy))
		return NULL;
	return in_python("carrychain.gmpy2.conversion", "array_of", self, type);
}

static Py_ssize_t length(PyObject *self)
{
	uint64_t bits = cc_bigint_bit_length(value_of(self));

	return bits ? (Py_ssize_t)bits : 1;
}

static PyObject *item(PyObject *self, PyObject *key)
{
	return in_python("carrychain.gmpy2.conversion", "bits_at", self, key);
}

static PyObject *get_one(PyObject *self, void *unused)
{
	(void)self, (void)unused;
	return integer_from_i64(1);
}

static PyObject *is_even(PyObject *self, PyObject *unused)
{
	const cc_bigint *x = value_of(self);

	(void)unused;
	return PyBool_FromLong(!x->length || !(x->words[0] & 1));
}

static PyObject *is_odd(PyObject *self, PyObject *unused)
{
	const cc_bigint *x = value_of(self);

	(void)unused;
	return PyBool_FromLong(x->length && (x->words[0] & 1));
}

/* Methods that are functions of the module, with self as their first argument. */
static PyObject *as_function(const char *name, PyObject *self, PyObject *arguments)
{
	PyObject *module = PyImport_ImportModule("carrychain.gmpy2"), *function, *first, *all;
	PyObject *result = NULL;

	function = module ? PyObject_GetAttrString(module, name) : NULL;
	first = PyTuple_Pack(1, self);
	all = first ? PySequence_Concat(first, arguments) : NULL;
	if (function && all)
		result = PyObject_CallObject(function, all);
	Py_XDECREF(module);
	Py_XDECREF(function);
	Py_XDECREF(first);
	Py_XDECREF(all);
	return result;
}

#define AS_FUNCTION(name)                                                                          \
	static PyObject *name(PyObject *self, PyObject *arguments)                                 \
	{                                                                                          \
		return as_function(#name, self, arguments);                                        \
	}

AS_FUNCTION(is_congruent)
AS_FUNCTION(is_divisible)
AS_FUNCTION(is_prime)
AS_FUNCTION(is_probab_prime)
AS_FUNCTION(num_digits)

static PyGetSetDef attributes[] = {
	{"real", integer_get_itself, NULL, "The number itself.", NULL},
	{"imag", integer_get_zero, NULL, "mpz(0).", NULL},
	{"numerator", integer_get_itself, NULL, "The number itself.", NULL},
	{"denominator", get_one, NULL, "mpz(1).", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

#define FAST(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef methods[] = {
	{"digits", FAST(mpz_digits), METH_FASTCALL,
	 "digits($self, base=10, /)\n--\n\nThe digits in a base from 2 to 62, or from -36 to -2: "
	 "in upper case."},
	{"num_digits", num_digits, METH_VARARGS,
	 "num_digits($self, base=10, /)\n--\n\nThe number of digits in the base; it may be 1 too "
	 "large."},
	{"bit_length", integer_bit_length, METH_NOARGS,
	 "bit_length($self, /)\n--\n\nThe number of bits in its magnitude; 0 for 0."},
	{"bit_count", integer_bit_count, METH_NOARGS,
	 "bit_count($self, /)\n--\n\nThe number of one bits in its magnitude."},
	{"bit_scan0", FAST(mpz_bit_scan0), METH_FASTCALL,
	 "bit_scan0($self, n=0, /)\n--\n\nThe least clear bit from n on; None if there is none."},
	{"bit_scan1", FAST(mpz_bit_scan1), METH_FASTCALL,
	 "bit_scan1($self, n=0, /)\n--\n\nThe least set bit from n on; None if there is none."},
	{"bit_test", mpz_bit_test, METH_O, "bit_test($self, n, /)\n--\n\nWhether bit n is set."},
	{"bit_set", mpz_bit_set, METH_O, "bit_set($self, n, /)\n--\n\nA copy with bit n set."},
	{"bit_clear", mpz_bit_clear, METH_O,
	 "bit_clear($self, n, /)\n--\n\nA copy with bit n cleared."},
	{"bit_flip", mpz_bit_flip, METH_O,
	 "bit_flip($self, n, /)\n--\n\nA copy with bit n inverted."},
	{"is_even", is_even, METH_NOARGS, "is_even($self, /)\n--\n\nWhether it is even."},
	{"is_odd", is_odd, METH_NOARGS, "is_odd($self, /)\n--\n\nWhether it is odd."},
	{"is_square", integer_is_square, METH_NOARGS,
	 "is_square($self, /)\n--\n\nWhether it is the square of an integer."},
	{"is_power", integer_is_power, METH_NOARGS,
	 "is_power($self, /)\n--\n\nWhether it is a**b for integers a and b >= 2."},
	{"is_prime", is_prime, METH_VARARGS,
	 "is_prime($self, n=25, /)\n--\n\nWhether it is prime, by the Baillie-PSW test."},
	{"is_probab_prime", is_probab_prime, METH_VARARGS,
	 "is_probab_prime($self, n=25, /)\n--\n\n2: it is prime, 1: it is probably prime, 0: it "
	 "is not."},
	{"is_congruent", is_congruent, METH_VARARGS,
	 "is_congruent($self, y, m, /)\n--\n\nWhether it is y modulo m."},
	{"is_divisible", is_divisible, METH_VARARGS,
	 "is_divisible($self, d, /)\n--\n\nWhether it is a multiple of d."},
	{"is_integer", integer_is_integer, METH_NOARGS, "is_integer($self, /)\n--\n\nTrue."},
	{"as_integer_ratio", integer_as_integer_ratio, METH_NOARGS,
	 "as_integer_ratio($self, /)\n--\n\nThe pair (self, mpz(1))."},
	{"conjugate", integer_itself, METH_NOARGS, "conjugate($self, /)\n--\n\nThe number itself."},
	{"to_bytes", FAST(integer_to_bytes), METH_FASTCALL | METH_KEYWORDS,
	 "to_bytes($self, /, length=1, byteorder='big', *, signed=False)\n--\n\n"
	 "The number in length bytes, in two's complement if signed."},
	{"from_bytes", FAST(integer_from_bytes), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
	 "from_bytes($type, /, bytes, byteorder='big', *, signed=False)\n--\n\n"
	 "The value of the bytes in a buffer or an iterable."},
	{"__trunc__", integer_itself, METH_NOARGS, "__trunc__($self, /)\n--\n\nThe number itself."},
	{"__floor__", integer_itself, METH_NOARGS, "__floor__($self, /)\n--\n\nThe number itself."},
	{"__ceil__", integer_itself, METH_NOARGS, "__ceil__($self, /)\n--\n\nThe number itself."},
	{"__round__", rounded, METH_VARARGS,
	 "__round__($self, ndigits=None, /)\n--\n\nThe nearest multiple of 10**-n, ties to even."},
	{"__format__", format, METH_O,
	 "__format__($self, format_spec, /)\n--\n\nThe number by gmpy2's format specification."},
	{"__sizeof__", integer_sizeof, METH_NOARGS,
	 "__sizeof__($self, /)\n--\n\nThe bytes of memory it takes, including its words."},
	{"__array__", FAST(to_array), METH_VARARGS | METH_KEYWORDS,
	 "__array__($self, dtype=None, copy=None)\n--\n\nA NumPy scalar of it."},
	{"__reduce__", integer_reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nFor pickle."},
	{"__copy__", integer_itself, METH_NOARGS,
	 "__copy__($self, /)\n--\n\nThe number itself: it is immutable."},
	{"__deepcopy__", integer_itself, METH_O,
	 "__deepcopy__($self, memo, /)\n--\n\nThe number itself: it is immutable."},
	{NULL, NULL, 0, NULL},
};

static const char doc[] =
	"mpz(n=0, /)\nmpz(s, /, base=0)\n\n"
	"An exact integer of any size: gmpy2's mpz, over carrychain's arithmetic.\n\n"
	"Operands may be ints; results are mpz.  With a Fraction or an mpq they are mpq, and with\n"
	"a float, or by /, they are floats, where gmpy2 has mpfr.  A number n is truncated.  The\n"
	"digits s are in a base from 2 to 62; with base 0 the prefixes 0b, 0o and 0x count.  "
	"White\n"
	"space and underscores in s are ignored.";

static PyType_Slot slots[] = {
	{Py_tp_doc, (void *)doc},
	{Py_tp_new, new_object},
	{Py_tp_dealloc, integer_dealloc},
	{Py_tp_repr, repr},
	{Py_tp_str, integer_str},
	{Py_tp_hash, integer_hash},
	{Py_tp_richcompare, compare},
	{Py_tp_methods, methods},
	{Py_tp_getset, attributes},
	{Py_mp_length, length},
	{Py_mp_subscript, item},
	{Py_nb_add, integer_add},
	{Py_nb_subtract, integer_subtract},
	{Py_nb_multiply, integer_multiply},
	{Py_nb_floor_divide, integer_floor_divide},
	{Py_nb_remainder, integer_remainder},
	{Py_nb_divmod, integer_divmod},
	{Py_nb_true_divide, true_divide},
	{Py_nb_power, power},
	{Py_nb_negative, integer_negative},
	{Py_nb_positive, integer_positive},
	{Py_nb_absolute, integer_absolute},
	{Py_nb_bool, integer_bool},
	{Py_nb_invert, integer_invert},
	{Py_nb_lshift, lshift},
	{Py_nb_rshift, integer_rshift},
	{Py_nb_and, integer_and},
	{Py_nb_or, integer_or},
	{Py_nb_xor, integer_xor},
	{Py_nb_int, integer_int},
	{Py_nb_float, integer_float},
	{Py_nb_index, integer_int},
	{0, NULL},
};

PyType_Spec mpz_spec = {
	.name = "carrychain.gmpy2.mpz",
	.basicsize = sizeof(struct integer),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
