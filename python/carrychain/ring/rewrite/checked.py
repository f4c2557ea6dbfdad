"""Gives a function a copy in which integers are words for as long as they fit one.

An integer of which every bit is wanted, and that no range bounds, is a runtime value, though it would nearly
always fit a word. So the function exists twice. In its copy for words, each result that is not known to be a
word is tested where it is computed:

    x = mul a, b;  f = field 64 x;  c = eq f, x;  branch c, on with f for x, the general form

The general form goes on at that very place with all that is live there, and no effect happens twice: it
computes a sum or a product again, whole, and receives the results of all other operations. A loop of the
general form tests at its head whether its integers have become words again. If so, the loop goes on in the
copy for words. After an integer has left the words, or was none at such a head, PATIENCE rounds are not
tested: what leaves in every round would pay for the way out and back each time.

What is passed on to arrays, calls and callers is tested for the bits of a small integer, which is a runtime
value without memory. So the copy for words needs nearly no slots, and those of the general form are emptied
where it begins (lower/late.py).

Everything that is known of a word follows from these tests by the ordinary analysis of ranges. Each block
receives all that is live in it as parameters; simplification removes those that are not needed. That the two
forms together do what the function did is shown by trust/checked.py.
"""

from __future__ import annotations

from bisect import bisect_right

from ..facts.checked import CheckedWords
from ..facts.plan import ANY, Plan
from ..ir.dominance import Dominance
from ..ir.form import (
    BOOL,
    DIVISION,
    INT,
    LOGIC,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Return,
    TrapTerminator,
    Type,
    Value,
    signed,
)
from ..machine.form import BIG

WORD, SMALL = 64, 63  # bits of a word, and of an integer that the runtime holds without memory
MOST = 2000  # instructions of a function that is copied
# what operations on words gain: those that call the runtime otherwise, and others; and what an integer costs
# that an array holds
CALLING, INLINE, HELD = 10, 1, 1
PATIENCE = 64  # rounds of a loop in the general form that are not tested, after an integer was no word
# what is a word of 64 bits for nearly all words of 64 bits, without a call of the runtime
ARITHMETIC = frozenset(("add", "sub", "mul", "neg", "shift", "fdiv", "tdiv", "cdiv"))
# of signed words of a width, what yields one
CLOSED = frozenset((*LOGIC, "select", "fmod", "trem"))
# what is computed by the runtime where an integer is no word
CALLS = frozenset((*DIVISION, "shift", "low", "field", "bitlen", "popcount", "isqrt", "gcd", "expt"))
# what the general form computes again: it cannot fail
AGAIN = frozenset(("add", "sub", "mul", "neg"))

Segment = tuple[Block, int]  # a block of the function, and the place of its first instruction


def checked(plan: Plan) -> CheckedWords | None:
    """Copies the function of the plan for words, in place; None if it would not help."""
    function = plan.function
    tested = _tested(plan)
    if not _pays(plan, tested) or sum(len(block.instructions) for block in function.blocks) > MOST:
        return None
    return _Copies(plan, tested).make()


def _pays(plan: Plan, tested: dict[Value, int]) -> bool:
    """Whether there are enough operations on words: elsewhere, integers stay runtime values."""
    gained = 0
    for i in plan.function.instructions():
        big = [v for v in (*i.args, *i.results) if v in tested or plan.containers.get(v, WORD) is BIG]
        if i.op in ("load", "store", "new"):
            gained -= HELD * len(big)
        elif big and i.op not in ("call", "const"):
            gained += CALLING if i.op in CALLS else INLINE
    return gained > 0


def _tested(plan: Plan) -> dict[Value, int]:
    """The values that are tested where they are computed, with the bits of the word that they are to fit."""
    found: dict[Value, int] = {}
    wide: list[Value] = []
    made = {r: i for i in plan.function.instructions() for r in i.results}

    def word(arg: Value) -> bool:
        big = not isinstance(arg.type, Int) or plan.containers.get(arg, WORD) is BIG
        return big or plan.ranges.get(arg, ANY).within(signed(WORD))

    for value, i in made.items():
        if not isinstance(value.type, Int) or plan.containers.get(value, WORD) is not BIG:
            continue
        if i.op == "const":
            # whoever names such an integer computes with such integers
            return {}
        wide += i.args
        if not _closed(i, made) or not all(word(arg) for arg in i.args):
            found[value] = WORD if i.op in ARITHMETIC else SMALL
    # what they are computed from would take two words
    while wide:
        i = made.get(wide.pop())
        if i is None or i.op not in ARITHMETIC or i.result in found:
            continue
        container = plan.containers.get(i.result, WORD)
        if container is not BIG and container > WORD:
            found[i.result] = WORD
            wide += i.args
    found.update((value, SMALL) for value in _passed_on(plan.function, made) if value in found)
    return found


