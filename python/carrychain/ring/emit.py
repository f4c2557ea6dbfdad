"""IR and containers to LLVM's text.

A word is an LLVM integer of its container's width; a big value is an i64, as runtime.h says; an
array is three values: its object, its data, its length, so that a bounds check is one comparison
of registers. What is computed in a word is computed modulo 2^w, which is what `add` of LLVM without
nsw or nuw is. What needs its arguments whole (a comparison, a division, an index) is computed at a
width that holds each argument, read by its own sign, and the result. A shift's count is masked to
the width, and what lies beyond is selected: no shift is poison.

Why the argument of an operation may be taken at the result's width: either its word is the value
itself, and extended by the range's sign it is the value in any width; or only some low bits of it
are right, and then (plan.py) no more are asked for, and all of them lie in its word.

Arithmetic on big values adds small ones in line, and calls the runtime for the rest. A value that
the runtime made belongs to a slot of the frame, one for each place that makes one; a block's
parameter has a slot as well, which is given what is passed before the jump. A slot keeps what it
has until it is given something else or the function is left, so memory is bounded by the places in
the frames. narrow, assume and select pass a reference on without one of their own: whenever the
slot they took it from is given something else, its definition was passed again, and theirs, which
that dominates, must be too before anyone can use it.

A function returns a status, 0 or the number of the check that failed, and its results. Checks
that can fail jump to one block at the function's end, which takes what the message needs to know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .demand import below, exact_width
from .inline import calls
from .ir import (
    LOGIC,
    Array,
    Block,
    Bool,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Module,
    Return,
    Trap,
    Type,
    Value,
)
from .plan import ANY, BIG, WIDTHS, Plan, Range
from .ranges import _reverse_postorder, summary
from .simplify import has_effect, within
from .transfer import of_type

SMALL_MAX = (1 << 62) - 1
SMALL_MIN = -(1 << 62)
ZERO = "1"  # as a big value

DIVISION = {"fdiv": 0, "fmod": 1, "tdiv": 2, "trem": 3, "cdiv": 4, "crem": 5}

DECLARATIONS = """
declare void @ring_retain(i64) nounwind
declare void @ring_put(ptr, i64) nounwind
declare void @ring_set(ptr, i64) nounwind
declare void @ring_leave(ptr, i64) nounwind
declare i64 @ring_add(i64, i64, ptr) nounwind
declare i64 @ring_sub(i64, i64, ptr) nounwind
declare i64 @ring_mul(i64, i64, ptr) nounwind
declare i64 @ring_logic(i32, i64, i64, ptr) nounwind
declare i64 @ring_divide(i32, i64, i64, ptr) nounwind
declare i64 @ring_shift(i64, i64, ptr) nounwind
declare i64 @ring_low(i64, i64, ptr) nounwind
declare i64 @ring_field(i64, i64, ptr) nounwind
declare i64 @ring_bitlen(i64) nounwind memory(read)
declare i64 @ring_popcount(i64) nounwind memory(read)
declare i32 @ring_compare(i64, i64) nounwind memory(read)
declare i64 @ring_isqrt(i64, ptr) nounwind
declare i64 @ring_gcd(i64, i64, ptr) nounwind
declare i64 @ring_expt(i64, i64, ptr) nounwind
declare {i64, i64} @ring_words(i64) nounwind memory(read)
declare i64 @ring_word(i64) nounwind memory(read)
declare i64 @ring_unsigned(i64, i64, ptr) nounwind
declare i64 @ring_signed(i64, i64, ptr) nounwind
declare i64 @ring_count(i64) nounwind memory(read)
declare i64 @ring_new(i64, i32, i64, i64, ptr) nounwind
declare i64 @ring_isqrt_word(i64) nounwind memory(none)
declare i64 @ring_gcd_word(i64, i64) nounwind memory(none)
declare i64 @ring_power_word(i64, i64) nounwind memory(none)
declare ptr @llvm.frameaddress.p0(i32)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
"""

# Loads and stores of elements of different widths never meet; those of the frame are their own.
METADATA = """
!0 = !{!"branch_weights", i32 1, i32 1048575}
!1 = !{!"ring"}
!2 = !{!"branch_weights", i32 1048575, i32 1}
!8 = !{!"8", !1}
!16 = !{!"16", !1}
!32 = !{!"32", !1}
!64 = !{!"64", !1}
!128 = !{!"128", !1}
!63 = !{!"value", !1}
!108 = !{!8, !8, i64 0}
!116 = !{!16, !16, i64 0}
!132 = !{!32, !32, i64 0}
!164 = !{!64, !64, i64 0}
!228 = !{!128, !128, i64 0}
!163 = !{!63, !63, i64 0}
"""

# Offsets in runtime.h's structures.
ARRAY_LENGTH, ARRAY_DATA, ARRAY_SIZE = 16, 24, 32
CONTEXT_STACK, CONTEXT_OPERAND, CONTEXT_HIGH, CONTEXT_LENGTH = 0, 8, 16, 24


@dataclass(frozen=True)
class Passed:
    """How a parameter or result is passed: its type, and for an integer its container and sign."""

    type: Type
    container: int | None = None
    negative: bool = True

    @property
    def llvm(self) -> str:
        match self.type:
            case Bool():
                return "i1"
            case Array():
                return "ptr"
        return word_type(self.container)


@dataclass
class Signature:
    params: list[Passed]
    results: list[Passed]

    @property
    def llvm(self) -> str:
        return "{" + ", ".join(["i32", *(result.llvm for result in self.results)]) + "}"


@dataclass(frozen=True)
class Site:
    """A check: its message, in which {operand} and {length} stand for what was found, and where.

    operand is "s" or "u" and a width for a word, "value" for a value of the runtime's, or nothing.
    """

    message: str
    position: str | None = None
    operand: str = ""


# Operations by which one argument of a sum must be later than the others to be kept for last.
APART = 6
OUT_OF_MEMORY = "out of memory"
OUT_OF_BOUNDS = "index {operand} is out of bounds for an array of {length}"
LOADS = ("load", "load_le", "load_be")


def elements(load: Instruction) -> int:
    """How many a load takes."""
    return 1 if load.op == "load" else load.attribute // 8


def word_type(bits: int | None) -> str:
    return f"i{64 if bits is BIG else bits}"


def storage(element: Int) -> int | None:
    """The bits an array's element takes; BIG for values."""
    return exact_width(of_type(element))


def symbol(name: str) -> str:
    """As LLVM quotes it."""
    plain = "-_.:*+<>=?!%&/"
    return "".join(c if (c.isascii() and c.isalnum()) or c in plain else _bytes(c) for c in name)


def _bytes(text: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in text.encode())


def function_label(name: str) -> str:
    return f"function:{name}"


def function_symbol(name: str) -> str:
    return f'@"{symbol(function_label(name))}"'


def entry_name(name: str) -> str:
    return f"entry:{name}"


def signature(plan: Plan) -> Signature:
    function = plan.function
    params = [
        Passed(p.type, plan.containers[p], plan.ranges.get(p, ANY).negative)
        if isinstance(p.type, Int)
        else Passed(p.type)
        for p in function.params
    ]
    results = [
        Passed(t, exact_width(known), known.negative) if isinstance(t, Int) else Passed(t)
        for t, known in zip(function.results, summary(function, plan.ranges), strict=True)
    ]
    return Signature(params, results)


