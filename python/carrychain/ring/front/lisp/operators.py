"""The functions that compiled code may call, each by IR operations."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from math import prod

from ...ir.form import BOOL, INT, LOGIC, Array, Int, Type, Value
from ...ir.interface import members
from ..ssa import Tagged, Variable
from .build import OPERATORS, LispBuilder, raw
from .calls import ALL
from .data import NIL, ByteSpec, Character, Cons, Symbol, T, Vector, brief, items
from .expand import ROW_MAJOR_STORE, S, Scope, parts
from .known import Grid, ListValue
from .library import BOOLE, BOOLE_NAMES
from .sequences import sequence
from .types import CHARACTER, TEXT, Types
from .values import LispValue, is_kind, kind_of, same, truth

NATURAL = Int(0, None)


def integers(names: str, least: int, most: int | None, function: Callable[..., Value]) -> None:
    """Operators on integers, evaluated in order, with one result."""

    def lower(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
        args = [self.integer(each, scope) for each in parts(form, least, most)]
        return [function(self.b, *args)]

    raw(*names.split())(lower)


def valued(names: str, function: Callable[[LispBuilder, LispValue], LispValue]) -> None:
    """Operators on a value of any kind."""

    def lower(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
        (source,) = parts(form, 1, 1)
        return [function(self, self.value(source, scope))]

    raw(*names.split())(lower)


def op(name: str, type_: Type = INT) -> Callable[..., Value]:
    return lambda b, *args: b.one(name, *args, type_=type_)


def fold(name: str, unit: int) -> Callable[..., Value]:
    """An operator of any number of arguments, from the left."""
    return lambda b, *args: reduce(lambda x, y: b.one(name, x, y), args) if args else b.const(unit)


def test(name: str) -> Callable[..., Value]:
    return lambda b, x, y: b.one(name, x, y, type_=BOOL)


def all_of(b, tests: list[Value]) -> Value:
    if not tests:
        return b.const(True)
    return reduce(lambda x, y: b.one("select", x, y, b.const(False), type_=BOOL), tests)


def chain(name: str) -> Callable[..., Value]:
    """A comparison of each argument with the next."""
    return lambda b, *args: all_of(b, [test(name)(b, x, y) for x, y in pairwise(args)])


def different(b, *args: Value) -> Value:
    pairs = [(x, y) for at, x in enumerate(args) for y in args[at + 1 :]]
    return all_of(b, [test("ne")(b, x, y) for x, y in pairs])


def choose(name: str) -> Callable[..., Value]:
    """min or max."""
    return lambda b, *args: reduce(lambda x, y: b.one("select", test(name)(b, x, y), x, y), args)


def absolute(b, x: Value) -> Value:
    return b.one("select", test("lt")(b, x, b.const(0)), b.one("neg", x), x)


def signum(b, x: Value) -> Value:
    zero = b.const(0)
    below = b.one("select", test("lt")(b, x, zero), b.const(-1), zero)
    return b.one("select", test("gt")(b, x, zero), b.const(1), below)


def minus(b, x: Value, *rest: Value) -> Value:
    return reduce(lambda y, z: b.one("sub", y, z), rest, x) if rest else b.one("neg", x)


def bit(b, index: Value, x: Value) -> Value:
    moved = right(b, x, b.narrow(index, NATURAL, True))
    return test("ne")(b, b.one("low", moved, attribute=1), b.const(0))


def right(b, x: Value, count: Value) -> Value:
    if b.constants.get(count) == 0:
        return x
    return b.one("shift", x, b.one("neg", count))


def left(b, x: Value, count: Value) -> Value:
    return x if b.constants.get(count) == 0 else b.one("shift", x, count)


def complement(b, x: Value) -> Value:
    return b.one("xor", x, b.const(-1))


for _names, _function in (
    ("+", fold("add", 0)),
    ("*", fold("mul", 1)),
    ("LOGAND", fold("and", -1)),
    ("LOGIOR", fold("ior", 0)),
    ("LOGXOR", fold("xor", 0)),
    ("LOGEQV", fold("eqv", -1)),
    ("GCD", lambda b, *args: absolute(b, args[0]) if len(args) == 1 else fold("gcd", 0)(b, *args)),
):
    integers(_names, 0, None, _function)
for _names, _least, _most, _function in (
    ("-", 1, None, minus),
    ("1+", 1, 1, lambda b, x: b.one("add", x, b.const(1))),
    ("1-", 1, 1, lambda b, x: b.one("sub", x, b.const(1))),
    ("MOD", 2, 2, op("fmod")),
    ("REM", 2, 2, op("trem")),
    ("ABS", 1, 1, absolute),
    ("SIGNUM", 1, 1, signum),
    ("MIN", 1, None, choose("le")),
    ("MAX", 1, None, choose("ge")),
    ("EXPT", 2, 2, op("expt")),
    ("ISQRT", 1, 1, op("isqrt")),
    ("ASH", 2, 2, left),
    ("LOGNOT", 1, 1, complement),
    ("LOGCOUNT", 1, 1, op("popcount")),
    ("INTEGER-LENGTH", 1, 1, op("bitlen")),
    ("LOGBITP", 2, 2, bit),
    ("LOGTEST", 2, 2, lambda b, x, y: test("ne")(b, b.one("and", x, y), b.const(0))),
    ("= CHAR=", 1, None, chain("eq")),
    ("/= CHAR/=", 1, None, different),
    ("< CHAR<", 1, None, chain("lt")),
    ("> CHAR>", 1, None, chain("gt")),
    ("<= CHAR<=", 1, None, chain("le")),
    (">= CHAR>=", 1, None, chain("ge")),
    ("ZEROP", 1, 1, lambda b, x: test("eq")(b, x, b.const(0))),
    ("PLUSP", 1, 1, lambda b, x: test("gt")(b, x, b.const(0))),
    ("MINUSP", 1, 1, lambda b, x: test("lt")(b, x, b.const(0))),
    ("EVENP", 1, 1, lambda b, x: test("eq")(b, b.one("low", x, attribute=1), b.const(0))),
    ("ODDP", 1, 1, lambda b, x: test("ne")(b, b.one("low", x, attribute=1), b.const(0))),
    ("CHAR-CODE CHAR-INT", 1, 1, lambda b, x: x),
    ("CODE-CHAR", 1, 1, lambda b, x: b.narrow(x, CHARACTER, True)),
):
    integers(_names, _least, _most, _function)
for _name in ("NAND", "NOR", "ANDC1", "ANDC2", "ORC1", "ORC2"):
    integers(f"LOG{_name}", 2, 2, op(_name.lower()))


# Division: a quotient and a remainder ---------------------------------------------------------


def _division(quotient: str, remainder: str) -> Callable:
    def lower(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
        args = [self.integer(each, scope) for each in parts(form, 1, 2)]
        if len(args) == 1:
            return [args[0], self.b.const(0)]
        values = [self.b.one(quotient, *args)]
        if want == ALL:
            values.append(self.b.one(remainder, *args))
        return values

    return lower


for _name, _quotient, _remainder in (
    ("FLOOR", "fdiv", "fmod"),
    ("TRUNCATE", "tdiv", "trem"),
    ("CEILING", "cdiv", "crem"),
):
    OPERATORS[_name] = _division(_quotient, _remainder)


@raw("ROUND")
def _round(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    """Rounds to the nearest, ties to even: floor(n/d + 1/2), minus 1 if that sum was an odd integer."""
    b = self.b
    n, *rest = (self.integer(each, scope) for each in parts(form, 1, 2))
    if not rest:
        return [n, b.const(0)]
    (d,) = rest
    above, below = b.one("add", b.one("add", n, n), d), b.one("add", d, d)
    up = b.one("fdiv", above, below)
    between = test("eq")(b, b.one("fmod", above, below), b.const(0))
    odd = test("ne")(b, b.one("low", up, attribute=1), b.const(0))
    quotient = b.one("select", all_of(b, [between, odd]), b.one("sub", up, b.const(1)), up)
    return [quotient, b.one("sub", n, b.one("mul", quotient, d))]


@raw("/")
def _divide(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    """An exact division; a quotient that is a fraction is an error at run time."""
    first, *rest = (self.integer(each, scope) for each in parts(form, 1))
    b = self.b
    value, divisors = (first, rest) if rest else (b.const(1), [first])
    for each in divisors:
        whole = test("eq")(b, b.one("trem", value, each), b.const(0))
        self.demand(whole, "/ yields a fraction here: floor, truncate, ceiling and round yield integers")
        value = b.one("tdiv", value, each)
    return [value]


# Fields ---------------------------------------------------------------------------------------


class Field:
    """A byte specifier; its size and position are constants or values."""

    def __init__(self, self_: LispBuilder, form, scope: Scope):
        b = self.b = self_.b
        form = scope.expand(form)
        spec = self_.world.values.get(form) if isinstance(form, Symbol) else None
        if isinstance(spec, ByteSpec):
            size, position = b.const(spec.size), b.const(spec.position)
        elif isinstance(form, Cons) and form.car is S.byte:
            size, position = (self_.integer(each, scope) for each in parts(form, 2, 2))
        else:
            raise self_.error(f"{brief(form)} is not a byte specifier: write (byte size position)", form)
        self.size = b.narrow(size, NATURAL, True)
        self.position = b.narrow(position, NATURAL, True)
        self.bits: int | None = b.constants.get(self.size)

    def low(self, x: Value) -> Value:
        """The low `size` bits of x."""
        if self.bits == 0:
            return self.b.const(0)
        if self.bits is not None:
            return self.b.one("low", x, attribute=self.bits)
        return self.b.one("and", x, self.ones())

    def ones(self) -> Value:
        return self.b.one("sub", self.b.one("shift", self.b.const(1), self.size), self.b.const(1))

    def mask(self) -> Value:
        return left(self.b, self.ones(), self.position)


def fields(name: str, function: Callable[..., Value], given: int = 0) -> None:
    """An operator on `given` integers, a byte specifier, and the integer that it applies to."""

    def lower(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
        *before, spec, source = parts(form, given + 2, given + 2)
        before = [self.integer(each, scope) for each in before]
        field = Field(self, spec, scope)
        return [function(self.b, field, self.integer(source, scope), *before)]

    OPERATORS[name] = lower


def ldb(b, field: Field, x: Value) -> Value:
    return field.low(right(b, x, field.position))


def put(b, field: Field, x: Value, placed: Value) -> Value:
    """x with the field replaced by `placed`, whose bits outside of the field are 0."""
    return b.one("ior", placed, b.one("and", x, complement(b, field.mask())))


def rotate(b, field: Field, x: Value, count: Value) -> Value:
    """x with the field rotated left."""
    part = ldb(b, field, x)
    turn = b.one("fmod", count, field.size)
    back = b.one("sub", turn, field.size)
    turned = field.low(b.one("ior", left(b, part, turn), b.one("shift", part, back)))
    rest = b.one("and", x, complement(b, field.mask()))
    return b.one("ior", rest, left(b, turned, field.position))


fields("LDB", ldb)
fields("LDB-TEST", lambda b, field, x: test("ne")(b, ldb(b, field, x), b.const(0)))
fields("MASK-FIELD", lambda b, field, x: b.one("and", x, field.mask()))
fields("DPB", lambda b, field, x, new: put(b, field, x, left(b, field.low(new), field.position)), 1)
fields("DEPOSIT-FIELD", lambda b, field, x, new: put(b, field, x, b.one("and", new, field.mask())), 1)
fields("ROTATE-BYTE", rotate, 1)


@raw("SLDB")
def _sldb(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    spec, source = parts(form, 2, 2)
    field = Field(self, spec, scope)
    if not field.bits:
        raise self.error("sldb takes a field of a constant number of bits, at least one")
    moved = right(self.b, self.integer(source, scope), field.position)
    return [self.b.one("field", moved, attribute=field.bits)]


# Logic that is chosen by number -----------------------------------------------------------------


@raw("BOOLE")
def _boole(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    chosen, x, y = (self.integer(each, scope) for each in parts(form, 3, 3))
    b = self.b
    if chosen in b.constants:
        number = b.constants[chosen]
        if not 0 <= number < len(BOOLE):
            raise self.error(f"boole knows the operations 0 to 15, not {number}")
        return [b.one(BOOLE[number], x, y)]
    chosen = b.narrow(chosen, Int(0, len(BOOLE) - 1), True)

    def branch(low: int, high: int) -> list[tuple]:
        """Chooses by bisection."""
        if high - low == 1:
            value = b.one(BOOLE[low], x, y)
            return [(b.block, [value])]
        middle = (low + high) // 2
        below, above = b.new_block("below"), b.new_block("above")
        b.branch(test("lt")(b, chosen, b.const(middle)), below, above)
        b.start(below)
        outcomes = branch(low, middle)
        b.start(above)
        return outcomes + branch(middle, high)

    return self.join(branch(0, len(BOOLE)), 1)


assert set(BOOLE) == set(LOGIC) and len(BOOLE_NAMES) == len(LOGIC)


# Equality and truth -----------------------------------------------------------------------------


@raw("EQ", "EQL", "EQUAL", "EQUALP")
def _eql(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    x, y = self.arguments(parts(form, 2, 2), scope)
    kinds = [members(kind_of(self.b, each)) for each in (x, y)]
    if all(any(isinstance(member, Array) for member in kind) for kind in kinds):
        raise self.error(f"{form.car} of arrays is not supported: compare their elements")
    return [same(self.b, x, y)]


valued("NOT NULL", lambda self, x: self.b.one("not", truth(self.b, x), type_=BOOL))
valued("INTEGERP NUMBERP", lambda self, x: is_kind(self.b, x, Int))
valued("IDENTITY", lambda self, x: x)


@raw("DIGIT-CHAR")
def _digit_char(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    digit, *radix = parts(form, 1, 2)
    base = radix[0] if radix else 10
    if not isinstance(base, int) or not 2 <= base <= 36:
        raise self.error("digit-char takes a constant radix, 2 to 36")
    b = self.b
    value = b.narrow(self.integer(digit, scope), Int(0, base - 1), True)
    small = test("lt")(b, value, b.const(10))
    letter = b.one("add", value, b.const(ord("A") - 10))
    return [b.one("select", small, b.one("add", value, b.const(ord("0"))), letter)]


def _shifted_case(first: str, last: str, by: int) -> Callable[..., Value]:
    """Moves the ASCII letters of one case to the other."""

    def lower(b, x: Value) -> Value:
        inside = all_of(b, [test("ge")(b, x, b.const(ord(first))), test("le")(b, x, b.const(ord(last)))])
        return b.one("select", inside, b.one("add", x, b.const(by)), x)

    return lower


integers("CHAR-DOWNCASE", 1, 1, _shifted_case("A", "Z", 32))
integers("CHAR-UPCASE", 1, 1, _shifted_case("a", "z", -32))


# Arrays -----------------------------------------------------------------------------------------


def array(self: LispBuilder, form, scope: Scope) -> Value:
    return as_array(self, self.value(form, scope), form)


def subscripted(
    self: LispBuilder, form: Cons, source, indices: list, scope: Scope
) -> tuple[Value, Callable[[], Value]]:
    """The vector of an array's elements, and a function that checks indices and finds the element's."""
    value = self.value(source, scope)
    if isinstance(value, Grid) and form.car not in (S.row_major_aref, ROW_MAJOR_STORE):
        if len(indices) != len(value.dimensions):
            raise self.error(f"{len(indices)} indices for an array of {len(value.dimensions)} dimensions")
        places = [self.integer(each, scope) for each in indices]
        return value.vector, lambda: place_in(self, value, places)
    vector = as_array(self, value.vector if isinstance(value, Grid) else value, source)
    if len(indices) != 1:
        raise self.error(f"{len(indices)} indices for an array of one dimension")
    index = self.integer(indices[0], scope)
    return vector, lambda: index


def place_in(self: LispBuilder, grid: Grid, places: list[Value]) -> Value:
    """The index of an element in a grid's vector; each subscript is checked separately."""
    b = self.b
    place = b.const(0)
    for at, size in zip(places, grid.dimensions, strict=True):
        within = all_of(b, [test("ge")(b, at, b.const(0)), test("lt")(b, at, b.const(size))])
        self.demand(within, "an index is out of bounds")
        place = b.one("add", b.one("mul", place, b.const(size)), at)
    return place


