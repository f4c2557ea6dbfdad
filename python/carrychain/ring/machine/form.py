"""The representation of machine IR: words of explicit width, and operations on them in order.

Machine IR lies between the plan and LLVM. `lower` makes it, and decides everything in it: each width, check,
slot and sign extension. Later steps print it (`emit`) or run it (`interpret`), one operation at a time.

A word is defined once, and its definition dominates its uses. Its type is its width in bits (1 for a truth
value); BIG, an integer of any size as in runtime.h; or ARRAY, a reference to an array. A word has no sign:
each operation says how it reads its words. Blocks have parameters; only jumps pass arguments.

`interpret` defines what each operation means, SHAPES what it takes and yields.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

WIDTHS = (8, 16, 32, 64, 128)
BIG = None  # the type of words that hold any integer

ARRAY = "array"
ROWS, COLUMNS = "rows", "columns"


@dataclass(frozen=True, slots=True)
class Lanes:
    """A word of a width, or arrays of one length, for each of `count` inputs, a power of two."""

    of: int | str  # bits, ROWS or COLUMNS
    count: int

    def __str__(self) -> str:
        return f"{self.of if self.of in (ROWS, COLUMNS) else f'i{self.of}'}x{self.count}"


MachineType = int | str | Lanes | None  # bits, ARRAY, lanes, or BIG

OUT_OF_MEMORY = "out of memory"  # the message of an allocation's site
CALLED = "called"  # the message of a call's site


class Site(NamedTuple):
    """A check's message and position. In the message, {operand} and {length} stand for what was found.

    `operand` says how the operand is printed: "s" or "u" and a width for a word, "value" for a BIG one, or ""
    if there is none. In inlined code, `callers` are the positions of the inlined calls, innermost first. A
    call has a site, too, because checks in the callee may fail.
    """

    message: str
    position: str | None = None
    operand: str = ""
    callers: tuple[str, ...] = ()


def word(bits: int) -> int | None:
    """The width of the narrowest word of at least so many bits; BIG if there is none."""
    return WIDTHS[bisect_left(WIDTHS, bits)] if bits <= WIDTHS[-1] else BIG


def word_of(low: int | None, high: int | None) -> int | None:
    """The width of the narrowest word that holds every integer from low to high; BIG if none does."""
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
    """A constant: a word in two's complement, the same word in all lanes, or a BIG integer."""

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
    slot: int | None = None  # the slot that owns the result
    site: Site | None = None  # if it may fail: the message and position

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
    then: MachineBlock  # neither target has parameters
    otherwise: MachineBlock
    likely: bool = False  # that `then` is taken

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
    """The first block is the entry: it has no parameters, and is never jumped to."""

    name: str
    params: list[Word]
    results: list[MachineType]
    blocks: list[MachineBlock] = field(default_factory=list)
    slots: int = 0  # slots of the frame that own objects, all released when the function is left
    late: int = 0  # how many of them, the last ones, are only used from an `open` to a `close`
    straight: bool = False  # one round of LLVM's simplification is enough
    calls: bool = False  # operations on BIG words are calls, even for small integers
    words: int = 0  # the last word's number

    def word(self, type_: MachineType) -> Word:
        """A new word."""
        self.words += 1
        return Word(self.words, type_)

    def ops(self) -> Iterator[Op]:
        for block in self.blocks:
            yield from block.ops


@dataclass(slots=True)
class Global:
    """A global array: the type of its elements, and their initial values."""

    type: int | None
    contents: list[int]
    changed: bool = True  # whether it may be stored to


@dataclass(eq=False, slots=True)
class MachineModule:
    functions: dict[str, MachineFunction] = field(default_factory=dict)
    arrays: dict[str, Global] = field(default_factory=dict)


