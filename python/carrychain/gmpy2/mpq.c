// SPDX-License-Identifier: MIT
/* The type mpq: fractions, made of and compared with numbers of other types. */
#include "gmpy2.h"

PyTypeObject *mpq_type;

static PyObject *whole(PyObject *steals)
{
	return steals ? mpq_new(steals, integer_from_i64(1)) : NULL;
}

static PyObject *fraction_type;

/* The numerator and the denominator of a number that has them, as any Rational. */
static PyObject *from_parts(PyObject *x)
{
	PyObject *a = PyObject_GetAttrString(x, "numerator"), *n, *d, *result = NULL;
	PyObject *b = a ? PyObject_GetAttrString(x, "denominator") : NULL;

	n = b ? mpz_of(a, "cannot convert object to mpq") : NULL;
	d = n ? mpz_of(b, "cannot convert object to mpq") : NULL;
	if (d)
		result = fraction_ratio(n, d, "zero denominator in mpq()");
	Py_XDECREF(a);
	Py_XDECREF(b);
	Py_XDECREF(n);
	Py_XDECREF(d);
	return result;
}

static PyObject *from_method(PyObject *x)
{
	PyObject *made = PyObject_CallMethod(x, "__mpq__", NULL);

	if (made && Py_TYPE(made) != mpq_type) {
		PyErr_SetString(PyExc_TypeError, "cannot convert object to mpq");
		Py_CLEAR(made);
	}
	return made;
}

PyObject *mpq_of(PyObject *x)
{
	PyObject *module;
	int is_fraction;

	if (Py_TYPE(x) == mpq_type)
		return Py_NewRef(x);
	if (is_integer(x))
		return whole(Py_NewRef(x));
	if (PyLong_Check(x))
		return whole(integer_from_int(x));
	if (PyFloat_Check(x) || PyComplex_Check(x) || PyUnicode_Check(x))
		return NULL;
	if (!fraction_type) {
		module = PyImport_ImportModule("fractions");
		fraction_type = module ? PyObject_GetAttrString(module, "Fraction") : NULL;
		Py_XDECREF(module);
		if (!fraction_type)
			return NULL;
	}
	is_fraction = PyObject_IsInstance(x, fraction_type);
	if (is_fraction)
		return is_fraction > 0 ? from_parts(x) : NULL;
	if (PyObject_HasAttrString(x, "__mpq__"))
		return from_method(x);
	if (PyObject_HasAttrString(x, "__mpz__"))
		return whole(mpz_of(x, "cannot convert object to mpq"));
	return NULL;
}

/* @work if both are exact, else @otherwise of a float and the other operand. */
static PyObject *exactly_or(PyObject *a, PyObject *b, fraction_operation *work,
			    binary_operation *otherwise)
{
	PyObject *other = Py_TYPE(a) == mpq_type ? b : a, *x, *y, *result;

	if (PyFloat_Check(other) || PyComplex_Check(other)) {
		x = Py_TYPE(a) == mpq_type ? PyNumber_Float(a) : Py_NewRef(a);
		y = Py_TYPE(b) == mpq_type ? PyNumber_Float(b) : Py_NewRef(b);
		result = applied(otherwise, x, y);
		Py_XDECREF(x);
		Py_XDECREF(y);
		return result;
	}
	x = mpq_of(a);
	y = x ? mpq_of(b) : NULL;
	if (y)
		result = work(fraction_of(x), fraction_of(y));
	else
		result = PyErr_Occurred() ? NULL : Py_NewRef(Py_NotImplemented);
	Py_XDECREF(x);
	Py_XDECREF(y);
	return result;
}

#define OPERATION(name, work, otherwise)                                                           \
	static PyObject *name(PyObject *a, PyObject *b)                                            \
	{                                                                                          \
		return exactly_or(a, b, work, otherwise);                                          \
	}

OPERATION(mpq_add, fraction_add, PyNumber_Add)
OPERATION(mpq_subtract, fraction_subtract, PyNumber_Subtract)
OPERATION(mpq_multiply, fraction_multiply, PyNumber_Multiply)
OPERATION(mpq_divide, fraction_divide, PyNumber_TrueDivide)
OPERATION(mpq_floor_divide, fraction_floor_divide, PyNumber_FloorDivide)
OPERATION(mpq_remainder, fraction_modulo, PyNumber_Remainder)
OPERATION(mpq_divmod, fraction_divmod, PyNumber_Divmod)

/* A float, or the number itself if it is complex; NULL without an exception if it is no number. */
static PyObject *inexact(PyObject *x)
{
	PyObject *fraction, *result;

	if (PyComplex_Check(x) || PyFloat_Check(x))
		return Py_NewRef(x);
	fraction = mpq_of(x);
	result = fraction ? PyNumber_Float(fraction) : NULL;
	Py_XDECREF(fraction);
	return result;
}

