"""The blocks of a function as C's statements: if, for and goto (Ramsey 2022, Beyond Relooper).

A block's statements are followed by those of the blocks that it dominates. One with several jumps to it from
before comes after all of these. A loop is `for (;;)`. What is left by a jump out of a loop comes after the
loop, except if it ends there. A jump to what follows anyway is nothing; other jumps are break, continue or
goto.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..ir.cycles import depth_first
from ..ir.dominance import DominatorTree
from ..machine.form import (
    MachineBlock,
    MachineBranch,
    MachineFail,
    MachineFunction,
    MachineJump,
    MachineReturn,
    Operand,
)
from .expressions import Text


@dataclass(frozen=True)
class _Place:
    """Where a statement is: what follows it, and the innermost loop's head and what follows that loop."""

    follow: MachineBlock | None = None
    head: MachineBlock | None = None
    after: MachineBlock | None = None


@dataclass
class Lines:
    """Statements, indented."""

    lines: list[str] = field(default_factory=list)
    depth: int = 1

    def add(self, text: str) -> None:
        self.lines.append("\t" * self.depth + text)


def _nothing(*_: object) -> Text:
    return Text("")


class Structured:
    """Calls back for a block's statements, the copies of a jump's arguments, and the ends."""

    def __init__(
        self,
        function: MachineFunction,
        out: Lines,
        statements: Callable[[MachineBlock], Text | None],
        passed: Callable[[MachineBlock, list[Operand]], None],
        ended: Callable[[MachineReturn | MachineFail], None],
    ):
        entry = function.blocks[0]
        order = depth_first(entry, lambda block: list(block.end.blocks))
        self.tree = DominatorTree(order, lambda block: block.end.blocks)
        self.number = self.tree.number
        self.loops = self._loops()
        self.children: dict[MachineBlock, list[MachineBlock]] = {block: [] for block in order}
        self.exits: dict[MachineBlock, list[MachineBlock]] = {}  # by the loop's head
        for at, block in enumerate(order[1:], 1):
            parent = order[self.tree.last[at]]
            head = self._left(parent, block)
            (self.children[parent] if head is None else self.exits.setdefault(head, [])).append(block)
        self.used: set[MachineBlock] = set()
        self.negated: dict[str, str] = {}  # the conditions of lines that begin an if
        # without statements, this finds the jumps that need labels
        self.out, self.statements, self.passed, self.ended = Lines(), _nothing, _nothing, _nothing
        self._tree(entry, _Place())
        self.out, self.statements, self.passed, self.ended = out, statements, passed, ended
        self._tree(entry, _Place())

    def _loops(self) -> dict[MachineBlock, set[MachineBlock]]:
        found: dict[MachineBlock, set[MachineBlock]] = {}
        for block in self.tree.order:
            for head in dict.fromkeys(block.end.blocks):
                if self.number[head] <= self.number[block] and self.tree.above(head, block):
                    inside, todo = found.setdefault(head, {head}), [block]
                    while todo:
                        at = todo.pop()
                        if at not in inside:
                            inside.add(at)
                            todo += self.tree.before[at]
        return found

    def _left(self, parent: MachineBlock, block: MachineBlock) -> MachineBlock | None:
        """The head of the loop that the block comes after: the outermost that only its parent is in."""
        heads = [head for head, inside in self.loops.items() if parent in inside and block not in inside]
        if not heads or (not block.end.blocks and len(self.tree.before[block]) == 1 and not block.ops):
            return None
        return max(heads, key=lambda head: len(self.loops[head]))

    def _merges(self, block: MachineBlock) -> bool:
        before = self.tree.before[block]
        return len([each for each in before if self.number[each] < self.number[block]]) > 1

    def _tree(self, block: MachineBlock, place: _Place) -> None:
        if block in self.used:
            self.out.lines.append(f"b{block.number}:;")
        if block not in self.loops:
            self._body(block, place)
            return
        exits = self.exits.get(block, [])
        after = exits[0] if exits else place.follow
        out = self.out
        start = len(out.lines)
        out.add("for (;;) {")
        out.depth += 1
        self._body(block, _Place(block, block, after))
        out.depth -= 1
        out.add("}")
        go_on = self.negated.get(out.lines[start + 1].strip())
        if go_on and [line.strip() for line in out.lines[start + 2 : start + 4]] == ["break;", "}"]:
            out.lines[start : start + 4] = ["\t" * out.depth + f"while ({go_on}) {{"]
        self._sequence(exits, place)

    def _sequence(self, blocks: list[MachineBlock], place: _Place) -> None:
        """The blocks one after the other."""
        for at, block in enumerate(blocks):
            follow = blocks[at + 1] if at + 1 < len(blocks) else place.follow
            self._tree(block, _Place(follow, place.head, place.after))

    def _body(self, block: MachineBlock, place: _Place) -> None:
        merges = [each for each in self.children[block] if self._merges(each)]
        inner = _Place(merges[0] if merges else place.follow, place.head, place.after)
        condition = self.statements(block)
        match block.end:
            case MachineJump(to, args):
                self.passed(to, args)
                self._jump(block, to, inner)
            case MachineBranch(_, then, otherwise):
                self._branch(block, condition, then, otherwise, inner)
            case end:
                self.ended(end)
        self._sequence(merges, place)

    def _branch(
        self, block: MachineBlock, condition: Text, then: MachineBlock, otherwise: MachineBlock, place: _Place
    ) -> None:
        out = self.out
        start = len(out.lines)
        out.add("")
        out.depth += 1
        self._jump(block, then, place)
        out.depth -= 1
        if len(out.lines) == start + 1:
            del out.lines[start:]
            self._arm(block, condition, otherwise, place)
            return
        negated = condition.not_ or f"!{condition}"
        self._if(start, condition.text, negated)
        middle = len(out.lines)
        if not _jumps(out.lines[-1]):
            out.depth += 1
            self._jump(block, otherwise, place)
            out.depth -= 1
            others = out.lines[middle:]
            if len(others) != 1 or not _jumps(others[0]):
                out.lines[middle:middle] = ["\t" * out.depth + "} else {"] if others else []
                out.add("}")
                return
            # the short way first
            then = [line.removeprefix("\t") for line in out.lines[start + 1 : middle]]
            self._if(start, negated, condition.text)
            out.lines[start + 1 :] = [*others, "\t" * out.depth + "}", *then]
            return
        out.add("}")
        self._jump(block, otherwise, place)

    def _if(self, at: int, condition: str, negated: str) -> None:
        self.out.lines[at] = "\t" * self.out.depth + f"if ({condition}) {{"
        self.negated[f"if ({condition}) {{"] = negated

    def _arm(self, block: MachineBlock, condition: Text, to: MachineBlock, place: _Place) -> None:
        """What is done unless the condition holds."""
        out = self.out
        start = len(out.lines)
        out.add("")
        self._if(start, condition.not_ or f"!{condition}", condition.text)
        out.depth += 1
        self._jump(block, to, place)
        out.depth -= 1
        if len(out.lines) == start + 1:
            del out.lines[start:]
            return
        out.add("}")

    def _jump(self, block: MachineBlock, to: MachineBlock, place: _Place) -> None:
        if to in self.children[block] and not self._merges(to):
            self._tree(to, place)
        elif to is place.follow:
            return
        elif to is place.after:
            self.out.add("break;")
        elif to is place.head:
            self.out.add("continue;")
        else:
            self.used.add(to)
            self.out.add(f"goto b{to.number};")


def _jumps(line: str) -> bool:
    return line.strip().startswith(("return", "goto", "break;", "continue;"))