def new_array(self: LispBuilder, type_: Array, count: Value, fill: Value, contents=()) -> Value:
    """A new array, filled with one element, then with these contents."""
    b = self.b
    (vector,) = b.emit("new", [count, fill], type_, [type_])
    for at, value in enumerate(contents):
        b.emit("store", [vector, b.const(at), value])
    return vector


def as_array(self: LispBuilder, value: LispValue, form) -> Value:
    if isinstance(value, Tagged):
        value = self.as_kind(value, Array, f"{brief(form)} is not an array")
    if not isinstance(value.type, Array):
        raise self.error(
            f"{brief(form)} is {self.kind_name(value)}, but an array is needed: declare its type", form
        )
    return value


@raw("AREF", "SVREF", "BIT", "SBIT", "CHAR", "SCHAR", "ELT", "ROW-MAJOR-AREF")
def _aref(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    source, *indices = parts(form, 1)
    vector, index = subscripted(self, form, source, indices, scope)
    return self.b.emit("load", [vector, index()], None, [vector.type.element])


@raw("%STORE", ROW_MAJOR_STORE.name)
def _store(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    source, *indices, value = parts(form, 2)
    vector, index = subscripted(self, form, source, indices, scope)
    self.program.loosen(vector.type)
    value = self.integer(value, scope)
    self.b.emit("store", [vector, index(), value])
    return [value]


@raw("LENGTH", "ARRAY-TOTAL-SIZE")
def _length(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    (source,) = parts(form, 1, 1)
    value = self.value(source, scope)
    if isinstance(value, ListValue):
        return [self.b.const(len(value.values))]
    if isinstance(value, Grid) and form.car is not S.length:
        value = value.vector
    return [self.b.const(0) if value in self.b.nils else self.b.one("len", as_array(self, value, source))]


@raw("ARRAY-DIMENSION")
def _array_dimension(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    source, axis = parts(form, 2, 2)
    value, axis = self.value(source, scope), self.index(axis, scope)
    dimensions = len(value.dimensions) if isinstance(value, Grid) else 1
    if axis >= dimensions:
        raise self.error(f"this array has {dimensions} dimension{'s' * (dimensions != 1)}, from 0 on")
    if isinstance(value, Grid):
        return [self.b.const(value.dimensions[axis])]
    return [self.b.one("len", as_array(self, value, source))]


def keywords(self: LispBuilder, form: Cons, given: list, known: set[str]) -> dict[str, object]:
    """The keyword arguments' forms, in the order written."""
    options: dict[str, object] = {}
    for key, value in zip(given[::2], given[1::2], strict=False):
        if not isinstance(key, Symbol) or key.name not in known:
            raise self.error(f"{form.car} takes no argument {brief(key)} here")
        if key.name in options:
            raise self.error(f"{form.car} takes {brief(key)} once")
        options[key.name] = value
    if len(given) % 2:
        raise self.error(f"{form.car}: an argument is missing after {brief(given[-1])}")
    return options


def quoted(self: LispBuilder, form, scope: Scope):
    """A form that must be a constant: a type, or contents."""
    return self.world.constant(form, scope, self.b.position)


@raw("MAKE-ARRAY")
def _make_array(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    size, *rest = parts(form, 1)
    options = keywords(
        self, form, rest, {":ELEMENT-TYPE", ":INITIAL-ELEMENT", ":INITIAL-CONTENTS", ":ADJUSTABLE"}
    )
    specifier = quoted(self, options[":ELEMENT-TYPE"], scope) if ":ELEMENT-TYPE" in options else T
    type_ = Types(scope, self.b.position).element(specifier)
    b = self.b
    if isinstance(size, Cons) and size.car in (S.list, S.quote):
        sizes = items(size.cdr if size.car is S.list else size.cdr.car)
        if len(sizes) != 1:
            return [_grid(self, type_, [self.index(each, scope) for each in sizes], options, scope)]
        size = sizes[0]
    count = self.integer(size, scope)
    if ":INITIAL-CONTENTS" in options and ":INITIAL-ELEMENT" in options:
        raise self.error("make-array takes :initial-element or :initial-contents, not both")
    contents: list[Value] | None = None
    if ":INITIAL-CONTENTS" in options:
        contents = _contents(self, options[":INITIAL-CONTENTS"], scope)
        if b.constants.get(count) != len(contents):
            raise self.error(f"{len(contents)} elements are given for an array of {brief(size)}")
    fill = self.integer(options.get(":INITIAL-ELEMENT", 0), scope)
    return [new_array(self, type_, count, fill, contents or ())]


def _grid(self: LispBuilder, type_: Array, sizes: list[int], options: dict, scope: Scope) -> Grid:
    """A new array that does not have one dimension."""
    level = []
    if ":INITIAL-CONTENTS" in options:
        level = [quoted(self, options[":INITIAL-CONTENTS"], scope)]
        for size in sizes:
            level = [each for row in level for each in sequence(self.world.evaluator, row)]
            if len(level) % size:
                raise self.error("the contents are not of the array's dimensions")
    fill = self.integer(options.get(":INITIAL-ELEMENT", 0), scope)
    contents = (self.as_integer(self.literal(value), value) for value in level)
    return Grid(new_array(self, type_, self.b.const(prod(sizes)), fill, contents), sizes)


def _contents(self: LispBuilder, form, scope: Scope) -> list[LispValue]:
    """Initial elements: of a (list ...) or (vector ...) to evaluate, or of a constant."""
    form = scope.expand(form)
    if isinstance(form, Cons) and form.car in (S.list, S.vector):
        return [self.integer(each, scope) for each in items(form.cdr)]
    value = quoted(self, form, scope)
    if isinstance(value, Vector):
        elements = value.elements
    elif isinstance(value, str):
        elements = [Character(ord(each)) for each in value]
    elif isinstance(value, Cons) or value is NIL:
        elements = items(value)
    else:
        raise self.error(f"{brief(form)} is not a sequence", form)
    return [self.as_integer(self.literal(each), each) for each in elements]


@raw("VECTOR")
def _vector(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    values = [self.integer(each, scope) for each in items(form.cdr)]
    return [new_array(self, Array(INT), self.b.const(len(values)), self.b.const(0), values)]


@raw("MAKE-STRING")
def _make_string(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    size, *rest = parts(form, 1)
    options = keywords(self, form, rest, {":INITIAL-ELEMENT", ":ELEMENT-TYPE"})
    count = self.integer(size, scope)
    fill = self.integer(options.get(":INITIAL-ELEMENT", 0), scope)
    return [new_array(self, TEXT, count, fill)]


@raw("COERCE")
def _coerce(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    """A constant sequence as an array of a type. A variable must be of the type, and is what it is."""
    source, specifier = parts(form, 2)
    if isinstance(source, Symbol) and isinstance(scope.variables.get(source), Variable):
        type_ = Types(scope, self.b.position).parse(quoted(self, specifier, scope))
        return [self.promised(self.value(source, scope), type_, True)]
    return [self.literal(quoted(self, form, scope))]


@raw("REPLACE", "FILL", "SUBSEQ", "COPY-SEQ")
def _sequences(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    """A loop over the elements."""
    name = form.car.name
    least = {"COPY-SEQ": 1}.get(name, 2)
    first, *rest = parts(form, least)
    target = array(self, first, scope)
    b = self.b
    zero = b.const(0)

    def bound(value, default: Value) -> Value:
        return self.integer(value, scope) if value is not None and value is not NIL else default

    def bounds(defaults: dict[str, Value]) -> list[Value]:
        """The bounds, given by keyword; they are evaluated in the order written."""
        options = keywords(self, form, rest[1:], set(defaults))
        given = {key: bound(value, defaults[key]) for key, value in options.items()}
        return [given.get(key, default) for key, default in defaults.items()]

    if name in ("SUBSEQ", "COPY-SEQ"):
        source = target
        start = bound(rest[0] if rest else None, zero)
        end = bound(rest[1] if len(rest) > 1 else None, b.one("len", source))
        count = b.narrow(b.one("sub", end, start), NATURAL, True)
        target = new_array(self, source.type, count, zero)
        self.program.loosen(source.type)
        _loop(self, count, lambda i: b.emit("store", [target, i, _load(b, source, b.one("add", start, i))]))
        return [target]
    self.program.loosen(target.type)
    if name == "FILL":
        item = self.integer(rest[0], scope)
        start, end = bounds({":START": zero, ":END": b.one("len", target)})
        _loop(
            self, b.one("sub", end, start), lambda i: b.emit("store", [target, b.one("add", start, i), item])
        )
        return [target]
    source = array(self, rest[0], scope)
    ends_at = {":END1": b.one("len", target), ":END2": b.one("len", source)}
    *starts, end1, end2 = bounds({":START1": zero, ":START2": zero, **ends_at})
    ends = [end1, end2]
    counts = [b.one("sub", end, start) for start, end in zip(starts, ends, strict=True)]
    count = choose("le")(b, *counts)
    from_ = starts[1]
    if not _apart(b, target, source):
        # both may be the same array: read everything before writing
        self.program.loosen(source.type)
        room = choose("ge")(b, choose("le")(b, count, b.one("len", source)), zero)
        read = new_array(self, source.type, room, zero)
        _loop(self, count, lambda i: b.emit("store", [read, i, _load(b, source, b.one("add", from_, i))]))
        source, from_ = read, zero

    def move(i: Value) -> None:
        b.emit("store", [target, b.one("add", starts[0], i), _load(b, source, b.one("add", from_, i))])

    _loop(self, count, move)
    return [target]


def _apart(b, target: Value, source: Value) -> bool:
    """Whether two arrays are known not to share elements.

    An array made in this function shares none with older arrays, or with ones made elsewhere. A global array,
    which no caller has, shares none with one of another type.
    """
    makers = {result: i.op for block in b.function.blocks for i in block.instructions for result in i.results}
    targets, sources = _origins(b, target), _origins(b, source)
    made = {makers.get(origin) for origin in targets}
    if made == {"new"} and not targets & sources:
        old = b.function.blocks[0].params
        return all(origin in old or makers.get(origin) in ("new", "global") for origin in sources)
    globals_ = {makers.get(origin) for origin in sources} == {"global"} or made == {"global"}
    return globals_ and source.type != target.type


def _origins(b, value: Value) -> set[Value]:
    """The origins of an array, through the arguments of block parameters that are known so far."""
    into = {
        param: (at, block)
        for block in b.function.blocks[1:]
        if block not in b.incomplete
        for at, param in enumerate(block.params)
    }
    found, todo = {value}, [value]
    while todo:
        at, block = into.get(todo.pop(), (0, None))
        for _, edge in b.predecessors[block] if block else ():
            arg = edge.args[at] if at < len(edge.args) else None
            if arg is None:
                return {value}
            if arg not in found:
                found.add(arg)
                todo.append(arg)
    return {each for each in found if each not in into}


def _load(b, vector: Value, index: Value) -> Value:
    return b.emit("load", [vector, index], None, [vector.type.element])[0]


def _loop(self: LispBuilder, count: Value, turn: Callable[[Value], object]) -> None:
    """A loop that runs turn(0), turn(1) and so on, below count."""
    b = self.b
    index = Variable("I", INT)
    b.write(index, b.const(0))
    top, inside, after = b.new_block("each"), b.new_block("turn"), b.new_block("after")
    b.jump(top)
    b.start(top, sealed=False)
    b.branch(test("lt")(b, b.read(index), count), inside, after)
    if b.reached(inside):
        b.start(inside)
        turn(b.read(index))
        b.write(index, b.one("add", b.read(index), b.const(1)))
        b.jump(top)
    b.seal(top)
    b.start(after)
