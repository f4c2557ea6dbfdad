"""Built functions as portable C17, which anyone can read, and any compiler takes.

It is made of the same machine IR as the object, in another way, and gives the same answers.
"""

from __future__ import annotations

from ... import __version__
from ..ir.form import Array, Bool, Position
from ..lower.module import LoweredModule
from ..machine.form import Site, literal
from . import kernel
from .expressions import c_type, constant, helper, signed_type
from .header import WIDTH, commented, declaration
from .interface import LENGTH_MAX, NO_ROOM, CFunction, CParameter, CResult, c_name, elements, told
from .statements import FunctionSource, SourceNames
from .subjects import Exported

TOP = """/*
{head}
 */
#include "{header}"

{includes}"""

INCLUDES = """#include <stdlib.h>
#include <string.h>

"""

WIDE = """__extension__ typedef unsigned __int128 cc_u128;
__extension__ typedef __int128 cc_i128;

"""

ARRAYS = """/* An array that a call made, followed by its elements, with the number of its owners. */
struct cc_made {
\tsize_t owners;
\t_Alignas(max_align_t) unsigned char elements[];
};

/* An array; `made` is NULL if its memory is the caller's, a function's frame, or constant. */
struct cc_array {
\tvoid *data;
\tuint64_t length;
\tstruct cc_made *made;
};

#define CC_AT(type, array) ((type *)(array).data)
#define CC_TABLE(table, count) ((struct cc_array){(void *)(uintptr_t)(table), (count), NULL})

"""

RELEASE = """static inline void cc_release(struct cc_made *made)
{
\tif (made && !--made->owners)
\t\tfree(made);
}

"""

# What some functions call, in this order.
OWNING = {
    "cc_retain": """static inline void cc_retain(struct cc_made *made)
{
\tif (made)
\t\tmade->owners++;
}

""",
    "cc_put": """/* The slot owns this array in place of the one it had. */
static inline void cc_put(struct cc_made **slot, struct cc_made *made)
{
\tstruct cc_made *old = *slot;

\t*slot = made;
\tcc_release(old);
}

""",
}

NEW = """/* An array of this many elements; false if there is no memory. */
static inline bool cc_new{bits}(struct cc_array *array, uint64_t length, {given}, struct cc_made **slot)
{{
\tstruct cc_made *made;
\tuint64_t i;

\tif (length > (SIZE_MAX - sizeof(*made)) / sizeof({type}) / 2)
\t\treturn false;
\tmade = malloc(sizeof(*made) + (size_t)length * sizeof({type}));
\tif (!made)
\t\treturn false;
\tmade->owners = 1;
\t*array = (struct cc_array){{made->elements, length, made}};
\tfor (i = 0; i < length; i++)
\t\tCC_AT({type}, *array)[i] = ({type})({fill});
\tcc_put(slot, made);
\treturn true;
}}
"""

FAILED = """/* What each failed check tells the caller, by its number. */
static const struct {
\tint code;
\tstruct cc_failure failure;
} cc_failures[] = {
\t{0, {0, 0, "", ""}},
%s
};

static int cc_failed(unsigned int number, struct cc_failure *failure)
{
\tif (failure)
\t\t*failure = cc_failures[number].failure;
\treturn cc_failures[number].code;
}

"""


def source(header: str, file: str, built: list[Exported], licence: str, linux: bool) -> str:
    """The C source of the functions of the file, whose licence is this; `linux`: as a kernel has it."""
    parts, helpers, failures, tables = [], set(), [], []
    taken: set[str] = set()
    for each in built:
        module = _ModuleSource(each, failures, tables, taken, linux)
        parts += module.emit()
        helpers |= module.helpers
    text = "\n".join(parts)
    head = commented(f"Functions of {file}, compiled by Carrychain {__version__} to C17")
    found = [WIDE] if "cc_u128" in text or "cc_i128" in text else []
    news = sorted(name for name in helpers if name.startswith("new"))
    made = "".join(f"{_new(int(name.removeprefix('new')))}\n" for name in news)
    owning = [each for name, each in OWNING.items() if f"{name}(" in text or f"{name}(" in made]
    found += [ARRAYS] if made or "cc_array" in text else []
    found += [RELEASE] if "cc_release(" in "".join([text, made, *owning]) else []
    found += [*owning, made]
    found += [f"{helper(name, linux)}\n" for name in sorted(helpers - {*news})]
    found += [FAILED % "\n".join(failures)] if failures else []
    text = "".join([*found, *(f"{table}\n" for table in tables), text])
    includes = kernel.includes(text) if linux else INCLUDES
    tag = f"// {licence}\n" * bool(licence)
    text = tag + TOP.format(head=head, header=header, includes=includes) + text
    return kernel.styled(text) if linux else text


