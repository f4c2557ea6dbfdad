"""Which bits a value is made of, beside the interpreter: of random expressions, and of every short number."""

from random import Random

import pytest
from carrychain.ring.facts.plan import Range
from carrychain.ring.ir.form import INT, LOGIC, Block, Function, Instruction, Module, Return, Value
from carrychain.ring.ir.interpret import Interpreter, logic
from carrychain.ring.trust.bitmap import BIT, BITS, CONSTANT, BitMaps, same

WIDE = 200  # bits that are compared
COUNTS = (0, 1, 2, 3, 7, 8, 31, 32, 33, 64)


class Expressions:
    """Random definitions over some parameters, and what they are by the interpreter."""

    def __init__(self, rng: Random, ranges: list[Range], length: int):
        self.rng = rng
        self.params = [Value(f"p{at}", INT) for at in range(len(ranges))]
        self.ranges = dict(zip(self.params, ranges, strict=True))
        self.values = list(self.params)
        self.made: dict[Value, Instruction] = {}
        while len(self.made) < length:
            self.instruction()

    def emit(self, op: str, *args: Value, attribute=None) -> Value:
        result = Value(f"t{len(self.made)}", INT)
        self.made[result] = Instruction(op, list(args), [result], attribute)
        self.values.append(result)
        return result

    def constant(self, number: int) -> Value:
        return self.emit("const", attribute=number)

    def instruction(self) -> None:
        rng, (x, y) = self.rng, self.rng.choices(self.values, k=2)
        k = rng.choice(COUNTS[1:])
        match rng.randrange(9):
            case 0:
                self.emit(rng.choice(sorted(LOGIC)), x, y)
            case 1:
                self.emit(rng.choice(("low", "field")), x, attribute=k)
            case 2:
                self.emit("shift", x, self.constant(rng.choice((1, -1)) * rng.choice(COUNTS)))
            case 3:
                self.emit("fmod", x, self.constant(1 << k))
            case 4:
                # a union, if they share no bit
                self.emit("add", self.emit("low", x, attribute=k), self.emit("shift", y, self.constant(k)))
            case 5:
                # a sign that is flipped and subtracted
                power = self.constant(1 << (k - 1))
                self.emit("sub", self.emit("xor", self.emit("low", x, attribute=k), power), power)
            case 6:
                self.emit("neg", self.emit("low", x, attribute=rng.choice((1, 1, 2))))
            case 7:
                self.emit(rng.choice(("add", "sub", "neg", "mul")[:2]), x, y)
            case 8:
                self.emit(
                    "and", x, self.constant(rng.choice(((1 << k) - 1, -1 << k, 1 << k, rng.getrandbits(40))))
                )

    def maps(self) -> BitMaps:
        return BitMaps(self.made.get, self.ranges)

    def run(self, numbers: list[int]) -> dict[Value, int]:
        block = Block("entry", self.params, list(self.made.values()), Return(list(self.made)))
        results = Interpreter(Module({"f": Function("f", [INT] * len(self.made), [block])})).call(
            "f", *numbers
        )
        return dict(zip([*self.params, *self.made], [*numbers, *results], strict=True))


def bit(source, at: int, numbers: dict[int, int]) -> int:
    if source[0] == CONSTANT:
        return source[1]
    if source[0] in (BITS, BIT):
        _, value, first, inverted = source
        return (numbers[value] >> (first + at if source[0] == BITS else first) & 1) ^ inverted
    _, table, a, b, _ = source
    return logic(table, -bit(a, at, numbers), -bit(b, at, numbers)) & 1


def number(map_, numbers: dict[int, int]) -> int:
    """The lowest bits of what the map stands for."""
    found, at = 0, 0
    for width, source in (*map_[0], (WIDE, map_[1])):
        for each in range(min(width, WIDE - at)):
            found |= bit(source, each, numbers) << (at + each)
        at = min(at + width, WIDE)
    return found


def drawn(rng: Random, known: Range) -> int:
    low = -(1 << 90) if known.low is None else known.low
    high = 1 << 90 if known.high is None else known.high
    return rng.choice((low, high, rng.randint(low, high), max(low, min(high, rng.randint(-9, 9)))))


RANGES = (
    Range(),
    Range(0, 255),
    Range(-128, 127),
    Range(0, (1 << 32) - 1),
    Range(-2, 1),
    Range(2, 258),
    Range(5, 5),
)


