"""The representation of machine IR: words of stated width, and operations on them in order.

Machine IR is between the plan and LLVM. `lower` makes it, and decides everything in it: each width, each
check, each slot, each sign extension. Later steps print it (`emit`) or run it (`interpret`), one operation at
a time.

A word is defined once, and its definition dominates its uses. Its type is its width in bits, 1 for a truth
value; or BIG, an integer of any size as in runtime.h; or ARRAY, a reference to an array. A word has no sign:
the operation says how it reads it. Blocks have parameters; only jumps pass arguments.

`interpret` defines what an operation means, SHAPES what it takes and yields.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

WIDTHS = (8, 16, 32, 64, 128)
BIG = None  # what holds any integer

ARRAY = "array"
ROWS, COLUMNS = "rows", "columns"


@dataclass(frozen=True, slots=True)
class Lanes:
    """One for each of so many inputs, a power of two: a word of a width, or arrays of one length."""

    of: int | str  # bits, ROWS or COLUMNS
    count: int

    def __str__(self) -> str:
        return f"{self.of if self.of in (ROWS, COLUMNS) else f'i{self.of}'}x{self.count}"


MachineType = int | str | Lanes | None  # bits, ARRAY, lanes, or BIG

OUT_OF_MEMORY = "out of memory"  # of the site where something is made
CALLED = "called"  # of a call's site


class Site(NamedTuple):
    """A check: its message, in which {operand} and {length} stand for what was found, and where.

    operand is "s" or "u" and a width for a word, "value" for a value of the runtime's, or nothing.
    Where it was inlined, `callers` are the positions of the calls that it is there for, the innermost first.
    A call, too, is where a check of what it calls may fail.
    """

    message: str
    position: str | None = None
    operand: str = ""
    callers: tuple[str, ...] = ()


def word(bits: int) -> int | None:
    """The narrowest word of at least so many bits, BIG if there is none."""
    return WIDTHS[bisect_left(WIDTHS, bits)] if bits <= WIDTHS[-1] else BIG


def word_of(low: int | None, high: int | None) -> int | None:
    """The narrowest word that holds every integer from low to high, BIG if none does."""
    if low is None or high is None:
        return BIG
    return word(high.bit_length() if low >= 0 else max(~low, high).bit_length() + 1)


def type_text(type_: MachineType) -> str:
    if isinstance(type_, Lanes):
        return str(type_)
    return "big" if type_ is BIG else type_ if type_ == ARRAY else f"i{type_}"


@dataclass(eq=False, slots=True)
class Word:
    number: int
    type: MachineType

    def __str__(self) -> str:
        return f"%{self.number}"

    __repr__ = __str__


@dataclass(frozen=True)
class Const:
    """A constant: of a word's bits, as two's complement; the same in all lanes; or BIG."""

    type: int | Lanes | None
    value: int

    def __str__(self) -> str:
        return f"{type_text(self.type)} {self.value}"

    __repr__ = __str__


Operand = Word | Const


@dataclass(eq=False, slots=True)
class Op:
    op: str
    args: list[Operand]
    results: list[Word]
    attribute: int | str | tuple | None = None
    slot: int | None = None  # which owns what it makes
    site: Site | None = None  # where it may fail

    @property
    def result(self) -> Word:
        (word,) = self.results
        return word


@dataclass(eq=False, slots=True)
class MachineJump:
    to: MachineBlock
    args: list[Operand]

    @property
    def blocks(self) -> list[MachineBlock]:
        return [self.to]


@dataclass(eq=False, slots=True)
class MachineBranch:
    condition: Operand
    then: MachineBlock  # neither takes arguments
    otherwise: MachineBlock
    likely: bool = False  # `then` is

    @property
    def args(self) -> list[Operand]:
        return [self.condition]

    @property
    def blocks(self) -> list[MachineBlock]:
        return [self.then, self.otherwise]


@dataclass(eq=False, slots=True)
class MachineReturn:
    args: list[Operand]
    blocks = ()


@dataclass(eq=False, slots=True)
class MachineFail:
    site: Site
    args = ()
    blocks = ()


MachineTerminator = MachineJump | MachineBranch | MachineReturn | MachineFail


@dataclass(eq=False, slots=True)
class MachineBlock:
    number: int
    params: list[Word] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    end: MachineTerminator | None = None

    def __str__(self) -> str:
        return f"b{self.number}"

    __repr__ = __str__


@dataclass(eq=False, slots=True)
class MachineFunction:
    """The first block is the entry; it takes nothing and is never entered again."""

    name: str
    params: list[Word]
    results: list[MachineType]
    blocks: list[MachineBlock] = field(default_factory=list)
    slots: int = 0  # places of the frame that own values, all given up where it is left
    straight: bool = False  # one round of simplification is enough for it
    calls: bool = False  # operations on values are calls, small ones, too
    words: int = 0  # the last word's number

    def word(self, type_: MachineType) -> Word:
        """A new one."""
        self.words += 1
        return Word(self.words, type_)

    def ops(self) -> Iterator[Op]:
        for block in self.blocks:
            yield from block.ops


@dataclass(slots=True)
class Global:
    """An array that is there from the start: its elements' type, and what they are at first."""

    type: int | None
    contents: list[int]
    changed: bool = True  # it may be


