"""The meaning of the IR: an interpreter on Python's integers. Everything else is compared with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .errors import Trap
from .form import LOGIC, Array, Function, Instruction, Int, Module, Return, TrapTerminator, Value

# Longer integers, in bits, are refused: a program with a mistake could use all memory for one.
BITS_MAX = 1 << 33


@dataclass(frozen=True)
class Long:
    """x 2^n, if it is too long to be built: only its low bits can be read. It is not 0."""

    x: int
    n: int

    def low(self, k: int) -> int:
        return self.x << self.n if self.n < k else 0


def logic(table: int, a: int, b: int) -> int:
    """The operator of this truth table (ir.LOGIC), bit by bit, on infinite two's complement."""
    result = 0
    if table & 0b1000:
        result |= a & b
    if table & 0b0100:
        result |= a & ~b
    if table & 0b0010:
        result |= ~a & b
    if table & 0b0001:
        result |= ~a & ~b
    return result


def shift(x: int, n: int) -> int:
    """x 2^n, rounded down."""
    if n < 0:
        return x >> -n
    if x and n + x.bit_length() > BITS_MAX:
        raise MemoryError
    return x << n


def low(k: int, x: int | Long) -> int:
    return (x.low(k) if isinstance(x, Long) else x) & ((1 << k) - 1)


def field(k: int, x: int) -> int:
    """The k low bits of x read as two's complement."""
    return (low(k, x) ^ (1 << (k - 1))) - (1 << (k - 1))


def rotl(k: int, x: int, n: int) -> int:
    """The k low bits of x rotated left by n mod k."""
    x, n = low(k, x), n % k
    return low(k, x << n) | x >> (k - n)


def tdiv(a: int, b: int) -> int:
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


def bitlen(x: int) -> int:
    return (x if x >= 0 else ~x).bit_length()


def popcount(x: int) -> int:
    return (x if x >= 0 else ~x).bit_count()


def expt(a: int, b: int) -> int:
    if abs(a) > 1 and a.bit_length() * b > BITS_MAX:
        raise MemoryError
    return a**b


# Operations on integers, without an attribute. Divisions, isqrt and expt are partial: see TRAPS.
INTEGER: dict[str, Callable[..., int | bool]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "fdiv": lambda a, b: a // b,
    "fmod": lambda a, b: a % b,
    "tdiv": tdiv,
    "trem": lambda a, b: a - b * tdiv(a, b),
    "cdiv": lambda a, b: -(-a // b),
    "crem": lambda a, b: a + b * (-a // b),
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "shift": shift,
    "bitlen": bitlen,
    "popcount": popcount,
    "isqrt": math.isqrt,
    "gcd": math.gcd,
    "expt": expt,
    **{name: lambda a, b, table=table: logic(table, a, b) for name, table in LOGIC.items()},
}

# When an operation traps: a test of its arguments, and the message.
TRAPS: dict[str, tuple[Callable[..., bool], str]] = {
    **{
        op: (lambda a, b: b == 0, "division by zero")
        for op in ("fdiv", "fmod", "tdiv", "trem", "cdiv", "crem")
    },
    "isqrt": (lambda a: a < 0, "isqrt of a negative integer"),
    "expt": (lambda a, b: b < 0, "expt with a negative exponent"),
}


class Interpreter:
    """Runs a module's functions. Arrays are Python lists, shared with the caller; global arrays persist."""

    def __init__(self, module: Module):
        self.module = module
        self.arrays = {name: list(contents) for name, (_, contents) in module.arrays.items()}

    def call(self, name: str, *args) -> tuple:
        """The results of the named function, for arguments of its parameters' types."""
        return self._run(self.module.functions[name], list(args))

    def _made(self, values: list[Value], found: Sequence) -> Sequence:
        """What the values become: what was computed. Subclasses override this to watch or change it."""
        return found

    def _run(self, function: Function, args: list) -> tuple:
        values = {}
        block = function.blocks[0]
        for param, arg in zip(block.params, args, strict=True):
            if isinstance(param.type, Int) and arg not in param.type:
                raise Trap(f"{arg} is not of type {param.type}", param.position)
        while True:
            values.update(zip(block.params, self._made(block.params, args), strict=True))
            for instruction in block.instructions:
                results = self._step(instruction, [values[arg] for arg in instruction.args])
                made = self._made(instruction.results, results)
                values.update(zip(instruction.results, made, strict=True))
            end = block.terminator
            if isinstance(end, Return):
                if Long in (type(values[arg]) for arg in end.args):
                    raise MemoryError
                return tuple(values[arg] for arg in end.args)
            if isinstance(end, TrapTerminator):
                raise Trap(end.message, end.position)
            edge = end.edges[0] if not end.args or values[end.args[0]] else end.edges[1]
            args = [values[arg] for arg in edge.args]
            block = edge.block

    def _step(self, instruction: Instruction, args: list) -> tuple:
        op, attribute, position = instruction.op, instruction.attribute, instruction.position
        if Long in map(type, args):
            masks = [arg for arg in args if isinstance(arg, int) and arg >= 0]
            if op == "and" and masks:
                args = [arg.low(masks[0].bit_length()) if isinstance(arg, Long) else arg for arg in args]
            elif op in ("eq", "ne") and int in map(type, args):
                # no integer that was built is as long
                return (op == "ne",)
            elif op not in ("low", "field"):
                raise MemoryError
        if op == "shift" and args[0] and args[1] + args[0].bit_length() > BITS_MAX:
            return (Long(*args),)
        if op in INTEGER:
            refused, why = TRAPS.get(op, (None, ""))
            if refused and refused(*args):
                raise Trap(why, position)
            return (INTEGER[op](*args),)
        match op:
            case "const":
                return (attribute,)
            case "low":
                return (low(attribute, *args),)
            case "field":
                return (field(attribute, *args),)
            case "rotl":
                return (rotl(attribute, *args),)
            case "narrow" | "assume":
                if args[0] not in attribute:
                    raise Trap(f"{args[0]} is not of type {attribute}", position)
                return (args[0],)
            case "select":
                return (args[1] if args[0] else args[2],)
            case "not":
                return (not args[0],)
            case "call":
                return self._run(self.module.functions[attribute], args)
            case "global":
                return (self.arrays[attribute],)
            case "new":
                return (_new(attribute, *args, position),)
            case "len":
                return (len(args[0]),)
            case "load":
                return (args[0][_index(*args, position)],)
            case "load_le" | "load_be":
                array, first = args
                found = bytes(array[_index(array, first + at, position)] for at in range(attribute // 8))
                return (int.from_bytes(found, "little" if op == "load_le" else "big"),)
            case "store":
                element = instruction.args[0].type.element
                if args[2] not in element:
                    raise Trap(f"{args[2]} is not of type {element}", position)
                args[0][_index(args[0], args[1], position)] = args[2]
                return ()
        raise AssertionError(op)


def _new(type_: Array, count: int, fill: int, position) -> list[int]:
    if count < 0:
        raise Trap(f"an array of {count} elements", position)
    if fill not in type_.element:
        raise Trap(f"{fill} is not of type {type_.element}", position)
    if count > BITS_MAX:
        raise MemoryError
    return [fill] * count


def _index(array: list, index: int, position) -> int:
    if not 0 <= index < len(array):
        raise Trap(f"index {index} is out of bounds for an array of {len(array)}", position)
    return index
