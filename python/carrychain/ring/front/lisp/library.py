"""The functions that macros and constants' initial values may call: here, those on numbers and on any value.

Each takes the evaluator first, for calls and for its limits: a function's result is either no longer than its
arguments together, or reported to the limits before it is made.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import pairwise

from ...ir import interpret
from ..handlers import entering
from .data import NIL, ByteSpec, Character, Cons, Symbol, T, Vector, symbol
from .expand import S, constant
from .reader import rational


class MultipleValues(list):
    """No values, or several."""


def truth(value: bool) -> Symbol:
    return T if value else NIL


def first(value):
    """The first value."""
    if isinstance(value, MultipleValues):
        return value[0] if value else NIL
    return value


class BadArguments(Exception):
    """A function does not accept these arguments."""


FUNCTIONS: dict[Symbol, Callable] = {}


define = entering(FUNCTIONS, lambda name, function: (symbol(name), function))


def plain(names: str, function: Callable) -> None:
    """Defines a function that does not need the evaluator."""
    for name in names.split():
        FUNCTIONS[symbol(name)] = lambda self, *args: function(*args)


def keywords(args: tuple, known: tuple[str, ...] = ()) -> dict[str, object]:
    """Arguments by keyword; if `known` is given, there must be no others."""
    found = {key.name: value for key, value in reversed([*zip(args[::2], args[1::2], strict=True)])}
    if known and not found.keys() <= set(known):
        raise BadArguments
    return found


def of(kind: type | tuple[type, ...], value):
    """The value, which must be of this kind."""
    if isinstance(value, kind):
        return value
    raise BadArguments


def number(value):
    if isinstance(value, (int, Fraction, float)) and not isinstance(value, bool):
        return value
    raise BadArguments


def exact(value) -> int | Fraction:
    if isinstance(value, float):
        raise BadArguments
    return number(value)


def integer(value) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise BadArguments


def natural(value) -> int:
    if integer(value) < 0:
        raise BadArguments
    return value


def bits(value: int | Fraction | float) -> int:
    if isinstance(value, float):
        return 64
    return value.numerator.bit_length() + (
        value.denominator.bit_length() if isinstance(value, Fraction) else 0
    )


def finite(value):
    """The double, which must be finite: an infinity is an overflow."""
    if isinstance(value, float) and not math.isfinite(value):
        raise BadArguments
    return value


def _fold(function: Callable, start: int) -> Callable:
    def folded(self, *args):
        # one argument is returned itself, because 0 + -0.0 is 0.0
        result = number(args[0]) if args else start
        for arg in args[1:]:
            if function is operator.mul:
                self.product(bits(result), bits(number(arg)))
            else:
                self.number(bits(result))
            result = finite(function(result, number(arg)))
        return rational(result) if isinstance(result, Fraction) else result

    return folded


def _chain(test: Callable) -> Callable:
    def chained(self, *args):
        return truth(all(test(number(a), number(b)) for a, b in pairwise(args)))

    return chained


for _name, _function_, _start in (("+", operator.add, 0), ("*", operator.mul, 1)):
    FUNCTIONS[symbol(_name)] = _fold(_function_, _start)
for _name, _op in {"=": "eq", "<": "lt", ">": "gt", "<=": "le", ">=": "ge"}.items():
    FUNCTIONS[symbol(_name)] = _chain(interpret.INTEGER[_op])


def exactly(op: str) -> Callable:
    """A function that computes what the IR's operation does, on integers only."""
    compute = interpret.INTEGER[op]
    return lambda *args: compute(*map(integer, args))


for _name, _start in (("and", -1), ("ior", 0), ("xor", 0), ("eqv", -1)):
    FUNCTIONS[symbol(f"LOG{_name.upper()}")] = _fold(exactly(_name), _start)
for _name in ("nand", "nor", "andc1", "andc2", "orc1", "orc2"):
    plain(f"LOG{_name.upper()}", exactly(_name))
_plus = FUNCTIONS[symbol("+")]


@define("-")
def _minus(self, x, *rest):
    return _plus(self, x, *(-number(each) for each in rest)) if rest else -number(x)


@define("/")
def _divide(self, x, *rest):
    if any(isinstance(each, float) for each in (x, *rest)):
        return finite(reduce(operator.truediv, map(number, rest), x) if rest else 1 / x)
    result = Fraction(number(x)) if rest else Fraction(1)
    for each in rest or (x,):
        self.product(bits(result), bits(number(each)))
        self.quotient(bits(result), bits(each))
        result /= each
    return rational(result)


def _division(of_integers: Callable, of_fraction: Callable) -> Callable:
    def divide(self, x, y=1):
        self.quotient(bits(number(x)), bits(number(y)))
        if isinstance(x, float) or isinstance(y, float):
            if y != 1:
                raise BadArguments
            q = of_fraction(Fraction(x))
            return MultipleValues([q, x - q])
        whole = isinstance(x, int) and isinstance(y, int)
        q = of_integers(x, y) if whole else of_fraction(Fraction(x) / y)
        return MultipleValues([q, rational(Fraction(x - q * y))])

    return divide


