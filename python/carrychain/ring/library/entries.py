"""The functions that C calls, as LLVM's text.

An entry checks the arguments, makes arrays of pointers and lengths, calls the compiled function, and copies
its results. The compiled function's status is the number of the check that failed; a table says what each
tells the caller.
"""

from __future__ import annotations

from ..emit.arrays import ARRAY_DATA, ARRAY_LENGTH, ARRAY_SIZE
from ..emit.function import FunctionText
from ..emit.module import DECLARATIONS, METADATA, ModuleText
from ..emit.names import function_symbol, llvm_type, returned
from ..emit.text import UNLIKELY
from ..front.python.kinds import Raised
from ..ir.form import Array, Bool
from ..machine.form import MachineModule, Site
from .interface import CODES, LENGTH_MAX, NO_ROOM, CFunction, CParameter, CResult, elements, told
from .runtime import narrowed

# What compiled code without polls writes of runtime.h's struct ring_context
CONTEXT_SIZE = 48

# struct cc_failure: line, column, file, message
FAILED = """
define internal i32 @failed(i32 %status, ptr %failure) cold noinline nounwind {
  %at = sub i32 %status, 1
  %wide = zext i32 %at to i64
  %row = getelementptr {i32, i32, i32, ptr, ptr}, ptr @failures, i64 %wide
  %code = load i32, ptr %row
  %none = icmp eq ptr %failure, null
  br i1 %none, label %end, label %tell
tell:
  %line.from = getelementptr {i32, i32, i32, ptr, ptr}, ptr %row, i64 0, i32 1
  %column.from = getelementptr {i32, i32, i32, ptr, ptr}, ptr %row, i64 0, i32 2
  %file.from = getelementptr {i32, i32, i32, ptr, ptr}, ptr %row, i64 0, i32 3
  %message.from = getelementptr {i32, i32, i32, ptr, ptr}, ptr %row, i64 0, i32 4
  %line = load i32, ptr %line.from
  %column = load i32, ptr %column.from
  %file = load ptr, ptr %file.from
  %message = load ptr, ptr %message.from
  %column.to = getelementptr {i32, i32, ptr, ptr}, ptr %failure, i64 0, i32 1
  %file.to = getelementptr {i32, i32, ptr, ptr}, ptr %failure, i64 0, i32 2
  %message.to = getelementptr {i32, i32, ptr, ptr}, ptr %failure, i64 0, i32 3
  store i32 %line, ptr %failure
  store i32 %column, ptr %column.to
  store ptr %file, ptr %file.to
  store ptr %message, ptr %message.to
  br label %end
end:
  ret i32 %code
}
"""

MORE = """
declare void @ring_release(i64) nounwind
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""


class LibraryText(ModuleText):
    """The text of a module whose entries are C's."""

    def __init__(
        self, module: MachineModule, functions: list[CFunction], raised: list[Raised], narrow: bool = False
    ):
        super().__init__(module)
        self.narrow = narrow
        self.functions = functions
        self.raised = raised

    def emit(self) -> str:
        for name, array in self.module.arrays.items():
            self._array(name, array)
        bodies = [FunctionText(self, function).emit() for function in self.module.functions.values()]
        entries = [_EntryText(self, function).emit() for function in self.functions]
        failures = [*self._failures(), FAILED] if self.sites else []
        parts = [*bodies, *entries, *self.lines, *failures, *self.helpers(), DECLARATIONS, MORE, METADATA]
        return narrowed("\n".join(parts)) if self.narrow else "\n".join(parts)

    def _failures(self) -> list[str]:
        texts: dict[str, str] = {}
        rows = []
        for site in self.sites:
            what = told(site, self.raised)
            file, message = (
                texts.setdefault(text, f"@text.{len(texts)}") for text in (what.file, what.message)
            )
            rows.append(
                f"{{i32, i32, i32, ptr, ptr}} {{i32 {CODES[what.code][0]}, i32 {what.line}, "
                f"i32 {what.column}, ptr {file}, ptr {message}}}"
            )
        kind = f"[{len(rows)} x {{i32, i32, i32, ptr, ptr}}]"
        return [
            *(f"{name} = internal unnamed_addr constant {_characters(text)}" for text, name in texts.items()),
            f"@failures = internal constant {kind} [{', '.join(rows)}]",
        ]


def _characters(text: str) -> str:
    """The bytes, and a 0 after them, as LLVM's text has them."""
    data = text.encode() + b"\0"
    shown = "".join(f"\\{byte:02X}" for byte in data)
    return f'[{len(data)} x i8] c"{shown}"'


