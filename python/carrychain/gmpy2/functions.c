// SPDX-License-Identifier: MIT
/* gmpy2's functions of integers that programs call most; the others are in Python. */
#include "gmpy2.h"

#include <carrychain/fib.h>

typedef PyObject *const *vector;

/* Converts @count arguments to mpz; 0 with an exception, TypeError with @text. */
static int take(PyObject **to, vector from, Py_ssize_t given, Py_ssize_t count, const char *text)
{
	Py_ssize_t i;

	if (given != count) {
		PyErr_SetString(PyExc_TypeError, text);
		return 0;
	}
	for (i = 0; i < count; i++) {
		to[i] = mpz_of(from[i], text);
		if (!to[i]) {
			while (i)
				Py_DECREF(to[--i]);
			return 0;
		}
	}
	return 1;
}

static void drop(PyObject **from, Py_ssize_t count)
{
	while (count)
		Py_DECREF(from[--count]);
}

/* A method without arguments, as a function. */
static PyObject *of_one(PyObject *x, PyCFunction work, const char *text)
{
	PyObject *n = mpz_of(x, text), *result = n ? work(n, NULL) : NULL;

	Py_XDECREF(n);
	return result;
}

#define OF_ONE(name, work)                                                                         \
	static PyObject *name(PyObject *module, PyObject *x)                                       \
	{                                                                                          \
		(void)module;                                                                      \
		return of_one(x, work, #name "() requires 'mpz' argument");                        \
	}

OF_ONE(bit_length, integer_bit_length)
OF_ONE(bit_count, integer_bit_count)
OF_ONE(is_square, integer_is_square)
OF_ONE(is_power, integer_is_power)
OF_ONE(next_prime, integer_next_prime)

static PyObject *even(PyObject *x, PyObject *unused)
{
	(void)unused;
	return PyBool_FromLong(!value_of(x)->length || !(value_of(x)->words[0] & 1));
}

static PyObject *odd(PyObject *x, PyObject *unused)
{
	(void)unused;
	return PyBool_FromLong(value_of(x)->length && (value_of(x)->words[0] & 1));
}

static PyObject *ones(PyObject *x, PyObject *unused)
{
	return value_of(x)->negative ? PyLong_FromLong(-1) : integer_bit_count(x, unused);
}

OF_ONE(is_even, even)
OF_ONE(is_odd, odd)
OF_ONE(popcount, ones)

/* Whether a root has no number below 0; ValueError otherwise. */
static int is_positive(PyObject *x, const char *function)
{
	if (!value_of(x)->negative)
		return 1;
	PyErr_Format(PyExc_ValueError, "%s() of negative number", function);
	return 0;
}

static PyObject *isqrt_of(PyObject *x, PyObject *unused)
{
	return is_positive(x, "isqrt") ? integer_isqrt(x, unused) : NULL;
}

static PyObject *isqrt_rem_of(PyObject *x, PyObject *unused)
{
	PyObject *two, *result;

	(void)unused;
	if (!is_positive(x, "isqrt_rem"))
		return NULL;
	two = PyLong_FromLong(2);
	result = two ? integer_iroot_rem(x, two) : NULL;
	Py_XDECREF(two);
	return result;
}

OF_ONE(isqrt, isqrt_of)
OF_ONE(isqrt_rem, isqrt_rem_of)

/* A root of a degree > 0 */
static PyObject *root(vector arguments, Py_ssize_t count, binary_operation *work, const char *name,
		      const char *text)
{
	PyObject *of[2], *result = NULL;

	if (!take(of, arguments, count, 2, text))
		return NULL;
	if (cc_bigint_bit_length(value_of(of[1])) > 64)
		PyErr_SetString(PyExc_OverflowError, "Python int too large to convert to C long");
	else if (value_of(of[1])->negative || !value_of(of[1])->length)
		PyErr_SetString(PyExc_ValueError, "n must be > 0");
	else if (is_positive(of[0], name))
		result = work(of[0], of[1]);
	drop(of, 2);
	return result;
}

static PyObject *iroot(PyObject *module, vector arguments, Py_ssize_t count)
{
	(void)module;
	return root(arguments, count, integer_iroot, "iroot",
		    "iroot() requires 'int','int' arguments");
}

static PyObject *iroot_rem(PyObject *module, vector arguments, Py_ssize_t count)
{
	(void)module;
	return root(arguments, count, integer_iroot_rem, "iroot_rem",
		    "iroot_rem() requires 'int','int' arguments");
}

static PyObject *of_two(vector arguments, Py_ssize_t count, binary_operation *work,
			const char *text)
{
	PyObject *of[2], *result;

	if (!take(of, arguments, count, 2, text))
		return NULL;
	result = work(of[0], of[1]);
	drop(of, 2);
	return result;
}

#define OF_TWO(name, work)                                                                         \
	static PyObject *name(PyObject *module, vector arguments, Py_ssize_t count)                \
	{                                                                                          \
		(void)module;                                                                      \
		return of_two(arguments, count, work, #name "() requires 'mpz','mpz' arguments");  \
	}

static int is_word(const cc_bigint *x, cc_word w)
{
	return x->length == 1 && x->words[0] == w && !x->negative;
}

static int is_divisor(PyObject *y, const char *function)
{
	if (value_of(y)->length)
		return 1;
	PyErr_Format(PyExc_ZeroDivisionError, "%s() division by 0", function);
	return 0;
}

static PyObject *divided(PyObject *x, PyObject *y)
{
	return is_divisor(y, "divexact") ? integer_divexact(x, y) : NULL;
}

static PyObject *inverse(PyObject *x, PyObject *m)
{
	PyObject *minus_one, *size, *result;

	if (!is_divisor(m, "invert"))
		return NULL;
	minus_one = integer_from_i64(-1);
	size = integer_absolute(m);
	result = minus_one && size ? integer_power(x, minus_one, size) : NULL;
	Py_XDECREF(minus_one);
	Py_XDECREF(size);
	if (!result && PyErr_ExceptionMatches(PyExc_ValueError))
		PyErr_SetString(PyExc_ZeroDivisionError, "invert() no inverse exists");
	return result;
}

static PyObject *jacobi_of(PyObject *x, PyObject *y)
{
	if (value_of(y)->length && (value_of(y)->words[0] & 1))
		return integer_kronecker(x, y);
	PyErr_SetString(PyExc_ValueError, "y must be odd");
	return NULL;
}

static PyObject *legendre_of(PyObject *x, PyObject *y)
{
	if (value_of(y)->length && (value_of(y)->words[0] & 1) && !value_of(y)->negative)
		return integer_kronecker(x, y);
	PyErr_SetString(PyExc_ValueError, "y must be odd, prime, and >0");
	return NULL;
}

static PyObject *removed(PyObject *x, PyObject *f)
{
	const cc_bigint *factor = value_of(f);

	if (factor->length && !factor->negative && !is_word(factor, 1))
		return integer_remove(x, f);
	PyErr_SetString(PyExc_ValueError, "factor must be > 1");
	return NULL;
}

OF_TWO(gcdext, integer_gcdext)
OF_TWO(divexact, divided)
OF_TWO(invert, inverse)
OF_TWO(jacobi, jacobi_of)
OF_TWO(legendre, legendre_of)
OF_TWO(kronecker, integer_kronecker)

static PyObject *remove_(PyObject *module, vector arguments, Py_ssize_t count)
{
	(void)module;
	return of_two(arguments, count, removed, "remove() requires 'mpz','mpz' arguments");
}

/* Divisions: the quotient towards -inf is right, or one too small. */
enum rounding {
	DOWN,
	UP,
	TO_ZERO,
};

static int goes_up(enum rounding how, PyObject *x, PyObject *y)
{
	return how == UP || (how == TO_ZERO && value_of(x)->negative != value_of(y)->negative);
}

static PyObject *plus(PyObject *steals, PyObject *other, binary_operation *work)
{
	PyObject *result = steals && other ? work(steals, other) : NULL;

	Py_XDECREF(steals);
	return result;
}

static PyObject *successor(PyObject *steals)
{
	PyObject *one = integer_from_i64(1), *result = plus(steals, one, integer_add);

	Py_XDECREF(one);
	return result;
}

/* The quotient and the remainder; either is dropped if it is not wanted. */
static PyObject *division(vector arguments, Py_ssize_t count, enum rounding how, int quotient,
			  int remainder, const char *name)
{
	PyObject *of[2], *both, *q = NULL, *r = NULL;
	char text[64];

	PyOS_snprintf(text, sizeof(text), "%s() requires 'mpz','mpz' arguments", name);
	if (!take(of, arguments, count, 2, text))
		return NULL;
	both = is_divisor(of[1], name) ? integer_divmod(of[0], of[1]) : NULL;
	if (both) {
		q = Py_NewRef(PyTuple_GetItem(both, 0));
		r = Py_NewRef(PyTuple_GetItem(both, 1));
		if (value_of(r)->length && goes_up(how, of[0], of[1])) {
			q = successor(q);
			r = plus(r, of[1], integer_subtract);
		}
		Py_DECREF(both);
	}
	drop(of, 2);
	if (!q || !r) {
		Py_XDECREF(q);
		Py_XDECREF(r);
		return NULL;
	}
	if (quotient && remainder)
		return Py_BuildValue("(NN)", q, r);
	Py_DECREF(quotient ? r : q);
	return quotient ? q : r;
}

#define DIVISION(name, how, quotient, remainder)                                                   \
	static PyObject *name(PyObject *module, vector arguments, Py_ssize_t count)                \
	{                                                                                          \
		(void)module;                                                                      \
		return division(arguments, count, how, quotient, remainder, #name);                \
	}

DIVISION(f_divmod, DOWN, 1, 1)
DIVISION(f_div, DOWN, 1, 0)
DIVISION(f_mod, DOWN, 0, 1)
DIVISION(c_divmod, UP, 1, 1)
DIVISION(c_div, UP, 1, 0)
DIVISION(c_mod, UP, 0, 1)
DIVISION(t_divmod, TO_ZERO, 1, 1)
DIVISION(t_div, TO_ZERO, 1, 0)
DIVISION(t_mod, TO_ZERO, 0, 1)

/* gcd and lcm of any number of arguments */
static PyObject *of_any(vector arguments, Py_ssize_t count, int first, binary_operation *work,
			const char *text)
{
	PyObject *result, *next, *so_far;
	Py_ssize_t i;

	if (!count)
		return integer_from_i64(first);
	next = mpz_of(arguments[0], text);
	result = next ? integer_absolute(next) : NULL;
	Py_XDECREF(next);
	for (i = 1; i < count && result; i++) {
		next = mpz_of(arguments[i], text);
		so_far = result;
		result = next ? work(so_far, next) : NULL;
		Py_DECREF(so_far);
		Py_XDECREF(next);
	}
	return result;
}

static PyObject *lcm_of(PyObject *x, PyObject *y)
{
	PyObject *g, *part, *product, *result;

	if (!value_of(x)->length || !value_of(y)->length)
		return integer_from_i64(0);
	g = integer_gcd_of_two(x, y);
	part = g ? integer_divexact(x, g) : NULL;
	product = part ? integer_multiply(part, y) : NULL;
	result = product ? integer_absolute(product) : NULL;
	Py_XDECREF(g);
	Py_XDECREF(part);
	Py_XDECREF(product);
	return result;
}

static PyObject *gcd(PyObject *module, vector arguments, Py_ssize_t count)
{
	(void)module;
	return of_any(arguments, count, 0, integer_gcd_of_two, "gcd() requires 'mpz' arguments");
}

static PyObject *lcm(PyObject *module, vector arguments, Py_ssize_t count)
{
	(void)module;
	return of_any(arguments, count, 1, lcm_of, "lcm() requires 'mpz' arguments");
}

static PyObject *powmod(PyObject *module, vector arguments, Py_ssize_t count)
{
	PyObject *of[3], *result;

	(void)module;
	if (count != 3) {
		PyErr_SetString(PyExc_TypeError, "powmod() requires 3 arguments.");
		return NULL;
	}
	if (!take(of, arguments, count, 3, "powmod() argument types not supported"))
		return NULL;
	result = integer_power(of[0], of[1], of[2]);
	drop(of, 3);
	return result;
}

/* A count n, of which a product or a member of a sequence is made */
static PyObject *of_count(PyObject *x, binary_operation *work)
{
	PyObject *n = mpz_of(x, "could not convert object to integer"), *result = NULL;

	if (!n)
		return NULL;
	if (value_of(n)->negative)
		PyErr_SetString(PyExc_OverflowError,
				"can't convert negative value to unsigned int");
	else
		result = work(NULL, n);
	Py_DECREF(n);
	return result;
}

static int fibonacci(cc_bigint *r, uint64_t n, const struct cc_progress *progress)
{
	return cc_fib_by(r, n, CC_FIB_SQUARING, progress);
}

static PyObject *fibonacci_of(PyObject *type, PyObject *n)
{
	(void)type;
	return integer_product(n, fibonacci, "fib");
}

#define OF_COUNT(name, work)                                                                       \
	static PyObject *name(PyObject *module, PyObject *x)                                       \
	{                                                                                          \
		(void)module;                                                                      \
		return of_count(x, work);                                                          \
	}

OF_COUNT(fac, integer_factorial)
OF_COUNT(fib, fibonacci_of)
OF_COUNT(lucas, integer_lucas)
OF_COUNT(primorial, integer_primorial)

/* Of n below 0 or from 2^64 on, in Python. */
static PyObject *bincoef(PyObject *module, vector arguments, Py_ssize_t count)
{
	PyObject *of[2], *result = NULL;
	const cc_bigint *n;

	(void)module;
	if (count != 2) {
		PyErr_SetString(PyExc_TypeError, "bincoef() requires two integer arguments");
		return NULL;
	}
	if (!take(of, arguments, count, 2, "could not convert object to integer"))
		return NULL;
	n = value_of(of[0]);
	if (value_of(of[1])->negative) {
		PyErr_SetString(PyExc_OverflowError,
				"can't convert negative value to unsigned int");
	} else if (n->negative || cc_bigint_bit_length(n) > 64) {
		result = in_python("carrychain.gmpy2.sequences", "binomial", of[0], of[1]);
	} else {
		result = integer_binomial(NULL, of, 2);
	}
	drop(of, 2);
	return result;
}

/* is_prime(x, n=25): the test is the same for each n, which is the number of Miller-Rabin tests. */
static PyObject *is_prime(PyObject *module, vector arguments, Py_ssize_t count)
{
	PyObject *x, *n, *result = NULL;
	int negative;

	(void)module;
	if (count < 1 || count > 2) {
		PyErr_SetString(PyExc_TypeError, "is_prime() requires 'mpz'[,'int'] arguments");
		return NULL;
	}
	if (count > 1) {
		n = mpz_of(arguments[1], "could not convert object to integer");
		if (!n)
			return NULL;
		negative = value_of(n)->negative;
		Py_DECREF(n);
		if (negative) {
			PyErr_SetString(PyExc_OverflowError,
					"can't convert negative value to unsigned int");
			return NULL;
		}
	}
	x = mpz_of(arguments[0], "cannot convert object to mpz");
	if (x)
		result = integer_is_prime(x, NULL);
	Py_XDECREF(x);
	return result;
}

/* Whether n of is_..._prp(n, a) is known to be prime or not: 1, 0; -1: not known; -2: an exception
 */
static int is_known(PyObject *n, PyObject *a, const char *name)
{
	const cc_bigint *x = value_of(n), *base = value_of(a);
	PyObject *g;
	int coprime;

	if (base->negative || !base->length || is_word(base, 1)) {
		PyErr_Format(PyExc_ValueError, "%s() requires 'a' greater than or equal to 2",
			     name);
		return -2;
	}
	if (x->negative || !x->length) {
		PyErr_Format(PyExc_ValueError, "%s() requires 'n' be greater than 0", name);
		return -2;
	}
	if (is_word(x, 1) || !(x->words[0] & 1))
		return is_word(x, 2);
	g = integer_gcd_of_two(n, a);
	if (!g)
		return -2;
	coprime = is_word(value_of(g), 1);
	Py_DECREF(g);
	if (coprime)
		return -1;
	PyErr_Format(PyExc_ValueError, "%s() requires gcd(n,a) == 1", name);
	return -2;
}

static int is_same(PyObject *x, PyObject *y)
{
	return !cc_bigint_cmp(value_of(x), value_of(y));
}

/* The test of Miller and Rabin, for odd n > 1, whose predecessor is @last. */
static PyObject *passes(PyObject *n, PyObject *a, PyObject *last)
{
	uint64_t twos = bit_from(value_of(last), 0, 1);
	PyObject *odd = integer_shifted_right(value_of(last), twos), *square;
	PyObject *x = odd ? integer_power(a, odd, n) : NULL;
	int passed = x && (is_word(value_of(x), 1) || is_same(x, last));

	while (x && !passed && --twos) {
		square = integer_multiply(x, x);
		Py_DECREF(x);
		x = square ? integer_remainder(square, n) : NULL;
		Py_XDECREF(square);
		passed = x && is_same(x, last);
	}
	Py_XDECREF(odd);
	if (!x)
		return NULL;
	Py_DECREF(x);
	return PyBool_FromLong(passed);
}

static PyObject *is_strong_prp(PyObject *module, vector arguments, Py_ssize_t count)
{
	PyObject *of[2], *one, *last, *result = NULL;
	int known;

	(void)module;
	if (!take(of, arguments, count, 2, "is_strong_prp() requires 2 integer arguments"))
		return NULL;
	known = is_known(of[0], of[1], "is_strong_prp");
	if (known >= 0) {
		result = PyBool_FromLong(known);
	} else if (known == -1) {
		one = integer_from_i64(1);
		last = one ? integer_subtract(of[0], one) : NULL;
		result = last ? passes(of[0], of[1], last) : NULL;
		Py_XDECREF(one);
		Py_XDECREF(last);
	}
	drop(of, 2);
	return result;
}

/* A method with an argument n, which may be absent if there is a @scan. */
static PyObject *at_bit(vector arguments, Py_ssize_t count, binary_operation *work,
			PyObject *(*scan)(PyObject *self, vector arguments, Py_ssize_t count),
			const char *text)
{
	PyObject *x, *result;

	if (count > 2 || count < 1 || (work && count < 2)) {
		PyErr_SetString(PyExc_TypeError, text);
		return NULL;
	}
	x = mpz_of(arguments[0], text);
	if (!x)
		return NULL;
	result = work ? work(x, arguments[1]) : scan(x, arguments + 1, count - 1);
	Py_DECREF(x);
	return result;
}

#define AT_BIT(name, work, scan, text)                                                             \
	static PyObject *name(PyObject *module, vector arguments, Py_ssize_t count)                \
	{                                                                                          \
		(void)module;                                                                      \
		return at_bit(arguments, count, work, scan, #name "() requires " text);            \
	}

AT_BIT(bit_test, mpz_bit_test, NULL, "'mpz','int' arguments")
AT_BIT(bit_set, mpz_bit_set, NULL, "'mpz','int' arguments")
AT_BIT(bit_clear, mpz_bit_clear, NULL, "'mpz','int' arguments")
AT_BIT(bit_flip, mpz_bit_flip, NULL, "'mpz','int' arguments")
AT_BIT(bit_scan0, NULL, mpz_bit_scan0, "'mpz',['int'] arguments")
AT_BIT(bit_scan1, NULL, mpz_bit_scan1, "'mpz',['int'] arguments")

#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL

PyMethodDef functions[] = {
	{"bincoef", FAST(bincoef),
	 "bincoef($module, n, k, /)\n--\n\nThe number of ways to choose k >= 0 of n."},
	{"bit_clear", FAST(bit_clear),
	 "bit_clear($module, x, n, /)\n--\n\nA copy of x with bit n cleared."},
	{"bit_count", bit_count, METH_O,
	 "bit_count($module, x, /)\n--\n\nThe number of one bits in abs(x)."},
	{"bit_flip", FAST(bit_flip),
	 "bit_flip($module, x, n, /)\n--\n\nA copy of x with bit n inverted."},
	{"bit_length", bit_length, METH_O,
	 "bit_length($module, x, /)\n--\n\nThe number of bits in abs(x); 0 for 0."},
	{"bit_scan0", FAST(bit_scan0),
	 "bit_scan0($module, x, n=0, /)\n--\n\n"
	 "The least clear bit of x from n on; None if there is none."},
	{"bit_scan1", FAST(bit_scan1),
	 "bit_scan1($module, x, n=0, /)\n--\n\n"
	 "The least set bit of x from n on; None if there is none."},
	{"bit_set", FAST(bit_set), "bit_set($module, x, n, /)\n--\n\nA copy of x with bit n set."},
	{"bit_test", FAST(bit_test),
	 "bit_test($module, x, n, /)\n--\n\nWhether bit n of x is set."},
	{"c_div", FAST(c_div), "c_div($module, x, y, /)\n--\n\nx / y, rounded up."},
	{"c_divmod", FAST(c_divmod),
	 "c_divmod($module, x, y, /)\n--\n\nx / y, rounded up, and the remainder."},
	{"c_mod", FAST(c_mod),
	 "c_mod($module, x, y, /)\n--\n\nThe remainder of x / y, rounded up."},
	{"comb", FAST(bincoef),
	 "comb($module, n, k, /)\n--\n\nThe number of ways to choose k >= 0 of n."},
	{"divexact", FAST(divexact),
	 "divexact($module, x, y, /)\n--\n\nx / y for a multiple x of y; else it is undefined."},
	{"f_div", FAST(f_div), "f_div($module, x, y, /)\n--\n\nx / y, rounded down."},
	{"f_divmod", FAST(f_divmod),
	 "f_divmod($module, x, y, /)\n--\n\nx / y, rounded down, and the remainder."},
	{"f_mod", FAST(f_mod),
	 "f_mod($module, x, y, /)\n--\n\nThe remainder of x / y, rounded down."},
	{"fac", fac, METH_O, "fac($module, n, /)\n--\n\nThe factorial of n."},
	{"fib", fib, METH_O, "fib($module, n, /)\n--\n\nThe n-th Fibonacci number."},
	{"gcd", FAST(gcd), "gcd($module, *integers)\n--\n\nThe greatest common divisor."},
	{"gcdext", FAST(gcdext),
	 "gcdext($module, a, b, /)\n--\n\n(g, s, t) with g = gcd(a, b) = a s + b t."},
	{"invert", FAST(invert),
	 "invert($module, x, m, /)\n--\n\n"
	 "y with x y = 1 modulo m.  ZeroDivisionError if there is none."},
	{"iroot", FAST(iroot),
	 "iroot($module, x, n, /)\n--\n\nThe n-th root of x >= 0, and whether it is exact."},
	{"iroot_rem", FAST(iroot_rem),
	 "iroot_rem($module, x, n, /)\n--\n\n(y, r) with x = y**n + r, y the n-th root of x >= 0."},
	{"is_even", is_even, METH_O, "is_even($module, x, /)\n--\n\nWhether x is even."},
	{"is_odd", is_odd, METH_O, "is_odd($module, x, /)\n--\n\nWhether x is odd."},
	{"is_power", is_power, METH_O,
	 "is_power($module, x, /)\n--\n\nWhether x is a**b for integers a and b >= 2."},
	{"is_prime", FAST(is_prime),
	 "is_prime($module, x, n=25, /)\n--\n\n"
	 "Whether x is prime, by the Baillie-PSW test whatever n is; no number below 2 is."},
	{"is_square", is_square, METH_O,
	 "is_square($module, x, /)\n--\n\nWhether x is the square of an integer."},
	{"is_strong_prp", FAST(is_strong_prp),
	 "is_strong_prp($module, n, a, /)\n--\n\n"
	 "Whether n passes the test of Miller and Rabin to the base a."},
	{"isqrt", isqrt, METH_O,
	 "isqrt($module, x, /)\n--\n\nThe square root of x >= 0, rounded down."},
	{"isqrt_rem", isqrt_rem, METH_O,
	 "isqrt_rem($module, x, /)\n--\n\n(s, t) with s = isqrt(x) and x = s s + t."},
	{"jacobi", FAST(jacobi),
	 "jacobi($module, x, y, /)\n--\n\nThe Jacobi symbol (x / y), for odd y."},
	{"kronecker", FAST(kronecker),
	 "kronecker($module, x, y, /)\n--\n\nThe Kronecker symbol (x / y)."},
	{"lcm", FAST(lcm), "lcm($module, *integers)\n--\n\nThe least common multiple."},
	{"legendre", FAST(legendre),
	 "legendre($module, x, y, /)\n--\n\nThe Legendre symbol (x / y), for an odd prime y."},
	{"lucas", lucas, METH_O, "lucas($module, n, /)\n--\n\nThe n-th Lucas number."},
	{"next_prime", next_prime, METH_O,
	 "next_prime($module, x, /)\n--\n\nThe least prime above x, by the test of is_prime()."},
	{"popcount", popcount, METH_O,
	 "popcount($module, x, /)\n--\n\nThe number of one bits in x; -1 below 0."},
	{"powmod", FAST(powmod),
	 "powmod($module, x, y, m, /)\n--\n\nx**y modulo m, as pow(x, y, m)."},
	{"primorial", primorial, METH_O,
	 "primorial($module, n, /)\n--\n\nThe product of the primes up to n."},
	{"remove", FAST(remove_),
	 "remove($module, x, f, /)\n--\n\n"
	 "(y, m) with x = y f**m and y not divisible by f > 1; (0, 0) for 0."},
	{"t_div", FAST(t_div), "t_div($module, x, y, /)\n--\n\nx / y, rounded towards 0."},
	{"t_divmod", FAST(t_divmod),
	 "t_divmod($module, x, y, /)\n--\n\nx / y, rounded towards 0, and the remainder."},
	{"t_mod", FAST(t_mod),
	 "t_mod($module, x, y, /)\n--\n\nThe remainder of x / y, rounded towards 0."},
	{NULL, NULL, 0, NULL},
};
