"""Random small Python modules of functions on integers and memory, as text, with calls of them.

A module's text gives each function the decorator `jit`, which whoever runs the text provides, with `array`
(the type) and `np`. It ends in `state`, a function that gives what the functions share (globals, or the
cells of a function around them all), and CALLS: a list of pairs, a statement to execute before the call, or
"", and the arguments of `entry` as expressions, of which one may name those before it (a0, a1, ...), or
call `state`.

Every program ends: each loop has a bound, recursion counts down, and what a call costs is kept below BUDGET.
Numbers stay small enough for that: what a loop carries around grows by so many bits a round, no more.

Types are words: int, bool, maybe (an int, or None), bytes, bytearray, list and table (a tuple) of ints,
memoryview:B, array:H, ndarray:uint16 and so on; and a tuple of types. A name may also be bound on some
ways only.
"""

from __future__ import annotations

import ast
import random
import re

WIDTHS = (1, 5, 7, 8, 8, 13, 16, 24, 31, 32, 32, 32, 33, 48, 63, 64, 64, 64, 65, 127, 128, 130)
POWERS = (*range(10), 15, 16, 17, 24, 31, 32, 33, 47, 53, 62, 63, 64, 65, 100, 127, 128, 129, 160, 199, 200)
# an array's code, and a ndarray's dtype: bits, and whether signed
CODES = {
    "B": (8, 0),
    "b": (8, 1),
    "H": (16, 0),
    "h": (16, 1),
    "I": (32, 0),
    "i": (32, 1),
    "Q": (64, 0),
    "q": (64, 1),
}
DTYPES = {f"{'u' * (not signed)}int{bits}": (bits, signed) for bits, signed in CODES.values()}
# builtins that a local name or a function of the program's may hide
HIDEABLE = ("abs", "divmod", "len", "max", "min", "pow", "sum")
BUDGET = 3000  # statements that a call executes, at most
ROUNDS = 24  # of a loop over memory, at most: longer memory is not made
CALLS = 60  # of a program
COMPARE = ("==", "!=", "<", "<=", ">", ">=")
SEQUENCES = ("bytes", "bytearray", "list", "table")


def boundary(rng: random.Random) -> int:
    """A number where mistakes are: near a power of two, of either sign."""
    return rng.choice((1, 1, -1)) * (1 << rng.choice(POWERS)) + rng.choice((-1, 0, 0, 1))


def literal(rng: random.Random) -> int:
    return boundary(rng) if rng.random() < 0.4 else rng.randrange(-4, 40)


def shown(rng: random.Random, number: int) -> str:
    """As one may write it; in brackets, if it needs them before an operator."""
    text = hex(number) if abs(number) > 99 and rng.random() < 0.5 else str(number)
    return f"({text})" if number < 0 else text


def item_of(type_) -> tuple[int, int] | None:
    """The bits of memory's items, and whether they are signed; None where items are ints of any size."""
    maker, _, code = type_.partition(":")
    if maker in ("bytes", "bytearray", "memoryview"):
        return CODES[code or "B"]
    return {"array": CODES, "ndarray": DTYPES}[maker][code] if code else None


def is_memory(type_) -> bool:
    return isinstance(type_, str) and (type_ in SEQUENCES or ":" in type_)


def is_writable(type_) -> bool:
    return is_memory(type_) and type_ not in ("bytes", "table")


def joined(a, b):
    """The type of a name that is of these on two ways; None if there is none."""
    if a == b:
        return a
    if {a, b} == {"int", "bool"}:
        return "int"
    return "maybe" if {a, b} <= {"int", "bool", "maybe", "none"} else None


