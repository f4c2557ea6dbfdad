// SPDX-License-Identifier: MIT
/*
 * The type mpq: fractions in lowest terms.
 *
 * The sum, and the product, of two fractions in lowest terms are brought there by gcds of parts
 * that are shorter than the result (Knuth, The Art of Computer Programming 2, 4.5.1).
 */
#include "gmpy2.h"

PyTypeObject *mpq_type;

/* An operation on mpz, which passes on the exception of an operand that is NULL. */
static PyObject *by(binary_operation *work, PyObject *a, PyObject *b)
{
	return a && b ? work(a, b) : NULL;
}

static int is_one(PyObject *x)
{
	const cc_bigint *v = value_of(x);

	return v->length == 1 && v->words[0] == 1 && !v->negative;
}

static int is_negative(PyObject *x)
{
	return value_of(x)->negative;
}

static int is_zero(PyObject *x)
{
	return !value_of(x)->length;
}

/* a / g, exactly */
static PyObject *over(PyObject *a, PyObject *g)
{
	return is_one(g) ? Py_NewRef(a) : integer_divexact(a, g);
}

PyObject *mpq_new(PyObject *numerator, PyObject *denominator)
{
	struct fraction *r =
		numerator && denominator ? PyObject_New(struct fraction, mpq_type) : NULL;

	if (!r) {
		Py_XDECREF(numerator);
		Py_XDECREF(denominator);
		return NULL;
	}
	r->numerator = numerator;
	r->denominator = denominator;
	r->hash = -1;
	return (PyObject *)r;
}

/* a / b for mpz, in lowest terms; ZeroDivisionError with @text */
static PyObject *ratio(PyObject *a, PyObject *b, const char *text)
{
	PyObject *g, *n = NULL, *d = NULL, *t;

	if (is_zero(b)) {
		PyErr_SetString(PyExc_ZeroDivisionError, text);
		return NULL;
	}
	g = integer_gcd_of_two(a, b);
	if (g && is_negative(b)) {
		t = integer_negative(g);
		Py_DECREF(g);
		g = t;
	}
	if (g) {
		n = over(a, g);
		d = over(b, g);
		Py_DECREF(g);
	}
	return mpq_new(n, d);
}

static const struct fraction *fraction_of(PyObject *x)
{
	return (const struct fraction *)x;
}

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
		result = ratio(n, d, "zero denominator in mpq()");
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

/*
 * Short fractions are worked on in 64 bits: both parts are below 2^31 in magnitude, so that a
 * product of two is below 2^62, and the sum of two products below 2^63.
 */
#define SHORT_BITS 31

struct parts {
	int64_t numerator, denominator;
};

static int are_short(struct parts *p, const struct fraction *x)
{
	const cc_bigint *n = value_of(x->numerator), *d = value_of(x->denominator);
	cc_word size = n->length ? n->words[0] : 0;

	if (n->length > 1 || d->length > 1 || size >> SHORT_BITS || d->words[0] >> SHORT_BITS)
		return 0;
	p->numerator = n->negative ? -(int64_t)size : (int64_t)size;
	p->denominator = (int64_t)d->words[0];
	return 1;
}

static int64_t short_gcd(int64_t a, int64_t b)
{
	uint64_t x = (uint64_t)(a < 0 ? -a : a), y = (uint64_t)(b < 0 ? -b : b), rest;

	while (y) {
		rest = x % y;
		x = y;
		y = rest;
	}
	return (int64_t)x;
}

/* In lowest terms, with a denominator above 0. */
static PyObject *short_fraction(int64_t numerator, int64_t denominator)
{
	return mpq_new(integer_from_i64(numerator), integer_from_i64(denominator));
}

static PyObject *short_sum(struct parts x, struct parts y)
{
	int64_t g = short_gcd(x.denominator, y.denominator), h, n;

	n = x.numerator * (y.denominator / g) + y.numerator * (x.denominator / g);
	h = g == 1 ? 1 : short_gcd(n, g);
	return short_fraction(n / h, x.denominator / h * (y.denominator / g));
}

