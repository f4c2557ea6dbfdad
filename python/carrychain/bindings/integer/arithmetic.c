// SPDX-License-Identifier: MIT
/* Sums, products and quotients. */
#include "integer.h"

#include <carrychain/limbs.h>
#include <string.h>

/* So many words are added, or are a factor, in loops here: a call would take longer. */
#define FEW 8

/* Whether both are one word, which most numbers are: they need no calls. */
static inline int are_words(const cc_bigint *x, const cc_bigint *y)
{
	return x->length == 1 && y->length == 1;
}

/* r[n] = a[n] + b[m] for n >= m; returns the carry */
static inline cc_word add_words(cc_word *r, const cc_word *a, size_t n, const cc_word *b, size_t m)
{
	cc_word carry = 0;
	size_t i;

	if (n > FEW) {
		if (m == 1)
			return cc_limbs_add_1(r, a, n, b[0]);
		carry = cc_limbs_add(r, a, b, m);
		return n > m ? cc_limbs_add_1(r + m, a + m, n - m, carry) : carry;
	}
	for (i = 0; i < m; i++)
		r[i] = cc_word_add(a[i], b[i], &carry);
	for (; i < n; i++)
		r[i] = cc_word_add(a[i], 0, &carry);
	return carry;
}

/* r[n] = a[n] - b[m], which is not below 0; returns the length without zeros above */
static inline size_t subtract_words(cc_word *r, const cc_word *a, size_t n, const cc_word *b,
				    size_t m)
{
	cc_word borrow = 0;
	size_t i;

	if (n > FEW) {
		if (m == 1) {
			cc_limbs_sub_1(r, a, n, b[0]);
		} else {
			borrow = cc_limbs_sub(r, a, b, m);
			if (n > m)
				cc_limbs_sub_1(r + m, a + m, n - m, borrow);
		}
	} else {
		for (i = 0; i < m; i++)
			r[i] = cc_word_sub(a[i], b[i], &borrow);
		for (; i < n; i++)
			r[i] = cc_word_sub(a[i], 0, &borrow);
	}
	while (n && !r[n - 1])
		n--;
	return n;
}

/* |x| < |y|, of one length */
static inline int is_less(const cc_bigint *x, const cc_bigint *y)
{
	size_t n = x->length;

	/* the words at the top usually decide */
	return n && x->words[n - 1] <= y->words[n - 1] && cc_limbs_cmp(x->words, y->words, n) < 0;
}

/* x + y, where y's sign is the one given */
static PyObject *sum(const cc_bigint *x, const cc_bigint *y, int y_negative)
{
	int differ = x->negative != y_negative, negative = x->negative;
	const cc_bigint *a = x, *b = y;
	struct integer *r;
	size_t n;

	if (x->length < y->length || (differ && x->length == y->length && is_less(x, y))) {
		a = y;
		b = x;
		negative = y_negative;
	}
	n = a->length;
	r = integer_new(n + 1);
	if (!r)
		return NULL;
	if (!differ) {
		r->room[n] = add_words(r->room, a->words, n, b->words, b->length);
		return integer_of(r, n + (r->room[n] > 0), negative);
	}
	n = subtract_words(r->room, a->words, n, b->words, b->length);
	integer_of(r, n, negative && n);
	return integer_done(r, CC_OK);
}

static inline int is_short(const cc_bigint *x, const cc_bigint *y)
{
	return !is_long(x->length + 1, PASS) && !is_long(y->length + 1, PASS);
}

static PyObject *add(const cc_bigint *x, const cc_bigint *y)
{
	return is_short(x, y) ? sum(x, y, y->negative) : in_a_long_pass(x, y, cc_bigint_add);
}

static PyObject *subtract(const cc_bigint *x, const cc_bigint *y)
{
	return is_short(x, y) ? sum(x, y, !y->negative) : in_a_long_pass(x, y, cc_bigint_sub);
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
		PyErr_SetString(PyExc_ZeroDivisionError, integer_texts.division_by_zero);
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
