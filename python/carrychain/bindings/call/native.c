// SPDX-License-Identifier: MIT
/* The type Native: a compiled function, and how it is called. */
#include "call.h"

/* Sets the bounds; those that fit words are compared as words. */
static void bound(struct node *node, PyObject *low, PyObject *high)
{
	int overflow = 0;

	if (low != Py_None && high != Py_None) {
		node->low = PyLong_AsLongLongAndOverflow(low, &overflow);
		node->high = PyLong_AsUnsignedLongLong(high);
		if (!PyErr_Occurred() && !overflow && node->low <= 0) {
			node->bounded = BY_WORDS;
			return;
		}
		PyErr_Clear();
	}
	node->bounded = low != Py_None || high != Py_None ? BY_OBJECTS : BOUNDLESS;
	node->least = low != Py_None ? Py_NewRef(low) : NULL;
	node->most = high != Py_None ? Py_NewRef(high) : NULL;
}

int node_read(struct node *node, PyObject *tuple)
{
	PyObject *low, *high, *type;

	if (!PyArg_ParseTuple(tuple, "iiiiiiOOnO", &node->kind, &node->bits, &node->is_signed,
			      &node->written, &node->readonly, &node->indexed, &low, &high,
			      &node->count, &type))
		return 0;
	bound(node, low, high);
	node->type = Py_NewRef(type);
	return 1;
}

void node_forget(struct node *node)
{
	Py_CLEAR(node->type);
	Py_CLEAR(node->least);
	Py_CLEAR(node->most);
}

static struct node *nodes_of(PyObject *tuples, Py_ssize_t *count)
{
	struct node *nodes;
	Py_ssize_t at;

	*count = PyTuple_Size(tuples);
	nodes = PyMem_Calloc((size_t)*count + 1, sizeof(*nodes));
	if (!nodes) {
		PyErr_NoMemory();
		return NULL;
	}
	for (at = 0; at < *count && node_read(&nodes[at], PyTuple_GetItem(tuples, at)); at++)
		;
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

static int guards_of(struct native *v, PyObject *tuples)
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

static void count(struct native *v)
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
 * Native(address, number, parameters, takes, gives, guards, brief, given_up, undoes, failed,
 * program, refusal=None): the function with this number in the machine code at this address.
 */
static PyObject *native_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	PyObject *takes, *gives, *guards, *failed, *program, *refusal = NULL;
	unsigned long long address, number;
	struct native *v;
	Py_ssize_t parameters;
	int brief, given_up, undoes;

	(void)keywords;
	if (!PyArg_ParseTuple(arguments, "KKnO!O!O!pipOO|O:Native", &address, &number, &parameters,
			      &PyTuple_Type, &takes, &PyTuple_Type, &gives, &PyTuple_Type, &guards,
			      &brief, &given_up, &undoes, &failed, &program, &refusal))
		return NULL;
	v = (struct native *)PyType_GenericAlloc(type, 0);
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
	v->refusal = Py_XNewRef(refusal);
	v->takes = nodes_of(takes, &v->taken);
	v->gives = PyErr_Occurred() ? NULL : nodes_of(gives, &v->given);
	if (PyErr_Occurred() || !guards_of(v, guards)) {
		Py_DECREF(v);
		return NULL;
	}
	count(v);
	return (PyObject *)v;
}

static int native_traverse(PyObject *self, visitproc visit, void *arg)
{
	struct native *v = (struct native *)self;
	Py_ssize_t at;

	Py_VISIT(Py_TYPE(self));
	Py_VISIT(v->failed);
	Py_VISIT(v->program);
	Py_VISIT(v->refusal);
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
		node_forget(&nodes[at]);
	PyMem_Free(nodes);
}

static int native_clear(PyObject *self)
{
	struct native *v = (struct native *)self;
	Py_ssize_t at, guarded = v->guarded;

	v->guarded = 0;
	Py_CLEAR(v->failed);
	Py_CLEAR(v->program);
	Py_CLEAR(v->refusal);
	for (at = 0; at < guarded; at++) {
		Py_CLEAR(v->guards[at].where);
		Py_CLEAR(v->guards[at].name);
		Py_CLEAR(v->guards[at].value);
		PyMem_Free(v->guards[at].items);
	}
	return 0;
}

static void native_dealloc(PyObject *self)
{
	struct native *v = (struct native *)self;
	PyTypeObject *type = Py_TYPE(self);

	PyObject_GC_UnTrack(self);
	native_clear(self);
	forget_nodes(v->takes, v->taken);
	forget_nodes(v->gives, v->given);
	PyMem_Free(v->guards);
	PyObject_GC_Del(self);
	Py_DECREF(type);
}

static PyObject *native_holds(PyObject *self, PyObject *none)
{
	const struct native *v = (const struct native *)self;
	int hold = guards_hold(v->guards, v->guarded);

	(void)none;
	return hold < 0 ? NULL : PyBool_FromLong(hold);
}

static PyObject *call(PyObject *self, PyObject *arguments)
{
	PyObject *result = NULL;

	if (!PyTuple_Check(arguments) || native_call(self, arguments, &result) == OTHER)
		PyErr_SetString(PyExc_TypeError, "not what a compiled function takes");
	return result;
}

static PyMethodDef methods[] = {
	{"call", call, METH_O,
	 "call($self, arguments, /)\n--\n\nThe result for a tuple of all arguments."},
	{"holds", native_holds, METH_NOARGS,
	 "holds($self, /)\n--\n\nWhether the world is as it was."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_new, native_new},	 {Py_tp_methods, methods},
	{Py_tp_dealloc, native_dealloc}, {Py_tp_traverse, native_traverse},
	{Py_tp_clear, native_clear},	 {0, NULL},
};

PyType_Spec native_spec = {
	.name = "carrychain.bindings.call._call.Native",
	.basicsize = sizeof(struct native),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
