"""A Python extension of built functions, as C source for the limited API.

Each function converts its arguments, calls the function of the header, and converts what that returns. A
buffer is lent, another sequence copied; what the function stores to a copy is then stored in the sequence.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from ..front.python.kinds import TRUTH, Buffer, List, PythonKind, Tuple
from ..ir.errors import SourceError
from ..ir.form import Array, Bool, Int, unsigned
from ..ir.interface import Null
from .extension_parts import PARTS
from .interface import CFunction, CParameter, CResult, c_name, elements, word_type

# A result of unknown length has this room at first, and four elements for each that the call is given. If
# that is too little, the call is made again.
ROOM = 256
CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}  # the array module's

TOP = """#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "{header}"

#include <string.h>

/* The program's exceptions, and those of Python that they are. */
static const struct {{
	const char *name, *base;
}} classes[] = {{
{classes}	{{NULL, NULL}},
}};

"""

END = """static PyMethodDef functions[] = {{
{rows}	{{NULL, NULL, 0, NULL}},
}};

static PyModuleDef_Slot slots[] = {{{{0, NULL}}}};

static struct PyModuleDef definition = {{
	.m_base = PyModuleDef_HEAD_INIT,
	.m_name = "{module}",
	.m_methods = functions,
	.m_slots = slots,
}};

