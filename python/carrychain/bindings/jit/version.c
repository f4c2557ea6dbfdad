// SPDX-License-Identifier: MIT
/* A version: its making, and a call of it. */
#include "jit.h"

#include <string.h>

struct version {
	PyObject_HEAD uintptr_t address;
	uint64_t number; /* of the program's functions */
	struct node *takes, *gives;
	Py_ssize_t parameters, taken, given; /* nodes of the first two */
	size_t slots, results, arrays;	     /* what arguments and results are held in */
	struct guard *guards;
	Py_ssize_t guarded;
	int brief;	   /* it ends at once: the GIL is not worth its release */
	int given_up;	   /* the status of a call after which another version is asked, or 0 */
	int undoes;	   /* there is a check after which all is as it was before the call */
	PyObject *failed;  /* what makes an exception of a check's status */
	PyObject *program; /* which owns the machine code */
};

unsigned long main_thread;
struct runtime runtime;

/* Making --------------------------------------------------------------------------------------- */

static struct node *nodes_of(PyObject *tuples, Py_ssize_t *count)
{
	struct node *nodes, *node;
	Py_ssize_t at;

	*count = PyTuple_Size(tuples);
	nodes = PyMem_Calloc((size_t)*count + 1, sizeof(*nodes));
	if (!nodes) {
		PyErr_NoMemory();
		return NULL;
	}
	for (at = 0; at < *count; at++) {
		node = &nodes[at];
		if (!PyArg_ParseTuple(PyTuple_GetItem(tuples, at), "iiiiiiLKnO", &node->kind,
				      &node->bits, &node->is_signed, &node->written,
				      &node->readonly, &node->bounded, &node->low, &node->high,
				      &node->count, &node->type)) {
			node->type = NULL;
			return nodes;
		}
		Py_INCREF(node->type);
	}
	return nodes;
}

static int list_items(struct guard *guard)
{
	Py_ssize_t at, count = PyTuple_Size(guard->value);

	guard->items = PyMem_Calloc((size_t)count + 1, sizeof(*guard->items));
	if (!guard->items) {
		PyErr_NoMemory();
		return 0;
	}
	for (at = 0; at < count; at++)
		guard->items[at] = PyTuple_GetItem(guard->value, at);
	return 1;
}

static int guards_of(struct version *v, PyObject *tuples)
{
	struct guard *guard;

	v->guarded = PyTuple_Size(tuples);
	v->guards = PyMem_Calloc((size_t)v->guarded + 1, sizeof(*v->guards));
	if (!v->guards) {
		PyErr_NoMemory();
		return 0;
	}
	for (guard = v->guards; guard < v->guards + v->guarded; guard++) {
		if (!PyArg_ParseTuple(PyTuple_GetItem(tuples, guard - v->guards), "iOO|O",
				      &guard->kind, &guard->where, &guard->name, &guard->value)) {
			v->guarded = guard - v->guards;
			return 0;
		}
		Py_INCREF(guard->where);
		Py_INCREF(guard->name);
		Py_XINCREF(guard->value);
		if (guard->kind == IN_LIST && !list_items(guard)) {
			v->guarded = guard - v->guards + 1;
			return 0;
		}
	}
	return 1;
}

static int is_array(const struct node *node)
{
	return node->kind == BYTES || node->kind == BUFFER || node->kind == LIST;
}

static int is_held(const struct node *node)
{
	return is_array(node) || node->kind == INT || node->kind == BOOL;
}

static void count(struct version *v)
{
	Py_ssize_t at;

	for (at = 0; at < v->taken; at++) {
		v->slots += (size_t)is_held(&v->takes[at]);
		v->arrays += (size_t)is_array(&v->takes[at]);
	}
	for (at = 0; at < v->given; at++)
		v->results += v->gives[at].kind == ONE_OF ? (size_t)v->gives[at].count - 1
							  : (size_t)is_held(&v->gives[at]);
}

/*
 * Version(address, number, parameters, takes, gives, guards, brief, given_up, undoes, failed,
 * program): of the function of this number of the machine code at this address.
 */
