"""Shows that a block's operations do what its instructions do: checks, observable effects, results.

Observable and failing operations appear in the IR's order, each once: stores, calls, allocations of arrays,
loads, and checks. A check fails exactly when the IR's does, with its message, position and operand. A check
may be missing only if it cannot fail: by the ranges that `check` has established, by the branches on the path
(ordered.py), or because the loop's iterations are bounded (induction.py). An operation that is undefined for
some arguments, such as a division by 0, comes after the check that excludes them.
"""

from __future__ import annotations

from collections.abc import Callable

from ..facts.plan import ANY, Plan, Range
from ..ir.errors import CheckError
from ..ir.form import (
    DIVISION,
    Block,
    Bool,
    Instruction,
    Int,
    Module,
    Value,
)  # fmt: skip
from ..machine import form
from ..machine.abi import MachineSignature, storage
from ..machine.form import BIG, OUT_OF_MEMORY, SMALL_MAX, Const, Op, Operand, Site, Word
from ..machine.witness import Witness
from .induction import Induction
from .ordered import Ordered
from .words import WHOLE, S, U, constant_of
from .yields import Yields

POLLS = frozenset(("poll",))
# Operations that are undefined for some arguments: they come after the check that excludes these.
PARTIAL = frozenset(("udiv", "urem", "sdiv", "srem", "big_divide", "big_isqrt", "big_expt"))
# To LLVM the result is poison if the count is not below the word's width.
SHIFTS = frozenset(("shl", "lshr", "ashr"))
SOMETIMES = PARTIAL | SHIFTS | {"add", "sub"}
# Operations whose order is compared. All others are checked where their results are used.
# (Which slot owns what is shown by owned.py.)
EVENTS = (form.EFFECTS | {"load", "bytes", "bounds_big"}) - {"keep", "own", "open", "close"}
OUT_OF_BOUNDS = "index {operand} is out of bounds for an array of {length}"
INTERRUPTED, TOO_DEEP = "interrupted", "recursion too deep"
# A limit for a function's arrays in its frame, in bytes. The stack has many times as much (runtime/call.c).
FRAME = 1 << 14


class Unshown(CheckError):
    """The words are not shown to compute what the IR computes."""


