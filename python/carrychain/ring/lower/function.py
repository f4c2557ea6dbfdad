"""A function as machine IR: its blocks, calls and terminators."""

from __future__ import annotations

from collections.abc import Callable

from ..facts.demand import below
from ..facts.escape import roots
from ..facts.plan import Plan, Range
from ..ir.dominance import reverse_postorder
from ..ir.form import (
    ARITHMETIC,
    COMPARE,
    DIVISION,
    LOGIC,
    Array,
    Block,
    Bool,
    Branch,
    Edge,
    Instruction,
    Int,
    Jump,
    Return,
    TrapTerminator,
    Value,
)
from ..machine import form
from ..machine.abi import MachineSignature
from ..machine.form import ARRAY, BIG, Const, Op, Operand, Word, is_small
from ..machine.witness import Witness
from . import arithmetic, arrays, functions, shifts
from .builder import MachineBuilder
from .checks import check, compare
from .frame import in_frame
from .late import late_slots
from .polls import FAR, Polls, Strip
from .values import ValueMap

INTERRUPTED = "interrupted"


def _compared(v: ValueMap, i: Instruction) -> None:
    v.words[i.result] = compare(v, i.op, *i.args)


def _narrowed(v: ValueMap, i: Instruction) -> None:
    (x,) = i.args
    if not v.range(x).within(i.attribute) and not v.rounds.hold(i):
        check(v, x, i.attribute)
    v.words[i.result] = v.passed(x, i.result)


def _assumed(v: ValueMap, i: Instruction) -> None:
    v.words[i.result] = v.passed(i.args[0], i.result)


# By the IR's operation; calls are lowered by FunctionLowering.
LOWERED: dict[str, Callable[[ValueMap, Instruction], None]] = {
    **dict.fromkeys((*ARITHMETIC, "neg"), arithmetic.arithmetic),
    **dict.fromkeys(LOGIC, arithmetic.logic),
    **dict.fromkeys(DIVISION, arithmetic.division),
    **dict.fromkeys(COMPARE, _compared),
    "const": arithmetic.constant,
    "select": arithmetic.selected,
    "not": arithmetic.inverted,
    "narrow": _narrowed,
    "assume": _assumed,
    "shift": shifts.shift,
    "low": shifts.low,
    "field": shifts.signed_field,
    "rotl": shifts.rotate,
    "bitlen": functions.counted,
    "popcount": functions.counted,
    "isqrt": functions.isqrt,
    "gcd": functions.gcd,
    "expt": functions.expt,
    "global": arrays.global_array,
    "new": arrays.new,
    "len": arrays.length,
    "load": arrays.load,
    "load_le": arrays.load_bytes,
    "load_be": arrays.load_bytes,
    "store": arrays.store,
}


