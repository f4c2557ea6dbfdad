// SPDX-License-Identifier: MIT
/* Arrays as arguments and results: buffers are lent in place, lists are copied in and back. */
#include "call.h"

#include <string.h>

void array_hold(struct held *made, const struct node *node, PyObject *x, void *data)
{
	made->array = (struct ring_array){{-1, node->bits ? RING_WORDS : RING_VALUES}, 0, data};
	made->node = node;
	made->object = x;
	made->source = made;
}

void array_lend(struct held *made)
{
	made->array.data = made->view.buf;
	made->array.length = (uint64_t)made->view.shape[0];
}

static enum taken buffer_take(struct held *made, const struct node *node, PyObject *x)
{
	if ((PyObject *)Py_TYPE(x) != node->type)
		return OTHER;
	array_hold(made, node, x, NULL);
	/* without PyBUF_WRITABLE: the kind says whether the buffer is read-only */
	if (PyObject_GetBuffer(x, &made->view, PyBUF_RECORDS_RO)) {
		/* for instance a released memoryview */
		PyErr_Clear();
		return OTHER;
	}
	made->is_viewed = 1;
	if (!buffer_is_lendable(&made->view, node) || !made->view.readonly != !node->readonly)
		return OTHER;
	array_lend(made);
	return TAKEN;
}

static void release_items(const struct held *held, void *items)
{
	ring_value *values = items;
	uint64_t at;

	if (!held->node->bits && values)
		for (at = 0; at < held->array.length; at++)
			runtime.release(values[at]);
	PyMem_Free(items);
}

static void keep_before(struct held *held)
{
	size_t size = held->array.length * item_size(held->node);
	ring_value *values;
	uint64_t at;

	held->before = PyMem_Malloc(size ? size : 1);
	if (!held->before)
		return;
	memcpy(held->before, held->array.data, size);
	values = held->before;
	if (!held->node->bits)
		for (at = 0; at < held->array.length; at++)
			if (!(values[at] & 1))
				((struct ring_object *)(uintptr_t)values[at])->references++;
}

enum taken items_take(struct held *made, PyObject *x, Py_ssize_t *at)
{
	const struct node *node = made->node;
	int is_tuple = PyTuple_Check(x);
	Py_ssize_t count = PyObject_Size(x);
	enum taken taken = TAKEN;
	char *data = PyMem_Malloc(count ? (size_t)count * item_size(node) : 1);

	if (!data) {
		PyErr_NoMemory();
		return FAILED;
	}
	made->array.data = data;
	made->is_copied = 1;
	for (*at = 0; *at < count && taken == TAKEN; ++*at) {
		/* fails if garbage collection ran code that has just shortened the list */
		PyObject *item = is_tuple ? PyTuple_GetItem(x, *at) : PyList_GetItem(x, *at);

		if (!item)
			return FAILED;
		taken = item_take(data + (size_t)*at * item_size(node), node, item);
		if (taken != TAKEN)
			return taken;
		made->array.length++;
	}
	return taken;
}

enum taken items_store_into(struct held *made, PyObject *x)
{
	made->into = x;
	if (!made->before)
		keep_before(made);
	if (made->before)
		return TAKEN;
	PyErr_NoMemory();
	return FAILED;
}

static int is_same(PyObject *a, PyObject *b)
{
	return a == b || (a && b && PyObject_RichCompareBool(a, b, Py_EQ) > 0);
}

int nodes_are_alike(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && a->bits == b->bits && a->is_signed == b->is_signed &&
	       a->readonly == b->readonly && a->bounded == b->bounded && a->low == b->low &&
	       a->high == b->high && is_same(a->least, b->least) && is_same(a->most, b->most);
}

static enum taken list_take(const struct arrays *all, struct held *made, const struct node *node,
			    PyObject *x)
{
	struct held *same;
	enum taken taken;
	Py_ssize_t at;

	if (Py_TYPE(x) != (node->readonly ? &PyTuple_Type : &PyList_Type) ||
	    guards_name(all->guards, all->guarded, x))
		return OTHER;
	array_hold(made, node, x, NULL);
	for (same = all->first; same < made; same++) {
		if (same->object != x || same->node->kind != LIST ||
		    !(same->node->written || node->written))
			continue;
		if (!nodes_are_alike(same->node, node) || same->node->written != node->written)
			return OTHER;
		/* the same list, held once */
		made->source = same;
		return TAKEN;
	}
	taken = items_take(made, x, &at);
	return taken == TAKEN && node->written ? items_store_into(made, x) : taken;
}

