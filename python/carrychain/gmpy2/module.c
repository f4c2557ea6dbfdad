// SPDX-License-Identifier: MIT
/* The module of mpz, mpq and the functions in C. */
#include "gmpy2.h"

#include <string.h>

static PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "_gmpy2",
	.m_size = -1,
};

PyMODINIT_FUNC PyInit__gmpy2(void);

PyMODINIT_FUNC PyInit__gmpy2(void)
{
	PyObject *module = PyModule_Create(&definition), *mpz, *mpq;

	if (!module)
		return NULL;
	mpz = PyType_FromSpec(&mpz_spec);
	mpq = PyType_FromSpec(&mpq_spec);
	if (!mpz || !mpq || !ints_prepare() || PyModule_AddObjectRef(module, "mpz", mpz) ||
	    PyModule_AddObjectRef(module, "mpq", mpq) || PyModule_AddFunctions(module, functions) ||
	    PyModule_AddFunctions(module, mpmath_functions)) {
		Py_XDECREF(mpz);
		Py_XDECREF(mpq);
		Py_DECREF(module);
		return NULL;
	}
	integer_type = (PyTypeObject *)mpz;
	mpq_type = (PyTypeObject *)mpq;
	/* an interpreter that was started anew has its own type */
	memset(integers_kept, 0, sizeof(integers_kept));
	return module;
}