class ModuleEmitter:
    """The text of a module, and the table of its checks."""

    def __init__(self, module: Module, plans: dict[str, Plan], generic: bool = False):
        """With `generic`, each operation on big values is a call."""
        self.module = module
        self.plans = plans
        self.generic = generic
        self.signatures = {name: signature(plan) for name, plan in plans.items()}
        self.sites: list[Site] = []
        self.site_numbers: dict[Site, int] = {}
        self.boxes: dict[int, str] = {}
        self.lines: list[str] = []
        self.recursive = recursive(module)
        self.stored = stored_globals(module)

    def site(self, message: str, position, operand: str = "") -> int:
        """The status that says this check failed."""
        site = Site(message, str(position) if position else None, operand)
        if site not in self.site_numbers:
            self.sites.append(site)
            self.site_numbers[site] = len(self.sites)
        return self.site_numbers[site]

    def value(self, constant: int) -> str:
        """A constant as a big value."""
        if SMALL_MIN <= constant <= SMALL_MAX:
            return str(constant << 1 | 1)
        if constant not in self.boxes:
            name = f"@box.{len(self.boxes)}"
            self.boxes[constant] = name
            magnitude, words = abs(constant), []
            while magnitude:
                words.append(magnitude & below(64))
                magnitude >>= 64
            size = len(words)
            text = ", ".join(f"i64 {word}" for word in words)
            self.lines += [
                f"{name}.words = private unnamed_addr constant [{size} x i64] [{text}]",
                f"{name} = private global {{i64, i64, ptr, i64, i64, i32}} {{i64 -1, i64 0, "
                f"ptr {name}.words, i64 {size}, i64 {size}, i32 {int(constant < 0)}}}, align 16",
            ]
        return f"ptrtoint (ptr {self.boxes[constant]} to i64)"

    def emit(self) -> str:
        for name, (type_, contents) in self.module.arrays.items():
            self._array(name, type_, contents)
        bodies = []
        for name, plan in self.plans.items():
            bodies.append(FunctionEmitter(self, plan).emit())
            bodies.append(self._entry(name))
        return "\n".join([*self.lines, *bodies, DECLARATIONS, METADATA])

    def _array(self, name: str, type_: Array, contents: list[int]) -> None:
        bits = storage(type_.element)
        llvm = word_type(bits)
        elements = (self.value(x) if bits is BIG else str(signed_literal(x, bits)) for x in contents)
        text = ", ".join(f"{llvm} {element}" for element in elements)
        kind = "global" if name in self.stored else "constant"
        label, size = symbol(name), len(contents)
        # what holds values is given back by no one: objects in it that are made later are theirs
        self.lines += [
            f'@"data:{label}" = internal {kind} [{size} x {llvm}] [{text}], align 16',
            f'@"array:{label}" = internal global {{i64, i64, i64, ptr}} '
            f'{{i64 -1, i64 {2 if bits is BIG else 1}, i64 {size}, ptr @"data:{label}"}}, align 16',
        ]

    def _entry(self, name: str) -> str:
        """What Python calls: arguments and results in slots of 16 bytes."""
        passed = self.signatures[name]
        lines = [
            f'define i32 @"entry:{symbol(name)}"(ptr %arguments, ptr %results, ptr %context) nounwind {{'
        ]
        args = ["ptr %context"]
        for at, param in enumerate(passed.params):
            lines.append(f"  %p{at} = getelementptr i8, ptr %arguments, i64 {16 * at}")
            lines.append(f"  %a{at} = load {param.llvm}, ptr %p{at}, align 16")
            args.append(f"{param.llvm} %a{at}")
        lines.append(f"  %r = call fastcc {passed.llvm} {function_symbol(name)}({', '.join(args)}) noinline")
        lines.append(f"  %status = extractvalue {passed.llvm} %r, 0")
        for at, result in enumerate(passed.results):
            lines.append(f"  %q{at} = getelementptr i8, ptr %results, i64 {16 * at}")
            lines.append(f"  %r{at} = extractvalue {passed.llvm} %r, {at + 1}")
            lines.append(f"  store {result.llvm} %r{at}, ptr %q{at}, align 16")
        return "\n".join([*lines, "  ret i32 %status", "}"])


def signed_literal(value: int, bits: int) -> int:
    return (value + (1 << (bits - 1)) & below(bits)) - (1 << (bits - 1))


def recursive(module: Module) -> set[str]:
    """The functions that can come to call themselves."""
    reach = {name: calls(function) for name, function in module.functions.items()}
    changed = True
    while changed:
        changed = False
        for name, far in reach.items():
            further = far.union(*(reach[callee] for callee in far))
            if further != far:
                reach[name] = further
                changed = True
    return {name for name, far in reach.items() if name in far}


def _roots(function: Function) -> dict[Value, set]:
    """Of each array value, the parameters (Value), globals (name) and others it may be."""
    roots: dict[Value, set] = {v: set() for v in function.values() if isinstance(v.type, Array)}
    for param in function.params:
        if param in roots:
            roots[param].add(param)
    for i in function.instructions():
        for result in i.results:
            if result in roots and i.op != "select":
                roots[result].add(i.attribute if i.op == "global" else i)
    changed = True
    while changed:
        changed = False

        def flow(to: Value, values: Iterable[Value]) -> None:
            nonlocal changed
            new = roots[to].union(*(roots[v] for v in values))
            if new != roots[to]:
                roots[to] = new
                changed = True

        for i in function.instructions():
            if i.op == "select" and i.result in roots:
                flow(i.result, i.args[1:])
        for block in function.blocks:
            for edge in block.terminator.edges:
                for param, arg in zip(edge.block.params, edge.args, strict=True):
                    if param in roots:
                        flow(param, [arg])
    return roots


def escaping(module: Module) -> tuple[dict[str, set[int]], set[str]]:
    """By function, which parameters' elements it may change or return; and which globals' are changed."""
    written: dict[str, set[int]] = {name: set() for name in module.functions}
    globals_: set[str] = set()
    roots = {name: _roots(function) for name, function in module.functions.items()}
    changed = True
    while changed:
        changed = False
        for name, function in module.functions.items():
            touched: set = set()
            for i in function.instructions():
                if i.op == "store":
                    touched |= roots[name][i.args[0]]
                if i.op == "call":
                    for at in written[i.attribute]:
                        touched |= roots[name][i.args[at]]
            for block in function.blocks:
                if isinstance(block.terminator, Return):
                    for value in block.terminator.args:
                        touched |= roots[name].get(value, set())
            params = {at for at, p in enumerate(function.params) if p in touched}
            names = {root for root in touched if isinstance(root, str)}
            if params != written[name] or not names <= globals_:
                written[name] |= params
                globals_ |= names
                changed = True
    return written, globals_


def stored_globals(module: Module) -> set[str]:
    return escaping(module)[1]


def uses(function: Function) -> Counter[Value]:
    found: Counter[Value] = Counter()
    for block in function.blocks:
        for i in block.instructions:
            found.update(i.args)
        found.update(block.terminator.args)
        for edge in block.terminator.edges:
            found.update(edge.args)
    return found