class FunctionLowering:
    def __init__(
        self,
        plan: Plan,
        signatures: dict[str, MachineSignature],
        plans: dict[str, Plan],
        polls: Polls,
        lengths: dict[str, int],
        frame: bool,
        recursive: set[str],
    ):
        function = plan.function
        self.function = function
        self.signatures = signatures
        self.plans = plans
        self.polls = polls
        signature = signatures[function.name]
        self.signature = signature
        # if it is recursive: the recursive functions, whose calls check the depth
        self.recursive = recursive if function.name in recursive else set()
        self.form = form.MachineFunction(function.name, [], [result.word for result in signature.results])
        self.builder = MachineBuilder(self.form)
        self.values = ValueMap(plan, self.builder, lengths)
        if frame:
            self.values.in_frame = in_frame(plan, self.values)
        self.words = self.values.words
        self.slot_of: dict[Value, int] = {}
        self.borrowed: dict[Value, list[Operand]] = {}  # what is passed forward, by the parameter
        self.starts: dict[Block, int] = {}  # the number of machine blocks before each block
        self.strips: dict[Block, Strip] = {strip.head: strip for strip in polls.strips.values()}
        self.waiting: Op | None = None  # what the edge begins with
        self.stops: dict[Block, Word] = {}  # where the current strip ends, by the loop's head
        self.blocks: dict[Block, form.MachineBlock] = {}
        self.outer: dict[Block, form.MachineBlock] = {}  # the strips' entries, by the loop's head
        self.general = plan.general
        self.resuming = False  # whether the edges of a strip's end are being lowered
        self.witness = Witness()

    def lower(self) -> form.MachineFunction:
        b, function = self.builder, self.function
        order = reverse_postorder(function)
        found = roots(function)
        # the arrays that a slot must own: not the callers', the module's, or those in the frame
        made = {i for i in function.instructions() if i not in self.values.in_frame}
        owned = {v for v, of in found.items() if of & made}
        self.blocks = {block: b.new_block() for block in order}
        self.outer = {head: b.new_block() for head in self.strips}
        self.witness.begins = {made: block for block, made in self.blocks.items()}
        self.witness.strips = {made: head for head, made in self.outer.items()}
        b.begin(self.blocks[order[0]])
        if self.polls.entry:
            b.do("poll", site=form.Site(INTERRUPTED))
        for param, passed in zip(function.params, self.signature.params, strict=True):
            self.words[param] = b.word(passed.word)
            self.form.params.append(self.words[param])
        for block in order:
            self.starts[block] = len(self.form.blocks)
            if block is not function.blocks[0]:
                params = [self._parameter(param, param in owned) for param in block.params]
                if block in self.strips:
                    self._begin_strip(self.strips[block])
                self.blocks[block].params = params
                b.begin(self.blocks[block])
            self._block(block)
        late_slots(self.form, self.witness, b.leans)
        self.witness.ops = {block: block.ops for block in self.form.blocks}
        return self.form

    def _block(self, block: Block) -> None:
        self.values.block, begun = block, self.builder.block
        for instruction in block.instructions:
            self.builder.position = instruction.position
            if instruction.op == "call":
                self._call(instruction)
            else:
                LOWERED[instruction.op](self.values, instruction)
        results = [result for i in block.instructions for result in i.results]
        self.witness.lowered[begun] = block, {result: self.words[result] for result in results}
        self._terminator(block)

    def _type(self, value: Value) -> form.MachineType:
        match value.type:
            case Bool():
                return 1
            case Array():
                return ARRAY
        return self.values.containers[value]

    def _parameter(self, param: Value, owned: bool) -> Word:
        b = self.builder
        word = b.word(self._type(param))
        self.words[param] = word
        if word.type is BIG or owned:
            slot = self.builder.slot()
            self.slot_of[param] = self.witness.slots[word] = slot
            b.taken[slot] = len(self.form.blocks)
            b.leans[word] = b.leaning(self.borrowed.get(param, ())) | {slot}
        return word

    def _edge(self, source: Block, edge: Edge) -> None:
        """Passes the arguments, and jumps.

        On a back edge, the arguments are given to the parameters' slots. Forward, where the parameters have
        no slots yet, they borrow the arguments: an argument's slot is filled again only at its definition,
        and from there every path to a use of the parameter passes the parameter again, because it dominates
        its uses.

        On a back edge, a slot that owns an argument exchanges with the parameter's, if it is filled again
        before any use of what leaned on it: if it belongs to the loop's head, or to a later block.
        """
        b, block = self.builder, edge.block
        if source not in self.general and block in self.general:
            b.do("open")
        if self.waiting is not None:
            # before the poll, which may fail
            b.block.ops.append(self.waiting)
            b.taken[self.waiting.slot] = len(self.form.blocks) - 1
            self.waiting = None
        if (source, block) in self.polls.edges:
            b.do("poll", site=form.Site(INTERRUPTED))
        args, given, slots = [], [], []
        for param, arg in zip(block.params, edge.args, strict=True):
            word = self.values.passed(arg, param) if isinstance(param.type, Int) else self.words[arg]
            args.append(word)
            if param not in self.slot_of:
                self.borrowed.setdefault(param, []).append(word)
            elif arg is not param and not _unowned(word):
                given.append(word)
                slots.append(self.slot_of[param])
        if given:
            given, slots = self._exchanged(block, given, slots)
            b.do("give", *given, attribute=tuple(slots))
        if source in self.general and block not in self.general:
            b.do("close")
        strip, target = self.strips.get(block), self.blocks[block]
        if strip and (source is not strip.latch or self.resuming):
            target = self.outer[block]
        b.end(form.MachineJump(target, args))

    def _exchanged(
        self, head: Block, given: list[Operand], slots: list[int]
    ) -> tuple[list[Operand], list[int | tuple[int, ...]]]:
        """What is given to which slots: with those to exchange with, and each slot before it is filled."""
        b = self.builder
        fixed = {self.slot_of[param] for param in head.params if param in self.slot_of}.difference(slots)
        rest = {
            slot: (word, [
                each for each in sorted(b.leans.get(word, ()))
                if each != slot and each not in fixed and b.taken.get(each, -1) >= self.starts[head]
            ])
            for slot, word in zip(slots, given, strict=True)
        }  # fmt: skip
        words, found = [], []
        while rest:
            wanted = [each for _, others in rest.values() for each in others]
            slot = next((slot for slot in rest if slot not in wanted), next(iter(rest)))
            word, others = rest.pop(slot)
            words.append(word)
            found.append((slot, *others) if others else slot)
        return words, found

    def _begin_strip(self, strip: Strip) -> None:
        """The entry of a loop's strips: it has the head's parameters, and computes where the strip ends."""
        b, v, head = self.builder, self.values, strip.head
        outer = self.outer[head]
        outer.params = [b.word(self._type(param)) for param in head.params]
        for param, word in zip(head.params, outer.params, strict=True):
            if param in self.slot_of:
                self.witness.slots[word] = self.slot_of[param]
        b.begin(outer)
        param = head.params[strip.position]
        start = v.resize(outer.params[strip.position], 64, v.range(param).negative)
        bound, sign = v.word(strip.bound, 64), "s" if strip.signed else "u"
        way, near = strip.step * strip.rounds, start
        if max(v.range(param).high, -v.range(param).low) > FAR:
            # the strip's end could overflow: limit it to the word's, beyond which the bound cannot lie
            most = below(63 if strip.signed else 64) - way if way > 0 else -(1 << 63) - way
            near = b.let(sign + ("min" if way > 0 else "max"), 64, start, form.const(most, 64))
        end = b.let("add", 64, near, form.const(way, 64))
        if strip.guarded:
            # LLVM does not see this at the beginning of later strips
            b.do("assume", b.let(sign + ("lt" if strip.step > 0 else "gt"), 1, start, bound))
        if strip.slack:
            bound = b.let("add", 64, bound, form.const(strip.slack, 64))
        nearer = sign + ("min" if strip.step > 0 else "max")
        self.stops[head] = b.let(nearer, 64, bound, end)
        b.end(form.MachineJump(self.blocks[head], list(outer.params)))

    def _strip(self, block: Block, strip: Strip) -> None:
        """The test of a loop that runs in strips."""
        b, end = self.builder, block.terminator
        inside, outside = end.edges[strip.inside], end.edges[1 - strip.inside]
        op = ("s" if strip.signed else "u") + ("lt" if strip.step > 0 else "gt")
        more = b.let(op, 1, self.values.word(strip.counter, 64), self.stops[strip.head])
        go_on, stop, resume, leave = (b.new_block() for _ in range(4))
        b.end(form.MachineBranch(more, go_on, stop, likely=True))
        b.begin(go_on)
        self._edge(block, inside)
        b.begin(stop)
        ways = (resume, leave) if strip.inside == 0 else (leave, resume)
        b.end(form.MachineBranch(self.words[end.condition], *ways))
        b.begin(leave)
        self._edge(block, outside)
        b.begin(resume)
        b.do("poll", site=form.Site(INTERRUPTED))
        self.resuming = True
        if strip.counter in block.params:
            self._edge(block, Edge(block, block.params))
        elif block is strip.latch:
            self._edge(block, inside)
        else:
            self._block(strip.latch)
        self.resuming = False

    def _terminator(self, block: Block) -> None:
        b = self.builder
        match block.terminator:
            case Jump(to):
                self._edge(block, to)
            case Branch() if block in self.polls.strips:
                self._strip(block, self.polls.strips[block])
            case Branch(condition, then, otherwise):
                ways = b.new_block(), b.new_block()
                in_words = otherwise.block in self.general and then.block not in self.general
                waiting = self._waiting(self.words[condition])
                b.end(form.MachineBranch(self.words[condition], *ways, likely=in_words))
                for way, edge in zip(ways, (then, otherwise), strict=True):
                    b.begin(way)
                    self.waiting = waiting if edge is otherwise else None
                    self._edge(block, edge)
            case Return(args):
                self._return(args)
            case TrapTerminator(message, position):
                b.position = position
                b.end(form.MachineFail(b.site(escape(message))))

    def _waiting(self, condition: Operand) -> Op | None:
        """The operation that gives the block's last object to a slot, if it can wait for this branch.

        There, a small integer needs no slot.
        """
        ops = self.builder.block.ops
        at = next((at for at, op in enumerate(ops) if condition in op.results), None)
        if at is None or ops[at].op != "is_small":
            return None
        for owner in range(len(ops) - 1, -1, -1):
            op = ops[owner]
            if op.op in ("keep", "own") and op.args == ops[at].args:
                return ops.pop(owner)
            if op.site is not None or op.op in form.EFFECTS:
                return None
        return None

    def _return(self, args: list[Value]) -> None:
        words = []
        for arg, result in zip(args, self.signature.results, strict=True):
            if not isinstance(result.type, Int):
                words.append(self.words[arg])
            elif result.container is BIG:
                words.append(self.values.given(arg))
            else:
                words.append(self.values.word(arg, result.container))
        # after everything that can fail: the caller receives all references or none
        for word, result in zip(words, self.signature.results, strict=True):
            if result.owned and not _unowned(word):
                self.builder.do("retain", word, attribute=tuple(sorted(self.builder.leaning([word]))) or None)
        self.builder.end(form.MachineReturn(words))

    def _call(self, i: Instruction) -> None:
        b, v = self.builder, self.values
        callee = self.signatures[i.attribute]
        args = []
        params = self.plans[i.attribute].function.params
        for arg, param, passed in zip(i.args, params, callee.params, strict=True):
            if isinstance(passed.type, Int):
                position, b.position = b.position, param.position
                check(v, arg, passed.type)
                word = v.given(arg) if passed.container is BIG else v.word(arg, passed.container)
                b.position = position
            else:
                word = self.words[arg]
            args.append(word)
        results = [b.word(passed.word) for passed in callee.results]
        if i.attribute in self.recursive:
            # before the call and not at the callee's entry: Python blames the call for recursion that is too
            # deep
            b.do("deep", site=b.site("recursion too deep"))
        b.block.ops.append(form.Op("call", args, results, i.attribute, site=b.site(form.CALLED)))
        # own every result before using any: what follows may fail
        for word, passed in zip(results, callee.results, strict=True):
            if passed.owned:
                b.do("own", word, slot=b.slot())
        for result, passed, word in zip(i.results, callee.results, results, strict=True):
            if isinstance(passed.type, Int):
                v.define(result, word, Range(None if passed.negative else 0, None))
            else:
                self.words[result] = word


def _unowned(operand: Operand) -> bool:
    """Whether it is a small constant, which needs no slot."""
    return isinstance(operand, Const) and is_small(operand.value)


def escape(message: str) -> str:
    """The message with its braces escaped, so that nothing is filled in."""
    return message.replace("{", "{{").replace("}", "}}")