/* Exact for whole exponents; else the power of two floats. */
static PyObject *mpq_power(PyObject *a, PyObject *b, PyObject *modulus)
{
	PyObject *x, *y, *result = NULL;

	if (modulus != Py_None) {
		PyErr_SetString(PyExc_TypeError,
				"pow() 3rd argument not allowed unless all arguments are integers");
		return NULL;
	}
	if (Py_TYPE(a) == mpq_type && (is_integer(b) || PyLong_Check(b))) {
		y = mpz_of(b, "");
		result = y ? fraction_power(fraction_of(a), y) : NULL;
		Py_XDECREF(y);
		return result;
	}
	x = inexact(a);
	y = x ? inexact(b) : NULL;
	if (y)
		result = PyNumber_Power(x, y, Py_None);
	else if (!PyErr_Occurred())
		result = Py_NewRef(Py_NotImplemented);
	Py_XDECREF(x);
	Py_XDECREF(y);
	return result;
}

static PyObject *mpq_negative(PyObject *self)
{
	const struct fraction *x = fraction_of(self);

	return mpq_new(integer_negative(x->numerator), Py_NewRef(x->denominator));
}

static PyObject *mpq_positive(PyObject *self)
{
	return Py_NewRef(self);
}

static PyObject *mpq_absolute(PyObject *self)
{
	return is_negative(fraction_of(self)->numerator) ? mpq_negative(self) : Py_NewRef(self);
}

static int mpq_bool(PyObject *self)
{
	return !is_zero(fraction_of(self)->numerator);
}

static PyObject *mpq_int(PyObject *self)
{
	PyObject *q = fraction_truncated(fraction_of(self)), *result = q ? integer_int(q) : NULL;

	Py_XDECREF(q);
	return result;
}

/* int's division rounds to the nearest float, whatever the operands' lengths. */
static PyObject *mpq_float(PyObject *self)
{
	const struct fraction *x = fraction_of(self);
	PyObject *n = integer_int(x->numerator), *d = integer_int(x->denominator);
	PyObject *result = applied(PyNumber_TrueDivide, n, d);

	Py_XDECREF(n);
	Py_XDECREF(d);
	return result;
}

/* With floats and decimals, as a Fraction compares. */
static PyObject *mpq_compare(PyObject *self, PyObject *other, int how)
{
	PyObject *y = mpq_of(other), *as_fraction, *result;

	if (y) {
		result = fraction_compare(fraction_of(self), fraction_of(y), how);
		Py_DECREF(y);
		return result;
	}
	if (PyErr_Occurred())
		return NULL;
	if (!PyNumber_Check(other))
		Py_RETURN_NOTIMPLEMENTED;
	as_fraction = in_python("carrychain.gmpy2.conversion", "fraction_of", self, NULL);
	result = as_fraction ? PyObject_RichCompare(as_fraction, other, how) : NULL;
	Py_XDECREF(as_fraction);
	return result;
}

static Py_hash_t mpq_hash(PyObject *self)
{
	struct fraction *x = (struct fraction *)self;
	PyObject *as_fraction;

	if (is_one(x->denominator))
		return integer_hash(x->numerator);
	if (x->hash == -1) {
		as_fraction = in_python("carrychain.gmpy2.conversion", "fraction_of", self, NULL);
		if (!as_fraction)
			return -1;
		x->hash = PyObject_Hash(as_fraction);
		Py_DECREF(as_fraction);
	}
	return x->hash;
}

static PyObject *repr(PyObject *self)
{
	const struct fraction *x = fraction_of(self);
	PyObject *n = integer_str(x->numerator), *d = integer_str(x->denominator);
	PyObject *result = n && d ? PyUnicode_FromFormat("mpq(%U,%U)", n, d) : NULL;

	Py_XDECREF(n);
	Py_XDECREF(d);
	return result;
}

static PyObject *str(PyObject *self)
{
	const struct fraction *x = fraction_of(self);
	PyObject *n = integer_str(x->numerator), *d, *result;

	if (!n || is_one(x->denominator))
		return n;
	d = integer_str(x->denominator);
	result = d ? PyUnicode_FromFormat("%U/%U", n, d) : NULL;
	Py_DECREF(n);
	Py_XDECREF(d);
	return result;
}

static void dealloc(PyObject *self)
{
	struct fraction *x = (struct fraction *)self;
	PyTypeObject *type = Py_TYPE(self);

	Py_DECREF(x->numerator);
	Py_DECREF(x->denominator);
	PyObject_Free(self);
	Py_DECREF(type);
}

