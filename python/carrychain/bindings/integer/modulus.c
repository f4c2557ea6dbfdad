// SPDX-License-Identifier: MIT
/*
 * The base of carrychain.Modulus: a modulus with its context, and what it does with ints in a time
 * that lets the call be seen.  Whatever is rare, or long, is left to methods in Python.
 */
#include "integer.h"

#include <carrychain/montgomery.h>
#include <carrychain/natural.h>
#include <string.h>

struct modulus {
	PyObject_HEAD struct cc_fz_mont M; /* of an odd modulus */
	cc_word *m;			   /* NULL before _begin() */
	size_t n;
};

/* Pairs of words multiplied: above, some microseconds, the GIL is released; still above, a thread
 * is worth it. */
#define SHORT_WORK	4096
#define LONG_WORK_FIXED ((size_t)1 << 26)

/* Python's method of the same name, after an underscore. */
static PyObject *in_python(PyObject *self, const char *name, PyObject *const *arguments,
			   Py_ssize_t count, PyObject *names)
{
	PyObject *method = PyObject_GetAttrString(self, name), *result = NULL;
	PyObject *positional = PyTuple_New(count), *keywords = NULL;
	Py_ssize_t i, named = names ? PyTuple_Size(names) : 0;
	int failed = !method || !positional;

	for (i = 0; i < count && !failed; i++)
		failed = PyTuple_SetItem(positional, i, Py_NewRef(arguments[i]));
	if (named && !failed) {
		keywords = PyDict_New();
		failed = !keywords;
	}
	for (i = 0; i < named && !failed; i++)
		failed = PyDict_SetItem(keywords, PyTuple_GetItem(names, i), arguments[count + i]);
	if (!failed)
		result = PyObject_Call(method, positional, keywords);
	Py_XDECREF(method);
	Py_XDECREF(positional);
	Py_XDECREF(keywords);
	return result;
}

static PyObject *int_from_words(cc_word *w, size_t n)
{
	cc_bigint value = {w, n, n, 0};

	while (value.length && !w[value.length - 1])
		value.length--;
	return int_from_bigint(&value);
}

/* pow_public(b, e) */
static PyObject *pow_public(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
			    PyObject *names)
{
	const struct modulus *s = (const struct modulus *)self;
	cc_word b[CC_FZ_MAX + 1], e[CC_FZ_MAX + 1];
	PyThreadState *thread = NULL;
	size_t n = s->n, en, work;

	if (count != 2 || names || !int_reads(e, CC_FZ_MAX, &en, arguments[1]) ||
	    n * n * en >= LONG_WORK_FIXED / CC_WORD_BITS || !int_reads(b, n, NULL, arguments[0]))
		return in_python(self, "_pow_public", arguments, count, names);
	work = en ? n * n * (en * CC_WORD_BITS - (size_t)cc_word_clz(e[en - 1])) : 0;
	if (work > SHORT_WORK)
		thread = PyEval_SaveThread();
	if (s->M.n)
		cc_fz_mont_powmod_public(b, b, e, en, &s->M);
	else
		(void)cc_fz_powmod_public(b, b, e, en, s->m, n);
	if (thread)
		PyEval_RestoreThread(thread);
	return int_from_words(b, n);
}

/* Of most inverses on the stack: 20 words for each of the modulus. */
#define INVERT_WORDS 1024

/* inverse_public(a) */
static PyObject *inverse_public(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
				PyObject *names)
{
	const struct modulus *s = (const struct modulus *)self;
	cc_word a[CC_FZ_MAX + 1], r[CC_FZ_MAX], here[INVERT_WORDS], *scratch = here;
	PyThreadState *thread = NULL;
	size_t n = s->n, an, words;
	int exists;

	if (count != 1 || names || !int_reads(a, n, &an, arguments[0]))
		return in_python(self, "_inverse_public", arguments, count, names);
	words = cc_natural_invert_scratch(an, n);
	if (words > INVERT_WORDS) {
		scratch = PyMem_Malloc(words * sizeof(*scratch));
		if (!scratch)
			return PyErr_NoMemory();
	}
	if (n * n * CC_WORD_BITS > SHORT_WORK)
		thread = PyEval_SaveThread();
	exists = cc_natural_invert(r, a, an, s->m, n, scratch);
	if (thread)
		PyEval_RestoreThread(thread);
	if (scratch != here)
		PyMem_Free(scratch);
	if (exists)
		return int_from_words(r, n);
	PyErr_SetString(PyExc_ValueError, "base is not invertible for the given modulus");
	return NULL;
}

