"""The functions that macros and constants' initial values may call.

Besides those that compiled code has, on integers without end, there are those on lists, symbols and
strings. Each takes the evaluator first, for what it may have to call in turn.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from .. import interpret
from ..ir import LOGIC
from .data import NIL, ByteSpec, Character, Cons, Symbol, T, Vector, brief, items, listed, symbol, written
from .expand import S, temporary
from .reader import rational


class Values(list):
    """Other than one value."""


def truth(value: bool) -> Symbol:
    return T if value else NIL


def first(value):
    """The one value that counts."""
    if isinstance(value, Values):
        return value[0] if value else NIL
    return value


class Refused(Exception):
    """A function does not take these arguments."""


FUNCTIONS: dict[Symbol, Callable] = {}


def define(*names: str) -> Callable:
    def register(function: Callable) -> Callable:
        for name in names:
            FUNCTIONS[symbol(name)] = function
        return function

    return register


def plain(names: str, function: Callable) -> None:
    """A function that wants nothing of the evaluator."""
    for name in names.split():
        FUNCTIONS[symbol(name)] = lambda self, *args: function(*args)


def number(value):
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return value
    raise Refused


def integer(value) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise Refused


def _fold(function: Callable, start: int) -> Callable:
    def folded(self, *args):
        result = start
        for arg in args:
            result = function(result, number(arg))
        return rational(Fraction(result)) if isinstance(result, Fraction) else result

    return folded


def _chain(test: Callable) -> Callable:
    def chained(self, *args):
        return truth(all(test(number(a), number(b)) for a, b in pairwise(args)))

    return chained


for _name, _function_, _start in (("+", operator.add, 0), ("*", operator.mul, 1)):
    FUNCTIONS[symbol(_name)] = _fold(_function_, _start)
for _name, _test in (
    ("=", operator.eq),
    ("<", operator.lt),
    (">", operator.gt),
    ("<=", operator.le),
    (">=", operator.ge),
):
    FUNCTIONS[symbol(_name)] = _chain(_test)
for _name, _logic, _unit in (
    ("LOGAND", "and", -1),
    ("LOGIOR", "ior", 0),
    ("LOGXOR", "xor", 0),
    ("LOGEQV", "eqv", -1),
):
    FUNCTIONS[symbol(_name)] = _fold(
        lambda a, b, table=LOGIC[_logic]: interpret.logic(table, integer(a), integer(b)), _unit
    )
for _name in ("nand", "nor", "andc1", "andc2", "orc1", "orc2"):
    plain(
        f"LOG{_name.upper()}", lambda a, b, table=LOGIC[_name]: interpret.logic(table, integer(a), integer(b))
    )


@define("-")
def _minus(self, x, *rest):
    result = number(x) - sum(map(number, rest)) if rest else -number(x)
    return rational(Fraction(result))


@define("/")
def _divide(self, x, *rest):
    result = Fraction(number(x)) if rest else Fraction(1)
    for each in rest or (x,):
        result /= number(each)
    return rational(result)


def _division(quotient: Callable) -> Callable:
    def divide(self, x, y=1):
        q = (
            quotient(Fraction(number(x)) / number(y))
            if isinstance(x, Fraction) or isinstance(y, Fraction)
            else quotient((x, y))
        )
        return Values([q, rational(Fraction(x - q * y))])

    return divide


def _floor(x):
    return integer(x[0]) // integer(x[1]) if isinstance(x, tuple) else math.floor(x)


def _ceiling(x):
    return -(-integer(x[0]) // integer(x[1])) if isinstance(x, tuple) else math.ceil(x)


def _truncate(x):
    return interpret.tdiv(integer(x[0]), integer(x[1])) if isinstance(x, tuple) else math.trunc(x)


def _round(x):
    return round(Fraction(*x)) if isinstance(x, tuple) else round(x)


for _name, _quotient in (
    ("FLOOR", _floor),
    ("CEILING", _ceiling),
    ("TRUNCATE", _truncate),
    ("ROUND", _round),
):
    FUNCTIONS[symbol(_name)] = _division(_quotient)

plain("MOD", lambda a, b: number(a) % number(b))
plain("REM", lambda a, b: integer(a) - integer(b) * interpret.tdiv(a, b))
plain("1+", lambda a: number(a) + 1)
plain("1-", lambda a: number(a) - 1)
plain("ABS", lambda a: abs(number(a)))
plain("MIN", lambda *a: min(map(number, a)))
plain("MAX", lambda *a: max(map(number, a)))
plain("GCD", lambda *a: math.gcd(*a))
plain("LCM", lambda *a: math.lcm(*a))
plain("SIGNUM", lambda a: (number(a) > 0) - (a < 0))
plain("NUMERATOR", lambda a: number(a).numerator)
plain("DENOMINATOR", lambda a: number(a).denominator)
plain("ISQRT", lambda a: math.isqrt(a))
plain("ASH", lambda a, n: interpret.shift(integer(a), integer(n)))
plain("LOGNOT", lambda a: ~integer(a))
plain("LOGCOUNT", lambda a: interpret.popcount(integer(a)))
plain("INTEGER-LENGTH", lambda a: interpret.bitlen(integer(a)))
plain("LOGBITP", lambda i, a: truth(integer(a) >> integer(i) & 1))
plain("LOGTEST", lambda a, b: truth(integer(a) & integer(b)))
plain("BYTE-SIZE", lambda b: b.size)
plain("BYTE-POSITION", lambda b: b.position)


@define("EXPT")
def _expt(self, a, b):
    if integer(b) < 0:
        return rational(Fraction(number(a)) ** b)
    return interpret.expt(number(a), b) if isinstance(a, int) else rational(a**b)


def _mask(spec: ByteSpec) -> int:
    return (1 << spec.size) - 1 << spec.position


plain("LDB", lambda spec, x: (integer(x) & _mask(spec)) >> spec.position)
plain("SLDB", lambda spec, x: interpret.field(spec.size, integer(x) >> spec.position))
plain("MASK-FIELD", lambda spec, x: integer(x) & _mask(spec))
plain("DPB", lambda new, spec, x: integer(x) & ~_mask(spec) | integer(new) << spec.position & _mask(spec))
plain("DEPOSIT-FIELD", lambda new, spec, x: integer(x) & ~_mask(spec) | integer(new) & _mask(spec))


@define("ROTATE-BYTE")
def _rotate_byte(self, count, spec, x):
    field_ = (x & _mask(spec)) >> spec.position
    count %= spec.size
    turned = interpret.low(spec.size, field_ << count | field_ >> (spec.size - count))
    return x & ~_mask(spec) | turned << spec.position


# In the order of SBCL's numbers for them.
BOOLE = [
    "clr",
    "set",
    "arg1",
    "arg2",
    "c1",
    "c2",
    "and",
    "ior",
    "xor",
    "eqv",
    "nand",
    "nor",
    "andc1",
    "andc2",
    "orc1",
    "orc2",
]
BOOLE_NAMES = {
    symbol("BOOLE-" + {"arg1": "1", "arg2": "2"}.get(n, n).upper()): i for i, n in enumerate(BOOLE)
}
plain("BOOLE", lambda op, a, b: interpret.logic(LOGIC[BOOLE[op]], a, b))

plain("/=", lambda *a: truth(len(set(a)) == len(a)))
plain("ZEROP", lambda a: truth(number(a) == 0))
plain("PLUSP", lambda a: truth(number(a) > 0))
plain("MINUSP", lambda a: truth(number(a) < 0))
plain("EVENP", lambda a: truth(integer(a) % 2 == 0))
plain("ODDP", lambda a: truth(integer(a) % 2 == 1))
plain("NOT NULL", lambda a: truth(a is NIL))


def same(a, b) -> bool:
    return a is b or (type(a) is type(b) and isinstance(a, (int, Fraction, Character)) and a == b)


def equal(a, b) -> bool:
    if isinstance(a, Cons) and isinstance(b, Cons):
        return equal(a.car, b.car) and equal(a.cdr, b.cdr)
    return same(a, b) or (isinstance(a, str) and a == b)


plain("EQ EQL CHAR=", lambda a, b: truth(same(a, b)))
plain("EQUAL EQUALP", lambda a, b: truth(equal(a, b)))
plain("INTEGERP", lambda a: truth(isinstance(a, int)))
plain("NUMBERP", lambda a: truth(isinstance(a, (int, Fraction))))
plain("SYMBOLP", lambda a: truth(isinstance(a, Symbol)))
plain("KEYWORDP", lambda a: truth(isinstance(a, Symbol) and a.name.startswith(":")))
plain("CONSP", lambda a: truth(isinstance(a, Cons)))
plain("LISTP", lambda a: truth(isinstance(a, Cons) or a is NIL))
plain("ATOM", lambda a: truth(not isinstance(a, Cons)))
plain("STRINGP", lambda a: truth(isinstance(a, str)))
plain("VECTORP ARRAYP", lambda a: truth(isinstance(a, (Vector, str))))
plain("CHARACTERP", lambda a: truth(isinstance(a, Character)))
plain("CONSTANTP", lambda a: truth(not isinstance(a, (Cons, Symbol))))
plain("IDENTITY", lambda a: a)
plain("VALUES", lambda *a: Values(a))


# Lists


def car(x):
    return NIL if x is NIL else x.car


def cdr(x):
    return NIL if x is NIL else x.cdr


def nthcdr(n: int, x):
    for _ in range(n):
        x = cdr(x)
    return x


for _path in ("A", "D", "AA", "AD", "DA", "DD", "ADD", "DDD", "ADDD"):

    def _follow(self, x, path=_path):
        for step in reversed(path):
            x = car(x) if step == "A" else cdr(x)
        return x

    FUNCTIONS[symbol(f"C{_path}R")] = _follow
for _index, _name in enumerate(["FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH"]):
    plain(_name, lambda x, n=_index: car(nthcdr(n, x)))
plain("REST", cdr)
plain("NTH", lambda n, x: car(nthcdr(n, x)))
plain("NTHCDR", nthcdr)
plain("CONS", Cons)
plain("LIST", listed)
plain("LIST*", lambda *a: listed(*a[:-1], end=a[-1]))
plain("LAST", lambda x: listed(items(x)[-1]) if x is not NIL else NIL)
plain("BUTLAST", lambda x: listed(*items(x)[:-1]))
plain("ENDP", lambda a: truth(a is NIL))


@define("APPEND", "NCONC")
def _append(self, *lists):
    if not lists:
        return NIL
    return listed(*(each for part in lists[:-1] for each in items(part)), end=lists[-1])


@define("%EXTEND")
def _extend(self, last, values):
    """Puts copies of the values' cells after the last cell; returns what is the last then."""
    for each in items(values):
        last.cdr = Cons(each, NIL)
        last = last.cdr
    return last


