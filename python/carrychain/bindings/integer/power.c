// SPDX-License-Identifier: MIT
/* Powers, modular powers and modular inverses. */
#include "integer.h"

#include <carrychain/fixed.h>
#include <string.h>

static PyObject *to_the(PyObject *a, PyObject *b)
{
	return PyNumber_Power(a, b, Py_None);
}

/* The most bits of a power that is computed with the GIL held. */
#define SHORT_POWER ((uint64_t)1024 * CC_WORD_BITS)

static PyObject *power(const cc_bigint *x, const cc_bigint *y)
{
	uint64_t exponent, bits = cc_bigint_bit_length(x);
	struct integer *r;
	struct watch w;
	int status;

	if (cc_bigint_get_u64(&exponent, y) != CC_OK) {
		/* the base is 0, 1 or -1, the exponent not 0 */
		if (bits > 1)
			return PyErr_NoMemory();
		exponent = 2 + (y->words[0] & 1);
	}
	if (!bits || exponent <= SHORT_POWER / bits) {
		r = integer_new((size_t)(bits * exponent / CC_WORD_BITS) + 3);
		return integer_done(r, r ? cc_bigint_pow(&r->value, x, exponent) : CC_OK);
	}
	r = integer_new(0);
	if (!r)
		return NULL;
	watch_begin(&w);
	status = cc_bigint_pow_watched(&r->value, x, exponent, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}

/*
 * b^e mod m for one word m > b, and e > 0, by e's bits from the top.  The power is kept multiplied
 * by 2^shift, and below the divisor d = 2^shift m, whose top bit is set.  Its product with a factor
 * below m is multiplied by 2^shift as well, and so is the remainder modulo d.  The product's upper
 * word is below the factor, so the quotient fits a word.
 */
static cc_word word_power(cc_word b, const cc_bigint *e, cc_word m)
{
	unsigned int shift = cc_word_clz(m);
	cc_word d = m << shift, v = cc_word_reciprocal(d), power = b << shift, high, low;
	size_t at = (size_t)cc_bigint_bit_length(e) - 1;

	while (at--) {
		low = cc_word_mul(&high, power, power >> shift);
		cc_word_div_2by1(&power, high, low, d, v);
		if (e->words[at / CC_WORD_BITS] >> at % CC_WORD_BITS & 1) {
			low = cc_word_mul(&high, power, b);
			cc_word_div_2by1(&power, high, low, d, v);
		}
	}
	return power >> shift;
}

/* Writes a value as n words, padded with zeros. */
static cc_word *padded(cc_word *to, const cc_bigint *x, size_t n)
{
	if (x->length)
		memcpy(to, x->words, x->length * sizeof(cc_word));
	memset(to + x->length, 0, (n - x->length) * sizeof(cc_word));
	return to;
}

/* Gives r, which has no words yet, the n words that fixed.h has written. */
static void take(cc_bigint *r, cc_word *words, size_t n)
{
	*r = (cc_bigint){words, n, n, 0};
	while (r->length && !words[r->length - 1])
		r->length--;
}

/* r = b^e mod m by fixed.h, in n words, for 0 <= b < m, and e of at most n words */
static int fixed_power(cc_bigint *r, const cc_bigint *b, const cc_bigint *e, const cc_bigint *m,
		       size_t n)
{
	cc_bigint result = CC_BIGINT_INIT, room = CC_BIGINT_INIT;
	int status = cc_bigint_reserve(&room, 3 * n);

	if (!status)
		status = cc_bigint_reserve(&result, n);
	if (!status) {
		status = cc_fz_powmod(result.words, padded(room.words, b, n),
				      padded(room.words + n, e, n),
				      padded(room.words + 2 * n, m, n), n);
		take(r, result.words, n);
	}
	cc_bigint_clear(&room);
	return status;
}

/* r = r x mod m; t is scratch */
static int multiply_modulo(cc_bigint *r, const cc_bigint *x, const cc_bigint *m, cc_bigint *t,
			   const struct cc_progress *progress)
{
	int status = cc_bigint_mul_watched(t, r, x, progress);

	return status ? status : cc_bigint_divmod_floor_watched(NULL, r, t, m, progress);
}

#define WINDOW_MAX 4

/*
 * r = b^e mod m for numbers of any length, 0 <= b < m and e > 0: e's digits in base 2^window,
 * top first (Knuth 4.6.3).
 */
static int window_power(cc_bigint *r, const cc_bigint *b, const cc_bigint *e, const cc_bigint *m,
			const struct cc_progress *progress)
{
	cc_bigint table[1 << WINDOW_MAX], t = CC_BIGINT_INIT;
	size_t bits = (size_t)cc_bigint_bit_length(e), at;
	/* a table does not pay for a short exponent; either window divides a word's bits */
	size_t window = bits > 64 ? WINDOW_MAX : 1, entries = (size_t)1 << window, j;
	int status;

	for (j = 0; j < entries; j++)
		cc_bigint_init(&table[j]);
	status = cc_bigint_set_u64(&table[0], 1);
	if (!status)
		status = cc_bigint_set(&table[1], b);
	for (j = 2; j < entries && !status; j++) {
		status = cc_bigint_set(&table[j], &table[j - 1]);
		if (!status)
			status = multiply_modulo(&table[j], b, m, &t, progress);
	}
	if (!status)
		status = cc_bigint_set_u64(r, 1);
	for (at = (bits + window - 1) / window * window; at && !status;) {
		cc_word digit;

		at -= window;
		digit = e->words[at / CC_WORD_BITS] >> at % CC_WORD_BITS & (entries - 1);
		for (j = 0; j < window && !status; j++)
			status = multiply_modulo(r, r, m, &t, progress);
		if (digit && !status)
			status = multiply_modulo(r, &table[digit], m, &t, progress);
	}
	for (j = 0; j < entries; j++)
		cc_bigint_clear(&table[j]);
	cc_bigint_clear(&t);
	return status;
}

/* r = b^e mod m, for 0 <= b < m, 1 < m and e >= 0 */
static int power_modulo(cc_bigint *r, const cc_bigint *b, const cc_bigint *e, const cc_bigint *m)
{
	size_t n = m->length > e->length ? m->length : e->length;
	struct watch w;
	int status, waits;

	if (!e->length)
		return cc_bigint_set_u64(r, 1);
	if (!b->length)
		return cc_bigint_set_u64(r, 0);
	waits = is_long(m->length * m->length, e->length * CC_WORD_BITS);
	if (waits)
		watch_begin(&w);
	if (m->length == 1)
		status = cc_bigint_set_u64(r, word_power(b->words[0], e, m->words[0]));
	/* the width is that of the longer of e and m: faster unless their bits differ much */
	else if (n <= CC_FZ_MAX && n <= 2 * m->length &&
		 8 * cc_bigint_bit_length(e) >= cc_bigint_bit_length(m))
		status = fixed_power(r, b, e, m, n);
	else
		status = window_power(r, b, e, m, waits ? &w.progress : NULL);
	if (waits)
		watch_end(&w);
	return status;
}

/* r = b^-1 modulo m > 0; CC_EINTR: an exception is set */
static int inverse(cc_bigint *r, const cc_bigint *b, const cc_bigint *m)
{
	struct watch w;
	int status;

	if (is_long(b->length, m->length)) {
		watch_begin(&w);
		status = cc_bigint_invert(r, b, m, &w.progress);
		watch_end(&w);
	} else {
		status = cc_bigint_invert(r, b, m, NULL);
	}
	if (status != CC_ERANGE)
		return status;
	PyErr_SetString(PyExc_ValueError, "base is not invertible for the given modulus");
	return CC_EINTR;
}

static PyObject *modular(const cc_bigint *x, const cc_bigint *e, const cc_bigint *modulus)
{
	cc_bigint b = CC_BIGINT_INIT, exponent = *e, m = *modulus;
	struct integer *r;
	int status, is_inverse;

	if (!m.length) {
		PyErr_SetString(PyExc_ValueError, "pow() 3rd argument cannot be 0");
		return NULL;
	}
	if (m.length == 1 && m.words[0] == 1)
		return integer_from_i64(0);
	/* their magnitudes; the words are borrowed */
	m.negative = exponent.negative = 0;
	is_inverse = e->negative && e->length == 1 && e->words[0] == 1;
	r = integer_new(is_inverse ? m.length + 1 : 0);
	if (!r)
		return NULL;
	if (is_inverse) {
		status = inverse(&r->value, x, &m);
	} else {
		status = e->negative ? inverse(&b, x, &m) : cc_bigint_divmod_floor(NULL, &b, x, &m);
		if (!status)
			status = power_modulo(&r->value, &b, &exponent, &m);
	}
	if (!status && modulus->negative && r->value.length)
		status = cc_bigint_add(&r->value, &r->value, modulus);
	cc_bigint_clear(&b);
	return integer_done(r, status);
}

PyObject *integer_power(PyObject *a, PyObject *b, PyObject *modulus)
{
	struct operand x, y, m;
	PyObject *result = NULL;
	int opened = operands_open(&x, a, &y, b);

	if (opened < 0)
		return NULL;
	if (modulus == Py_None) {
		if (!opened)
			return as_ints(a, b, to_the);
		/* for a negative exponent, int's power is a float */
		result = y.value->negative ? as_ints(a, b, to_the) : power(x.value, y.value);
		operands_close(&x, &y);
		return result;
	}
	if (!opened)
		Py_RETURN_NOTIMPLEMENTED;
	opened = operand_open(&m, modulus);
	if (opened > 0) {
		result = modular(x.value, y.value, m.value);
		operand_close(&m);
	} else if (!opened) {
		result = Py_NewRef(Py_NotImplemented);
	}
	operands_close(&x, &y);
	return result;
}