# The types of operands and results: w a word, all w of one width; x a word of any width; a number: a word of
# that width; v BIG; a an array; t any type, all t of the same one; o BIG or an array; e an array's element.
# After a type, * means any number of these, and ? one or none.
SHAPES: dict[str, tuple[str, str]] = {
    # modulo 2^w. add, sub: the attribute "u" or "s" promises that the result does not overflow, if all words
    # are read as unsigned or signed
    **dict.fromkeys(("add", "sub", "mul", "and", "or", "xor"), ("w w", "w")),
    # the count is less than w; rotl: rotates left by the count modulo w
    **dict.fromkeys(("shl", "lshr", "ashr", "rotl"), ("w w", "w")),
    # the divisor is not 0, and the quotient does not overflow
    **dict.fromkeys(("udiv", "urem", "sdiv", "srem"), ("w w", "w")),
    **dict.fromkeys(("umin", "smin", "smax"), ("w w", "w")),
    # ctpop: the number of set bits; ctlz: the number of leading zeros; bswap: the bytes reversed; abs: in
    # two's complement, so that of -2^(w-1) is itself; hide: its argument, in a way that LLVM cannot see
    # through
    **dict.fromkeys(("ctpop", "ctlz", "bswap", "abs", "hide"), ("w", "w")),
    # to a wider word by zeros, or by the sign; to a narrower word
    **dict.fromkeys(("zext", "sext", "trunc"), ("x", "x")),
    **dict.fromkeys(
        ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"), ("w w", "1")
    ),
    # whether the sum, difference or product of two signed words is one; the attribute: add, sub or mul
    "fits": ("64 64", "1"),
    "select": ("1 t t", "t"),
    "assume": ("1", ""),  # promises that the bit is set
    # calls of the runtime
    "isqrt": ("64", "64"), "gcd": ("64 64", "64"), "power": ("64 64", "64"),
    # BIG words: an operation that makes one names the slot that owns it if it is not small (63 bits), and
    # fails if there is no memory
    "small": ("64", "v"),  # the signed word, which must be small
    "box": ("x", "v"),  # a word of 64 or 128 bits, read as the attribute says, "u" or "s"
    "is_small": ("v", "1"),
    "of_small": ("v", "64"),  # a small integer as a signed word
    "low_word": ("v", "x"),  # the 64 or 128 low bits
    **dict.fromkeys(("big_add", "big_sub", "big_mul", "big_gcd", "big_expt"), ("v v", "v")),
    "big_logic": ("v v", "v"),  # the attribute: an operator of ir.LOGIC
    "big_divide": ("v v", "v"),  # the attribute: an operator of ir.DIVISION; the divisor is not 0
    "big_shift": ("v 64", "v"),  # left by a signed count
    **dict.fromkeys(("big_low", "big_field"), ("v", "v")),  # the attribute: the number of bits
    "big_isqrt": ("v", "v"),
    **dict.fromkeys(("big_bitlen", "big_popcount"), ("v", "64")),
    "big_count": ("v", "64"),  # the integer, clamped to ±2^62
    **dict.fromkeys(("big_eq", "big_ne", "big_lt", "big_le", "big_gt", "big_ge"), ("v v", "1")),
    # ownership; a slot that is filled releases what it held
    "keep": ("v", ""),  # fills the slot, and adds a reference
    "own": ("o", ""),  # fills the slot with an object whose reference is handed over
    # a reference for the receiver of a result: that of the first of the attribute's slots that owns the
    # object, which is then empty, or one more
    "retain": ("o", ""),
    # fills the attribute's slots, all at once, and adds references. Instead of a slot, the attribute may name
    # it and others: the first of these that owns the object exchanges with it, before any slot is filled
    "give": ("o*", ""),
    "open": ("", ""),  # empties the late slots, which may then be used
    "close": ("", ""),  # releases what the late slots hold
    # arrays
    "global": ("", "a"),  # the attribute: its name
    "new": ("64 t 64", "a"),  # length; fill: BIG, or a word's two halves; the attribute: the element's type
    # zeros in the frame, valid until it runs again; the attribute: a word's type, and the greatest length
    "frame": ("64", "a"),
    "length": ("a", "64"),
    "load": ("a 64", "e"), "store": ("a 64 e", ""),
    "bytes": ("a 64", "x"),  # a little-endian word from an array of bytes
    # checks: they fail, or do nothing
    "refuse": ("1 t?", ""),  # fails if the bit is set; the operand is for the message
    # fails unless `attribute` elements from the index on are within the array; the index has 64 or 128 bits
    "bounds": ("a x", ""),
    "bounds_big": ("a v", "64"),  # the same for one element at a BIG index; yields the index as a word
    # several checks of one array, at the root, read as "u" or "s", plus an offset each. The operands: the
    # array, the root, the greatest index, and the least if it may be negative; if these two are within
    # bounds, all are. The attribute: how the root is read, the number of elements at the greatest index, and
    # for each check its offset, number of elements and site
    "bounds_run": ("a x 64 64?", ""),
    "deep": ("", ""),  # fails if the stack is nearly exhausted
    "poll": ("", ""),  # fails if the thread was asked to stop
    "call": ("t*", "t*"),  # the attribute: the function's name
    # lanes
    "splat": ("x", "x"),  # the same word in all lanes
    "any": ("1", "1"),  # whether the bit is set in any lane
    "columns": ("a", "a"),  # a copy in columns of one array, or of each lane's; a slot owns it
    # consecutive loads of `bytes` from the index on; the attribute: how many lanes are transposed at once,
    # which is the number of results
    "transposed": ("a 64", "x*"),
}  # fmt: skip

# Operations done in each lane by itself; a select's condition may be one for all lanes.
LANEWISE = frozenset((
    "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "rotl", "udiv", "urem", "sdiv", "srem",
    "umin", "smin", "smax", "ctpop", "ctlz", "bswap", "abs", "hide", "zext", "sext", "trunc",
    "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge", "select",
))  # fmt: skip
# Operations on an array and an index, per lane or for all, whose last operand is the mask: a truth value per
# lane, which says whether the lane takes part. In other lanes, what is loaded may not be used.
MASKED = frozenset(("load", "bytes", "store"))

# Operations with an effect beside their results: none of them may be removed.
EFFECTS = frozenset((
    "assume", "keep", "own", "retain", "give", "open", "close", "new", "frame", "store", "refuse", "bounds",
    "bounds_big", "bounds_run", "deep", "poll", "call", "columns",
))  # fmt: skip


def given_slots(op: Op) -> list[tuple[int, ...]]:
    """For each argument of a `give`: the slot that it fills, and those that it may exchange with."""
    return [slot if isinstance(slot, tuple) else (slot,) for slot in op.attribute]


def literal(value: int, bits: int) -> int:
    """The low bits of the value, in two's complement."""
    half = 1 << (bits - 1)
    return (value + half & (1 << bits) - 1) - half


def const(value: int, bits: int) -> Const:
    return Const(bits, literal(value, bits))


# In the word of a small BIG, the lowest bit is the tag, and the other bits are the integer.
SMALL_BITS = 63
SMALL_MIN, SMALL_MAX = -(1 << SMALL_BITS - 1), (1 << SMALL_BITS - 1) - 1


def is_small(value: int) -> bool:
    return SMALL_MIN <= value <= SMALL_MAX