@define("%SETCAR")
def _setcar(self, cell, value):
    cell.car = value
    return value


@define("%SETCDR")
def _setcdr(self, cell, value):
    cell.cdr = value
    return value


def sequence(x) -> list:
    if isinstance(x, str):
        return [Character(ord(c)) for c in x]
    return x.elements if isinstance(x, Vector) else items(x)


def like(model, elements: list):
    """A sequence of the model's kind."""
    if isinstance(model, str):
        return "".join(chr(c.code) for c in elements)
    return Vector(elements, model.element) if isinstance(model, Vector) else listed(*elements)


plain("LENGTH", lambda x: len(sequence(x)))
plain("REVERSE NREVERSE", lambda x: like(x, sequence(x)[::-1]))
plain("SUBSEQ", lambda x, a, b=NIL: like(x, sequence(x)[a : None if b is NIL else b]))
plain("COPY-LIST COPY-SEQ", lambda x: like(x, list(sequence(x))))


@define("AREF", "SVREF", "ELT", "CHAR", "SCHAR")
def _aref(self, x, index):
    elements = sequence(x)
    if not 0 <= integer(index) < len(elements):
        raise self.error(f"index {index} is out of bounds for {len(elements)} elements")
    return elements[index]


@define("%STORE")
def _store(self, x, index, value):
    if not 0 <= integer(index) < len(x.elements):
        raise self.error(f"index {index} is out of bounds for {len(x.elements)} elements")
    x.elements[index] = value
    return value


