"""That no object is used after it was given up, nor freed twice, nor never.

An object is an array, or an integer that is not small. It counts its owners, and the last to give it up frees
it. Owners are slots, elements of arrays, and the taker of a result, for whom `retain` adds one.

Blocks are taken in the function's order. A jump goes *forward* to a later block, *back* to the same or an
earlier one. Each block but the first is entered from an earlier one (defined.py), so what is on every way to
a block comes before it.

A word *leans on* the slots that may own what it is. What an operation makes leans on the slot it names, what
is loaded on that of the `keep` right behind, what is returned on that of the `own` right behind. What is
selected leans on what both do. A block's parameter leans on its own slot, if it has one, and on what all that
it is passed forward leans on. What the caller or the module owns, what is small, and constants lean on
nothing: they outlive the call. It is found that

- each slot belongs to one of these words, and nothing else fills it; a parameter's is filled by `give`, on
  jumps to its block;
- on a jump back, a parameter is passed what leans on nothing, or itself, or what the jump gives to its slot.

So a word comes after what fills the slots that it leans on. The claim: where a word is used, one of the slots
that it leans on owns what it is, or it leans on none. By induction over the steps of a run. It holds where
the word is defined, as it did for what the word is made of. Later, only the filling of a slot could end it.
Let w lean on that slot.

- An operation X fills it. As w comes after X, some way to X has not defined w. From X on, no way leads to a
  use of w without defining it anew: else both ways together would lead to that use, and w is defined on
  every way to its uses.
- A jump to a block B fills it, that of B's parameter q. As w is q or comes after B's parameters, it too is
  defined anew before it is used, but for what this jump itself passes. What is given is owned once more
  before any slot gives up what it had. What is not given leans on none of the slots that are filled: on a
  jump forward it comes before B; on a jump back it leans on nothing, or is a parameter of B, which leans on
  no other's slot, as what was passed forward to it comes before B.

That is why a parameter may borrow what it is passed forward. Where the strips of a loop begin, the block's
parameters share the slots of the head's, which comes later. They are passed on to the head and not used
otherwise, so the claim for them ends there, and begins for the head's.

An array in the frame has no owners, and is lost where it is made anew. Who may be it leans on that, as on a
slot that is filled there. No `give` helps, so it is not passed back to what did not lean on it before. Nor
may others take it for an object: it goes neither to a call nor to a return. (steps.py shows that it is of
zeros, and long enough.)

Owners are counted right: to fill a slot adds one to what it then holds, and takes one from what it held.
`own` adds none, as the callee's `retain` did. Of each result there is one `retain`, right before the return,
and one `own`, right behind the call, and nothing that may fail in between. Who leaves a function, by a return
or a failed check, gives up what its slots hold.

What the operations do to owners is the runtime's part, and that elements own what is stored.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.errors import CheckError
from ..machine.form import (
    ARRAY,
    BIG,
    SHAPES,
    Const,
    MachineBlock,
    MachineFunction,
    MachineJump,
    MachineReturn,
    Op,
    Operand,
    Word,
    is_small,
)
from ..machine.witness import Witness

COUNTED = (BIG, ARRAY)
OWNING = frozenset(("keep", "own", "retain", "give"))
# What yields no object, and changes no owner.
PLAIN = frozenset(op for op, (_, made) in SHAPES.items() if not set(made) & set("vaeot")) - OWNING
MAKES = frozenset(op for op, (_, made) in SHAPES.items() if made == "v" and op != "small") | {"new"}
# Bytes of the stack that one function's arrays may take. Functions that do not ask how deep they are have 64
# times as much (runtime/call.c).
ROOM = 4096

NONE: frozenset[Word] = frozenset()


def check_owned(function: MachineFunction, witness: Witness) -> None:
    """CheckError, if it is not shown that each object is owned while it is used, and then freed."""
    _Owned(function, witness).check()


class _Owned:
    def __init__(self, function: MachineFunction, witness: Witness):
        self.function = function
        self.doors = witness.strips  # where strips begin
        self.slots = witness.slots  # of blocks' parameters
        self.taken: set[int] = set()
        self.leaning: set[Word] = set()  # on a slot
        self.frames: dict[Word, frozenset[Word]] = {}  # the arrays in the frame that a word may be
        self.room = ROOM
        self.done: set[MachineBlock] = set()
        self.where: MachineBlock = function.blocks[0]

    def refused(self, what: str) -> CheckError:
        return CheckError(f"@{self.function.name}: {self.where}: who owns what: {what}")

    def check(self) -> None:
        shared: set[Word] = set()
        for block in self.function.blocks:
            self.where = block
            if block in self.doors:
                shared.update(self._door(block))
            for param in block.params:
                if param in self.slots:
                    self.leaning.add(param)
                    if block not in self.doors:
                        self._take(self.slots[param])
        if shared:
            self._unused(shared)
        for block in self.function.blocks:
            self.where = block
            self.done.add(block)
            self._block(block)

    def _take(self, slot: int | None) -> None:
        if slot is None or slot in self.taken or not 0 <= slot < self.function.slots:
            raise self.refused(f"slot {slot} is another's, or is not there")
        self.taken.add(slot)

    # where strips begin ----------------------------------------------------------------------------

    def _door(self, block: MachineBlock) -> list[Word]:
        """Its parameters that share a slot with the head's."""
        end = block.end
        if not isinstance(end, MachineJump) or end.args != block.params or end.to in self.doors:
            raise self.refused("a strip does not begin at its loop")
        for param, of in zip(block.params, end.to.params, strict=True):
            if self.slots.get(param) != self.slots.get(of):
                raise self.refused(f"{param} and {of} have not the same slot")
        return [param for param in block.params if param in self.slots]

    def _unused(self, shared: set[Word]) -> None:
        for block in self.function.blocks:
            self.where = block
            ends = [] if block in self.doors else block.end.args
            for args in (*(op.args for op in block.ops), ends):
                if not shared.isdisjoint(args):
                    raise self.refused("what begins a strip is used elsewhere")

    # what is done in a block -----------------------------------------------------------------------

    def _block(self, block: MachineBlock) -> None:
        ops, end, given = block.ops, block.end, {}
        if isinstance(end, MachineReturn):
            ops = ops[: len(ops) - self._returned(ops, end)]
        elif isinstance(end, MachineJump) and ops and ops[-1].op == "give":
            *ops, last = ops
            given = self._given(last)
        rest = iter(ops)
        for op in rest:
            if op.op not in PLAIN:
                self._step(op, rest)
        if isinstance(end, MachineJump):
            self._jump(end, given)
        elif isinstance(end, MachineReturn):
            self._outside(end.args)

    def _step(self, op: Op, rest: Iterator[Op]) -> None:
        match op.op:
            case "small" | "global":
                pass
            case "frame":
                bits, most = op.attribute
                self.room -= bits // 8 * most
                if self.room < 0:
                    raise self.refused("arrays in the frame take too much of the stack")
                self.frames[op.result] = frozenset(op.results)
            case "select":
                self._selected(op)
            case "load":
                if op.result.type is BIG:
                    self._kept("keep", op.result, rest)
            case "call":
                self._outside(op.args)
                for word in op.results:
                    if word.type in COUNTED:
                        self._kept("own", word, rest)
            case name if name in MAKES:
                self._take(op.slot)
                self.leaning.add(op.result)
            case name:
                raise self.refused(f"{name} is not there where it should be")

    def _kept(self, name: str, word: Word, rest: Iterator[Op]) -> None:
        """The next operation fills a slot with it."""
        op = next(rest, None)
        if op is None or op.op != name or op.args != [word]:
            raise self.refused(f"nobody owns {word}")
        self._take(op.slot)
        self.leaning.add(word)

    def _selected(self, op: Op) -> None:
        result, (_, *args) = op.result, op.args
        if result.type in COUNTED:
            if not self.leaning.isdisjoint(args):
                self.leaning.add(result)
            found = NONE.union(*(self.frames.get(arg, NONE) for arg in args))
            if found:
                self.frames[result] = found

    def _outside(self, args: list[Operand]) -> None:
        if not self.frames.keys().isdisjoint(args):
            raise self.refused("an array in the frame leaves it")

    # where it goes ---------------------------------------------------------------------------------

    def _given(self, op: Op) -> dict[int, Operand]:
        slots = op.attribute
        if len({*slots}) != len(slots) or len(slots) != len(op.args):
            raise self.refused("a slot is given two things at once")
        return dict(zip(slots, op.args, strict=True))

    def _jump(self, end: MachineJump, given: dict[int, Operand]) -> None:
        back = end.to in self.done
        if back and self.where in self.doors:
            raise self.refused("a strip begins after its loop")
        for param, arg in zip(end.to.params, end.args, strict=True):
            if param.type not in COUNTED:
                continue
            slot = self.slots.get(param)
            if slot in given:
                if given.pop(slot) != arg:
                    raise self.refused(f"{param} is given something else than it is passed")
            elif arg in self.leaning:
                if not back:
                    self.leaning.add(param)
                elif arg is not param and (slot is None or self.slots.get(arg) != slot):
                    raise self.refused(f"nobody owns {arg} as {param}")
            found = self.frames.get(arg)
            if found:
                had = self.frames.get(param, NONE)
                if back and not found <= had:
                    raise self.refused(f"{arg}, in the frame, is passed back")
                self.frames[param] = had | found
        if given:
            raise self.refused(f"slot {next(iter(given))} is given something")

    def _returned(self, ops: list[Op], end: MachineReturn) -> int:
        """How many operations at the end add the owners whom what is returned will have."""
        owed = [arg for arg in end.args if arg.type in COUNTED and not _small(arg)]
        last = ops[len(ops) - len(owed) :]
        if [(op.op, *op.args) for op in last] != [("retain", arg) for arg in owed]:
            raise self.refused("not each result has an owner more")
        return len(owed)


def _small(operand: Operand) -> bool:
    return isinstance(operand, Const) and is_small(operand.value)