/* For y in lowest terms, whose denominator may be below 0. */
static PyObject *short_product(struct parts x, struct parts y)
{
	int64_t g = short_gcd(x.numerator, y.denominator);
	int64_t h = short_gcd(y.numerator, x.denominator);

	if (y.denominator < 0)
		g = -g;
	return short_fraction(x.numerator / g * (y.numerator / h),
			      x.denominator / h * (y.denominator / g));
}

/* a/b + c/d, or the difference */
static PyObject *sum(const struct fraction *x, const struct fraction *y, binary_operation *plus)
{
	PyObject *a = x->numerator, *b = x->denominator, *c = y->numerator, *d = y->denominator;
	PyObject *g, *b1, *d1, *left, *right, *n, *h = NULL, *m, *top = NULL, *bottom = NULL;

	if (is_one(b) && is_one(d))
		return mpq_new(plus(a, c), Py_NewRef(b));
	g = integer_gcd_of_two(b, d);
	b1 = g ? over(b, g) : NULL;
	d1 = g ? over(d, g) : NULL;
	left = by(integer_multiply, a, d1);
	right = by(integer_multiply, c, b1);
	n = by(plus, left, right);
	if (n && is_one(g)) {
		top = Py_NewRef(n);
		bottom = integer_multiply(b, d);
	} else if (n) {
		/* what is left to cancel divides g */
		h = integer_gcd_of_two(n, g);
		top = h ? over(n, h) : NULL;
		m = h ? over(b, h) : NULL;
		bottom = by(integer_multiply, m, d1);
		Py_XDECREF(m);
	}
	Py_XDECREF(g);
	Py_XDECREF(b1);
	Py_XDECREF(d1);
	Py_XDECREF(left);
	Py_XDECREF(right);
	Py_XDECREF(n);
	Py_XDECREF(h);
	return mpq_new(top, bottom);
}

/* a/b c/d, for a in lowest terms with b, c with d; d may be negative */
static PyObject *product(PyObject *a, PyObject *b, PyObject *c, PyObject *d)
{
	PyObject *g, *h, *a1, *b1, *c1, *d1, *n, *m, *t;

	if (is_one(b) && is_one(d))
		return mpq_new(integer_multiply(a, c), Py_NewRef(b));
	g = integer_gcd_of_two(a, d);
	h = integer_gcd_of_two(c, b);
	if (g && is_negative(d)) {
		t = integer_negative(g);
		Py_DECREF(g);
		g = t;
	}
	a1 = g ? over(a, g) : NULL;
	d1 = g ? over(d, g) : NULL;
	c1 = h ? over(c, h) : NULL;
	b1 = h ? over(b, h) : NULL;
	n = by(integer_multiply, a1, c1);
	m = by(integer_multiply, b1, d1);
	Py_XDECREF(g);
	Py_XDECREF(h);
	Py_XDECREF(a1);
	Py_XDECREF(b1);
	Py_XDECREF(c1);
	Py_XDECREF(d1);
	return mpq_new(n, m);
}

typedef PyObject *fraction_operation(const struct fraction *x, const struct fraction *y);

static PyObject *add(const struct fraction *x, const struct fraction *y)
{
	struct parts a, b;

	if (are_short(&a, x) && are_short(&b, y))
		return short_sum(a, b);
	return sum(x, y, integer_add);
}

static PyObject *subtract(const struct fraction *x, const struct fraction *y)
{
	struct parts a, b;

	if (are_short(&a, x) && are_short(&b, y)) {
		b.numerator = -b.numerator;
		return short_sum(a, b);
	}
	return sum(x, y, integer_subtract);
}

static PyObject *multiply(const struct fraction *x, const struct fraction *y)
{
	struct parts a, b;

	if (are_short(&a, x) && are_short(&b, y))
		return short_product(a, b);
	return product(x->numerator, x->denominator, y->numerator, y->denominator);
}

