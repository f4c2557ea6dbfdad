// SPDX-License-Identifier: MIT
/* Order, hash and truth, all as int's. */
#include "integer.h"

PyObject *integer_compare(PyObject *self, PyObject *other, int how)
{
	PyObject *same, *result;
	struct operand y;
	int order, opened = operand_open(&y, other);

	if (opened < 0)
		return NULL;
	if (opened) {
		order = cc_bigint_cmp(value_of(self), y.value);
		operand_close(&y);
		Py_RETURN_RICHCOMPARE(order, 0, how);
	}
	if (!PyNumber_Check(other))
		Py_RETURN_NOTIMPLEMENTED;
	same = integer_int(self);
	if (!same)
		return NULL;
	result = PyObject_RichCompare(same, other, how);
	Py_DECREF(same);
	return result;
}

/*
 * Python's hash of a number is its remainder modulo the prime P = 2^BITS - 1, with its sign
 * (docs.python.org, "Hashing of numeric types").  A word's base is 2^SHIFT modulo P.  So each step
 * of Horner's rule rotates BITS bits by SHIFT, and adds a word that has been folded once.
 */
#define HASH_BITS  (CC_WORD_BITS == 64 ? 61 : 31)
#define HASH_PRIME (((cc_word)1 << HASH_BITS) - 1)
#define HASH_SHIFT (CC_WORD_BITS - HASH_BITS)

static Py_hash_t hash(const cc_bigint *x)
{
	cc_word h = 0, w;
	Py_hash_t result;
	size_t i;

	for (i = x->length; i--;) {
		w = x->words[i];
		h = ((h << HASH_SHIFT) & HASH_PRIME) | (h >> (HASH_BITS - HASH_SHIFT));
		/* the sum is below 2P + 2^SHIFT, so below 3P, and fits a word */
		h += (w & HASH_PRIME) + (w >> HASH_BITS);
		h = (h & HASH_PRIME) + (h >> HASH_BITS);
		if (h >= HASH_PRIME)
			h -= HASH_PRIME;
	}
	result = x->negative ? -(Py_hash_t)h : (Py_hash_t)h;
	return result == -1 ? -2 : result;
}

Py_hash_t integer_hash(PyObject *self)
{
	struct integer *x = (struct integer *)self;

	if (x->hash == -1)
		x->hash = hash(&x->value);
	return x->hash;
}

int integer_bool(PyObject *self)
{
	return value_of(self)->length > 0;
}
