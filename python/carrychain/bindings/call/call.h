/* SPDX-License-Identifier: MIT */
/*
 * call.h - from a Python call into compiled code and back, on the limited API.
 *
 * A native is a compiled function for arguments of given kinds in a world of given guards.  A
 * program's refuses any other argument with an exception; a jitted function's leaves the call
 * alone.  A dispatcher is the jitted function that is called; it asks its natives in turn, and
 * Python where none takes the call (ring/call/jit/).
 *
 * Kinds are trees, here as nodes, a tuple's before its items'.  Each is held in so many slots of 16
 * bytes, as front/python/kinds.py has it.
 */
#ifndef CARRYCHAIN_CALL_H
#define CARRYCHAIN_CALL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../../ring/call/runtime/runtime.h"

/*
 * ring/call/marshal.py knows these numbers, and the order of a node's members.  An ARRAY is lent
 * where it is a buffer laid out as compiled code has it, and copied from whatever else has ints.
 */
enum kind { ANY, NONE, BOOL, INT, TUPLE, ONE_OF, BYTES, BUFFER, LIST, ARRAY, TEXT };

enum bounds { BOUNDLESS, BY_WORDS, BY_OBJECTS };

struct node {
	int kind;
	int bits;      /* of an int's word, or of an item's: 8 ... 128; 0: a value */
	int is_signed; /* how a word that is given, or an item, is read */
	int written;   /* the function may store to these items, or return them */
	int readonly;  /* a buffer that is; of a list, that it is a tuple; of an array, text */
	int indexed;   /* whatever has an __index__ serves as an int or an item, but for bools */
	int bounded;   /* how an int or an item is known to be within the bounds */
	long long low; /* at most 0 */
	unsigned long long high;
	PyObject *least, *most; /* NULL where there is no bound */
	Py_ssize_t count;	/* of a tuple, or of kinds of which it is one */
	PyObject *type; /* a buffer's; of one that is given, of what it is made: bytes, or bool */
};

static inline int is_array(const struct node *node)
{
	return node->kind >= BYTES;
}

static inline int is_held(const struct node *node)
{
	return is_array(node) || node->kind == INT || node->kind == BOOL;
}

/* What is lent or copied for the length of a call. */
struct held {
	struct ring_array array;
	const struct node *node;
	PyObject *object;     /* borrowed, as are these */
	PyObject *into;	      /* where what is stored in a copy goes; NULL: nowhere */
	Py_ssize_t parameter; /* of the function's */
	struct held *source;  /* whose array this is: another's, if what is stored is to be seen */
	/* a copy's items as they were, where they may be written; a buffer's, where that is kept */
	void *before;
	Py_buffer view;
	int is_viewed;
	int is_copied;
};

struct native {
	PyObject_HEAD uintptr_t address;
	uint64_t number; /* of the program's functions */
	struct node *takes, *gives;
	Py_ssize_t parameters, taken, given; /* nodes of the first two */
	size_t slots, results, arrays;	     /* what arguments and results are held in */
	struct guard *guards;
	Py_ssize_t guarded;
	int brief;	   /* it ends at once: the GIL is not worth its release */
	int given_up;	   /* the status of a call after which another native is asked, or 0 */
	int undoes;	   /* there is a check after which all is as it was before the call */
	PyObject *failed;  /* what makes an exception of a check's status */
	PyObject *program; /* which owns the machine code */
	PyObject *refusal; /* what makes an exception of an argument; NULL: it is left alone */
};

enum taken { FAILED = -1, OTHER, TAKEN };

/* The runtime's, which lives in another extension module. */
struct runtime {
	int (*call)(uintptr_t address, void *arguments, struct ring_slots *results,
		    struct ring_context *context);
	void (*release)(ring_value x);
	ring_value (*from_bytes)(const void *bytes, size_t length);
};

extern struct runtime runtime;

/* integers.c */

/* Once, before all else: whether it is done, or has raised. */
int integers_prepare(void);
/* An exact int as a word of so many low bits, or a value that the slot owns. */
enum taken int_take(uint64_t slot[2], const struct node *node, PyObject *x);
/* The same of an item, as it is in memory. */
enum taken item_take(void *place, const struct node *node, PyObject *x);
PyObject *int_of_words(uint64_t low, uint64_t high, const struct node *node);
PyObject *int_of_value(ring_value x);
PyObject *int_of_item(const void *place, const struct node *node);

