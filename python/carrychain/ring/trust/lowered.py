"""Shows that machine IR computes what the IR computes, block by block.

The checker walks each block of the IR together with the machine blocks that it was lowered to. For each word
that holds a value of the IR, words.py finds which bits of the word are the value's. A block's parameters are
assumed to hold the bits that the plan demands of them, and every jump must pass at least those. By induction
over the steps of a run, every word has the bits that were found for it.

steps.py compares the operations within a block. This module compares where control goes. A branch must test
the IR's condition. A loop that runs in strips (lower/polls.py) first tests a condition that implies the IR's;
if that fails, the strip ends, and the IR's own condition is tested. A `poll` between two strips changes no
value. A strip that resumes inside the loop must run at least one iteration: otherwise the loop could poll for
ever without advancing.

Lowering states which words hold which values, and where each block begins (machine/witness.py). The checker
trusts none of these statements.
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

# Operations whose site is compared where the operation itself is checked.
CHECKED = frozenset(("refuse", "bounds", "bounds_big", "deep", "call", "new"))


class _GoesOn(NamedTuple):
    """A strip continues while the counter is before `bound` + `slack`, and before the strip's own `end`."""

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
    """Raises Unshown if the machine IR, as lowering made it, is not shown to compute what the IR computes."""
    _Walk(plan, module, signatures, params, function, witness, deep).check()