static const char unusable[] = "mpq() requires numeric or string argument";

/* mpq(n, m) */
static PyObject *quotient(PyObject *n, PyObject *m)
{
	PyObject *x = mpq_of(n), *y = x ? mpq_of(m) : NULL, *result = NULL;

	if (y && !is_zero(fraction_of(y)->numerator))
		result = fraction_divide(fraction_of(x), fraction_of(y));
	else if (y)
		PyErr_SetString(PyExc_ZeroDivisionError, "zero denominator in mpq()");
	else if (!PyErr_Occurred())
		PyErr_SetString(PyExc_TypeError, unusable);
	Py_XDECREF(x);
	Py_XDECREF(y);
	return result;
}

static PyObject *new_object(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	PyObject *x = NULL, *m = NULL, *base = NULL, *result;
	Py_ssize_t count = PyTuple_Size(arguments);

	(void)type;
	if (count > 2 || (!count && keywords && PyDict_Size(keywords))) {
		PyErr_SetString(PyExc_TypeError,
				count ? "mpq() takes at most 2 arguments"
				      : "mpq() requires at least one non-keyword argument");
		return NULL;
	}
	if (!count)
		return whole(integer_from_i64(0));
	x = PyTuple_GetItem(arguments, 0);
	m = count > 1 ? PyTuple_GetItem(arguments, 1) : NULL;
	if (keywords) {
		base = PyDict_GetItemString(keywords, "base");
		if (PyDict_Size(keywords) > (base != NULL)) {
			PyErr_SetString(PyExc_TypeError, "mpq() takes no keyword but 'base'");
			return NULL;
		}
	}
	if (PyUnicode_Check(x) || PyBytes_Check(x) || PyByteArray_Check(x)) {
		if (!base)
			base = m ? m : Py_None;
		return in_python("carrychain.gmpy2.conversion", "mpq_from_text", x, base);
	}
	if (base) {
		PyErr_SetString(PyExc_TypeError, unusable);
		return NULL;
	}
	if (m)
		return quotient(x, m);
	result = mpq_of(x);
	if (result || PyErr_Occurred())
		return result;
	return in_python("carrychain.gmpy2.conversion", "mpq_from", x, NULL);
}

static PyObject *get_numerator(PyObject *self, void *unused)
{
	(void)unused;
	return Py_NewRef(fraction_of(self)->numerator);
}

static PyObject *get_denominator(PyObject *self, void *unused)
{
	(void)unused;
	return Py_NewRef(fraction_of(self)->denominator);
}