class _Function:
    """Makes up a function's text. `known` maps names surely bound to types, `perhaps` the others."""

    def __init__(self, module: _Module, name: str, params: dict, result, counter: str | None):
        self.module, self.rng = module, module.rng
        self.name, self.params, self.result, self.counter = name, params, result, counter
        self.known = {**module.shared, **params}
        self.perhaps: dict = {}
        self.counters: list[str] = []
        self.fixed: set[str] = set()  # a loop goes over it, or counts with it
        self.lines: list[str] = []
        self.indent = 1
        self.loops = self.cost = self.made = self.products = 0
        self.rounds = 1
        self.globals: set[str] = set()
        last = [*params.values()][-1]
        # of the last parameter
        self.default = str(literal(self.rng)) if last == "int" and self.chance(0.1) else ""
        self.own: set[str] = set()  # lists that nothing else holds
        self.hiding = [self.rng.choice(HIDEABLE)] * self.chance(0.06)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, *ways):
        """One of these, each a weight and what it makes, or that it cannot be: None."""
        found = [(weight, make) for weight, make in ways if weight]
        (chosen,) = self.rng.choices([make for _, make in found], [weight for weight, _ in found])
        return chosen()

    def has(self, builtin: str) -> bool:
        return builtin not in self.module.functions and builtin not in self.hiding

    def names(self, wanted, sure: bool = True) -> list[str]:
        return [name for name, type_ in (self.known if sure else self.perhaps).items() if wanted(type_)]

    def name_of(self, *types) -> str | None:
        found = self.names(lambda type_: type_ in types)
        return self.rng.choice(found) if found else None

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)
        self.cost += self.rounds

    # --- numbers ---------------------------------------------------------------------------------

    def number(self, depth: int = 3) -> str:
        """An expression that is an int; in a loop one that grows no faster than a sum does."""
        rng = self.rng
        if depth <= 0 or self.chance(0.1):
            return self.leaf()
        sub = self.number
        less = depth - 1
        memory = self.names(is_memory)
        helpers = self.callable_helpers("int", "bool")
        return self.pick(
            (14, lambda: self.binary(rng.choice("+-"), sub(less), sub(less))),
            (5, lambda: self.product(less)),
            (10, lambda: self.binary(rng.choice("&|^"), sub(less), sub(less))),
            (10, lambda: self.masked(sub(less))),
            (5, lambda: self.binary(rng.choice(("//", "%")), sub(less), self.divisor(less))),
            (5, lambda: self.binary(">>", sub(less), self.count(less))),
            (4, lambda: self.binary("<<", sub(less), self.count(less))),
            (3, lambda: self.rotation(less)),
            (4, lambda: f"{rng.choice(('-', '~', '-', '~', '+'))}{self.atom(less)}"),
            (1.5, lambda: f"({self.small(less)} ** {self.exponent(less)})"),
            (3, lambda: f"({sub(less)} if {self.truth(less)} else {sub(less)})"),
            (2.5, lambda: f"({sub(less)} {rng.choice(('and', 'or'))} {sub(less)})"),
            (2, lambda: self.binary(rng.choice("+*&-"), self.truth(less), self.small(less))),
            (1, lambda: f"({self.sign(less)})"),
            (2, lambda: self.called(less)),
            (6 * bool(memory), lambda: self.item(rng.choice(memory), less)),
            (1.5 * bool(memory), lambda: self.word(rng.choice(memory))),
            (1.5 * (bool(memory) and self.has("len")), lambda: f"len({rng.choice(memory)})"),
            (1.5 * bool(memory), lambda: self.total(less)),
            (3 * bool(self.names(lambda t: t in ("bytes", "bytearray"))), lambda: self.from_bytes(less)),
            (3 * bool(helpers), lambda: self.call(rng.choice(helpers or [""]), less)),
            (1 * bool(self.name_of("maybe")), lambda: self.of_maybe(less)),
        )

    def leaf(self) -> str:
        rng = self.rng
        numbers = self.names(lambda type_: type_ in ("int", "bool"))
        if self.perhaps and self.chance(0.02):
            found = self.names(lambda type_: type_ in ("int", "bool"), sure=False)
            if found:
                return rng.choice(found)
        if self.counters and self.chance(0.25):
            return rng.choice(self.counters)
        if numbers and self.chance(0.8):
            given = [name for name in numbers if name in self.params]
            return rng.choice(given if given and self.chance(0.35) else numbers)
        return rng.choice(("True", "False")) if self.chance(0.03) else shown(rng, literal(rng))

    def atom(self, depth: int) -> str:
        """A number that an operator may stand before, or a dot behind."""
        text = self.number(depth)
        return text if text[0] == "(" or text.isidentifier() else f"({text})"

    def binary(self, op: str, a: str, b: str) -> str:
        if self.chance(0.2 if op in ("//", "%", "<<") else 0.02):
            # the line of an operation is not always its statement's
            return f"({a}\n{'    ' * self.indent}    {op} {b})"
        return f"({a} {op} {b})"

    def product(self, depth: int) -> str:
        # five that double a number's length, no more
        grows = not self.loops and self.products < 5
        self.products += grows
        return self.binary("*", self.number(depth), self.number(depth) if grows else self.small(depth))

    def small(self, depth: int) -> str:
        """A number of a few bits."""
        rng = self.rng
        choice = rng.random()
        if choice < 0.3:
            return str(
                rng.choice((2, 3, 5, 10, 31, 33, 255, 257, 65599, 1000003, 0x01000193, 6364136223846793005))
            )
        if self.counters and choice < 0.5:
            return f"({rng.choice(self.counters)} & 0xffff)"
        return f"({self.number(depth - 1)} & {rng.choice((1, 3, 7, 15, 255))})"

    def exponent(self, depth: int) -> str:
        if self.chance(0.5):
            return str(self.rng.randrange(6))
        return f"({self.number(depth - 1)} & {self.rng.choice((1, 3, 7))})"

    def masked(self, text: str) -> str:
        rng = self.rng
        bits = rng.choice(WIDTHS)
        choice = rng.random()
        if choice < 0.75:
            return self.binary("&", text, hex((1 << bits) - 1))
        if choice < 0.85:
            return self.binary("%", text, rng.choice((str(1 << bits), f"2**{bits}", f"(1 << {bits})")))
        return self.binary(
            "&",
            text,
            rng.choice((hex(0xFF00 << bits), f"({-1 << bits})", hex(0xF0F0F0F0), f"({~(1 << bits)})")),
        )

    def divisor(self, depth: int) -> str:
        rng = self.rng
        choice = rng.random()
        if choice < 0.5:
            return shown(
                rng,
                rng.choice(
                    (1, 2, 3, -1, -2, 7, 8, 10, -16, 256, 1 << 32, 65521, -(1 << 63), boundary(rng) or 5)
                ),
            )
        return f"({self.number(depth - 1)} | 1)" if choice < 0.92 else self.number(depth - 1)

    def count(self, depth: int) -> str:
        rng = self.rng
        choice = rng.random()
        if choice < 0.5:
            return str(rng.choice((0, 1, 2, 4, 7, 8, 13, 16, 24, 31, 32, 33, 63, 64, 65)))
        if choice < 0.93:
            return f"({self.number(depth - 1)} & {rng.choice((3, 7, 15, 31, 63))})"
        if choice < 0.97 and not self.loops:
            return f"(({self.number(depth - 1)} & 127) - 5)"
        return f"({rng.choice(self.counters)} & 127)" if self.counters else "6"

    def rotation(self, depth: int) -> str:
        rng = self.rng
        bits = rng.choice((8, 16, 32, 32, 64, 64, 5, 128))
        mask = hex((1 << bits) - 1)
        name = self.name_of("int")
        x = f"({name or self.leaf()} & {mask})"
        n = str(rng.randrange(bits + 1)) if self.chance(0.7) else f"({self.leaf()} & {bits.bit_length() - 1})"
        parts = [f"({x} << {n})", f"({x} >> ({bits} - {n}))"]
        rng.shuffle(parts)
        return f"(({parts[0]} {rng.choice('|^+')} {parts[1]}) & {mask})"

    def sign(self, depth: int) -> str:
        bits = self.rng.choice((5, 8, 16, 32, 64))
        half = hex(1 << (bits - 1))
        return f"(({self.number(depth - 1)} & {hex((1 << bits) - 1)}) ^ {half}) - {half}"

    def called(self, depth: int) -> str:
        rng = self.rng
        sub = lambda: self.number(depth - 1)  # noqa: E731
        ways = {
            "abs": lambda: f"abs({sub()})",
            "min": lambda: (
                f"{rng.choice([name for name in ('min', 'max') if self.has(name)])}"
                f"({', '.join(sub() for _ in range(rng.choice((2, 2, 3))))})"
            ),
            "divmod": lambda: f"divmod({sub()}, {self.divisor(depth)})[{rng.choice((0, 1, -1))}]",
            "pow": lambda: self.power(depth),
            "int": lambda: f"int({self.truth(depth - 1) if self.chance(0.6) else sub()})",
            "": lambda: f"{self.atom(depth - 1)}.{rng.choice(('bit_length', 'bit_length', 'bit_count'))}()",
        }
        return rng.choice([make for name, make in ways.items() if not name or self.has(name)])()

    def power(self, depth: int) -> str:
        sub = lambda: self.number(depth - 1)  # noqa: E731
        choice = self.rng.random()
        if choice < 0.3:
            return f"pow({self.small(depth)}, {self.exponent(depth)})"
        exponent = (
            f"({sub()} & {self.rng.choice((3, 255, 65535))})"
            if choice < 0.9
            else f"({self.small(depth)} - 3)"
        )
        return f"pow({sub()}, {exponent}, {self.divisor(depth)})"

    def index(self, memory: str, depth: int) -> str:
        rng = self.rng
        choice = rng.random()
        if self.counters and choice < 0.35:
            return rng.choice(self.counters)
        if choice < 0.6 and self.has("len"):
            return f"{self.number(depth - 1)} % len({memory})"
        if choice < 0.75:
            return str(rng.choice((0, 0, 1, 2, 3, 5, -1, -1, -2)))
        if choice < 0.97:
            return f"{self.number(depth - 1)} & {rng.choice((1, 3, 7))}"
        return self.leaf()

    def item(self, memory: str, depth: int) -> str:
        text = f"{memory}[{self.index(memory, depth)}]"
        # a ndarray's items are NumPy's numbers, which wrap
        return f"int({text})" if self.known[memory].startswith("ndarray") else text

    def word(self, memory: str) -> str:
        """A number from neighbouring items."""
        rng = self.rng
        type_ = self.known[memory]
        item = item_of(type_)
        if item is None or item[1] or type_.startswith("ndarray"):
            return self.item(memory, 1)
        bits, count = item[0], rng.choice((2, 4, 4, 8))
        base = rng.choice(self.counters) if self.counters and self.chance(0.4) else str(rng.randrange(3))
        order = rng.choice((1, -1))
        parts = []
        for at in range(count):
            shift = bits * (at if order == 1 else count - 1 - at)
            place = f"{memory}[{base} + {at}]" if at else f"{memory}[{base}]"
            parts.append(f"({place} << {shift})" if shift else place)
        return f"({rng.choice((' | ', ' | ', ' + ', ' ^ ')).join(parts)})"

    def total(self, depth: int) -> str:
        memory = [each for each in self.names(is_memory) if not self.known[each].startswith("ndarray")]
        if not self.has("sum") or not memory or self.loops > 1:
            return self.leaf()
        name = self.rng.choice(memory)
        choice = self.rng.random()
        if choice < 0.35:
            return f"sum({name})"
        if choice < 0.5 and self.has("min") and self.has("max"):
            return f"{self.rng.choice(('min', 'max'))}({name})"
        if choice < 0.7:
            return f"sum({self.slice_of(name, depth)})"
        return f"sum({self.comprehension(depth)})"

    def from_bytes(self, depth: int) -> str:
        rng = self.rng
        name = self.name_of("bytes", "bytearray")
        whole = self.slice_of(name, depth) if self.chance(0.6) else name
        signed = rng.choice(("", "", ", signed=True", ", signed=False"))
        if self.chance(0.1):
            return f"int.from_bytes({whole}{signed})"
        return f'int.from_bytes({whole}, "{rng.choice(("little", "big"))}"{signed})'

    def of_maybe(self, depth: int) -> str:
        name = self.name_of("maybe")
        other = self.number(depth - 1)
        return self.rng.choices(
            (f"({name} or {other})", f"({name} if {name} is not None else {other})",
             f"({other} if {name} is None else {name} + 1)", f"(0 if not {name} else {name})", name),
            (4, 4, 3, 2, 0.3),
        )[0]  # fmt: skip

    # --- truth -----------------------------------------------------------------------------------

    def truth(self, depth: int = 2) -> str:
        """A condition that is a bool when it is one of comparisons alone."""
        rng = self.rng
        sub = lambda: self.number(depth - 1)  # noqa: E731
        less = depth - 1
        memory = self.name_of(*SEQUENCES)
        maybe = self.name_of("maybe")
        return self.pick(
            (10, lambda: f"({sub()} {rng.choice(COMPARE)} {self.bound(less)})"),
            (3, lambda: f"({sub()} {rng.choice(COMPARE)} {self.bound(less)} {rng.choice(COMPARE)} {sub()})"),
            (2 * (depth > 0), lambda: f"({self.truth(less)} {rng.choice(('and', 'or'))} {self.truth(less)})"),
            (1.5 * (depth > 0), lambda: f"(not {self.truth(less)})"),
            (0.7, lambda: f"(not {self.atom(less)})"),
            (0.5, lambda: f"bool({sub()})"),
            (0.8 * bool(self.name_of("bool")), lambda: self.name_of("bool")),
            (2 * bool(maybe), lambda: f"({maybe} is {rng.choice(('', 'not '))}None)"),
            (0.4 * bool(memory), lambda: f"(not {memory})"),
            (0.3 * bool(memory), lambda: f"({memory} == {self.name_of(self.known[memory])})"),
        )  # fmt: skip

    def bound(self, depth: int) -> str:
        return shown(self.rng, literal(self.rng)) if self.chance(0.5) else self.number(depth)

    def condition(self, depth: int = 2) -> str:
        """What stands after `if`: any value will do."""
        choice = self.rng.random()
        if choice < 0.1:
            return self.number(depth)
        names = self.names(lambda type_: type_ == "maybe" or type_ in SEQUENCES)
        if choice < 0.15 and names:
            return self.rng.choice(names)
        return self.truth(depth)

    # --- memory ----------------------------------------------------------------------------------

    def part(self, depth: int) -> str:
        """An end of a slice."""
        rng = self.rng
        choice = rng.random()
        if choice < 0.3:
            return ""
        if choice < 0.7:
            return str(rng.choice((0, 1, 2, 3, 4, 8, -1, -2, -4, 100)))
        if self.counters and choice < 0.85:
            name = rng.choice(self.counters)
            return rng.choice((name, f"{name} + {rng.randrange(1, 9)}"))
        return self.number(min(depth - 1, 1))

    def slice_of(self, memory: str, depth: int) -> str:
        step = ""
        if self.chance(0.3):
            step = f":{self.rng.choice((1, 2, 3, -1, -1, -2, ''))}" if self.chance(0.9) else f":{self.leaf()}"
        return f"{memory}[{self.part(depth)}:{self.part(depth)}{step}]"

    def comprehension(self, depth: int, each=None) -> str:
        """[... for ... in ...], its items any ints, or what `each` makes of their text."""
        rng = self.rng
        outer, self.known = self.known, dict(self.known)
        # CPython's versions differ in what is said of a name that is not bound
        perhaps, self.perhaps = self.perhaps, {}
        clauses = []
        # what a comprehension names is its own
        for at in range(2 if self.loops == 0 and self.chance(0.15) else 1):
            own = rng.choice(("x", "y", "i", "b")) + str(at) * (at > 0)
            source, type_ = self.iterable(at > 0)
            clauses.append(f"for {own} in {source}")
            self.known[own] = type_
            if self.chance(0.3):
                clauses.append(f"if {self.truth(1)}")
        self.loops += 1
        item = self.number(min(depth, 2))
        self.loops -= 1
        self.known, self.perhaps = outer, perhaps
        self.cost += self.rounds * ROUNDS
        return f"[{each(item) if each else item} {' '.join(clauses)}]"

    def iterable(self, short: bool = False) -> tuple[str, str]:
        """What a loop may go over that has few items, all of them ints."""
        rng = self.rng
        memory = [name for name in self.names(is_memory) if not self.known[name].startswith("ndarray")]
        if memory and not short and self.chance(0.5):
            name = rng.choice(memory)
            text = self.slice_of(name, 1) if self.chance(0.25) and ":" not in self.known[name] else name
            if self.chance(0.15):
                text = f"reversed({text})"
            return text, "int"
        return self.range(4 if short else 12), "int"

    def range(self, most: int) -> str:
        rng = self.rng
        choice = rng.random()
        memory = self.names(is_memory)
        if choice < 0.3:
            text = f"range({rng.randrange(most + 1)})"
        elif choice < 0.45 and memory and self.has("len") and most > 4:
            name = rng.choice(memory)
            text = rng.choice(
                (f"range(len({name}))", f"range(len({name}) - 1, -1, -1)", f"range(0, len({name}), 4)")
            )
        elif choice < 0.65:
            text = f"range({self.number(1)} & {(1 << (most.bit_length() - 1)) - 1})"
        elif choice < 0.8:
            low = rng.randrange(-3, 9)
            text = f"range({low}, {low + rng.randrange(-1, most)})"
        elif choice < 0.9:
            start = self.leaf()
            text = f"range({start}, {start} + {rng.randrange(most)})"
        else:
            step = rng.choice((1, 2, 3, -1, -2, -7, 1 << 40, -(1 << 63)))
            start = literal(rng)
            text = f"range({start}, {start + step * rng.randrange(-1, most)}, {step})"
        return f"reversed({text})" if self.chance(0.1) else text

    def stored(self, type_: str, depth: int) -> str:
        """A number for an item of such memory; seldom one too large."""
        item = item_of(type_)
        if item is None:
            return self.masked(self.number(depth)) if self.loops else self.number(depth)
        bits, signed = item
        text = self.number(depth)
        if self.chance(0.03):
            return text
        cut = f"({text} & {hex((1 << bits) - 1)})" if self.chance(0.8) else f"({text} % {1 << bits})"
        half = hex(1 << (bits - 1))
        return f"(({cut} ^ {half}) - {half})" if signed else cut

    def made_memory(self, type_: str, depth: int) -> str:
        """An expression that is new memory of a type that has one; in a loop of a few items."""
        rng = self.rng
        byte = lambda text: f"({text}) & 255"  # noqa: E731
        name = self.name_of(type_)
        grows = not self.loops
        helpers = self.callable_helpers(type_)
        ways = [
            (3 * bool(name), lambda: self.slice_of(name, depth)),
            (0.7 * bool(name and grows), lambda: f"{name} + {self.name_of(type_)}"),
            (2 * bool(helpers), lambda: self.call(rng.choice(helpers or [""]), depth)),
        ]
        if type_ == "list":
            ways += [
                (4, lambda: self.comprehension(depth)),
                (3, lambda: f"[{', '.join(self.number(1) for _ in range(rng.randrange(5)))}]"),
                (1, lambda: f"[{self.leaf()}] * {rng.randrange(12)}"),
                (0.5 * bool(name), lambda: f"{name}[:]"),
                (0.5 * (self.has("list")), lambda: f"list({self.range(12)})"),
                (0.5 * bool(self.name_of("bytes")), lambda: f"list({self.name_of('bytes')})"),
            ]
        elif type_ == "bytes":
            ways += [
                (2, lambda: repr(rng.randbytes(rng.randrange(6)))),
                (0.5 * bool(name and grows), lambda: f"{name} * {rng.choice(('2', '3', '0', '-1'))}"),
                (2, lambda: f"bytes({self.comprehension(depth, byte)})"),
                (3, lambda: self.to_bytes(depth)),
                (0.7 * bool(self.name_of("bytearray")), lambda: f"bytes({self.name_of('bytearray')})"),
                (0.3, lambda: f"bytes({rng.randrange(9)})"),
            ]
        else:
            ways += [
                (3, lambda: f"bytearray({rng.randrange(17)})"),
                (1 * bool(self.name_of("bytes")), lambda: f"bytearray({self.name_of('bytes')})"),
                (1, lambda: f"bytearray({self.comprehension(depth, byte)})"),
                (0.5, lambda: f"bytearray({rng.randbytes(rng.randrange(6))!r})"),
            ]
        return self.pick(*ways)

    def to_bytes(self, depth: int) -> str:
        rng = self.rng
        length = rng.choice((1, 2, 4, 4, 8, 8, 16, 3))
        order = rng.choice(("little", "big"))
        if self.chance(0.2):
            half = hex(1 << (8 * length - 1))
            text = f"((({self.number(depth - 1)}) & {hex((1 << 8 * length) - 1)}) ^ {half}) - {half}"
            return f'({text}).to_bytes({length}, "{order}", signed=True)'
        if self.chance(0.05):
            return f'{self.atom(depth - 1)}.to_bytes({length}, "{order}")'
        if self.chance(0.1):
            return f'int.to_bytes({self.number(depth - 1)} & 255, byteorder="{order}", length=2)'
        if self.chance(0.1):
            return f"({self.number(depth - 1)} & 255).to_bytes()"
        return f'({self.number(depth - 1)} & {hex((1 << 8 * length) - 1)}).to_bytes({length}, "{order}")'

    # --- calls -----------------------------------------------------------------------------------

    def callable_helpers(self, *results) -> list[str]:
        """The functions made before that give such a thing, and can be afforded here."""
        return [
            name
            for name, other in self.module.functions.items()
            if other.result in results and self.affords(other.cost) and name not in self.hiding
            and all(self.name_of(type_) for type_ in other.params.values() if is_memory(type_))
        ]  # fmt: skip

    def affords(self, cost: int) -> bool:
        return self.cost + self.rounds * cost < (BUDGET // 32 if self.counter else BUDGET)

    def call(self, name: str, depth: int, counter: str = "") -> str:
        rng = self.rng
        other = self.module.functions.get(name, self)
        # its own is not known yet
        self.cost += self.rounds * other.cost * (not counter)
        args = []
        for param, type_ in other.params.items():
            if counter and param == other.counter:
                args.append(f"{counter} - 1")
            elif is_memory(type_):
                # of two parameters the same, too; an empty tuple where it was assigned something else
                args.append(self.name_of(type_) or "()")
            elif isinstance(type_, tuple):
                args.append(self.name_of(type_) or self.tuple_of(type_))
            elif type_ == "maybe":
                args.append(self.name_of("maybe") or rng.choice(("None", self.leaf())))
            elif type_ == "bool" or self.chance(0.02):
                args.append(self.truth(1))
            else:
                args.append(
                    self.masked(self.number(1)) if counter or self.loops else self.number(min(depth, 2))
                )
        if other.default and not counter and self.chance(0.5):
            args[-1:] = [f"{[*other.params][-1]}={args[-1]}"] if self.chance(0.4) else []
        text = f"{name}({', '.join(args)})"
        return self.masked(text) if other.result == "int" and (self.loops or counter) else text

    def tuple_of(self, types: tuple) -> str:
        items = [self.tuple_of(each) if isinstance(each, tuple) else self.value(each, 1) for each in types]
        return f"({', '.join(items)}{',' * (len(items) == 1)})"

    def value(self, type_, depth: int = 2) -> str:
        """An expression of a type."""
        if isinstance(type_, tuple):
            return self.tuple_of(type_)
        match type_:
            case "int":
                return self.number(depth)
            case "bool":
                return self.truth(depth)
            case "none":
                return "None"
            case "maybe":
                known = self.name_of("maybe")
                return (
                    known
                    if known and self.chance(0.5)
                    else f"({self.number(1)} if {self.truth(1)} else None)"
                )
        if type_ in SEQUENCES and (self.chance(0.7) or not self.name_of(type_)):
            return self.made_memory(type_, depth)
        return self.name_of(type_)

    # --- statements ------------------------------------------------------------------------------

    def new_name(self) -> str:
        if self.hiding and self.hiding[0] not in self.known and self.chance(0.5):
            return self.hiding[0]
        self.made += 1
        return f"v{self.made}"

    def target(self, *types) -> str:
        """A name to assign such a thing to: in a loop what was there before keeps its type."""
        rng = self.rng
        old = [
            name for name, type_ in self.known.items()
            if type_ in types and name not in self.fixed and name not in self.module.shared
        ]  # fmt: skip
        if not self.loops and self.chance(0.05):
            old += [name for name in self.params if name not in self.fixed]
        if old and self.chance(0.6 if self.indent == 1 else 0.8):
            return rng.choice(old)
        maybes = [name for name, type_ in self.perhaps.items() if type_ in types]
        return rng.choice(maybes) if maybes and self.chance(0.6) else self.new_name()

    def bind(self, name: str, type_) -> None:
        self.perhaps.pop(name, None)
        self.known[name] = type_

    def statements(self, count: int, depth: int) -> None:
        before = len(self.lines)
        for _ in range(count):
            if self.affords(1):
                self.statement(depth)
        if len(self.lines) == before:
            self.emit("pass")

    def statement(self, depth: int) -> None:
        nested = depth > 0
        loops = nested and self.loops < 3 and self.affords(ROUNDS * 3)
        writable = [
            name for name in self.names(is_writable) if self.module.writes or name not in self.module.shared
        ]
        own = self.own_lists()
        shared = [name for name, type_ in self.module.shared.items() if type_ in ("int", "maybe")]
        self.pick(
            (16, self.assign),
            (9, self.augment),
            (8 * bool(writable), lambda: self.store(self.rng.choice(writable))),
            (2 * bool(writable), lambda: self.store_slice(self.rng.choice(writable))),
            (9 * nested, lambda: self.when(depth)),
            (9 * loops, lambda: self.loop_for(depth)),
            (4 * loops, lambda: self.loop_while(depth)),
            (12 * bool(own), lambda: self.change_list(self.rng.choice(own))),
            (4, self.assign_memory),
            (4, self.tuples),
            (2.5, self.assign_maybe),
            (1.5 * bool(self.module.functions), self.call_for_effect),
            (1 * nested, self.raises),
            (3 * bool(self.loops and nested), self.leave),
            (0.8 * bool(nested), self.early),
            (
                3 * bool(shared and self.module.writes and not self.module.closed),
                lambda: self.write_shared(shared),
            ),
            (6 * self.module.extras, self.extra),
        )

    def own_lists(self) -> list[str]:
        return [
            name
            for name in self.names(lambda type_: type_ == "list")
            if name in self.own and name not in self.fixed
        ]

    def assign(self) -> None:
        rng = self.rng
        text = self.number(rng.choice((1, 2, 3, 3)))
        name = self.target("int", "bool")
        if self.loops or self.chance(0.35):
            text = self.masked(text) if not self.loops or self.chance(0.7) else self.grown(name)
        choice = rng.random()
        if choice < 0.06:
            type_, text = "bool", self.truth()
        elif choice < 0.09:
            type_, text = "int", f"{self.new_name_bound('int')} = {text}"
        else:
            type_ = "int"
        if (self.loops and self.known.get(name) == "bool") or self.perhaps.get(name) == "bool":
            type_ = "int"
        self.emit(f"{name} = {text}")
        self.bind(name, type_)

    def new_name_bound(self, type_) -> str:
        name = self.new_name()
        self.bind(name, type_)
        return name

    def grown(self, name: str) -> str:
        """What a name holds and a little more, so that loops grow slowly."""
        old = name if self.known.get(name) in ("int", "bool") else self.leaf()
        return self.rng.choice((
            f"({old} * {self.small(1)} + {self.leaf()})",
            f"({old} + {self.small(2)})", f"({old} ^ {self.leaf()})",
            f"(({old} << {self.rng.choice((1, 3, 5, 8))}) ^ {self.leaf()})", f"({old} - {self.number(2)})",
            f"({old} >> 1)", f"(({old} << 5) + {old})",
        ))  # fmt: skip

    def augment(self) -> None:
        rng = self.rng
        names = [
            n
            for n in self.names(lambda t: t in ("int", "bool"))
            if n not in self.fixed and n not in self.module.shared
        ]
        if not names:
            return self.assign()
        name = rng.choice(names)
        less = 1 if self.loops else 2
        op = rng.choice(("+", "+", "-", "^", "&", "|", ">>", "<<", "//", "%", "*", "**"))
        match op:
            case ">>" | "<<":
                text = self.count(less) if op == ">>" else str(rng.choice((0, 1, 3, 5, 8, 13)))
            case "//" | "%":
                text = self.divisor(less)
            case "*":
                text = self.small(less)
            case "**":
                text = "1" if self.loops else rng.choice(("0", "1", "2"))
            case _:
                text = self.number(less)
        self.emit(f"{name} {op}= {text}")
        self.bind(name, "int")
        if self.loops and op not in "&%" and self.chance(0.4):
            self.emit(f"{name} &= {hex((1 << rng.choice(WIDTHS)) - 1)}")

    def store(self, memory: str) -> None:
        rng = self.rng
        type_ = self.known[memory]
        place = f"{memory}[{self.index(memory, 2)}]"
        careful = memory in self.module.shared or self.loops
        text = self.stored(type_, 2)
        if self.chance(0.25) and not type_.startswith("ndarray"):
            item = item_of(type_)
            if item is None or self.chance(0.05):
                op, text = (rng.choice("&^|" if careful else "+-^*"), self.leaf())
                if careful:
                    text = self.masked(text)
                self.emit(f"{place} {op}= {text}")
            elif item[1]:
                self.emit(f"{place} {rng.choice(('>>=', '//=', '%='))} {rng.choice((1, 2, 3, 7))}")
            else:
                self.emit(
                    f"{place} {rng.choice(('^=', '|=', '&='))} {self.leaf()} & {hex((1 << item[0]) - 1)}"
                )
        elif self.chance(0.08):
            # a swap, as in a shuffle
            other = f"{memory}[{self.index(memory, 1)}]"
            if type_.startswith("ndarray"):
                self.emit(f"{place}, {other} = int({other}), int({place})")
            else:
                self.emit(f"{place}, {other} = {other}, {place}")
        else:
            self.emit(f"{place} = {self.masked(text) if careful and item_of(type_) is None else text}")

    def store_slice(self, memory: str) -> None:
        rng = self.rng
        type_ = self.known[memory]
        # what a loop goes over, or what may be that, keeps its length; so does what outlives the call
        free = (
            type_ in ("list", "bytearray")
            and memory in self.own
            and memory not in self.fixed
            and not self.loops
        )
        if free and self.chance(0.55):
            return self.emit(
                f"{self.slice_of(memory, 1)} = {self.made_memory('list' if type_ == 'list' else 'bytes', 1)}"
            )
        size = rng.choice((0, 1, 2, 4))
        start, other = rng.choice((0, 1, 2, 4)), rng.choice((0, 1, 3))
        # it seldom changes the length
        kept = self.has("len") and self.chance(0.9)
        if kept:
            self.emit(f"if len({memory}) > {rng.choice((8, max(start, other) + size))}:")
            self.indent += 1
        place, choice = f"{memory}[{start}:{start + size}]", rng.random()
        if choice < 0.4 or (":" in type_ and type_ != "memoryview:B"):
            # a part of itself: what overlaps is as if it had been copied
            text = f"{memory}[{other}:{other + size}]"
        elif type_ == "list":
            items = [self.masked(self.leaf()) for _ in range(size)]
            if choice < 0.6:
                place, items = f"{memory}[{-start - 4}::2]", items[:2]
            text = f"[{', '.join(items)}]"
        elif choice < 0.7:
            text = f"bytes([{', '.join(f'({self.leaf()}) & 255' for _ in range(size))}])"
        else:
            text = f'({self.leaf()} & {hex((1 << 8 * size) - 1)}).to_bytes({size}, "little")'
        self.emit(f"{place} = {text}")
        self.indent -= kept

    def change_list(self, name: str) -> None:
        rng = self.rng
        text = self.masked(self.number(2)) if self.loops else self.number(2)
        choice = rng.random()
        if choice < 0.6:
            self.emit(f"{name}.append({text})")
        elif choice < 0.8:
            place = rng.choice(("", "", "0", "-1", self.leaf()))
            if self.chance(0.5):
                # not of an empty one
                self.emit(f"if {name}:")
                self.indent += 1
                self.emit(f"{name}.pop()")
                self.indent -= 1
            else:
                self.emit(f"{self.new_name_bound('int')} = {name}.pop({place})")
        elif self.loops < 2:
            source, _ = self.iterable(True)
            grown = source if name not in source else "(1, 2)"
            self.emit(f"{name}.extend({grown})" if self.chance(0.6) else f"{name} += [{text}]")
            self.cost += self.rounds * ROUNDS

    def assign_memory(self) -> None:
        rng = self.rng
        type_ = rng.choice(("list", "list", "bytes", "bytearray"))
        if self.loops and type_ != "bytes":
            # what a loop made anew each round is seldom wanted, and lists that others hold grow
            type_ = "bytes"
        found = self.names(is_memory)
        if found and self.chance(0.08) and not self.loops:
            old, name = rng.choice(found), self.new_name()
            self.emit(f"{name} = {old}")
            self.bind(name, self.known[old])
            # neither may grow while a loop goes over the other
            self.own -= {old, name}
            return
        text = self.made_memory(type_, 2)
        name = self.target(type_)
        if name in self.params:
            name = self.new_name()
        self.emit(f"{name} = {text}")
        self.bind(name, type_)
        if text.partition("(")[0] not in self.module.functions:
            self.own.add(name)

    def tuples(self) -> None:
        rng = self.rng
        numbers = [
            n for n in self.names(lambda t: t == "int") if n not in self.fixed and n not in self.module.shared
        ]
        held = self.names(lambda type_: isinstance(type_, tuple))
        number = (lambda: self.masked(self.number(1))) if self.loops else (lambda: self.number(2))
        choice = rng.random()
        if choice < 0.3 and len(numbers) > 1:
            a, b = rng.sample(numbers, 2)
            self.emit(f"{a}, {b} = {rng.choice((f'{b}, {a}', f'{b}, {number()}', f'({b}, {a} ^ {b})'))}")
        elif choice < 0.45:
            a, b = self.new_name(), self.new_name()
            self.emit(
                f"{a}, {b} = divmod({number()}, {self.divisor(1)})"
                if self.has("divmod")
                else f"{a} = {b} = {number()}"
            )
            self.bind(a, "int"), self.bind(b, "int")
        elif choice < 0.65 and held:
            name = rng.choice(held)
            types = self.known[name]
            if self.chance(0.5) and all(each == "int" for each in types):
                return self.emit(f"{self.new_name_bound('int')} = {name}[{rng.randrange(len(types))}]")
            self.emit(f"{self.unpacked(types)} = {name}")
        elif choice < 0.8 and not self.loops:
            types = rng.choice(
                (("int", "int"), ("int", "int", "int"), ("int", ("int", "bool")), ("int", "none"), ("int",))
            )
            text, name = self.tuple_of(types), self.new_name()
            self.emit(f"{name} = {text}")
            self.bind(name, types)
        else:
            types = (*("int",) * rng.choice((1, 2)), ("int", "int"))
            text = self.tuple_of(types)
            self.emit(
                f"{self.unpacked(types)} = {text}"
                if not self.loops
                else f"{self.new_name_bound('int')} = {number()}"
            )

    def unpacked(self, types: tuple) -> str:
        names = []
        for type_ in types:
            if isinstance(type_, tuple):
                names.append(f"({self.unpacked(type_)})")
            else:
                name = self.new_name()
                names.append(name)
                self.bind(name, type_)
        return ", ".join(names) + "," * (len(names) == 1)

    def assign_maybe(self) -> None:
        """None on some ways, an int on others."""
        if self.loops:
            names = [
                n
                for n in self.names(lambda t: t == "maybe")
                if n in self.known and n not in self.module.shared and n not in self.fixed
            ]
            if not names:
                return self.assign()
            name = self.rng.choice(names)
            return self.emit(f"{name} = {self.rng.choice(('None', self.masked(self.number(1))))}")
        name = self.new_name()
        if self.chance(0.5):
            self.emit(f"{name} = None")
            self.emit(f"if {self.condition()}:")
            self.indent += 1
            self.emit(f"{name} = {self.number(2)}")
            self.indent -= 1
        else:
            self.emit(f"{name} = {self.number(1)} if {self.truth(1)} else None")
        self.bind(name, "maybe")

    def call_for_effect(self) -> None:
        found = self.callable_helpers(*{other.result for other in self.module.functions.values()})
        self.emit(self.call(self.rng.choice(found), 2) if found else "pass")

    def raises(self) -> None:
        rng = self.rng
        if self.chance(0.5):
            text = rng.choice(("", ', "own: not so"', f", {self.leaf()}"))
            return self.emit(
                f"assert {self.unlikely()}{text}"
                if not self.chance(0.1)
                else f"assert {self.condition(1)}{text}"
            )
        self.emit(f"if not {self.unlikely()}:")
        self.indent += 1
        type_ = rng.choice(("ValueError", "ValueError", "IndexError", "OverflowError", "ZeroDivisionError"))
        self.emit(
            f"raise {type_}({rng.choice(('', repr('own: wrong')))})"
            if self.chance(0.85)
            else f"raise {type_}"
        )
        self.indent -= 1

    def unlikely(self) -> str:
        """A condition that mostly holds."""
        a = self.number(1)
        return self.rng.choice(
            (
                f"({a} != {literal(self.rng)})",
                f"({a} & 63 != 5)",
                f"({a} % 31 != {self.rng.randrange(31)})",
                f"({a} < {1 << 199})",
            )
        )

    def leave(self) -> None:
        """Out of a loop, or to its next round."""
        self.emit(f"if {self.truth(1)}:")
        self.indent += 1
        if self.chance(0.3):
            self.assign()
        self.emit(self.rng.choice(("break", "continue")))
        self.indent -= 1

    def early(self) -> None:
        self.emit(f"if {self.truth(1)}:")
        self.indent += 1
        self.returns()
        self.indent -= 1

    def write_shared(self, shared: list) -> None:
        name = self.rng.choice(shared)
        self.globals.add(name)
        if self.module.shared[name] == "maybe":
            return self.emit(f"{name} = {self.rng.choice(('None', self.masked(self.number(1))))}")
        # it outlives the call: it may not grow
        if self.chance(0.3):
            return self.emit(f"{name} {self.rng.choice(('^=', '+=', '-='))} {self.small(1)}")
        self.emit(f"{name} = {self.masked(self.number(2))}")

    def extra(self) -> None:
        """What a compiler may or may not take."""
        rng = self.rng
        own, less = self.own_lists(), 1
        name = self.new_name()
        lines = [
            f"{name} = int({self.leaf()} in ({self.leaf()}, {self.leaf()}, 3))",
            f"{name}: int = {self.masked(self.number(2))}",
            f"{name} = sum(x for x in {self.iterable(True)[0]})" if self.has("sum") else f"{name} = 0",
            f"{name} = (w := {self.leaf()}) & 255",
            f"{name} = {self.leaf()} if isinstance({self.leaf()}, int) else 0",
            f"{name} = (lambda x: x + 1)({self.leaf()})",
            f'{name} = len(f"{{{self.leaf()} & 7}}")' if self.has("len") else f"{name} = 1",
            f"{name} = any([{self.truth(less)}, {self.truth(less)}])",
            f"{name} = round({self.leaf()} & 255)",
            f"{name} = 7 / 2 > {self.leaf()}",
        ]
        if own:
            lines.append(f"del {rng.choice(own)}[:1]\n{'    ' * self.indent}{name} = 0")
        self.emit(rng.choice(lines))
        self.bind(name, "int")
        if self.chance(0.1):
            self.emit(f"del {name}")
            self.known.pop(name)
        elif self.chance(0.2):
            own_name = self.new_name()
            self.emit("try:")
            self.emit(f"    {own_name} = {self.leaf()} // {self.leaf()}")
            self.emit("except ZeroDivisionError:")
            self.emit(f"    {own_name} = 0")
            self.bind(own_name, "int")

    # --- blocks ----------------------------------------------------------------------------------

    def block(self, depth: int, least: int = 1) -> None:
        self.indent += 1
        self.statements(self.rng.randrange(least, 4), depth - 1)
        self.indent -= 1

    def when(self, depth: int) -> None:
        self.emit(f"if {self.condition()}:")
        start, start_perhaps = dict(self.known), dict(self.perhaps)
        ends = []
        self.block(depth)
        ends.append((self.known, self.perhaps))
        heads = ["elif"] * (self.rng.random() < 0.2) + ["else"] * (self.rng.random() < 0.5)
        for head in heads:
            self.known, self.perhaps = dict(start), dict(start_perhaps)
            self.emit(f"elif {self.condition()}:" if head == "elif" else "else:")
            self.block(depth)
            ends.append((self.known, self.perhaps))
        if "else" not in heads:
            ends.append((start, start_perhaps))
        self.known, self.perhaps = self.merged(ends)

    def merged(self, ends: list) -> tuple[dict, dict]:
        """What is known where several ways meet."""
        known, perhaps = {}, {}
        for name in dict.fromkeys(name for both in ends for each in both for name in each):
            types = [both[0].get(name) or both[1].get(name) for both in ends]
            found = [type_ for type_ in types if type_]
            type_ = found[0]
            for other in found[1:]:
                type_ = type_ and joined(type_, other)
            if type_ is None:
                continue
            (known if all(name in both[0] for both in ends) else perhaps)[name] = type_
        return known, perhaps

    def loop(self, head: str, rounds: int, depth: int, bound: dict, first=(), iterated=()) -> None:
        """A loop; `bound`: names that each round begins with; `first`: lines before the body."""
        before = (dict(self.known), dict(self.perhaps))
        self.emit(head)
        outer = self.rounds, self.fixed, self.counters
        self.rounds *= rounds
        # a loop's own names may be set in it, but those that `first` lines rely on
        self.fixed = {*self.fixed, *iterated}
        self.loops += 1
        # what a round sets, the next one begins with; only what is of one type stays known
        for name, type_ in bound.items():
            self.bind(name, type_)
        self.counters = [*self.counters, *(name for name, type_ in bound.items() if type_ == "int")][-3:]
        self.indent += 1
        for line in first:
            self.emit(line)
        self.statements(self.rng.randrange(1, 4), depth - 1)
        self.indent -= 1
        self.loops -= 1
        self.rounds, self.fixed, self.counters = outer
        self.known, self.perhaps = self.merged([before, (self.known, self.perhaps)])
        if self.chance(0.12):
            self.emit("else:")
            after = (dict(self.known), dict(self.perhaps))
            self.block(1)
            self.known, self.perhaps = self.merged([after, (self.known, self.perhaps)])

    def loop_for(self, depth: int) -> None:
        rng = self.rng
        memory = [name for name in self.names(is_memory) if not self.known[name].startswith("ndarray")]
        own = rng.choice(("i", "j", "k")) + str(self.loops or "")
        item = rng.choice(("x", "b", "w")) + str(self.loops or "")
        choice = rng.random()
        if choice < 0.4 or not memory or self.rounds * ROUNDS * 3 > BUDGET:
            if choice < 0.06:
                # very long, and left soon
                start, step = literal(rng), rng.choice((1, -1, 7, -(1 << 40), 1 << 64))
                count = f"n{self.loops}"
                self.emit(f"{count} = 0")
                self.bind(count, "int")
                stop = f"{start} + {step} * {rng.choice((3, 1 << 20, 1 << 70))}"
                lines = (f"{count} += 1", f"if {count} > {rng.randrange(1, 9)}:", "    break")
                self.loop(
                    f"for {own} in range({start}, {stop}, {step}):",
                    9,
                    depth,
                    {own: "int", count: "int"},
                    lines,
                    {count},
                )
                return
            if choice < 0.1:
                text = f"({self.leaf()}, {self.leaf()}, {shown(rng, literal(rng))})"
                return self.loop(f"for {own} in {text}:", 3, depth, {own: "int"})
            most = 12 if self.chance(0.93) or self.loops else rng.choice((200, 700))
            most = most if self.affords(most * 3) else 5
            return self.loop(f"for {own} in {self.range(most)}:", max(most, 12), depth, {own: "int"})
        name = rng.choice(memory)
        iterated = {name}
        if choice < 0.7:
            source, _ = (name, 0) if self.chance(0.7) else self.iterable()
            self.loop(
                f"for {item} in {source}:", ROUNDS, depth, {item: "int"}, (), iterated | self.named(source)
            )
        elif choice < 0.85:
            start = rng.choice(("", "", ", 1", f", {self.leaf()}"))
            source = (
                name if self.chance(0.7) else self.slice_of(name, 1) if ":" not in self.known[name] else name
            )
            self.loop(
                f"for {own}, {item} in enumerate({source}{start}):",
                ROUNDS,
                depth,
                {own: "int", item: "int"},
                (),
                iterated,
            )
        else:
            other = rng.choice(memory)
            iterated.add(other)
            source = rng.choice(
                (other, "range(9)", f"{other}[1:]" if ":" not in self.known[other] else other)
            )
            if self.chance(0.2):
                head = f"for {own}, ({item}, y) in enumerate(zip({name}, {source})):"
                return self.loop(head, ROUNDS, depth, {own: "int", item: "int", "y": "int"}, (), iterated)
            self.loop(
                f"for {item}, y in zip({name}, {source}):",
                ROUNDS,
                depth,
                {item: "int", "y": "int"},
                (),
                iterated,
            )

    def named(self, text: str) -> set[str]:
        return {name for name in self.known if name in text}

    def loop_while(self, depth: int) -> None:
        rng = self.rng
        count = f"n{self.loops}"
        choice = rng.random()
        names = [
            n
            for n in self.names(lambda t: t == "int")
            if n not in self.fixed and n not in self.module.shared and n not in self.params
        ]
        if choice < 0.3 and names:
            # a number's digits
            name = rng.choice(names)
            bits = rng.choice((8, 16, 32, 64))
            shift = max(bits // 8, 1)
            self.emit(f"{name} &= {hex((1 << bits) - 1)}")
            line = rng.choice(
                (f"{name} >>= {shift}", f"{name} //= {1 << shift}", f"{name} = {name} >> {shift}")
            )
            head = rng.choice((f"while {name}:", f"while {name} > 0:", f"while {name} != 0:"))
            return self.loop(head, 9, depth, {}, (line,), {name})
        most = rng.randrange(1, 9)
        if choice < 0.65:
            self.emit(f"{count} = {rng.choice((0, 0, 1, -3))}")
            self.bind(count, "int")
            head = rng.choice(
                (
                    f"while {count} < {most}:",
                    f"while {count} < {most} and {self.truth(1)}:",
                    f"while {count} != {most}:" if most > 1 else f"while {count} <= {most}:",
                )
            )
            return self.loop(head, 13, depth, {count: "int"}, (f"{count} += 1",), {count})
        if choice < 0.85:
            self.emit(f"{count} = {self.number(1)} & 7")
            self.bind(count, "int")
            return self.loop(f"while {count}:", 8, depth, {count: "int"}, (f"{count} -= 1",), {count})
        self.emit(f"{count} = 0")
        self.bind(count, "int")
        lines = (f"{count} += 1", f"if {count} > {most}:", "    break")
        self.loop(rng.choice(("while True:", "while 1:")), 9, depth, {count: "int"}, lines, {count})

    # --- the whole -------------------------------------------------------------------------------

    def returns(self) -> None:
        if self.result == "none":
            return self.emit(self.rng.choice(("return", "return None")))
        if self.result == "same":
            found = self.names(is_writable) or ["None"]
            return self.emit(f"return {self.rng.choice(found)}")
        text = self.value(self.result, 2)
        if self.result == "int" and self.chance(0.55):
            text = self.masked(text)
        self.emit(f"return {text}")

    def text(self) -> str:
        """The whole function."""
        rng = self.rng
        if self.counter:
            self.fixed.add(self.counter)
            self.emit(f"if {self.counter} > 5:")
            self.emit(f"    {self.counter} = 5")
            self.emit(f"if {self.counter} <= 0:")
            self.indent += 1
            self.returns()
            self.indent -= 1
        helpers = self.callable_helpers("int")
        if helpers and self.chance(0.7):
            text = self.call(rng.choice(helpers), 2)
            self.emit(f"{self.new_name_bound('int')} = {text}")
        self.assign()
        self.statements(rng.randrange(1, 7), 3)
        if self.counter:
            for _ in range(rng.choice((1, 1, 2))):
                text = self.call(self.name, 1, self.counter)
                self.emit(f"{self.new_name_bound(self.result)} = {text}")
            # five levels, each twice
            self.cost *= 32
        if self.result != "maybe" or self.chance(0.8):
            self.returns()
        head = ["    " + f"global {', '.join(sorted(self.globals))}"] if self.globals else []
        if self.chance(0.05):
            head.insert(0, '    """What this is for."""')
        params = ", ".join(self.params) + (f"={self.default}" if self.default else "")
        return "\n".join([f"def {self.name}({params}):", *head, *self.lines])


class _Module:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.functions: dict[str, _Function] = {}
        self.closed = rng.random() < 0.15
        self.extras = rng.random() < 0.03
        # what outlives the call is written to, but by what it is passed as
        self.writes = rng.random() < 0.06
        self.shared: dict[str, str] = {}
        for name, type_, share in (
            ("G0", "int", 0.3), ("G1", "int", 0.12), ("G2", "maybe", 0.06), ("T0", "table", 0.15),
            ("T1", "table", 0.05),
            ("B0", "bytes", 0.06), ("L0", "list", 0.12),
        ):  # fmt: skip
            if rng.random() < share:
                self.shared[name] = type_

    def params(self, entry: bool) -> dict:
        rng = self.rng
        found = {}
        memory: list[str] = []
        for name in "pqrs"[: rng.choice((1, 2, 2, 3, 3, 4) if entry else (1, 1, 2, 2, 3))]:
            found[name] = rng.choices(
                ("int", "bool", "maybe", "bytes", "bytearray", "list", "memoryview", "array", "ndarray",
                 ("int", "int")),
                (20, 1, 1.5, 4, 3, 4, 2, 3, 2, 0.6),
            )[0]  # fmt: skip
            if found[name] in ("memoryview", "array", "ndarray"):
                codes = DTYPES if found[name] == "ndarray" else CODES
                code = "B" if found[name] == "memoryview" and rng.random() < 0.6 else rng.choice(tuple(codes))
                found[name] = f"{found[name]}:{code}"
            if is_writable(found[name]):
                # alike, so that one may be the other
                found[name] = rng.choice(memory) if memory and rng.random() < 0.6 else found[name]
                memory.append(found[name])
        return found

    def program(self) -> str:
        rng = self.rng
        texts = []
        count = rng.choice((1, 1, 1, 2, 2, 3))
        for at in range(count):
            entry = at == count - 1
            params, counter = self.params(entry), None
            name = "entry" if entry else f"f{at}"
            if not entry and rng.random() < 0.05:
                name = rng.choice([each for each in HIDEABLE if each not in self.functions])
            if entry:
                result = rng.choices(
                    ("int", "bool", "maybe", "none", "same", "list", "bytes", "bytearray", ("int", "int"),
                     ("int", "list"),
                     ("bool", ("int", "int")), ("bytes", "maybe"), ("int", "none")),
                    (40, 4, 6, 6, 4, 8, 6, 2, 10, 3, 3, 2, 2),
                )[0]  # fmt: skip
            else:
                result = rng.choices(("int", "bool", "maybe", "none", "list", "bytes"), (30, 3, 2, 3, 4, 3))[
                    0
                ]
            if rng.random() < 0.1 and result == "int":
                params, counter = {"n": "int", **params}, "n"
            function = _Function(self, name, params, result, counter)
            texts.append("@jit\n" + function.text())
            self.functions[name] = function
        names = list(self.shared)
        lines = [f"{name} = {self.shared_value(name)}" for name in names]
        gives = f"def state():\n    return ({''.join(name + ', ' for name in names)})"
        if not self.closed:
            return "\n\n\n".join(["\n".join(lines)] * bool(lines) + [*texts, gives])
        setters = [f"def set_{name}(value):\n    nonlocal {name}\n    {name} = value" for name in names]
        inner = "\n\n".join(["\n".join(lines)] * bool(lines) + [*texts, gives, *setters])
        outer = ", ".join(["entry", "state", *(f"set_{name}" for name in names)])
        return f"def closed():\n{indented(inner)}\n    return {outer}\n\n\n{outer} = closed()"

    def shared_value(self, name: str) -> str:
        rng = self.rng
        match self.shared[name]:
            case "int":
                return str(literal(rng))
            case "maybe":
                return rng.choice(("None", str(literal(rng))))
            case "bytes":
                return repr(rng.randbytes(rng.choice((0, 3, 8, 16))))
        width = rng.choice((4, 8, 16, 32, 64, 70))
        count = rng.choice((1, 4, 8, 16, 16))
        numbers = [rng.randrange(1 << width) if rng.random() < 0.9 else literal(rng) for _ in range(count)]
        return repr(numbers) if self.shared[name] == "list" else repr(tuple(numbers))

    def change(self) -> str:
        """Something done to what is shared, between two calls."""
        rng = self.rng
        name = rng.choice(list(self.shared))
        if self.shared[name] == "list" and rng.random() < 0.6:
            return f"state()[{list(self.shared).index(name)}][0] = {literal(rng)}"
        value = self.shared_value(name)
        return f"set_{name}({value})" if self.closed else f"{name} = {value}"


def indented(text: str) -> str:
    return "\n".join("    " + line if line else line for line in text.split("\n"))


# --- arguments ------------------------------------------------------------------------------------


def number_for(rng: random.Random) -> int:
    choice = rng.random()
    if choice < 0.01:
        return rng.getrandbits(2000)
    if choice < 0.25:
        return rng.choice((0, 1, -1, 2, 3, 5, 7, -2, 8, 255, 256))
    if choice < 0.65:
        return boundary(rng)
    if choice < 0.85:
        return rng.randrange(-300, 3000)
    return rng.choice((1, -1)) * rng.getrandbits(rng.choice((8, 16, 31, 32, 40, 63, 64, 65, 100, 128, 200)))


def items_for(rng: random.Random, item: tuple[int, int] | None) -> list[int]:
    length = rng.choice((8, 8, 8, 9, 11, 12, 16, 16, ROUNDS, 4, 3, 1, 0)) if rng.random() < 0.6 else 8
    if item is None:
        return [number_for(rng) for _ in range(length)]
    bits, signed = item
    low = -(1 << (bits - 1)) if signed else 0
    numbers = [rng.getrandbits(bits) if rng.random() < 0.5 else boundary(rng) for _ in range(length)]
    return [low + (number - low) % (1 << bits) for number in numbers]


def argument(rng: random.Random, type_, at: int, before: dict[int, str], shared: int | None) -> str:
    """An expression; `before`: the types of the arguments before it, one of which it may be, or a part of;
    `shared`: the place of a list in what `state` gives."""
    if isinstance(type_, tuple):
        return f"({', '.join(argument(rng, each, at, {}, None) for each in type_)})"
    match type_:
        case "int":
            return str(number_for(rng))
        case "bool":
            return rng.choice(("True", "False"))
        case "maybe":
            return "None" if rng.random() < 0.4 else str(number_for(rng))
        case "none":
            return "None"
    maker, _, code = type_.partition(":")
    alike = [each for each, other in before.items() if other == type_]
    if type_ == "list" and shared is not None and rng.random() < 0.2:
        return f"state()[{shared}]"
    if alike and maker != "bytes" and rng.random() < 0.35:
        whole = f"a{rng.choice(alike)}"
        low = rng.randrange(5)
        return (
            f"{whole}[{low}:{rng.choice((low + 4, low + 8, -1))}]"
            if ":" in type_ and rng.random() < 0.6
            else whole
        )
    if type_ == "memoryview:B":
        bytes_ = [each for each, other in before.items() if other == "bytearray"]
        if bytes_ and rng.random() < 0.4:
            return f"memoryview(a{rng.choice(bytes_)})[{rng.randrange(4)}:]"
    items = items_for(rng, item_of(type_))
    match maker:
        case "list":
            return repr(items)
        case "bytes":
            return repr(bytes(items))
        case "bytearray":
            return f"bytearray({bytes(items)!r})"
        case "memoryview":
            return (
                f"memoryview(bytearray({bytes(items)!r}))"
                if code == "B"
                else f'memoryview(array("{code}", {items}))'
            )
        case "array":
            return f'array("{code}", {items})'
    return f'np.array({items}, dtype="{code}")'


def other_types(rng: random.Random, params: list) -> list:
    """The parameters' types for calls of another kind: a bool or None for an int, other memory for memory."""
    at = rng.randrange(len(params))
    changed = {
        "int": ("bool", "bool", "none"), "bytes": ("bytearray", "memoryview:B"),
        "bytearray": ("array:B", "memoryview:B"),
        "list": ("array:q", "array:I"), "maybe": ("int",), "bool": ("int",),
    }  # fmt: skip
    return [rng.choice(changed.get(type_, (type_,))) if n == at else type_ for n, type_ in enumerate(params)]


# What may take a builtin's place.
HIDERS = {"abs": "def other(x):\n    return 3 - x", "divmod": "def other(x, y):\n    return y, x"}


def program(seed: int) -> str:
    """A module's text."""
    rng = random.Random(seed)
    module = _Module(rng)
    text = module.program()
    types = list(module.functions["entry"].params.values())
    other = other_types(rng, types) if rng.random() < 0.3 else types
    changes = rng.choice((0, 0, 0, 1, 2, 3)) if module.shared else 0
    changed = {rng.randrange(CALLS) for _ in range(changes)}
    # a builtin that is hidden for a while
    hidden = next((name for name in HIDERS if f"{name}(" in text and f"def {name}(" not in text), None)
    hiding = {CALLS // 2: f"{hidden} = other", CALLS * 3 // 4: f"del {hidden}"}
    if hidden and not module.closed and rng.random() < 0.2:
        text += f"\n\n@jit\n{HIDERS[hidden]}\n"
    else:
        hiding = {}
    names = list(module.shared)
    shared = names.index("L0") if "L0" in names else None
    lines = []
    for call in range(CALLS):
        before: dict[int, str] = {}
        args = []
        for at, type_ in enumerate(other if call % 4 == 3 else types):
            args.append(argument(rng, type_, at, before, shared))
            before[at] = type_
        change = hiding.get(call) or (module.change() if call in changed else "")
        lines.append(f"    ({change!r}, ({', '.join(map(repr, args))},)),")
    return "\n".join([text, "", "CALLS = [", *lines, "]", ""])


# --- what is in one -------------------------------------------------------------------------------

WORDS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.USub: "unary -", ast.UAdd: "unary +", ast.Invert: "~", ast.Not: "not", ast.And: "and", ast.Or: "or",
    ast.Is: "is None", ast.IsNot: "is not None", ast.If: "if", ast.While: "while", ast.For: "for",
    ast.Break: "break",
    ast.Continue: "continue", ast.IfExp: "if else", ast.ListComp: "comprehension",
    ast.AugAssign: "augmented assignment", ast.Slice: "slice", ast.Global: "global", ast.Raise: "raise",
    ast.Assert: "assert",
}  # fmt: skip


def features(text: str) -> set[str]:
    """What of all that matters is in a module."""
    tree = ast.parse(text)
    *body, calls = tree.body
    functions = [
        node
        for each in body
        for node in ast.walk(each)
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    ]
    nodes = [node for function in functions for node in ast.walk(function)]
    found = {WORDS[type(node)] for node in nodes if type(node) in WORDS}
    named = {function.name for function in functions}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name), args=args):
                found.add("a call of its own function" if name in named else f"{name}()")
                if name == "pow":
                    found.add(f"pow() of {len(args)}")
            case ast.Call(func=ast.Attribute(attr=name)):
                found.add(f".{name}()")
            case ast.Compare(ops=ops) if len(ops) > 1:
                found.add("chained comparison")
            case ast.Slice(step=ast.expr()):
                found.add("slice with a step")
            case ast.Assign(targets=[ast.Subscript(slice=ast.Slice())]):
                found.add("slice assignment")
            case ast.Assign(targets=[ast.Subscript()]):
                found.add("item assignment")
            case ast.Assign(targets=[ast.Tuple(elts=targets)]):
                found.add(
                    "nested unpacking" if any(isinstance(x, ast.Tuple) for x in targets) else "unpacking"
                )
            case ast.Assign(targets=[_, _]):
                found.add("two targets")
            case ast.AugAssign(target=ast.Subscript()):
                found.add("augmented item assignment")
            case ast.For(orelse=[_, *_]) | ast.While(orelse=[_, *_]):
                found.add("a loop's else")
            case ast.ListComp(generators=[_, _]):
                found.add("nested comprehension")
            case ast.comprehension(ifs=[_]):
                found.add("comprehension with a condition")
            case ast.Constant(value=None):
                found.add("None")
            case ast.Return(value=ast.Tuple()):
                found.add("a tuple returned")
        if isinstance(node, ast.For | ast.While) and any(
            isinstance(inner, ast.For | ast.While) for line in node.body for inner in ast.walk(line)
        ):
            found.add("nested loops")
    for function in functions:
        inner = list(ast.walk(function))
        stored = {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        if stored & {*HIDEABLE} or function.name in HIDEABLE:
            found.add("a builtin hidden")
        if any(isinstance(node, ast.Call) and ast.unparse(node.func) == function.name for node in inner):
            found.add("recursion")
        if any(isinstance(node, ast.Name) and re.fullmatch("[GTBL][0-9]", node.id) for node in inner):
            found.add("a closure" if "nonlocal" in text or "def closed" in text else "a global")
    shown = ast.unparse(calls)
    for word in ("bytearray(", "memoryview(", "array(", "np.array(", "None", "True", "[]", "b''"):
        if word in shown:
            found.add(f"an argument {word.strip('(')}")
    if "state()[" in shown:
        found.add("an argument that is shared, too")
    if re.search(r"'a[0-9]'", shown):
        found.add("an argument twice")
    if re.search(r"\ba[0-9]\)?\[", shown):
        found.add("an argument that is a part of another")
    if any(before for before, _ in ast.literal_eval(calls.value)):
        found.add("something shared changed between calls")
    return found
