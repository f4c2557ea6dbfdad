// SPDX-License-Identifier: MIT
/* Arrays from any sequence of integers: lent or copied, with stores visible to aliases. */
#include "call.h"

static int may_meet(const struct held *a, const struct held *b)
{
	if (a->is_viewed && b->is_viewed)
		return buffers_meet(&a->view, &b->view);
	return a->object == b->object;
}

/* Whether a store to one array is visible in the other at once. */
static int sees(const struct held *a, const struct held *b)
{
	if (a->source->is_copied || b->source->is_copied)
		return a->source == b->source;
	return a->node->bits == b->node->bits;
}

/* Whether every word of the node's width is a valid item. */
static int is_full(const struct node *node)
{
	unsigned long long all;

	if (!node->bits || node->bits > 64 || node->bounded != BY_WORDS)
		return 0;
	all = ~0ULL >> (64 - node->bits);
	if (node->is_signed)
		return node->high == all >> 1 && node->low == -(long long)(all >> 1) - 1;
	return !node->low && node->high == all;
}

/* Whether the function may store to the object, through any of its parameters. */
static int is_written(const struct arrays *all, const PyObject *x)
{
	size_t at;

	for (at = 0; at < all->count; at++)
		if (all->first[at].object == x && all->first[at].node->written)
			return 1;
	return 0;
}

static PyObject *characters(PyObject *text)
{
	Py_ssize_t at, count = PyUnicode_GetLength(text);
	PyObject *list = PyList_New(count), *item;

	for (at = 0; list && at < count; at++) {
		item = PyLong_FromUnsignedLong(PyUnicode_ReadChar(text, at));
		if (!item || PyList_SetItem(list, at, item))
			Py_CLEAR(list);
	}
	return list;
}

static enum taken copy(const struct arrays *all, struct held *made)
{
	PyObject *x = made->object;
	PyObject *list = PyUnicode_Check(x) ? characters(x) : PySequence_List(x);
	Py_ssize_t at = 0;
	enum taken taken = list ? items_take(made, list, &at) : FAILED;

	if (taken == OTHER)
		taken = refuse(all->refusal, "item", made->parameter, at, PyList_GetItem(list, at));
	Py_XDECREF(list);
	return taken;
}

/* An earlier copy of the same items; NULL if there is none. */
static struct held *copied(const struct arrays *all, const struct held *made)
{
	struct held *same;

	for (same = all->first; same < made; same++)
		if (same->is_copied && nodes_are_alike(same->node, made->node) &&
		    (same->object == made->object || (same->is_viewed && made->is_viewed &&
						      buffers_are_same(&same->view, &made->view))))
			return same;
	return NULL;
}

static enum taken lend_or_copy(const struct arrays *all, struct held *made)
{
	const struct node *node = made->node;
	enum taken taken = TAKEN;
	struct held *same;

	if (made->is_viewed && is_full(node) && buffer_is_lendable(&made->view, node) &&
	    !(made->view.readonly && is_written(all, made->object))) {
		array_lend(made);
		return TAKEN;
	}
	same = copied(all, made);
	if (same)
		made->source = same;
	else
		taken = copy(all, made);
	if (taken == TAKEN && node->written && PyObject_HasAttrString(made->object, "__setitem__"))
		taken = items_store_into(made->source, made->object);
	return taken;
}

/* Gets the object's buffer, if it has one; 0 with an exception. TypeError means that it has none.
 */
static int view(struct held *made)
{
	if (!PyObject_CheckBuffer(made->object))
		return 1;
	made->is_viewed = !PyObject_GetBuffer(made->object, &made->view, PyBUF_FULL_RO);
	if (made->is_viewed)
		return 1;
	if (!PyErr_ExceptionMatches(PyExc_TypeError))
		return 0;
	PyErr_Clear();
	return 1;
}

static int has_items(PyObject *x)
{
	return !PyDict_Check(x) && !PyObject_TypeCheck(x, &PySet_Type) &&
	       PyObject_HasAttrString(x, "__iter__");
}

enum taken any_take(const struct arrays *all, struct held *made, const struct node *node,
		    PyObject *x)
{
	enum taken taken;
	struct held *other;
	int serves;

	array_hold(made, node, x, NULL);
	if (PyUnicode_Check(x))
		return node->readonly ? lend_or_copy(all, made)
				      : refuse(all->refusal, "argument", made->parameter, 0, x);
	if (!view(made))
		return FAILED;
	serves = made->is_viewed ? made->view.ndim == 1 : has_items(x);
	if (!serves)
		return refuse(all->refusal, "argument", made->parameter, 0, x);
	taken = lend_or_copy(all, made);
	for (other = all->first; other < made && taken == TAKEN; other++)
		if ((other->node->written || node->written) && !PyUnicode_Check(other->object) &&
		    may_meet(made, other) && !sees(made, other))
			taken = refuse(all->refusal, "sharing", made->parameter, other->parameter,
				       x);
	return taken;
}
