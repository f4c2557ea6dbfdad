"""Text to data: the Lisp reader, which notes where everything stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ...bindings.bigint import from_decimal
from ..errors import SourceError
from ..ir import Position
from .data import NIL, Character, Cons, Symbol, Vector, symbol

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

# Nested deeper than this, a form would run the compiler out of stack.
DEPTH_MAX = 400


class Reader:
    def __init__(self, text: str, file: str):
        self.text = text
        self.file = file
        self.at = 0
        self.depth = 0
        self.backquotes = 0
        self._line, self._line_at = 1, 0

    def position(self, at: int | None = None) -> Position:
        """Of what is about to be read, or of an earlier offset."""
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
                raise self.error("a closing parenthesis too many")
            for form in self.maybe():
                yield form, position

    def skip(self) -> bool:
        """To the next thing to read; False at the end."""
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
                raise self.error("a comment that #| begins does not end", start)

    def maybe(self) -> list:
        """One form, or none where #+ or #- left it out."""
        if self.text.startswith(("#+", "#-"), self.at):
            wanted = self.text[self.at + 1] == "+"
            self.at += 2
            if self._feature(self.read()) == wanted:
                return [self.read()]
            self.read()
            return []
        return [self.form()]

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
                raise self.error("a closing parenthesis with nothing before it")
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
                    raise self.error("a comma with no backquote before it")
                # ,. may destroy what it inserts, and need not
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
        """What follows an opening parenthesis, to the closing one."""
        begin = self.position(start)
        cells: list[tuple[object, Position]] = []
        end: object = NIL
        while True:
            if not self.skip():
                raise self.error("this parenthesis is never closed", start)
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

    def _string(self) -> str:
        start = self.at
        match = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL).match(self.text, start)
        if not match:
            raise self.error("this string does not end", start)
        self.at = match.end()
        return re.sub(r"\\(.)", r"\1", match[1], flags=re.DOTALL)

    def _sharp(self):
        start = self.at
        following = self.text[start + 1 : start + 2]
        if following == "'":
            return self._prefixed("FUNCTION", 2)
        if following == "\\":
            match = re.compile(r"#\\(?:[^\s()\"'`,;]+|.)", re.DOTALL).match(self.text, start)
            if not match:
                raise self.error("a character is missing")
            self.at = match.end()
            name = match[0][2:]
            if len(name) == 1:
                return Character(ord(name))
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
                raise self.error(f"{radix[0]}{digits} is no integer", start) from None
            self.at = match.end()
            return value
        raise self.error(f"#{following} is not supported")

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
            raise self.error(f"{token}: there are no floating-point numbers here, only integers", start)
        name = "".join(escaped or barred or plain.upper() for escaped, barred, plain in PIECE.findall(token))
        if name.startswith(":"):
            return symbol(name)
        # packages are all one: a program is compiled whole
        return symbol(name.rpartition(":")[2] or name)


def rational(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def read_all(text: str, file: str) -> list[tuple[object, Position]]:
    """The top-level forms of the text and where each begins."""
    return list(Reader(text, file).forms())
