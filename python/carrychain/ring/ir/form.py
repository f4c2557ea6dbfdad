"""The IR: SSA with block arguments over unbounded integers.

A module has functions and global arrays. A function is a list of blocks, the first of which is its entry. A
block has parameters, instructions, and one terminator, which passes arguments to the blocks that it names.
Every value is defined once, and its definition dominates its uses. There are no phis, no undefined values,
and no wrapping: `add` is the sum.

OPERATIONS defines the meaning of each operation once (see `interpret`), on Python's integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from ...bindings.bigint import to_decimal

if TYPE_CHECKING:
    from .interface import Interface


class IRError(ValueError):
    """The IR is not well-formed; the message says where."""


@dataclass(frozen=True)
class Position:
    """A place in the source: line and column from 1, and its end if the front end knows it.

    In inlined code, `callers` are the positions of the inlined calls, innermost first.
    """

    file: str
    line: int
    column: int
    end: tuple[int, int] | None = field(default=None, compare=False)
    callers: tuple[Position, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @classmethod
    def read(cls, text: str) -> Position:
        """The position that str() prints as this text."""
        file, line, column = text.rsplit(":", 2)
        return cls(file, int(line), int(column))


# Types ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Int:
    """Integers from low to high; None means unbounded. A declared type is a promise, which is checked."""

    low: int | None = None
    high: int | None = None

    def __contains__(self, value: int) -> bool:
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        if self == INT:
            return "int"
        for sign, low in (("u", 0), ("s", None)):
            for bits in (8, 16, 32, 64, 128):
                if self == (unsigned(bits) if low == 0 else signed(bits)):
                    return f"{sign}{bits}"
        low, high = ("*" if bound is None else to_decimal(bound) for bound in (self.low, self.high))
        return f"int[{low},{high}]"


@dataclass(frozen=True)
class Bool:
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True)
class Array:
    """A mutable vector of fixed length; `text` says that its elements are the codes of characters."""

    element: Int
    text: bool = False

    def __str__(self) -> str:
        return f"text({self.element})" if self.text else f"array({self.element})"


Type = Int | Bool | Array

INT = Int()
BOOL = Bool()


def unsigned(bits: int) -> Int:
    return Int(0, (1 << bits) - 1)


def signed(bits: int) -> Int:
    return Int(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


# Values and operations -----------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Value:
    """The name of an instruction's result, or of a block's or function's parameter."""

    name: str
    type: Type
    position: Position | None = None

    def __str__(self) -> str:
        return f"%{self.name}"

    __repr__ = __str__


# Sixteen operators, by their truth tables: bit 2a + b is the result for bits a and b.
LOGIC = {
    "clr": 0b0000, "nor": 0b0001, "andc1": 0b0010, "c1": 0b0011,
    "andc2": 0b0100, "c2": 0b0101, "xor": 0b0110, "nand": 0b0111,
    "and": 0b1000, "eqv": 0b1001, "arg2": 0b1010, "orc1": 0b1011,
    "arg1": 0b1100, "orc2": 0b1101, "ior": 0b1110, "set": 0b1111,
}  # fmt: skip

ARITHMETIC = ("add", "sub", "mul")  # (int, int) -> int
DIVISION = ("fdiv", "fmod", "tdiv", "trem", "cdiv", "crem")  # floor, truncate, ceiling; traps on 0
COMPARE = ("eq", "ne", "lt", "le", "gt", "ge")  # (int, int) -> bool
UNARY = ("neg", "bitlen", "popcount", "isqrt")  # int -> int; isqrt traps below 0
# bitlen and popcount as Lisp's integer-length and logcount: of ~x for negative x
BINARY = ("gcd", "expt")  # (int, int) -> int; expt traps on a negative exponent
# Attributes, beside them:
#   const k            -> int or bool        shift (x, n): x 2^n, rounded down
#   low k, field k     the k low bits of x, as unsigned and as two's complement (1 <= k)
#   narrow t           x, which traps if it is not in t; assume t: x, promised to be in t
#   select (c, a, b)   a if c else b         not (c): bool
#   rotl k (x, n)      the k low bits of x, as unsigned, rotated left by n mod k
#   new t (n, x)       an array of n elements x; traps if n < 0
#   len (a)   load (a, i) -> int   store (a, i, x)   traps if i is out of bounds or x not in t
#   global name -> array                     call name (...) -> any number of results
OTHER = ("const", "shift", "low", "field", "rotl", "narrow", "assume", "select", "not",
         "new", "len", "load", "load_le", "load_be", "store", "global", "call")  # fmt: skip

OPERATIONS = frozenset((*LOGIC, *ARITHMETIC, *DIVISION, *COMPARE, *UNARY, *BINARY, *OTHER))


@dataclass(eq=False, slots=True)
class Instruction:
    op: str
    args: list[Value]
    results: list[Value]
    # const: int or bool; low, field, rotl, load_le, load_be: int; narrow, assume: Int; new: Array;
    # global, call: str
    attribute: int | bool | str | Type | None = None
    position: Position | None = None

    @property
    def result(self) -> Value:
        (value,) = self.results
        return value

    def __str__(self) -> str:
        words = [self.op]
        if self.attribute is not None:
            words.append(_attribute(self.attribute))
        if self.args:
            words.append(", ".join(map(str, self.args)))
        text = " ".join(words)
        return f"{', '.join(map(_typed, self.results))} = {text}" if self.results else text


# Terminators ---------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Edge:
    block: Block
    args: list[Value] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.block.name}({', '.join(map(str, self.args))})"


@dataclass(eq=False, slots=True)
class Jump:
    to: Edge

    @property
    def edges(self) -> list[Edge]:
        return [self.to]

    @property
    def args(self) -> list[Value]:
        return []

    def __str__(self) -> str:
        return f"jump {self.to}"