def _passed_on(function: Function, made: dict[Value, Instruction]) -> set[Value]:
    """The integers that arrays, calls or callers receive as runtime values, and what these are chosen from.

    If they are small, that takes no memory, and no slot in the copy for words.
    """
    given: dict[Value, list[Value]] = {}
    todo: list[Value] = []
    calls = any(i.op == "call" for i in function.instructions())
    for block in function.blocks:
        for edge in block.terminator.edges:
            for param, arg in zip(edge.block.params, edge.args, strict=True):
                given.setdefault(param, []).append(arg)
        if calls and isinstance(block.terminator, Return):
            todo += block.terminator.args
        for i in block.instructions:
            todo += i.args if i.op == "call" else i.args[-1:] if i.op in ("store", "new") else ()
    found: set[Value] = set()
    while todo:
        value = todo.pop()
        if value not in found and isinstance(value.type, Int):
            found.add(value)
            i = made.get(value)
            todo += given.get(value, ()) if i is None else i.args if _closed(i, made) else ()
    return found


def _closed(i: Instruction, made: dict[Value, Instruction]) -> bool:
    """Whether it yields a signed word of a width, if its arguments are such words."""
    count = made.get(i.args[1]) if i.op == "shift" else None
    return i.op in CLOSED or (count is not None and count.op == "const" and count.attribute <= 0)


