"""Text to data: the Lisp reader, which records positions.

How a form is read may depend on the forms before it (`#.`, the program's own readtable). So each form is read
after those before it were processed; for that, the reader uses `Evaluation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from ....bindings.bigint import from_decimal
from ...ir.errors import SourceError
from ...ir.form import Position
from .data import NIL, Character, Cons, Symbol, T, Vector, items, listed, symbol

FEATURES = {":CARRYCHAIN", ":COMMON-LISP"}

SPACE = re.compile(r"(?:\s+|;[^\n]*)*")
TOKEN = re.compile(r"""(?:[^\s()"'`,;\\|]|\\.|\|[^|]*\|)+""", re.DOTALL)
SPLICE = re.compile(r"\s*,[@.]")
INTEGER = re.compile(r"[+-]?\d+\.?")
RATIO = re.compile(r"[+-]?\d+/\d+")
FLOAT = re.compile(r"[+-]?(?:\d*\.\d+(?:[esfdl][+-]?\d+)?|\d+(?:\.\d*)?[esfdl][+-]?\d+)", re.IGNORECASE)
PIECE = re.compile(r"\\(.)|\|([^|]*)\||([^\\|]+)", re.DOTALL)

CHARACTERS = {
    "space": 32, "newline": 10, "linefeed": 10, "tab": 9, "return": 13, "page": 12,
    "null": 0, "nul": 0, "backspace": 8, "rubout": 127, "delete": 127, "escape": 27,
}  # fmt: skip

# The greatest nesting of a form: more would exhaust the compiler's stack.
DEPTH_MAX = 400


@dataclass(eq=False)
class Readtable:
    """The reader macros of a program: functions by character, after # or alone."""

    after_sharp: dict[str, object] = field(default_factory=dict)
    alone: dict[str, object] = field(default_factory=dict)


class Evaluation(Protocol):
    """What the reader needs of the evaluator."""

    def evaluated(self, form, position: Position):
        """The value of a form after #. ."""

    def readtable(self) -> Readtable: ...

    def read_by(self, function, arguments: list, position: Position):
        """A reader macro's value, or None if it yields nothing."""


class _Label:
    """A placeholder for #1# while #1= is being read."""


class Reader:
    def __init__(self, text: str, file: str, evaluation: Evaluation | None = None):
        self.text = text
        self.file = file
        self.evaluation = evaluation
        self.suppressed = 0  # the depth within forms that #+ or #- omit
        self.labels: dict[int, object] = {}
        self.at = 0
        self.depth = 0
        self.backquotes = 0
        self._line, self._line_at = 1, 0

    def position(self, at: int | None = None) -> Position:
        """The position of the next text, or of an earlier offset."""
        at = self.at if at is None else at
        if at < self._line_at:
            line = self.text.count("\n", 0, at) + 1
            return Position(self.file, line, at - self.text.rfind("\n", 0, at))
        self._line += self.text.count("\n", self._line_at, at)
        self._line_at = at
        return Position(self.file, self._line, at - self.text.rfind("\n", 0, at))

    def error(self, message: str, at: int | None = None) -> SourceError:
        return SourceError(message, self.position(at))

    def forms(self) -> Iterator:
        """The top-level forms, each with its position."""
        while self.skip():
            position = self.position()
            if self.text[self.at] == ")":
                raise self.error("an extra closing parenthesis")
            self.labels = {}
            for form in self.maybe():
                yield form, position

    def skip(self) -> bool:
        """Skips to the next form; False at the end."""
        while True:
            self.at = SPACE.match(self.text, self.at).end()
            if not self.text.startswith("#|", self.at):
                return self.at < len(self.text)
            start, depth = self.at, 0
            for match in re.compile(r"#\||\|#").finditer(self.text, self.at):
                depth += 1 if match[0] == "#|" else -1
                if not depth:
                    self.at = match.end()
                    break
            if depth:
                raise self.error("a #| comment does not end", start)

    def maybe(self) -> list:
        """One form, or none if #+ or #- omits it."""
        if self.text.startswith(("#+", "#-"), self.at):
            wanted = self.text[self.at + 1] == "+"
            self.at += 2
            if self._feature(self.read()) == wanted:
                return [self.read()]
            self.suppressed += 1
            self.read()
            self.suppressed -= 1
            return []
        function = self._macro()
        if function is not None:
            found = self._by(function, [Character(ord(self.text[self.at]))], 1)
            return [] if found is None else [found]
        return [self.form()]

    def _macro(self):
        """The program's own reader macro for the next character."""
        if self.evaluation is None:
            return None
        return self.evaluation.readtable().alone.get(self.text[self.at])

    def _by(self, function, arguments: list, width: int):
        """Reads by a reader macro of the program."""
        start = self.position()
        self.at += width
        if self.suppressed:
            return self.read()
        found = self.evaluation.read_by(function, [self, *arguments], start)
        if isinstance(found, Cons) and found.position is None:
            found.position = start
        return found

    def _feature(self, form) -> bool:
        if isinstance(form, Cons):
            operator, *rest = form
            parts = [self._feature(part) for part in rest]
            match getattr(operator, "name", "").lstrip(":"):
                case "AND":
                    return all(parts)
                case "OR":
                    return any(parts)
                case "NOT":
                    return not parts[0] if parts else False
        return isinstance(form, Symbol) and ":" + form.name.lstrip(":") in FEATURES

    def read(self):
        """The next form; there must be one."""
        while True:
            start = self.at
            if not self.skip():
                raise self.error("the text ends where a form should be", min(start, len(self.text)))
            for form in self.maybe():
                return form

    def form(self):
        if self.depth > DEPTH_MAX:
            raise self.error("nested too deeply")
        self.depth += 1
        try:
            return self._form()
        finally:
            self.depth -= 1

    def _form(self):
        character = self.text[self.at]
        start = self.at
        match character:
            case "(":
                self.at += 1
                return self._list(start)
            case ")":
                raise self.error("an unmatched closing parenthesis")
            case '"':
                return self._string()
            case "'":
                return self._prefixed("QUOTE", 1)
            case "`":
                if SPLICE.match(self.text, start + 1):
                    raise self.error(",@ inserts into a list, and there is none around it", start + 1)
                return self._backquoted("QUASIQUOTE", 1, 1)
            case ",":
                if not self.backquotes:
                    raise self.error("a comma outside a backquote")
                # ,. may modify what it inserts, but need not
                spliced = self.text.startswith((",@", ",."), start)
                return self._backquoted("SPLICE" if spliced else "UNQUOTE", 2 if spliced else 1, -1)
            case "#":
                return self._sharp()
        return self._atom()

    def _prefixed(self, name: str, width: int) -> Cons:
        position = self.position()
        self.at += width
        self.skip()
        at = self.position()
        return Cons(symbol(name), Cons(self.read(), NIL, at=at), position, position)

    def _backquoted(self, name: str, width: int, deeper: int) -> Cons:
        self.backquotes += deeper
        form = self._prefixed(name, width)
        self.backquotes -= deeper
        return form

    def _list(self, start: int):
        """A list, after its opening parenthesis, up to the closing one."""
        begin = self.position(start)
        cells: list[tuple[object, Position]] = []
        end: object = NIL
        while True:
            if not self.skip():
                raise self.error("this parenthesis is not closed", start)
            if self.text[self.at] == ")":
                self.at += 1
                break
            if cells and re.compile(r"\.(?=[\s()])").match(self.text, self.at):
                self.at += 1
                if self.backquotes and SPLICE.match(self.text, self.at):
                    raise self.error(",@ after a dot: a list is inserted before one")
                end = self.read()
                if not self.skip() or self.text[self.at] != ")":
                    raise self.error("after a dot there is one form, and then the closing parenthesis")
                self.at += 1
                break
            at = self.position()
            cells += [(form, at) for form in self.maybe()]
        for index in range(len(cells) - 1, -1, -1):
            form, at = cells[index]
            end = Cons(form, end, None if index else begin, at)
        return end

    def until(self, end: str):
        """A list, up to a character."""
        found = []
        while True:
            if not self.skip():
                raise self.error("the text ends within a list")
            if self.text[self.at] == end:
                self.at += 1
                return listed(*found)
            found += self.maybe()

    def _string(self) -> str:
        start = self.at
        match = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL).match(self.text, start)
        if not match:
            raise self.error("this string does not end", start)
        self.at = match.end()
        return re.sub(r"\\(.)", r"\1", match[1], flags=re.DOTALL)

    def _sharp(self):
        start = self.at
        number, following = re.compile(r"#(\d*)(.?)", re.DOTALL).match(self.text, start).groups()
        argument = int(number) if number else None
        width = 2 + len(number)
        if self.evaluation is not None:
            function = self.evaluation.readtable().after_sharp.get(following.upper())
            if function is not None:
                argument = NIL if argument is None else argument
                found = self._by(function, [Character(ord(following)), argument], width)
                return NIL if found is None else found
        if following == ".":
            return self._evaluated(width)
        if following in "=#" and following and argument is not None:
            return self._labelled(argument, following, width)
        if following in "aA" and following and argument is not None:
            return self._array(argument, width)
        if following == "*":
            return self._bits(argument, width)
        if following == "(" and argument is not None:
            return self._filled(argument, width)
        following = self.text[start + 1 : start + 2]
        if following == "'":
            return self._prefixed("FUNCTION", 2)
        if following == "\\":
            match = re.compile(r"#\\(?:[^\s()\"'`,;]+|.)", re.DOTALL).match(self.text, start)
            if not match:
                raise self.error("a character is missing")
            self.at = match.end()
            name = match[0][2:]
            if len(name) == 1 or self.suppressed:
                return Character(ord(name[0]))
            if name.lower() not in CHARACTERS:
                raise self.error(f"no character is named {name}", start)
            return Character(CHARACTERS[name.lower()])
        if following == "(":
            self.at += 2
            return Vector([] if (form := self._list(start)) is NIL else list(form))
        if following == ":":
            self.at += 2
            return self._atom()
        radix = re.compile(r"#(?:(x|o|b)|(\d+)r)", re.IGNORECASE).match(self.text, start)
        if radix:
            base = {"x": 16, "o": 8, "b": 2}[radix[1].lower()] if radix[1] else int(radix[2])
            self.at = radix.end()
            match = TOKEN.match(self.text, self.at)
            digits = match[0] if match else ""
            try:
                if not 2 <= base <= 36 or "_" in digits:
                    raise ValueError
                value = int(digits, base)
            except ValueError:
                raise self.error(f"{radix[0]}{digits} is not an integer", start) from None
            self.at = match.end()
            return value
        dispatch = self.text[start + width - 1 : start + width]
        if self.suppressed and dispatch not in ("", ")") and not dispatch.isspace():
            self.at += width
            return self.read()
        raise self.error(f"#{following} is not supported")

    def _evaluated(self, width: int):
        """#.form: its value, in its place."""
        start = self.position()
        self.at += width
        form = self.read()
        if self.suppressed:
            return NIL
        if self.evaluation is None:
            raise self.error("#. needs a program to evaluate in")
        found = self.evaluation.evaluated(form, start)
        if isinstance(found, Cons) and found.position is None:
            found.position = start
        return found

    def _labelled(self, number: int, following: str, width: int):
        """#1=form and #1#, the same form again: within itself, too."""
        if following == "#":
            if number not in self.labels:
                raise self.error(f"#{number}# has no #{number}= before it")
            self.at += width
            return self.labels[number]
        self.at += width
        label = self.labels[number] = _Label()
        form = self.read()
        if form is label:
            raise self.error(f"#{number}= is followed by itself")
        self.labels[number] = form
        _tied(form, label, form)
        return form

    def _array(self, rank: int, width: int):
        """#2A((1 2) (3 4)): an array, in row-major order."""
        start = self.at
        self.at += width
        level = [self.read()]
        if self.suppressed:
            return NIL
        dimensions = []
        for _ in range(rank):
            rows = [_elements(each) for each in level]
            if None in rows or len({len(row) for row in rows}) > 1:
                raise self.error(f"this is not an array of {rank} dimensions", start)
            dimensions.append(len(rows[0]) if rows else 0)
            level = [each for row in rows for each in row]
        return Vector(level, T, None if rank == 1 else tuple(dimensions))

    def _bits(self, count: int | None, width: int):
        """#*0110: a vector of bits; the last is repeated up to the count."""
        digits = re.compile(r"[01]*").match(self.text, self.at + width)[0]
        if count is not None and (len(digits) > count or (count and not digits)):
            raise self.error(f"#{count}* is followed by {len(digits)} bits")
        self.at += width + len(digits)
        bits = [int(digit) for digit in digits]
        bits += bits[-1:] * ((count or 0) - len(bits))
        return Vector(bits, symbol("BIT"))

    def _filled(self, count: int, width: int):
        """#4(1 2): a vector of 4 elements, the last one repeated."""
        start = self.at
        self.at += width
        found = items(self._list(start))
        if self.suppressed:
            return NIL
        if len(found) > count or (count and not found):
            raise self.error(f"#{count}( is followed by {len(found)} elements", start)
        return Vector(found + found[-1:] * (count - len(found)))

    def _float(self, token: str, start: int) -> float:
        """A float, for macros; only doubles, because other formats round differently."""
        if "d" not in token.lower():
            what = "there are no floating-point numbers here but doubles (1.0d0), in what macros compute"
            raise self.error(f"{token}: {what}", start)
        return float(token.lower().replace("d", "e"))

    def _atom(self):
        start = self.at
        match = TOKEN.match(self.text, start)
        if not match:
            raise self.error(f"unreadable: {self.text[start : start + 10]!r}")
        self.at = match.end()
        token = match[0]
        if INTEGER.fullmatch(token):
            return from_decimal(token.rstrip("."))
        if RATIO.fullmatch(token):
            numerator, denominator = (from_decimal(part) for part in token.split("/"))
            if not denominator:
                raise self.error("division by zero", start)
            return rational(Fraction(numerator, denominator))
        if FLOAT.fullmatch(token):
            if self.suppressed:
                return NIL
            return self._float(token, start)
        name = "".join(escaped or barred or plain.upper() for escaped, barred, plain in PIECE.findall(token))
        if name.startswith(":"):
            return symbol(name)
        # all packages are one, because a program is compiled whole
        return symbol(name.rpartition(":")[2] or name)


def rational(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _elements(form) -> list | None:
    if isinstance(form, Vector):
        return form.elements if form.dimensions is None else None
    if isinstance(form, str):
        return [Character(ord(each)) for each in form]
    return items(form) if isinstance(form, Cons) or form is NIL else None


def _tied(form, label: _Label, whole) -> None:
    """Replaces the label in the form by the whole."""
    todo, seen = [form], set()
    while todo:
        each = todo.pop()
        while isinstance(each, Cons) and id(each) not in seen:
            seen.add(id(each))
            if each.car is label:
                each.car = whole
            if each.cdr is label:
                each.cdr = whole
            todo.append(each.car)
            each = each.cdr
        if isinstance(each, Vector) and id(each) not in seen:
            seen.add(id(each))
            each.elements[:] = [whole if part is label else part for part in each.elements]
            todo += each.elements


def read_all(text: str, file: str) -> list[tuple[object, Position]]:
    """The top-level forms of the text and where each begins."""
    return list(Reader(text, file).forms())