@dataclass(eq=False, slots=True)
class Branch:
    condition: Value
    then: Edge
    otherwise: Edge

    @property
    def edges(self) -> list[Edge]:
        return [self.then, self.otherwise]

    @property
    def args(self) -> list[Value]:
        return [self.condition]

    def __str__(self) -> str:
        return f"branch {self.condition}, {self.then}, {self.otherwise}"


@dataclass(eq=False, slots=True)
class Return:
    args: list[Value]
    edges = ()

    def __str__(self) -> str:
        return f"return {', '.join(map(str, self.args))}".rstrip()


@dataclass(eq=False, slots=True)
class TrapTerminator:
    """The program raises an error with this message."""

    message: str
    position: Position | None = None
    edges = ()
    args = ()

    def __str__(self) -> str:
        return f"trap {_quoted(self.message)}"


Terminator = Jump | Branch | Return | TrapTerminator


# Blocks, functions, modules ------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Block:
    name: str
    params: list[Value] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)
    terminator: Terminator | None = None


@dataclass(eq=False, slots=True)
class Function:
    """The parameters are the entry block's: their types are checked where the function is entered.

    The interface is None where callers see the parameters and results as they are.
    """

    name: str
    results: list[Type]
    blocks: list[Block] = field(default_factory=list)
    position: Position | None = None
    inline: bool = False
    interface: Interface | None = None
    # whether there is another function for integers that are words, so that this one needs no copy for them
    has_words: bool = False
    # why the first step of the compiler that failed on it did; empty if none has
    fault: str = ""

    @property
    def params(self) -> list[Value]:
        return self.blocks[0].params

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions

    def values(self) -> Iterator[Value]:
        for block in self.blocks:
            yield from block.params
            for instruction in block.instructions:
                yield from instruction.results

    def uses(self) -> Counter[Value]:
        """How often each value is used as an argument."""
        found: Counter[Value] = Counter()
        for block in self.blocks:
            found.update(chain.from_iterable(i.args for i in block.instructions))
            found.update(block.terminator.args)
            found.update(chain.from_iterable(edge.args for edge in block.terminator.edges))
        return found

    def predecessors(self) -> dict[Block, list[Edge]]:
        """The edges that lead to each block."""
        into: dict[Block, list[Edge]] = {block: [] for block in self.blocks}
        for block in self.blocks:
            for edge in block.terminator.edges:
                into[edge.block].append(edge)
        return into

    def copy(self) -> Function:
        """A copy with values and blocks of its own."""
        values = {v: Value(v.name, v.type, v.position) for v in self.values()}
        blocks = {block: Block(block.name, [values[p] for p in block.params]) for block in self.blocks}

        def edge(old: Edge) -> Edge:
            return Edge(blocks[old.block], [values[arg] for arg in old.args])

        for old, new in blocks.items():
            new.instructions = [
                Instruction(
                    i.op, [values[a] for a in i.args], [values[r] for r in i.results], i.attribute, i.position
                )
                for i in old.instructions
            ]
            match old.terminator:
                case Jump(to):
                    new.terminator = Jump(edge(to))
                case Branch(condition, then, otherwise):
                    new.terminator = Branch(values[condition], edge(then), edge(otherwise))
                case Return(args):
                    new.terminator = Return([values[arg] for arg in args])
                case TrapTerminator(message, position):
                    new.terminator = TrapTerminator(message, position)
        return replace(self, results=list(self.results), blocks=list(blocks.values()))

    def replace_uses(self, new: dict[Value, Value]) -> None:
        """Replaces each use of v by new[v], following chains."""
        if not new:
            return

        def final(value: Value) -> Value:
            last = value
            while last in new:
                last = new[last]
            # shorten the chain for the next lookup
            while value is not last:
                new[value], value = last, new[value]
            return last

        for block in self.blocks:
            for instruction in block.instructions:
                instruction.args = [final(arg) for arg in instruction.args]
            end = block.terminator
            if isinstance(end, Branch):
                end.condition = final(end.condition)
            elif isinstance(end, Return):
                end.args = [final(arg) for arg in end.args]
            for edge in end.edges:
                edge.args = [final(arg) for arg in edge.args]


@dataclass(eq=False, slots=True)
class Module:
    functions: dict[str, Function] = field(default_factory=dict)
    # each global array's type and initial elements; stores into it persist between calls
    arrays: dict[str, tuple[Array, list[int]]] = field(default_factory=dict)

    def copy(self) -> Module:
        """A copy with functions of its own."""
        return Module({name: function.copy() for name, function in self.functions.items()}, dict(self.arrays))


# Printing ------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _attribute(attribute) -> str:
    if isinstance(attribute, bool):
        return "true" if attribute else "false"
    if isinstance(attribute, int):
        return to_decimal(attribute)
    return f"@{attribute}" if isinstance(attribute, str) else str(attribute)


def _typed(value: Value) -> str:
    return f"{value}: {value.type}"


def print_function(function: Function) -> str:
    results = ", ".join(map(str, function.results))
    interface = f" {function.interface}" if function.interface else ""
    lines = [f"function @{function.name} -> ({results}){' inline' if function.inline else ''}{interface} {{"]
    for block in function.blocks:
        lines.append(f"{block.name}({', '.join(map(_typed, block.params))}):")
        lines += [f"  {instruction}" for instruction in block.instructions]
        lines.append(f"  {block.terminator}")
    return "\n".join([*lines, "}"])


def print_module(module: Module) -> str:
    parts = [
        f"array @{name}: {type_} = {' '.join(map(to_decimal, contents))}".rstrip()
        for name, (type_, contents) in module.arrays.items()
    ]
    parts += [print_function(function) for function in module.functions.values()]
    return "\n\n".join(parts) + "\n"