class _Copies:
    def __init__(self, plan: Plan, tested: dict[Value, int]):
        self.function, self.tested = plan.function, tested
        self.containers = plan.containers
        self.witness = CheckedWords()
        self.constants = {r: i for i in self.function.instructions() for r in i.results if i.op == "const"}
        # where the copies of each block are cut: the words behind what is tested, the general form where it
        # goes on
        self.cuts: dict[Block, list[int]] = {}
        self.landings: dict[Block, list[int]] = {}
        for block in self.function.blocks:
            self.cuts[block] = [at for at, i in enumerate(block.instructions, 1) if tested.keys() & i.results]
            again = (at - (block.instructions[at - 1].op in AGAIN) for at in self.cuts[block])
            self.landings[block] = sorted({0, *again})
            self.cuts[block].insert(0, 0)
        self.live = self._live()
        dominance = Dominance(self.function)
        self.heads = list(dominance.loops() or ())
        # names of values and blocks, so that none is there twice
        self.names = {v.name for v in self.function.values()} | {b.name for b in self.function.blocks}
        self.blocks: list[Block] = []
        self.words: dict[Segment, Block] = {}
        self.general: dict[Segment, Block] = {}
        # by head of a loop: the block that tests whether it goes on in words
        self.back: dict[Block, Block] = {}
        self.waits: dict[Block, Value] = {}

    def _live(self) -> dict[Segment, list[Value]]:
        """What each segment is to be passed: the block's parameters, and what is live there but constants."""
        order = {value: at for at, value in enumerate(self.function.values())}
        cuts = {block: sorted({*at, *self.landings[block]}) for block, at in self.cuts.items()}
        found: dict[Segment, set[Value]] = {(block, at): set() for block in cuts for at in cuts[block]}
        changed = True
        while changed:
            changed = False
            for block in reversed(self.function.blocks):
                end = block.terminator
                live = {*end.args, *(arg for edge in end.edges for arg in edge.args)}
                for edge in end.edges:
                    live |= found[edge.block, 0].difference(edge.block.params)
                stop = len(block.instructions)
                for at in reversed(cuts[block]):
                    for i in reversed(block.instructions[at:stop]):
                        live.difference_update(i.results)
                        live.update(i.args)
                    live -= self.constants.keys()
                    stop = at
                    if live != found[block, at]:
                        found[block, at] = set(live)
                        changed = True
        return {
            (block, at): [
                *(block.params if at == 0 else ()),
                *sorted(live.difference(block.params) if at == 0 else live, key=order.__getitem__),
            ]
            for (block, at), live in found.items()
        }

    # Names ---------------------------------------------------------------------------------------

    def _name(self, like: str) -> str:
        number = len(self.names)
        while f"{like}.{number}" in self.names:
            number += 1
        self.names.add(f"{like}.{number}")
        return f"{like}.{number}"

    def _value(self, like: Value) -> Value:
        return Value(self._name(like.name), like.type, like.position)

    def _own(self, type_: Type = INT) -> Value:
        return Value(self._name("word"), type_)

    def _block(
        self, place: Segment, state: list[Value], test: bool = False
    ) -> tuple[Block, dict[Value, Value]]:
        """A new block at the place, with the state as parameters; and these by what they stand for."""
        block = Block(self._name(place[0].name))
        now = {value: self._value(value) for value in state}
        block.params = list(now.values())
        self.blocks.append(block)
        self.witness.places[block] = place
        if test:
            self.witness.tests.add(block)
        self.witness.meant.update((param, value) for value, param in now.items())
        return block, now

    # The copies ----------------------------------------------------------------------------------

    def make(self) -> CheckedWords:
        entry = self.function.blocks[0]
        first = Block(entry.name, list(entry.params))
        self.blocks.append(first)
        self.witness.places[first] = entry, 0
        self.witness.tests.add(first)
        self.witness.meant.update((param, param) for param in entry.params)
        states = {}
        for of, cuts in ((self.words, self.cuts), (self.general, self.landings)):
            for place in ((block, at) for block in self.function.blocks for at in cuts[block]):
                of[place], states[of[place]] = self._block(place, self.live[place])
        if self.heads:
            for block in self.general.values():
                self._wait(block)
        for head in self.heads:
            begun = len(self.blocks)
            self._back(head)
            self.witness.general.update(self.blocks[begun:])
        now = {param: param for param in entry.params}
        last = self._tests(first, (entry, 0), now, [p for p in entry.params if self._unknown(p)])
        last.terminator = Jump(self._to(self.words, (entry, 0), now))
        for of in (self.words, self.general):
            for place, block in of.items():
                self._fill(of, place, states[block])
        self.function.blocks = self.blocks
        self.witness.general.update(self.general.values())
        return self.witness

    def _unknown(self, value: Value) -> bool:
        """Whether it is only a word if it is tested."""
        return isinstance(value.type, Int) and (
            value in self.tested or self.containers.get(value, WORD) is BIG
        )

    def _wait(self, block: Block) -> Value:
        """The parameter of a block of the general form for the rounds that are not tested."""
        if block not in self.waits:
            self.waits[block] = self._own()
            block.params.append(self.waits[block])
        return self.waits[block]

    def _back(self, head: Block) -> None:
        """Makes the blocks that test whether a loop of the general form goes on in words."""
        place, state = (head, 0), self.live[head, 0]
        block, now = self._block(place, state, test=True)
        self.back[head] = block
        wait = self._wait(block)
        zero, more = self._own(), self._own(BOOL)
        block.instructions = [Instruction("const", [], [zero], 0), Instruction("gt", [wait, zero], [more])]
        test, then = self._block(place, state, test=True)
        stay, now = self._block(place, state, test=True)
        block.terminator = Branch(more, Edge(stay, block.params), Edge(test, block.params[:-1]))
        wait, one, less = self._wait(stay), self._own(), self._own()
        stay.instructions = [Instruction("const", [], [one], 1), Instruction("sub", [wait, one], [less])]
        stay.terminator = Jump(Edge(self.general[place], [*(now[value] for value in state), less]))
        now = then
        last = self._tests(test, place, now, [v for v in state if self._unknown(v)])
        last.terminator = Jump(Edge(self.words[place], [now[value] for value in state]))

    def _to(self, of: dict[Segment, Block], place: Segment, now: dict[Value, Value]) -> Edge:
        return Edge(of[place], [now[value] for value in self.live[place]])

    def _leave(self, block: Block, place: Segment, now: dict[Value, Value]) -> Edge:
        """The edge from a test into the general form."""
        edge = self._to(self.general, place, now)
        if self.heads:
            rounds = self._own()
            block.instructions.append(Instruction("const", [], [rounds], PATIENCE))
            edge.args.append(rounds)
        return edge

    def _tests(
        self,
        block: Block,
        place: Segment,
        now: dict[Value, Value],
        unknown: list[Value],
    ) -> Block:
        """Tests one value after another, beginning in the block; returns the block where all are words.

        There, `now` has the words.
        """
        for value in unknown:
            x = now[value]
            field, fits = self._own(), self._own(BOOL)
            bits = self.tested.get(value, SMALL)
            block.instructions += [
                Instruction("field", [x], [field], bits),
                Instruction("eq", [field, x], [fits]),
            ]
            leave = self._leave(block, place, now)
            state = list(now)
            after, then = self._block(place, state, test=True)
            block.terminator = Branch(
                fits, Edge(after, [field if v is value else now[v] for v in state]), leave
            )
            block = after
            now.update(then)
        return block

    def _fill(self, of: dict[Segment, Block], place: Segment, now: dict[Value, Value]) -> None:
        """Copies a segment's instructions into its block."""
        (block, at), copy, general = place, of[place], of is self.general
        cuts = (self.landings if general else self.cuts)[block]
        behind = bisect_right(cuts, at)
        after = cuts[behind] if behind < len(cuts) else None
        stop = len(block.instructions) if after is None else after
        # a sum that is computed again if it is no word belongs to the test
        again = None
        if after is not None and not general and block.instructions[stop - 1].op in AGAIN:
            stop -= 1
            again = block.instructions[stop]
        self._copied(block.instructions[at:stop], copy, now)
        if after is None:
            self._end(copy, block, now, general)
        elif general:
            go_on = self._to(of, (block, stop), now)
            go_on.args += [self.waits[copy]] if self.heads else []
            copy.terminator = Jump(go_on)
        elif again is not None:
            state = self.live[block, stop]
            test, then = self._block((block, stop), state, test=True)
            copy.terminator = Jump(Edge(test, [now[value] for value in state]))
            self._again(test, again, (block, after), then)
        else:
            state = self.live[block, after]
            test, then = self._block((block, after), state, test=True)
            copy.terminator = Jump(Edge(test, [now[value] for value in state]))
            unknown = [r for r in block.instructions[stop - 1].results if r in self.tested and r in then]
            last = self._tests(test, (block, after), then, unknown)
            last.terminator = Jump(self._to(of, (block, after), then))

    def _again(self, test: Block, i: Instruction, after: Segment, now: dict[Value, Value]) -> None:
        """Goes on in words after a sum, if it is one; else in the general form, before the sum."""
        leave = self._leave(test, (after[0], after[1] - 1), now)
        self._copied([i], test, now)
        x, field, fits = now[i.result], self._own(), self._own(BOOL)
        bits = self.tested[i.result]
        test.instructions += [
            Instruction("field", [x], [field], bits),
            Instruction("eq", [field, x], [fits]),
        ]
        # the field of 63 bits would be computed; what the branch implies is known of the sum itself
        word = field if bits == WORD else x
        test.terminator = Branch(fits, self._to(self.words, after, {**now, i.result: word}), leave)

    def _copied(self, instructions: list[Instruction], copy: Block, now: dict[Value, Value]) -> None:
        for i in instructions:
            if i.op != "const":
                args = [self._get(arg, copy, now) for arg in i.args]
                now.update((result, self._value(result)) for result in i.results)
                results = [now[result] for result in i.results]
                copy.instructions.append(Instruction(i.op, args, results, i.attribute, i.position))

    def _get(self, value: Value, copy: Block, now: dict[Value, Value]) -> Value:
        """What stands for the value in the block; constants are made again."""
        if value not in now:
            i = self.constants[value]
            now[value] = self._value(value)
            copy.instructions.append(Instruction("const", [], [now[value]], i.attribute, i.position))
        return now[value]

    def _end(self, copy: Block, block: Block, now: dict[Value, Value], general: bool) -> None:
        def get(value: Value) -> Value:
            return self._get(value, copy, now)

        def edge(old: Edge) -> Edge:
            passed = dict(zip(old.block.params, old.args, strict=True))
            args = [get(passed.get(value, value)) for value in self.live[old.block, 0]]
            if not general:
                return Edge(self.words[old.block, 0], args)
            to = self.back.get(old.block) or self.general[old.block, 0]
            return Edge(to, [*args, self.waits[copy]] if self.heads else args)

        match block.terminator:
            case Jump(to):
                copy.terminator = Jump(edge(to))
            case Branch(condition, then, otherwise):
                copy.terminator = Branch(get(condition), edge(then), edge(otherwise))
            case Return(args):
                copy.terminator = Return([get(arg) for arg in args])
            case TrapTerminator(message, position):
                copy.terminator = TrapTerminator(message, position)