class _Walk(BlockCheck):
    # the blocks ------------------------------------------------------------------------------------

    def check(self) -> None:
        function, entry = self.plan.function, self.plan.function.blocks[0]
        made = self.function.blocks[0]
        self._stated()
        if self.witness.begins.get(made) is not entry or made.params:
            raise self.refused("the entry block is lowered elsewhere, or has parameters")
        self._entered(self.function.params, entry.params, self.signatures[function.name].params)
        # in dominance order, so that definitions are met before their uses
        for block in self.ordered.dominance.order:
            if not self._entered_ever(block):
                continue
            made = self.machine_of.get(block)
            if made is None:
                raise self.refused(f"no machine block begins {block.name}")
            if block is not entry:
                self._parameters(made, block)
            self._lowered(made, block)

    def _stated(self) -> None:
        """The witness describes this function, each word and block once; sites of failures are right."""
        signature, witness, function = self.signatures[self.function.name], self.witness, self.function
        if function.name != self.plan.function.name or [r.type for r in signature.results] != list(
            self.plan.function.results
        ):
            raise self.refused("the name or the result types are another function's")
        if [r.word for r in signature.results] != function.results:
            raise self.refused("the results are returned in words of other types")
        ops = [op for block in function.blocks for op in witness.ops.get(block, ())]
        if witness.ops.keys() != {*function.blocks} or len(self.ops) != sum(len(op.results) for op in ops):
            raise self.refused("a word is defined twice, or outside of the function")
        if len(self.machine_of) != len(witness.begins) or not witness.strips.keys().isdisjoint(
            witness.begins
        ):
            raise self.refused("two machine blocks begin the same block")
        for op in ops:
            if op.site is not None and op.op not in CHECKED:
                # the position of running out of memory is not compared
                poll = op.op in POLLS
                if op.site != (
                    Site(INTERRUPTED) if poll else op.site._replace(message=OUT_OF_MEMORY, operand="")
                ):
                    raise self.refused(f"{op.op} fails with another message")

    def _entered_ever(self, block: Block) -> bool:
        return self.plan.facts is None or block in self.plan.facts

    def _entered(self, words: list[Word], params: list[Value], passed: list[Passed]) -> None:
        for word, param, how in zip(words, params, passed, strict=True):
            self.words.words[param] = word
            if how.type != param.type:
                raise self.refused(f"{param} is passed as {how.type}")
            if isinstance(param.type, Int):
                if word.type != how.container or how.container != self.plan.containers[param]:
                    raise self.refused(f"{param} is passed in a word of another type")
                if word.type is BIG:
                    self.words.held[param] = WHOLE
                else:
                    self.words.held[param] = (
                        (1 << word.type) - 1,
                        fits(*self.words.known(param)[:2], word.type),
                    )
            elif word.type != (1 if isinstance(param.type, Bool) else ARRAY):
                raise self.refused(f"the word of {param} has another type")

    def _parameters(self, made: form.MachineBlock, block: Block) -> None:
        if len(made.params) != len(block.params):
            raise self.refused(f"{block.name} has another number of parameters")
        for word, param in zip(made.params, block.params, strict=True):
            self.words.words[param] = word
            self._parameter(word, param)

    def _parameter(self, word: Word, param: Value) -> None:
        if not isinstance(param.type, Int):
            if word.type != (1 if isinstance(param.type, Bool) else ARRAY):
                raise self.refused(f"the word of {param} has another type")
            return
        if word.type != self.plan.containers[param]:
            raise self.refused(f"the word of {param} has another type")
        self.words.held[param] = self._demanded(param, word.type)

    def _demanded(self, param: Value, bits: int | None) -> Held:
        """What every jump passes for the parameter: the demanded bits, or all if these determine it."""
        low, high = self.words.known(param)[:2]
        mask, full = self.plan.demands[param], ALL if bits is BIG else (1 << bits) - 1
        if mask < 0:
            # of a big integer, those from some bit on may be demanded alone
            return (mask, 0) if bits is BIG and mask != ALL else WHOLE
        for narrow in form.WIDTHS:
            if fits(low, high, narrow) and (bits is BIG or narrow <= bits):
                if mask & (1 << narrow) - 1 == (1 << narrow) - 1:
                    # the word is the value, extended; unless it is negative, both readings are
                    return WHOLE if bits is BIG else (full, fits(low, high, bits))
                break
        return mask & full, 0

    def _lowered(self, made: form.MachineBlock, block: Block) -> None:
        """Checks the block's instructions and its terminator."""
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

    # terminators -----------------------------------------------------------------------------------

    def _end(self, made: form.MachineBlock, block: Block) -> None:
        end = block.terminator
        match end:
            case Jump(to):
                self._jump(made, block, to, to)
            case Branch(condition, then, otherwise):
                if not isinstance(made.end, form.MachineBranch):
                    raise self.refused("the machine block does not end in a branch")
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
                        raise self.refused("the test after a strip is not the loop's condition")
                    self._ways((stop.end.then, stop.end.otherwise), block, (then, otherwise), inside)
            case Return(args):
                self._return(made, args)
            case TrapTerminator(message, position):
                self._all_seen()
                escaped = message.replace("{", "{{").replace("}", "}}")
                if not isinstance(made.end, form.MachineFail) or made.end.site != site_of(escaped, position):
                    raise self.refused("the machine block does not fail with the trap's message")

    def _ways(
        self, ways: tuple[form.MachineBlock, ...], block: Block, edges: tuple[Edge, ...], resumed: int | None
    ) -> None:
        for at, (way, edge) in enumerate(zip(ways, edges, strict=True)):
            self._way(way, block, edge, at == resumed)

    def _way(self, way: form.MachineBlock, block: Block, edge: Edge, resumed: bool = False) -> None:
        """The machine block leads to the edge's target, or, after a strip, resumes the loop there."""
        if way.params:
            raise self.refused("the target of a branch has parameters")
        again = self.witness.lowered.get(way)
        if again is not None:
            if not resumed or again[0] is not edge.block or edge.args or edge.block.params:
                raise self.refused(f"another block is lowered on the edge to {edge.block.name}")
            # what this copy of the block defines is defined on this edge alone
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
            # the block runs again: so far it must have had no effect
            if any(i.op in ("store", "call", "new") for i in block.instructions):
                raise self.refused("a block with effects runs twice")
            if not self._advances(to.to, block, edge):
                raise self.refused("a strip may run no iteration, so the loop may not end")
            self._jump(way, block, Edge(block, block.params), edge)
        else:
            self._jump(way, block, edge, edge)

    def _jump(self, made: form.MachineBlock, block: Block, edge: Edge, by: Edge) -> None:
        """The machine block jumps where the edge does. `by` is the edge on which control left the block:
        another one, if the block runs again."""
        end = made.end
        if not self._entered_ever(edge.block):
            return
        if not isinstance(end, form.MachineJump):
            raise self.refused("the machine block does not end in a jump")
        outer = self.witness.strips.get(end.to) is edge.block
        if not outer and self.witness.begins.get(end.to) is not edge.block:
            raise self.refused(f"the jump does not go to {edge.block.name}")
        self._next("give")
        self._all_seen()
        for word, param, arg in zip(end.args, edge.block.params, edge.args, strict=True):
            self._passed(word, param, arg)
        if outer:
            self._strip(end.to, edge, block, by)

    def _passed(self, word: Operand, param: Value, arg: Value) -> None:
        if not isinstance(param.type, Int):
            if not self.words.same(word, arg):
                raise self.refused(f"the word passed for {param} is not {arg}")
            return
        known, wide = self.words.known(arg), self.words.known(param)
        if (known.high is not None and wide.low is not None and known.high < wide.low) or (
            known.low is not None and wide.high is not None and known.low > wide.high
        ):
            # the ranges are disjoint: as `check` has established, this edge is never taken
            return
        held = self.words.of(word, arg, wide)
        if word.type != self.plan.containers[param] or held is None:
            raise self.refused(f"the word passed for {param} is not {arg}")
        wanted = self._demanded(param, word.type)
        if wanted[0] & ~held[0] or wanted[1] & ~held[1]:
            raise self.refused(f"not all bits demanded of {param} are passed from {arg}")

    # strips of loops -------------------------------------------------------------------------------

    def _strip(self, outer: form.MachineBlock, edge: Edge, block: Block, by: Edge) -> None:
        """What a strip's entry assumes holds on the edge."""
        head = edge.block
        made = self.machine_of[head]
        end = outer.end
        if (
            not isinstance(end, form.MachineJump)
            or end.to is not made
            or end.args != outer.params
            or [w.type for w in outer.params] != [w.type for w in made.params]
        ):
            raise self.refused("a strip's entry does not lead to the head of its loop")
        for op in self.witness.ops[outer]:
            if op.op == "assume":
                self._assume(op, outer, edge, block, by)
            elif op.op in EVENTS or (op.op in SOMETIMES and not self._total(op)):
                raise self.refused(f"a strip's entry has an effect or may fail: {op.op}")

    def _assume(self, op: Op, outer: form.MachineBlock, edge: Edge, block: Block, by: Edge) -> None:
        compared = self.ops.get(op.args[0])
        if compared is None or compared.op not in ("slt", "ult", "sgt", "ugt"):
            raise self.refused("a strip's entry assumes something other than a comparison")
        start, bound = self._outer_value(compared.args[0], outer, edge, compared.op[0]), compared.args[1]
        if start is None:
            raise self.refused("a strip's entry assumes a bound of a word that is not passed to it")
        for value in self._bounds():
            if self.words.exact(bound, value, compared.op[0]):
                less = (start, value) if compared.op[1:] == "lt" else (value, start)
                if self.ordered.at_most(*less, block, 1, by):
                    return
        raise self.refused("a strip's entry assumes a bound of its counter that is not shown to hold")

    def _outer_value(self, word: Operand, outer: form.MachineBlock, edge: Edge, sign: str) -> Value | None:
        """If the word, read with this sign, is one of the entry's parameters: what the edge passes for it."""
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
                # the word that is left is the value: what is cut off are copies of its sign
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
        """The edge that the IR's branch takes if the strip's test holds, and what that test says."""
        op, test = self.ops.get(more), self.words.made_by.get(condition)
        if op is None or op.op not in ("slt", "ult", "sgt", "ugt") or test is None or test.op not in COMPARE:
            raise self.refused("a branch tests another condition")
        counter, stop = op.args
        nearest = self.ops.get(stop)
        up = op.op[1:] == "lt"
        if nearest is None or nearest.op != op.op[0] + ("min" if up else "max"):
            raise self.refused("a strip's test does not bound its iterations")
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
        raise self.refused("a strip's test does not imply its loop's condition")

    def _advances(self, outer: form.MachineBlock, block: Block, by: Edge) -> bool:
        """Whether the strip's test holds if the strip begins with the parameters that the block had.

        The counter is before the bound, because control left the block by this edge. It is before the strip's
        end if that is the counter plus a step that does not overflow, or the last integer of the word.
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
        """x - counter, if the compared x is the counter plus a constant."""
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
        """word - value, if the word, read with this sign, is the value plus a constant without overflow."""
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
            raise self.refused("the machine block does not return as many words")
        for word, arg, result in zip(end.args, args, results, strict=True):
            if not isinstance(result.type, Int):
                good = self.words.same(word, arg)
            elif result.container is BIG:
                good = self.given(word, arg)
            else:
                good = word.type == result.container and self.words.exact(
                    word, arg, "s" if result.negative else "u"
                )
            if not good:
                raise self.refused(f"the word returned for {arg} is not {arg}")
            if result.owned and not (isinstance(word, Const) and form.is_small(word.value)):
                op = self._next("retain")
                if op is None or op.args != [word]:
                    raise self.refused(f"{arg} is returned without being retained")
        self._all_seen()


def _furthest(bits: int, sign: str, up: bool) -> int:
    """The last integer of the word in this direction, as constants are written: in two's complement."""
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
