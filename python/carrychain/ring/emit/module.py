"""A module as LLVM's text: its arrays, its constants, its functions, and what Python calls."""

from __future__ import annotations

from ..demand import below
from ..inline import recursive
from ..ir import Array, Module
from ..plan import BIG, Plan
from .function import FunctionEmitter
from .lent import escaping
from .passed import (
    Site,
    function_symbol,
    signature,
    signed_literal,
    storage,
    symbol,
    word_type,
)
from .values import SMALL_MAX, SMALL_MIN

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
        self.stored = escaping(module)[1]

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