static int is_divisor(const struct fraction *y)
{
	if (!is_zero(y->numerator))
		return 1;
	PyErr_SetString(PyExc_ZeroDivisionError, integer_texts.division_by_zero);
	return 0;
}

static PyObject *divide(const struct fraction *x, const struct fraction *y)
{
	struct parts a, b;

	if (!is_divisor(y))
		return NULL;
	if (are_short(&a, x) && are_short(&b, y))
		return short_product(a, (struct parts){b.denominator, b.numerator});
	return product(x->numerator, x->denominator, y->denominator, y->numerator);
}

/* a d and b c, whose quotient is that of the fractions */
static int crossed(PyObject **n, PyObject **m, const struct fraction *x, const struct fraction *y)
{
	if (!is_divisor(y))
		return 0;
	*n = integer_multiply(x->numerator, y->denominator);
	*m = integer_multiply(x->denominator, y->numerator);
	return 1;
}

static PyObject *floor_divide(const struct fraction *x, const struct fraction *y)
{
	PyObject *n, *m, *q;

	if (!crossed(&n, &m, x, y))
		return NULL;
	q = by(integer_floor_divide, n, m);
	Py_XDECREF(n);
	Py_XDECREF(m);
	return q;
}

static PyObject *modulo(const struct fraction *x, const struct fraction *y)
{
	PyObject *n, *m, *rest, *bottom, *result;

	if (!crossed(&n, &m, x, y))
		return NULL;
	rest = by(integer_remainder, n, m);
	bottom = integer_multiply(x->denominator, y->denominator);
	result = rest && bottom ? ratio(rest, bottom, "") : NULL;
	Py_XDECREF(n);
	Py_XDECREF(m);
	Py_XDECREF(rest);
	Py_XDECREF(bottom);
	return result;
}

static PyObject *quotient_and_remainder(const struct fraction *x, const struct fraction *y)
{
	PyObject *q = floor_divide(x, y), *r = q ? modulo(x, y) : NULL;

	if (!r) {
		Py_XDECREF(q);
		return NULL;
	}
	return Py_BuildValue("(NN)", q, r);
}

