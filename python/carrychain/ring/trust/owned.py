"""Shows that no object is used after it is freed, freed twice, or never freed.

An object is an array, or an integer that is not small. It counts its references, and the last one to be
released frees it. Slots of the frame and elements of arrays hold references; so does the receiver of a
result, for which `retain` adds one.

Blocks are numbered in the function's order. A jump goes *forward* to a later block, *back* to the same or an
earlier one. Each block but the first is entered from an earlier one (defined.py), so a dominator comes before
the blocks that it dominates.

A word *leans on* the slots that may own its object. The result of an operation leans on the slot that the
operation names; a loaded object on the slot of the `keep` right after it; a call's result on the slot of the
`own` right after it. The result of a select leans on the slots of both arguments. A block's parameter leans
on its own slot, if it has one, and on the slots of everything that is passed to it forward. What the caller
or the module owns, small integers and constants lean on nothing: they outlive the call. The checker
establishes:

- each slot belongs to one of these words, and nothing else fills it; a parameter's slot is filled by `give`,
  on jumps to its block;
- on a jump back, what is passed for a parameter leans on nothing, or is the parameter itself, or is given to
  the parameter's slot by that jump.

So a word comes after the operations that fill the slots that it leans on. The claim: where a word is used, it
leans on nothing, or one of the slots that it leans on owns its object. The proof is by induction over the
steps of a run. The claim holds where the word is defined, because it held for the operands. After that, only
filling such a slot could break it. Let w lean on the slot that is filled.

- An operation X fills it. Since w comes after X, some path reaches X without defining w. So every path from X
  to a use of w defines w again: otherwise the two paths together would reach that use without a definition,
  but w is defined on every path to its uses.
- A jump to a block B fills it, for B's parameter q. Since w is q or comes after B's parameters, it is also
  defined again before it is used, except as an argument of this jump. An argument that is given gets its new
  reference before any slot releases its old object. One that is not given leans on no slot that is filled: on
  a jump forward it comes before B; on a jump back it leans on nothing, or is a parameter of B, which leans on
  no other parameter's slot, because what was passed to it forward comes before B.

A jump back may exchange what two slots hold before it fills any: the slot of a parameter with another that
owns what is passed. Nothing is released by that, so what is passed has an owner until it has a reference
more, or its parameter's slot owns it. The other slot is as good as filled: it belongs to a word X that is
defined in B or later. Numbers only grow on some path to B, so it has not defined X or anything that comes
after X. So whatever leans on that slot is defined again before it is used, except as an argument of this
jump; and one that is not given leans on no slot that is exchanged, because a parameter's slot is exchanged
only if that is given.

That is why a parameter may borrow what is passed to it forward. The parameters of a strip's entry share the
slots of the parameters of the loop's head, which comes later. They are passed on to the head and used nowhere
else, so the claim for them ends there, and begins for the head's.

Late slots hold nothing until an `open`, and after a `close` which releases what they held. Whether they are
open is the same on each path to a block. Where they are not, nothing fills them or reads them, and leaving
the function does not release them. A `close` comes right before a jump. No word that leans on a late slot is
used after it without being defined again; what is passed by the jump is given to another slot, or leans on
no late one. So the claim holds after it, too.

A loaded object, or a call's result, may wait for its `keep` or `own` until a branch on whether it is small,
if nothing in between may fail or have an effect. If it is small, it is no object, and has no owner.

An array in the frame has no references; its contents are lost when the operation that made it runs again. A
word that may be that array leans on the operation, as on a slot that the operation fills. `give` cannot keep
it alive, so it is not passed back to a parameter that did not lean on it before. It is not an object to other
functions, so it is neither passed to a call nor returned. (steps.py shows that it is filled with zeros, and
long enough.)

The counts are right. Filling a slot adds a reference to the new object and releases the old one. `own` adds
none, because the callee's `retain` did. Each result has one `retain`, right before the return, and one `own`,
right after the call; nothing in between can fail. A `retain` may take the reference of a slot instead, which
is then empty: after it only results are used, and the reference of each keeps its object. Leaving a function,
by a return or a failed check, releases what its slots hold.

Not shown here, but the runtime's duty: what each operation does to the counts, and that elements own what is
stored in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..ir.errors import CheckError
from ..machine.form import (
    ARRAY,
    BIG,
    EFFECTS,
    SHAPES,
    Const,
    MachineBlock,
    MachineBranch,
    MachineFunction,
    MachineJump,
    MachineReturn,
    Op,
    Operand,
    Word,
    given_slots,
    is_small,
)
from ..machine.witness import Witness

COUNTED = (BIG, ARRAY)
OWNING = frozenset(("keep", "own", "retain", "give", "open", "close"))
# Operations that neither yield an object nor change a reference count.
PLAIN = frozenset(op for op, (_, made) in SHAPES.items() if not set(made) & set("vaeot")) - OWNING
MAKES = frozenset(op for op, (_, made) in SHAPES.items() if made == "v" and op != "small") | {"new"}
# A limit for one function's arrays in its frame, in bytes. Functions without a check of the recursion depth
# have 64 times as much stack (runtime/call.c).
ROOM = 4096

NONE: frozenset[Word] = frozenset()


def check_owned(function: MachineFunction, witness: Witness) -> None:
    """Raises CheckError if an object is not shown to be owned while it is used, and freed after that."""
    _Owned(function, witness).check()


class _Owned:
    def __init__(self, function: MachineFunction, witness: Witness):
        self.function = function
        self.doors = witness.strips  # the entries of strips
        self.slots = witness.slots  # of blocks' parameters
        self.at = {block: at for at, block in enumerate(function.blocks)}
        self.taken: dict[int, int] = {}  # by the slot: where the word that it belongs to is defined
        self.leaning: set[Word] = set()  # words that lean on a slot
        self.late = range(function.slots - function.late, function.slots)
        self.leaning_late: set[Word] = set()  # words that lean on a late slot
        self.closing: list[MachineBlock] = []  # blocks that end with a `close`
        self.opened: dict[MachineBlock, bool] = {function.blocks[0]: False}  # where each block begins
        self.open = False
        # by a branch's target: the operation there that gives a slot what was made before the branch
        self.waiting: dict[MachineBlock, Op] = {}
        self.entered = Counter(to for block in function.blocks for to in block.end.blocks)
        self.frames: dict[Word, frozenset[Word]] = {}  # the arrays in the frame that each word may be
        self.room = ROOM
        self.done: set[MachineBlock] = set()
        self.where: MachineBlock = function.blocks[0]

    def refused(self, what: str) -> CheckError:
        return CheckError(f"@{self.function.name}: {self.where}: ownership: {what}")

    def check(self) -> None:
        shared: set[Word] = set()
        for block in self.function.blocks:
            self.where = block
            if block in self.doors:
                shared.update(self._door(block))
            for param in block.params:
                if param in self.slots:
                    self._lean(param, self.slots[param])
                    if block not in self.doors:
                        self._take(self.slots[param])
        if shared:
            self._unused(shared)
        for block in self.function.blocks:
            self.where = block
            self.done.add(block)
            self._block(block)
        if self.closing:
            self._closed()

    def _take(self, slot: int | None) -> None:
        if slot is None or slot in self.taken or not 0 <= slot < self.function.slots:
            raise self.refused(f"slot {slot} is already taken, or does not exist")
        self.taken[slot] = self.at[self.where]

    def _lean(self, word: Word, slot: int) -> None:
        self.leaning.add(word)
        if slot in self.late:
            self.leaning_late.add(word)

    def _touch(self, slot: int) -> None:
        if slot in self.late and not self.open:
            raise self.refused(f"slot {slot} is late, and used where it is closed")

    # entries of strips -----------------------------------------------------------------------------

    def _door(self, block: MachineBlock) -> list[Word]:
        """The parameters that share a slot with the head's."""
        end = block.end
        if not isinstance(end, MachineJump) or end.args != block.params or end.to in self.doors:
            raise self.refused("a strip's entry does not pass its parameters to the head of its loop")
        for param, of in zip(block.params, end.to.params, strict=True):
            if self.slots.get(param) != self.slots.get(of):
                raise self.refused(f"{param} and {of} have different slots")
        return [param for param in block.params if param in self.slots]

    def _unused(self, shared: set[Word]) -> None:
        for block in self.function.blocks:
            self.where = block
            ends = [] if block in self.doors else block.end.args
            for args in (*(op.args for op in block.ops), ends):
                if not shared.isdisjoint(args):
                    raise self.refused("a parameter of a strip's entry is used elsewhere")

    # the operations of a block ---------------------------------------------------------------------

    def _block(self, block: MachineBlock) -> None:
        ops, end, given, slots = block.ops, block.end, {}, []
        self.open = self.opened.get(block, False)
        for param in block.params:
            if param in self.slots:
                self._touch(self.slots[param])
        waits, owner = self._waits(block), self.waiting.pop(block, None)
        closes = isinstance(end, MachineJump) and bool(ops) and ops[-1].op == "close"
        if closes:
            ops = ops[:-1]
        if isinstance(end, MachineReturn):
            ops = ops[: len(ops) - self._returned(ops, end)]
        elif isinstance(end, MachineJump) and ops and ops[-1].op == "give":
            *ops, last = ops
            slots = given_slots(last)
            given = self._given(last, slots)
        rest = iter(ops)
        for op in rest:
            if op is owner:
                self._touch(op.slot)
            elif op.op not in PLAIN:
                self._step(op, rest, waits)
        for slot in (slot for some in slots for slot in some):
            self._touch(slot)
        if closes:
            if not self.open:
                raise self.refused("late slots are closed twice")
            self.open = False
            self.closing.append(block)
        for to in end.blocks:
            if self.opened.setdefault(to, self.open) != self.open:
                raise self.refused(f"{to} is entered with late slots open and closed")
        if isinstance(end, MachineJump):
            self._exchanged(end, slots)
            self._jump(end, given, closes)
        elif isinstance(end, MachineReturn):
            self._outside(end.args)

    def _step(self, op: Op, rest: Iterator[Op], waits: Op | None) -> None:
        match op.op:
            case "small" | "global":
                pass
            case "open":
                if self.open:
                    raise self.refused("late slots are opened twice")
                self.open = True
            case "frame":
                bits, most = op.attribute
                self.room -= bits // 8 * most
                if self.room < 0:
                    raise self.refused("the arrays in the frame are too large")
                self.frames[op.result] = frozenset(op.results)
            case "select":
                self._selected(op)
            case "load":
                if op.result.type is BIG:
                    self._kept("keep", op.result, rest, waits)
            case "call":
                self._outside(op.args)
                for word in op.results:
                    if word.type in COUNTED:
                        self._kept("own", word, rest, waits)
            case name if name in MAKES:
                self._take(op.slot)
                self._touch(op.slot)
                self._lean(op.result, op.slot)
            case name:
                raise self.refused(f"{name} is misplaced")

    def _kept(self, name: str, word: Word, rest: Iterator[Op], waits: Op | None) -> None:
        """The next operation must put the word into a slot, or that waits for the block's branch."""
        op = waits
        if waits is None or waits.op != name or waits.args != [word]:
            op = next(rest, None)
            if op is None or op.op != name or op.args != [word]:
                raise self.refused(f"no slot owns {word}")
            self._touch(op.slot)
        self._take(op.slot)
        self._lean(word, op.slot)

    def _waits(self, block: MachineBlock) -> Op | None:
        """The operation that gives a slot what the block's last effect yields, where that is not small."""
        end = block.end
        if not isinstance(end, MachineBranch) or end.then is end.otherwise:
            return None
        op = next((op for op in end.otherwise.ops[:2] if op.op != "open"), None)
        if op is None or op.op not in ("keep", "own") or self.entered[end.otherwise] != 1:
            return None
        tested = False
        for each in reversed(block.ops):
            if op.args[0] in each.results:
                break
            if each.site is not None or each.op in EFFECTS:
                return None
            tested |= each.op == "is_small" and each.args == op.args and each.results == [end.condition]
        else:
            return None
        if not tested:
            return None
        self.waiting[end.otherwise] = op
        return op

    def _selected(self, op: Op) -> None:
        result, (_, *args) = op.result, op.args
        if result.type in COUNTED:
            if not self.leaning.isdisjoint(args):
                self.leaning.add(result)
            if not self.leaning_late.isdisjoint(args):
                self.leaning_late.add(result)
            found = NONE.union(*(self.frames.get(arg, NONE) for arg in args))
            if found:
                self.frames[result] = found

    def _outside(self, args: list[Operand]) -> None:
        if not self.frames.keys().isdisjoint(args):
            raise self.refused("an array in the frame is passed or returned")

    # terminators -----------------------------------------------------------------------------------

    def _given(self, op: Op, slots: list[tuple[int, ...]]) -> dict[int, Operand]:
        filled = [slot for slot, *_ in slots]
        if len({*filled}) != len(filled) or len(filled) != len(op.args):
            raise self.refused("a slot is given two objects at once")
        return dict(zip(filled, op.args, strict=True))

    def _exchanged(self, end: MachineJump, slots: list[tuple[int, ...]]) -> None:
        """What leans on the slots that are exchanged is defined again before it is used."""
        filled = {slot for slot, *_ in slots}
        fixed = {self.slots[param] for param in end.to.params if param in self.slots} - filled
        for other in (other for _, *others in slots for other in others):
            if other not in self.taken or self.taken[other] < self.at[end.to] or end.to not in self.done:
                raise self.refused(f"slot {other}, which is exchanged, is not filled again in the loop")
            if other in fixed:
                raise self.refused(f"slot {other}, which is exchanged, belongs to a parameter that stays")

    def _jump(self, end: MachineJump, given: dict[int, Operand], closes: bool) -> None:
        back = end.to in self.done
        if back and self.where in self.doors:
            raise self.refused("a strip's entry comes after its loop")
        for param, arg in zip(end.to.params, end.args, strict=True):
            if param.type not in COUNTED:
                continue
            slot = self.slots.get(param)
            if slot in given:
                if given.pop(slot) != arg:
                    raise self.refused(f"the slot of {param} is not given {arg}, which is passed")
            elif arg in self.leaning:
                if closes and arg in self.leaning_late:
                    raise self.refused(f"{arg} leans on a late slot, and is passed when that is closed")
                if not back:
                    self.leaning.add(param)
                    if arg in self.leaning_late:
                        self.leaning_late.add(param)
                elif arg is not param and (slot is None or self.slots.get(arg) != slot):
                    raise self.refused(f"no slot of {param} owns {arg}")
            found = self.frames.get(arg)
            if found:
                had = self.frames.get(param, NONE)
                if back and not found <= had:
                    raise self.refused(f"{arg}, an array in the frame, is passed back")
                self.frames[param] = had | found
        if given:
            raise self.refused(f"slot {next(iter(given))} is given an object, but no parameter has it")

    def _returned(self, ops: list[Op], end: MachineReturn) -> int:
        """The number of `retain`s at the end of the block: one for each object that is returned."""
        owed = [arg for arg in end.args if arg.type in COUNTED and not _small(arg)]
        last = ops[len(ops) - len(owed) :]
        if [(op.op, *op.args) for op in last] != [("retain", arg) for arg in owed]:
            raise self.refused("not every result is retained once")
        if not all(0 <= slot < self.function.slots for op in last for slot in op.attribute or ()):
            raise self.refused("a result is taken from a slot that does not exist")
        for slot in (slot for op in last for slot in op.attribute or ()):
            self._touch(slot)
        return len(owed)

    # late slots ------------------------------------------------------------------------------------

    def _closed(self) -> None:
        """Nothing that leans on a late slot is used after that was closed."""
        blocks, late = self.function.blocks, self.leaning_late
        used: dict[MachineBlock, set[Word]] = {}
        made: dict[MachineBlock, set[Word]] = {}
        for block in blocks:
            made[block], used[block] = set(block.params), set()
            for op in (*block.ops, block.end):
                used[block] |= late.intersection(op.args) - made[block]
                made[block].update(getattr(op, "results", ()))
        # the words that are used in a block, or later without being defined again
        live = {block: set(words) for block, words in used.items()}
        changed = True
        while changed:
            changed = False
            for block in reversed(blocks):
                more = set().union(*(live[to] for to in block.end.blocks)) - made[block] - live[block]
                if more:
                    live[block] |= more
                    changed = True
        for block in self.closing:
            self.where = block
            if kept := live[block.end.to]:
                raise self.refused(
                    f"{min(kept, key=lambda word: word.number)} is used after its slot is closed"
                )


def _small(operand: Operand) -> bool:
    return isinstance(operand, Const) and is_small(operand.value)
