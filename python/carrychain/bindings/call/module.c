// SPDX-License-Identifier: MIT
/* The extension module _call. */
#include "call.h"

/* prepare(call, release, from_bytes): the addresses of the runtime's functions. */
static PyObject *prepare(PyObject *module, PyObject *arguments)
{
	unsigned long long call, release, from_bytes;

	(void)module;
	if (!PyArg_ParseTuple(arguments, "KKK:prepare", &call, &release, &from_bytes))
		return NULL;
	*(void **)&runtime.call = (void *)(uintptr_t)call;
	*(void **)&runtime.release = (void *)(uintptr_t)release;
	*(void **)&runtime.from_bytes = (void *)(uintptr_t)from_bytes;
	Py_RETURN_NONE;
}

static PyObject *set_main_thread(PyObject *module, PyObject *ident)
{
	(void)module;
	main_thread = PyLong_AsUnsignedLong(ident);
	return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
	{"prepare", prepare, METH_VARARGS,
	 "prepare(call, release, from_bytes, /)\n--\n\n"
	 "Tells where the runtime's functions are, before any call."},
	{"set_main_thread", set_main_thread, METH_O,
	 "set_main_thread(ident, /)\n--\n\nTells which thread runs the handlers of signals."},
	{"give_columns", give_columns, METH_VARARGS,
	 "give_columns(address, length, lanes, node, /)\n--\n\n"
	 "So many arrays of this length: first there are the first items of all, then the second."},
	{"bytes_places", bytes_places, METH_O,
	 "bytes_places(items, /)\n--\n\n"
	 "Of a tuple of bytes their addresses and their lengths, words as bytes; None of any "
	 "other."},
	{NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "_call",
	.m_size = -1,
	.m_methods = functions,
};

static int add(PyObject *module, const char *name, PyType_Spec *spec, PyObject **type)
{
	*type = PyType_FromSpec(spec);
	return *type && !PyModule_AddObjectRef(module, name, *type);
}

PyMODINIT_FUNC PyInit__call(void);

PyMODINIT_FUNC PyInit__call(void)
{
	PyObject *module = PyModule_Create(&definition), *types, *dispatcher_type, *held_type;

	if (!module)
		return NULL;
	types = PyImport_ImportModule("types");
	method_type = types ? PyObject_GetAttrString(types, "MethodType") : NULL;
	Py_XDECREF(types);
	if (!method_type || !integers_prepare() || !guards_prepare() || !dispatcher_prepare() ||
	    !add(module, "Native", &native_spec, &native_type) ||
	    !add(module, "Held", &held_spec, &held_type) ||
	    !add(module, "Dispatcher", &dispatcher_spec, &dispatcher_type)) {
		Py_DECREF(module);
		return NULL;
	}
	Py_DECREF(held_type);
	Py_DECREF(dispatcher_type);
	return module;
}
