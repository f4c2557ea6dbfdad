// SPDX-License-Identifier: MIT
/* A call: converts arguments to words, calls the compiled function, converts results back. */
#include "call.h"

#include <string.h>

unsigned long main_thread;
struct runtime runtime;

enum taken refuse(PyObject *refusal, const char *why, Py_ssize_t parameter, Py_ssize_t at,
		  PyObject *x)
{
	PyObject *error;

	if (!refusal)
		return OTHER;
	error = PyObject_CallMethod(refusal, why, "nnO", parameter, at, x);
	if (error)
		PyErr_SetObject((PyObject *)Py_TYPE(error), error);
	Py_XDECREF(error);
	return FAILED;
}

struct taking {
	struct arrays all;
	const struct node *node; /* of the next argument */
	uint64_t *slot;		 /* of the next argument */
	uint64_t *first_slot;
	ring_value *owned; /* by slot: the argument, if it is a value; else 0 */
	size_t arrays;	   /* the number taken so far */
};

/*
 * Records the node and object of each array before the first is taken: an array may be an alias of
 * a later one that is written.
 */
static void announce(struct taking *t, PyObject *x)
{
	const struct node *node = t->node++;
	Py_ssize_t at, count = PyTuple_Check(x) ? PyTuple_Size(x) : 0;

	if (node->kind == TUPLE)
		for (at = 0; at < node->count; at++)
			announce(t, at < count ? PyTuple_GetItem(x, at) : Py_None);
	if (!is_array(node))
		return;
	t->all.first[t->arrays].node = node;
	t->all.first[t->arrays++].object = x;
}

static enum taken take(struct taking *t, PyObject *x)
{
	const struct node *node = t->node++;
	Py_ssize_t at, parameter = (t->slot - t->first_slot) / 2;
	enum taken taken = TAKEN;
	struct held *made;

	switch (node->kind) {
	case ANY:
		return TAKEN;
	case NONE:
		return x == Py_None ? TAKEN : OTHER;
	case BOOL:
		if (x != Py_True && x != Py_False)
			return refuse(t->all.refusal, "argument", parameter, 0, x);
		t->slot[0] = x == Py_True;
		break;
	case INT:
		taken = int_take(t->slot, node, x);
		if (taken == TAKEN && !node->bits)
			t->owned[parameter] = (ring_value)t->slot[0];
		else if (taken == OTHER)
			taken = refuse(t->all.refusal, "argument", parameter, 0, x);
		break;
	case TUPLE:
		if (Py_TYPE(x) != &PyTuple_Type || PyTuple_Size(x) != node->count)
			return OTHER;
		for (at = 0; at < node->count && taken == TAKEN; at++)
			taken = take(t, PyTuple_GetItem(x, at));
		return taken;
	default:
		made = &t->all.first[t->arrays++];
		taken = array_take(&t->all, made, node, x, parameter);
		t->slot[0] = (uint64_t)(uintptr_t)&made->source->array;
		break;
	}
	t->slot += 2;
	return taken;
}

struct giving {
	const struct node *node; /* of the next result */
	size_t at;		 /* the next result's index */
	const ring_value *values;
	const uint64_t *words;
	const struct held *held;
	size_t arrays;
	PyObject **made; /* by result: the object made of its array, with a reference */
};

static PyObject *given_array(struct giving *g, const struct node *node)
{
	const struct ring_array *array = (const struct ring_array *)(uintptr_t)g->values[g->at];
	PyObject *object;
	size_t at;

	for (at = 0; at < g->arrays; at++)
		if (&g->held[at].array == array && !PyUnicode_Check(g->held[at].object))
			return Py_NewRef(g->held[at].object);
	for (at = 0; at < g->at; at++)
		if (g->made[at] && g->values[at] == g->values[g->at])
			return Py_NewRef(g->made[at]);
	object = array_give(array, node);
	g->made[g->at] = Py_XNewRef(object);
	return object;
}

static PyObject *give(struct giving *g);

