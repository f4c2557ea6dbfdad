/* SPDX-License-Identifier: MIT */
/*
 * call.h - Python's calls of compiled code, on the limited API.
 *
 * A native is a compiled function for arguments of given kinds; its guards say which objects must
 * not have changed since.  A program's native refuses any other argument with an exception; a
 * jitted function's declines the call.  A dispatcher is the object that is called for a jitted
 * function: it tries its natives in turn, then Python code (ring/call/jit/).
 *
 * A kind is a tree of nodes in prefix order: a tuple's node precedes those of its items.  Each kind
 * is held in slots of 16 bytes (front/python/kinds.py).
 */
#ifndef CARRYCHAIN_CALL_H
#define CARRYCHAIN_CALL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../../ring/call/runtime/runtime.h"

/*
 * ring/call/marshal.py uses these numbers, and the order of a node's members.  An ARRAY is lent if
 * it is a buffer with the layout of compiled code; any other sequence of integers is copied.
 */
enum kind { ANY, NONE, BOOL, INT, TUPLE, ONE_OF, BYTES, BUFFER, LIST, ARRAY, TEXT };

enum bounds { BOUNDLESS, BY_WORDS, BY_OBJECTS };

struct node {
	int kind;
	int bits;      /* the width of an int's or an item's word, 8 to 128; 0: a value */
	int is_signed; /* a result's or an item's word is signed */
	int written;   /* the function may store to the items, or return the array */
	int readonly;  /* a buffer is read-only; a list is a tuple; an array may be text */
	int indexed;   /* ints and items may be anything with an __index__, except bools */
	int bounded;   /* how the bounds of an int or an item are checked */
	long long low; /* at most 0 */
	unsigned long long high;
	PyObject *least, *most; /* NULL if unbounded */
	Py_ssize_t count;	/* the items of a tuple, or the alternatives of ONE_OF */
	PyObject *type; /* a buffer's type; for results, the type of the object or of its items */
};

static inline int is_array(const struct node *node)
{
	return node->kind >= BYTES;
}

static inline int is_held(const struct node *node)
{
	return is_array(node) || node->kind == INT || node->kind == BOOL;
}

/* An array that is lent or copied for the duration of a call. */
struct held {
	struct ring_array array;
	const struct node *node;
	PyObject *object;     /* borrowed, as is the next */
	PyObject *into;	      /* stores to a copy are copied back into it; NULL: they are not */
	Py_ssize_t parameter; /* the function's parameter */
	struct held *source;  /* the one whose array is passed: itself, or one that it aliases */
	/* the original items: of a copy that may be written, or a buffer, for arrays_undo */
	void *before;
	Py_buffer view;
	int is_viewed;
	int is_copied;
};

struct native {
	PyObject_HEAD uintptr_t address;
	uint64_t number; /* the function's number in its program */
	struct node *takes, *gives;
	Py_ssize_t parameters, taken, given; /* counts; of nodes in takes, in gives */
	size_t slots, results, arrays;	     /* slots of arguments and of results; arrays taken */
	struct guard *guards;
	Py_ssize_t guarded;
	int brief;	   /* too short to release the GIL */
	int given_up;	   /* the status after which the next native is tried, or 0 */
	int undoes;	   /* after some failing check the call is undone */
	PyObject *failed;  /* makes an exception of a failed check's status */
	PyObject *program; /* owns the machine code */
	PyObject *refusal; /* makes an exception of an argument; NULL: the call is declined */
};

enum taken { FAILED = -1, OTHER, TAKEN };

/* Functions of the runtime, which is another extension module. */
struct runtime {
	int (*call)(uintptr_t address, void *arguments, struct ring_slots *results,
		    struct ring_context *context);
	void (*release)(ring_value x);
	ring_value (*from_bytes)(const void *bytes, size_t length);
};

extern struct runtime runtime;

/* integers.c */

/* To be called first, once; 0 with an exception. */
int integers_prepare(void);
/* Converts an int to the node's word, or to a value that the slot then owns. */
enum taken int_take(uint64_t slot[2], const struct node *node, PyObject *x);
/* Converts an item, and stores it at @place. */
enum taken item_take(void *place, const struct node *node, PyObject *x);
PyObject *int_of_words(uint64_t low, uint64_t high, const struct node *node);
PyObject *int_of_value(ring_value x);
PyObject *int_of_item(const void *place, const struct node *node);

