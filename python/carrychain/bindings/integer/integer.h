/* SPDX-License-Identifier: MIT */
/*
 * integer.h - carrychain.Integer: a cc_bigint as an immutable Python object, on the limited API.
 *
 * A result's words follow the object's head, in the room that bigint.h says it may need: so a sum
 * or a product takes one allocation, or none: short objects are kept when they die, by the length
 * of their room.  Long operations allocate their result's words separately.
 * An int operand is read into words for the duration of the call.  For any other number, the
 * Integer is converted to an int, which then does the operation.
 */
#ifndef CARRYCHAIN_INTEGER_H
#define CARRYCHAIN_INTEGER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <carrychain/bigint.h>
#include <carrychain/theory.h>

#include "../ints.h"

struct integer {
	PyObject_HEAD cc_bigint value;
	Py_hash_t hash; /* -1: not computed yet */
	cc_word room[];
};

/* One per process, as cffi's module is. */
extern PyTypeObject *integer_type;

/*
 * These files are compiled into two modules: for carrychain.Integer, and for mpz (../../gmpy2).
 * What differs between them, each module defines for itself: the type and these texts, as_ints(),
 * and the constructor.
 */
extern const struct integer_texts {
	const char *name, *division_by_zero, *not_invertible;
} integer_texts;

static inline int is_integer(PyObject *x)
{
	return Py_TYPE(x) == integer_type;
}

static inline const cc_bigint *value_of(PyObject *x)
{
	return &((const struct integer *)x)->value;
}

/* object.c */

/* Objects of up to 512 bytes are kept, 16 of each length of room: a quarter of a MB at most. */
#define KEPT_WORDS 56
#define KEPT	   16

/*
 * Dead objects with room for so many words; never any for 0.  The GIL protects them: on the limited
 * API there are neither threads without it, nor interpreters with their own that could import this
 * module.
 */
struct kept {
	size_t count;
	struct integer *objects[KEPT];
};

extern struct kept integers_kept[KEPT_WORDS + 1];

struct integer *integer_allocate(size_t words);
PyObject *integer_trim(struct integer *r, int status);

/* Zero, with room for @words words; with 0, the function that writes it allocates its words. */
static inline struct integer *integer_new(size_t words)
{
	struct kept *kept = &integers_kept[words <= KEPT_WORDS ? words : 0];
	struct integer *r;

	if (!kept->count)
		return integer_allocate(words);
	r = kept->objects[--kept->count];
	Py_INCREF((PyObject *)integer_type);
	Py_SET_REFCNT((PyObject *)r, 1);
	r->hash = -1;
	r->value.length = 0;
	r->value.negative = 0;
	return r;
}

/* A result with more unused words than this, plus an eighth of its length, is copied. */
#define SLACK 8

/*
 * The object of r, which a function of bigint.h has written, or the exception for its @status;
 * NULL if @r is.
 */
static inline PyObject *integer_done(struct integer *r, int status)
{
	if (r && status == CC_OK &&
	    r->value.capacity - r->value.length <= SLACK + r->value.length / 8)
		return (PyObject *)r;
	return integer_trim(r, status);
}

/* The value that r's first @length words are; the top one is not 0. */
static inline PyObject *integer_of(struct integer *r, size_t length, int negative)
{
	r->value.length = length;
	r->value.negative = negative;
	return (PyObject *)r;
}

PyObject *integer_from_i64(int64_t x);
/* The tuple of two objects, of which it takes the references; NULL if one is. */
PyObject *pair_of(PyObject *a, PyObject *b);
void integer_dealloc(PyObject *self);
PyObject *integer_sizeof(PyObject *self, PyObject *unused);
/* Raises the exception for an error; for CC_EINTR a signal's handler has raised it already. */
void integer_raise(int status);

/* ints.c */

/* Sets the value of an int >= 0 that fits a word; 0 if x is something else. */
static inline int int_fits_word(cc_word *w, PyObject *x)
{
	cc_bigint value = {w, 0, 1, 0};

	return Py_TYPE(x) == &PyLong_Type && int_read_a_word(&value, x) && !value.negative;
}