/* inverse(a): constant-time but for the conversions */
static PyObject *inverse(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
			 PyObject *names)
{
	const struct modulus *s = (const struct modulus *)self;
	cc_word a[CC_FZ_MAX + 1], exists = 0;
	PyThreadState *thread = NULL;
	PyObject *r = NULL;
	size_t n = s->n;

	if (count != 1 || names || !int_reads(a, n, NULL, arguments[0]))
		return in_python(self, "_inverse", arguments, count, names);
	if (n * n * CC_WORD_BITS > SHORT_WORK)
		thread = PyEval_SaveThread();
	if (cc_fz_inverse(a, &exists, a, s->m, n) != CC_OK)
		exists = 0;
	if (thread)
		PyEval_RestoreThread(thread);
	if (exists)
		r = int_from_words(a, n);
	else
		PyErr_SetString(PyExc_ValueError, "base is not invertible for the given modulus");
	cc_fz_wipe(a, n);
	return r;
}

/* _begin(m): the addresses of the context, 0 for an even modulus, and of the modulus */
static PyObject *begin(PyObject *self, PyObject *m)
{
	struct modulus *s = (struct modulus *)self;
	cc_word w[CC_FZ_MAX + 1];
	size_t n;

	if (s->m || !int_reads(w, CC_FZ_MAX, &n, m) || !n) {
		PyErr_SetString(PyExc_ValueError,
				"a Modulus begins once, with an int in its range");
		return NULL;
	}
	s->m = PyMem_Calloc(n + (w[0] & 1 ? CC_FZ_MONT_WORDS(n) : 0), sizeof(*w));
	if (!s->m)
		return PyErr_NoMemory();
	memcpy(s->m, w, n * sizeof(*w));
	s->n = n;
	if (w[0] & 1)
		(void)cc_fz_mont_init(&s->M, s->m + n, s->m, n);
	return Py_BuildValue("NN", PyLong_FromVoidPtr(s->M.n ? &s->M : NULL),
			     PyLong_FromVoidPtr(s->m));
}

static void dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);

	PyMem_Free(((struct modulus *)self)->m);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF((PyObject *)type);
}

#define WITH_KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef methods[] = {
	{"pow_public", WITH_KEYWORDS(pow_public), METH_FASTCALL | METH_KEYWORDS,
	 "pow_public($self, /, b, e)\n--\n\n"
	 "pow(b, e, m) for a public exponent, as in the verification of a signature.\n\n"
	 "The running time depends on the exponent's length and on which of its bits are zero."},
	{"inverse", WITH_KEYWORDS(inverse), METH_FASTCALL | METH_KEYWORDS,
	 "inverse($self, /, a)\n--\n\npow(a, -1, m); ValueError if there is no inverse."},
	{"inverse_public", WITH_KEYWORDS(inverse_public), METH_FASTCALL | METH_KEYWORDS,
	 "inverse_public($self, /, a)\n--\n\n"
	 "pow(a, -1, m) for public a and m; ValueError if there is no inverse.\n\n"
	 "Variable time, and several times as fast as inverse."},
	{"_begin", begin, METH_O, NULL},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_doc,
	 (void *)"A modulus with its context; carrychain.Modulus adds all that is rare."},
	{Py_tp_dealloc, dealloc},
	{Py_tp_methods, methods},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "carrychain.bindings.integer._integer.ModulusBase",
	.basicsize = sizeof(struct modulus),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};

PyObject *modulus_type(void)
{
	return PyType_FromSpec(&spec);
}
