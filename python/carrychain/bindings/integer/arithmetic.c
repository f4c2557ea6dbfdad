// SPDX-License-Identifier: MIT
/* Sums, products and quotients. */
#include "integer.h"

#include <carrychain/limbs.h>
#include <string.h>

/* Whether both are one word, which most numbers are: they need no calls. */
static inline int are_words(const cc_bigint *x, const cc_bigint *y)
{
	return x->length == 1 && y->length == 1;
}

/* x + y for few words, where y's sign is the one given. */
static PyObject *sum_of_few(const cc_bigint *x, const cc_bigint *y, int y_negative)
{
	const cc_bigint *longer = x->length < y->length ? y : x, *shorter = longer == x ? y : x;
	int negative = longer == x ? x->negative : y_negative;
	const cc_word *a = longer->words, *b = shorter->words;
	size_t n = longer->length, m = shorter->length, i;
	struct integer *r = integer_new(n + 1);
	cc_word carry = 0;

	if (!r)
		return NULL;
	if (x->negative == y_negative) {
		for (i = 0; i < m; i++)
			r->room[i] = cc_word_add(a[i], b[i], &carry);
		for (; i < n; i++)
			r->room[i] = cc_word_add(a[i], 0, &carry);
		r->room[n] = carry;
		return integer_of(r, n + (size_t)carry, negative);
	}
	for (i = 0; i < m; i++)
		r->room[i] = cc_word_sub(a[i], b[i], &carry);
	for (; i < n; i++)
		r->room[i] = cc_word_sub(a[i], 0, &carry);
	if (carry) {
		/* as long, but less: the difference is negated */
		negative = !negative;
		carry = 0;
		for (i = 0; i < n; i++)
			r->room[i] = cc_word_sub(0, r->room[i], &carry);
	}
	while (n && !r->room[n - 1])
		n--;
	return integer_of(r, n, negative && n);
}

static PyObject *add(const cc_bigint *x, const cc_bigint *y)
{
	if (are_few(x, y))
		return sum_of_few(x, y, y->negative);
	return in_a_pass(x, y, cc_bigint_add);
}

static PyObject *subtract(const cc_bigint *x, const cc_bigint *y)
{
	if (are_few(x, y))
		return sum_of_few(x, y, !y->negative);
	return in_a_pass(x, y, cc_bigint_sub);
}

/* Up to so many products of two words are made here, row by row. */
#define FEW_PRODUCTS 9

static inline int has_few_products(size_t n, size_t m)
{
	return n - 1 < FEW && m - 1 < FEW && n * m <= FEW_PRODUCTS;
}

static PyObject *product_of_few(const cc_bigint *x, const cc_bigint *y)
{
	size_t n = x->length, m = y->length, i, j;
	const cc_word *a = x->words, *b = y->words;
	struct integer *r = integer_new(n + m);
	cc_word high, low, over, *to;

	if (!r)
		return NULL;
	for (i = 0, over = 0; i < n; i++) {
		low = cc_word_mul(&high, a[i], b[0]);
		r->room[i] = low + over;
		over = high + (r->room[i] < low);
	}
	r->room[n] = over;
	for (j = 1; j < m; j++) {
		to = r->room + j;
		for (i = 0, over = 0; i < n; i++) {
			low = cc_word_mul(&high, a[i], b[j]);
			low += over;
			high += low < over;
			to[i] += low;
			over = high + (to[i] < low);
		}
		to[n] = over;
	}
	return integer_of(r, n + m - !r->room[n + m - 1], x->negative != y->negative);
}