static PyObject *version_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	PyObject *takes, *gives, *guards, *failed, *program;
	unsigned long long address, number;
	struct version *v;
	Py_ssize_t parameters;
	int brief, given_up, undoes;

	(void)keywords;
	if (!PyArg_ParseTuple(arguments, "KKnO!O!O!pipOO:Version", &address, &number, &parameters,
			      &PyTuple_Type, &takes, &PyTuple_Type, &gives, &PyTuple_Type, &guards,
			      &brief, &given_up, &undoes, &failed, &program))
		return NULL;
	v = (struct version *)PyType_GenericAlloc(type, 0);
	if (!v)
		return NULL;
	v->address = (uintptr_t)address;
	v->number = number;
	v->parameters = parameters;
	v->brief = brief;
	v->given_up = given_up;
	v->undoes = undoes;
	v->failed = Py_NewRef(failed);
	v->program = Py_NewRef(program);
	v->takes = nodes_of(takes, &v->taken);
	v->gives = PyErr_Occurred() ? NULL : nodes_of(gives, &v->given);
	if (PyErr_Occurred() || !guards_of(v, guards)) {
		Py_DECREF(v);
		return NULL;
	}
	count(v);
	return (PyObject *)v;
}

static int version_traverse(PyObject *self, visitproc visit, void *arg)
{
	struct version *v = (struct version *)self;
	Py_ssize_t at;

	Py_VISIT(Py_TYPE(self));
	Py_VISIT(v->failed);
	Py_VISIT(v->program);
	for (at = 0; at < v->guarded; at++) {
		Py_VISIT(v->guards[at].where);
		Py_VISIT(v->guards[at].name);
		Py_VISIT(v->guards[at].value);
	}
	return 0;
}

static void forget_nodes(struct node *nodes, Py_ssize_t count)
{
	Py_ssize_t at;

	for (at = 0; nodes && at < count; at++)
		Py_XDECREF(nodes[at].type);
	PyMem_Free(nodes);
}

static int version_clear(PyObject *self)
{
	struct version *v = (struct version *)self;
	Py_ssize_t at, guarded = v->guarded;

	v->guarded = 0;
	Py_CLEAR(v->failed);
	Py_CLEAR(v->program);
	for (at = 0; at < guarded; at++) {
		Py_CLEAR(v->guards[at].where);
		Py_CLEAR(v->guards[at].name);
		Py_CLEAR(v->guards[at].value);
		PyMem_Free(v->guards[at].items);
	}
	return 0;
}

static void version_dealloc(PyObject *self)
{
	struct version *v = (struct version *)self;
	PyTypeObject *type = Py_TYPE(self);

	PyObject_GC_UnTrack(self);
	version_clear(self);
	forget_nodes(v->takes, v->taken);
	forget_nodes(v->gives, v->given);
	PyMem_Free(v->guards);
	PyObject_GC_Del(self);
	Py_DECREF(type);
}

/* A call --------------------------------------------------------------------------------------- */

struct taking {
	const struct node *node; /* the next */
	uint64_t *slot;		 /* the next */
	uint64_t *first_slot;
	ring_value *owned; /* the values among the arguments, by slot; 0 where there is none */
	struct held *held;
	size_t arrays; /* of these, so many are taken */
};

static enum taken take(struct taking *t, PyObject *x)
{
	const struct node *node = t->node++;
	enum taken taken = TAKEN;
	struct ring_array *array;
	Py_ssize_t at;

	switch (node->kind) {
	case ANY:
		return TAKEN;
	case NONE:
		return x == Py_None ? TAKEN : OTHER;
	case BOOL:
		if (x != Py_True && x != Py_False)
			return OTHER;
		t->slot[0] = x == Py_True;
		break;
	case INT:
		taken = int_take(t->slot, node, x);
		if (taken == TAKEN && !node->bits)
			t->owned[(t->slot - t->first_slot) / 2] = (ring_value)t->slot[0];
		break;
	case TUPLE:
		if (Py_TYPE(x) != &PyTuple_Type || PyTuple_Size(x) != node->count)
			return OTHER;
		for (at = 0; at < node->count && taken == TAKEN; at++)
			taken = take(t, PyTuple_GetItem(x, at));
		return taken;
	default:
		t->arrays++;
		taken = array_take(&t->held[t->arrays - 1], t->held, node, x, &array);
		t->slot[0] = (uint64_t)(uintptr_t)array;
		break;
	}
	t->slot += 2;
	return taken;
}