@dataclass(eq=False, slots=True)
class MachineModule:
    functions: dict[str, MachineFunction] = field(default_factory=dict)
    arrays: dict[str, Global] = field(default_factory=dict)


# What operations take and yield: w a word, all of one width; x one of any width; a digit or two a width;
# v a value, BIG; a an array; t all of one type, whichever; o a value or an array; e what an array holds.
# Where the number differs: * any number of the last, ? the last or none.
SHAPES: dict[str, tuple[str, str]] = {
    # modulo 2^w. add, sub: an attribute, "u" or "s", says that the result is that of the integers,
    # all read so
    **dict.fromkeys(("add", "sub", "mul", "and", "or", "xor"), ("w w", "w")),
    # the count is less than w; rotl: left by it modulo w
    **dict.fromkeys(("shl", "lshr", "ashr", "rotl"), ("w w", "w")),
    # the divisor is not 0, the quotient fits
    **dict.fromkeys(("udiv", "urem", "sdiv", "srem"), ("w w", "w")),
    **dict.fromkeys(("umin", "smin", "smax"), ("w w", "w")),
    # ctpop: how many bits are set; ctlz: how many zeros above; bswap: the bytes turned around; abs: as
    # two's complement, so -2^(w-1) is its own; hide: itself, as something that nobody knows
    **dict.fromkeys(("ctpop", "ctlz", "bswap", "abs", "hide"), ("w", "w")),
    # to a wider one by zeros, by the sign; to a narrower one
    **dict.fromkeys(("zext", "sext", "trunc"), ("x", "x")),
    **dict.fromkeys(
        ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"), ("w w", "1")
    ),
    "select": ("1 t t", "t"),
    "assume": ("1", ""),  # which holds
    # of the runtime
    "isqrt": ("64", "64"), "gcd": ("64 64", "64"), "power": ("64 64", "64"),
    # values: what makes one names the slot that owns it if it is not small (63 bits), and fails where
    # memory ends
    "small": ("64", "v"),  # a word that is a small one, read with its sign
    "box": ("x", "v"),  # any of 64 or 128 bits, read as the attribute says, "u" or "s"
    "is_small": ("v", "1"),
    "of_small": ("v", "64"),  # a small one's word
    "low_word": ("v", "x"),  # 64 or 128 low bits
    **dict.fromkeys(("big_add", "big_sub", "big_mul", "big_gcd", "big_expt"), ("v v", "v")),
    "big_logic": ("v v", "v"),  # the attribute: an operator of ir.LOGIC
    "big_divide": ("v v", "v"),  # of ir.DIVISION; the divisor is not 0
    "big_shift": ("v 64", "v"),  # left by a count with a sign
    **dict.fromkeys(("big_low", "big_field"), ("v", "v")),  # the attribute: how many bits
    "big_isqrt": ("v", "v"),
    **dict.fromkeys(("big_bitlen", "big_popcount"), ("v", "64")),
    "big_count": ("v", "64"),  # itself, or if it is further off 2^62 with its sign
    **dict.fromkeys(("big_eq", "big_ne", "big_lt", "big_le", "big_gt", "big_ge"), ("v v", "1")),
    # who owns what
    "keep": ("v", ""),  # the slot owns it, too
    "own": ("o", ""),  # the slot owns it instead of whoever gave it
    "retain": ("o", ""),  # one more owner, who will be told
    "give": ("o*", ""),  # to each its slot, of the attribute: all at once
    # arrays
    "global": ("", "a"),  # the attribute: its name
    "new": ("64 t 64", "a"),  # length, an element: a value, or a word's halves; the attribute: its type
    # zeros, in the frame, until it is done anew; the attribute: a word's type, and how many there may be
    "frame": ("64", "a"),
    "length": ("a", "64"),
    "load": ("a 64", "e"), "store": ("a 64 e", ""),
    "bytes": ("a 64", "x"),  # of an array of bytes, the least significant first
    # checks: they fail, or nothing happens
    "refuse": ("1 t?", ""),  # fails if the bit is set, for the operand
    "bounds": ("a 64", ""),  # unless so many elements from the index are there; the attribute: how many
    "bounds_big": ("a v", "64"),  # the same; the index as a word
    # of several: at an integer, which is a root that is read "u" or "s", plus each its offset. The root, the
    # last's index, and the first's if it may be below 0: if these two are there, all are. The attribute:
    # how the root is read, how many elements the last takes, and of each the offset, how many, its site
    "bounds_run": ("a x 64 64?", ""),
    "deep": ("", ""),  # fails if the stack ends
    "poll": ("", ""),  # asks whether to stop
    "call": ("t*", "t*"),  # the attribute: whom
    # lanes
    "splat": ("x", "x"),  # the same in all
    "any": ("1", "1"),  # whether one is set
    "columns": ("a", "a"),  # what an array holds, or those of all lanes do; a slot owns it
    # several loads of `bytes`, one after the other from the index; the attribute: how many lanes are
    # transposed at once, as many as there are results
    "transposed": ("a 64", "x*"),
}  # fmt: skip

