// SPDX-License-Identifier: MIT
/* Primality and the next prime. */
#include "integer.h"

PyObject *integer_is_prime(PyObject *self, PyObject *unused)
{
	const cc_bigint *x = value_of(self);
	int status, prime = 0;
	struct watch w;

	(void)unused;
	/* a power takes as many products as it has bits */
	if (!is_long(x->length * x->length, x->length * CC_WORD_BITS)) {
		status = cc_theory_is_prime(&prime, x, NULL);
	} else {
		watch_begin(&w);
		status = cc_theory_is_prime(&prime, x, &w.progress);
		watch_end(&w);
	}
	if (!status)
		return PyBool_FromLong(prime);
	integer_raise(status);
	return NULL;
}

/* The words of a number near which a prime is found at once. */
#define SHORT_SEARCH (256 / CC_WORD_BITS)

PyObject *integer_next_prime(PyObject *self, PyObject *unused)
{
	const cc_bigint *x = value_of(self);
	struct integer *r = integer_new(x->length + 1);
	struct watch w;
	int status;

	(void)unused;
	if (!r)
		return NULL;
	if (x->length <= SHORT_SEARCH)
		return integer_done(r, cc_theory_next_prime(&r->value, x, NULL));
	watch_begin(&w);
	status = cc_theory_next_prime(&r->value, x, &w.progress);
	watch_end(&w);
	return integer_done(r, status);
}
