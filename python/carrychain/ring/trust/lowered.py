"""Shows that machine IR does what the IR says, comparing each of its blocks with what it stands for.

Both are walked together. For each word that holds a value of the IR, words.py finds which bits are the
value's. A block's parameters hold what the plan demands of them, and a jump must pass that. So by induction
over the steps of a run, no word has fewer right bits than found.

steps.py is about the operations within a block. A branch follows the IR's condition. That of a loop in strips
follows a condition that implies it, and if that fails, the IR's. A `poll` in between changes nothing. Where a
strip begins as a block did that goes on in the loop, its own condition lets it go on.

Lowering states which words hold which values, and where each block begins (machine/witness.py). None of it is
trusted.
"""

from __future__ import annotations

from typing import NamedTuple

from ..facts.plan import Plan
from ..ir.form import (
    COMPARE,
    Block,
    Bool,
    Branch,
    Edge,
    Int,
    Jump,
    Module,
    Return,
    TrapTerminator,
    Value,
)
from ..machine import form
from ..machine.abi import MachineSignature, Passed
from ..machine.form import ARRAY, BIG, OUT_OF_MEMORY, Const, Op, Operand, Site, Word
from ..machine.witness import Witness
from .steps import EVENTS, INTERRUPTED, POLLS, SOMETIMES, BlockCheck, site_of
from .words import ALL, SIGNED, WHOLE, Held, S, U, fits

# What fails at a site that is looked at where it is done.
CHECKED = frozenset(("refuse", "bounds", "bounds_big", "deep", "call", "new"))


class _GoesOn(NamedTuple):
    """A strip goes on while the counter is before the bound, with the slack, and before its own end."""

    counter: Operand
    bound: Value
    slack: int
    end: Operand
    sign: str
    up: bool


def check_lowered(
    plan: Plan,
    module: Module,
    signatures: dict[str, MachineSignature],
    params: dict[str, list[Value]],
    function: form.MachineFunction,
    witness: Witness,
    deep: set[str],
) -> None:
    """Unshown, if the function's machine IR, as lowering made it, is not shown to do what the IR does."""
    _Walk(plan, module, signatures, params, function, witness, deep).check()