/*
 * Reads an int from 0 up of at most n words into w[n + 1], whose upper words become 0, and the
 * number of those that are needed; 0 if x is something else.
 */
int int_reads(cc_word *w, size_t n, size_t *length, PyObject *x);
PyObject *integer_from_int(PyObject *x);

/* The words of an int that needs no object. */
#define LENT (256 / CC_WORD_BITS)

struct operand {
	const cc_bigint *value;
	PyObject *made; /* the Integer of a longer int, or NULL */
	cc_bigint own;	/* a shorter one's value, in @lent */
	cc_word lent[LENT];
};

int operand_open_int(struct operand *o, PyObject *x);

/* operand.c */

/* 1; 0 if x is neither Integer nor int; -1 with an exception. */
static inline int operand_open(struct operand *o, PyObject *x)
{
	if (!is_integer(x))
		return operand_open_int(o, x);
	o->value = value_of(x);
	o->made = NULL;
	return 1;
}

static inline void operand_close(struct operand *o)
{
	Py_XDECREF(o->made);
}

/* Opens both operands or neither. */
int operands_open(struct operand *x, PyObject *a, struct operand *y, PyObject *b);
static inline void operands_close(struct operand *x, struct operand *y)
{
	operand_close(x);
	operand_close(y);
}

/* An operation on two values, which returns a new reference. */
typedef PyObject *exact_operation(const cc_bigint *x, const cc_bigint *y);
typedef PyObject *binary_operation(PyObject *a, PyObject *b);
PyObject *exactly_mixed(PyObject *a, PyObject *b, exact_operation *work,
			binary_operation *otherwise);

/* One of a and b is an Integer.  @work if both are Integers or ints; else as_ints() with
 * @otherwise. */
static inline PyObject *exactly(PyObject *a, PyObject *b, exact_operation *work,
				binary_operation *otherwise)
{
	if (is_integer(a) && is_integer(b))
		return work(value_of(a), value_of(b));
	return exactly_mixed(a, b, work, otherwise);
}

/* @by for a and b, with Integers converted to ints; NotImplemented if one is no number. */
PyObject *as_ints(PyObject *a, PyObject *b, binary_operation *by);

PyObject *integer_int(PyObject *self);

/* @work for an Integer, and an Integer or any object that has an __index__. */
PyObject *with_index(PyObject *self, PyObject *other, exact_operation *work);

/* digits.c */

/* The bytes of a str, bytes or bytearray, terminated by NUL; NULL with an exception. */
const char *characters(PyObject *text, Py_ssize_t *length);
/* Whether the text is decimal digits alone whose value surely fits a word, as most texts are. */
int digits_are_a_word(cc_word *w, const char *s, size_t length);
PyObject *integer_from_word(cc_word w);
/*
 * An optional sign and digits of the radix from 2 to 36, with NUL at @length.  NULL without an
 * exception if they are something else.
 */
PyObject *integer_from_digits(const char *digits, size_t length, int radix);
PyObject *integer_digits(PyObject *self, int radix);
PyObject *integer_str(PyObject *self);

/* watch.c */

/* Work in products of two words, some 0.2 ms; longer work releases the GIL. */
#define LONG_WORK ((size_t)1 << 20)
/* The words that are added, copied or shifted in the time of one product. */
#define PASS 8

static inline int is_long(size_t n, size_t m)
{
	return m && (n >= LONG_WORK || m >= LONG_WORK || (uint64_t)n * m >= LONG_WORK);
}

/* A long operation without the GIL; it takes the GIL now and then to handle signals. */
struct watch {
	struct cc_progress progress;
	PyThreadState *thread;
	uint64_t next; /* when to check for signals next */
};

void watch_begin(struct watch *w);
void watch_end(struct watch *w);