static void skip(struct giving *g)
{
	const struct node *node = g->node++;
	Py_ssize_t at;

	if (node->kind == TUPLE)
		for (at = 0; at < node->count; at++)
			skip(g);
	else
		g->at += (size_t)is_held(node);
}

/* All kinds but the first have a flag, of which at most one is set; if none is, it is the first. */
static PyObject *give_one_of(struct giving *g, Py_ssize_t count)
{
	Py_ssize_t at, which = 0;
	PyObject *object = NULL;

	for (at = 1; at < count; at++)
		if (g->words[2 * g->at++] & 1)
			which = at;
	for (at = 0; at < count; at++) {
		if (at == which)
			object = give(g);
		else
			skip(g);
	}
	return object;
}

static PyObject *give_tuple(struct giving *g, Py_ssize_t count)
{
	PyObject *tuple = PyTuple_New(count), *item;
	Py_ssize_t at;

	for (at = 0; tuple && at < count; at++) {
		item = give(g);
		if (!item || PyTuple_SetItem(tuple, at, item))
			Py_CLEAR(tuple);
	}
	return tuple;
}

static PyObject *give(struct giving *g)
{
	const struct node *node = g->node++;
	const uint64_t *words = g->words + 2 * g->at;
	PyObject *object;

	switch (node->kind) {
	case NONE:
		return Py_NewRef(Py_None);
	case TUPLE:
		return give_tuple(g, node->count);
	case ONE_OF:
		return give_one_of(g, node->count);
	case BOOL:
		object = PyBool_FromLong(words[0] & 1);
		break;
	case INT:
		object = node->bits ? int_of_words(words[0], words[1], node)
				    : int_of_value(g->values[g->at]);
		break;
	default:
		object = given_array(g, node);
		break;
	}
	g->at++;
	return object;
}

static int ask(void)
{
	PyGILState_STATE state = PyGILState_Ensure();
	int raised = PyErr_CheckSignals();

	/* an exception that a handler raised stays set in the thread */
	PyGILState_Release(state);
	return raised;
}

/* A tuple of the sites of the calls that led to the failed check. */
static PyObject *callers_of(const struct ring_context *context)
{
	PyObject *callers = PyTuple_New(context->called);
	uint32_t at;

	for (at = 0; callers && at < context->called; at++) {
		PyObject *site = PyLong_FromUnsignedLong(context->callers[at]);

		if (!site) {
			Py_CLEAR(callers);
			break;
		}
		PyTuple_SetItem(callers, at, site);
	}
	return callers;
}

/* Raises the failed check's exception; 0 if it has none, and the call is to be undone. */
static int raise(const struct native *v, int status, const struct ring_context *context)
{
	PyObject *value = context->value ? int_of_value(context->value) : Py_NewRef(Py_None);
	PyObject *callers = value ? callers_of(context) : NULL;
	PyObject *error;

	if (!callers) {
		Py_XDECREF(value);
		return 1;
	}
	error = PyObject_CallFunction(v->failed, "iKKKNN", status,
				      (unsigned long long)context->operand[0],
				      (unsigned long long)context->operand[1],
				      (unsigned long long)context->length, callers, value);
	if (!error)
		return 1;
	if (error == Py_None) {
		Py_DECREF(error);
		return 0;
	}
	PyErr_SetObject((PyObject *)Py_TYPE(error), error);
	Py_DECREF(error);
	return 1;
}

/* The memory of one call; each part is aligned to 16 bytes. */
struct memory {
	struct taking taking;
	struct ring_slots *results;
	uint64_t *words;
	PyObject **made;
};

#define ROOM 1536

