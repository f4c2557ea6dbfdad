// SPDX-License-Identifier: MIT
/* What is called: the type that ring/jit/ inherits from, and its module. */
#include "jit.h"

struct dispatcher {
	PyObject_HEAD PyObject *versions; /* a tuple, in the order in which they are asked */
	int by_name; /* some arguments are passed by name alone, or in a tuple */
};

PyObject *version_type, *method_type;

static PyObject *dispatcher_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
	struct dispatcher *d = (struct dispatcher *)PyType_GenericAlloc(type, 0);

	(void)arguments, (void)keywords;
	if (d)
		d->versions = PyTuple_New(0);
	if (d && !d->versions)
		Py_CLEAR(d);
	return (PyObject *)d;
}

static int dispatcher_traverse(PyObject *self, visitproc visit, void *arg)
{
	Py_VISIT(Py_TYPE(self));
	Py_VISIT(((struct dispatcher *)self)->versions);
	return 0;
}

static int dispatcher_clear(PyObject *self)
{
	Py_CLEAR(((struct dispatcher *)self)->versions);
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

/* Another thread may set others meanwhile. */
static enum taken try(PyObject *self, PyObject *arguments, PyObject **result)
{
	PyObject *versions = Py_NewRef(((struct dispatcher *)self)->versions);
	Py_ssize_t at, count = PyTuple_Size(versions);
	enum taken taken = OTHER;

	for (at = 0; at < count && taken == OTHER; at++)
		taken = version_call(PyTuple_GetItem(versions, at), arguments, result);
	Py_DECREF(versions);
	return taken;
}

/*
 * What no version takes, Python answers: a number and an object.  0: the result; 1: an exception,
 * raised here, so that no frame of ours is in its traceback; 2: what is called instead.
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

static PyObject *dispatcher_call(PyObject *self, PyObject *arguments, PyObject *keywords)
{
	PyObject *result = NULL;

	if (((struct dispatcher *)self)->by_name || (keywords && PyDict_Size(keywords)))
		return unusual(self, arguments, keywords);
	if (try(self, arguments, &result) == OTHER)
		return unusual(self, arguments, NULL);
	return result;
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

static PyObject *get_versions(PyObject *self, void *unused)
{
	(void)unused;
	return Py_NewRef(((struct dispatcher *)self)->versions);
}

static int set_versions(PyObject *self, PyObject *versions, void *unused)
{
	PyObject *old = ((struct dispatcher *)self)->versions;
	Py_ssize_t at;

	(void)unused;
	if (!versions || !PyTuple_Check(versions)) {
		PyErr_SetString(PyExc_TypeError, "versions are a tuple");
		return -1;
	}
	for (at = 0; at < PyTuple_Size(versions); at++)
		if ((PyObject *)Py_TYPE(PyTuple_GetItem(versions, at)) != version_type) {
			PyErr_SetString(PyExc_TypeError, "a version is a Version");
			return -1;
		}
	((struct dispatcher *)self)->versions = Py_NewRef(versions);
	Py_DECREF(old);
	return 0;
}

static PyObject *get_by_name(PyObject *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(((struct dispatcher *)self)->by_name);
}

static int set_by_name(PyObject *self, PyObject *by_name, void *unused)
{
	(void)unused;
	((struct dispatcher *)self)->by_name = by_name == Py_True;
	return 0;
}

static PyMethodDef methods[] = {
	{"_try", try_arguments, METH_O,
	 "_try($self, arguments, /)\n--\n\n"
	 "The result for a tuple of all arguments, in a tuple; None if no version takes them."},
	{NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
	{"_versions", get_versions, set_versions, "What is asked in turn.", NULL},
	{"_by_name", get_by_name, set_by_name, "Whether arguments are not all passed by position.",
	 NULL},
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
	.name = "carrychain.bindings.jit._jit.Dispatcher",
	.basicsize = sizeof(struct dispatcher),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
		 Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