@define("ARRAY-DIMENSION")
def _array_dimension(self, x, axis):
    return len(sequence(x))


plain("ARRAY-TOTAL-SIZE", lambda x: len(sequence(x)))


def keywords(args: tuple) -> dict[str, object]:
    return {key.name: value for key, value in zip(args[::2], args[1::2], strict=True)}


@define("MAKE-ARRAY")
def _make_array(self, size, *rest):
    options = keywords(rest)
    size = car(size) if isinstance(size, Cons) else size
    if integer(size) < 0:
        raise self.error(f"an array of {size} elements")
    contents = options.get(":INITIAL-CONTENTS")
    filled = [options.get(":INITIAL-ELEMENT", 0)] * size if contents is None else list(sequence(contents))
    if len(filled) != size:
        raise self.error(f"{len(filled)} elements for an array of {size}")
    return Vector(filled, options.get(":ELEMENT-TYPE", T))


@define("VECTOR")
def _vector(self, *elements):
    return Vector(list(elements))


@define("COERCE")
def _coerce(self, value, type_):
    head = type_.car if isinstance(type_, Cons) else type_
    if head is S.list:
        return listed(*sequence(value))
    if head in (S.string, S.simple_string):
        return like("", sequence(value))
    element = (
        type_.cdr.car
        if isinstance(type_, Cons) and head is not S.simple_vector and type_.cdr is not NIL
        else T
    )
    return Vector(list(sequence(value)), T if element is symbol("*") else element)


