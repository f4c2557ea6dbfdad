/* SPDX-License-Identifier: MIT */
/*
 * jit.h - from a Python call into compiled code and back, on the limited API.
 *
 * A version is a compiled function for arguments of given kinds in a world of given guards: it
 * takes a call whose arguments are of these, and leaves any other alone.  A dispatcher is the
 * object that is called; it asks its versions in turn, and Python where none takes the call
 * (ring/call/jit/).
 *
 * Kinds are trees, here as nodes, a tuple's before its items'.  Each is held in so many slots of 16
 * bytes, as front/python/kinds.py has it.
 */
#ifndef CARRYCHAIN_JIT_H
#define CARRYCHAIN_JIT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../../ring/call/runtime/runtime.h"

/* ring/call/jit/spec.py knows these numbers, and the order of a node's members. */
enum kind { ANY, NONE, BOOL, INT, BYTES, BUFFER, LIST, TUPLE, ONE_OF };

struct node {
	int kind;
	int bits;      /* of an int's word, or of an item's: 8 ... 128; 0: a value */
	int is_signed; /* how a word that is given, or an item, is read */
	int written;   /* the function may store to these items, or return them */
	int readonly;  /* a buffer that is; of a list, that it is a tuple */
	int bounded;   /* an int or an item is within the bounds: those of a word at most */
	long long low; /* at most 0 */
	unsigned long long high;
	Py_ssize_t count; /* of a tuple, or of kinds of which it is one */
	PyObject *type;	  /* a buffer's; of one that is given, of what it is made: bytes, or bool */
};

/* What is lent or copied for the length of a call. */
struct held {
	struct ring_array array;
	const struct node *node;
	PyObject *object; /* borrowed */
	/* a list's items as they were, where they may be written; a buffer's, where that is kept */
	void *before;
	Py_buffer view;
	int is_viewed;
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

/* arrays.c */

/* In @made, what is held; those before it are from @first on. */
enum taken array_take(struct held *made, struct held *first, const struct node *node, PyObject *x,
		      struct ring_array **array);
/* Whether what is stored in each is seen in the others. */
int arrays_agree(const struct held *first, size_t count);
/* Keeps what is in buffers that may be written, for arrays_undo: 0 without memory. */
int arrays_keep(struct held *first, size_t count);
void arrays_undo(const struct held *first, size_t count);
/* What was stored in copies, into the lists: 0 with an exception. */
int arrays_copy_back(const struct held *first, size_t count);
void arrays_close(struct held *first, size_t count);
PyObject *array_give(const struct ring_array *array, const struct node *node);
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

/* version.c */

extern PyType_Spec version_spec;
extern unsigned long main_thread;

/* Its result, or NULL with an exception; FAILED, OTHER or TAKEN. */
enum taken version_call(PyObject *version, PyObject *arguments, PyObject **result);

/* dispatcher.c */

int dispatcher_prepare(void);

extern PyType_Spec dispatcher_spec;
extern PyObject *version_type, *method_type;

#endif /* CARRYCHAIN_JIT_H */