static size_t round_up(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

static void copy_back(const struct taking *t)
{
	PyObject *type, *error, *traceback;

	PyErr_Fetch(&type, &error, &traceback);
	if (arrays_copy_back(t->all.first, t->arrays) || type)
		PyErr_Restore(type, error, traceback);
}

static enum taken run(const struct native *v, struct memory *m, PyObject **result)
{
	struct giving giving = {
		v->gives,	  0,	  m->results->values + 1, m->words, m->taking.all.first,
		m->taking.arrays, m->made};
	struct ring_context context;
	PyThreadState *thread = NULL;
	enum taken taken = TAKEN;
	size_t at;
	int status;

	/* callers are read only up to `called` */
	memset(&context, 0, offsetof(struct ring_context, callers));
	if (!v->brief) {
		if (PyThread_get_thread_ident() == main_thread)
			context.ask = ask;
		thread = PyEval_SaveThread();
	}
	status = runtime.call(v->address, m->taking.first_slot - 2, m->results, &context);
	if (thread)
		PyEval_RestoreThread(thread);
	if (status && status == v->given_up && !context.stopped) {
		taken = OTHER;
	} else if (status && !context.stopped && !raise(v, status, &context)) {
		arrays_undo(m->taking.all.first, m->taking.arrays);
		taken = OTHER;
	} else {
		if (m->taking.arrays)
			copy_back(&m->taking);
		if (!PyErr_Occurred())
			*result = give(&giving);
	}
	for (at = 0; at < v->results; at++)
		Py_XDECREF(m->made[at]);
	for (at = 0; at <= v->results; at++)
		runtime.release(m->results->values[at]);
	return taken;
}

static enum taken call(const struct native *v, PyObject *arguments, char *room, PyObject **result)
{
	size_t slots = 16 * (1 + v->slots), values = 1 + v->results + (1 + v->results) % 2;
	struct memory m = {.results = (struct ring_slots *)(room + slots)};
	struct taking *t = &m.taking;
	enum taken taken = TAKEN;
	Py_ssize_t at;
	char *end;

	*(uint64_t *)room = v->number;
	t->slot = t->first_slot = (uint64_t *)room + 2;
	m.words = (uint64_t *)(m.results->values + values);
	end = (char *)(m.words + 2 * v->results);
	m.made = (PyObject **)end;
	end += round_up(8 * v->results);
	t->owned = (ring_value *)end;
	end += round_up(8 * v->slots);
	t->all = (struct arrays){(struct held *)end, v->arrays, v->refusal, v->guards, v->guarded};
	t->node = v->takes;
	if (v->refusal) {
		for (at = 0; at < v->parameters; at++)
			announce(t, PyTuple_GetItem(arguments, at));
		t->node = v->takes;
		t->arrays = 0;
	}
	for (at = 0; at < v->parameters && taken == TAKEN; at++)
		taken = take(t, PyTuple_GetItem(arguments, at));
	if (taken == TAKEN && t->arrays > 1 && !arrays_agree(t->all.first, t->arrays))
		taken = OTHER;
	if (taken == TAKEN && v->undoes && !arrays_keep(t->all.first, t->arrays)) {
		PyErr_NoMemory();
		taken = FAILED;
	}
	if (taken == TAKEN)
		taken = run(v, &m, result);
	if (t->arrays)
		arrays_close(t->all.first, t->arrays);
	for (at = 0; at < (Py_ssize_t)v->slots; at++)
		runtime.release(t->owned[at]);
	return taken;
}

enum taken native_call(PyObject *native, PyObject *arguments, PyObject **result)
{
	const struct native *v = (const struct native *)native;
	size_t size = 16 * (1 + v->slots) + 16 + 16 * (1 + v->results) + 16 * v->results +
		      round_up(8 * v->results) + round_up(8 * v->slots) +
		      v->arrays * sizeof(struct held);
	_Alignas(16) char room[ROOM];
	char *memory = room;
	enum taken taken;
	int hold;

	if (PyTuple_Size(arguments) != v->parameters)
		return OTHER;
	hold = guards_hold(v->guards, v->guarded);
	if (hold <= 0)
		return hold ? FAILED : OTHER;
	if (size > ROOM)
		/* aligned to 16 bytes, as all blocks of more than 8 bytes are */
		memory = PyMem_Malloc(size);
	if (!memory) {
		PyErr_NoMemory();
		return FAILED;
	}
	memset(memory, 0, size);
	taken = call(v, arguments, memory, result);
	if (memory != room)
		PyMem_Free(memory);
	return taken;
}