class _Walk(BlockCheck):
    # the blocks ------------------------------------------------------------------------------------

    def check(self) -> None:
        function, entry = self.plan.function, self.plan.function.blocks[0]
        made = self.function.blocks[0]
        self._stated()
        if self.witness.begins.get(made) is not entry or made.params:
            raise self.refused("it begins elsewhere")
        self._entered(self.function.params, entry.params, self.signatures[function.name].params)
        # in an order in which what a block uses has been defined
        for block in self.ordered.dominance.order:
            if not self._entered_ever(block):
                continue
            made = self.machine_of.get(block)
            if made is None:
                raise self.refused(f"{block.name} is not there")
            if block is not entry:
                self._parameters(made, block)
            self._lowered(made, block)

    def _stated(self) -> None:
        """What lowering states is of this function, once each; what fails says why."""
        signature, witness, function = self.signatures[self.function.name], self.witness, self.function
        if function.name != self.plan.function.name or [r.type for r in signature.results] != list(
            self.plan.function.results
        ):
            raise self.refused("it is another function")
        if [r.word for r in signature.results] != function.results:
            raise self.refused("its results are in other words")
        ops = [op for block in function.blocks for op in witness.ops.get(block, ())]
        if witness.ops.keys() != {*function.blocks} or len(self.ops) != sum(len(op.results) for op in ops):
            raise self.refused("a word is defined twice, or elsewhere")
        if len(self.machine_of) != len(witness.begins) or not witness.strips.keys().isdisjoint(
            witness.begins
        ):
            raise self.refused("a block begins twice")
        for op in ops:
            if op.site is not None and op.op not in CHECKED:
                # where memory ends while a value is made, its position is not compared
                poll = op.op in POLLS
                if op.site != (
                    Site(INTERRUPTED) if poll else op.site._replace(message=OUT_OF_MEMORY, operand="")
                ):
                    raise self.refused(f"where {op.op} fails something else is said")

    def _entered_ever(self, block: Block) -> bool:
        return self.plan.facts is None or block in self.plan.facts

    def _entered(self, words: list[Word], params: list[Value], passed: list[Passed]) -> None:
        for word, param, how in zip(words, params, passed, strict=True):
            self.words.words[param] = word
            if how.type != param.type:
                raise self.refused(f"{param} is passed as something else")
            if isinstance(param.type, Int):
                if word.type != how.container or how.container != self.plan.containers[param]:
                    raise self.refused(f"{param} is passed in another word")
                if word.type is BIG:
                    self.words.held[param] = WHOLE
                else:
                    self.words.held[param] = (
                        (1 << word.type) - 1,
                        fits(*self.words.known(param)[:2], word.type),
                    )
            elif word.type != (1 if isinstance(param.type, Bool) else ARRAY):
                raise self.refused(f"{param} is in a word of another type")

    def _parameters(self, made: form.MachineBlock, block: Block) -> None:
        if len(made.params) != len(block.params):
            raise self.refused(f"{block.name} has other parameters")
        for word, param in zip(made.params, block.params, strict=True):
            self.words.words[param] = word
            self._parameter(word, param)

    def _parameter(self, word: Word, param: Value) -> None:
        if not isinstance(param.type, Int):
            if word.type != (1 if isinstance(param.type, Bool) else ARRAY):
                raise self.refused(f"{param} is in a word of another type")
            return
        if word.type != self.plan.containers[param]:
            raise self.refused(f"{param} is in a word of another type")
        self.words.held[param] = self._demanded(param, word.type)

    def _demanded(self, param: Value, bits: int | None) -> Held:
        """What a parameter has wherever it comes from: the demanded bits; all, if these say what it is."""
        low, high = self.words.known(param)[:2]
        mask, full = self.plan.demands[param], ALL if bits is BIG else (1 << bits) - 1
        if mask < 0:
            return WHOLE
        for narrow in form.WIDTHS:
            if fits(low, high, narrow) and (bits is BIG or narrow <= bits):
                if mask & (1 << narrow) - 1 == (1 << narrow) - 1:
                    # extended by its sign; what is not below 0 has both readings
                    return WHOLE if bits is BIG else (full, fits(low, high, bits))
                break
        return mask & full, 0

    def _lowered(self, made: form.MachineBlock, block: Block) -> None:
        """The block's instructions, and where it goes from there."""
        begun = self.witness.lowered.get(made)
        if begun is None or begun[0] is not block:
            raise self.refused(f"{block.name} is lowered elsewhere")
        self.block = block
        self._begin(made)
        for i in block.instructions:
            self.where = i
            self._instruction(i, begun[1])
            if self._never(i):
                self._failed()
                return
        self.where = block.terminator
        self._end(made, block)

    # where it goes ---------------------------------------------------------------------------------

    def _end(self, made: form.MachineBlock, block: Block) -> None:
        end = block.terminator
        match end:
            case Jump(to):
                self._jump(made, block, to, to)
            case Branch(condition, then, otherwise):
                if not isinstance(made.end, form.MachineBranch):
                    raise self.refused("it does not branch")
                self._all_seen()
                ways = made.end.then, made.end.otherwise
                if self.words.same(made.end.condition, condition):
                    self._ways(ways, block, (then, otherwise), None)
                else:
                    inside, self.goes_on = self._implies(made.end.condition, condition)
                    self._way(ways[0], block, end.edges[inside])
                    stop = ways[1]
                    self._begin(stop)
                    self._all_seen()
                    if not isinstance(stop.end, form.MachineBranch) or not self.words.same(
                        stop.end.condition, condition
                    ):
                        raise self.refused("a strip ends by another condition")
                    self._ways((stop.end.then, stop.end.otherwise), block, (then, otherwise), inside)
            case Return(args):
                self._return(made, args)
            case TrapTerminator(message, position):
                self._all_seen()
                escaped = message.replace("{", "{{").replace("}", "}}")
                if not isinstance(made.end, form.MachineFail) or made.end.site != site_of(escaped, position):
                    raise self.refused("it does not fail as it should")

    def _ways(
        self, ways: tuple[form.MachineBlock, ...], block: Block, edges: tuple[Edge, ...], resumed: int | None
    ) -> None:
        for at, (way, edge) in enumerate(zip(ways, edges, strict=True)):
            self._way(way, block, edge, at == resumed)

    def _way(self, way: form.MachineBlock, block: Block, edge: Edge, resumed: bool = False) -> None:
        """What leads to where the edge does; or, where a strip ends, goes on from there."""
        if way.params:
            raise self.refused("a way has parameters")
        again = self.witness.lowered.get(way)
        if again is not None:
            if not resumed or again[0] is not edge.block or edge.args or edge.block.params:
                raise self.refused("another block is lowered on the way")
            # what it defines is defined there for this way alone
            words, held = dict(self.words.words), dict(self.words.held)
            self._lowered(way, again[0])
            self.words.words, self.words.held = words, held
            self.block, self.where = block, block.terminator
            return
        self._begin(way)
        to = way.end
        params = [self.words.words[param] for param in block.params]
        if (
            resumed
            and isinstance(to, form.MachineJump)
            and self.witness.strips.get(to.to) is block
            and to.args == params
        ):
            # the block again, which has done nothing that can be seen
            if any(i.op in ("store", "call", "new") for i in block.instructions):
                raise self.refused("a block is done twice")
            if not self._advances(to.to, block, edge):
                raise self.refused("a strip may be of nothing, for ever")
            self._jump(way, block, Edge(block, block.params), edge)
        else:
            self._jump(way, block, edge, edge)

    def _jump(self, made: form.MachineBlock, block: Block, edge: Edge, by: Edge) -> None:
        """It goes where the edge does; the block is left by another, if it is done again."""
        end = made.end
        if not self._entered_ever(edge.block):
            return
        if not isinstance(end, form.MachineJump):
            raise self.refused("it does not jump")
        outer = self.witness.strips.get(end.to) is edge.block
        if not outer and self.witness.begins.get(end.to) is not edge.block:
            raise self.refused(f"it goes elsewhere than to {edge.block.name}")
        self._next("give")
        self._all_seen()
        for word, param, arg in zip(end.args, edge.block.params, edge.args, strict=True):
            self._passed(word, param, arg)
        if outer:
            self._strip(end.to, edge, block, by)

    def _passed(self, word: Operand, param: Value, arg: Value) -> None:
        if not isinstance(param.type, Int):
            if not self.words.same(word, arg):
                raise self.refused(f"{param} gets something else than {arg}")
            return
        known, wide = self.words.known(arg), self.words.known(param)
        if (known.high is not None and wide.low is not None and known.high < wide.low) or (
            known.low is not None and wide.high is not None and known.low > wide.high
        ):
            # as has been checked, this edge is never taken
            return
        held = self.words.of(word, arg, wide)
        if word.type != self.plan.containers[param] or held is None:
            raise self.refused(f"{param} gets something else than {arg}")
        wanted = self._demanded(param, word.type)
        if wanted[0] & ~held[0] or wanted[1] & ~held[1]:
            raise self.refused(f"{param} gets less of {arg} than is demanded")

    # strips of loops -------------------------------------------------------------------------------

    def _strip(self, outer: form.MachineBlock, edge: Edge, block: Block, by: Edge) -> None:
        """What is assumed where a strip begins holds on the edge."""
        head = edge.block
        made = self.machine_of[head]
        end = outer.end
        if (
            not isinstance(end, form.MachineJump)
            or end.to is not made
            or end.args != outer.params
            or [w.type for w in outer.params] != [w.type for w in made.params]
        ):
            raise self.refused("a strip does not begin at its loop")
        for op in self.witness.ops[outer]:
            if op.op == "assume":
                self._assume(op, outer, edge, block, by)
            elif op.op in EVENTS or (op.op in SOMETIMES and not self._total(op)):
                raise self.refused(f"a strip begins with {op.op}")

    def _assume(self, op: Op, outer: form.MachineBlock, edge: Edge, block: Block, by: Edge) -> None:
        compared = self.ops.get(op.args[0])
        if compared is None or compared.op not in ("slt", "ult", "sgt", "ugt"):
            raise self.refused("something is assumed")
        start, bound = self._outer_value(compared.args[0], outer, edge, compared.op[0]), compared.args[1]
        if start is None:
            raise self.refused("of something else than a counter it is assumed where it starts")
        for value in self._bounds():
            if self.words.exact(bound, value, compared.op[0]):
                less = (start, value) if compared.op[1:] == "lt" else (value, start)
                if self.ordered.at_most(*less, block, 1, by):
                    return
        raise self.refused("it is assumed where a counter starts")

    def _outer_value(self, word: Operand, outer: form.MachineBlock, edge: Edge, sign: str) -> Value | None:
        """What the edge passes for the parameter that the word is, read so."""
        op = self.ops.get(word)
        inner = op.args[0] if op is not None and op.op in ("zext", "sext", "trunc") else word
        if inner not in outer.params:
            return None
        at = outer.params.index(inner)
        param = edge.block.params[at]
        held = self._demanded(param, inner.type)
        if op is not None:
            good = (op.op == "zext" and held[1] & U) or (op.op == "sext" and held[1] & S and sign == "s")
            if op.op == "trunc":
                # all that is cut off is the sign's
                right = not ~held[0] & (1 << word.type) - 1
                good = right and fits(*self.words.known(param)[:2], word.type) & SIGNED[sign]
            if not good:
                return None
        elif not held[1] & SIGNED[sign]:
            return None
        return edge.args[at]

    def _bounds(self) -> list[Value]:
        return [v for v in self.words.held if isinstance(v.type, Int)]

    def _implies(self, more: Operand, condition: Value) -> tuple[int, _GoesOn]:
        """By which of its edges the branch goes, if the bit is set: a counter is before its bound."""
        op, test = self.ops.get(more), self.words.made_by.get(condition)
        if op is None or op.op not in ("slt", "ult", "sgt", "ugt") or test is None or test.op not in COMPARE:
            raise self.refused("a branch goes by another condition")
        counter, stop = op.args
        nearest = self.ops.get(stop)
        up = op.op[1:] == "lt"
        if nearest is None or nearest.op != op.op[0] + ("min" if up else "max"):
            raise self.refused("a strip may go on for ever")
        for x, bound, at in ((*test.args, 0), (*test.args[::-1], 1)):
            ends = self._counted(counter, x, op.op[0])
            if ends is None:
                continue
            for edge in nearest.args:
                slack = self._offset(edge, bound, op.op[0])
                if slack is None:
                    continue
                # x - ends + 1 <= bound + slack, or x - ends - 1 >= bound + slack
                relation = test.op if at == 0 else _MIRRORED.get(test.op, test.op)
                gap = 1 - slack - ends if up else 1 + slack + ends
                decided = _decided(relation, up, gap)
                if decided is not None:
                    other = nearest.args[edge is nearest.args[0]]
                    return 1 - decided, _GoesOn(counter, bound, slack, other, op.op[0], up)
        raise self.refused("a strip goes on where its loop may not")

    def _advances(self, outer: form.MachineBlock, block: Block, by: Edge) -> bool:
        """Whether a strip that begins as the block did, left by this edge, does go on.

        The counter is before the bound, as the edge was taken, and before where the strip ends: that is
        further than it starts, or the last integer of the word.
        """
        counter, bound, slack, end, sign, up = self.goes_on
        op, edge = self.ops.get(end), Edge(block, block.params)
        if op is None or op.op != "add" or op.attribute is not None or not isinstance(op.args[1], Const):
            return False
        start, way = op.args[0], op.args[1].value
        near = self.ops.get(start)
        last = None
        if (
            near is not None
            and near.op == sign + ("min" if up else "max")
            and isinstance(near.args[1], Const)
        ):
            start, last = near.args[0], near.args[1].value
        x = self._outer_value(start, outer, edge, sign)
        if x is None or not self.words.exact(counter, x, sign) or (way <= 0 if up else way >= 0):
            return False
        if last is None:
            low, high = self.words.known(x)[:2]
            if low is None or high is None or not fits(low + way, high + way, end.type) & SIGNED[sign]:
                return False
        elif last + way != _furthest(end.type, sign, up):
            return False
        if up:
            return self.ordered.at_most(x, bound, block, 1 - slack, by)
        return self.ordered.at_most(bound, x, block, 1 + slack, by)

    def _counted(self, counter: Operand, x: Value, sign: str) -> int | None:
        """What must be taken from x, which is compared, to be the counter."""
        if self.words.exact(counter, x, sign):
            return 0
        made = self.words.made_by.get(x)
        if made is None or made.op not in ("add", "sub"):
            return None
        a, b = made.args
        if made.op == "add" and self.words.constant(b) is None:
            a, b = b, a
        by = self.words.constant(b)
        if by is None or not self.words.exact(counter, a, sign):
            return None
        return by if made.op == "add" else -by

    def _offset(self, word: Operand, value: Value, sign: str) -> int | None:
        """What is added to the value to make the word, read so, if no bit is lost."""
        if self.words.exact(word, value, sign):
            return 0
        op = self.ops.get(word)
        if op is None or op.op != "add" or not isinstance(op.args[1], Const):
            return None
        low, high = self.words.known(value)[:2]
        by = op.args[1].value
        if low is None or high is None or not self.words.exact(op.args[0], value, sign):
            return None
        return by if fits(low + by, high + by, word.type) & SIGNED[sign] else None

    # returns ---------------------------------------------------------------------------------------

    def _return(self, made: form.MachineBlock, args: list[Value]) -> None:
        end = made.end
        results = self.signatures[self.plan.function.name].results
        if not isinstance(end, form.MachineReturn) or len(end.args) != len(args):
            raise self.refused("it does not return")
        for word, arg, result in zip(end.args, args, results, strict=True):
            if not isinstance(result.type, Int):
                good = self.words.same(word, arg)
            elif result.container is BIG:
                good = self.words.big(word, arg)
            else:
                good = word.type == result.container and self.words.exact(
                    word, arg, "s" if result.negative else "u"
                )
            if not good:
                raise self.refused(f"something else than {arg} is returned")
            if result.owned and not (isinstance(word, Const) and form.is_small(word.value)):
                op = self._next("retain")
                if op is None or op.args != [word]:
                    raise self.refused(f"nobody owns {arg}, which is returned")
        self._all_seen()


def _furthest(bits: int, sign: str, up: bool) -> int:
    """The last integer that the word is, as a constant is written."""
    if sign == "u":
        return -1 if up else 0
    return (1 << bits - 1) - 1 if up else -1 << bits - 1


_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def _decided(relation: str, up: bool, gap: int) -> bool | None:
    """Whether the relation of x and b holds where x + gap <= b, or, counting down, x - gap >= b."""
    if not up:
        relation = _MIRRORED.get(relation, relation)
    if relation in ("lt", "le"):
        return True if gap >= (relation == "lt") else None
    if relation in ("gt", "ge"):
        return False if gap >= (relation == "ge") else None
    return relation == "ne" if gap >= 1 else None
