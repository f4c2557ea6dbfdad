/* SPDX-License-Identifier: MIT */
/*
 * integer.h - carrychain.Integer: a cc_bigint as an immutable Python object, on the limited API.
 *
 * The words of a result lie behind its head, in the room that bigint.h says it needs at most,
 * so that a sum or a product allocates once.  What long work has made in memory of its own
 * stays there.  An int among the operands is read into words for as long as the call lasts; with
 * any other number Integer does what int does, by becoming one.
 */
#ifndef CARRYCHAIN_INTEGER_H
#define CARRYCHAIN_INTEGER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <carrychain/bigint.h>

struct integer {
	PyObject_HEAD cc_bigint value;
	Py_hash_t hash; /* -1: not asked for yet */
	cc_word room[];
};

/* One a process, as cffi's module is. */
extern PyTypeObject *integer_type;

static inline int is_integer(PyObject *x)
{
	return Py_TYPE(x) == integer_type;
}

static inline const cc_bigint *value_of(PyObject *x)
{
	return &((const struct integer *)x)->value;
}

/* object.c */

/* Zero, with room for @words words; with none, whatever writes it allocates for itself. */
struct integer *integer_new(size_t words);
/* What a function of bigint.h has written, or the error that it returned; @r may be NULL. */
PyObject *integer_done(struct integer *r, int status);
PyObject *integer_from_i64(int64_t x);
void integer_dealloc(PyObject *self);
PyObject *integer_sizeof(PyObject *self, PyObject *unused);
/* The exception for any status but CC_OK; for CC_EINTR a handler of a signal has raised it. */
void integer_raise(int status);

/* operand.c */

struct operand {
	const cc_bigint *value;
	cc_bigint own; /* its words are NULL for an Integer, lent for a small int */
	cc_word lent[64 / CC_WORD_BITS];
};

/* Once, before all else: whether it is done, or has raised. */
int operand_prepare(void);
/* 1; 0 if x is neither Integer nor int; -1 with an exception. */
int operand_open(struct operand *o, PyObject *x);
void operand_close(struct operand *o);
/* Both or none. */
int operands_open(struct operand *x, PyObject *a, struct operand *y, PyObject *b);
void operands_close(struct operand *x, struct operand *y);

/* The int of this value, and the Integer of an int's. */
PyObject *int_from_bigint(const cc_bigint *x);
PyObject *integer_from_int(PyObject *x);

/* Of two values, its result a new reference. */
typedef PyObject *exact_operation(const cc_bigint *x, const cc_bigint *y);
typedef PyObject *binary_operation(PyObject *a, PyObject *b);
/* @work on Integers and ints; as_ints() for others. */
PyObject *exactly(PyObject *a, PyObject *b, exact_operation *work, binary_operation *otherwise);
/* @by for a and b, Integers as ints: NotImplemented if the other is no number. */
PyObject *as_ints(PyObject *a, PyObject *b, binary_operation *by);

/* watch.c */

/* Work in products of two words, some 0.2 ms: from here on the GIL is released. */
#define LONG_WORK ((size_t)1 << 20)
/* What a word takes that is only added, copied or shifted. */
#define PASS 8

static inline int is_long(size_t n, size_t m)
{
	return m && n >= LONG_WORK / m;
}

/* A long piece of work: others hold the GIL, but when a signal may have to be handled. */
struct watch {
	struct cc_progress progress;
	PyThreadState *thread;
	uint64_t next; /* when to look for signals */
};

void watch_begin(struct watch *w);
void watch_end(struct watch *w);

/* One pass over both operands, whose result is at most a word longer than the longer one. */
typedef int pass(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
PyObject *in_a_pass(const cc_bigint *x, const cc_bigint *y, pass *work);

/* What the type is made of: arithmetic.c, power.c, theory.c, compare.c, bits.c, convert.c,
 * text.c, bytes.c */

PyObject *integer_add(PyObject *a, PyObject *b);
PyObject *integer_subtract(PyObject *a, PyObject *b);
PyObject *integer_multiply(PyObject *a, PyObject *b);
PyObject *integer_floor_divide(PyObject *a, PyObject *b);
PyObject *integer_remainder(PyObject *a, PyObject *b);
PyObject *integer_divmod(PyObject *a, PyObject *b);
PyObject *integer_true_divide(PyObject *a, PyObject *b);
PyObject *integer_negative(PyObject *self);
PyObject *integer_positive(PyObject *self);
PyObject *integer_absolute(PyObject *self);

PyObject *integer_power(PyObject *a, PyObject *b, PyObject *modulus);

PyObject *integer_isqrt(PyObject *self, PyObject *unused);
PyObject *integer_gcd(PyObject *self, PyObject *others);

PyObject *integer_compare(PyObject *self, PyObject *other, int how);
Py_hash_t integer_hash(PyObject *self);
int integer_bool(PyObject *self);

PyObject *integer_lshift(PyObject *a, PyObject *b);
PyObject *integer_rshift(PyObject *a, PyObject *b);
PyObject *integer_and(PyObject *a, PyObject *b);
PyObject *integer_or(PyObject *a, PyObject *b);
PyObject *integer_xor(PyObject *a, PyObject *b);
PyObject *integer_invert(PyObject *self);
PyObject *integer_bit_length(PyObject *self, PyObject *unused);
PyObject *integer_bit_count(PyObject *self, PyObject *unused);

PyObject *integer_new_object(PyTypeObject *type, PyObject *arguments, PyObject *keywords);
PyObject *integer_int(PyObject *self);
PyObject *integer_float(PyObject *self);

PyObject *integer_from_text(PyObject *text, int radix);
PyObject *integer_from_decimal(PyObject *type, PyObject *text);
PyObject *integer_str(PyObject *self);

PyObject *integer_to_bytes(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *integer_from_bytes(PyObject *type, PyObject *arguments, PyObject *keywords);
PyObject *integer_reduce(PyObject *self, PyObject *unused);

#endif /* CARRYCHAIN_INTEGER_H */
