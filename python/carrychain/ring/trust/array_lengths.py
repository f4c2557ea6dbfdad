"""Shows that a number is the length of an array, and may replace its `len`, or be replaced by it.

The length of an array is fixed when `new` makes it: it is the count given there, at least 0 and less than
LONGEST. So an `assume` of these bounds, in the same block as the `new`, holds.

Let an array and a number be parameters of one block. If each edge that may be taken passes an array together
with its length, then the number is the array's length, by induction over the entries of the block. The number
may then replace the result of `len`, or `len` of the array may replace the parameter, at the start of the
block.
"""

from __future__ import annotations

from ..ir.form import INT, Block, Edge, Instruction, Int, Value
from .check import LONGEST
from .rewritten import Rewritten


class ArrayLengths(Rewritten):
    def __init__(self, *args):
        super().__init__(*args)
        # by the block before: what each edge passes to its parameters, before and after
        self._edges: dict[Block, list[tuple[dict[Value, Value], dict[Value, Value]]]] = {}
        # by added parameter: the block before that its block corresponds to
        self._new: dict[Value, Block] = {}
        self._lengths: dict[Value, Value] = {}
        self._lengths_after: dict[Value, Value] = {}

    def _edge(self, edge: Edge, was: Edge, block: Block, before: Block) -> None:
        super()._edge(edge, was, block, before)
        were = dict(zip(was.block.params, was.args, strict=True))
        self._edges.setdefault(was.block, []).append(
            (were, dict(zip(edge.block.params, edge.args, strict=True)))
        )

    def new_param(self, param: Value, after: Block, before: Block) -> None:
        if param in self.home or not isinstance(param.type, Int):
            super().new_param(param, after, before)
        self._new[param] = before

    def passed(self, param: Value, arg: Value, were: dict[Value, Value], block: Block) -> None:
        """`shown_same` shows it to be the length, where it replaces one."""
        if not isinstance(arg.type, Int):
            super().passed(param, arg, were, block)

    def added(self, i: Instruction, block: Block) -> bool:
        if i.op == "len":
            return True
        if i.op != "assume" or 0 not in i.attribute or LONGEST - 1 not in i.attribute:
            return False
        made = block.instructions[: block.instructions.index(i)]
        return any(each.op == "new" and each.args[0] is i.args[0] for each in made)

    def changed(self, result: Value, i: Instruction, home: Block, block: Block) -> bool:
        if i.op == "len" and result in self.params and self.of.get(block) is home:
            self.equal(result, self._length_after(i.args[0]))
            return True
        return super().changed(result, i, home, block)

    def passed_on(self, made: Instruction) -> Value | None:
        return _made_with(made, self.made) or super().passed_on(made)

    def passed_on_after(self, made: Instruction) -> Value | None:
        return _made_with(made, self.made_after) or super().passed_on_after(made)

    def shown_same(self, y: Value, x: Value) -> bool:
        if x in self._new and (array := _asked(self.made.get(y))) is not None:
            block = self._new[x]
            if not self._is_param(array, block):
                return False
            for were, passed in self._edges.get(block, ()):
                self.equal(self._length(were[array]), passed[x])
            return True
        if y in self.params and (array := _asked(self.made_after.get(x))) is not None:
            block = self.params[y][0]
            edges = self._edges.get(block, ())
            if not self._is_param(array, block) or any(array not in passed for _, passed in edges):
                return False
            for were, passed in edges:
                self.equal(were[y], self._length_after(passed[array]))
            return True
        return False

    def _is_param(self, value: Value, block: Block) -> bool:
        """Whether the value is a parameter of the block, and edges pass it: not those of the entry."""
        return block is not self.before.blocks[0] and value in self.params and self.params[value][0] is block

    def _length(self, array: Value) -> Value:
        """The result of `len` on the array, in the function before."""
        return _length(array, self._lengths, self.made)

    def _length_after(self, array: Value) -> Value:
        return _length(array, self._lengths_after, self.made_after)


def _length(array: Value, lengths: dict[Value, Value], made: dict[Value, Instruction]) -> Value:
    if array not in lengths:
        length = lengths[array] = Value(f"the length of {array.name}", INT)
        made[length] = Instruction("len", [array], [length])
    return lengths[array]


def _asked(made: Instruction | None) -> Value | None:
    return made.args[0] if made is not None and made.op == "len" else None


def _made_with(asks: Instruction, made: dict[Value, Instruction]) -> Value | None:
    """The count given to the `new` that made the array, if the instruction is `len` of it."""
    array = _asked(asks)
    new = made.get(array) if array is not None else None
    return new.args[0] if new is not None and new.op == "new" else None
