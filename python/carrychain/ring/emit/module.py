"""A module as LLVM's text: its arrays, constants and functions, and the entries for Python."""

from __future__ import annotations

from ..facts.demand import below
from ..machine.form import ARRAY, BIG, Global, MachineFunction, MachineModule, Site, is_small, literal
from .driver import Driven, driver
from .function import FunctionText
from .llvm import DIVIDER
from .names import ENTRY, function_symbol, llvm_type, returned, symbol

DECLARATIONS = """
declare void @ring_retain(i64) nounwind
declare void @ring_put(ptr, i64) nounwind
declare void @ring_set(ptr, i64) nounwind
declare void @ring_leave(ptr, i64) nounwind
declare void @ring_called(ptr, i32) cold nounwind memory(argmem: readwrite)
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
declare i64 @ring_columns(ptr, i32, i32, i32, ptr) nounwind
declare i64 @ring_isqrt_word(i64) nounwind memory(none)
declare i64 @ring_gcd_word(i64, i64) nounwind memory(none)
declare i64 @ring_power_word(i64, i64) nounwind memory(none)
declare void @llvm.assume(i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare ptr @llvm.frameaddress.p0(i32)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
"""


# Branch weights, and type-based alias metadata: elements of different types never overlap.
METADATA = """
!0 = !{!"branch_weights", i32 1, i32 1048575}
!1 = !{!"ring"}
!2 = !{!"branch_weights", i32 1048575, i32 1}
!8 = !{!"8", !1}
!16 = !{!"16", !1}
!32 = !{!"32", !1}
!64 = !{!"64", !1}
!128 = !{!"128", !1}
!3 = !{}
!63 = !{!"value", !1}
!108 = !{!8, !8, i64 0}
!116 = !{!16, !16, i64 0}
!132 = !{!32, !32, i64 0}
!164 = !{!64, !64, i64 0}
!228 = !{!128, !128, i64 0}
!163 = !{!63, !63, i64 0}
"""


# The first check of a bounds_run that fails: its status, and the index for the message. Each row has a
# check's offset from the base, number of elements, and status. It is called if some check fails, so the
# search ends.
FIRST_OUTSIDE = """
define linkonce_odr hidden fastcc {i32, i64} @first.outside(ptr %rows, i64 %base, i64 %length)
    cold noinline optnone nounwind {
entry:
  br label %next
next:
  %row = phi ptr [%rows, %entry], [%after, %inside]
  %count.place = getelementptr i8, ptr %row, i64 8
  %status.place = getelementptr i8, ptr %row, i64 16
  %offset = load i64, ptr %row
  %count = load i64, ptr %count.place
  %index = add i64 %base, %offset
  %enough = icmp uge i64 %length, %count
  %last = sub i64 %length, %count
  %before = icmp ule i64 %index, %last
  %fits = and i1 %enough, %before
  %after = getelementptr i8, ptr %row, i64 24
  br i1 %fits, label %inside, label %outside
inside:
  br label %next
outside:
  %status = load i32, ptr %status.place
  %starts = icmp ult i64 %index, %length
  %which = select i1 %starts, i64 %length, i64 %index
  %half = insertvalue {i32, i64} poison, i32 %status, 0
  %whole = insertvalue {i32, i64} %half, i64 %which, 1
  ret {i32, i64} %whole
}
"""


# Empties slots out of line: it happens at every edge into a function's general form, and rarely.
OPEN = """
define linkonce_odr hidden void @slots.open(ptr %slots, i64 %size) cold noinline nounwind {
entry:
  call void @llvm.memset.p0.i64(ptr align 8 %slots, i8 0, i64 %size, i1 false)
  ret void
}
"""


# Use the widest vectors: by default, LLVM prefers narrower ones on some processors.
WIDE = ' "min-legal-vector-width"="512" "prefer-vector-width"="512"'