PyMODINIT_FUNC PyInit_{module}(void)
{{
	return PyModuleDef_Init(&definition);
}}
"""


def in_python(function: CFunction) -> CFunction:
    """The function with names that Python can have; those of Lisp become as in C."""
    params = tuple(replace(each, name=_python_name(each.name)) for each in function.params)
    return replace(function, written=_python_name(function.written), params=params)


def _python_name(name: str) -> str:
    return name if name.isidentifier() else c_name(name)


def extension(module: str, header: str, functions: list[CFunction]) -> str:
    """The source of the module; the functions are those of the header, named by `in_python`.

    SourceError if one returns what an extension cannot.
    """
    rows = "".join(
        f'\t{{"{each.written}", (PyCFunction)(void *)py_{each.name}, METH_FASTCALL | METH_KEYWORDS,\n'
        f'\t "{_signature(each)}\\n--\\n\\nLine {each.position.line} of the source."}},\n'
        for each in functions
    )
    raises = dict(pair for function in functions for pair in function.raises)
    classes = "".join(f'\t{{"{name}", "{base}"}},\n' for name, base in raises.items())
    bodies = [_Wrapper(each).emit() for each in functions]
    head = TOP.format(header=header, classes=classes)
    return "".join([head, PARTS, *bodies, END.format(rows=rows, module=module)])


def _signature(function: CFunction) -> str:
    params = (
        each.name if each.default is None else f"{each.name}={each.default}" for each in function.params
    )
    text = f"{function.written}({', '.join(['$module', *params])})"
    return text.replace("\\", "\\\\").replace('"', '\\"')


class _Wrapper:
    def __init__(self, function: CFunction):
        self.function = function
        self.lines: list[str] = []
        self.declared = ["\tstruct cc_failure failure;", "\tint code;"]
        self.arrays: list[CParameter] = []
        self.texts: list[bool] = []
        self.takes = iter(function.takes)
        self.args: list[str] = []

    def emit(self) -> str:
        function, count = self.function, len(self.function.params)
        for at, param in enumerate(function.params):
            if param.default is not None:
                made = _made(ast.literal_eval(param.default))
                self.lines.append(f"\tif (!given[{at}] && !(given[{at}] = {made}))\n\t\tgoto done;")
            self.take(f"given[{at}]", param.kind, f'(struct place){{"{function.written}", "{param.name}"}}')
        writes = any(taken.written for taken in self.arrays)
        if len(self.arrays) > 1 and writes:
            self.or_done(f'apart(arrays, {len(self.arrays)}, "{function.written}")')
        self.call(writes)
        if writes:
            self.or_done(f"put_back(arrays, {len(self.arrays)})")
        self.lines.append("\tif (code) {\n\t\tfailed(code, &failure);\n\t\tgoto done;\n\t}")
        self.lines.append(f"\tresult = {self.given(function.value, iter(enumerate(function.gives)))};")
        names = ", ".join(f'"{each.name}"' for each in function.params) or "NULL"
        defaults = ", ".join(str(each.default is not None).lower() for each in function.params) or "false"
        rooms = [at for at, each in enumerate(function.gives) if isinstance(each.type, Array)]
        arrays = ", ".join(map(_array, self.arrays, self.texts))
        return "\n".join(
            [
                f"static PyObject *py_{function.name}(PyObject *module, PyObject *const *args,",
                "\t\t\t\t Py_ssize_t count, PyObject *names)",
                "{",
                f"\tstatic const char *const params[] = {{{names}}};",
                f"\tstatic const bool has_default[] = {{{defaults}}};",
                f"\tPyObject *given[{max(count, 1)}] = {{NULL}}, *result = NULL;",
                f"\tstruct array arrays[{max(len(self.arrays), 1)}] = {{{arrays or '{.size = 1}'}}};",
                *self.declared,
                "",
                "\t(void)module;",
                f'\tif (!arranged("{function.written}", params, has_default, {count}, args, count, names,',
                "\t\t\t      given))\n\t\tgoto done;",
                *self.lines,
                "done:",
                *(f"\tPyMem_Free(r{at});" for at in rooms),
                f"\tleave(given, {count}, arrays, {len(self.arrays)});",
                "\treturn result;",
                "}\n\n",
            ]
        )

    def or_done(self, condition: str) -> None:
        self.lines.append(f"\tif (!{condition})\n\t\tgoto done;")

    # arguments ---------------------------------------------------------------------------------------

    def take(self, object_: str, kind: PythonKind | Array, place: str) -> None:
        """Converts an object, and adds the arguments that it becomes."""
        match kind:
            case Null():
                self.or_done(f"take_none({object_}, {place})")
            case Tuple(items):
                is_list = str(kind.maker == "list").lower()
                self.or_done(f"take_items({object_}, {is_list}, {len(items)}, {place})")
                for at, item in enumerate(items):
                    self.take(f"item_of({object_}, {at})", item, place)
            case Array() | Buffer() | List():
                at = f"arrays[{len(self.arrays)}]"
                self.arrays.append(next(self.takes))
                self.texts.append(isinstance(kind, Array) and kind.text)
                self.or_done(f"take_array({object_}, {place}, &{at})")
                self.args += [f"{at}.data", f"{at}.length"]
            case _:
                self.scalar(object_, next(self.takes), place)

    def scalar(self, object_: str, taken: CParameter, place: str) -> None:
        x = f"a{len(self.args)}"
        if isinstance(taken.type, Bool):
            self.declared.append(f"\tbool {x};")
            self.or_done(f"take_bool({object_}, {place}, &{x})")
            self.args.append(x)
            return
        signed = str(taken.signed).lower()
        if taken.bits == 128:
            self.declared.append(f"\tuint64_t {x}[2];")
            whole = str(taken.whole).lower()
            self.or_done(f"take_wide({object_}, {whole}, {signed}, {place}, {x})")
            self.args += [f"{x}[0]", f"({word_type(64, taken.signed)}){x}[1]"]
        else:
            self.declared.append(f"\tuint64_t {x};")
            how = f"take_word({object_}, {taken.bits}, {signed}, {place}, &{x})"
            self.or_done(how if taken.whole else f"take_low({object_}, &{x})")
            self.args.append(f"({word_type(taken.bits, taken.signed)}){x}")

    # the call ------------------------------------------------------------------------------------------

    def call(self, writes: bool) -> None:
        args, counted = [*self.args], []
        for at, given in enumerate(self.function.gives):
            r = f"r{at}"
            match given.type:
                case Bool():
                    self.declared.append(f"\tbool {r};")
                    args.append(f"&{r}")
                case Array():
                    self.declared.append(f"\tvoid *{r} = NULL;")
                    size = elements(given.type)[0] // 8
                    if given.counted:
                        counted.append((r, size))
                        lengths = [f"4 * arrays[{k}].length" for k in range(len(self.arrays))]
                        self.declared.append(f"\tsize_t {r}_length;")
                        self.lines.append(f"\t{r}_length = {' + '.join([str(ROOM), *lengths])};")
                    self.room(r, size, f"{r}_length" if given.counted else str(given.length))
                    args += [r, *([f"&{r}_length"] if given.counted else [])]
                case _ if given.passed.container == 128:
                    self.declared.append(f"\tuint64_t {r}[2];")
                    args.append(r)
                case _:
                    kind = word_type(given.passed.container, given.passed.negative)
                    self.declared.append(f"\t{kind} {r};")
                    args.append(f"&{r}")
        if counted and writes:
            self.or_done(f"save(arrays, {len(self.arrays)})")
        call = f"code = {self.function.name}({', '.join([*args, '&failure'])});"
        self.lines.append(f"\t{call}")
        if counted:
            self.lines.append("\tif (code == CC_ENOSPC) {")
            outer, self.lines = self.lines, []
            for r, size in counted:
                self.lines.append(f"\tPyMem_Free({r});")
                self.room(r, size, f"{r}_length")
            if writes:
                self.lines.append(f"\trestore(arrays, {len(self.arrays)});")
            self.lines.append(f"\t{call}")
            self.lines = [*outer, *(f"\t{line}".replace("\n", "\n\t") for line in self.lines), "\t}"]

    def room(self, r: str, size: int, length: str) -> None:
        self.lines.append(f"\t{r} = PyMem_Calloc({length} + 1, {size});")
        self.lines.append(f"\tif (!{r}) {{\n\t\tPyErr_NoMemory();\n\t\tgoto done;\n\t}}")

    # results ---------------------------------------------------------------------------------------------

    def given(self, kind: PythonKind | Array, gives) -> str:
        """The object for a value of the kind."""
        match kind:
            case Null():
                return "Py_NewRef(Py_None)"
            case Tuple(items):
                parts = [self.given(item, gives) for item in items]
                pair = "[]" if kind.maker == "list" else "()"
                return f"Py_BuildValue({', '.join([_quoted('N' * len(parts), pair), *parts])})"
            case Bool():
                return f"PyBool_FromLong(r{next(gives)[0]})"
            case Int():
                at, given = next(gives)
                signed = str(given.passed.negative).lower()
                if given.passed.container == 128:
                    return f"give_wide(r{at}, {signed})"
                return f"give_word((uint64_t)r{at}, {signed})"
            case Array() | Buffer() | List():
                at, given = next(gives)
                if found := self.items(kind, f"r{at}", given):
                    return found
        raise SourceError(f"{self.function.written} returns {kind}, which an extension cannot return")

    def items(self, kind: Array | Buffer | List, r: str, given: CResult) -> str:
        """The object for an array, or "" if there is none."""
        bits, signed, _ = elements(given.type)
        what = f"{r}, {f'{r}_length' if given.counted else given.length}"
        truth = str(getattr(kind, "element", None) == TRUTH and isinstance(kind, List)).lower()
        listed = f"give_list({what}, {bits // 8}, {str(signed).lower()}, {truth})"
        match kind:
            case Array(text=True):
                return f"give_text({what})" if bits == 32 else ""
            case Array():
                return f"give_bytes({what})" if kind.element == unsigned(8) else listed
            case List():
                return f"give_tuple({listed})" if kind.maker == "tuple" else listed
            case Buffer("bytes" | "bytearray"):
                return f"give_{kind.maker}({what})"
            case Buffer("array"):
                code = CODES[bits].lower() if signed else CODES[bits]
                return f'give_array("{code}", {what}, {bits // 8})'
        return ""


def _quoted(text: str, pair: str) -> str:
    return f'"{pair[0]}{text}{pair[1]}"'


def _array(taken: CParameter, text: bool) -> str:
    bits, signed, _ = elements(taken.type)
    flags = {"is_signed": signed, "text": text, "written": taken.written}
    return f"{{.size = {bits // 8}{''.join(f', .{name} = true' for name, on in flags.items() if on)}}}"


def _made(value: int | bytes) -> str:
    """The object of a default."""
    match value:
        case bool():
            return f"PyBool_FromLong({int(value)})"
        case int():
            return f'PyLong_FromString("{value}", NULL, 10)'
    octal = "".join(f"\\{byte:03o}" for byte in value)
    return f'PyBytes_FromStringAndSize("{octal}", {len(value)})'
