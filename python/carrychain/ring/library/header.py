"""The C header of built functions."""

from __future__ import annotations

from textwrap import wrap

from ... import __version__
from ..explain.telling import power
from ..ir.form import Array, Bool, Int
from . import kernel
from .interface import CODES, SHARED, CFunction, CParameter, CResult, elements

WIDTH = 100

TOP = """/*
{head}
 *
 * Each function returns CC_OK, or one of the codes below if a check of the program fails.  Then
 * @failure, unless it is NULL, says where, and no result has been stored.  What the function stored
 * in its arrays until then stays stored.  The functions have no state.  They may be called from
 * several threads, and from {handlers}{malloc}.
 *
 * An array is a pointer and a number of elements; with 0 elements the pointer may be NULL.  Arrays
 * that overlap must have elements of one type.  A result that is an array is copied into the
 * caller's room, which may be an argument's: *result_length is the room in elements before the
 * call, and the number of elements after it.  If the room is too small, the code is CC_ENOSPC, and
 * *result_length what is needed.
 */
#ifndef {guard}
#define {guard}

{includes}
#ifndef CARRYCHAIN_BUILT
#define CARRYCHAIN_BUILT

{codes}

/* The check that failed: its place in the source, and what it says. */
struct cc_failure {{
\tuint32_t line;
\tuint32_t column;
\tconst char *file;
\tconst char *message;
}};

#endif /* CARRYCHAIN_BUILT */
"""


INCLUDES = """#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
"""


def header(
    stem: str,
    prefix: str,
    file: str,
    functions: list[CFunction],
    library: str,
    mallocs: bool,
    licence: str,
    linux: bool = False,
) -> str:
    """The header of functions of the file, whose names begin with the prefix, linked as `library` says."""
    guard = f"{prefix}{stem}_H".upper()
    head = commented(f"Functions of {file}, compiled by Carrychain {__version__}. {library}")
    malloc = f", except for what calls {'kvmalloc' if linux else 'malloc'}" if mallocs else ""
    text = TOP.format(
        head=head,
        guard=guard,
        codes=_codes(),
        malloc=malloc,
        handlers="interrupts" if linux else "signal handlers",
        includes=kernel.TYPES_INCLUDED if linux else INCLUDES,
    )
    declared = (_declared(each, None if linux else WIDTH) for each in functions)
    text = "\n".join([text, *declared, *([] if linux else [END]), f"#endif /* {guard} */\n"])
    text = f"/* {licence} */\n" * bool(licence) + text
    return kernel.styled(text) if linux else text


END = """#ifdef __cplusplus
}
#endif
"""


def commented(text: str) -> str:
    return "\n".join(wrap(text, WIDTH - 4, initial_indent=" * ", subsequent_indent=" * "))


def _codes() -> str:
    def row(name: str) -> str:
        value, what = CODES[name]
        return f"\t{name} = {value},{f' /* {what} */' if what else ''}"

    own = [name for name in CODES if name not in SHARED]
    return "\n".join(
        [
            "/* carrychain/word.h has the same: where both are included, include it first. */",
            "#ifndef CARRYCHAIN_WORD_H",
            "enum {",
            *map(row, SHARED),
            "};",
            "#endif",
            "enum {",
            *map(row, own),
            "};",
        ]
    )


def _declared(function: CFunction, width: int | None) -> str:
    position = function.position
    notes = [each for taken in function.takes for each in _taken(taken)]
    notes += [each for given in function.gives for each in _given(given)]
    codes = f"Fails with {_listed(list(function.codes))}." if function.codes else "Never fails."
    lines = [f" * {function.written}, line {position.line}. {codes}"]
    lines += [commented(f"@{note}") for note in notes]
    return "\n".join(["/*", *lines, " */", declaration(function, width) + ";", ""])


def _listed(words: list[str]) -> str:
    return " or ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])


def declaration(function: CFunction, width: int | None = WIDTH) -> str:
    """In lines of this width, or in one."""
    head, params = f"int {function.name}(", function.prototype()
    lines, line = [], head
    for at, param in enumerate(params):
        piece = param + (")" if at == len(params) - 1 else ",")
        if width and len(line) + 1 + len(piece) > width and line != head:
            lines.append(line.rstrip())
            line = " " * 8
        line += piece + " "
    return "\n".join([*lines, line.rstrip()])


def _taken(taken: CParameter) -> list[str]:
    name, type_ = taken.name, taken.type
    match type_:
        case Bool():
            return []
        case Array(element):
            kept = "stored to" if taken.written else ""
            narrow = f"elements from {_range(element)}" if elements(type_)[2] != (None, None) else ""
            return [f"{name}: {', '.join(filter(None, (kept, narrow)))}"] if kept or narrow else []
    if not taken.whole:
        return [f"{name}: any integer, of which only the {taken.bits} low bits matter"]
    halves = f"{name}_low, {name}_high" if taken.bits == 128 else name
    return [f"{halves}: from {_range(type_)}"] if taken.bounds != (None, None) else []


def _given(given: CResult) -> list[str]:
    match given.type:
        case Bool():
            return []
        case Array():
            return [] if given.counted else [f"{given.name}: {given.length} elements"]
    if given.passed.container == 128:
        kind = ", in two's complement" if given.passed.negative else ""
        return [f"{given.name}: 128 bits, the low word first{kind}"]
    return []


def _range(type_: Int) -> str:
    return f"{power(type_.low)} to {power(type_.high)}"
