// SPDX-License-Identifier: MIT
/* Buffers, lent in place, and lists, copied in and back. */
#include "jit.h"

#include <string.h>

static void hold(struct held *made, const struct node *node, PyObject *x, void *data, size_t length)
{
	made->array = (struct ring_array){{-1, RING_WORDS}, length, data};
	made->node = node;
	made->object = x;
	made->before = NULL;
	made->is_viewed = 0;
}

/* A buffer of one dimension whose items are words of the kind's, one after the other. */
static int is_lendable(const Py_buffer *view, const struct node *node)
{
	const char *format = view->format ? view->format : "B";
	const char *formats = node->is_signed ? "bhilqn" : "BHILQN";
	Py_ssize_t size = (Py_ssize_t)item_size(node);

	if (*format == '@' || *format == '=')
		format++;
	return view->ndim == 1 && view->itemsize == size && *format && strchr(formats, *format) &&
	       !format[1] && (view->shape[0] < 2 || view->strides[0] == size) &&
	       !view->readonly == !node->readonly && !((uintptr_t)view->buf % (uintptr_t)size);
}

static enum taken buffer_take(struct held *made, const struct node *node, PyObject *x)
{
	if ((PyObject *)Py_TYPE(x) != node->type)
		return OTHER;
	hold(made, node, x, NULL, 0);
	/* without PyBUF_WRITABLE: whether it is readonly is of the kind */
	if (PyObject_GetBuffer(x, &made->view, PyBUF_RECORDS_RO)) {
		/* a released memoryview is one of no items that can be lent */
		PyErr_Clear();
		return OTHER;
	}
	made->is_viewed = 1;
	if (!is_lendable(&made->view, node))
		return OTHER;
	made->array.data = made->view.buf;
	made->array.length = (uint64_t)made->view.shape[0];
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

static enum taken list_take(struct held *made, const struct node *node, PyObject *x)
{
	Py_ssize_t at, count;
	enum taken taken = TAKEN;
	char *data;

	if (Py_TYPE(x) != (node->readonly ? &PyTuple_Type : &PyList_Type))
		return OTHER;
	count = PyObject_Size(x);
	data = PyMem_Malloc(count ? (size_t)count * item_size(node) : 1);
	if (!data) {
		PyErr_NoMemory();
		return FAILED;
	}
	hold(made, node, x, data, 0);
	if (!node->bits)
		made->array.object.kind = RING_VALUES;
	for (at = 0; at < count && taken == TAKEN; at++) {
		/* an error if what collects garbage has just made the list shorter */
		PyObject *item = node->readonly ? PyTuple_GetItem(x, at) : PyList_GetItem(x, at);

		if (!item)
			return FAILED;
		taken = item_take(data + (size_t)at * item_size(node), node, item);
		if (taken == TAKEN)
			made->array.length++;
	}
	if (taken == TAKEN && node->written) {
		keep_before(made);
		if (!made->before) {
			PyErr_NoMemory();
			return FAILED;
		}
	}
	return taken;
}

enum taken array_take(struct held *made, struct held *first, const struct node *node, PyObject *x,
		      struct ring_array **array)
{
	struct held *same;

	*array = &made->array;
	if (node->kind == BYTES) {
		if (Py_TYPE(x) != &PyBytes_Type)
			return OTHER;
		hold(made, node, x, PyBytes_AsString(x), (size_t)PyBytes_Size(x));
		return TAKEN;
	}
	if (node->kind == BUFFER)
		return buffer_take(made, node, x);
	for (same = first; same < made; same++) {
		if (same->object != x || same->node->kind != LIST ||
		    !(same->node->written || node->written))
			continue;
		if (same->node->bits != node->bits || same->node->is_signed != node->is_signed ||
		    same->node->low != node->low || same->node->high != node->high ||
		    same->node->written != node->written)
			return OTHER;
		/* nothing of its own, and nothing to close */
		hold(made, node, x, NULL, 0);
		made->array.length = 0;
		*array = &same->array;
		return TAKEN;
	}
	return list_take(made, node, x);
}

static int meet(const struct held *a, const struct held *b)
{
	uintptr_t x = (uintptr_t)a->array.data, y = (uintptr_t)b->array.data;

	return x < y + b->array.length * item_size(b->node) &&
	       y < x + a->array.length * item_size(a->node);
}

int arrays_agree(const struct held *first, size_t count)
{
	size_t i, j;

	for (i = 1; i < count; i++) {
		if (!first[i].is_viewed)
			continue;
		for (j = 0; j < i; j++)
			if (first[j].is_viewed && first[i].node->bits != first[j].node->bits &&
			    (first[i].node->written || first[j].node->written) &&
			    meet(&first[i], &first[j]))
				return 0;
	}
	return 1;
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
		/* another thread may have made it shorter meanwhile */
		if ((Py_ssize_t)at >= PyList_Size(held->object))
			break;
		item = int_of_item(now, held->node);
		if (!item || PyList_SetItem(held->object, (Py_ssize_t)at, item))
			return 0;
	}
	return 1;
}

int arrays_copy_back(const struct held *first, size_t count)
{
	int done = 1;

	for (; count--; first++)
		if (first->before && first->node->kind == LIST)
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
		if (first->before && first->node->kind == BUFFER)
			memcpy(first->array.data, first->before,
			       first->array.length * item_size(first->node));
}

void arrays_close(struct held *first, size_t count)
{
	for (; count--; first++) {
		if (first->is_viewed)
			PyBuffer_Release(&first->view);
		if (first->node && first->node->kind == LIST)
			release_items(first, first->array.data);
		if (first->node && first->before)
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

	if (node->kind == LIST)
		return list_of(array, node);
	if (node->kind == BYTES)
		return PyBytes_FromStringAndSize(data, size);
	if (node->type == (PyObject *)&PyByteArray_Type)
		return PyByteArray_FromStringAndSize(data, size);
	return PyObject_CallFunction(node->type, "y#", data, size);
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
