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

/* r = b^e mod m by fixed.h, in constant time but for e, for 0 <= b < m */
static int fixed_power(cc_bigint *r, const cc_bigint *b, const cc_bigint *e, const cc_bigint *m)
{
	cc_bigint result = CC_BIGINT_INIT, room = CC_BIGINT_INIT;
	size_t n = m->length;
	int status = cc_bigint_reserve(&room, n);

	if (!status)
		status = cc_bigint_reserve(&result, n);
	if (!status) {
		status = cc_fz_powmod_public(result.words, padded(room.words, b, n), e->words,
					     e->length, m->words, n);
		take(r, result.words, n);
	}
	cc_bigint_clear(&room);
	return status;
}

/*
 * Whether that is faster: its context takes as long as some dozen products, each of which is then
 * several times faster, if it has more words than a few.  It can't be stopped.
 */
static int fixed_wins(const cc_bigint *e, const cc_bigint *m)
{
	return m->length >= (m->words[0] & 1 ? 4 : 16) && m->length <= CC_FZ_MAX &&
	       e->length <= CC_FZ_MAX && cc_bigint_bit_length(e) >= 64;
}

/* r = b^e mod m, for 1 < m and e >= 0 */
static int power_modulo(cc_bigint *r, const cc_bigint *b, const cc_bigint *e, const cc_bigint *m)
{
	cc_bigint rest = CC_BIGINT_INIT;
	struct watch w;
	int status, waits;

	waits = is_long(m->length * m->length, e->length * CC_WORD_BITS);
	if (waits)
		watch_begin(&w);
	if (fixed_wins(e, m)) {
		status = cc_bigint_divmod_floor(NULL, &rest, b, m);
		if (!status)
			status = fixed_power(r, &rest, e, m);
		cc_bigint_clear(&rest);
	} else {
		status = cc_bigint_powm(r, b, e, m, waits ? &w.progress : NULL);
	}
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
	PyErr_SetString(PyExc_ValueError, integer_texts.not_invertible);
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
		status = e->negative ? inverse(&b, x, &m) : CC_OK;
		if (!status)
			status = power_modulo(&r->value, e->negative ? &b : x, &exponent, &m);
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
