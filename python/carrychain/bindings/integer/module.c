// SPDX-License-Identifier: MIT
/* The type and its module. */
#include "integer.h"

#include <string.h>

PyTypeObject *integer_type;

const struct integer_texts integer_texts = {
	"Integer",
	"integer division or modulo by zero",
	"base is not invertible for the given modulus",
};

/* Calls a rarely used method, which is written in Python in __init__.py. */
static PyObject *in_python(const char *name, PyObject *self, PyObject *argument)
{
	PyObject *module = PyImport_ImportModule("carrychain.bindings.integer"), *result;

	if (!module)
		return NULL;
	if (argument)
		result = PyObject_CallMethod(module, name, "OO", self, argument);
	else
		result = PyObject_CallMethod(module, name, "O", self);
	Py_DECREF(module);
	return result;
}

/*
 * Up to this many bits, repr() shows all digits, and format() uses int's: its limit of digits is
 * never below 640.
 */
#define SHORT_BITS 1000

static int is_short(PyObject *self)
{
	return cc_bigint_bit_length(value_of(self)) <= SHORT_BITS;
}

static PyObject *repr(PyObject *self)
{
	PyObject *digits, *result;

	if (!is_short(self))
		return in_python("abridged", self, NULL);
	digits = integer_str(self);
	if (!digits)
		return NULL;
	result = PyUnicode_FromFormat("Integer(%U)", digits);
	Py_DECREF(digits);
	return result;
}

static PyObject *format(PyObject *self, PyObject *spec)
{
	PyObject *same, *result;

	if (!PyUnicode_Check(spec)) {
		PyErr_Format(PyExc_TypeError, "__format__() argument must be str, not %R",
			     (PyObject *)Py_TYPE(spec));
		return NULL;
	}
	if (!is_short(self))
		return in_python("formatted", self, spec);
	same = integer_int(self);
	if (!same)
		return NULL;
	result = PyObject_Format(same, spec);
	Py_DECREF(same);
	return result;
}

static PyObject *rounded(PyObject *self, PyObject *arguments)
{
	PyObject *digits = NULL;

	if (!PyArg_ParseTuple(arguments, "|O:__round__", &digits))
		return NULL;
	return digits && digits != Py_None ? in_python("rounded", self, digits) : Py_NewRef(self);
}

static PyObject *in_sympy(PyObject *self, PyObject *unused)
{
	(void)unused;
	return in_python("in_sympy", self, NULL);
}

/* Ignores a printer's other arguments: they say how to write a power, and an Integer is none. */
static PyObject *printed_by_sympy(PyObject *self, PyObject *arguments, PyObject *keywords)
{
	PyObject *printer;

	(void)keywords;
	if (!PyArg_ParseTuple(arguments, "O", &printer))
		return NULL;
	return in_python("printed_by_sympy", self, printer);
}

static PyObject *to_decimal(PyObject *self, PyObject *unused)
{
	(void)unused;
	return integer_str(self);
}

/* The numerator and denominator are ints: decimal's comparisons require that. */
static PyObject *get_numerator(PyObject *self, void *unused)
{
	(void)unused;
	return integer_int(self);
}

static PyObject *get_denominator(PyObject *self, void *unused)
{
	(void)self, (void)unused;
	return PyLong_FromLong(1);
}

static PyObject *get_precedence(PyObject *self, void *unused)
{
	(void)unused;
	return in_python("precedence_in_sympy", self, NULL);
}

