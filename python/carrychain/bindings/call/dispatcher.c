// SPDX-License-Identifier: MIT
/* The dispatcher: the base type of the jitted functions of ring/call/jit/. */
#include "call.h"

struct dispatcher {
	PyObject_HEAD PyObject *natives; /* a tuple, in the order in which they are tried */
	PyObject *function;		 /* the Python function, which has the defaults */
	PyObject *names; /* a tuple of its parameters' names; empty if Python binds them */
	Py_ssize_t positional, positional_only; /* counts of these */
};

static PyObject *defaults_name, *named_defaults_name;

PyObject *native_type, *method_type;

static PyObject *dispatcher_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	struct dispatcher *d = (struct dispatcher *)PyType_GenericAlloc(type, 0);

	(void)arguments, (void)keywords;
	if (!d)
		return NULL;
	d->natives = PyTuple_New(0);
	d->names = PyTuple_New(0);
	if (!d->natives || !d->names)
		Py_CLEAR(d);
	return (PyObject *)d;
}

static int dispatcher_traverse(PyObject *self, visitproc visit, void *arg)
{
	Py_VISIT(Py_TYPE(self));
	Py_VISIT(((struct dispatcher *)self)->natives);
	Py_VISIT(((struct dispatcher *)self)->function);
	return 0;
}

static int dispatcher_clear(PyObject *self)
{
	Py_CLEAR(((struct dispatcher *)self)->natives);
	Py_CLEAR(((struct dispatcher *)self)->function);
	Py_CLEAR(((struct dispatcher *)self)->names);
	return 0;
}

static void dispatcher_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);

	PyObject_GC_UnTrack(self);
	dispatcher_clear(self);
	PyObject_GC_Del(self);
	Py_DECREF(type);
}

int dispatcher_prepare(void)
{
	defaults_name = PyUnicode_InternFromString("__defaults__");
	named_defaults_name = PyUnicode_InternFromString("__kwdefaults__");
	return defaults_name && named_defaults_name;
}

/* Tries the natives in turn; holds a reference, as another thread may replace them meanwhile. */
static enum taken try(PyObject *self, PyObject *arguments, PyObject **result)
{
	PyObject *natives = Py_NewRef(((struct dispatcher *)self)->natives);
	Py_ssize_t at, count = PyTuple_Size(natives);
	enum taken taken = OTHER;

	for (at = 0; at < count && taken == OTHER; at++)
		taken = native_call(PyTuple_GetItem(natives, at), arguments, result);
	Py_DECREF(natives);
	return taken;
}

/*
 * A call that no native takes.  Python's _unusual() answers with a number and an object: 0, the
 * result; 1, an exception, raised here to keep frames of ours out of its traceback; 2, the
 * function to be called instead.
 */
static PyObject *unusual(PyObject *self, PyObject *arguments, PyObject *keywords)
{
	PyObject *answer = PyObject_CallMethod(self, "_unusual", "OO", arguments,
					       keywords ? keywords : Py_None);
	PyObject *object, *result = NULL;
	int how;

	if (!answer)
		return NULL;
	if (PyArg_ParseTuple(answer, "iO", &how, &object)) {
		if (how == 1)
			PyErr_SetObject((PyObject *)Py_TYPE(object), object);
		else
			result = how ? PyObject_Call(object, arguments, keywords)
				     : Py_NewRef(object);
	}
	Py_DECREF(answer);
	return result;
}

/* A parameter's default, borrowed; NULL if there is none, or with an exception. */
static PyObject *default_of(const struct dispatcher *d, Py_ssize_t at)
{
	int is_named = at >= d->positional;
	PyObject *all =
		PyObject_GetAttr(d->function, is_named ? named_defaults_name : defaults_name);
	PyObject *found = NULL;

	if (!all)
		return NULL;
	if (is_named && PyDict_Check(all)) {
		found = PyDict_GetItemWithError(all, PyTuple_GetItem(d->names, at));
	} else if (!is_named && PyTuple_Check(all)) {
		at -= d->positional - PyTuple_Size(all);
		found = at >= 0 ? PyTuple_GetItem(all, at) : NULL;
	}
	/* the function keeps a reference */
	Py_DECREF(all);
	return found;
}