class _EntryText:
    def __init__(self, module: LibraryText, function: CFunction):
        self.module = module
        self.size = "i32" if module.narrow else "i64"  # C's size_t
        self.function = function
        self.lines: list[str] = []
        self.label = "start"
        self.count = 0
        self.rooms: list[str] = []  # places in the frame
        self.refusals: list[tuple[str, str]] = []  # status and label

    def add(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def let(self, expression: str) -> str:
        self.count += 1
        self.add(f"%t{self.count} = {expression}")
        return f"%t{self.count}"

    def room(self, size: int) -> str:
        self.rooms.append(f"  %room{len(self.rooms)} = alloca [{size} x i8], align 16")
        return f"%room{len(self.rooms) - 1}"

    def begin(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label = label

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{name}.{self.count}"

    def refuse(self, condition: str, status: str) -> None:
        """Returns with the status if the condition holds."""
        go_on = self.fresh("ok")
        self.refusals.append((status, self.label))
        self.add(f"br i1 {condition}, label %refused, label %{go_on}, {UNLIKELY}")
        self.begin(go_on)

    def refuse_beyond(self, x: str, bits: int, signed: bool, bounds: tuple, site: Site) -> None:
        low, high = bounds
        sign = "s" if signed else "u"
        for op, bound in (("lt", low), ("gt", high)):
            if bound is not None:
                beyond = self.let(f"icmp {sign}{op} i{bits} {x}, {bound}")
                self.refuse(beyond, str(self.module.site(site)))

    def emit(self) -> str:
        function = self.function
        args = [f"ptr {self.room(CONTEXT_SIZE)}"]
        params: list[str] = []
        for taken in function.takes:
            types, given = self.argument(taken)
            params += types
            args.append(given)
        for given in function.gives:
            params.append(f"ptr %_{given.name}")
            params += [f"ptr %_{given.name}.length"] * given.counted
        made = returned([each.passed.word for each in function.gives])
        callee = function_symbol(function.compiled)
        result = self.let(f"call fastcc {made} {callee}({', '.join(args)})")
        if function.codes:
            status = self.let(f"extractvalue {made} {result}, 0")
            self.refuse(self.let(f"icmp ne i32 {status}, 0"), status)
        values = [self.let(f"extractvalue {made} {result}, {at}") for at in range(1, len(function.gives) + 1)]
        self.results(values)
        self.add("ret i32 0")
        if self.refusals:
            self.begin("refused")
            ways = ", ".join(f"[{status}, %{label}]" for status, label in self.refusals)
            status = self.let(f"phi i32 {ways}")
            self.add(f"ret i32 {self.let(f'call i32 @failed(i32 {status}, ptr %_failure)')}")
        head = f"define signext i32 @{function.name}({', '.join([*params, 'ptr %_failure'])}) nounwind {{"
        return "\n".join([head, "start:", *self.rooms, *self.lines, "}"])

    # arguments ---------------------------------------------------------------------------------------

    def argument(self, taken: CParameter) -> tuple[list[str], str]:
        """The parameters that C passes, and the compiled function's argument."""
        name = f"%_{taken.name}"
        match taken.type:
            case Bool():
                return [f"i8 {name}"], f"i1 {self.let(f'icmp ne i8 {name}, 0')}"
            case Array():
                return [f"ptr {name}", f"{self.size} {name}.length"], f"ptr {self.array(taken)}"
        bits, container, site = taken.bits, taken.passed.container, taken.site(self.function.position)
        if bits == 128:
            halves = [self.let(f"zext i64 {name}.{half} to i128") for half in ("low", "high")]
            types = [f"i64 {name}.low", f"i64 {name}.high"]
            name = self.let(f"or i128 {halves[0]}, {self.let(f'shl i128 {halves[1]}, 64')}")
        else:
            types = [f"i{bits} {name}"]
        self.refuse_beyond(name, bits, taken.signed, taken.bounds, site)
        return types, f"i{container} {self.resized(name, bits, container, taken.signed)}"

    def resized(self, x: str, bits: int, to: int, signed: bool) -> str:
        if bits == to:
            return x
        how = "trunc" if bits > to else "sext" if signed else "zext"
        return self.let(f"{how} i{bits} {x} to i{to}")

    def array(self, taken: CParameter) -> str:
        """The object of an array that the caller has."""
        data, length, site = f"%_{taken.name}", f"%_{taken.name}.length", taken.site(self.function.position)
        if self.module.narrow:
            length = self.let(f"zext i32 {length} to i64")
        self.refuse(self.let(f"icmp ugt i64 {length}, {LENGTH_MAX}"), str(self.module.site(site)))
        bits, signed, bounds = elements(taken.type)
        if bounds != (None, None):
            start, (head, body, after) = self.label, map(self.fresh, ("next", "one", "all"))
            self.add(f"br label %{head}")
            self.begin(head)
            at, more = self.fresh("%at"), self.fresh("%more")
            here = len(self.lines)
            inside = self.let(f"icmp ult i64 {at}, {length}")
            self.add(f"br i1 {inside}, label %{body}, label %{after}")
            self.begin(body)
            place = self.let(f"getelementptr i{bits}, ptr {data}, i64 {at}")
            x = self.let(f"load i{bits}, ptr {place}")
            self.refuse_beyond(x, bits, signed, bounds, site)
            self.add(f"{more} = add i64 {at}, 1")
            self.add(f"br label %{head}")
            self.lines.insert(here, f"  {at} = phi i64 [0, %{start}], [{more}, %{self.label}]")
            self.begin(after)
        made = self.room(ARRAY_SIZE)
        self.add(f"store i64 -1, ptr {made}")
        self.add(f"store i64 1, ptr {self.let(f'getelementptr i8, ptr {made}, i64 8')}")
        self.add(f"store i64 {length}, ptr {self.let(f'getelementptr i8, ptr {made}, i64 {ARRAY_LENGTH}')}")
        self.add(f"store ptr {data}, ptr {self.let(f'getelementptr i8, ptr {made}, i64 {ARRAY_DATA}')}")
        return made

    # results -----------------------------------------------------------------------------------------

    def results(self, values: list[str]) -> None:
        """Stores the results; if there is no room for one, only the lengths that are needed."""
        arrays = [
            (given, value)
            for given, value in zip(self.function.gives, values, strict=True)
            if isinstance(given.type, Array)
        ]
        found = [self.found(value) for _, value in arrays]
        lacking = "false"
        for (given, _), (_, length) in zip(arrays, found, strict=True):
            if given.counted:
                room = self.let(f"load {self.size}, ptr %_{given.name}.length")
                if self.module.narrow:
                    length = self.let(f"trunc i64 {length} to i32")
                self.add(f"store {self.size} {length}, ptr %_{given.name}.length")
                short = self.let(f"icmp ult {self.size} {room}, {length}")
                lacking = self.let(f"or i1 {lacking}, {short}")
        if lacking != "false":
            short, enough = self.fresh("short"), self.fresh("enough")
            self.add(f"br i1 {lacking}, label %{short}, label %{enough}, {UNLIKELY}")
            self.begin(short)
            self.release(arrays)
            site = Site(NO_ROOM, str(self.function.position))
            self.refusals.append((str(self.module.site(site)), self.label))
            self.add("br label %refused")
            self.begin(enough)
        for (given, _), (data, length) in zip(arrays, found, strict=True):
            size = self.let(f"mul i64 {length}, {elements(given.type)[0] // 8}")
            self.add(
                f"call void @llvm.memmove.p0.p0.i64(ptr %_{given.name}, ptr {data}, i64 {size}, i1 false)"
            )
        self.release(arrays)
        for given, value in zip(self.function.gives, values, strict=True):
            self.store(given, value)

    def found(self, array: str) -> tuple[str, str]:
        data = self.let(f"getelementptr i8, ptr {array}, i64 {ARRAY_DATA}")
        length = self.let(f"getelementptr i8, ptr {array}, i64 {ARRAY_LENGTH}")
        return self.let(f"load ptr, ptr {data}"), self.let(f"load i64, ptr {length}")

    def release(self, arrays: list[tuple[CResult, str]]) -> None:
        for _, value in arrays:
            self.add(f"call void @ring_release(i64 {self.let(f'ptrtoint ptr {value} to i64')})")

    def store(self, given: CResult, value: str) -> None:
        match given.type:
            case Array():
                return
            case Bool():
                self.add(f"store i8 {self.let(f'zext i1 {value} to i8')}, ptr %_{given.name}")
                return
        if given.passed.container == 128:
            self.add(f"store i64 {self.let(f'trunc i128 {value} to i64')}, ptr %_{given.name}")
            high = self.let(f"trunc i128 {self.let(f'lshr i128 {value}, 64')} to i64")
            self.add(f"store i64 {high}, ptr {self.let(f'getelementptr i64, ptr %_{given.name}, i64 1')}")
            return
        self.add(f"store {llvm_type(given.passed.container)} {value}, ptr %_{given.name}")