def compared(expressions: Expressions, rng: Random) -> None:
    maps = expressions.maps()
    found = {value: maps.of(value) for value in expressions.values}
    of = {number: value for value, number in maps.numbers.items()}
    alike = [(a, b) for a in found for b in found if a is not b and same(found[a], found[b])]
    for _ in range(40):
        numbers = expressions.run([drawn(rng, expressions.ranges[p]) for p in expressions.params])
        atoms = {at: numbers[value] for at, value in of.items()}
        for value, map_ in found.items():
            assert number(map_, atoms) == numbers[value] % (1 << WIDE), (value, map_)
        for a, b in alike:
            assert numbers[a] == numbers[b]


@pytest.mark.parametrize("part", range(20))
def test_a_map_says_what_the_interpreter_computes(part, draw):
    compared(Expressions(draw, draw.choices(RANGES, k=3), 12), draw)


@pytest.mark.parametrize("op", LOGIC)
def test_an_operator_on_a_number_and_what_follows_from_it(op, draw):
    e = Expressions(draw, [Range(), Range(-128, 127)], 0)
    x, y = e.params
    others = [x, e.emit("c1", x, x), e.constant(0), e.constant(-1), e.constant(0b1010), y]
    for a in others:
        for b in others:
            e.emit(op, e.emit(op, a, b), e.emit("low", x, attribute=5))
    compared(e, draw)


def test_what_is_written_in_two_ways_is_the_same(draw):
    e = Expressions(draw, [Range(), Range(0, 255)], 0)
    x, y = e.params
    pairs = [
        (e.emit("fmod", x, e.constant(256)), e.emit("and", x, e.constant(255))),
        (e.emit("low", e.emit("field", x, attribute=9), attribute=9), e.emit("low", x, attribute=9)),
        (e.emit("low", y, attribute=8), y),
        (e.emit("shift", e.emit("shift", x, e.constant(9)), e.constant(-9)), x),
        (e.emit("c1", e.emit("c1", x, x), y), x),
        (e.emit("xor", x, x), e.constant(0)),
    ]
    flipped = e.emit("xor", e.emit("low", x, attribute=8), e.constant(128))
    pairs.append((e.emit("sub", flipped, e.constant(128)), e.emit("field", x, attribute=8)))
    sign = e.emit("neg", e.emit("low", e.emit("shift", x, e.constant(-7)), attribute=1))
    above = e.emit("and", sign, e.constant(-1 << 8))
    pairs.append((e.emit("ior", above, e.emit("low", x, attribute=8)), e.emit("field", x, attribute=8)))
    maps = e.maps()
    for a, b in pairs:
        assert same(maps.of(a), maps.of(b)), (maps.of(a), maps.of(b))


def test_what_is_nearly_the_same_is_not(draw):
    e = Expressions(draw, [Range(), Range(0, 255)], 0)
    x, y = e.params
    flipped = e.emit("xor", e.emit("low", x, attribute=8), e.constant(128))
    pairs = [
        (e.emit("fmod", x, e.constant(255)), e.emit("low", x, attribute=8)),
        (e.emit("and", x, e.constant(256)), e.emit("low", x, attribute=8)),
        (e.emit("low", x, attribute=9), e.emit("low", x, attribute=8)),
        (e.emit("low", e.emit("field", x, attribute=8), attribute=9), e.emit("low", x, attribute=9)),
        (e.emit("field", y, attribute=8), y),
        (e.emit("shift", e.emit("shift", x, e.constant(-9)), e.constant(9)), x),
        (e.emit("sub", flipped, e.constant(64)), e.emit("field", x, attribute=8)),
        (e.emit("sub", flipped, e.constant(128)), e.emit("field", x, attribute=7)),
        (e.emit("sub", flipped, e.constant(128)), e.emit("low", x, attribute=8)),
        (e.emit("neg", e.emit("low", x, attribute=2)), e.emit("field", x, attribute=2)),
        (e.emit("add", y, y), e.emit("ior", y, y)),
    ]
    maps = e.maps()
    for a, b in pairs:
        assert not same(maps.of(a), maps.of(b)), (maps.of(a), maps.of(b))


def test_a_constant_of_too_many_pieces_is_any_number():
    many = int("01" * 100, 2)
    x, y = Value("x", INT), Value("y", INT)
    made = Instruction("const", [], [x], many)
    maps = BitMaps({x: made}.get, {x: Range(many, many), y: Range(many, many)})
    assert maps.yields(made) is None
    assert same(maps.of(x), maps.of(x)) and not same(maps.of(x), maps.of(y))