/* One pass over both operands; the result is at most a word longer than the longer of them. */
typedef int pass(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);
PyObject *in_a_long_pass(const cc_bigint *x, const cc_bigint *y, pass *work);

static inline PyObject *in_a_pass(const cc_bigint *x, const cc_bigint *y, pass *work)
{
	size_t words = (x->length > y->length ? x->length : y->length) + 1;
	struct integer *r;

	if (is_long(words, PASS))
		return in_a_long_pass(x, y, work);
	r = integer_new(words);
	return integer_done(r, r ? work(&r->value, x, y) : CC_OK);
}

/* The type's methods: arithmetic.c, power.c, theory.c, roots.c,
 * primes.c, products.c, compare.c, bits.c, convert.c, text.c, bytes.c */

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
PyObject *integer_gcd_of_two(PyObject *self, PyObject *other);
PyObject *integer_gcdext(PyObject *self, PyObject *other);
PyObject *integer_kronecker(PyObject *self, PyObject *other);

PyObject *integer_is_prime(PyObject *self, PyObject *unused);
PyObject *integer_next_prime(PyObject *self, PyObject *unused);

/* @work for a number n >= 0 below 2^64; an exception names the function, as sizes.py does. */
typedef int of_a_count(cc_bigint *r, uint64_t n, const struct cc_progress *progress);
PyObject *integer_product(PyObject *n, of_a_count *work, const char *name);
PyObject *integer_factorial(PyObject *type, PyObject *n);
PyObject *integer_primorial(PyObject *type, PyObject *n);
PyObject *integer_lucas(PyObject *type, PyObject *n);
PyObject *integer_binomial(PyObject *type, PyObject *const *arguments, Py_ssize_t count);

PyObject *integer_iroot(PyObject *self, PyObject *degree);
PyObject *integer_iroot_rem(PyObject *self, PyObject *degree);
PyObject *integer_is_square(PyObject *self, PyObject *unused);
PyObject *integer_is_power(PyObject *self, PyObject *unused);
PyObject *integer_divexact(PyObject *self, PyObject *other);
PyObject *integer_remove(PyObject *self, PyObject *factor);

PyObject *integer_compare(PyObject *self, PyObject *other, int how);
Py_hash_t integer_hash(PyObject *self);
int integer_bool(PyObject *self);

/* floor(x / 2^count) */
PyObject *integer_shifted_right(const cc_bigint *x, uint64_t count);
PyObject *integer_lshift(PyObject *a, PyObject *b);
PyObject *integer_rshift(PyObject *a, PyObject *b);
PyObject *integer_and(PyObject *a, PyObject *b);
PyObject *integer_or(PyObject *a, PyObject *b);
PyObject *integer_xor(PyObject *a, PyObject *b);
PyObject *integer_invert(PyObject *self);
PyObject *integer_bit_length(PyObject *self, PyObject *unused);
PyObject *integer_bit_count(PyObject *self, PyObject *unused);

PyObject *integer_new_object(PyTypeObject *type, PyObject *arguments, PyObject *keywords);
PyObject *integer_float(PyObject *self);

PyObject *integer_from_text(PyObject *text, int radix);
PyObject *integer_from_decimal(PyObject *type, PyObject *text);

PyObject *integer_to_bytes(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
			   PyObject *keywords);
PyObject *integer_from_bytes(PyObject *type, PyObject *const *arguments, Py_ssize_t count,
			     PyObject *keywords);
PyObject *integer_reduce(PyObject *self, PyObject *unused);

/* whole.c */
PyObject *integer_itself(PyObject *self, PyObject *unused);
PyObject *integer_is_integer(PyObject *self, PyObject *unused);
PyObject *integer_as_integer_ratio(PyObject *self, PyObject *unused);
PyObject *integer_get_itself(PyObject *self, void *unused);
PyObject *integer_get_zero(PyObject *self, void *unused);

/* modulus.c: a new reference to the base of carrychain.Modulus */
PyObject *modulus_type(void);

#endif /* CARRYCHAIN_INTEGER_H */