for _name, _op, _of_fraction in (("FLOOR", "fdiv", math.floor), ("CEILING", "cdiv", math.ceil),
                                 ("TRUNCATE", "tdiv", math.trunc)):  # fmt: skip
    FUNCTIONS[symbol(_name)] = _division(interpret.INTEGER[_op], _of_fraction)
FUNCTIONS[symbol("ROUND")] = _division(lambda x, y: round(Fraction(x, y)), round)


def quadratic(name: str, function: Callable) -> None:
    """Defines a function that takes as long as dividing its arguments."""

    def charged(self, *args):
        longest = max((bits(number(each)) for each in args), default=0)
        self.quotient(sum(map(bits, args)), longest)
        return function(*args)

    FUNCTIONS[symbol(name)] = charged


quadratic("MOD", lambda a, b: rational(Fraction(exact(a) % exact(b))))
quadratic("REM", exactly("trem"))
quadratic("GCD", lambda *a: math.gcd(*map(integer, a)))
quadratic("LCM", lambda *a: math.lcm(*map(integer, a)))
quadratic("ISQRT", exactly("isqrt"))
plain("1+", lambda a: number(a) + 1)
plain("1-", lambda a: number(a) - 1)
plain("ABS", lambda a: abs(number(a)))
plain("MIN", lambda *a: min(map(number, a)))
plain("MAX", lambda *a: max(map(number, a)))
plain("SIGNUM", lambda a: _signum(number(a)))


def _signum(a):
    sign = (a > 0) - (a < 0)
    return math.copysign(sign, a) if isinstance(a, float) else sign


plain("NUMERATOR", lambda a: number(a).numerator)
plain("DENOMINATOR", lambda a: number(a).denominator)
plain("LOGNOT", lambda a: ~integer(a))
plain("LOGCOUNT", exactly("popcount"))
plain("INTEGER-LENGTH", exactly("bitlen"))
plain("LOGBITP", lambda i, a: truth(integer(a) >> integer(i) & 1))
plain("LOGTEST", lambda a, b: truth(integer(a) & integer(b)))
plain("BYTE-SIZE", lambda b: of(ByteSpec, b).size)
plain("BYTE-POSITION", lambda b: of(ByteSpec, b).position)


@define("ASH")
def _ash(self, a, n):
    self.number(bits(integer(a)) + integer(n) if a and n > 0 else 0)
    return interpret.shift(a, n)


@define("EXPT")
def _expt(self, a, b):
    power = integer(b)
    made = bits(number(a)) * abs(power) if abs(a) != 1 else 0
    self.number(made)
    self.product(made, made)
    if isinstance(a, float):
        return a**power
    if isinstance(a, Fraction) or power < 0:
        return rational(Fraction(a) ** power)
    return interpret.expt(a, power)


def field(function: Callable) -> Callable:
    """A function of a byte's mask, the byte, and the rest of the arguments."""

    def applied(self, given, *rest):
        spec = of(ByteSpec, given)
        self.number(spec.size + spec.position)
        return function((1 << spec.size) - 1 << spec.position, spec, *map(integer, rest))

    return applied


FUNCTIONS[S.ldb] = field(lambda mask, spec, x: (x & mask) >> spec.position)
FUNCTIONS[S.sldb] = field(lambda mask, spec, x: interpret.field(spec.size, x >> spec.position))
FUNCTIONS[S.mask_field] = field(lambda mask, spec, x: x & mask)
_deposit = field(lambda mask, spec, x, new: x & ~mask | new & mask)
_put = field(lambda mask, spec, x, new: x & ~mask | new << spec.position & mask)
FUNCTIONS[S.deposit_field] = lambda self, new, spec, x: _deposit(self, spec, x, new)
FUNCTIONS[S.dpb] = lambda self, new, spec, x: _put(self, spec, x, new)


@define("ROTATE-BYTE")
def _rotate_byte(self, count, spec, x):
    field_ = FUNCTIONS[S.ldb](self, spec, x)
    turned = interpret.rotl(spec.size, field_, integer(count)) if spec.size else 0
    return _put(self, spec, x, turned)


# In the order of SBCL's numbers for these.
BOOLE = [
    "clr", "set", "arg1", "arg2", "c1", "c2", "and", "ior", "xor", "eqv", "nand", "nor",
    "andc1", "andc2", "orc1", "orc2",
]  # fmt: skip
BOOLE_NAMES = {symbol(f"BOOLE-{name.removeprefix('arg').upper()}"): at for at, name in enumerate(BOOLE)}
plain("BOOLE", lambda op, a, b: exactly(BOOLE[op])(a, b))

plain("/=", lambda *a: truth(len(set(map(number, a))) == len(a)))
plain("ZEROP", lambda a: truth(number(a) == 0))
plain("PLUSP", lambda a: truth(number(a) > 0))
plain("MINUSP", lambda a: truth(number(a) < 0))
plain("EVENP", lambda a: truth(integer(a) % 2 == 0))
plain("ODDP", lambda a: truth(integer(a) % 2 == 1))


