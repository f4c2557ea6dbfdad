"""The growing text of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..machine.form import BIG, Lanes, Operand, Site, Word
from .names import is_array

if TYPE_CHECKING:
    from .module import ModuleText

# Offsets in runtime.h's struct ring_context.
CONTEXT_OPERAND, CONTEXT_HIGH, CONTEXT_LENGTH, CONTEXT_VALUE = 8, 16, 24, 32
CONTEXT_POLL, CONTEXT_DUE = 40, 48

# Branch weights, as in the metadata of module.py: the first target is unlikely, or likely.
UNLIKELY, LIKELY = "!prof !0", "!prof !2"


class BodyText:
    def __init__(self, module: ModuleText, calls: bool):
        self.module = module
        self.calls = calls
        self.body: list[str] = []
        self.count = 0
        self.label = "entry"
        self.words: dict[Word, str] = {}
        self.arrays: dict[Word, tuple[str, str, str]] = {}  # object, data, length
        self.short: set[Word] = set()  # words of 128 bits that were extended by their sign
        self.rooms: list[str] = []  # places in the frame
        # edges into the blocks at the end: labels, and what is passed
        self.traps: list[tuple[str, int | str, str, str, int]] = []
        self.unwinds: list[tuple[str, str, int, int | str]] = []
        self.filled = 0  # how many slots may hold something now

    def add(self, line: str) -> None:
        self.body.append("  " + line)

    def let(self, expression: str) -> str:
        self.count += 1
        name = f"%t{self.count}"
        self.body.append(f"  {name} = {expression}")
        return name

    def room(self, type_: str) -> str:
        """The address of a place of this type in the frame."""
        name = f"%room{len(self.rooms)}"
        self.rooms.append(f"  {name} = alloca {type_}, align 16")
        return name

    def zeros(self, place: str, size: int) -> None:
        self.add(f"call void @llvm.memset.p0.i64(ptr align 16 {place}, i8 0, i64 {size}, i1 false)")

    def begin(self, label: str) -> None:
        self.body.append(f"{label}:")
        self.label = label

    def fresh(self, *what: str) -> list[str]:
        """New labels: these names with a new number."""
        self.count += 1
        return [f"{each}.{self.count}" for each in what]

    def of(self, operand: Operand) -> str:
        if isinstance(operand, Word):
            return self.words[operand]
        if isinstance(operand.type, Lanes):
            one = "true" if operand.value else "false"
            return f"splat (i{operand.type.of} {one if operand.type.of == 1 else operand.value})"
        if operand.type is BIG:
            return self.module.value(operand.value)
        if operand.type == 1:
            return "true" if operand.value else "false"
        return str(operand.value)

    def is_short(self, operand: Operand) -> bool:
        """Whether 64 bits hold the word of 128, read as signed."""
        if isinstance(operand, Word):
            return operand in self.short
        return -1 << 63 <= operand.value < 1 << 63

    def parts(self, array: Word) -> tuple[str, str, str]:
        return self.arrays[array]

    def address(self, operand: Operand) -> str:
        """A BIG or an array, as the runtime takes what may be an object."""
        if is_array(operand.type):
            return self.let(f"ptrtoint ptr {self.arrays[operand][0]} to i64")
        return self.of(operand)

    def place(self, offset: int) -> str:
        """The address at this offset in the context."""
        return self.let(f"getelementptr i8, ptr %context, i64 {offset}")

    def tell(self, value: str) -> None:
        """Records the BIG for which a check failed."""
        self.add(f"call void @ring_set(ptr {self.place(CONTEXT_VALUE)}, i64 {value})")

    def halved(self, word: str) -> str:
        """The low half of 128 bits for which a check failed; the high half is recorded."""
        high = self.let(f"trunc i128 {self.let(f'lshr i128 {word}, 64')} to i64")
        self.add(f"store i64 {high}, ptr {self.place(CONTEXT_HIGH)}")
        return self.let(f"trunc i128 {word} to i64")

    def trap(self, site: Site, operand: str = "0", length: str = "0") -> None:
        """Jumps to the block of failed checks."""
        self.traps.append((self.label, self.module.site(site), operand, length, self.filled))

    def refuse(self, condition: str, site: Site, operand: str = "0") -> None:
        (go_on,) = self.fresh("ok")
        self.add(f"br i1 {condition}, label %trap, label %{go_on}, {UNLIKELY}")
        self.trap(site, operand)
        self.begin(go_on)