# What is done in each lane by itself; a select's condition may be one for all.
LANEWISE = frozenset((
    "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "rotl", "udiv", "urem", "sdiv", "srem",
    "umin", "smin", "smax", "ctpop", "ctlz", "bswap", "abs", "hide", "zext", "sext", "trunc",
    "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge", "select",
))  # fmt: skip
# What takes an array and an index of each lane, or of all, and after all others a truth value of each lane,
# whether it is done there: what is loaded elsewhere is nothing that may be used.
MASKED = frozenset(("load", "bytes", "store"))

# Two runs differ if one of these is left out, its results aside.
EFFECTS = frozenset((
    "assume", "keep", "own", "retain", "give", "new", "frame", "store", "refuse", "bounds", "bounds_big",
    "bounds_run", "deep", "poll", "call", "columns",
))  # fmt: skip


def literal(value: int, bits: int) -> int:
    """The low bits, as two's complement."""
    half = 1 << (bits - 1)
    return (value + half & (1 << bits) - 1) - half


def const(value: int, bits: int) -> Const:
    return Const(bits, literal(value, bits))


# Of a value's word the lowest bit says that it is small: the rest is the integer.
SMALL_MIN, SMALL_MAX = -(1 << 62), (1 << 62) - 1


def is_small(value: int) -> bool:
    return SMALL_MIN <= value <= SMALL_MAX
