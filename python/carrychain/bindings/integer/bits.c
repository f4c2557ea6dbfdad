// SPDX-License-Identifier: MIT
/* Shifts, and logic in infinite two's complement. */
#include "integer.h"

#include <carrychain/limbs.h>
#include <string.h>

typedef cc_word logic(cc_word a, cc_word b);

/* Numbers >= 0; what the longer has above the shorter one is kept or cut off. */
static inline __attribute__((__always_inline__)) PyObject *
logic_of(const cc_bigint *x, const cc_bigint *y, logic *op, int cuts)
{
	const cc_bigint *longer = x->length < y->length ? y : x, *shorter = longer == x ? y : x;
	const cc_word *a = longer->words, *b = shorter->words;
	size_t m = shorter->length, n = cuts ? m : longer->length, i;
	struct integer *r = integer_new(n + !n);
	cc_word *to;

	if (!r)
		return NULL;
	to = r->room;
	/* four at a time become vectors */
	for (i = 0; i + 4 <= m; i += 4) {
		cc_word c0 = op(a[i], b[i]), c1 = op(a[i + 1], b[i + 1]);
		cc_word c2 = op(a[i + 2], b[i + 2]), c3 = op(a[i + 3], b[i + 3]);

		to[i] = c0;
		to[i + 1] = c1;
		to[i + 2] = c2;
		to[i + 3] = c3;
	}
	for (; i < m; i++)
		to[i] = op(a[i], b[i]);
	for (; i < n; i++)
		to[i] = a[i];
	while (n && !to[n - 1])
		n--;
	integer_of(r, n, 0);
	return integer_done(r, CC_OK);
}

static cc_word and_words(cc_word a, cc_word b)
{
	return a & b;
}

static cc_word or_words(cc_word a, cc_word b)
{
	return a | b;
}

static cc_word xor_words(cc_word a, cc_word b)
{
	return a ^ b;
}

static inline int are_short_and_positive(const cc_bigint *x, const cc_bigint *y)
{
	return !(x->negative | y->negative) && !is_long(x->length, PASS) &&
	       !is_long(y->length, PASS);
}

static PyObject *bits_of_both(const cc_bigint *x, const cc_bigint *y)
{
	if (are_short_and_positive(x, y))
		return logic_of(x, y, and_words, 1);
	return in_a_pass(x, y, cc_bigint_and);
}

static PyObject *bits_of_either(const cc_bigint *x, const cc_bigint *y)
{
	if (are_short_and_positive(x, y))
		return logic_of(x, y, or_words, 0);
	return in_a_pass(x, y, cc_bigint_or);
}

static PyObject *bits_of_one(const cc_bigint *x, const cc_bigint *y)
{
	if (are_short_and_positive(x, y))
		return logic_of(x, y, xor_words, 0);
	return in_a_pass(x, y, cc_bigint_xor);
}

PyObject *integer_and(PyObject *a, PyObject *b)
{
	return exactly(a, b, bits_of_both, PyNumber_And);
}

PyObject *integer_or(PyObject *a, PyObject *b)
{
	return exactly(a, b, bits_of_either, PyNumber_Or);
}

PyObject *integer_xor(PyObject *a, PyObject *b)
{
	return exactly(a, b, bits_of_one, PyNumber_Xor);
}

/* So many words are shifted, or inverted, in loops here: a call would take longer. */
#define FEW 24

/* ~x is -(x + 1), or |x| - 1 below 0 */
PyObject *integer_invert(PyObject *self)
{
	const cc_bigint *x = value_of(self);
	size_t n = x->length, i;
	struct integer *r = integer_new(n + 1);
	cc_word one = 1;

	if (!r || n > FEW)
		return integer_done(r, r ? cc_bigint_not(&r->value, x) : CC_OK);
	if (x->negative) {
		for (i = 0; i < n; i++)
			r->room[i] = cc_word_sub(x->words[i], 0, &one);
		return integer_of(r, n - !r->room[n - 1], 0);
	}
	for (i = 0; i < n; i++)
		r->room[i] = cc_word_add(x->words[i], 0, &one);
	r->room[n] = one;
	return integer_of(r, n + (size_t)one, 1);
}