class ModuleText:
    """The text of a module, and the table of its checks."""

    def __init__(self, module: MachineModule, driven: Driven | None = None):
        """The entry for Python calls any of the functions; or, if `driven`, one of them for many inputs."""
        self.module = module
        self.driven = driven
        self.attributes = WIDE if driven and driven.count > 1 else ""
        self.lengths = {name: len(array.contents) for name, array in module.arrays.items()}
        self.sites: dict[Site, int] = {}
        self.boxes: dict[int, str] = {}
        self.tables = 0
        self.late = False  # whether a function has late slots
        self.lines: list[str] = []

    def site(self, site: Site) -> int:
        """The status of this check's failure."""
        return self.sites.setdefault(site, len(self.sites) + 1)

    def value(self, constant: int) -> str:
        """A constant as a BIG."""
        if is_small(constant):
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

    def rows(self, rows: tuple[tuple[int, int, Site], ...]) -> str:
        """A table of checks for @first.outside."""
        self.tables += 1
        texts = (
            f"[3 x i64] [i64 {offset}, i64 {count}, i64 {self.site(site)}]" for offset, count, site in rows
        )
        name = f"@rows.{self.tables}"
        kind = f"[{len(rows)} x [3 x i64]]"
        self.lines.append(f"{name} = private unnamed_addr constant {kind} [{', '.join(texts)}]")
        return name

    def emit(self) -> str:
        for name, array in self.module.arrays.items():
            self._array(name, array)
        looping, straight = [], []
        for function in self.module.functions.values():
            (straight if function.straight else looping).append(FunctionText(self, function).emit())
        if self.driven:
            function = self.module.functions[self.driven.name]
            (straight if function.straight else looping).append(driver(function, self.driven, WIDE))
        else:
            straight.append(self._entry())
        shared = [*self.lines, *self.helpers(), DECLARATIONS, METADATA]
        return DIVIDER.join("".join(f"{text}\n" for text in part) for part in (looping, straight, shared))

    def helpers(self) -> list[str]:
        """The functions that the others call."""
        return [FIRST_OUTSIDE] * bool(self.tables) + [OPEN] * self.late

    def _array(self, name: str, array: Global) -> None:
        bits, llvm = array.type, llvm_type(array.type)
        elements = (self.value(x) if bits is BIG else str(literal(x, bits)) for x in array.contents)
        text = ", ".join(f"{llvm} {element}" for element in elements)
        kind = "global" if array.changed else "constant"
        label, size = symbol(name), len(array.contents)
        # an array of BIGs is never freed; objects that are stored into it later belong to it
        self.lines += [
            f'@"data:{label}" = hidden {kind} [{size} x {llvm}] [{text}], align 16',
            f'@"array:{label}" = hidden global {{i64, i64, i64, ptr}} '
            f'{{i64 -1, i64 {2 if bits is BIG else 1}, i64 {size}, ptr @"data:{label}"}}, align 16',
        ]

    def _entry(self) -> str:
        """The entry for Python: it takes a function's number, and arguments in slots of 16 bytes; results are
        as in runtime.h.

        There is one for all functions, because LLVM takes a millisecond for each function, however short.
        """
        functions = self.module.functions.values()
        cases = "".join(f" i64 {at}, label %f{at}" for at in range(len(functions)))
        lines = [
            f"define i32 @{ENTRY}(ptr %arguments, ptr %results, ptr %context) nounwind {{",
            "  %number = load i64, ptr %arguments, align 16",
            f"  switch i64 %number, label %none [{cases} ]",
            "none:",
            "  unreachable",
        ]
        for number, function in enumerate(functions):
            lines += [f"f{number}:", *self._call(f"{number}.", function)]
        return "\n".join([*lines, "}"])

    def _call(self, n: str, function: MachineFunction) -> list[str]:
        type_ = returned(function.results)
        lines = []
        args = ["ptr %context"]
        for at, param in enumerate(function.params):
            name = llvm_type(param.type)
            lines.append(f"  %p{n}{at} = getelementptr i8, ptr %arguments, i64 {16 * at + 16}")
            lines.append(f"  %a{n}{at} = load {name}, ptr %p{n}{at}, align 16")
            args.append(f"{name} %a{n}{at}")
        lines += [
            f"  %r{n} = call fastcc {type_} {function_symbol(function.name)}({', '.join(args)}) noinline",
            f"  %status{n} = extractvalue {type_} %r{n}, 0",
        ]
        owned = 1 + len(function.results)
        words = 8 * (owned + owned % 2)
        for at, result in enumerate(function.results):
            place = 8 * (1 + at) if result in (ARRAY, BIG) else words + 16 * at
            lines.append(f"  %q{n}{at} = getelementptr i8, ptr %results, i64 {place}")
            lines.append(f"  %r{n}{at} = extractvalue {type_} %r{n}, {at + 1}")
            lines.append(f"  store {llvm_type(result)} %r{n}{at}, ptr %q{n}{at}, align 8")
        return [*lines, f"  ret i32 %status{n}"]