static PyGetSetDef attributes[] = {
	{"real", integer_get_itself, NULL, "The number itself.", NULL},
	{"imag", integer_get_zero, NULL, "0.", NULL},
	{"numerator", get_numerator, NULL, "The number, as an int.", NULL},
	{"denominator", get_denominator, NULL, "1, as an int.", NULL},
	{"precedence", get_precedence, NULL, "For SymPy's printers.", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

#define AS_METHOD(function) ((PyCFunction)(void (*)(void))(function))

/*
 * SymPy's printers mistake a class named Integer for their own, unless it has printing methods.
 */
#define SYMPY_PRINTS(name)                                                                         \
	{                                                                                          \
		name, AS_METHOD(printed_by_sympy), METH_VARARGS | METH_KEYWORDS,                   \
			"SymPy's output for a sympy.Integer of this value."                        \
	}

static PyMethodDef methods[] = {
	{"isqrt", integer_isqrt, METH_NOARGS,
	 "isqrt($self, /)\n--\n\nThe largest integer whose square is not above it.\n\n"
	 "ValueError below 0."},
	{"gcd", integer_gcd, METH_VARARGS,
	 "gcd($self, *others)\n--\n\nThe greatest common divisor of this and the others."},
	{"gcdext", integer_gcdext, METH_O,
	 "gcdext($self, other, /)\n--\n\n"
	 "(g, x, y) with g = gcd(self, other) = x self + y other, the same as GMP's.\n\n"
	 "2 g |x| <= |other| and 2 g |y| <= |self|, unless one is a multiple of the other.\n"
	 "Variable time; carrychain.gcdext is constant-time."},
	{"kronecker", integer_kronecker, METH_O,
	 "kronecker($self, m, /)\n--\n\n"
	 "The Kronecker symbol (self / m) as an int: for odd m > 0 the Jacobi symbol.\n\n"
	 "0 if they have a common divisor.  Variable time; carrychain.jacobi is constant-time."},
	{"iroot", integer_iroot, METH_O,
	 "iroot($self, n, /)\n--\n\n"
	 "(root, exact): the n-th root, rounded towards 0, and whether root**n is the number.\n\n"
	 "ValueError unless n > 0, and below 0 for even n."},
	{"iroot_rem", integer_iroot_rem, METH_O,
	 "iroot_rem($self, n, /)\n--\n\n"
	 "(root, rest) with self = root**n + rest, the root rounded towards 0.\n\n"
	 "ValueError unless n > 0, and below 0 for even n."},
	{"is_square", integer_is_square, METH_NOARGS,
	 "is_square($self, /)\n--\n\nWhether it is the square of an integer."},
	{"is_power", integer_is_power, METH_NOARGS,
	 "is_power($self, /)\n--\n\n"
	 "Whether it is a**b for integers a and b >= 2, as 0, 1 and -1 are."},
	{"is_prime", integer_is_prime, METH_NOARGS,
	 "is_prime($self, /)\n--\n\n"
	 "Whether it is prime, by the Baillie-PSW test; no number below 2 is.\n\n"
	 "Never wrong below 2**64; no composite is known that passes.  Variable time."},
	{"next_prime", integer_next_prime, METH_NOARGS,
	 "next_prime($self, /)\n--\n\nThe least prime above it, by the same test as is_prime()."},
	{"divexact", integer_divexact, METH_O,
	 "divexact($self, other, /)\n--\n\n"
	 "self // other for a multiple of other, faster.  For any other number it is undefined."},
	{"remove", integer_remove, METH_O,
	 "remove($self, factor, /)\n--\n\n"
	 "(rest, count) with self = rest factor**count and rest not divisible by factor.\n\n"
	 "(0, 0) for 0.  ValueError if the factor is 0, 1 or -1."},
	{"bit_length", integer_bit_length, METH_NOARGS,
	 "bit_length($self, /)\n--\n\nThe number of bits in its magnitude; 0 for 0."},
	{"bit_count", integer_bit_count, METH_NOARGS,
	 "bit_count($self, /)\n--\n\nThe number of one bits in its magnitude."},
	{"to_bytes", AS_METHOD(integer_to_bytes), METH_FASTCALL | METH_KEYWORDS,
	 "to_bytes($self, /, length=1, byteorder='big', *, signed=False)\n--\n\n"
	 "The number in length bytes, in two's complement if signed.\n\n"
	 "OverflowError if it does not fit."},
	{"from_bytes", AS_METHOD(integer_from_bytes), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
	 "from_bytes($type, /, bytes, byteorder='big', *, signed=False)\n--\n\n"
	 "The value of the bytes in a buffer or an iterable."},
	{"to_decimal", to_decimal, METH_NOARGS,
	 "to_decimal($self, /)\n--\n\nIts decimal digits, of any length: str(self)."},
	{"from_decimal", integer_from_decimal, METH_O | METH_CLASS,
	 "from_decimal($type, text, /)\n--\n\n"
	 "The value of any number of decimal digits, after an optional sign, as str or bytes.\n\n"
	 "Anything else is a ValueError.  Integer(text) accepts whatever int(text) does."},
	{"as_integer_ratio", integer_as_integer_ratio, METH_NOARGS,
	 "as_integer_ratio($self, /)\n--\n\nThe pair (self, 1)."},
	{"is_integer", integer_is_integer, METH_NOARGS, "is_integer($self, /)\n--\n\nTrue."},
	{"conjugate", integer_itself, METH_NOARGS, "conjugate($self, /)\n--\n\nThe number itself."},
	{"__trunc__", integer_itself, METH_NOARGS, "The number itself."},
	{"__floor__", integer_itself, METH_NOARGS, "The number itself."},
	{"__ceil__", integer_itself, METH_NOARGS, "The number itself."},
	{"__round__", rounded, METH_VARARGS, "The nearest multiple of 10**-ndigits, ties to even."},
	{"__format__", format, METH_O, "The same as format() of an equal int."},
	{"__sizeof__", integer_sizeof, METH_NOARGS,
	 "The bytes of memory it takes, including its words."},
	{"_sympy_", in_sympy, METH_NOARGS, "A sympy.Integer, for sympify."},
	SYMPY_PRINTS("_sympystr"),
	SYMPY_PRINTS("_sympyrepr"),
	SYMPY_PRINTS("_latex"),
	SYMPY_PRINTS("_pretty"),
	SYMPY_PRINTS("_mathml_content"),
	SYMPY_PRINTS("_mathml_presentation"),
	{"__reduce__", integer_reduce, METH_NOARGS, "For pickle."},
	{"__copy__", integer_itself, METH_NOARGS, "The number itself: it is immutable."},
	{"__deepcopy__", integer_itself, METH_O, "The number itself: it is immutable."},
	{NULL, NULL, 0, NULL},
};

/*
 * Static methods, which become the type's attributes themselves.  METH_STATIC would make
 * staticmethods of them, whose place the interpreter does not remember, and which it calls by the
 * general way.
 */
static PyMethodDef functions[] = {
	{"factorial", integer_factorial, METH_O,
	 "factorial(n, /)\n--\n\nThe product of the numbers from 1 to n.\n\n"
	 "ValueError below 0, OverflowError from 2**64 on."},
	{"primorial", integer_primorial, METH_O,
	 "primorial(n, /)\n--\n\nThe product of the primes up to n.\n\n"
	 "ValueError below 0, OverflowError from 2**64 on."},
	{"lucas", integer_lucas, METH_O,
	 "lucas(n, /)\n--\n\n"
	 "The Lucas number L(n) = F(n - 1) + F(n + 1), of Fibonacci numbers.\n\n"
	 "ValueError below 0, OverflowError from 2**64 on."},
	{"binomial", AS_METHOD(integer_binomial), METH_FASTCALL,
	 "binomial(n, k, /)\n--\n\n"
	 "The number of ways to choose k of n, as math.comb(n, k).\n\n"
	 "ValueError below 0, OverflowError from 2**64 on."},
	{NULL, NULL, 0, NULL},
};

/*
 * Where a type has its flags, from Python 3.11 to 3.14: behind a name, two sizes and 15 pointers.
 * The limited API can read them only; as PyType_Freeze() does from 3.14 on, this makes the type
 * immutable.  Of another Python's, it stays as it is.
 */
#define BEFORE_FLAGS (sizeof(PyVarObject) + 18 * sizeof(void *))

static void freeze(PyTypeObject *type)
{
	PyTypeObject *known[] = {&PyType_Type, &PyLong_Type, type};
	unsigned long *flags = NULL;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		flags = (unsigned long *)((char *)known[i] + BEFORE_FLAGS);
		if (*flags != PyType_GetFlags(known[i]))
			return;
	}
	*flags |= Py_TPFLAGS_IMMUTABLETYPE;
	PyType_Modified(type);
}

/* The functions as the type's attributes; 0 with an exception. */
static int add_functions(PyObject *type)
{
	PyMethodDef *each;

	for (each = functions; each->ml_name; each++) {
		PyObject *function = PyCFunction_New(each, type);
		int status = function ? PyObject_SetAttrString(type, each->ml_name, function) : -1;

		Py_XDECREF(function);
		if (status < 0)
			return 0;
	}
	freeze((PyTypeObject *)type);
	return 1;
}

static const char doc[] =
	"Integer(x=0, /)\nInteger(text, /, base=10)\n--\n\n"
	"An exact integer of any size, like int but fast for long numbers.\n\n"
	"It has int's operators and methods, with int's results and errors.  Operands may be ints\n"
	"or Integers; results are Integers.  It compares and hashes as the equal int does.  Text\n"
	"of any length is read and written in subquadratic time.  Long work releases the GIL,\n"
	"and Ctrl-C ends it.  With floats, fractions and other numbers it behaves as int does.";

static PyType_Slot slots[] = {
	{Py_tp_doc, (void *)doc},
	{Py_tp_new, integer_new_object},
	{Py_tp_dealloc, integer_dealloc},
	{Py_tp_repr, repr},
	{Py_tp_str, integer_str},
	{Py_tp_hash, integer_hash},
	{Py_tp_richcompare, integer_compare},
	{Py_tp_methods, methods},
	{Py_tp_getset, attributes},
	{Py_nb_add, integer_add},
	{Py_nb_subtract, integer_subtract},
	{Py_nb_multiply, integer_multiply},
	{Py_nb_floor_divide, integer_floor_divide},
	{Py_nb_remainder, integer_remainder},
	{Py_nb_divmod, integer_divmod},
	{Py_nb_true_divide, integer_true_divide},
	{Py_nb_power, integer_power},
	{Py_nb_negative, integer_negative},
	{Py_nb_positive, integer_positive},
	{Py_nb_absolute, integer_absolute},
	{Py_nb_bool, integer_bool},
	{Py_nb_invert, integer_invert},
	{Py_nb_lshift, integer_lshift},
	{Py_nb_rshift, integer_rshift},
	{Py_nb_and, integer_and},
	{Py_nb_or, integer_or},
	{Py_nb_xor, integer_xor},
	{Py_nb_int, integer_int},
	{Py_nb_float, integer_float},
	{Py_nb_index, integer_int},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "carrychain.Integer",
	.basicsize = sizeof(struct integer),
	/* immutable only when it has its functions */
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};

static PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "_integer",
	.m_size = -1,
};

PyMODINIT_FUNC PyInit__integer(void);

PyMODINIT_FUNC PyInit__integer(void)
{
	PyObject *module = PyModule_Create(&definition), *type, *base;

	if (!module)
		return NULL;
	type = PyType_FromSpec(&spec);
	base = modulus_type();
	if (!type || !base || !ints_prepare() || !add_functions(type) ||
	    PyModule_AddObjectRef(module, "Integer", type) ||
	    PyModule_AddObjectRef(module, "ModulusBase", base)) {
		Py_XDECREF(type);
		Py_XDECREF(base);
		Py_DECREF(module);
		return NULL;
	}
	Py_DECREF(base);
	integer_type = (PyTypeObject *)type;
	/* an interpreter that was started anew has its own type */
	memset(integers_kept, 0, sizeof(integers_kept));
	return module;
}