static PyObject *shifted_left(const cc_bigint *x, uint64_t count)
{
	unsigned int bits = (unsigned int)(count % CC_WORD_BITS);
	size_t n = x->length, low, i;
	struct integer *r;
	cc_word above = 0;

	if (!n)
		return integer_from_i64(0);
	if (count == UINT64_MAX || count / 8 >= PY_SSIZE_T_MAX) {
		PyErr_SetString(PyExc_OverflowError, "too many bits");
		return NULL;
	}
	low = (size_t)(count / CC_WORD_BITS);
	r = integer_new(low + n + 1);
	if (!r)
		return NULL;
	memset(r->room, 0, low * sizeof(cc_word));
	if (n > FEW) {
		above = cc_limbs_lshift(r->room + low, x->words, n, bits);
	} else {
		for (i = 0; i < n; i++) {
			r->room[low + i] = x->words[i] << bits | above;
			/* in two steps: a word's length is no count */
			above = x->words[i] >> 1 >> (CC_WORD_BITS - 1 - bits);
		}
	}
	r->room[low + n] = above;
	return integer_of(r, low + n + (above > 0), x->negative);
}

PyObject *integer_shifted_right(const cc_bigint *x, uint64_t count)
{
	unsigned int bits = (unsigned int)(count % CC_WORD_BITS);
	size_t n = x->length, low, i;
	const cc_word *words;
	struct integer *r;

	if (count / CC_WORD_BITS >= n)
		return integer_from_i64(-x->negative);
	low = (size_t)(count / CC_WORD_BITS);
	n -= low;
	r = integer_new(n + 1);
	if (!r || x->negative)
		return integer_done(r, r ? cc_bigint_shr(&r->value, x, count) : CC_OK);
	words = x->words + low;
	if (n > FEW) {
		cc_limbs_rshift(r->room, words, n, bits);
	} else {
		for (i = 0; i < n - 1; i++)
			r->room[i] = words[i] >> bits | words[i + 1] << 1
								     << (CC_WORD_BITS - 1 - bits);
		r->room[i] = words[i] >> bits;
	}
	return integer_of(r, n - !r->room[n - 1], 0);
}

/* Sets the shift's count, at most UINT64_MAX; 0 with an exception if it is negative. */
static int shift_count(uint64_t *count, const cc_bigint *y)
{
	if (y->negative) {
		PyErr_SetString(PyExc_ValueError, "negative shift count");
		return 0;
	}
	if (cc_bigint_get_u64(count, y) != CC_OK)
		*count = UINT64_MAX;
	return 1;
}

static PyObject *shift_left(const cc_bigint *x, const cc_bigint *y)
{
	uint64_t count;

	return shift_count(&count, y) ? shifted_left(x, count) : NULL;
}

static PyObject *shift_right(const cc_bigint *x, const cc_bigint *y)
{
	uint64_t count;

	return shift_count(&count, y) ? integer_shifted_right(x, count) : NULL;
}

PyObject *integer_lshift(PyObject *a, PyObject *b)
{
	cc_word count;

	if (is_integer(a) && int_fits_word(&count, b))
		return shifted_left(value_of(a), count);
	return exactly(a, b, shift_left, PyNumber_Lshift);
}

PyObject *integer_rshift(PyObject *a, PyObject *b)
{
	cc_word count;

	if (is_integer(a) && int_fits_word(&count, b))
		return integer_shifted_right(value_of(a), count);
	return exactly(a, b, shift_right, PyNumber_Rshift);
}

PyObject *integer_bit_length(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyLong_FromUnsignedLongLong(cc_bigint_bit_length(value_of(self)));
}

/* Counts ones in pairs, in fours and in bytes, then sums the bytes by a product. */
static unsigned int ones(uint64_t w)
{
	w -= w >> 1 & 0x5555555555555555;
	w = (w & 0x3333333333333333) + (w >> 2 & 0x3333333333333333);
	w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (unsigned int)(w * 0x0101010101010101 >> 56);
}

PyObject *integer_bit_count(PyObject *self, PyObject *unused)
{
	const cc_bigint *x = value_of(self);
	uint64_t count = 0;
	size_t i;

	(void)unused;
	for (i = 0; i < x->length; i++)
		count += ones(x->words[i]);
	return PyLong_FromUnsignedLongLong(count);
}