static PyObject *multiply(const cc_bigint *x, const cc_bigint *y)
{
	int alone = !is_long(x->length, y->length), status;
	struct integer *r;
	struct watch w;

	if (has_few_products(x->length, y->length))
		return product_of_few(x, y);
	if (!x->length || !y->length)
		return integer_from_i64(0);
	r = integer_new(alone ? x->length + y->length : 0);
	if (!r)
		return NULL;
	if (alone)
		return integer_done(r, cc_bigint_mul(&r->value, x, y));
	watch_begin(&w);
	status = cc_bigint_mul_watched(&r->value, x, y, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

static PyObject *signed_word(cc_word w, int negative)
{
	struct integer *r = integer_new(1);

	if (!r)
		return NULL;
	r->room[0] = w;
	return integer_of(r, w > 0, w && negative);
}

/* Either of q and r may be NULL.  0 with an exception. */
static int divide_words(PyObject **q, PyObject **r, const cc_bigint *x, const cc_bigint *y)
{
	cc_word a = x->words[0], b = y->words[0], quotient = a / b, remainder = a % b;
	int differ = x->negative != y->negative;

	/* quotient + 1 is no carry: a remainder is below a divisor above 1 */
	if (differ && remainder) {
		quotient++;
		remainder = b - remainder;
	}
	if (q)
		*q = signed_word(quotient, differ);
	if (r)
		*r = signed_word(remainder, y->negative);
	return (!q || *q) && (!r || *r);
}

/* A longer number by a word; r may be NULL. */
static int divide_by_word(PyObject **q, PyObject **r, const cc_bigint *x, const cc_bigint *y)
{
	int differ = x->negative != y->negative;
	size_t n = x->length;
	struct integer *quotient = integer_new(n);
	cc_word remainder;

	if (!quotient)
		return 0;
	remainder = cc_limbs_divrem_1(quotient->room, x->words, n, y->words[0]);
	if (differ && remainder) {
		cc_limbs_add_1(quotient->room, quotient->room, n, 1);
		remainder = y->words[0] - remainder;
	}
	*q = integer_of(quotient, n - !quotient->room[n - 1], differ);
	if (r)
		*r = signed_word(remainder, y->negative);
	return !r || *r;
}

/* Computes quotient and remainder; either of q and r may be NULL.  0 with an exception. */
static int divide(PyObject **q, PyObject **r, const cc_bigint *x, const cc_bigint *y)
{
	size_t n = x->length >= y->length ? x->length - y->length : 0;
	struct integer *quotient = NULL, *remainder = NULL;
	cc_bigint *to_q = NULL, *to_r = NULL;
	int alone = !is_long(n, y->length), status = CC_OK;
	struct watch w;

	if (are_words(x, y))
		return divide_words(q, r, x, y);
	if (q && y->length == 1 && x->length > 1 && !is_long(x->length, PASS))
		return divide_by_word(q, r, x, y);
	if (!y->length) {
		PyErr_SetString(PyExc_ZeroDivisionError, "integer division or modulo by zero");
		return 0;
	}
	if (q) {
		quotient = integer_new(alone ? n + 2 : 0);
		if (!quotient)
			return 0;
		to_q = &quotient->value;
	}
	if (r) {
		remainder = integer_new(alone ? y->length : 0);
		if (!remainder) {
			Py_XDECREF((PyObject *)quotient);
			return 0;
		}
		to_r = &remainder->value;
	}
	if (alone) {
		status = cc_bigint_divmod_floor(to_q, to_r, x, y);
	} else {
		watch_begin(&w);
		status = cc_bigint_divmod_floor_watched(to_q, to_r, x, y, &w.progress);
		watch_end(&w);
	}
	if (q)
		*q = integer_done(quotient, status);
	if (r)
		*r = integer_done(remainder, status);
	return (!q || *q) && (!r || *r);
}

static PyObject *floor_divide(const cc_bigint *x, const cc_bigint *y)
{
	PyObject *q = NULL;

	divide(&q, NULL, x, y);
	return q;
}

static PyObject *modulo(const cc_bigint *x, const cc_bigint *y)
{
	PyObject *r = NULL;

	divide(NULL, &r, x, y);
	return r;
}

static PyObject *quotient_and_remainder(const cc_bigint *x, const cc_bigint *y)
{
	PyObject *q = NULL, *r = NULL, *both = NULL;

	if (divide(&q, &r, x, y))
		both = PyTuple_Pack(2, q, r);
	Py_XDECREF(q);
	Py_XDECREF(r);
	return both;
}

PyObject *integer_add(PyObject *a, PyObject *b)
{
	return exactly(a, b, add, PyNumber_Add);
}

PyObject *integer_subtract(PyObject *a, PyObject *b)
{
	return exactly(a, b, subtract, PyNumber_Subtract);
}

PyObject *integer_multiply(PyObject *a, PyObject *b)
{
	return exactly(a, b, multiply, PyNumber_Multiply);
}

PyObject *integer_floor_divide(PyObject *a, PyObject *b)
{
	return exactly(a, b, floor_divide, PyNumber_FloorDivide);
}

PyObject *integer_remainder(PyObject *a, PyObject *b)
{
	return exactly(a, b, modulo, PyNumber_Remainder);
}

PyObject *integer_divmod(PyObject *a, PyObject *b)
{
	return exactly(a, b, quotient_and_remainder, PyNumber_Divmod);
}

/* int rounds the quotient to the nearest float, ties to even, for operands of any length. */
PyObject *integer_true_divide(PyObject *a, PyObject *b)
{
	return as_ints(a, b, PyNumber_TrueDivide);
}

PyObject *integer_positive(PyObject *self)
{
	return Py_NewRef(self);
}

PyObject *integer_negative(PyObject *self)
{
	const cc_bigint *x = value_of(self);
	struct integer *r;

	if (!x->length)
		return Py_NewRef(self);
	r = integer_new(x->length);
	if (!r)
		return NULL;
	memcpy(r->room, x->words, x->length * sizeof(cc_word));
	return integer_of(r, x->length, !x->negative);
}

PyObject *integer_absolute(PyObject *self)
{
	return value_of(self)->negative ? integer_negative(self) : Py_NewRef(self);
}
