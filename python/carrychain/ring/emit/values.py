"""The text of a function as it grows, its checks, and integers as words and as big values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..demand import below, exact_width
from ..ir import Block, Instruction, Int, Value
from ..plan import ANY, BIG, WIDTHS, Plan, Range
from .passed import signed_literal

if TYPE_CHECKING:
    from .module import ModuleEmitter
    from .polls import Strip

SMALL_MAX = (1 << 62) - 1
SMALL_MIN = -(1 << 62)
OUT_OF_MEMORY = "out of memory"
INTERRUPTED = "interrupted"

# Offsets in runtime.h's struct ring_context.
CONTEXT_STACK, CONTEXT_OPERAND, CONTEXT_HIGH, CONTEXT_LENGTH, CONTEXT_VALUE = 0, 8, 16, 24, 32
CONTEXT_POLL, CONTEXT_DUE = 40, 48


class Values:
    def __init__(self, module: ModuleEmitter, plan: Plan):
        self.module = module
        self.plan = plan
        self.function = plan.function
        self.signature = module.signatures[self.function.name]
        # what is done once is not worth the code that saves a call
        self.generic = module.generic or self.function.name in module.straight
        self.body: list[str] = []
        self.count = 0
        self.slots = 0
        self.label = "entry"
        self.text: dict[Value, str] = {}
        self.arrays: dict[Value, tuple[str, str, str]] = {}
        self.constants = {
            i.result: i.attribute
            for i in self.function.instructions()
            if i.op == "const" and isinstance(i.result.type, Int)
        }
        self.made_by = {r: i for i in self.function.instructions() for r in i.results}
        self.uses = self.function.uses()
        self.users: dict[Value, list[Instruction | None]] = {}  # None for a block's end; once asked for
        self.depths: dict[Value, int] = {}
        # sums that are made in another order: what they add, the last at last; and what they are made without
        self.sums: dict[Instruction, tuple[list[Value], int]] = {}
        self.parts: set[Instruction] = set()
        # runs of loads that the check of the first lets by
        self.first_of: dict[Instruction, list[tuple[Instruction, int]]] = {}
        self.covered: set[Instruction] = set()
        # ways into the blocks at the end: labels and what they bring
        self.traps: list[tuple[str, int, str, str]] = []
        self.unwinds: list[tuple[str, str]] = []
        self.returns: list[tuple[str, list[str]]] = []
        self.incoming: dict[str, list[tuple[str, list]]] = {}  # by label
        # where parameters are put in, at last: of a block, from the ways to a label, by names with a suffix
        self.phis: list[tuple[int, Block, str, str]] = []
        self.slot_of: dict[Value, str] = {}
        self.polls = module.polls[self.function.name]
        self.strips: dict[Block, Strip] = {}  # by their heads
        self.resuming = False  # a strip, at its end
        self.position = None

    def add(self, line: str) -> None:
        self.body.append("  " + line)

    def name(self) -> str:
        self.count += 1
        return f"%t{self.count}"

    def let(self, expression: str) -> str:
        name = self.name()
        self.body.append(f"  {name} = {expression}")
        return name

    def begin(self, label: str) -> None:
        self.body.append(f"{label}:")
        self.label = label

    def fresh_label(self, what: str) -> str:
        self.count += 1
        return f"{what}.{self.count}"

    def slot(self) -> str:
        self.slots += 1
        return f"%slot{self.slots - 1}"

    def refuse(
        self, condition: str, message: str, operand: str = "", low: str = "0", length: str = "0"
    ) -> None:
        """Fails with the message if the condition holds."""
        status = self.module.site(message, self.position, operand)
        go_on = self.fresh_label("ok")
        self.add(f"br i1 {condition}, label %trap, label %{go_on}, !prof !0")
        self.traps.append((self.label, status, low, length))
        self.begin(go_on)

    def tell(self, value: str) -> None:
        """Which value a check failed for."""
        place = self.let(f"getelementptr i8, ptr %context, i64 {CONTEXT_VALUE}")
        self.add(f"call void @ring_set(ptr {place}, i64 {value})")

    def poll(self) -> None:
        """Asks whether to stop, where it is time to."""
        place = self.let(f"getelementptr i8, ptr %context, i64 {CONTEXT_DUE}")
        due = self.let(f"icmp ne i8 {self.let(f'load atomic i8, ptr {place} monotonic, align 1')}, 0")
        ask, go_on = self.fresh_label("ask"), self.fresh_label("on")
        self.add(f"br i1 {due}, label %{ask}, label %{go_on}, !prof !0")
        self.begin(ask)
        # by an address in memory: one in a register would be kept for it around the loop
        poll = self.let(f"getelementptr i8, ptr %context, i64 {CONTEXT_POLL}")
        poll = self.let(f"load ptr, ptr {poll}")
        effects = "cold nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)"
        stop = self.let(f"call i32 {poll}(ptr %context) {effects}")
        stop = self.let(f"icmp ne i32 {stop}, 0")
        self.traps.append((self.label, self.module.site(INTERRUPTED, None), "0", "0"))
        self.add(f"br i1 {stop}, label %trap, label %{go_on}, !prof !0")
        self.begin(go_on)

    def refuse_value(self, condition: str, message: str, value: Value) -> None:
        """The same, the operand an integer."""
        bits = self.plan.containers[value]
        if bits is not BIG and bits <= 64:
            sign = "s" if self.range(value).negative else "u"
            self.refuse(condition, message, f"{sign}64", self.word(value, 64))
            return
        bad, go_on = self.fresh_label("bad"), self.fresh_label("ok")
        self.add(f"br i1 {condition}, label %{bad}, label %{go_on}, !prof !0")
        self.begin(bad)
        if bits is BIG:
            operand, low = "value", "0"
            self.tell(self.big(value))
        else:
            operand = f"{'s' if self.range(value).negative else 'u'}128"
            low = self.let(f"trunc i128 {self.text[value]} to i64")
            high = self.let(f"trunc i128 {self.let(f'lshr i128 {self.text[value]}, 64')} to i64")
            place = self.let(f"getelementptr i8, ptr %context, i64 {CONTEXT_HIGH}")
            self.add(f"store i64 {high}, ptr {place}")
        self.add("br label %trap")
        self.traps.append((self.label, self.module.site(message, self.position, operand), low, "0"))
        self.begin(go_on)

    def owned(self, call: str) -> str:
        """A call of the runtime that yields 0 if memory ran out."""
        result = self.let(call)
        self.refuse(self.let(f"icmp eq i64 {result}, 0"), OUT_OF_MEMORY)
        return result

    def range(self, value: Value) -> Range:
        return self.plan.ranges.get(value, ANY)

    def is_exact(self, value: Value) -> bool:
        """Whether all bits of the value's container are right."""
        if value in self.constants or self.plan.demands[value] < 0:
            return True
        bits = exact_width(self.range(value))
        return bits is not None and self.plan.demands[value] == below(bits)

    def resize(self, text: str, bits: int, to: int, negative: bool) -> str:
        if bits == to:
            return text
        if bits > to:
            return self.let(f"trunc i{bits} {text} to i{to}")
        return self.let(f"{'sext' if negative else 'zext'} i{bits} {text} to i{to}")

    def word(self, value: Value, bits: int) -> str:
        """The low bits; the value itself if it is exact and fits."""
        if value in self.constants:
            return str(signed_literal(self.constants[value], bits))
        has = self.plan.containers[value]
        if has is BIG:
            return self.low_word(self.text[value], bits)
        return self.resize(self.text[value], has, bits, self.range(value).negative)

    def low_word(self, value: str, bits: int) -> str:
        """The low bits of a big value."""
        has = max(bits, 64)
        if self.generic and has == 64:
            return self.resize(self.let(f"call i64 @ring_word(i64 {value})"), 64, bits, False)
        small, large, done = (self.fresh_label(n) for n in ("small", "large", "word"))
        tag = self.let(f"trunc i64 {value} to i1")
        self.add(f"br i1 {tag}, label %{small}, label %{large}")
        self.begin(small)
        a = self.let(f"ashr i64 {value}, 1")
        if has == 128:
            a = self.let(f"sext i64 {a} to i128")
        self.add(f"br label %{done}")
        self.begin(large)
        if has == 64:
            b = self.let(f"call i64 @ring_word(i64 {value})")
        else:
            pair = self.let(f"call {{i64, i64}} @ring_words(i64 {value})")
            low, high = (
                self.let(f"zext i64 {self.let(f'extractvalue {{i64, i64}} {pair}, {at}')} to i128")
                for at in (0, 1)
            )
            b = self.let(f"or i128 {low}, {self.let(f'shl i128 {high}, 64')}")
        self.add(f"br label %{done}")
        self.begin(done)
        word = self.let(f"phi i{has} [{a}, %{small}], [{b}, %{large}]")
        return self.resize(word, has, bits, False)

    def big(self, value: Value) -> str:
        if value in self.constants:
            return self.module.value(self.constants[value])
        has = self.plan.containers[value]
        if has is BIG:
            return self.text[value]
        return self.to_big(self.text[value], has, self.range(value))

    def to_big(self, text: str, bits: int, known: Range) -> str:
        """A word of which the range's sign says how it is read, as a big value."""
        if bits < 64:
            text, bits = self.resize(text, bits, 64, known.negative), 64
            return self.let(f"or i64 {self.let(f'shl i64 {text}, 1')}, 1")
        low = self.resize(text, bits, 64, False)
        shifted = self.let(f"shl i64 {low}, 1")
        value = self.let(f"or i64 {shifted}, 1")
        if (
            known.low is not None
            and known.high is not None
            and known.low >= SMALL_MIN
            and known.high <= SMALL_MAX
        ):
            return value
        back = self.resize(self.let(f"ashr i64 {shifted}, 1"), 64, bits, True)
        fits = self.let(f"icmp eq i{bits} {back}, {text}")
        if not known.negative:
            fits = self.let(f"and i1 {fits}, {self.let(f'icmp sge i{bits} {text}, 0')}")
        here, large, done = self.label, self.fresh_label("large"), self.fresh_label("value")
        self.add(f"br i1 {fits}, label %{done}, label %{large}")
        self.begin(large)
        if bits == 128:
            high = self.let(f"trunc i128 {self.let(f'lshr i128 {text}, 64')} to i64")
        else:
            high = self.let(f"ashr i64 {text}, 63") if known.negative else "0"
        sign = "signed" if known.negative else "unsigned"
        made = self.owned(f"call i64 @ring_{sign}(i64 {low}, i64 {high}, ptr {self.slot()})")
        came = self.label
        self.add(f"br label %{done}")
        self.begin(done)
        return self.let(f"phi i64 [{value}, %{here}], [{made}, %{came}]")

    def define(self, value: Value, text: str, bits: int | None, known: Range) -> None:
        """The value is this word, read by the range's sign, or this big value."""
        has = self.plan.containers[value]
        if bits is BIG:
            self.text[value] = text if has is BIG else self.low_word(text, has)
        elif has is BIG:
            self.text[value] = self.to_big(text, bits, known)
        else:
            self.text[value] = self.resize(text, bits, has, known.negative)

    def passed(self, value: Value, to: Value) -> str:
        """The value as `to`, which it is where it gets there; to's range may say more than its own."""
        target = self.plan.containers[to]
        if self.is_exact(value):
            return self.big(value) if target is BIG else self.word(value, target)
        bits = exact_width(self.range(to))
        if bits is None or not self.is_exact(to):
            return self.big(value) if target is BIG else self.word(value, target)
        # the bits that `to` needs are right, the value's own sign need not be
        word = self.word(value, bits)
        if target is BIG:
            return self.to_big(word, bits, self.range(to))
        return self.resize(word, bits, target, self.range(to).negative)

    def width_for(self, *known: Range) -> int | None:
        """The width that holds them all, unsigned if none is negative, else signed; None if none does."""
        if any(r.low is None or r.high is None for r in known):
            return None
        if not any(r.negative for r in known):
            return next((w for w in WIDTHS if all(r.high < 1 << w for r in known)), None)
        half = [1 << (w - 1) for w in WIDTHS]
        return next((h.bit_length() for h in half if all(-h <= r.low and r.high < h for r in known)), None)

    def known(self, value: Value) -> Range:
        """The range of a value used whole: it is in a word if it fits one."""
        if value in self.constants:
            constant = self.constants[value]
            return Range(constant, constant)
        return ANY if self.plan.containers[value] is BIG else self.range(value)

    def check(self, value: Value, type_: Int) -> None:
        """Refuses a value that is used whole and not of the type."""
        known = self.known(value)
        for op, bound in (("lt", type_.low), ("gt", type_.high)):
            if bound is None:
                continue
            end = known.low if op == "lt" else known.high
            if end is None or (end < bound if op == "lt" else end > bound):
                message = f"{{operand}} is not of type {type_}"
                self.refuse_value(self.compare_constant(op, value, bound), message, value)
