// SPDX-License-Identifier: MIT
/* Arrays of many inputs: held for several calls, and results returned in columns. */
#include "call.h"

#include <string.h>

struct holder {
	PyObject_HEAD struct node node;
	struct held held;
	PyObject *object;
};

/* Held(node, object, refusal): an array, lent or copied for the lifetime of the Held. */
static PyObject *held_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	PyObject *node, *object, *refusal;
	struct holder *h;

	(void)keywords;
	if (!PyArg_ParseTuple(arguments, "O!OO:Held", &PyTuple_Type, &node, &object, &refusal))
		return NULL;
	h = (struct holder *)PyType_GenericAlloc(type, 0);
	if (!h)
		return NULL;
	h->object = Py_NewRef(object);
	h->held.node = &h->node;
	h->held.object = object;
	if (!node_read(&h->node, node) || array_take(&(struct arrays){&h->held, 1, refusal},
						     &h->held, &h->node, object, 0) != TAKEN)
		Py_CLEAR(h);
	return (PyObject *)h;
}

static void held_dealloc(PyObject *self)
{
	struct holder *h = (struct holder *)self;
	PyTypeObject *type = Py_TYPE(self);

	arrays_close(&h->held, 1);
	node_forget(&h->node);
	Py_XDECREF(h->object);
	PyObject_Free(self);
	Py_DECREF(type);
}

static PyObject *get_address(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromVoidPtr(((struct holder *)self)->held.array.data);
}

static PyObject *get_length(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromUnsignedLongLong(((struct holder *)self)->held.array.length);
}

static PyObject *get_lent(PyObject *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(!((struct holder *)self)->held.is_copied);
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
	const struct holder *h = (const struct holder *)self;
	size_t size = h->held.array.length * item_size(&h->node);

	return PyBuffer_FillInfo(view, self, h->held.array.data, (Py_ssize_t)size, 1, flags);
}

static PyGetSetDef attributes[] = {
	{"address", get_address, NULL, "Where its items are.", NULL},
	{"length", get_length, NULL, "How many they are.", NULL},
	{"lent", get_lent, NULL, "Whether they are the object's own.", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_new, held_new},
	{Py_tp_dealloc, held_dealloc},
	{Py_tp_getset, attributes},
	{Py_bf_getbuffer, get_buffer},
	{0, NULL},
};

PyType_Spec held_spec = {
	.name = "carrychain.bindings.call._call.Held",
	.basicsize = sizeof(struct holder),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};

/* The object made of every @lanes-th item. */
static PyObject *give_column(const char *data, size_t length, size_t lanes, const struct node *node)
{
	size_t at, size = item_size(node);
	struct ring_array array = {{-1, RING_WORDS}, length, PyMem_Malloc(length * size + 1)};
	PyObject *object;

	if (!array.data)
		return PyErr_NoMemory();
	for (at = 0; at < length; at++)
		memcpy((char *)array.data + at * size, data + at * lanes * size, size);
	object = array_give(&array, node);
	PyMem_Free(array.data);
	return object;
}

PyObject *give_columns(PyObject *module, PyObject *arguments)
{
	unsigned long long address, length;
	Py_ssize_t lane, lanes;
	PyObject *tuple, *list, *item;
	struct node node = {0};
	const char *data;

	(void)module;
	if (!PyArg_ParseTuple(arguments, "KKnO!:give_columns", &address, &length, &lanes,
			      &PyTuple_Type, &tuple) ||
	    !node_read(&node, tuple))
		return NULL;
	list = PyList_New(lanes);
	data = (const char *)(uintptr_t)address;
	for (lane = 0; list && lane < lanes; lane++, data += item_size(&node)) {
		item = give_column(data, length, (size_t)lanes, &node);
		if (!item || PyList_SetItem(list, lane, item))
			Py_CLEAR(list);
	}
	node_forget(&node);
	return list;
}

PyObject *bytes_places(PyObject *module, PyObject *items)
{
	Py_ssize_t at, count = PyTuple_Size(items);
	PyObject *addresses, *lengths, *item;
	uint64_t *address, *length;

	(void)module;
	if (count < 0)
		return NULL;
	for (at = 0; at < count; at++)
		if (Py_TYPE(PyTuple_GetItem(items, at)) != &PyBytes_Type)
			Py_RETURN_NONE;
	addresses = PyBytes_FromStringAndSize(NULL, 8 * count);
	lengths = PyBytes_FromStringAndSize(NULL, 8 * count);
	if (!addresses || !lengths) {
		Py_XDECREF(addresses);
		Py_XDECREF(lengths);
		return NULL;
	}
	address = (uint64_t *)PyBytes_AsString(addresses);
	length = (uint64_t *)PyBytes_AsString(lengths);
	for (at = 0; at < count; at++) {
		item = PyTuple_GetItem(items, at);
		address[at] = (uint64_t)(uintptr_t)PyBytes_AsString(item);
		length[at] = (uint64_t)PyBytes_Size(item);
	}
	return Py_BuildValue("NN", addresses, lengths);
}
