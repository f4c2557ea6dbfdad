"""C source and headers in the form that Linux wants: its types, its allocator, its style.

The statements are those for every compiler. Here they get the kernel's names for types, lose the braces
around single statements, and are wrapped, as checkpatch.pl --strict asks.
"""

from __future__ import annotations

import re
from textwrap import wrap

WIDTH = 100
TAB = 8

INCLUDES = {
    "linux/math64.h": r"\bdiv64_",
    "linux/mm.h": r"\bmalloc\(",
    "linux/slab.h": r"\b(malloc|free)\(",
    "linux/string.h": r"\bmem(set|move|cpy)\(",
}

TYPES_INCLUDED = "#include <linux/types.h>\n"

TYPES = {
    **{f"uint{bits}_t": f"u{bits}" for bits in (8, 16, 32, 64)},
    **{f"int{bits}_t": f"s{bits}" for bits in (8, 16, 32, 64)},
    "INT64_MIN": "S64_MIN",
    "free": "kvfree",
    "_Alignas(max_align_t) unsigned char elements[]": "u64 elements[]",
}
# strings and comments stay as they are
MALLOC = re.compile(r"\bmalloc\((.*)\);")
TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|/\*.*?\*/|(U?)INT64_C\(([^()]*)\)|'
    + "|".join(rf"\b{re.escape(name)}(?!\w)" if name[0] != "_" else re.escape(name) for name in TYPES)
)
TRAILING = re.compile(r"(.*;) (/\* .* \*/)")
# after these there may be a break
OPERATOR = re.compile(r"\S.*(?:,|[-+*/%&|^<>=?:]|&&|\|\|)$")
PIECES = re.compile(r'"(?:\\.|[^"\\])*"|/\*.*?\*/|.')


def includes(text: str) -> str:
    """What declares the functions that the source calls."""
    lines = [f"#include <{name}>\n" for name, called in INCLUDES.items() if re.search(called, text)]
    return "".join([*lines, "\n"] if lines else [])


def styled(text: str) -> str:
    """The same C as the kernel writes it."""
    lines = [MALLOC.sub(r"kvmalloc(\1, GFP_KERNEL);", line) for line in text.split("\n")]
    lines = [TOKEN.sub(_renamed, line) for line in lines]
    return "\n".join(each for line in _unbraced(lines) for each in _wrapped(line))


def _renamed(found: re.Match) -> str:
    if found[2] is not None:
        return f"{found[2]}{found[1]}LL"
    return TYPES.get(found[0], found[0])


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip("\t"))


def _unbraced(lines: list[str]) -> list[str]:
    """Without braces around one line; all arms of an if have them, or none has."""
    found = list(lines)
    # the innermost first, since what loses its braces is still more than one line
    for at in range(len(lines)):
        if not re.match(r"\t+(?:if|while|for) \(.*\) \{$", lines[at]):
            continue
        arms, end = [at], at
        while True:
            end = _closing(lines, end)
            if not lines[end].strip().startswith("} else"):
                break
            arms.append(end)
        ends = [*arms[1:], end]
        if lines[end].strip() != "}" or any(
            b - a != 2 or lines[a + 1].lstrip().startswith("/*") for a, b in zip(arms, ends, strict=True)
        ):
            continue
        for each in arms:
            found[each] = found[each].removesuffix(" {").replace("} else", "else")
        found[end] = None
    return [line for line in found if line is not None]


def _closing(lines: list[str], at: int) -> int:
    """The line of the brace that closes what this line opens."""
    depth = _depth(lines[at])
    return next(
        each
        for each in range(at + 1, len(lines))
        if _depth(lines[each]) == depth and lines[each].lstrip().startswith("}")
    )


def _wide(line: str) -> bool:
    return len(line.expandtabs(TAB)) > WIDTH


def _wrapped(line: str) -> list[str]:
    if not _wide(line):
        return [line]
    tabs = "\t" * _depth(line)
    if trailing := TRAILING.fullmatch(line):
        return [*_wrapped(tabs + trailing[2]), *_wrapped(trailing[1])]
    if line.startswith((" *", "#")):
        return [line]
    if line.strip().startswith("/*"):
        room = WIDTH - TAB * len(tabs) - 3
        words = line.strip().removeprefix("/*").removesuffix("*/")
        return [f"{tabs}/*", *(f"{tabs} * {each}" for each in wrap(words, room)), f"{tabs} */"]
    lines, opened = [], []
    while _wide(line) and (place := _break(line, opened)):
        at, opened = place
        lines.append(line[:at].rstrip())
        line = _indent(opened[-1] if opened else TAB * (len(tabs) + 1)) + line[at:].lstrip()
    return [*lines, line]


def _indent(column: int) -> str:
    return "\t" * (column // TAB) + " " * (column % TAB)


def _break(line: str, before: list[int]) -> tuple[int, list[int]] | None:
    """Where to break the line: after what binds least, as late as fits; and the columns after what is open
    there. `before`: those of the lines before."""
    opened, best, column = list(before), None, 0
    for piece in PIECES.finditer(line):
        text = piece[0]
        column = column + TAB - column % TAB if text == "\t" else column + len(text)
        if text in "([{":
            opened.append(column)
        elif text in ")]}" and opened:
            opened.pop()
        elif text == " " and OPERATOR.search(line[: piece.start()]) and column <= WIDTH + 1:
            rank = -len(opened), column
            if best is None or rank > best[0]:
                best = rank, (piece.end(), [*opened])
    return best and best[1]