static PyGetSetDef attributes[] = {
	{"numerator", get_numerator, NULL, "The numerator, an mpz.", NULL},
	{"denominator", get_denominator, NULL, "The denominator, an mpz above 0.", NULL},
	{"real", integer_get_itself, NULL, "The number itself.", NULL},
	{"imag", integer_get_zero, NULL, "mpz(0).", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyObject *trunc_(PyObject *self, PyObject *unused)
{
	(void)unused;
	return fraction_truncated(fraction_of(self));
}

static PyObject *floor_(PyObject *self, PyObject *unused)
{
	(void)unused;
	return fraction_floor(fraction_of(self));
}

static PyObject *ceil_(PyObject *self, PyObject *unused)
{
	(void)unused;
	return fraction_ceil(fraction_of(self));
}

static PyObject *rounded(PyObject *self, PyObject *arguments)
{
	PyObject *digits = Py_None;

	if (!PyArg_ParseTuple(arguments, "|O:__round__", &digits))
		return NULL;
	return in_python("carrychain.gmpy2.conversion", "rounded_fraction", self, digits);
}

static PyObject *as_integer_ratio(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyTuple_Pack(2, fraction_of(self)->numerator, fraction_of(self)->denominator);
}

static PyObject *is_integer_(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyBool_FromLong(is_one(fraction_of(self)->denominator));
}

static PyObject *digits(PyObject *self, PyObject *arguments)
{
	PyObject *base = Py_None;

	if (!PyArg_ParseTuple(arguments, "|O:digits", &base))
		return NULL;
	return in_python("carrychain.gmpy2.conversion", "fraction_digits", self, base);
}

static PyObject *limit_denominator(PyObject *self, PyObject *arguments, PyObject *keywords)
{
	static char *names[] = {"max_denominator", NULL};
	PyObject *most = Py_None;

	if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:limit_denominator", names, &most))
		return NULL;
	return in_python("carrychain.gmpy2.conversion", "limit_denominator", self, most);
}

static PyObject *from_float(PyObject *type, PyObject *x)
{
	(void)type;
	return in_python("carrychain.gmpy2.conversion", "from_ratio", x, NULL);
}

static PyObject *size(PyObject *self, PyObject *unused)
{
	(void)self, (void)unused;
	return PyLong_FromSize_t(sizeof(struct fraction));
}

static PyObject *reduce(PyObject *self, PyObject *unused)
{
	const struct fraction *x = fraction_of(self);

	(void)unused;
	return Py_BuildValue("O(OO)", (PyObject *)mpq_type, x->numerator, x->denominator);
}

static PyMethodDef methods[] = {
	{"as_integer_ratio", as_integer_ratio, METH_NOARGS,
	 "as_integer_ratio($self, /)\n--\n\nThe pair (numerator, denominator)."},
	{"conjugate", integer_itself, METH_NOARGS, "conjugate($self, /)\n--\n\nThe number itself."},
	{"digits", digits, METH_VARARGS,
	 "digits($self, base=10, /)\n--\n\nThe digits of both parts, in a base from 2 to 62."},
	{"from_float", from_float, METH_O | METH_CLASS,
	 "from_float($type, f, /)\n--\n\nThe exact value of a float or an integer."},
	{"from_decimal", from_float, METH_O | METH_CLASS,
	 "from_decimal($type, dec, /)\n--\n\nThe exact value of a Decimal or an integer."},
	{"is_integer", is_integer_, METH_NOARGS,
	 "is_integer($self, /)\n--\n\nWhether the denominator is 1."},
	{"limit_denominator", (PyCFunction)(void (*)(void))limit_denominator,
	 METH_VARARGS | METH_KEYWORDS,
	 "limit_denominator($self, max_denominator=1000000)\n--\n\n"
	 "The closest fraction whose denominator is at most max_denominator."},
	{"__trunc__", trunc_, METH_NOARGS, "__trunc__($self, /)\n--\n\nThe mpz towards 0."},
	{"__floor__", floor_, METH_NOARGS,
	 "__floor__($self, /)\n--\n\nThe greatest mpz that is not above it."},
	{"__ceil__", ceil_, METH_NOARGS,
	 "__ceil__($self, /)\n--\n\nThe least mpz that is not below it."},
	{"__round__", rounded, METH_VARARGS,
	 "__round__($self, ndigits=None, /)\n--\n\nThe nearest mpz, or multiple of 10**-n."},
	{"__sizeof__", size, METH_NOARGS,
	 "__sizeof__($self, /)\n--\n\nThe bytes of memory it takes, without its two mpz."},
	{"__reduce__", reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nFor pickle."},
	{"__copy__", integer_itself, METH_NOARGS,
	 "__copy__($self, /)\n--\n\nThe number itself: it is immutable."},
	{"__deepcopy__", integer_itself, METH_O,
	 "__deepcopy__($self, memo, /)\n--\n\nThe number itself: it is immutable."},
	{NULL, NULL, 0, NULL},
};

static const char doc[] =
	"mpq(n=0, /)\nmpq(n, m, /)\nmpq(s, /, base=10)\n\n"
	"A fraction in lowest terms of two mpz: gmpy2's mpq.\n\n"
	"n and m are rational numbers, or n alone is a float or a Decimal, taken exactly.  The "
	"text\n"
	"s is two integers of the base with / between them, one integer, or, in base 10, a number\n"
	"with a point or an exponent.";

static PyType_Slot slots[] = {
	{Py_tp_doc, (void *)doc},
	{Py_tp_new, new_object},
	{Py_tp_dealloc, dealloc},
	{Py_tp_repr, repr},
	{Py_tp_str, str},
	{Py_tp_hash, mpq_hash},
	{Py_tp_richcompare, mpq_compare},
	{Py_tp_methods, methods},
	{Py_tp_getset, attributes},
	{Py_nb_add, mpq_add},
	{Py_nb_subtract, mpq_subtract},
	{Py_nb_multiply, mpq_multiply},
	{Py_nb_floor_divide, mpq_floor_divide},
	{Py_nb_remainder, mpq_remainder},
	{Py_nb_divmod, mpq_divmod},
	{Py_nb_true_divide, mpq_divide},
	{Py_nb_power, mpq_power},
	{Py_nb_negative, mpq_negative},
	{Py_nb_positive, mpq_positive},
	{Py_nb_absolute, mpq_absolute},
	{Py_nb_bool, mpq_bool},
	{Py_nb_int, mpq_int},
	{Py_nb_float, mpq_float},
	{0, NULL},
};

PyType_Spec mpq_spec = {
	.name = "carrychain.gmpy2.mpq",
	.basicsize = sizeof(struct fraction),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