/* @work if both are exact, else @otherwise of a float and the other operand. */
static PyObject *exactly_or(PyObject *a, PyObject *b, fraction_operation *work,
			    binary_operation *otherwise)
{
	PyObject *other = Py_TYPE(a) == mpq_type ? b : a, *x, *y, *result;

	if (PyFloat_Check(other) || PyComplex_Check(other)) {
		x = Py_TYPE(a) == mpq_type ? PyNumber_Float(a) : Py_NewRef(a);
		y = Py_TYPE(b) == mpq_type ? PyNumber_Float(b) : Py_NewRef(b);
		result = by(otherwise, x, y);
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

OPERATION(mpq_add, add, PyNumber_Add)
OPERATION(mpq_subtract, subtract, PyNumber_Subtract)
OPERATION(mpq_multiply, multiply, PyNumber_Multiply)
OPERATION(mpq_divide, divide, PyNumber_TrueDivide)
OPERATION(mpq_floor_divide, floor_divide, PyNumber_FloorDivide)
OPERATION(mpq_remainder, modulo, PyNumber_Remainder)
OPERATION(mpq_divmod, quotient_and_remainder, PyNumber_Divmod)

/* x^e for an mpz e: in lowest terms, as x is */
static PyObject *to_an_integer(const struct fraction *x, PyObject *e)
{
	PyObject *up = x->numerator, *down = x->denominator, *size, *n, *d, *result;
	int inverted = is_negative(e);

	if (inverted && is_zero(up)) {
		PyErr_SetString(PyExc_ZeroDivisionError, "pow() 0 base to negative exponent");
		return NULL;
	}
	size = integer_absolute(e);
	n = size ? integer_power(up, size, Py_None) : NULL;
	d = n ? integer_power(down, size, Py_None) : NULL;
	Py_XDECREF(size);
	if (!inverted || !d)
		return mpq_new(n, d);
	if (!is_negative(n))
		return mpq_new(d, n);
	result = mpq_new(integer_negative(d), integer_negative(n));
	Py_DECREF(n);
	Py_DECREF(d);
	return result;
}

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
		result = y ? to_an_integer(fraction_of(a), y) : NULL;
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

/* The truncated quotient as an mpz */
static PyObject *truncated(PyObject *self)
{
	const struct fraction *x = fraction_of(self);
	PyObject *size = integer_absolute(x->numerator);
	PyObject *q = size ? integer_floor_divide(size, x->denominator) : NULL, *result;

	Py_XDECREF(size);
	if (!q || !is_negative(x->numerator))
		return q;
	result = integer_negative(q);
	Py_DECREF(q);
	return result;
}

static PyObject *mpq_int(PyObject *self)
{
	PyObject *q = truncated(self), *result = q ? integer_int(q) : NULL;

	Py_XDECREF(q);
	return result;
}

/* int's division rounds to the nearest float, whatever the operands' lengths. */
static PyObject *mpq_float(PyObject *self)
{
	const struct fraction *x = fraction_of(self);
	PyObject *n = integer_int(x->numerator), *d = integer_int(x->denominator);
	PyObject *result = by(PyNumber_TrueDivide, n, d);

	Py_XDECREF(n);
	Py_XDECREF(d);
	return result;
}

static PyObject *compare_exactly(const struct fraction *x, const struct fraction *y, int how)
{
	PyObject *left, *right, *result = NULL;

	if (how == Py_EQ || how == Py_NE) {
		int same = !cc_bigint_cmp(value_of(x->numerator), value_of(y->numerator)) &&
			   !cc_bigint_cmp(value_of(x->denominator), value_of(y->denominator));

		return PyBool_FromLong(same == (how == Py_EQ));
	}
	left = integer_multiply(x->numerator, y->denominator);
	right = integer_multiply(y->numerator, x->denominator);
	if (left && right)
		result = integer_compare(left, right, how);
	Py_XDECREF(left);
	Py_XDECREF(right);
	return result;
}

/* With floats and decimals, as a Fraction compares. */
static PyObject *mpq_compare(PyObject *self, PyObject *other, int how)
{
	PyObject *y = mpq_of(other), *as_fraction, *result;

	if (y) {
		result = compare_exactly(fraction_of(self), fraction_of(y), how);
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
		result = divide(fraction_of(x), fraction_of(y));
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
	return truncated(self);
}

static PyObject *floor_(PyObject *self, PyObject *unused)
{
	(void)unused;
	return integer_floor_divide(fraction_of(self)->numerator, fraction_of(self)->denominator);
}

/* -floor(-x) */
static PyObject *ceil_(PyObject *self, PyObject *unused)
{
	PyObject *n = integer_negative(fraction_of(self)->numerator), *q, *result;

	(void)unused;
	q = n ? integer_floor_divide(n, fraction_of(self)->denominator) : NULL;
	result = q ? integer_negative(q) : NULL;
	Py_XDECREF(n);
	Py_XDECREF(q);
	return result;
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
	{"__trunc__", trunc_, METH_NOARGS, "The mpz towards 0."},
	{"__floor__", floor_, METH_NOARGS, "The greatest mpz that is not above it."},
	{"__ceil__", ceil_, METH_NOARGS, "The least mpz that is not below it."},
	{"__round__", rounded, METH_VARARGS, "The nearest mpz, or multiple of 10**-n."},
	{"__sizeof__", size, METH_NOARGS, "The bytes of memory it takes, without its two mpz."},
	{"__reduce__", reduce, METH_NOARGS, "For pickle."},
	{"__copy__", integer_itself, METH_NOARGS, "The number itself: it is immutable."},
	{"__deepcopy__", integer_itself, METH_O, "The number itself: it is immutable."},
	{NULL, NULL, 0, NULL},
};

static const char doc[] =
	"mpq(n=0, /)\nmpq(n, m, /)\nmpq(s, /, base=10)\n--\n\n"
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