class BlockCheck:
    def __init__(self, plan, module, signatures, params, function, witness, deep):
        self.plan: Plan = plan
        self.module: Module = module
        self.signatures: dict[str, MachineSignature] = signatures
        self.params: dict[str, list[Value]] = params
        self.function: form.MachineFunction = function
        self.witness: Witness = witness
        self.recursive = deep if plan.function.name in deep else set()
        self.ops = {word: op for ops in witness.ops.values() for op in ops for word in op.results}
        self.words = Yields(plan, self.ops)
        self.ordered = Ordered(plan.function, plan.ranges)
        self.induction = Induction(plan, self.ordered.dominance)
        self.machine_of = {block: made for made, block in witness.begins.items()}
        self.outer_of = {head: made for made, head in witness.strips.items()}
        self.events: list[Op] = []
        self.at = 0
        self.partial: dict[Op, int] = {}  # operations of the block not shown to be defined yet, by place
        self.place: dict[Op, int] = {}  # the places of all the block's operations, if `partial` has any
        self.in_frame = 0
        self.where: object = plan.function.name
        self.block: Block | None = None

    def refused(self, what: str) -> Unshown:
        where = self.where
        return Unshown(
            f"@{self.plan.function.name}: {where}: lowered to words: {what}", getattr(where, "position", None)
        )

    # the operations of a block

    def _begin(self, made: form.MachineBlock) -> None:
        ops = self.witness.ops[made]
        self.events = [op for op in ops if op.op in EVENTS and op.op not in POLLS]
        self.at = 0
        self.partial = {op: at for at, op in enumerate(ops) if op.op in SOMETIMES and not self._total(op)}
        self.place = {op: at for at, op in enumerate(ops)} if self.partial else {}

    def _next(self, *names: str) -> Op | None:
        """The next event, if it is one of these."""
        if self.at < len(self.events) and self.events[self.at].op in names:
            self.at += 1
            return self.events[self.at - 1]
        return None

    def _all_seen(self) -> None:
        if self.at < len(self.events):
            raise self.refused(f"the IR has no instruction for {self.events[self.at].op}")
        if self.partial:
            raise self.refused(f"nothing checks the arguments of {next(iter(self.partial)).op}")

    def _last(self) -> int:
        """The place of the last event."""
        return self.place[self.events[self.at - 1]] if self.at else -1

    def _checked(self, i: Instruction) -> None:
        """Operations on the instruction's arguments that follow its check are defined."""
        last = self._last()
        self.partial = {op: at for op, at in self.partial.items() if at < last or not self._can(op, i)}

    def _can(self, op: Op, i: Instruction) -> bool:
        words, sign = self.words, op.op[0]
        if op.op in ("add", "sub"):
            return op in words.exact_sums
        if op.op in SHIFTS:
            return self._turned(op)
        if op.op.startswith("big_"):
            return op.op == _PARTIAL.get(i.op) and all(map(words.big, op.args, i.args))
        return (
            i.op in DIVISION
            and all(words.exact(word, value, sign) for word, value in zip(op.args, i.args, strict=True))
            and (sign == "u" or not words.overflows(*i.args, op.result.type))
        )

    def _turned(self, op: Op) -> bool:
        """Whether it is one of a rotation's two shifts: by a count below k, or by k minus that."""
        bits, count = op.result.type, op.args[1]
        back = self.ops.get(count)
        return any(
            k < bits
            and (
                count is n
                or (back is not None and back.op == "sub" and back.args == [constant_of(k, bits), n])
            )
            for n, k in self.words.turns
        )

    def _total(self, op: Op) -> bool:
        """Whether it is defined for all arguments."""
        if op.op in SHIFTS:
            by = op.args[1]
            mask = self.ops.get(by)
            if mask is not None and mask.op == "and":
                by = mask.args[1]
            return isinstance(by, Const) and 0 <= by.value < op.result.type
        if op.op in PARTIAL:
            by = op.args[-1]
            # a constant that is neither 0 nor -1
            return (
                op.op not in ("big_isqrt", "big_expt") and isinstance(by, Const) and by.value not in (0, -1)
            )
        return op.attribute is None

    def _failed(self) -> None:
        """The instruction always fails: no operation after its check counts."""
        self.events = self.events[: self.at]
        self.partial = {op: at for op, at in self.partial.items() if at < self._last()}
        self._all_seen()

    # checks ----------------------------------------------------------------------------------------

    def _refuses(
        self, message: str, position, test: Callable[[Operand], bool], operand: Value | None = None
    ) -> bool:
        """Whether the next event is this check."""
        op = self.events[self.at] if self.at < len(self.events) else None
        if op is None or op.op != "refuse" or op.site.message != message or not test(op.args[0]):
            return False
        kind = ""
        if operand is not None:
            kind = self._told(op.args[1], operand)
        elif len(op.args) > 1:
            return False
        if op.site != site_of(message, position, kind):
            raise self.refused("a check fails with another message or position")
        self.at += 1
        return True

    def _told(self, word: Operand, value: Value) -> str:
        """How a message reads the word to print the value."""
        if word.type is BIG:
            if self.words.big(word, value):
                return "value"
        elif word.type in (64, 128):
            sign = "s" if self.words.known(value).negative else "u"
            if self.words.exact(word, value, sign):
                return f"{sign}{word.type}"
        raise self.refused(f"a check's message does not print {value}")

    def _of_type(self, value: Value, type_: Int, position, checked: Instruction | None = None) -> None:
        known = self.words.known(value)
        message = f"{{operand}} is not of type {type_}"
        for op, bound, end in (("lt", type_.low, known.low), ("gt", type_.high, known.high)):
            if bound is None or self._refuses(
                message,
                position,
                lambda word, op=op, bound=bound: self.words.compared(word, op, value, bound),
                value,
            ):
                continue
            if end is not None and (end >= bound if op == "lt" else end <= bound):
                continue
            if checked is None or not self.induction.hold(checked):
                raise self.refused(f"nothing checks that {value} is in {type_}")

    def _nonzero(self, i: Instruction) -> None:
        b = i.args[1]
        checked = self._refuses("division by zero", i.position, lambda w: self.words.compared(w, "eq", b, 0))
        if not checked and 0 in self.words.known(b):
            raise self.refused("nothing checks that the divisor is not 0")

    def _natural(self, i: Instruction, value: Value, message: str, told: Value | None = None) -> None:
        test = lambda w: self.words.compared(w, "lt", value, 0)  # noqa: E731
        if not self._refuses(message, i.position, test, told) and self.words.known(value).negative:
            raise self.refused(f"nothing checks that {value} is not negative")

    # instructions ----------------------------------------------------------------------------------

    def _instruction(self, i: Instruction, made: dict[Value, Operand]) -> None:
        op = i.op
        if op in DIVISION:
            self._nonzero(i)
        elif op in _EFFECTS:
            _EFFECTS[op](self, i, made)
            return
        elif op == "narrow":
            self._of_type(i.args[0], i.attribute, i.position, i)
        elif op == "isqrt":
            self._natural(i, i.args[0], "isqrt of a negative integer")
        elif op == "expt":
            self._natural(i, i.args[1], "expt with a negative exponent")
        elif op in ("load", "load_le", "load_be"):
            self._load(i)
        if not self._never(i):
            self._defined(i, made)
        if self.partial:
            self._checked(i)

    def _never(self, i: Instruction) -> bool:
        """Whether the plan claims, and `check` has shown, that the instruction never yields a value."""
        return self.plan.facts is not None and any(
            isinstance(r.type, Int) and r not in self.plan.ranges for r in i.results
        )

    def _defined(self, i: Instruction, made: dict[Value, Operand]) -> None:
        """Checks that the word made for the result holds what the instruction yields, and records it."""
        words, result = self.words, i.result
        operand = made[result]
        if isinstance(result.type, Int):
            held = words.made(i, operand)
            if held is None and not self.plan.demands[result]:
                held = 0, 0  # no bit of it is demanded
            if operand.type != self.plan.containers[result] or held is None:
                raise self.refused(f"{operand} is not shown to be {result}")
            words.held[result] = held
        elif isinstance(result.type, Bool):
            if not words.bit(i, operand):
                raise self.refused(f"{operand} is not shown to be {result}")
        else:
            source = self.ops.get(operand)
            good = source is not None and (
                words.selected(source, i)
                if i.op == "select"
                else source.op == "global" and source.attribute == i.attribute
            )
            if not good:
                raise self.refused(f"{operand} is not the array {result}")
        words.words[result] = operand

    def _index(self, i: Instruction, count: int) -> Callable[[Operand], bool]:
        """Checks the bounds check, or that none is needed; returns a test for the index used after it."""
        array, index = i.args[:2]
        op = self._next("bounds", "bounds_big")
        if op is None:
            known = self.words.known(index)
            if known.negative or not self._within(index, count, array, known):
                raise self.refused(f"nothing checks that {index} is within bounds")
            return lambda word: word.type == 64 and self._unsigned(word, index)
        if not self.words.same(op.args[0], array) or op.attribute != count:
            raise self.refused("a bounds check is of another array or another number of elements")
        if op.op == "bounds_big":
            site = site_of(OUT_OF_BOUNDS, i.position, "value")
            if not self.words.big(op.args[1], index) or op.site != site:
                raise self.refused("a bounds check is of another index or fails with another message")
            return lambda word: word is op.result
        word = op.args[1]
        sign = "s" if self.words.known(index).negative else "u"
        if not self.words.exact(word, index, sign) or op.site != site_of(
            OUT_OF_BOUNDS, i.position, f"{sign}{word.type}"
        ):
            raise self.refused("a bounds check is of another index or fails with another message")
        if word.type != 64:
            return lambda other: other.type == 64 and self._unsigned(other, index)
        return lambda other: other == word

    def _within(self, index: Value, count: int, array: Value, known: Range) -> bool:
        made, least = self.words.made_by.get(array), 0
        if made is not None and made.op == "global":
            least = len(self.module.arrays[made.attribute][1])
        elif made is not None and made.op == "new":
            least = self.words.known(made.args[0]).low or 0
        if known.high is not None and known.high <= least - count:
            return True
        return self.ordered.ends_within(index, count, array, self.block)

    def _unsigned(self, word: Operand, index: Value) -> bool:
        """Whether the word is the index, which is within bounds: so it is as small as a length is."""
        held = self.words.of(word, index, Range(0, (1 << 64) - 1))
        return held is not None and bool(held[1] & U)

    def _load(self, i: Instruction) -> None:
        count = 1 if i.op == "load" else i.attribute // 8
        index = self._index(i, count)
        op = self._next("load" if i.op == "load" else "bytes")
        if op is None or not self.words.same(op.args[0], i.args[0]) or not index(op.args[1]):
            raise self.refused("the load is missing, or of another element")
        bits = storage(i.args[0].type.element) if i.op == "load" else i.attribute
        if op.result.type != bits:
            raise self.refused("the load is of another width")
        self.words.loads[i] = op

    def _store(self, i: Instruction, made: dict[Value, Operand]) -> None:
        array, _, value = i.args
        element = array.type.element
        self._of_type(value, element, i.position)
        index = self._index(i, 1)
        op, bits = self._next("store"), storage(element)
        if op is None or not self.words.same(op.args[0], array) or not index(op.args[1]):
            raise self.refused("the store is missing, or to another element")
        word = op.args[2]
        if word.type != bits or not (
            self.given(word, value) if bits is BIG else self.words.right(word, value, bits)
        ):
            raise self.refused(f"the word stored for {value} is not {value}")

    def given(self, word: Operand, value: Value) -> bool:
        """Whether the word is the value, of which the facts at the block's entry hold."""
        return self.words.big(word, value, self.words.facts.get(self.block, {}).get(value, ANY))

    def _new(self, i: Instruction, made: dict[Value, Operand]) -> None:
        words = self.words
        count, fill = i.args
        element = i.attribute.element
        self._natural(i, count, "an array of {operand} elements", count)
        self._of_type(fill, element, i.position)
        too_large = self._too_large(count)
        fits = self._refuses(
            OUT_OF_MEMORY,
            i.position,
            lambda word: too_large(word) or words.compared(word, "gt", count, SMALL_MAX),
        )
        op, bits = self._next("new", "frame"), storage(element)
        if op is None or made[i.result] is not op.result:
            raise self.refused("no array is allocated")
        if op.op == "new" and op.site != site_of(OUT_OF_MEMORY, i.position):
            raise self.refused("running out of memory fails with another message")
        length = words.of(op.args[0], count, Range(0, SMALL_MAX if fits else None))
        whole = length is not None and op.args[0].type == 64 and length[1] & U
        if not whole and not self._small_count(op.args[0], count):
            raise self.refused("the array has another length")
        if op.op == "frame":
            known = words.known(count)
            if (
                words.constant(fill) != 0
                or bits is BIG
                or known.high is None
                or op.attribute != (bits, op.attribute[1])
            ):
                raise self.refused("an array in the frame has elements of another type, or is not of zeros")
            if known.high > op.attribute[1]:
                raise self.refused("an array may be longer than its room in the frame")
            self.in_frame += op.attribute[1] * bits // 8
            if self.in_frame > FRAME or self.recursive:
                raise self.refused("the frame has no room for an array")
        else:
            if op.attribute != bits or not self._filled(op.args[1:], fill, bits):
                raise self.refused("the array has other elements")
        words.words[i.result] = op.result

    def _too_large(self, count: Value) -> Callable[[Operand], bool]:
        def test(word: Operand) -> bool:
            op = self.ops.get(word)
            small = self.ops.get(op.args[0]) if op is not None and op.op == "xor" else None
            return (
                small is not None
                and op.args[1] == Const(1, -1)
                and small.op == "is_small"
                and self.words.big(small.args[0], count)
            )

        return test

    def _small_count(self, word: Operand, count: Value) -> bool:
        """Whether the word is the count, as the check right before fails for a count that is not small."""
        op = self.ops.get(word)
        before = self.events[self.at - 2] if self.at > 1 else None
        return (
            op is not None
            and op.op == "of_small"
            and self.words.big(op.args[0], count)
            and before is not None
            and before.op == "refuse"
            and self._too_large(count)(before.args[0])
        )

    def _filled(self, halves: list[Operand], fill: Value, bits: int | None) -> bool:
        words = self.words
        if bits is BIG:
            return words.big(halves[0], fill)
        if bits <= 64:
            return halves[0].type == 64 and words.right(halves[0], fill, bits)
        low, high = (self.ops.get(half) if isinstance(half, Word) else None for half in halves)
        if low is None or high is None or low.op != "trunc" or high.op != "trunc":
            return False
        up = self.ops.get(high.args[0])
        return (
            low.args[0].type == 128
            and words.right(low.args[0], fill, 128)
            and up is not None
            and up.op == "lshr"
            and up.args == [low.args[0], Const(128, 64)]
        )

    def _call(self, i: Instruction, made: dict[Value, Operand]) -> None:
        words, callee = self.words, self.signatures[i.attribute]
        for arg, param, passed in zip(i.args, self.params[i.attribute], callee.params, strict=True):
            if isinstance(passed.type, Int):
                self._of_type(arg, passed.type, param.position)
        deep = self._next("deep")
        if (deep is not None) != (i.attribute in self.recursive):
            raise self.refused("a recursive call has no check of its depth, or another call has one")
        if deep is not None and deep.site != site_of(TOO_DEEP, i.position):
            raise self.refused("the check of the depth fails with another message")
        op = self._next("call")
        if op is None or op.attribute != i.attribute or len(op.args) != len(i.args):
            raise self.refused("another function is called, or with another number of arguments")
        if op.site != site_of(form.CALLED, i.position):
            raise self.refused("the call has another position")
        for word, arg, passed in zip(op.args, i.args, callee.params, strict=True):
            if not isinstance(passed.type, Int):
                good = words.same(word, arg)
            elif passed.container is BIG:
                good = self.given(word, arg)
            else:
                held = words.of(word, arg, Range(passed.type.low, passed.type.high))
                full = (1 << word.type) - 1
                good = word.type == passed.container and held is not None and not full & ~held[0]
            if not good:
                raise self.refused(f"the word passed for {arg} is not {arg}")
        for result, word, passed in zip(i.results, op.results, callee.results, strict=True):
            if word.type != passed.word:
                raise self.refused("the call returns a word of another type")
            operand = made[result]
            if isinstance(passed.type, Int):
                held = WHOLE
                if word.type is not BIG:
                    held = (1 << word.type) - 1, S if passed.negative else U
                found = words.converted(operand, word, held, *words.known(result)[:2])
                if found is None or operand.type != self.plan.containers[result]:
                    raise self.refused(f"{operand} is not the call's result")
                words.held[result] = found
            elif operand is not word:
                raise self.refused(f"{operand} is not the call's result")
            words.words[result] = operand


_EFFECTS = {"store": BlockCheck._store, "new": BlockCheck._new, "call": BlockCheck._call}
# The runtime's operation for an instruction that is undefined for some arguments.
_PARTIAL = {**dict.fromkeys(DIVISION, "big_divide"), "isqrt": "big_isqrt", "expt": "big_expt"}


def site_of(message: str, position, operand: str = "") -> Site:
    if position is None:
        return Site(message, None, operand)
    return Site(message, str(position), operand, tuple(map(str, position.callers)))