/* All arguments in the parameters' order; NULL if Python is to bind them, or with an exception. */
static PyObject *bind(const struct dispatcher *d, PyObject *arguments, PyObject *keywords)
{
	Py_ssize_t at, count = PyTuple_Size(d->names), given = PyTuple_Size(arguments), named = 0;
	PyObject *bound, *x;

	if (!count || given > d->positional)
		return NULL;
	bound = PyTuple_New(count);
	for (at = 0; bound && at < count; at++) {
		x = NULL;
		if (at < given) {
			x = PyTuple_GetItem(arguments, at);
		} else if (keywords && at >= d->positional_only) {
			x = PyDict_GetItemWithError(keywords, PyTuple_GetItem(d->names, at));
			named += x != NULL;
		}
		if (!x && !PyErr_Occurred())
			x = default_of(d, at);
		if (!x || PyTuple_SetItem(bound, at, Py_NewRef(x)))
			Py_CLEAR(bound);
	}
	/* a keyword is left over: Python raises the error */
	if (bound && keywords && named != PyDict_Size(keywords))
		Py_CLEAR(bound);
	return bound;
}

static PyObject *dispatcher_call(PyObject *self, PyObject *arguments, PyObject *keywords)
{
	const struct dispatcher *d = (const struct dispatcher *)self;
	PyObject *result = NULL, *bound;
	enum taken taken = OTHER;

	if (!keywords && PyTuple_Size(arguments) == PyTuple_Size(d->names) &&
	    PyTuple_Size(arguments) == d->positional) {
		taken = try(self, arguments, &result);
	} else if (PyTuple_Size(d->natives)) {
		bound = bind(d, arguments, keywords);
		if (bound)
			taken = try(self, bound, &result);
		Py_XDECREF(bound);
		if (!bound && PyErr_Occurred())
			return NULL;
	}
	return taken == OTHER ? unusual(self, arguments, keywords) : result;
}

static PyObject *dispatcher_get(PyObject *self, PyObject *object, PyObject *type)
{
	(void)type;
	if (!object || object == Py_None)
		return Py_NewRef(self);
	return PyObject_CallFunctionObjArgs(method_type, self, object, NULL);
}

static PyObject *try_arguments(PyObject *self, PyObject *arguments)
{
	PyObject *result = NULL, *answer;
	enum taken taken;

	if (!PyTuple_Check(arguments)) {
		PyErr_SetString(PyExc_TypeError, "the arguments are a tuple");
		return NULL;
	}
	taken = try(self, arguments, &result);
	if (taken == OTHER)
		return Py_NewRef(Py_None);
	if (!result)
		return NULL;
	answer = PyTuple_Pack(1, result);
	Py_DECREF(result);
	return answer;
}

static PyObject *get_natives(PyObject *self, void *unused)
{
	(void)unused;
	return Py_NewRef(((struct dispatcher *)self)->natives);
}

static int set_natives(PyObject *self, PyObject *natives, void *unused)
{
	PyObject *old = ((struct dispatcher *)self)->natives;
	Py_ssize_t at;

	(void)unused;
	if (!natives || !PyTuple_Check(natives)) {
		PyErr_SetString(PyExc_TypeError, "natives are a tuple");
		return -1;
	}
	for (at = 0; at < PyTuple_Size(natives); at++)
		if ((PyObject *)Py_TYPE(PyTuple_GetItem(natives, at)) != native_type) {
			PyErr_SetString(PyExc_TypeError, "a native is a Native");
			return -1;
		}
	((struct dispatcher *)self)->natives = Py_NewRef(natives);
	Py_DECREF(old);
	return 0;
}

static PyObject *takes(PyObject *self, PyObject *arguments)
{
	struct dispatcher *d = (struct dispatcher *)self;
	PyObject *function, *names;
	Py_ssize_t positional, positional_only;

	if (!PyArg_ParseTuple(arguments, "OO!nn:_takes", &function, &PyTuple_Type, &names,
			      &positional, &positional_only))
		return NULL;
	Py_INCREF(function);
	Py_INCREF(names);
	Py_XDECREF(d->function);
	Py_XDECREF(d->names);
	d->function = function;
	d->names = names;
	d->positional = positional;
	d->positional_only = positional_only;
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"_try", try_arguments, METH_O,
	 "_try($self, arguments, /)\n--\n\n"
	 "The result for a tuple of all arguments, in a tuple; None if no native takes them."},
	{"_takes", takes, METH_VARARGS,
	 "_takes($self, function, names, positional, positional_only, /)\n--\n\n"
	 "Tells the names of all parameters, and how many of them are passed by position."},
	{NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
	{"_natives", get_natives, set_natives, "What is asked in turn.", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_new, dispatcher_new},
	{Py_tp_dealloc, dispatcher_dealloc},
	{Py_tp_traverse, dispatcher_traverse},
	{Py_tp_clear, dispatcher_clear},
	{Py_tp_call, dispatcher_call},
	{Py_tp_descr_get, dispatcher_get},
	{Py_tp_methods, methods},
	{Py_tp_getset, attributes},
	{0, NULL},
};

PyType_Spec dispatcher_spec = {
	.name = "carrychain.bindings.call._call.Dispatcher",
	.basicsize = sizeof(struct dispatcher),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
		 Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
