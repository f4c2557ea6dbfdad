"""Copies of elements in lanes, several at a time.

In code for one input, LLVM recognizes a loop that only copies an element per iteration. In lanes, bounds
checks and separate loads for each input hide the copy. So if enough iterations remain at the start of one,
and their elements are within bounds, they are done at once: bytes of rows are transposed, and elements of
columns are copied one after the other. Otherwise the iteration runs unchanged, and fails where it would.

The two arrays are distinct; otherwise stored elements might be loaded again. Rows are never stored to; and of
two column arrays, the one that is stored to was made after the other.
"""

from __future__ import annotations

from .form import (
    COLUMNS,
    ROWS,
    Const,
    Lanes,
    MachineBlock,
    MachineBranch,
    MachineFunction,
    MachineJump,
    Op,
    Operand,
    Word,
)
from .verify import known

# The least number of elements copied at a time: the bytes of each row that any processor's registers
# transpose.
MANY = 16


def copies(function: MachineFunction, register: int) -> None:
    """`register` is the width of a vector register in bits."""
    into: dict[MachineBlock, int] = {}
    for block in function.blocks:
        for to in block.end.blocks:
            into[to] = into.get(to, 0) + 1
    made = {word: (block, op) for block in function.blocks for op in block.ops for word in op.results}
    there: dict[MachineBlock, set[Word]] = {}
    for head in list(function.blocks):
        loop = _Loop.of(head, into)
        if loop is None or loop.load is None:
            continue
        there = there or known(function)
        if _apart(loop, made, there):
            source = loop.load.args[0]
            least = min(MANY, source.type.count)
            _hasten(function, loop, least)
            # rows of as many bytes as fill a register, if so many iterations remain
            if source.type.of == ROWS and register // 8 > least:
                _hasten(function, loop, register // 8)


class _Loop:
    """A loop that loads and stores an element per iteration, each at the counter plus an invariant."""

    def __init__(self, head: MachineBlock, way: list[MachineBlock], at: int, end: Operand):
        self.head = head
        self.way = way
        self.at = at  # the counter's position among the parameters
        self.end = end
        self.load: Op | None = None
        self.store: Op | None = None
        self.sums: list[Op] = []
        self.counted = {head.params[at]}  # the counter and what is added to it

    @classmethod
    def of(cls, head: MachineBlock, into: dict[MachineBlock, int]) -> _Loop | None:
        if not isinstance(head.end, MachineBranch) or not head.params:
            return None
        test = next((op for op in head.ops if head.end.condition in op.results), None)
        if test is None or test.op not in ("ult", "slt") or test.args[0] not in head.params:
            return None
        way, block = [], head.end.then
        while block is not head:
            if block.params or into[block] != 1 or not isinstance(block.end, MachineJump) or block in way:
                return None
            way.append(block)
            block = block.end.to
        at = head.params.index(test.args[0])
        stays = all(
            arg is param
            for k, (arg, param) in enumerate(zip(way[-1].end.args, head.params, strict=True))
            if k != at
        )
        inside = {word for block in (head, *way) for op in block.ops for word in op.results}
        if not stays or test.args[0].type != 64 or test.args[1] in inside:
            return None
        found = cls(head, way, at, test.args[1])
        return found if found._copies(inside | set(head.params)) else None

    def _copies(self, inside: set[Word]) -> bool:
        lengths: set[Word] = set()
        for op in (op for block in self.way for op in block.ops):
            match op.op:
                case "length" if op.args[0] not in inside:
                    lengths.add(op.result)
                    self.sums.append(op)
                case "add" | "sub" if op.result.type == 64:
                    moving = [arg in self.counted for arg in op.args]
                    staying = [
                        isinstance(arg, Const) or arg not in inside or arg in lengths for arg in op.args
                    ]
                    if moving not in ([True, False], [False, True][: 2 * (op.op == "add")]) or not any(
                        staying
                    ):
                        return False
                    self.counted.add(op.result)
                    self.sums.append(op)
                case "bounds" if op.attribute == 1 and op.args[1] in self.counted:
                    pass
                case "load" if self.load is None and len(op.args) == 2 and op.args[1] in self.counted:
                    self.load = op
                case "store" if self.store is None and len(op.args) == 3 and op.args[1] in self.counted:
                    self.store = op
                case _:
                    return False
        last = self.way[-1].end.args[self.at]
        step = next((op for op in self.sums if op.result is last), None)
        one = [Const(64, 1), self.head.params[self.at]]
        good = step is not None and step.op == "add" and (step.args == one or step.args == one[::-1])
        good = good and self.load is not None and self.store is not None
        if not good or self.store.args[2] is not self.load.result or self.store.args[0] in inside:
            return False
        source = self.load.args[0]
        return (
            source not in inside
            and isinstance(source.type, Lanes)
            and (source.type.of == COLUMNS or self.load.result.type.of == 8)
        )


def _apart(
    loop: _Loop, made: dict[Word, tuple[MachineBlock, Op]], there: dict[MachineBlock, set[Word]]
) -> bool:
    source, target = loop.load.args[0], loop.store.args[0]
    if source.type.of == ROWS:
        return True
    if target not in made or made[target][1].op != "new" or source is target:
        return False
    block, op = made[target]
    before = {word for other in block.ops[: block.ops.index(op)] for word in other.results}
    return source in there[block] or source in before


def _hasten(function: MachineFunction, loop: _Loop, count: int) -> None:
    """Copies `count` elements at once."""
    head, counter = loop.head, loop.head.params[loop.at]
    numbers = max(block.number for block in function.blocks)
    ask, do = MachineBlock(numbers + 1), MachineBlock(numbers + 2)
    ops = ask.ops

    def let(op: str, type_, *args: Operand) -> Word:
        ops.append(Op(op, list(args), [function.word(type_)]))
        return ops[-1].result

    words: dict[Operand, Operand] = {}
    for op in loop.sums:
        words[op.result] = let(op.op, 64, *(words.get(arg, arg) for arg in op.args))
    source, type_ = loop.load.args[0], loop.load.result.type
    many = Const(64, count)
    good: Operand = let("uge", 1, let("sub", 64, loop.end, counter), many)
    places = []
    for op in (loop.load, loop.store):
        place = words.get(op.args[1], op.args[1])
        places.append(place)
        length = let("length", 64, op.args[0])
        good = let("and", 1, good, let("uge", 1, length, many))
        good = let("and", 1, good, let("ule", 1, place, let("sub", 64, length, many)))
    ask.end = MachineBranch(good, do, head.end.then, True)
    ops = do.ops
    if source.type.of == ROWS:
        found = [function.word(type_) for _ in range(count)]
        ops.append(Op("transposed", [source, places[0]], found))
    else:
        found = [let("load", type_, source, let("add", 64, places[0], Const(64, k))) for k in range(count)]
    for k, word in enumerate(found):
        ops.append(Op("store", [loop.store.args[0], let("add", 64, places[1], Const(64, k)), word], []))
    after = let("add", 64, counter, many)
    do.end = MachineJump(head, [after if param is counter else param for param in head.params])
    head.end.then = ask
    at = function.blocks.index(head)
    function.blocks[at + 1 : at + 1] = [ask, do]