enum taken array_take(const struct arrays *all, struct held *made, const struct node *node,
		      PyObject *x, Py_ssize_t parameter)
{
	made->source = made;
	made->parameter = parameter;
	switch (node->kind) {
	case BYTES:
		if (Py_TYPE(x) != &PyBytes_Type)
			return OTHER;
		array_hold(made, node, x, PyBytes_AsString(x));
		made->array.length = (uint64_t)PyBytes_Size(x);
		return TAKEN;
	case BUFFER:
		return buffer_take(made, node, x);
	case LIST:
		return list_take(all, made, node, x);
	}
	return any_take(all, made, node, x);
}

int arrays_agree(const struct held *first, size_t count)
{
	size_t i, j;

	for (i = 1; i < count; i++) {
		if (first[i].node->kind != BUFFER)
			continue;
		for (j = 0; j < i; j++)
			if (first[j].node->kind == BUFFER &&
			    first[i].node->bits != first[j].node->bits &&
			    (first[i].node->written || first[j].node->written) &&
			    buffers_meet(&first[i].view, &first[j].view))
				return 0;
	}
	return 1;
}

/* Stores the item in the object that was copied; takes its reference. */
static int put(const struct held *held, Py_ssize_t at, PyObject *item)
{
	PyObject *place;
	int done;

	if (held->node->kind == LIST) {
		/* another thread may have shortened the list */
		if (at < PyList_Size(held->into))
			return !PyList_SetItem(held->into, at, item);
		Py_DECREF(item);
		return 1;
	}
	place = PyLong_FromSsize_t(at);
	done = place && !PyObject_SetItem(held->into, place, item);
	Py_XDECREF(place);
	Py_DECREF(item);
	return done;
}

static int copy_back(const struct held *held)
{
	size_t size = item_size(held->node);
	const char *now = held->array.data, *before = held->before;
	PyObject *item;
	uint64_t at;

	for (at = 0; at < held->array.length; at++, now += size, before += size) {
		if (!memcmp(now, before, size))
			continue;
		item = int_of_item(now, held->node);
		if (!item || !put(held, (Py_ssize_t)at, item))
			return 0;
	}
	return 1;
}

int arrays_copy_back(const struct held *first, size_t count)
{
	int done = 1;

	for (; count--; first++)
		if (first->into)
			done &= copy_back(first);
	return done;
}

int arrays_keep(struct held *first, size_t count)
{
	for (; count--; first++) {
		if (first->node->kind != BUFFER || !first->node->written)
			continue;
		keep_before(first);
		if (!first->before)
			return 0;
	}
	return 1;
}

void arrays_undo(const struct held *first, size_t count)
{
	for (; count--; first++)
		if (first->before && !first->into)
			memcpy(first->array.data, first->before,
			       first->array.length * item_size(first->node));
}

void arrays_close(struct held *first, size_t count)
{
	for (; count--; first++) {
		if (first->is_viewed)
			PyBuffer_Release(&first->view);
		if (first->is_copied)
			release_items(first, first->array.data);
		if (first->before)
			release_items(first, first->before);
	}
}

static PyObject *list_of(const struct ring_array *array, const struct node *node)
{
	PyObject *list = PyList_New((Py_ssize_t)array->length), *item, *tuple;
	const char *data = array->data;
	uint64_t at;

	for (at = 0; list && at < array->length; at++) {
		item = node->type == (PyObject *)&PyBool_Type
			       ? PyBool_FromLong(data[at])
			       : int_of_item(data + at * item_size(node), node);
		if (!item || PyList_SetItem(list, (Py_ssize_t)at, item))
			Py_CLEAR(list);
	}
	if (!list || !node->readonly)
		return list;
	tuple = PyList_AsTuple(list);
	Py_DECREF(list);
	return tuple;
}

PyObject *array_give(const struct ring_array *array, const struct node *node)
{
	Py_ssize_t size = (Py_ssize_t)(array->length * item_size(node));
	const char *data = array->data;
	int order = -1;

	if (node->kind == LIST)
		return list_of(array, node);
	if (node->kind == TEXT)
		return PyUnicode_DecodeUTF32(data, size, "surrogatepass", &order);
	if (node->kind == BYTES)
		return PyBytes_FromStringAndSize(data, size);
	if (node->type == (PyObject *)&PyByteArray_Type)
		return PyByteArray_FromStringAndSize(data, size);
	return PyObject_CallFunction(node->type, "y#", data, size);
}
