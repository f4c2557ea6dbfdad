"""Random functions of IR whose blocks lead anywhere: loops in loops, loops with two entries.

Blocks' parameters are often passed the same few values, so that some are equal, or count in step. What a run
does is seen by its stores.
"""

import random

from carrychain.ring.ir.dominance import Dominance
from carrychain.ring.ir.form import (
    BOOL,
    INT,
    Array,
    Block,
    Bool,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Position,
    Return,
    TrapTerminator,
    Type,
    Value,
    unsigned,
)

BYTES = Array(unsigned(8))
TESTS = ("lt", "le", "gt", "ge", "eq", "ne", "ne", "eq")
SUMS = ("add", "add", "add", "sub", "sub", "mul", "and", "ior")
PARAMS = (("n", INT), ("m", unsigned(4)), ("k", Int(-3, 9)), ("c", BOOL), ("a", BYTES), ("b", BYTES))


class Graph:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.count = 0
        self.blocks = [Block(f"b{at}") for at in range(rng.randrange(3, 9))]
        self.function = Function("f", [INT], self.blocks)
        self._lead()
        self.blocks[0].params = [Value(name, type_) for name, type_ in PARAMS]
        for block in self.blocks[1:]:
            block.params = [
                self._value(rng.choice((INT, INT, INT, BYTES))) for _ in range(rng.choice((0, 1, 2, 3)))
            ]
        dominance = Dominance(self.function)
        self.blocks[:] = [block for block in self.blocks if block in dominance.number]
        known: dict[Block, list[Value]] = {}
        for block in dominance.order:
            at = dominance.number[block]
            above = known[dominance.order[dominance.last[at]]] if at else []
            self.block, self.there = block, [*above, *block.params]
            known[block] = self.there
            if not at:
                self.numbers = [self._emit("const", [], INT, number) for number in (0, 1, 2, 8, -1)]
            for _ in range(rng.randrange(5)):
                self._something()
            self._end()
        for block in self.blocks:
            self.there = known[block]
            for edge in block.terminator.edges:
                edge.args = [self._passed(param) for param in edge.block.params]

    def _value(self, type_: Type) -> Value:
        self.count += 1
        return Value(f"v{self.count}", type_)

    def _lead(self) -> None:
        """Each block leads on, maybe back; some end."""
        for at, block in enumerate(self.blocks):
            ahead = self.blocks[min(at + 1, len(self.blocks) - 1)]
            there, elsewhere = (self.rng.choice([ahead, ahead, *self.blocks[1:]]) for _ in range(2))
            if ahead is block or (at and self.rng.random() < 0.1):
                block.terminator = Return([])
            elif self.rng.random() < 0.4:
                block.terminator = Jump(Edge(there))
            else:
                block.terminator = Branch(Value("c", BOOL), Edge(there), Edge(elsewhere))

    def _emit(self, op: str, args: list[Value], type_: Type, attribute: object = None) -> Value:
        result = self._value(type_)
        self._do(op, args, [result], attribute)
        self.there.append(result)
        return result

    def _do(self, op: str, args: list[Value], results: list[Value], attribute: object = None) -> None:
        self.count += 1
        position = Position("f", self.count, 1)
        self.block.instructions.append(Instruction(op, args, results, attribute, position))

    def _some(self, type_: type) -> Value:
        some = [value for value in self.there if isinstance(value.type, type_)]
        return self.rng.choice(some[-4:] if self.rng.random() < 0.6 else some)

    def _something(self) -> None:
        match self.rng.randrange(12):
            case 0 | 1 | 2 | 3:
                self._emit("add", [self._some(Int), self.rng.choice(self.numbers)], INT)
            case 4:
                self._emit(self.rng.choice(SUMS), [self._some(Int), self._some(Int)], INT)
            case 5:
                self._emit(
                    self.rng.choice(("low", "field")), [self._some(Int)], INT, self.rng.choice((3, 8, 64))
                )
            case 6:
                type_ = self.rng.choice((unsigned(8), Int(-100, 100), Int(0)))
                self._emit(self.rng.choice(("narrow", "narrow", "assume")), [self._some(Int)], INT, type_)
            case 7:
                self._emit(self.rng.choice(("fdiv", "fmod")), [self._some(Int), self._some(Int)], INT)
            case 8:
                self._do("store", [self._some(Array), self._emit("low", [self._some(Int)], INT, 1),
                                   self._emit("low", [self._some(Int)], INT, 8)], [])  # fmt: skip
            case 9:
                self._emit("load", [self._some(Array), self.rng.choice(self.numbers[:3])], INT)
            case 10:
                self._emit("len", [self._some(Array)], INT)
            case 11:
                self._emit(
                    "new",
                    [self.rng.choice(self.numbers[1:]), self.rng.choice(self.numbers[:3])],
                    BYTES,
                    BYTES,
                )

    def _test(self) -> Value:
        if self.rng.random() < 0.1:
            return self._emit("not", [self._some(Bool)], BOOL)
        return self._emit(self.rng.choice(TESTS), [self._some(Int), self._some(Int)], BOOL)

    def _end(self) -> None:
        match self.block.terminator:
            case Branch() as end:
                end.condition = self._test()
            case Return() as end:
                end.args = [self._some(Int)]
                if self.rng.random() < 0.1:
                    self.block.terminator = TrapTerminator("here", Position("f", self.count, 2))

    def _passed(self, param: Value) -> Value:
        alike = [value for value in self.there if type(value.type) is type(param.type)]
        if param in alike and self.rng.random() < 0.3:
            return param
        return self.rng.choice(alike[:4] if self.rng.random() < 0.5 else alike[-3:])


def random_graph(rng: random.Random) -> Function:
    return Graph(rng).function