def _new(bits: int) -> str:
    given = "uint64_t low, uint64_t high" if bits == 128 else "uint64_t fill"
    fill = "(cc_u128)high << 64 | low" if bits == 128 else "fill"
    return NEW.format(bits=bits, type=c_type(bits), given=given, fill=fill)


class _ModuleSource:
    def __init__(
        self, exported: Exported, failures: list[str], tables: list[str], taken: set[str], linux: bool
    ):
        self.linux = linux
        self.exported, self.failures, self.tables = exported, failures, tables
        self.lowered: LoweredModule = exported.lowered
        self.taken = taken
        self.sites: dict[Site, int] = {}
        self.helpers: set[str] = set()
        entries = {function.compiled: function.name for function in exported.functions}
        self.taken |= set(entries.values())
        self.bodies = {
            name: self._fresh(f"{entries.get(name) or c_name(name)}_body")
            for name in exported.words.functions
        }
        self.names = {name: self._fresh(f"{c_name(name)}_table") for name in exported.words.arrays}
        self.lengths = {name: len(array.contents) for name, array in exported.words.arrays.items()}

    def _fresh(self, base: str) -> str:
        name, at = base, 2
        while name in self.taken:
            name, at = f"{base}_{at}", at + 1
        self.taken.add(name)
        return name

    def site(self, site: Site) -> int:
        if site not in self.sites:
            what = told(site, self.exported.raised)
            texts = ", ".join(f'"{_escaped(text)}"' for text in (what.file, what.message))
            self.failures.append(f"\t{{{what.code}, {{{what.line}, {what.column}, {texts}}}}},")
            self.sites[site] = len(self.failures)
        return self.sites[site]

    def note(self, site: Site) -> str:
        what = told(site, self.exported.raised)
        return _comment(f"line {what.line}: {what.message}")

    def quoted(self, position: Position) -> str:
        return _comment(f"{position.line}: {self.exported.line(position)}")

    def emit(self) -> list[str]:
        for name, array in self.exported.words.arrays.items():
            texts = [constant(literal(x, array.type), array.type) for x in array.contents] or ["0"]
            rows = _rows(texts)
            self.tables.append(f"static const {c_type(array.type)} {self.names[name]}[] = {{\n{rows}\n}};\n")
        bodies = []
        for name, function in self.exported.words.functions.items():
            one = FunctionSource(
                function, self.bodies[name], SourceNames(self.lowered, self.exported.ir.functions[name]),
                self.site, self.note, self.bodies.__getitem__,
                lambda name: (self.names[name], self.lengths[name]), self.quoted, self.taken, self.linux,
            )  # fmt: skip
            bodies.append(one.emit())
            self.helpers |= one.expressions.helpers
        return [*bodies, *map(self._entry, self.exported.functions)]

    # entries -------------------------------------------------------------------------------------------

    def _entry(self, function: CFunction) -> str:
        lines: list[str] = []
        args = [self._argument(each, function, lines) for each in function.takes]
        arrays = [each.name for each in function.takes if isinstance(each.type, Array)]
        declared = [
            f"\tstruct cc_array {name}_array = {{(void *)(uintptr_t){name}, {name}_length, NULL}};"
            for name in arrays
        ]
        given = []
        for result in function.gives:
            name = f"{result.name}_made" if isinstance(result.type, Array) else f"{result.name}_word"
            type_ = "struct cc_array" if isinstance(result.type, Array) else c_type(result.passed.word)
            none = "{NULL, 0, NULL}" if isinstance(result.type, Array) else "0"
            declared.append(f"\t{type_} {name} = {none};")
            given.append(name)
        call = f"{self.bodies[function.compiled]}({', '.join([*args, *(f'&{name}' for name in given)])})"
        if function.codes:
            declared.append("\tunsigned int number;")
            lines += [
                f"\tnumber = {call};",
                "\tif (number != 0) {",
                "\t\treturn cc_failed(number, failure);",
                "\t}",
            ]
        else:
            lines += ["\t(void)failure;", f"\t(void){call};"]
        self._results(function, given, lines)
        if any(
            isinstance(each.type, Array) and elements(each.type)[2] != (None, None) for each in function.takes
        ):
            declared.append("\tuint64_t i;")
        head = declaration(function, None if self.linux else WIDTH)
        return "\n".join([head, "{", *declared, "", *lines, "\treturn CC_OK;", "}", ""])

    def _argument(self, taken: CParameter, function: CFunction, lines: list[str]) -> str:
        name = taken.name

        def refuse(condition: str, depth: int = 1) -> None:
            tabs, number = "\t" * depth, self.site(taken.site(function.position))
            lines.extend(
                [f"{tabs}if ({condition}) {{", f"{tabs}\treturn cc_failed({number}, failure);", f"{tabs}}}"]
            )

        def beyond(x: str, bits: int, signed: bool, bounds: tuple, depth: int = 1) -> None:
            for sign, bound in zip("<>", bounds, strict=True):
                if bound is not None:
                    refuse(f"{x} {sign} {constant(bound, bits, signed)}", depth)

        match taken.type:
            case Bool():
                return name
            case Array():
                refuse(f"{name}_array.length > UINT64_C({LENGTH_MAX:#x})")
                bits, signed, bounds = elements(taken.type)
                if bounds != (None, None):
                    lines.append(f"\tfor (i = 0; i < {name}_length; i++) {{")
                    beyond(f"{name}[i]", bits, signed, bounds, 2)
                    lines.append("\t}")
                return f"{name}_array"
        bits, container = taken.bits, taken.passed.container
        if bits == 128:
            whole = f"((cc_u128)(uint64_t){name}_high << 64 | {name}_low)"
            name = f"((cc_i128){whole})" if taken.signed else whole
        beyond(name, bits, taken.signed, taken.bounds)
        if taken.signed and container > bits:
            return f"({c_type(container)})({signed_type(container)}){name}"
        return f"({c_type(container)}){name}"

    def _results(self, function: CFunction, given: list[str], lines: list[str]) -> None:
        pairs = list(zip(function.gives, given, strict=True))
        arrays = [(result, name) for result, name in pairs if isinstance(result.type, Array)]
        counted = [(result, name) for result, name in arrays if result.counted]
        if counted:
            lacks = [f"*{result.name}_length < {name}.length" for result, name in counted]
            lines.append(f"\tnumber = {' || '.join(lacks)};")
            lines += [f"\t*{result.name}_length = (size_t){name}.length;" for result, name in counted]
            number = self.site(Site(NO_ROOM, str(function.position)))
            lines.append("\tif (number != 0) {")
            lines += [f"\t\tcc_release({name}.made);" for _, name in arrays]
            lines += [f"\t\treturn cc_failed({number}, failure);", "\t}"]
        for result, name in arrays:
            size = elements(result.type)[0] // 8
            lines.append(f"\tif ({name}.length != 0) {{")
            lines.append(f"\t\tmemmove({result.name}, {name}.data, (size_t){name}.length * {size});")
            lines.append("\t}")
        lines += [f"\tcc_release({name}.made);" for _, name in arrays]
        for result, name in pairs:
            lines += self._stored(result, name)

    def _stored(self, result: CResult, name: str) -> list[str]:
        match result.type:
            case Array():
                return []
            case Bool():
                return [f"\t*{result.name} = {name};"]
        bits = result.passed.container
        if bits == 128:
            return [
                f"\t{result.name}[0] = (uint64_t){name};",
                f"\t{result.name}[1] = (uint64_t)({name} >> 64);",
            ]
        cast = f"({signed_type(bits)})" if result.passed.negative else ""
        return [f"\t*{result.name} = {cast}{name};"]


def _rows(texts: list[str]) -> str:
    lines, line = [], "\t"
    for text in texts:
        if len(line) + len(text) > 92:
            lines.append(line.rstrip())
            line = "\t"
        line += f"{text}, "
    return "\n".join([*lines, line.rstrip()])


def _escaped(text: str) -> str:
    found = ""
    for byte in text.encode():
        shown = chr(byte)
        found += shown if 32 <= byte < 127 and shown not in '"\\?' else f"\\{byte:03o}"
    return found


def _comment(text: str) -> str:
    return text.replace("*/", "* /").replace("/*", "/ *")