def same(a, b) -> bool:
    """eql: doubles are compared by their bits, so the two zeros differ."""
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("d", a) == struct.pack("d", b)
    return a is b or (type(a) is type(b) and isinstance(a, (int, Fraction, Character)) and a == b)


def equal(self, a, b) -> bool:
    while isinstance(a, Cons) and isinstance(b, Cons) and a is not b:
        self.work(1)
        if not equal(self, a.car, b.car):
            return False
        a, b = a.cdr, b.cdr
    return same(a, b) or (isinstance(a, str) and a == b)


def equalp(self, a, b) -> bool:
    """As equal, but also compares vectors by their elements, numbers by =, and characters without case."""
    while isinstance(a, Cons) and isinstance(b, Cons) and a is not b:
        self.work(1)
        if not equalp(self, a.car, b.car):
            return False
        a, b = a.cdr, b.cdr
    if isinstance(a, Vector) and isinstance(b, Vector):
        self.work(1 + len(a.elements))
        pairs = zip(a.elements, b.elements, strict=False)
        return len(a.elements) == len(b.elements) and all(equalp(self, x, y) for x, y in pairs)
    if isinstance(a, Character) and isinstance(b, Character):
        return chr(a.code).lower() == chr(b.code).lower()
    if isinstance(a, (int, Fraction, float)) and isinstance(b, (int, Fraction, float)):
        return a == b
    return same(a, b) or (isinstance(a, str) and isinstance(b, str) and a.lower() == b.lower())


plain("EQ EQL", lambda a, b: truth(same(a, b)))
FUNCTIONS[S.equal] = lambda self, a, b: truth(equal(self, a, b))
FUNCTIONS[S.equalp] = lambda self, a, b: truth(equalp(self, a, b))


def double(x) -> float:
    """A double; integers are refused, because Common Lisp makes single-floats of them."""
    return of(float, x)


# Doubles, from which constants are computed: by IEEE 754, and by the C library's functions.
for _name in ("SIN", "COS", "TAN", "ASIN", "ACOS", "SINH", "COSH", "TANH"):
    _of_double = getattr(math, _name.lower())
    plain(_name, lambda x, of_double=_of_double: of_double(double(x)))
define("FLOAT")(lambda self, x, prototype=None: double(x) if prototype is None else float(number(x)))
define("BOUNDP")(lambda self, name: truth(self.world.bound(name)))


@define("SYMBOL-VALUE")
def _symbol_value(self, name):
    if not self.world.bound(name):
        raise self.error(f"the variable {name} is not bound")
    return self.world.values[name]


@define("FBOUNDP")
def _fboundp(self, name):
    known = (self.world.functions, self.world.helpers, self.world.macros, FUNCTIONS)
    return truth(any(name in each for each in known))


CHARACTERS = ("CHARACTER", "BASE-CHAR", "STANDARD-CHAR")
STRINGS = ("STRING", "SIMPLE-STRING", "BASE-STRING", "SIMPLE-BASE-STRING")
# Tests of types, by the type's name.
IS: dict[str, Callable[[object], bool]] = {
    "T": lambda x: True,
    "NIL": lambda x: False,
    "NULL": lambda x: x is NIL,
    "BOOLEAN": lambda x: x in (NIL, T),
    "SYMBOL": lambda x: isinstance(x, Symbol),
    "KEYWORD": lambda x: isinstance(x, Symbol) and x.name.startswith(":"),
    "CONS": lambda x: isinstance(x, Cons),
    "LIST": lambda x: isinstance(x, Cons) or x is NIL,
    "ATOM": lambda x: not isinstance(x, Cons),
    "SEQUENCE": lambda x: isinstance(x, (Cons, Vector, str)) or x is NIL,
    "FUNCTION": callable,
    **dict.fromkeys(("NUMBER", "REAL"), lambda x: isinstance(x, (int, Fraction, float))),
    "RATIONAL": lambda x: isinstance(x, (int, Fraction)),
    **dict.fromkeys(("FLOAT", "DOUBLE-FLOAT"), lambda x: isinstance(x, float)),
    **dict.fromkeys(CHARACTERS, lambda x: isinstance(x, Character)),
    **dict.fromkeys(STRINGS, lambda x: isinstance(x, str)),
}


def whether(names: str, test: Callable[[object], bool]) -> None:
    plain(names, lambda x: truth(test(x)))


for _name in ("RATIONAL", "NUMBER", "REAL", "FLOAT", "SYMBOL", "KEYWORD", "CONS", "LIST", "STRING"):
    whether(f"{_name}P", IS[_name])
whether("CHARACTERP", IS["CHARACTER"])
whether("INTEGERP", lambda a: isinstance(a, int))
whether("VECTORP ARRAYP", lambda a: isinstance(a, (Vector, str)))
whether("ATOM", IS["ATOM"])
whether("NOT NULL", IS["NULL"])


@define("CONSTANTP")
def _constantp(self, form, *environment):
    quoted = isinstance(form, Cons) and form.car is S.quote
    return truth(quoted or constant(form) or form in self.world.constants)


plain("IDENTITY", lambda a: a)
plain("VALUES", lambda *a: MultipleValues(a))
define("FUNCALL")(lambda self, function, *args: self.apply(function, list(args)))
