// SPDX-License-Identifier: MIT
/*
 * The arithmetic of fractions in lowest terms.
 *
 * The sum, and the product, of two of them are brought there by gcds of parts that are shorter than
 * the result (Knuth, The Art of Computer Programming 2, 4.5.1).
 */
#include "gmpy2.h"

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

PyObject *fraction_ratio(PyObject *a, PyObject *b, const char *text)
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
	left = applied(integer_multiply, a, d1);
	right = applied(integer_multiply, c, b1);
	n = applied(plus, left, right);
	if (n && is_one(g)) {
		top = Py_NewRef(n);
		bottom = integer_multiply(b, d);
	} else if (n) {
		/* what is left to cancel divides g */
		h = integer_gcd_of_two(n, g);
		top = h ? over(n, h) : NULL;
		m = h ? over(b, h) : NULL;
		bottom = applied(integer_multiply, m, d1);
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
	n = applied(integer_multiply, a1, c1);
	m = applied(integer_multiply, b1, d1);
	Py_XDECREF(g);
	Py_XDECREF(h);
	Py_XDECREF(a1);
	Py_XDECREF(b1);
	Py_XDECREF(c1);
	Py_XDECREF(d1);
	return mpq_new(n, m);
}

PyObject *fraction_add(const struct fraction *x, const struct fraction *y)
{
	struct parts a, b;

	if (are_short(&a, x) && are_short(&b, y))
		return short_sum(a, b);
	return sum(x, y, integer_add);
}

PyObject *fraction_subtract(const struct fraction *x, const struct fraction *y)
{
	struct parts a, b;

	if (are_short(&a, x) && are_short(&b, y)) {
		b.numerator = -b.numerator;
		return short_sum(a, b);
	}
	return sum(x, y, integer_subtract);
}

PyObject *fraction_multiply(const struct fraction *x, const struct fraction *y)
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

PyObject *fraction_divide(const struct fraction *x, const struct fraction *y)
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

PyObject *fraction_floor_divide(const struct fraction *x, const struct fraction *y)
{
	PyObject *n, *m, *q;

	if (!crossed(&n, &m, x, y))
		return NULL;
	q = applied(integer_floor_divide, n, m);
	Py_XDECREF(n);
	Py_XDECREF(m);
	return q;
}

PyObject *fraction_modulo(const struct fraction *x, const struct fraction *y)
{
	PyObject *n, *m, *rest, *bottom, *result;

	if (!crossed(&n, &m, x, y))
		return NULL;
	rest = applied(integer_remainder, n, m);
	bottom = integer_multiply(x->denominator, y->denominator);
	result = rest && bottom ? fraction_ratio(rest, bottom, "") : NULL;
	Py_XDECREF(n);
	Py_XDECREF(m);
	Py_XDECREF(rest);
	Py_XDECREF(bottom);
	return result;
}

PyObject *fraction_divmod(const struct fraction *x, const struct fraction *y)
{
	PyObject *q = fraction_floor_divide(x, y), *r = q ? fraction_modulo(x, y) : NULL;

	if (!r) {
		Py_XDECREF(q);
		return NULL;
	}
	return Py_BuildValue("(NN)", q, r);
}

PyObject *fraction_power(const struct fraction *x, PyObject *e)
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

PyObject *fraction_truncated(const struct fraction *x)
{
	PyObject *size = integer_absolute(x->numerator);
	PyObject *q = size ? integer_floor_divide(size, x->denominator) : NULL, *result;

	Py_XDECREF(size);
	if (!q || !is_negative(x->numerator))
		return q;
	result = integer_negative(q);
	Py_DECREF(q);
	return result;
}

PyObject *fraction_floor(const struct fraction *x)
{
	return integer_floor_divide(x->numerator, x->denominator);
}

/* -floor(-x) */
PyObject *fraction_ceil(const struct fraction *x)
{
	PyObject *n = integer_negative(x->numerator), *q, *result;

	q = n ? integer_floor_divide(n, x->denominator) : NULL;
	result = q ? integer_negative(q) : NULL;
	Py_XDECREF(n);
	Py_XDECREF(q);
	return result;
}

PyObject *fraction_compare(const struct fraction *x, const struct fraction *y, int how)
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
