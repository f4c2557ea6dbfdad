"""What every extension has: how Python's objects become C's arguments, and C's results objects."""

PARTS = r"""/* The function and the parameter that an object is given for. */
struct place {
	const char *function, *param;
};

static bool refuse(PyObject *error, struct place at, const char *what)
{
	PyErr_Format(error, "%s: %s %s", at.function, at.param, what);
	return false;
}

/* The integer's word, if a word of so many bits holds it. */
static inline bool take_word(PyObject *object, int bits, bool is_signed, struct place at, uint64_t *word)
{
	PyObject *number = PyNumber_Index(object);
	bool fits;

	if (!number)
		return false;
	if (is_signed) {
		int beyond;
		long long x = PyLong_AsLongLongAndOverflow(number, &beyond);
		long long most = (long long)(UINT64_MAX >> (65 - bits));

		fits = !beyond && x >= -most - 1 && x <= most;
		*word = (uint64_t)x;
	} else {
		*word = PyLong_AsUnsignedLongLong(number);
		fits = *word <= UINT64_MAX >> (64 - bits) && !(*word == UINT64_MAX && PyErr_Occurred());
		PyErr_Clear();
	}
	Py_DECREF(number);
	if (!fits)
		PyErr_Format(PyExc_OverflowError, "%s: %s is not of type %s%d", at.function, at.param,
				is_signed ? "i" : "u", bits);
	return fits;
}

/* The integer's 64 low bits. */
static inline bool take_low(PyObject *object, uint64_t *word)
{
	*word = PyLong_AsUnsignedLongLongMask(object);
	return !(*word == UINT64_MAX && PyErr_Occurred());
}

/* Both words of an integer of 128 bits, or of any integer's 128 low bits. */
static inline bool take_wide(PyObject *object, bool whole, bool is_signed, struct place at, uint64_t words[2])
{
	PyObject *number = PyNumber_Index(object), *count = PyLong_FromLong(64), *upper = NULL;
	bool taken;

	if (number && count)
		upper = PyNumber_Rshift(number, count);
	taken = upper && take_low(number, &words[0]) &&
		(whole ? take_word(upper, 64, is_signed, at, &words[1]) : take_low(upper, &words[1]));
	if (upper && !taken && PyErr_ExceptionMatches(PyExc_OverflowError))
		PyErr_Format(PyExc_OverflowError, "%s: %s is not of type %s128", at.function, at.param,
				is_signed ? "i" : "u");
	Py_XDECREF(number);
	Py_XDECREF(count);
	Py_XDECREF(upper);
	return taken;
}

static inline bool take_bool(PyObject *object, struct place at, bool *value)
{
	*value = object == Py_True;
	return object == Py_True || object == Py_False || refuse(PyExc_TypeError, at, "must be a bool");
}

static inline bool take_none(PyObject *object, struct place at)
{
	return object == Py_None || refuse(PyExc_TypeError, at, "must be None");
}

/* An item of a tuple or a list, borrowed. */
static inline PyObject *item_of(PyObject *object, Py_ssize_t at)
{
	return PyTuple_Check(object) ? PyTuple_GetItem(object, at) : PyList_GetItem(object, at);
}

static inline bool take_items(PyObject *object, bool list, Py_ssize_t count, struct place at)
{
	if (list ? PyList_Check(object) && PyList_Size(object) == count
			: PyTuple_Check(object) && PyTuple_Size(object) == count)
		return true;
	PyErr_Format(PyExc_TypeError, "%s: %s must be a %s of %zd items", at.function, at.param,
			list ? "list" : "tuple", count);
	return false;
}

#define STORED "is stored to: it must be a list or a buffer that can be written"

/* An array argument: a buffer's memory, or a copy of a sequence's items. */
struct array {
	size_t size;
	bool is_signed, text, written;
	PyObject *object;
	Py_buffer view;
	void *data, *copy, *saved;
	size_t length;
};

/* Whether a buffer's items are integers, signed or not. */
static inline bool has_integers(const char *format, bool is_signed)
{
	if (!format)
		return !is_signed;
	format += *format == '@' || *format == '=' || *format == '<';
	return *format && !format[1] && strchr(is_signed ? "bhilqn" : "BHILQN?c", *format);
}

/* Lends the buffer, if its items are of the array's type; `lent` says whether. */
static inline bool lend(PyObject *object, struct array *array, struct place at, bool *lent)
{
	int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (array->written ? PyBUF_WRITABLE : 0);
	Py_buffer *view = &array->view;

	if (PyObject_GetBuffer(object, view, flags)) {
		if (!array->written)
			return false;
		PyErr_Clear();
		return refuse(PyExc_TypeError, at, STORED);
	}
	*lent = view->ndim == 1 && (size_t)view->itemsize == array->size &&
		has_integers(view->format, array->is_signed) && (uintptr_t)view->buf % array->size == 0;
	if (!*lent) {
		PyBuffer_Release(view);
		return true;
	}
	array->data = view->buf;
	array->length = (size_t)view->len / array->size;
	return true;
}

/* Copies the items; the machines that are built for are little-endian. */
static inline bool copy_items(PyObject *object, struct array *array, struct place at)
{
	Py_ssize_t i, length = PySequence_Size(object);
	Py_UCS4 *text = NULL;
	bool taken = true;

	if (length < 0)
		return false;
	array->copy = PyMem_Calloc((size_t)length + 1, array->size);
	if (PyUnicode_Check(object))
		text = PyUnicode_AsUCS4Copy(object);
	if (!array->copy || (PyUnicode_Check(object) && !text)) {
		PyMem_Free(text);
		PyErr_NoMemory();
		return false;
	}
	array->data = array->copy;
	array->length = (size_t)length;
	for (i = 0; i < length && taken; i++) {
		uint64_t word;

		if (text) {
			word = text[i];
			taken = array->size == 4 || word >> 8 * array->size == 0 ||
				refuse(PyExc_OverflowError, at, "has another character");
		} else {
			PyObject *item = PySequence_GetItem(object, i);

			taken = item && take_word(item, 8 * (int)array->size, array->is_signed, at, &word);
			Py_XDECREF(item);
		}
		if (taken)
			memcpy((char *)array->copy + (size_t)i * array->size, &word, array->size);
	}
	PyMem_Free(text);
	return taken;
}

static inline bool take_array(PyObject *object, struct place at, struct array *array)
{
	const bool octets = array->size == 1 && !array->is_signed;
	const char *wanted = octets ? "must be bytes" : "must be an array of integers";
	bool lent = false;

	array->object = object;
	if (PyUnicode_Check(object) ? !array->text || array->written : array->written && PyTuple_Check(object))
		return refuse(PyExc_TypeError, at, array->written ? STORED : wanted);
	if (PyObject_CheckBuffer(object) && !lend(object, array, at, &lent))
		return false;
	if (lent)
		return true;
	if (!PySequence_Check(object))
		return refuse(PyExc_TypeError, at, wanted);
	return copy_items(object, array, at);
}

/* Arrays that share memory must be lent, and of one type, if one of them is stored to. */
static inline bool apart(const struct array *arrays, size_t count, const char *function)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < i; j++) {
			const struct array *a = &arrays[i], *b = &arrays[j];
			const char *x = a->data, *y = b->data;
			bool overlap = x < y + b->length * b->size && y < x + a->length * a->size;
			bool copied = a->copy || b->copy;

			if (!a->written && !b->written)
				continue;
			if (copied ? a->object == b->object : overlap && a->size != b->size) {
				PyErr_Format(PyExc_ValueError, "%s: an array that is stored to shares memory "
						"with another argument: pass a copy", function);
				return false;
			}
		}
	return true;
}

/* Keeps what a call may store to, for a second call in place of the first. */
static inline bool save(struct array *arrays, size_t count)
{
	for (; count--; arrays++)
		if (arrays->written && arrays->length) {
			arrays->saved = PyMem_Malloc(arrays->length * arrays->size);
			if (!arrays->saved) {
				PyErr_NoMemory();
				return false;
			}
			memcpy(arrays->saved, arrays->data, arrays->length * arrays->size);
		}
	return true;
}

static inline void restore(struct array *arrays, size_t count)
{
	for (; count--; arrays++)
		if (arrays->saved)
			memcpy(arrays->data, arrays->saved, arrays->length * arrays->size);
}

static inline PyObject *give_word(uint64_t word, bool is_signed)
{
	return is_signed ? PyLong_FromLongLong((long long)word) : PyLong_FromUnsignedLongLong(word);
}

static inline PyObject *give_wide(const uint64_t words[2], bool is_signed)
{
	PyObject *low = give_word(words[0], false), *high = give_word(words[1], is_signed);
	PyObject *count = PyLong_FromLong(64), *upper = NULL, *whole = NULL;

	if (low && high && count)
		upper = PyNumber_Lshift(high, count);
	if (upper)
		whole = PyNumber_Or(upper, low);
	Py_XDECREF(low);
	Py_XDECREF(high);
	Py_XDECREF(count);
	Py_XDECREF(upper);
	return whole;
}

static inline PyObject *give_item(const void *data, size_t at, size_t size, bool is_signed, bool truth)
{
	uint64_t word = 0;
	int unused = 64 - 8 * (int)size;

	memcpy(&word, (const char *)data + at * size, size);
	if (truth)
		return PyBool_FromLong((long)word);
	return give_word(is_signed ? (uint64_t)((int64_t)(word << unused) >> unused) : word, is_signed);
}

static inline PyObject *give_list(const void *data, size_t length, size_t size, bool is_signed, bool truth)
{
	PyObject *list = PyList_New((Py_ssize_t)length);
	size_t i;

	for (i = 0; list && i < length; i++) {
		PyObject *item = give_item(data, i, size, is_signed, truth);

		if (!item || PyList_SetItem(list, (Py_ssize_t)i, item))
			Py_CLEAR(list);
	}
	return list;
}

static inline PyObject *give_tuple(PyObject *list)
{
	PyObject *tuple = list ? PyList_AsTuple(list) : NULL;

	Py_XDECREF(list);
	return tuple;
}

static inline PyObject *give_bytes(const void *data, size_t length)
{
	return PyBytes_FromStringAndSize(data, (Py_ssize_t)length);
}

static inline PyObject *give_bytearray(const void *data, size_t length)
{
	return PyByteArray_FromStringAndSize(data, (Py_ssize_t)length);
}

static inline PyObject *give_array(const char *code, const void *data, size_t length, size_t size)
{
	PyObject *module = PyImport_ImportModule("array"), *array = NULL;

	if (module)
		array = PyObject_CallMethod(module, "array", "sy#", code, data, (Py_ssize_t)(length * size));
	Py_XDECREF(module);
	return array;
}

/* Of UTF-32 in this machine's order. */
static inline PyObject *give_text(const void *data, size_t length)
{
	int order = -1;

	return PyUnicode_DecodeUTF32(data, (Py_ssize_t)(4 * length), "surrogatepass", &order);
}

/* Gives the sequences that were copied what was stored, and returns what was borrowed. */
static inline bool put_back(const struct array *arrays, size_t count)
{
	size_t i;

	for (; count--; arrays++)
		for (i = 0; arrays->written && arrays->copy && i < arrays->length; i++) {
			PyObject *item = give_item(arrays->copy, i, arrays->size, arrays->is_signed, false);
			PyObject *at = PyLong_FromSize_t(i);
			int put = item && at ? PyObject_SetItem(arrays->object, at, item) : -1;

			Py_XDECREF(at);
			Py_XDECREF(item);
			if (put)
				return false;
		}
	return true;
}

static inline void leave(PyObject **given, size_t number, struct array *arrays, size_t count)
{
	for (; count--; arrays++) {
		if (arrays->view.obj)
			PyBuffer_Release(&arrays->view);
		PyMem_Free(arrays->copy);
		PyMem_Free(arrays->saved);
	}
	while (number--)
		Py_XDECREF(given[number]);
}

/* The objects for the parameters, which are then owned: NULL for one that has a default and is not given. */
static inline bool arranged(const char *function, const char *const *params, const bool *has_default,
				Py_ssize_t number, PyObject *const *args, Py_ssize_t count, PyObject *names,
				PyObject **given)
{
	Py_ssize_t i, k, named = names ? PyTuple_Size(names) : 0;

	if (count > number) {
		PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments, not %zd", function, number, count);
		return false;
	}
	for (i = 0; i < count; i++)
		given[i] = Py_NewRef(args[i]);
	for (k = 0; k < named; k++) {
		PyObject *name = PyTuple_GetItem(names, k);

		for (i = 0; i < number && PyUnicode_CompareWithASCIIString(name, params[i]); i++)
			;
		if (i == number || given[i]) {
			PyErr_Format(PyExc_TypeError, i == number ? "%s() has no parameter '%U'"
									: "%s() got two values for '%U'", function, name);
			return false;
		}
		given[i] = Py_NewRef(args[count + k]);
	}
	for (i = 0; i < number; i++)
		if (!given[i] && !has_default[i]) {
			PyErr_Format(PyExc_TypeError, "%s() needs a value for '%s'", function, params[i]);
			return false;
		}
	return true;
}

static inline PyObject *builtin(const char *name)
{
	return PyDict_GetItemString(PyEval_GetBuiltins(), name);
}

/* Raises the exception of the program's check that failed, with its line. */
static inline void failed(int code, const struct cc_failure *failure)
{
	PyObject *type = code == CC_EINDEX ? PyExc_IndexError : code == CC_EZERODIVIDE ? PyExc_ZeroDivisionError
			: code == CC_ERANGE ? PyExc_OverflowError : code == CC_ENOMEM ? PyExc_MemoryError
							: PyExc_RuntimeError;
	const char *message = failure->message;
	size_t i, length;

	for (i = 0; classes[i].name; i++) {
		length = strlen(classes[i].name);
		if (strncmp(message, classes[i].name, length) ||
			(message[length] && strncmp(message + length, ": ", 2)))
			continue;
		type = builtin(classes[i].base);
		if (!strcmp(classes[i].name, classes[i].base))
			message += length + (message[length] ? 2 : 0);
		break;
	}
	PyErr_Format(type, "%s%s(%s:%u)", message, *message ? " " : "", failure->file, failure->line);
}

"""
