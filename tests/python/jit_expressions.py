"""Random Python expressions of integers and memory, as text: what jit_functions makes functions of.

Types are words: int, bool, maybe (an int, or None), bytes, bytearray, list and table (a tuple) of ints,
memoryview:B, array:H, ndarray:uint16 and so on; and a tuple of types. A name may also be bound on some
ways only.

Numbers stay small enough for a function to end soon: in a loop they grow by so many bits a round.
"""

from __future__ import annotations

import random

WIDTHS = (1, 5, 7, 8, 8, 13, 16, 24, 31, 32, 32, 32, 33, 48, 63, 64, 64, 64, 65, 127, 128, 130, 200, 256)
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


class Expressions:
    """Makes up a function's text. `known` maps names surely bound to types, `perhaps` the others."""

    def __init__(self, module, name: str, params: dict, result, counter: str | None):
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

    def one_of(self, *texts: str) -> str:
        return self.rng.choice(texts)

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
            (2, lambda: self.rounded(less)),
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
        if choice < 0.79:
            k = rng.randrange(65, 256)
            return self.binary(
                "%", text, rng.choice((f"(2**{k} - {rng.choice((1, 5, 19))})", hex((1 << k) - 189)))
            )
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

    def rounded(self, depth: int) -> str:
        """A quotient that is a float, made an int where it is made."""
        how = self.rng.choice(("int", "int", "round", "math.floor", "math.ceil", "math.trunc"))
        return f"{how}({self.number(depth - 1)} / {self.divisor(depth)})"

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
            "max": lambda: f"max(({self.leaf()}, {sub()}), ({self.leaf()}, {sub()}))[{rng.choice((0, 1))}]",
            "sum": lambda: (
                f"(lambda u, *v: u - sum(v))({', '.join(sub() for _ in range(rng.randrange(1, 4)))}"
                f"{rng.choice(('', f', *({self.leaf()}, {self.leaf()})'))})"
            ),
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
        if choice < 0.25:
            return f"sum({name})"
        if choice < 0.35:
            return f"sum({self.mapped(depth)})"
        if choice < 0.4:
            return self.reduced(depth)
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
            (3 * bool(self.name_of("flags")), lambda: self.of_flags(self.name_of("flags"))),
            (2 * bool(maybe), lambda: f"({maybe} is {rng.choice(('', 'not '))}None)"),
            (0.4 * bool(memory), lambda: f"(not {memory})"),
            (0.3 * bool(memory), lambda: f"({memory} == {self.name_of(self.known[memory])})"),
        )  # fmt: skip

    def of_flags(self, name: str) -> str:
        """What a list of bools says."""
        rng = self.rng
        place = f"{self.leaf()} % len({name})" if self.has("len") and self.chance(0.9) else self.leaf()
        ways = [f"{name}[{place}]", f"({rng.choice(('True', 'False'))} in {name})", f"({name}[-1] is True)"]
        ways += [f"{each}({name})" for each in ("any", "all") if self.has(each)]
        ways += [f"({name}.count({rng.choice(('True', 'False', '1'))}) > {rng.randrange(4)})"]
        ways += [f"(sum({name}) == {rng.randrange(4)})"] * self.has("sum")
        return rng.choice(ways)

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

    def of_own(self, names: str, depth: int, grows: bool = True) -> str:
        """A lambda of numbers that are its own."""
        outer, self.known = self.known, {**self.known, **dict.fromkeys(names, "int")}
        perhaps, self.perhaps = self.perhaps, {}
        self.loops += 1
        item = self.number(min(depth, 2))
        item = item if grows else self.masked(item)
        self.loops -= 1
        self.known, self.perhaps = outer, perhaps
        self.cost += self.rounds * ROUNDS
        return f"lambda {', '.join(names)}: {item}"

    def mapped(self, depth: int, each=None) -> str:
        names = "uv" if self.chance(0.2) else "u"
        sources = [self.iterable()[0] for _ in names]
        function = self.of_own(names, depth)
        if each:
            head, _, item = function.partition(": ")
            function = f"{head}: {each(item)}"
        return f"map({function}, {', '.join(sources)})"

    def reduced(self, depth: int) -> str:
        start = f", {self.leaf()}" if self.chance(0.6) else ""
        source = self.iterable()[0]
        return f"reduce({self.of_own('uv', depth, grows=False)}, {source}{start})"

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
                (1 * self.has("list"), lambda: f"list({self.mapped(depth)})"),
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
                (0.7, lambda: f"bytes({self.mapped(depth, byte)})"),
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
        if type_ == "table":
            name = self.name_of("table")
            return self.slice_of(name, depth) if name and self.chance(0.6) else name or "(3, 5)"
        if type_ in SEQUENCES and (self.chance(0.7) or not self.name_of(type_)):
            return self.made_memory(type_, depth)
        return self.name_of(type_)