struct giving {
	const struct node *node; /* the next */
	size_t at;		 /* the next result */
	const ring_value *values;
	const uint64_t *words;
	const struct held *held;
	size_t arrays;
	PyObject **made; /* arrays that were given, by result; borrowed by the whole result */
};

static PyObject *given_array(struct giving *g, const struct node *node)
{
	const struct ring_array *array = (const struct ring_array *)(uintptr_t)g->values[g->at];
	PyObject *object;
	size_t at;

	for (at = 0; at < g->arrays; at++)
		if (&g->held[at].array == array)
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

/* Of its kinds the last whose truth value is set, or the first; no more than one is. */
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

	/* what a handler raised stays with the thread */
	PyGILState_Release(state);
	return raised;
}

/* The sites of the calls that led to a check that failed, a tuple. */
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

/* The exception of a check that failed; 0 if there is none, and the call is to be undone. */
static int raise(const struct version *v, int status, const struct ring_context *context)
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

/* Memory of one call, each part at a multiple of 16. */
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
	if (arrays_copy_back(t->held, t->arrays) || type)
		PyErr_Restore(type, error, traceback);
}

static enum taken run(const struct version *v, struct memory *m, PyObject **result)
{
	struct giving giving = {
		v->gives,	  0,	  m->results->values + 1, m->words, m->taking.held,
		m->taking.arrays, m->made};
	struct ring_context context;
	PyThreadState *thread = NULL;
	enum taken taken = TAKEN;
	size_t at;
	int status;

	/* of the callers none is read that was not written */
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
		arrays_undo(m->taking.held, m->taking.arrays);
		taken = OTHER;
	} else {
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

static enum taken call(const struct version *v, PyObject *arguments, char *room, PyObject **result)
{
	size_t slots = 16 * (1 + v->slots), values = 1 + v->results + (1 + v->results) % 2;
	struct memory m = {.results = (struct ring_slots *)(room + slots)};
	struct taking *t = &m.taking;
	enum taken taken = TAKEN;
	Py_ssize_t at;
	char *end;

	*(uint64_t *)room = v->number;
	t->node = v->takes;
	t->slot = t->first_slot = (uint64_t *)room + 2;
	m.words = (uint64_t *)(m.results->values + values);
	end = (char *)(m.words + 2 * v->results);
	m.made = (PyObject **)end;
	end += round_up(8 * v->results);
	t->owned = (ring_value *)end;
	end += round_up(8 * v->slots);
	t->held = (struct held *)end;
	for (at = 0; at < v->parameters && taken == TAKEN; at++)
		taken = take(t, PyTuple_GetItem(arguments, at));
	if (taken == TAKEN && !arrays_agree(t->held, t->arrays))
		taken = OTHER;
	if (taken == TAKEN && v->undoes && !arrays_keep(t->held, t->arrays)) {
		PyErr_NoMemory();
		taken = FAILED;
	}
	if (taken == TAKEN)
		taken = run(v, &m, result);
	arrays_close(t->held, t->arrays);
	for (at = 0; at < (Py_ssize_t)v->slots; at++)
		runtime.release(t->owned[at]);
	return taken;
}

enum taken version_call(PyObject *version, PyObject *arguments, PyObject **result)
{
	const struct version *v = (const struct version *)version;
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
	if (guards_name(v->guards, v->guarded, arguments))
		return OTHER;
	if (size > ROOM)
		/* at a multiple of 16, as all that is longer than 8 bytes */
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

static PyObject *version_holds(PyObject *self, PyObject *none)
{
	const struct version *v = (const struct version *)self;
	int hold = guards_hold(v->guards, v->guarded);

	(void)none;
	return hold < 0 ? NULL : PyBool_FromLong(hold);
}

static PyMethodDef methods[] = {
	{"holds", version_holds, METH_NOARGS,
	 "holds($self, /)\n--\n\nWhether the world is as it was."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_new, version_new},	  {Py_tp_methods, methods},
	{Py_tp_dealloc, version_dealloc}, {Py_tp_traverse, version_traverse},
	{Py_tp_clear, version_clear},	  {0, NULL},
};

PyType_Spec version_spec = {
	.name = "carrychain.bindings.jit._jit.Version",
	.basicsize = sizeof(struct version),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