static inline size_t item_size(const struct node *node)
{
	return node->bits ? (size_t)node->bits / 8 : sizeof(ring_value);
}

/* buffers.c: one-dimensional buffers */

/* Whether the items are contiguous words of the node's width and sign. */
int buffer_is_lendable(const Py_buffer *view, const struct node *node);
/* Whether the buffers may overlap; 0 is certain. */
int buffers_meet(const Py_buffer *a, const Py_buffer *b);
/* Whether the buffers have the same items at the same addresses. */
int buffers_are_same(const Py_buffer *a, const Py_buffer *b);

/* arrays.c */

/* The arrays of a call; their nodes and objects are set before the first ARRAY is taken. */
struct arrays {
	struct held *first;
	size_t count;
	PyObject *refusal; /* this and the guards are the native's */
	const struct guard *guards;
	Py_ssize_t guarded;
};

/* Lends or copies x into @made; the array to be passed is that of made->source. */
enum taken array_take(const struct arrays *all, struct held *made, const struct node *node,
		      PyObject *x, Py_ssize_t parameter);
void array_hold(struct held *made, const struct node *node, PyObject *x, void *data);
void array_lend(struct held *made);
/* Copies the items of a list or a tuple; sets @at to the index of one that is refused. */
enum taken items_take(struct held *made, PyObject *x, Py_ssize_t *at);
/* Has stores to the copy copied back into the object. */
enum taken items_store_into(struct held *made, PyObject *x);
/* Whether both nodes have the same representation and bounds. */
int nodes_are_alike(const struct node *a, const struct node *b);
/* Whether stores to each buffer are visible in those that overlap it. */
int arrays_agree(const struct held *first, size_t count);
/* Saves the contents of buffers that may be written, for arrays_undo; 0 without memory. */
int arrays_keep(struct held *first, size_t count);
void arrays_undo(const struct held *first, size_t count);
/* Copies stores to copies back into their objects; 0 with an exception. */
int arrays_copy_back(const struct held *first, size_t count);
void arrays_close(struct held *first, size_t count);
PyObject *array_give(const struct ring_array *array, const struct node *node);

/* any.c */

enum taken any_take(const struct arrays *all, struct held *made, const struct node *node,
		    PyObject *x);

/* columns.c: arrays of many inputs */

extern PyType_Spec held_spec;
PyObject *give_columns(PyObject *module, PyObject *arguments);
/* The addresses and lengths of a tuple of bytes objects, both as bytes of words; else None. */
PyObject *bytes_places(PyObject *module, PyObject *items);

/* guards.c */

enum guard_kind { IN_DICT, IN_CELL, IN_LIST, ATTRIBUTE };

struct guard {
	int kind;
	PyObject *where, *name;
	PyObject *value;  /* the expected object, NULL for none; of a list, a tuple of its items */
	PyObject **items; /* those of the tuple, borrowed */
};

int guards_prepare(void);
/* Whether the list's items are guarded: stores to it as an argument would not be noticed. */
int guards_name(const struct guard *guards, Py_ssize_t count, const PyObject *list);
/* Whether no guarded object has changed; -1 with an exception. */
int guards_hold(const struct guard *guards, Py_ssize_t count);

/* native.c */

extern PyType_Spec native_spec;

/* Reads a node from a tuple of marshal.py; 0 with an exception. */
int node_read(struct node *node, PyObject *tuple);
void node_forget(struct node *node);

/* call.c */

extern unsigned long main_thread;

/* Calls the native, unless it declines (OTHER); its result, or NULL with an exception. */
enum taken native_call(PyObject *native, PyObject *arguments, PyObject **result);
/* FAILED, with the exception that @refusal makes for the argument; OTHER without a @refusal. */
enum taken refuse(PyObject *refusal, const char *why, Py_ssize_t parameter, Py_ssize_t at,
		  PyObject *x);

/* dispatcher.c */

int dispatcher_prepare(void);

extern PyType_Spec dispatcher_spec;
extern PyObject *native_type, *method_type;

#endif /* CARRYCHAIN_CALL_H */
