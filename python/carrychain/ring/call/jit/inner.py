"""A function's calls of itself, if it has copies for words."""

from __future__ import annotations

from itertools import count

from ...ir.form import (
    BOOL,
    INT,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Jump,
    Return,
    TrapTerminator,
    Type,
    Value,
    signed,
)

WORD = signed(64)
# The trap of a copy whose results are words, for a result that does not fit.
GIVEN_UP = "not of words"


class Rewriting:
    """A function being rewritten: fresh names, and blocks that are split."""

    def __init__(self, function: Function):
        self.function = function
        self._numbers = count()
        self._names = {value.name for value in function.values()} | {b.name for b in function.blocks}

    def fresh(self, name: str) -> str:
        return next(new for at in self._numbers if (new := f"{name}.{at}") not in self._names)

    def put(self, into: Block, op: str, type_: Type, args: list[Value], attribute=None) -> Value:
        made = Value(self.fresh(op), type_)
        into.instructions.append(Instruction(op, args, [made], attribute))
        return made

    def fit(self, into: Block, values: list[Value]) -> Value:
        """Whether each of the values is a word; there is at least one."""
        found = None
        for value in values:
            for op, bound in (("ge", WORD.low), ("le", WORD.high)):
                end = self.put(into, "const", INT, [], bound)
                within = self.put(into, op, BOOL, [value, end])
                found = within if found is None else self.put(into, "select", BOOL, [found, within, found])
        return found

    def narrowed(self, into: Block, values: list[Value], places: list[int]) -> list[Value]:
        """The values, with those at these positions narrowed to words."""
        return [
            self.put(into, "narrow", WORD, [value], WORD) if at in places else value
            for at, value in enumerate(values)
        ]

    def cut(self, block: Block, at: int, name: str) -> Block:
        """Splits the block after its first instructions; nothing leads to the new block yet."""
        rest = Block(self.fresh(name))
        rest.instructions, rest.terminator = block.instructions[at:], block.terminator
        del block.instructions[at:]
        self.function.blocks.insert(self.function.blocks.index(block) + 1, rest)
        return rest

    def call(self, name: str) -> tuple[Block, Instruction] | None:
        """The first call of this function, and its block."""
        for block in self.function.blocks:
            for i in block.instructions:
                if i.op == "call" and i.attribute == name:
                    return block, i
        return None


def choose(function: Function, callee: str, twin: str, wide: list[int]) -> None:
    """Replaces each call of `callee` by a test whether the arguments are words, and a call of one copy or the
    other."""
    r = Rewriting(function)
    asked = []
    while found := r.call(callee):
        block, call = found
        after = r.cut(block, block.instructions.index(call), "after")
        del after.instructions[0]
        after.params = list(call.results)
        small, large = Block(r.fresh("small")), Block(r.fresh("large"))
        block.terminator = Branch(r.fit(block, [call.args[at] for at in wide]), Edge(small), Edge(large))
        for into, args in ((small, r.narrowed(small, call.args, wide)), (large, call.args)):
            results = [Value(r.fresh(value.name), value.type, value.position) for value in call.results]
            into.instructions.append(Instruction("call", args, results, twin, call.position))
            into.terminator = Jump(Edge(after, list(results)))
        asked += large.instructions
        at = function.blocks.index(after)
        function.blocks[at:at] = [small, large]
    for call in asked:
        call.attribute = callee


def strict(twin: Function, callee: str, wide: list[int], name: str) -> Function:
    """A copy of `twin` that also returns words, and in which each call of `callee` is a call of itself.

    In a recursive function, a result that may be of any size is BIG in each of these calls; here it is a
    word. If one does not fit, the trap GIVEN_UP ends all the calls.
    """
    made = twin.copy()
    made.name = name
    given = [at for at, type_ in enumerate(made.results) if type_ == INT]
    made.results = [WORD if at in given else type_ for at, type_ in enumerate(made.results)]
    r = Rewriting(made)
    up = Block(r.fresh("up"), terminator=TrapTerminator(GIVEN_UP))

    def checked(block: Block, at: int, values: list[Value], places: list[int]) -> tuple[Block, list[Value]]:
        """Splits the block after a check that these values are words; returns the rest, and the words."""
        rest = r.cut(block, at, "rest")
        block.terminator = Branch(r.fit(block, [values[at] for at in places]), Edge(rest), Edge(up))
        head = Block("")
        narrowed = r.narrowed(head, values, places)
        rest.instructions[:0] = head.instructions
        return rest, narrowed

    while found := r.call(callee):
        block, call = found
        call.attribute = name
        for at in given:
            call.results[at].type = WORD
        if wide:
            _, call.args = checked(block, block.instructions.index(call), call.args, wide)
    for block in list(made.blocks):
        if isinstance(block.terminator, Return):
            rest, values = checked(block, len(block.instructions), block.terminator.args, given)
            rest.terminator = Return(values)
    made.blocks.append(up)
    return made