@define("MAP")
def _map(self, type_, function, *sequences):
    made = [first(self.apply(function, list(each))) for each in zip(*map(sequence, sequences), strict=False)]
    return _coerce(self, listed(*made), type_)


@define("MAPCAR")
def _mapcar(self, function, *lists):
    return listed(
        *[first(self.apply(function, list(each))) for each in zip(*map(items, lists), strict=False)]
    )


@define("MAPCAN")
def _mapcan(self, function, *lists):
    return _append(self, *items(_mapcar(self, function, *lists)))


@define("REDUCE")
def _reduce(self, function, values, *rest):
    options = keywords(rest)
    elements = list(sequence(values))
    if ":INITIAL-VALUE" in options:
        elements.insert(0, options[":INITIAL-VALUE"])
    if not elements:
        return first(self.apply(function, []))
    result = elements[0]
    for each in elements[1:]:
        result = first(self.apply(function, [result, each]))
    return result


@define("FUNCALL")
def _funcall(self, function, *args):
    return self.apply(function, list(args))


@define("APPLY")
def _apply(self, function, *args):
    return self.apply(function, [*args[:-1], *items(args[-1])])


@define("MEMBER")
def _member(self, item, cell, *rest):
    while cell is not NIL and not equal(item, cell.car):
        cell = cell.cdr
    return cell


@define("ASSOC")
def _assoc(self, item, pairs, *rest):
    return next((pair for pair in items(pairs) if equal(item, pair.car)), NIL)


@define("GETF")
def _getf(self, plist, key, default=NIL):
    given = items(plist)
    return next((given[i + 1] for i in range(0, len(given), 2) if given[i] is key), default)


# Symbols, strings, characters

plain("SYMBOL-NAME", lambda s: s.name)
plain("CHAR-CODE", lambda c: c.code)
plain("CODE-CHAR", lambda n: Character(integer(n)))
plain("DIGIT-CHAR-P", lambda c, r=10: int(chr(c.code), r) if chr(c.code).isalnum() else NIL)
plain("STRING-UPCASE", lambda s: s.upper())
plain("STRING-DOWNCASE", lambda s: s.lower())
plain("STRING", lambda s: s.name if isinstance(s, Symbol) else s)
plain("INTERN", lambda s, *package: symbol(s))
plain("MAKE-SYMBOL", lambda s: Symbol(s))
plain("PARSE-INTEGER", lambda s, *rest: int(s, keywords(rest).get(":RADIX", 10)))


@define("GENSYM")
def _gensym(self, prefix="g"):
    return temporary(prefix if isinstance(prefix, str) else "g")


@define("CONCATENATE")
def _concatenate(self, type_, *sequences):
    return _coerce(self, listed(*(each for part in sequences for each in sequence(part))), type_)


def displayed(value) -> str:
    if isinstance(value, Character):
        return chr(value.code)
    return value if isinstance(value, str) else value.name if isinstance(value, Symbol) else written(value)


@define("FORMAT")
def _format(self, destination, control, *args):
    rest = list(args)

    def directive(match: re.Match) -> str:
        width, kind = match[1], match[2].lower()
        if kind in "%~":
            return "\n" if kind == "%" else "~"
        value = rest.pop(0)
        pad, _, fill_ = width.partition(",")
        if kind in "xbo":
            text = format(integer(value), kind).upper()
        else:
            text = written(value) if kind == "s" else displayed(value)
        return text.rjust(int(pad), fill_[1:2] or " ") if pad else text

    return re.sub(r"~((?:\d+)?(?:,'.)?)([adsxbo%~])", directive, control, flags=re.IGNORECASE)


@define("ERROR")
def _error(self, control, *args):
    raise self.error(_format(self, NIL, control, *args) if isinstance(control, str) else brief(control))