class FunctionEmitter:
    def __init__(self, module: ModuleEmitter, plan: Plan):
        self.module = module
        self.plan = plan
        self.function = plan.function
        self.signature = module.signatures[self.function.name]
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
        self.uses = uses(self.function)
        self.here: set[Instruction] = set()
        self.depths: dict[Value, int] = {}
        # runs of loads that the check of the first lets by
        self.first_of: dict[Instruction, list[tuple[Instruction, int]]] = {}
        self.covered: set[Instruction] = set()
        # ways into the blocks at the end: labels and what they bring
        self.traps: list[tuple[str, int, str, str]] = []
        self.unwinds: list[tuple[str, str]] = []
        self.returns: list[tuple[str, list[str]]] = []
        self.incoming: dict[Block, list[tuple[str, list]]] = {}
        self.slot_of: dict[Value, str] = {}
        self.position = None

    # Text

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

    # Checks

    def refuse(
        self, condition: str, message: str, operand: str = "", low: str = "0", length: str = "0"
    ) -> None:
        """Fails with the message if the condition holds."""
        status = self.module.site(message, self.position, operand)
        go_on = self.fresh_label("ok")
        self.add(f"br i1 {condition}, label %trap, label %{go_on}, !prof !0")
        self.traps.append((self.label, status, low, length))
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
            operand, low = "value", self.text[value] if value not in self.constants else self.big(value)
            self.add(f"call void @ring_retain(i64 {low})")
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

    # Integers

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
        if self.module.generic and has == 64:
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

    # Functions

    def emit(self) -> str:
        function, order = self.function, _reverse_postorder(self.function)
        self.labels = {block: f"b{at}" for at, block in enumerate(order)}
        self.owned_arrays = self._owned_arrays()
        phis: dict[Block, int] = {}
        self.begin("body")
        if function.name in self.module.recursive:
            self.position = function.position
            frame = self.let("call ptr @llvm.frameaddress.p0(i32 0)")
            end = self.let("load ptr, ptr %context")
            self.refuse(self.let(f"icmp ult ptr {frame}, {end}"), "recursion too deep")
        params = ["ptr %context"]
        for at, (param, passed) in enumerate(zip(function.params, self.signature.params, strict=True)):
            params.append(f"{passed.llvm} %p{at}")
            if isinstance(param.type, Array):
                self._array(param, f"%p{at}")
            else:
                self.text[param] = f"%p{at}"
        for block in order:
            if block is not function.blocks[0]:
                self.begin(self.labels[block])
                phis[block] = len(self.body)
                for param in block.params:
                    self._parameter(param)
            self._runs(block)
            self._measure(block)
            for instruction in block.instructions:
                self.position = instruction.position
                self._instruction(instruction)
            self._terminator(block)
        self._ends()
        for block in reversed(phis):
            self.body[phis[block] : phis[block]] = self._phis(block)
        label = function_symbol(function.name)
        head = [
            f"define fastcc {self.signature.llvm} {label}({', '.join(params)}) nounwind {{",
            "entry:",
        ]
        if self.slots:
            head.append(f"  %slots = alloca [{self.slots} x i64], align 16")
            head.append(
                f"  call void @llvm.memset.p0.i64(ptr align 16 %slots, i8 0, i64 {8 * self.slots}, i1 false)"
            )
            head += [f"  %slot{k} = getelementptr i64, ptr %slots, i64 {k}" for k in range(self.slots)]
        return "\n".join([*head, "  br label %body", *self.body, "}"])

    def _owned_arrays(self) -> set[Value]:
        """The arrays that a slot must own: not those of the callers' or the module's."""
        roots = _roots(self.function)
        return {v for v, found in roots.items() if any(isinstance(root, Instruction) for root in found)}

    def _parameter(self, param: Value) -> None:
        name = f"%v{len(self.text) + len(self.arrays)}"
        if isinstance(param.type, Array):
            self.arrays[param] = (f"{name}.object", f"{name}.data", f"{name}.length")
            if param in self.owned_arrays:
                self.slot_of[param] = self.slot()
            return
        self.text[param] = name
        if isinstance(param.type, Int) and self.plan.containers[param] is BIG:
            self.slot_of[param] = self.slot()

    def _phis(self, block: Block) -> list[str]:
        lines = []
        for at, param in enumerate(block.params):
            ways = self.incoming[block]
            if isinstance(param.type, Array):
                for part, type_ in enumerate(("ptr", "ptr", "i64")):
                    parts = ", ".join(f"[{texts[at][part]}, %{label}]" for label, texts in ways)
                    lines.append(f"  {self.arrays[param][part]} = phi {type_} {parts}")
                continue
            type_ = "i1" if isinstance(param.type, Bool) else word_type(self.plan.containers[param])
            parts = ", ".join(f"[{texts[at]}, %{label}]" for label, texts in ways)
            lines.append(f"  {self.text[param]} = phi {type_} {parts}")
        return lines

    def _array(self, value: Value, text: str) -> None:
        """The three parts of an array whose object is this."""
        data = self.let(f"getelementptr i8, ptr {text}, i64 {ARRAY_DATA}")
        length = self.let(f"getelementptr i8, ptr {text}, i64 {ARRAY_LENGTH}")
        self.arrays[value] = (text, self.let(f"load ptr, ptr {data}"), self.let(f"load i64, ptr {length}"))

    def _edge(self, edge: Edge) -> None:
        """Passes the arguments, and jumps."""
        block = edge.block
        texts: list = []
        owned: list[tuple[str, str]] = []
        tags: list[str] = []
        for param, arg in zip(block.params, edge.args, strict=True):
            if isinstance(param.type, Array):
                texts.append(self.arrays[arg])
                if param in self.slot_of and arg is not param:
                    owned.append(
                        (self.slot_of[param], self.let(f"ptrtoint ptr {self.arrays[arg][0]} to i64"))
                    )
                continue
            if isinstance(param.type, Bool):
                texts.append(self.text[arg])
                continue
            texts.append(self.passed(arg, param))
            if param in self.slot_of and arg is not param and not texts[-1].lstrip("-").isdigit():
                owned.append((self.slot_of[param], texts[-1]))
                tags.append(texts[-1])
        if owned:
            give, done = self.fresh_label("give"), self.fresh_label("given")
            if len(tags) == len(owned):
                tag = tags[0]
                for other in tags[1:]:
                    tag = self.let(f"and i64 {tag}, {other}")
                self.add(f"br i1 {self.let(f'trunc i64 {tag} to i1')}, label %{done}, label %{give}")
            else:
                self.add(f"br label %{give}")
            self.begin(give)
            # all are kept before any slot gives up what may be passed from it
            for _, text in owned:
                self.add(f"call void @ring_retain(i64 {text})")
            for slot, text in owned:
                self.add(f"call void @ring_put(ptr {slot}, i64 {text})")
            self.add(f"br label %{done}")
            self.begin(done)
        self.incoming.setdefault(block, []).append((self.label, texts))
        self.add(f"br label %{self.labels[block]}")

    def _terminator(self, block: Block) -> None:
        end = block.terminator
        match end:
            case Jump(to):
                self._edge(to)
            case Branch(condition, then, otherwise):
                labels = [self.fresh_label("then"), self.fresh_label("else")]
                self.add(f"br i1 {self.text[condition]}, label %{labels[0]}, label %{labels[1]}")
                for label, edge in zip(labels, (then, otherwise), strict=True):
                    self.begin(label)
                    self._edge(edge)
            case Return(args):
                self._return(args)
            case Trap(message, position):
                self.position = position
                self.traps.append((self.label, self.module.site(escape(message), position), "0", "0"))
                self.add("br label %trap")

    def _return(self, args: list[Value]) -> None:
        texts = []
        for arg, result in zip(args, self.signature.results, strict=True):
            if isinstance(result.type, Bool):
                texts.append(self.text[arg])
            elif isinstance(result.type, Array):
                texts.append(self.arrays[arg][0])
                value = self.let(f"ptrtoint ptr {texts[-1]} to i64")
                self.add(f"call void @ring_retain(i64 {value})")
            elif result.container is BIG:
                texts.append(self.big(arg))
                if not texts[-1].lstrip("-").isdigit():
                    self.add(f"call void @ring_retain(i64 {texts[-1]})")
            else:
                texts.append(self.word(arg, result.container))
        self.returns.append((self.label, texts))
        self.add("br label %return")

    def _leave(self) -> None:
        if self.slots:
            self.add(f"call void @ring_leave(ptr %slots, i64 {self.slots})")

    def _ends(self) -> None:
        """Where returns and failed checks meet."""
        type_ = self.signature.llvm
        if self.returns:
            self.begin("return")
            results = []
            for at, result in enumerate(self.signature.results):
                ways = ", ".join(f"[{texts[at]}, %{label}]" for label, texts in self.returns)
                results.append(self.let(f"phi {result.llvm} {ways}"))
            self._leave()
            whole = self.let(f"insertvalue {type_} poison, i32 0, 0")
            for at, (result, text) in enumerate(zip(self.signature.results, results, strict=True)):
                whole = self.let(f"insertvalue {type_} {whole}, {result.llvm} {text}, {at + 1}")
            self.add(f"ret {type_} {whole}")
        if self.traps:
            self.begin("trap")
            columns = []
            for kind, column in (("i32", 1), ("i64", 2), ("i64", 3)):
                ways = ", ".join(f"[{way[column]}, %{way[0]}]" for way in self.traps)
                columns.append(self.let(f"phi {kind} {ways}"))
            for text, place in ((columns[1], CONTEXT_OPERAND), (columns[2], CONTEXT_LENGTH)):
                self.add(f"store i64 {text}, ptr {self.let(f'getelementptr i8, ptr %context, i64 {place}')}")
            self.unwinds.append(("trap", columns[0]))
            self.add("br label %unwind")
        if self.unwinds:
            self.begin("unwind")
            ways = ", ".join(f"[{status}, %{label}]" for label, status in self.unwinds)
            status = self.let(f"phi i32 {ways}")
            self._leave()
            self.add(f"ret {type_} {self.let(f'insertvalue {type_} zeroinitializer, i32 {status}, 0')}")

    # Instructions

    def _instruction(self, i: Instruction) -> None:
        op = i.op
        if op in ("add", "sub", "mul", "neg"):
            self._arithmetic(i)
        elif op in LOGIC:
            self._logic(i)
        elif op in COMPARISONS:
            self.text[i.result] = self.compare(op, *i.args)
        elif op in DIVISION:
            self._division(i)
        else:
            getattr(self, f"_{op}")(i)

    def _const(self, i: Instruction) -> None:
        if isinstance(i.result.type, Bool):
            self.text[i.result] = "true" if i.attribute else "false"
            return
        bits = self.plan.containers[i.result]
        self.text[i.result] = self.big(i.result) if bits is BIG else self.word(i.result, bits)

    def _arithmetic(self, i: Instruction) -> None:
        bits = self.plan.containers[i.result]
        if bits is BIG:
            args = [self.big(arg) for arg in i.args]
            op = i.op
            if op == "neg":
                op, args = "sub", [ZERO, *args]
            self.text[i.result] = self._big_arithmetic(op, *args)
            return
        if i.op == "add" and self._sum(i, bits):
            return
        args = [self.word(arg, bits) for arg in i.args]
        op = "sub" if i.op == "neg" else i.op
        self.text[i.result] = self.let(f"{op} i{bits} {', '.join(args if len(args) == 2 else ['0', *args])}")

    def _sum(self, i: Instruction, bits: int) -> bool:
        """Adds what is known last at last, in a sum of four or more with a constant among them.

        LLVM adds constants at the end, and the sum then waits for one addition more after its last
        argument: in a hash that is the whole time. The empty asm keeps it from that. In a word
        the order changes no bit.
        """
        leaves: list[Value] = []
        todo = list(i.args)
        while todo:
            value = todo.pop()
            made = self.made_by.get(value)
            same = made is not None and made.op == "add" and self.plan.containers[value] == bits
            if same and self.uses[value] == 1 and made in self.here:
                todo += made.args
            else:
                leaves.append(value)
        constants = [v for v in leaves if v in self.constants]
        if len(leaves) < 4 or not constants or bits > 64:
            return False
        rest = sorted((v for v in leaves if v not in self.constants), key=self._depth)
        if len(rest) < 2 or self._depth(rest[-1]) < self._depth(rest[-2]) + APART:
            return False
        early = str(signed_literal(sum(self.constants[v] for v in constants), bits))
        for value in rest[:-1]:
            early = self.let(f"add i{bits} {self.word(value, bits)}, {early}")
        early = self.let(f'call i{bits} asm "", "=r,0"(i{bits} {early}) nounwind memory(none)')
        self.text[i.result] = self.let(f"add i{bits} {self.word(rest[-1], bits)}, {early}")
        return True

    def _depth(self, value: Value) -> int:
        """How long a chain of operations in the block leads to the value."""
        return self.depths.get(value, 0)

    def _both_small(self, a: str, b: str, small: str, large: str) -> None:
        texts = [text for text in (a, b) if not text.lstrip("-").isdigit()]
        if not texts:
            self.add(f"br label %{small}")
            return
        tag = texts[0] if len(texts) == 1 else self.let(f"and i64 {a}, {b}")
        self.add(f"br i1 {self.let(f'trunc i64 {tag} to i1')}, label %{small}, label %{large}")

    def _big_arithmetic(self, op: str, a: str, b: str) -> str:
        if self.module.generic:
            return self.owned(f"call i64 @ring_{op}(i64 {a}, i64 {b}, ptr {self.slot()})")
        small, large, done = (self.fresh_label(n) for n in ("small", "large", "value"))
        self._both_small(a, b, small, large)
        self.begin(small)
        if op == "mul":
            # (2x) y + 1
            x, y = self.let(f"sub i64 {a}, 1"), self.let(f"ashr i64 {b}, 1")
        else:
            x, y = a, self.let(f"sub i64 {b}, 1")
        pair = self.let(f"call {{i64, i1}} @llvm.s{op}.with.overflow.i64(i64 {x}, i64 {y})")
        fast = self.let(f"extractvalue {{i64, i1}} {pair}, 0")
        if op == "mul":
            fast = self.let(f"or i64 {fast}, 1")
        over = self.let(f"extractvalue {{i64, i1}} {pair}, 1")
        self.add(f"br i1 {over}, label %{large}, label %{done}")
        self.begin(large)
        slow = self.owned(f"call i64 @ring_{op}(i64 {a}, i64 {b}, ptr {self.slot()})")
        came = self.label
        self.add(f"br label %{done}")
        self.begin(done)
        return self.let(f"phi i64 [{fast}, %{small}], [{slow}, %{came}]")

    def _logic_words(self, op: str, bits: int, a: str, b: str) -> str:
        """The operator on words, bit by bit."""

        def inverse(x: str) -> str:
            return self.let(f"xor i{bits} {x}, -1")

        def both(name: str, x: str, y: str) -> str:
            return self.let(f"{name} i{bits} {x}, {y}")

        match op:
            case "clr":
                return "0"
            case "set":
                return "-1"
            case "arg1":
                return a
            case "arg2":
                return b
            case "c1":
                return inverse(a)
            case "c2":
                return inverse(b)
            case "and" | "xor":
                return both(op, a, b)
            case "ior":
                return both("or", a, b)
            case "nand":
                return inverse(both("and", a, b))
            case "nor":
                return inverse(both("or", a, b))
            case "eqv":
                return inverse(both("xor", a, b))
            case "andc1":
                return both("and", inverse(a), b)
            case "andc2":
                return both("and", a, inverse(b))
            case "orc1":
                return both("or", inverse(a), b)
        return both("or", a, inverse(b))

    def _logic(self, i: Instruction) -> None:
        bits = self.plan.containers[i.result]
        if bits is not BIG:
            args = [self.word(arg, bits) for arg in i.args]
            self.text[i.result] = self._logic_words(i.op, bits, *args)
            return
        a, b = (self.big(arg) for arg in i.args)
        call = f"call i64 @ring_logic(i32 {LOGIC[i.op]}, i64 {a}, i64 {b}, ptr {self.slot()})"
        if self.module.generic:
            self.text[i.result] = self.owned(call)
            return
        small, large, done = (self.fresh_label(n) for n in ("small", "large", "value"))
        self._both_small(a, b, small, large)
        self.begin(small)
        fast = self.let(f"or i64 {self._logic_words(i.op, 64, a, b)}, 1")
        self.add(f"br label %{done}")
        self.begin(large)
        slow = self.owned(call)
        came = self.label
        self.add(f"br label %{done}")
        self.begin(done)
        self.text[i.result] = self.let(f"phi i64 [{fast}, %{small}], [{slow}, %{came}]")

    def compare(self, op: str, a: Value, b: Value) -> str:
        known = [self.known(a), self.known(b)]
        bits = self.width_for(*known)
        if bits is None:
            return self.compare_big(op, self.big(a), self.big(b))
        signed = any(r.negative for r in known)
        return self.let(f"icmp {comparison(op, signed)} i{bits} {self.word(a, bits)}, {self.word(b, bits)}")

    def compare_big(self, op: str, a: str, b: str) -> str:
        if self.module.generic:
            order = self.let(f"call i32 @ring_compare(i64 {a}, i64 {b})")
            return self.let(f"icmp {comparison(op, True)} i32 {order}, 0")
        small, large, done = (self.fresh_label(n) for n in ("small", "large", "compared"))
        self._both_small(a, b, small, large)
        self.begin(small)
        fast = self.let(f"icmp {comparison(op, True)} i64 {a}, {b}")
        self.add(f"br label %{done}")
        self.begin(large)
        order = self.let(f"call i32 @ring_compare(i64 {a}, i64 {b})")
        slow = self.let(f"icmp {comparison(op, True)} i32 {order}, 0")
        self.add(f"br label %{done}")
        self.begin(done)
        return self.let(f"phi i1 [{fast}, %{small}], [{slow}, %{large}]")

    def compare_constant(self, op: str, a: Value, constant: int) -> str:
        known = [self.known(a), Range(constant, constant)]
        bits = self.width_for(*known)
        if bits is None:
            return self.compare_big(op, self.big(a), self.module.value(constant))
        signed = any(r.negative for r in known)
        return self.let(
            f"icmp {comparison(op, signed)} i{bits} {self.word(a, bits)}, {signed_literal(constant, bits)}"
        )

    def _division(self, i: Instruction) -> None:
        a, b = i.args
        x, y = self.known(a), self.known(b)
        if 0 in y:
            self.refuse(self.compare_constant("eq", b, 0), "division by zero")
        result = self.range(i.result)
        widths = [x, y]
        if None not in (x.low, x.high, y.low, y.high):
            if result.low is not None and result.high is not None:
                widths.append(result)
            if x.negative and y.low <= -1 <= y.high:
                # the quotient by -1 must fit, or the machine refuses
                widths.append(Range(-x.high, -x.low))
            if i.op == "crem":
                # below 0, where the divisor is above
                most = max(abs(y.low), abs(y.high))
                widths.append(Range(-most, most))
        bits = self.width_for(*widths)
        if bits is None:
            args = f"i32 {DIVISION[i.op]}, i64 {self.big(a)}, i64 {self.big(b)}, ptr {self.slot()}"
            text = self.owned(f"call i64 @ring_divide({args})")
            self.define(i.result, text, BIG, ANY)
            return
        signed = any(r.negative for r in widths)
        text = self._divide(i.op, bits, self.word(a, bits), self.word(b, bits), signed)
        self.define(i.result, text, bits, Range(-1 if signed else 0, None))

    def _divide(self, op: str, bits: int, a: str, b: str, signed: bool) -> str:
        kind, t = "s" if signed else "u", f"i{bits}"

        def let(expression: str) -> str:
            return self.let(expression)

        if op == "tdiv" or (op == "fdiv" and not signed):
            return let(f"{kind}div {t} {a}, {b}")
        if op == "trem" or (op == "fmod" and not signed):
            return let(f"{kind}rem {t} {a}, {b}")
        # truncation goes the wrong way where there is a remainder, and for floor the signs of it and
        # the divisor differ, for ceiling they agree
        rest = let(f"{kind}rem {t} {a}, {b}")
        wrong = let(f"icmp ne {t} {rest}, 0")
        if signed:
            signs = let(f"xor {t} {rest}, {b}")
            differ = let(f"icmp {'slt' if op in ('fdiv', 'fmod') else 'sge'} {t} {signs}, 0")
            wrong = let(f"and i1 {wrong}, {differ}")
        if op in ("fmod", "crem"):
            other = let(f"{'add' if op == 'fmod' else 'sub'} {t} {rest}, {b}")
            return let(f"select i1 {wrong}, {t} {other}, {t} {rest}")
        quotient = let(f"{kind}div {t} {a}, {b}")
        other = let(f"{'sub' if op == 'fdiv' else 'add'} {t} {quotient}, 1")
        return let(f"select i1 {wrong}, {t} {other}, {t} {quotient}")

    # Shifts and fields

    def _count(self, n: Value) -> str:
        """A shift's count as an i64; one that is further off is as far as that."""
        has = self.plan.containers[n]
        known = self.range(n)
        if n in self.constants or (has is not BIG and has <= 64 and (known.negative or known.high < 1 << 63)):
            if n in self.constants:
                return str(max(-(1 << 62), min(self.constants[n], 1 << 62)))
            return self.word(n, 64)
        return self.let(f"call i64 @ring_count(i64 {self.big(n)})")

    def _shift(self, i: Instruction) -> None:
        x, n = i.args
        known = self.known(n) if n in self.constants else self.range(n)
        bits, has = self.plan.containers[i.result], self.plan.containers[x]
        whole = self.width_for(self.known(x))
        if bits is BIG or (has is BIG and whole is None and (known.low is None or known.low < 0)):
            self._shift_big(i, x, n)
            return
        if known.low is not None and known.low == known.high:
            self.text[i.result] = self._shift_constant(x, known.low, bits)
            return
        count = self._count(n)
        left = right = None
        if known.high is None or known.high >= 0:
            amount = self._masked(count, bits)
            left = self.let(f"shl i{bits} {self.word(x, bits)}, {amount}")
            if known.high is None or known.high >= bits:
                inside = self.let(f"icmp ult i64 {count}, {bits}")
                left = self.let(f"select i1 {inside}, i{bits} {left}, i{bits} 0")
        if known.low is None or known.low < 0:
            wide = max(has, bits) if has is not BIG else bits
            if x in self.constants and whole is not None:
                wide = max(bits, whole)
            word = self.word(x, wide)
            negative = self.known(x).negative
            back = self.let(f"sub i64 0, {count}")
            if known.low is None or -known.low >= wide:
                inside = self.let(f"icmp ult i64 {back}, {wide}")
                back = self.let(f"select i1 {inside}, i64 {back}, i64 {wide - 1}")
            right = self.let(f"{'ashr' if negative else 'lshr'} i{wide} {word}, {self._masked(back, wide)}")
            if (known.low is None or -known.low >= wide) and not negative:
                right = self.let(f"select i1 {inside}, i{wide} {right}, i{wide} 0")
            right = self.resize(right, wide, bits, negative)
        if left and right:
            sign = self.let(f"icmp slt i64 {count}, 0")
            self.text[i.result] = self.let(f"select i1 {sign}, i{bits} {right}, i{bits} {left}")
        else:
            self.text[i.result] = left or right

    def _masked(self, count: str, bits: int) -> str:
        return self.let(f"and i{bits} {self.resize(count, 64, bits, False)}, {bits - 1}")

    def _shift_constant(self, x: Value, count: int, bits: int) -> str:
        if count >= 0:
            return self.let(f"shl i{bits} {self.word(x, bits)}, {count}") if count < bits else "0"
        has = self.plan.containers[x]
        wide = max(has, bits) if has is not BIG else bits
        if x in self.constants:
            return str(signed_literal(self.constants[x] >> -count, bits))
        negative = self.range(x).negative
        word = self.word(x, wide)
        if -count >= wide:
            return (
                self.resize(self.let(f"ashr i{wide} {word}, {wide - 1}"), wide, bits, True)
                if negative
                else "0"
            )
        shifted = self.let(f"{'ashr' if negative else 'lshr'} i{wide} {word}, {-count}")
        return self.resize(shifted, wide, bits, negative)

    def _shift_big(self, i: Instruction, x: Value, n: Value) -> None:
        a, count = self.big(x), self._count(n)
        self.define(
            i.result, self.owned(f"call i64 @ring_shift(i64 {a}, i64 {count}, ptr {self.slot()})"), BIG, ANY
        )

    def _low(self, i: Instruction) -> None:
        (x,), k, bits = i.args, i.attribute, self.plan.containers[i.result]
        if bits is BIG:
            self.text[i.result] = self.owned(
                f"call i64 @ring_low(i64 {self.big(x)}, i64 {k}, ptr {self.slot()})"
            )
            return
        word = self.word(x, bits)
        self.text[i.result] = (
            word if k >= bits else self.let(f"and i{bits} {word}, {signed_literal(below(k), bits)}")
        )

    def _field(self, i: Instruction) -> None:
        (x,), k, bits = i.args, i.attribute, self.plan.containers[i.result]
        if bits is BIG:
            self.text[i.result] = self.owned(
                f"call i64 @ring_field(i64 {self.big(x)}, i64 {k}, ptr {self.slot()})"
            )
            return
        word = self.word(x, bits)
        if k < bits:
            word = self.let(f"ashr i{bits} {self.let(f'shl i{bits} {word}, {bits - k}')}, {bits - k}")
        self.text[i.result] = word

    def _rotl(self, i: Instruction) -> None:
        (x, n), k = i.args, i.attribute
        if k > WIDTHS[-1]:
            self._rotate_big(i, x, n, k)
            return
        bits = next(w for w in WIDTHS if w >= k)
        word = self.word(x, bits)
        if bits == k:
            # the count modulo 2^k is enough: k divides that
            turned = self.let(f"call i{k} @llvm.fshl.i{k}(i{k} {word}, i{k} {word}, i{k} {self.word(n, k)})")
        else:
            word = self.let(f"and i{bits} {word}, {below(k)}")
            count = self._turns(n, k, bits)
            left = self.let(f"shl i{bits} {word}, {count}")
            right = self.let(f"lshr i{bits} {word}, {self.let(f'sub i{bits} {k}, {count}')}")
            turned = self.let(f"and i{bits} {self.let(f'or i{bits} {left}, {right}')}, {below(k)}")
        self.define(i.result, turned, bits, Range(0, below(k)))

    def _turns(self, n: Value, k: int, bits: int) -> str:
        """n mod k, which is less than bits."""
        if n in self.constants:
            return str(self.constants[n] % k)
        wide = self.width_for(self.known(n), Range(-k, k))
        if wide is None:
            slot = self.slot()
            number = DIVISION["fmod"]
            turns = self.owned(
                f"call i64 @ring_divide(i32 {number}, i64 {self.big(n)}, i64 {2 * k + 1}, ptr {slot})"
            )
            return self.resize(self.let(f"ashr i64 {turns}, 1"), 64, bits, False)
        return self.resize(self._divide("fmod", wide, self.word(n, wide), str(k), True), wide, bits, False)

    def _rotate_big(self, i: Instruction, x: Value, n: Value, k: int) -> None:
        def call(text: str) -> str:
            return self.owned(f"call i64 @ring_{text}, ptr {self.slot()})")

        word = call(f"low(i64 {self.big(x)}, i64 {k}")
        count = self._turns(n, k, 64)
        left = call(f"low(i64 {call(f'shift(i64 {word}, i64 {count}')}, i64 {k}")
        right = call(f"shift(i64 {word}, i64 {self.let(f'sub i64 {count}, {k}')}")
        self.define(i.result, call(f"logic(i32 {LOGIC['ior']}, i64 {left}, i64 {right}"), BIG, ANY)

    # Other functions of integers

    def _counted(self, i: Instruction) -> None:
        (x,) = i.args
        bits = self.width_for(self.known(x))
        if bits is None:
            self.define(
                i.result, self.let(f"call i64 @ring_{i.op}(i64 {self.big(x)})"), 64, Range(0, 1 << 40)
            )
            return
        word = self.word(x, bits)
        if self.known(x).negative:
            word = self.let(f"xor i{bits} {word}, {self.let(f'ashr i{bits} {word}, {bits - 1}')}")
        if i.op == "popcount":
            count = self.let(f"call i{bits} @llvm.ctpop.i{bits}(i{bits} {word})")
        else:
            zeros = self.let(f"call i{bits} @llvm.ctlz.i{bits}(i{bits} {word}, i1 false)")
            count = self.let(f"sub i{bits} {signed_literal(bits, bits)}, {zeros}")
        self.define(i.result, count, bits, Range(0, bits))

    _bitlen = _popcount = _counted

    def _isqrt(self, i: Instruction) -> None:
        (x,) = i.args
        if self.known(x).negative:
            self.refuse(self.compare_constant("lt", x, 0), "isqrt of a negative integer")
        bits = self.width_for(self.known(x))
        if bits is not None and bits <= 64:
            word = self.let(f"call i64 @ring_isqrt_word(i64 {self.word(x, 64)})")
            self.define(i.result, word, 64, Range(0, below(32)))
            return
        text = self.owned(f"call i64 @ring_isqrt(i64 {self.big(x)}, ptr {self.slot()})")
        self.define(i.result, text, BIG, ANY)

    def _gcd(self, i: Instruction) -> None:
        if all((self.width_for(self.known(arg)) or 128) <= 64 for arg in i.args):
            words = []
            for arg in i.args:
                word = self.word(arg, 64)
                if self.known(arg).negative:
                    # 2^63 is its own negative, and as an unsigned word what it should be
                    word = self.let(f"call i64 @llvm.abs.i64(i64 {word}, i1 false)")
                words.append(word)
            word = self.let(f"call i64 @ring_gcd_word(i64 {words[0]}, i64 {words[1]})")
            self.define(i.result, word, 64, Range(0, below(64)))
            return
        a, b = (self.big(arg) for arg in i.args)
        self.define(
            i.result, self.owned(f"call i64 @ring_gcd(i64 {a}, i64 {b}, ptr {self.slot()})"), BIG, ANY
        )

    def _expt(self, i: Instruction) -> None:
        a, b = i.args
        if self.known(b).negative:
            self.refuse(self.compare_constant("lt", b, 0), "expt with a negative exponent")
        bits = self.plan.containers[i.result]
        if bits is not BIG and bits <= 64 and self.width_for(self.known(b)) in (8, 16, 32, 64):
            word = self.let(f"call i64 @ring_power_word(i64 {self.word(a, 64)}, i64 {self.word(b, 64)})")
            self.text[i.result] = self.resize(word, 64, bits, False)
            return
        x, y = self.big(a), self.big(b)
        self.define(
            i.result, self.owned(f"call i64 @ring_expt(i64 {x}, i64 {y}, ptr {self.slot()})"), BIG, ANY
        )

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

    def _narrow(self, i: Instruction) -> None:
        (x,) = i.args
        if not within(self.range(x), i.attribute):
            self.check(x, i.attribute)
        self._assume(i)

    def _assume(self, i: Instruction) -> None:
        self.text[i.result] = self.passed(i.args[0], i.result)

    def _select(self, i: Instruction) -> None:
        condition, a, b = i.args
        if isinstance(i.result.type, Array):
            parts = zip(("ptr", "ptr", "i64"), self.arrays[a], self.arrays[b], strict=True)
            self.arrays[i.result] = tuple(
                self.let(f"select i1 {self.text[condition]}, {t} {x}, {t} {y}") for t, x, y in parts
            )
            return
        if isinstance(i.result.type, Bool):
            t, x, y = "i1", self.text[a], self.text[b]
        else:
            t = word_type(self.plan.containers[i.result])
            x, y = self.passed(a, i.result), self.passed(b, i.result)
        self.text[i.result] = self.let(f"select i1 {self.text[condition]}, {t} {x}, {t} {y}")

    def _not(self, i: Instruction) -> None:
        self.text[i.result] = self.let(f"xor i1 {self.text[i.args[0]]}, true")

    # Arrays

    def _global(self, i: Instruction) -> None:
        name = symbol(i.attribute)
        self.arrays[i.result] = (
            f'@"array:{name}"',
            f'@"data:{name}"',
            str(len(self.module.module.arrays[i.attribute][1])),
        )

    def _new(self, i: Instruction) -> None:
        count, fill = i.args
        element = i.attribute.element
        known = self.known(count)
        if known.negative:
            self.refuse_value(self.compare_constant("lt", count, 0), "an array of {operand} elements", count)
        self.check(fill, element)
        if (self.width_for(known) or 128) <= 64:
            length = self.word(count, 64)
        else:
            value = self.big(count)
            large = self.let(f"xor i1 {self.let(f'trunc i64 {value} to i1')}, true")
            self.refuse(large, OUT_OF_MEMORY)
            length = self.let(f"ashr i64 {value}, 1")
        bits = storage(element)
        if bits is BIG:
            low, high = self.big(fill), "0"
        elif bits <= 64:
            low, high = self.word(fill, 64), "0"
        else:
            word = self.word(fill, 128)
            low = self.let(f"trunc i128 {word} to i64")
            high = self.let(f"trunc i128 {self.let(f'lshr i128 {word}, 64')} to i64")
        size = 0 if bits is BIG else bits // 8
        made = self.owned(
            f"call i64 @ring_new(i64 {length}, i32 {size}, i64 {low}, i64 {high}, ptr {self.slot()})"
        )
        pointer = self.let(f"inttoptr i64 {made} to ptr")
        data = self.let(f"getelementptr i8, ptr {pointer}, i64 {ARRAY_SIZE}")
        self.arrays[i.result] = (pointer, data, length)

    def _len(self, i: Instruction) -> None:
        self.define(i.result, self.arrays[i.args[0]][2], 64, Range(0, (1 << 56) - 1))

    def _runs(self, block: Block) -> None:
        """Finds runs of loads from one array near one index, which one check can let by.

        Between them is nothing that has an effect or may fail, so where one of them is out of
        bounds nothing is lost by looking at all of them at the first.
        """
        run: list[tuple[Instruction, Value, int]] = []
        for i in block.instructions:
            if i.op in LOADS:
                base, offset, bits = self._offset(i.args[1])
                if run and (run[0][0].args[0] is not i.args[0] or run[0][1] is not base):
                    self._close(run)
                    run = []
                if bits is not None:
                    run.append((i, base, offset))
            elif has_effect(i, self.plan.ranges):
                self._close(run)
                run = []
        self._close(run)

    def _measure(self, block: Block) -> None:
        self.here = set(block.instructions)
        for i in block.instructions:
            depth = 1 + max((self._depth(arg) for arg in i.args), default=-1)
            self.depths.update(dict.fromkeys(i.results, depth))

    def _close(self, run: list) -> None:
        if len(run) > 1:
            self.first_of[run[0][0]] = [(i, offset) for i, _, offset in run]
            self.covered |= {i for i, _, _ in run[1:]}

    def _offset(self, index: Value) -> tuple[Value | None, int, int | None]:
        """An index as another value and a constant to add to it; and its width if that is a word."""
        bits = self.width_for(self.known(index))
        if bits is None or bits > 64:
            return None, 0, None
        if index in self.constants:
            return None, self.constants[index], bits
        made = self.made_by.get(index)
        if made is not None and made.op in ("add", "sub"):
            a, b = made.args
            if b in self.constants and a not in self.constants:
                return a, self.constants[b] * (1 if made.op == "add" else -1), bits
            if made.op == "add" and a in self.constants and b not in self.constants:
                return b, self.constants[a], bits
        return index, 0, bits

    def _early(self, i: Instruction, offset: int) -> str:
        """A run's index before it is defined, as an i64: at its own width, as it will be."""
        index = i.args[1]
        if index in self.text or index in self.constants:
            return self.word(index, 64)
        base, _, _ = self._offset(index)
        bits = self.plan.containers[index]
        word = self.let(f"add i{bits} {self.word(base, bits)}, {signed_literal(offset, bits)}")
        return self.resize(word, bits, 64, self.range(index).negative)

    def _check_run(self, run: list[tuple[Instruction, int]]) -> None:
        """Refuses the first load of the run that is out of bounds, if any is: then the first or last is."""
        _, _, length = self.arrays[run[0][0].args[0]]
        least = min(run, key=lambda entry: entry[1])
        most = max(run, key=lambda entry: entry[1] + elements(entry[0]))
        inside = self._inside(self._early(*most), length, elements(most[0]))
        if self.known(least[0].args[1]).negative:
            low = self.let(f"icmp sge i64 {self._early(*least)}, 0")
            inside = self.let(f"and i1 {inside}, {low}")
        bad, go_on = self.fresh_label("bad"), self.fresh_label("ok")
        self.add(f"br i1 {inside}, label %{go_on}, label %{bad}, !prof !2")
        self.begin(bad)
        position = self.position
        for i, offset in run:
            self.position = i.position
            self._in_bounds(self._early(i, offset), length, elements(i), self.known(i.args[1]).negative)
        self.position = position
        # one of them was not
        self.add(f"br label %{go_on}")
        self.begin(go_on)

    def _inside(self, word: str, length: str, count: int) -> str:
        if count == 1:
            return self.let(f"icmp ult i64 {word}, {length}")
        enough = self.let(f"icmp uge i64 {length}, {count}")
        last = self.let(f"icmp ule i64 {word}, {self.let(f'sub i64 {length}, {count}')}")
        return self.let(f"and i1 {enough}, {last}")

    def _in_bounds(self, word: str, length: str, count: int, negative: bool) -> None:
        """Refuses an index; of several elements, the first that is out of bounds."""
        inside = self._inside(word, length, count)
        bad, go_on = self.fresh_label("bad"), self.fresh_label("ok")
        self.add(f"br i1 {inside}, label %{go_on}, label %{bad}, !prof !2")
        self.begin(bad)
        first = self.let(f"icmp ult i64 {word}, {length}")
        which = self.let(f"select i1 {first}, i64 {length}, i64 {word}")
        site = self.module.site(OUT_OF_BOUNDS, self.position, f"{'s' if negative else 'u'}64")
        self.add("br label %trap")
        self.traps.append((bad, site, which, length))
        self.begin(go_on)

    def _index(self, i: Instruction, count: int = 1) -> str:
        """The index as an i64, that of `count` elements, all within bounds."""
        array, index = i.args[:2]
        _, _, length = self.arrays[array]
        known = self.known(index)
        bits = self.width_for(known)
        if i in self.covered:
            return self.word(index, 64)
        if i in self.first_of:
            self._check_run(self.first_of[i])
            return self.word(index, 64)
        if bits is not None and bits <= 64:
            word = self.word(index, 64)
            self._in_bounds(word, length, count, known.negative)
            return word
        # an index that is no small integer is out of bounds of any array; nor is it at their end
        value = self.big(index)
        word = self.let(f"ashr i64 {value}, 1")
        small = self.let(f"trunc i64 {value} to i1")
        inside = self.let(f"and i1 {small}, {self._inside(word, length, count)}")
        bad, go_on = self.fresh_label("bad"), self.fresh_label("ok")
        self.add(f"br i1 {inside}, label %{go_on}, label %{bad}, !prof !2")
        self.begin(bad)
        first = self.let(f"and i1 {small}, {self.let(f'icmp ult i64 {word}, {length}')}")
        end = self.let(f"or i64 {self.let(f'shl i64 {length}, 1')}, 1")
        operand = self.let(f"select i1 {first}, i64 {end}, i64 {value}")
        self.add(f"call void @ring_retain(i64 {operand})")
        self.add("br label %trap")
        self.traps.append((bad, self.module.site(OUT_OF_BOUNDS, self.position, "value"), operand, length))
        self.begin(go_on)
        return word

    def _place(self, i: Instruction) -> tuple[str, str, str, int | None]:
        """The checked address of an element, its LLVM type, what LLVM is told of it, and its bits."""
        array = i.args[0]
        word = self._index(i)
        bits = storage(array.type.element)
        type_ = word_type(bits)
        place = self.let(f"getelementptr {type_}, ptr {self.arrays[array][1]}, i64 {word}")
        note = f"align {8 if bits is BIG else bits // 8}, !tbaa !{163 if bits is BIG else 100 + bits}"
        return place, type_, note, bits

    def _load_bytes(self, i: Instruction) -> None:
        """Bytes as one word: a load, turned around where the processor's order is the other."""
        array, bits = i.args[0], i.attribute
        word = self._index(i, bits // 8)
        place = self.let(f"getelementptr i8, ptr {self.arrays[array][1]}, i64 {word}")
        text = self.let(f"load i{bits}, ptr {place}, align 1, !tbaa !108")
        if i.op == "load_be":
            text = self.let(f"call i{bits} @llvm.bswap.i{bits}(i{bits} {text})")
        self.define(i.result, text, bits, Range(0, below(bits)))

    _load_le = _load_be = _load_bytes

    def _load(self, i: Instruction) -> None:
        array = i.args[0]
        place, type_, note, bits = self._place(i)
        text = self.let(f"load {type_}, ptr {place}, {note}")
        if bits is BIG:
            # the array may give it up while it is used
            slot, keep, kept = self.slot(), self.fresh_label("keep"), self.fresh_label("kept")
            self.add(f"br i1 {self.let(f'trunc i64 {text} to i1')}, label %{kept}, label %{keep}")
            self.begin(keep)
            self.add(f"call void @ring_set(ptr {slot}, i64 {text})")
            self.add(f"br label %{kept}")
            self.begin(kept)
        self.define(i.result, text, bits, of_type(array.type.element))

    def _store(self, i: Instruction) -> None:
        array, _, value = i.args
        self.check(value, array.type.element)
        place, type_, note, bits = self._place(i)
        if bits is BIG:
            self.add(f"call void @ring_set(ptr {place}, i64 {self.big(value)})")
        else:
            self.add(f"store {type_} {self.word(value, bits)}, ptr {place}, {note}")

    # Calls

    def _call(self, i: Instruction) -> None:
        callee = self.module.signatures[i.attribute]
        args = ["ptr %context"]
        for arg, param, passed in zip(
            i.args, self.module.module.functions[i.attribute].params, callee.params, strict=True
        ):
            if isinstance(passed.type, Int):
                position, self.position = self.position, param.position
                self.check(arg, passed.type)
                self.position = position
                text = self.big(arg) if passed.container is BIG else self.word(arg, passed.container)
            elif isinstance(passed.type, Array):
                text = self.arrays[arg][0]
            else:
                text = self.text[arg]
            args.append(f"{passed.llvm} {text}")
        made = self.let(f"call fastcc {callee.llvm} {function_symbol(i.attribute)}({', '.join(args)})")
        status = self.let(f"extractvalue {callee.llvm} {made}, 0")
        failed, go_on = self.let(f"icmp ne i32 {status}, 0"), self.fresh_label("ok")
        self.add(f"br i1 {failed}, label %unwind, label %{go_on}, !prof !0")
        self.unwinds.append((self.label, status))
        self.begin(go_on)
        # every result is owned before any is looked at: what follows may fail
        texts = []
        for at, passed in enumerate(callee.results):
            text = self.let(f"extractvalue {callee.llvm} {made}, {at + 1}")
            texts.append(text)
            if isinstance(passed.type, Array):
                value = self.let(f"ptrtoint ptr {text} to i64")
                self.add(f"call void @ring_put(ptr {self.slot()}, i64 {value})")
            elif isinstance(passed.type, Int) and passed.container is BIG:
                put, done = self.fresh_label("put"), self.fresh_label("done")
                self.add(f"br i1 {self.let(f'trunc i64 {text} to i1')}, label %{done}, label %{put}")
                self.begin(put)
                self.add(f"call void @ring_put(ptr {self.slot()}, i64 {text})")
                self.add(f"br label %{done}")
                self.begin(done)
        for result, passed, text in zip(i.results, callee.results, texts, strict=True):
            if isinstance(passed.type, Array):
                self._array(result, text)
            elif isinstance(passed.type, Int):
                self.define(result, text, passed.container, Range(None if passed.negative else 0, None))
            else:
                self.text[result] = text


COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}


def comparison(op: str, signed: bool) -> str:
    return op if op in ("eq", "ne") else f"{'s' if signed else 'u'}{op}"


def escape(message: str) -> str:
    """A message in which nothing is to be filled in."""
    return message.replace("{", "{{").replace("}", "}}")
