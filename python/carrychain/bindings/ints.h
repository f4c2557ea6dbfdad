/* SPDX-License-Identifier: MIT */
/*
 * ints.h - the values of ints, read and written: in their memory, where its layout is known, and by
 * their methods elsewhere.
 *
 * From Python 3.11 to 3.14 an int is a head and digits of 30 bits, the least significant first.
 * The layout does not change within a version.  The head is the number of digits: below 0 for a
 * negative int in 3.11, and from 3.12 on above three bits, which are 0, 1 or 2 for a value above,
 * equal to or below 0.  Whether this holds is tried when a module is imported.
 */
#ifndef CARRYCHAIN_INTS_H
#define CARRYCHAIN_INTS_H

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>

#include <carrychain/bigint.h>

#define INTS_HIDDEN __attribute__((visibility("hidden")))

#define DIGIT_BITS 30
#define DIGIT_MASK (((uint32_t)1 << DIGIT_BITS) - 1)
#define TAG_BITS   3
#define TAG_BELOW  2
/* As many digits fit a word. */
#define IN_A_WORD (CC_WORD_BITS / DIGIT_BITS)

struct int_object {
	PyObject_HEAD Py_ssize_t head;
	uint32_t digits[];
};

enum int_layout {
	UNKNOWN,
	SIGNED_COUNT,
	TAGGED_COUNT,
};

extern INTS_HIDDEN enum int_layout int_layout;

/* To be called first, once; 0 with an exception. */
INTS_HIDDEN int ints_prepare(void);

static inline size_t digit_count(const struct int_object *x)
{
	if (int_layout == TAGGED_COUNT)
		return (size_t)x->head >> TAG_BITS;
	return x->head < 0 ? 0 - (size_t)x->head : (size_t)x->head;
}

static inline int is_below_zero(const struct int_object *x)
{
	return int_layout == TAGGED_COUNT ? (x->head & TAG_BELOW) != 0 : x->head < 0;
}

/* The first digits, at most count, that fit a word. */
static inline cc_word some_digits(const uint32_t *digits, size_t count)
{
	cc_word w = count ? digits[0] : 0;

#if IN_A_WORD == 2
	if (count > 1)
		w |= (cc_word)digits[1] << DIGIT_BITS;
#endif
	return w;
}

/* As many words as an int may need, and at most one more; -1 with an exception */
INTS_HIDDEN Py_ssize_t int_words(PyObject *x);
/* r = x, where r has room for so many words; -1 with an exception */
INTS_HIDDEN int int_read(cc_bigint *r, PyObject *x, size_t words);

/* Whether an int of one word was read, the usual one. */
static inline int int_read_a_word(cc_bigint *r, PyObject *x)
{
	const struct int_object *in = (const struct int_object *)x;
	size_t count = digit_count(in);

	if (!int_layout || count > IN_A_WORD)
		return 0;
	r->words[0] = some_digits(in->digits, count);
	r->length = count > 0;
	r->negative = is_below_zero(in);
	return 1;
}

INTS_HIDDEN PyObject *int_from_bigint(const cc_bigint *x);

#endif /* CARRYCHAIN_INTS_H */
