"""Symbols, strings and characters at compile time; output, and errors."""

from __future__ import annotations

import re
from collections.abc import Callable

from .data import NIL, Character, Symbol, brief, symbol, written
from .expand import Scope, temporary
from .library import FUNCTIONS, BadArguments, MultipleValues, define, integer, keywords, of, plain, truth
from .limits import CELL

INTEGER = re.compile(r"\s*([+-]?[0-9a-z]+)\s*", re.IGNORECASE | re.ASCII)
# ~, a width, a padding character and a directive; anything else after a tilde is refused
DIRECTIVE = re.compile(r"~(?:(\d+)(?:,'(.))?)?(:?r|[adsxboc%~&])|~", re.IGNORECASE)
ROOM = 1 << 16  # the greatest width, in characters


def text(x) -> str:
    """A string designator's string: that of a string, symbol or character."""
    if isinstance(x, Symbol):
        return x.name.removeprefix(":")
    return chr(x.code) if isinstance(x, Character) else of(str, x)


def code(x) -> int:
    return of(Character, x).code


def digit(character, radix: int = 10):
    """A digit's value; NIL if it is not a digit."""
    letter = chr(code(character))
    value = int(letter, 36) if letter.isascii() and letter.isalnum() else 36
    return value if value < integer(radix) else NIL


plain("SYMBOL-NAME", lambda x: text(of(Symbol, x)))


define("GET")(lambda self, name, key, default=NIL: self.world.properties.get((name, key), default))


@define("(SETF GET)")
def _put(self, name, key, *rest):
    *_, value = rest
    self.room(CELL)
    self.world.properties[name, key] = value
    return value


define("SYMBOL-FUNCTION", "FDEFINITION")(lambda self, name: self.function(name, Scope(self.world), None))
plain("CHAR-CODE", code)
plain("CODE-CHAR", lambda n: Character(ord(chr(integer(n)))))
plain("DIGIT-CHAR-P", digit)
plain("CHAR-UPCASE", lambda c: Character(ord(chr(code(c)).upper()[0])))
plain("CHAR-DOWNCASE", lambda c: Character(ord(chr(code(c)).lower()[0])))
plain("STRING", text)
plain("MAKE-SYMBOL", lambda s: Symbol(of(str, s)))


def reading(name: str, function: Callable) -> None:
    """Defines a function that processes a whole string."""

    def charged(self, x, *rest):
        self.cells(len(text(x)))
        self.room(len(text(x)))
        return function(text(x), *rest)

    FUNCTIONS[symbol(name)] = charged


reading("STRING-UPCASE", str.upper)
reading("STRING-DOWNCASE", str.lower)
reading("INTERN", lambda s, *package: symbol(s))
reading("STRING=", lambda a, b: truth(a == text(b)))
reading("STRING-EQUAL", lambda a, b: truth(a.lower() == text(b).lower()))
reading("STRING<", lambda a, b: _less(a, text(b)))


def _less(a: str, b: str):
    """The index of the first difference, if a is less than b."""
    at = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return at if a[at:] < b[at:] else NIL


for _name in ("=", "/=", "<", ">", "<=", ">="):
    _of_numbers = FUNCTIONS[symbol(_name)]
    define(f"CHAR{_name}")(lambda self, *args, of=_of_numbers: of(self, *map(code, args)))


@define("PARSE-INTEGER")
def _parse_integer(self, x, *rest):
    found = INTEGER.fullmatch(of(str, x))
    if not found:
        raise BadArguments
    self.quotient(4 * len(x), 4 * len(x))
    return MultipleValues([int(found[1], integer(keywords(rest, (":RADIX",)).get(":RADIX", 10))), len(x)])


@define("GENSYM")
def _gensym(self, prefix="g"):
    self.room(CELL)
    return temporary(prefix if isinstance(prefix, str) else "g")


def _written(self, value, **how) -> str:
    made = written(value, **how)
    self.room(len(made))
    if isinstance(value, int):
        self.quotient(value.bit_length(), value.bit_length())
    return made


@define("PRINC-TO-STRING")
def displayed(self, value) -> str:
    return value if isinstance(value, str) else _written(self, value, escape=False)


define("PRIN1-TO-STRING")(lambda self, value: _written(self, value, escape=True))
SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
]  # fmt: skip
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip


def in_words(value, ordinal: bool) -> str:
    """A number below a hundred in English words."""
    if not 0 <= integer(value) < 100:
        raise BadArguments
    words = (
        [SMALL[value]]
        if value < 20
        else [TENS[value // 10 - 2], *([SMALL[value % 10]] if value % 10 else [])]
    )
    if ordinal:
        last = words[-1]
        words[-1] = ORDINALS.get(last, last[:-1] + "ieth" if last.endswith("y") else last + "th")
    return "-".join(words)


@define("FORMAT")
def _format(self, destination, control, *args):
    if destination is not NIL:
        raise self.error("format cannot write to a stream: its first argument must be nil")
    rest = list(args)
    self.room(len(of(str, control)))

    def directive(match: re.Match) -> str:
        if match[3] is None:
            raise self.error("format supports ~a ~s ~d ~x ~b ~o ~c ~r ~:r ~% ~& and ~~ here, and a width")
        width, kind = int(match[1] or 0), match[3].lower()
        if kind in "%~&":
            return "\n" if kind != "~" else "~"
        value = rest.pop(0)
        if width > ROOM:
            raise BadArguments
        self.room(width)
        if kind in "xbo":
            made = format(integer(value), kind).upper()
        elif kind == "c":
            made = chr(code(value))
        elif kind.endswith("r"):
            made = in_words(value, kind == ":r")
        else:
            made = _written(self, value, escape=True) if kind == "s" else displayed(self, value)
        if kind in "as" and match[2] is None:
            return made.ljust(width)
        return made.rjust(width, match[2] or " ")

    return DIRECTIVE.sub(directive, control)


@define("ERROR")
def _error(self, control, *args):
    raise self.error(_format(self, NIL, control, *args) if isinstance(control, str) else brief(control))