static inline size_t item_size(const struct node *node)
{
	return node->bits ? (size_t)node->bits / 8 : sizeof(ring_value);
}

/* buffers.c, of buffers of one dimension */

/* Whether its items are words of the kind's, one after the other. */
int buffer_is_lendable(const Py_buffer *view, const struct node *node);
/* Whether they may have a byte in common; 0 is certain. */
int buffers_meet(const Py_buffer *a, const Py_buffer *b);
/* Whether they are the same items. */
int buffers_are_same(const Py_buffer *a, const Py_buffer *b);

/* arrays.c */

/* Of a call: all of these have their nodes and objects before the first ARRAY is taken. */
struct arrays {
	struct held *first;
	size_t count;
	PyObject *refusal; /* of the native */
};

/* In @made, what is held; the array is made->source's. */
enum taken array_take(const struct arrays *all, struct held *made, const struct node *node,
		      PyObject *x, Py_ssize_t parameter);
void array_hold(struct held *made, const struct node *node, PyObject *x, void *data);
void array_lend(struct held *made);
/* Copies the items of a list or a tuple; @at is the place of one that is not of the kind. */
enum taken items_take(struct held *made, PyObject *x, Py_ssize_t *at);
/* What is stored in the copy is to go into the object. */
enum taken items_store_into(struct held *made, PyObject *x);
/* Whether the same items are of both. */
int nodes_are_alike(const struct node *a, const struct node *b);
/* Whether what is stored in each buffer is seen in the others. */
int arrays_agree(const struct held *first, size_t count);
/* Keeps what is in buffers that may be written, for arrays_undo: 0 without memory. */
int arrays_keep(struct held *first, size_t count);
void arrays_undo(const struct held *first, size_t count);
/* What was stored in copies, into the lists: 0 with an exception. */
int arrays_copy_back(const struct held *first, size_t count);
void arrays_close(struct held *first, size_t count);
PyObject *array_give(const struct ring_array *array, const struct node *node);

/* any.c */

enum taken any_take(const struct arrays *all, struct held *made, const struct node *node,
		    PyObject *x);

/* columns.c, for many inputs */

extern PyType_Spec held_spec;
PyObject *give_columns(PyObject *module, PyObject *arguments);
/* Of a tuple of bytes their addresses and their lengths, each words as bytes; None of any other. */
PyObject *bytes_places(PyObject *module, PyObject *items);

/* guards.c */

enum guard_kind { IN_DICT, IN_CELL, IN_LIST, ATTRIBUTE };

struct guard {
	int kind;
	PyObject *where, *name;
	PyObject *value;  /* NULL: there is none; of a list, a tuple of its items */
	PyObject **items; /* these */
};

int guards_prepare(void);
/* Whether an argument is a list whose items were read then: what is stored in it would not be seen.
 */
int guards_name(const struct guard *guards, Py_ssize_t count, PyObject *arguments);
/* Whether all are as they were; -1 with an exception. */
int guards_hold(const struct guard *guards, Py_ssize_t count);

/* native.c */

extern PyType_Spec native_spec;

/* Of a tuple, from marshal.py: 0 with an exception. */
int node_read(struct node *node, PyObject *tuple);
void node_forget(struct node *node);

/* call.c */

extern unsigned long main_thread;

/* Its result, or NULL with an exception; FAILED, OTHER or TAKEN. */
enum taken native_call(PyObject *native, PyObject *arguments, PyObject **result);
/* Raises what is wrong with an argument, which Python says: FAILED; without a refusal OTHER. */
enum taken refuse(PyObject *refusal, const char *why, Py_ssize_t parameter, Py_ssize_t at,
		  PyObject *x);

/* dispatcher.c */

int dispatcher_prepare(void);

extern PyType_Spec dispatcher_spec;
extern PyObject *native_type, *method_type;

#endif /* CARRYCHAIN_CALL_H */
