"""The meaning of machine IR: a strict interpreter.

Words are nonnegative integers, masked to their width. As in the runtime, an integer that is not small is an
object with a reference count, and so is an array. Use after release is detected. If a program breaks an
assumption of LLVM (a shift by the word's width or more, a broken promise, an inexact sum, an element out of
bounds), that is a Fault instead of a result, because machine code might yield any.

A word in lanes is a tuple, and arrays in lanes are one object that holds a list for each. In a lane outside
of the mask, a loaded word is POISON, and so is everything computed from it; using it is a Fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..ir import interpret as integers
from ..ir.errors import Trap
from ..ir.form import Array, Int, Position
from .abi import MachineSignature, storage
from .code import FunctionCode, Step, Values, acting, pure, ready
from .form import (
    ARRAY,
    BIG,
    COLUMNS,
    LANEWISE,
    MASKED,
    OUT_OF_MEMORY,
    ROWS,
    Const,
    Lanes,
    MachineFunction,
    MachineModule,
    MachineType,
    Op,
    Site,
    Word,
    given_slots,
    is_small,
)
from .verify import width
from .wordwise import DIVISIONS, SHIFTS, WORDWISE, Fault, WordFunction, require, signed, wordwise


class Poison:
    """The value of a lane that takes no part."""


POISON = Poison()


class HeapObject:
    """A counted object: an integer that is not small, or an array's elements."""

    def __init__(self, held: int | list, type_: MachineType = BIG, owners: int = 1):
        self.held = held
        self.type = type_  # the type of an array's elements
        self.owners = owners  # negative if not counted


class Heap:
    """The live objects, with their reference counts."""

    def __init__(self) -> None:
        self.alive = 0

    def new(self, held: int | list, type_: MachineType = BIG) -> HeapObject:
        self.alive += 1
        return HeapObject(held, type_)

    def retain(self, x) -> None:
        if isinstance(x, HeapObject):
            content(x)
            x.owners += x.owners >= 0

    def release(self, x) -> None:
        if not isinstance(x, HeapObject) or x.owners < 0:
            return
        content(x)
        x.owners -= 1
        if not x.owners:
            self.alive -= 1
            if isinstance(x.held, list):
                for each in x.held if x.type is BIG else ():
                    self.release(each)


def content(x: int | HeapObject) -> int | list:
    """The integer or the elements."""
    if not isinstance(x, HeapObject):
        return x
    if not x.owners:
        raise Fault("used after it was freed")
    return x.held


# Functions of BIG integers that yield a BIG, and that yield a word.
MADE = {f"big_{op}": op for op in ("add", "sub", "mul", "gcd", "expt", "isqrt")}
READ: dict[str, Callable[..., int]] = {
    **{
        f"big_{op}": integers.INTEGER[op] for op in ("bitlen", "popcount", "eq", "ne", "lt", "le", "gt", "ge")
    },
    "big_count": lambda x: max(-(1 << 62), min(x, 1 << 62)),
    "low_word": lambda x: x,
}


def _lanes(op: Op) -> int:
    """How many lanes the operation has; 0 if none of its words is in lanes."""
    for word in (*op.args, *op.results):
        if isinstance(word.type, Lanes):
            return word.type.count
    return 0


def _each(args: tuple, lane: int) -> list:
    return [arg[lane] if isinstance(arg, tuple) else arg for arg in args]


def _length(type_: MachineType, array: HeapObject) -> int:
    held = content(array)
    return len(held[0] if isinstance(type_, Lanes) else held)


class MachineInterpreter:
    """Runs a module's functions. Arrays are Python lists, shared with the caller; global arrays persist."""

    def __init__(
        self,
        module: MachineModule,
        signatures: dict[str, MachineSignature],
        blocks: float = math.inf,
        bits: float = math.inf,
        code: dict[MachineFunction, FunctionCode] | None = None,
    ):
        """`blocks` limits how many blocks a run may enter; a shift to over `bits` bits runs out of memory.

        `code` keeps what was made ready to run, for further interpreters of the module.
        """
        self.module = module
        self.left_to_run = blocks
        self.longest = bits
        self.signatures = signatures
        self.code = {} if code is None else code
        self.owned = Heap()
        self.arrays = {
            name: HeapObject([self._kept(x, array.type) for x in array.contents], array.type, -1)
            for name, array in module.arrays.items()
        }

    def _kept(self, x: int, type_: MachineType) -> int | HeapObject:
        """An integer as an element or an argument, which is not counted."""
        if type_ is not BIG:
            return x & (1 << type_) - 1
        return x if is_small(x) else HeapObject(x, BIG, -1)

    def call(self, name: str, *args) -> tuple:
        """The results of the named function, for arguments of its parameters' types."""
        signature = self.signatures[name]
        lent: dict[int, tuple[HeapObject, list, Int]] = {}
        words = []
        for passed, arg in zip(signature.params, args, strict=True):
            if isinstance(passed.type, Array):
                bits = storage(passed.type.element)
                if id(arg) not in lent:
                    held = HeapObject([self._kept(x, bits) for x in arg], bits, -1)
                    lent[id(arg)] = held, arg, passed.type.element
                words.append(lent[id(arg)][0])
            elif isinstance(passed.type, Int):
                if arg not in passed.type:
                    raise Trap(f"{arg} is not of type {passed.type}", None)
                words.append(self._kept(arg, passed.container))
            else:
                words.append(int(arg))
        try:
            results = self.run(self.module.functions[name], words)
        except BaseException:
            self._give_back(lent)
            raise
        found = []
        for passed, result in zip(signature.results, results, strict=True):
            if isinstance(passed.type, Array):
                known = [arg for held, arg, _ in lent.values() if held is result]
                found.append(known[0] if known else self.integers(result, passed.type.element))
            elif isinstance(passed.type, Int):
                bits = passed.container
                found.append(signed(result, bits) if passed.negative and bits else content(result))
            else:
                found.append(bool(result))
            self.owned.release(result)
        self._give_back(lent)
        return tuple(found)

    def _give_back(self, lent: dict[int, tuple[HeapObject, list, Int]]) -> None:
        """Copies the arrays' contents back to the caller's lists."""
        for held, arg, element in lent.values():
            arg[:] = self.integers(held, element)
            for each in held.held if held.type is BIG else ():
                self.owned.release(each)

    def enter(self) -> None:
        """Counts the entry of a block."""
        self.left_to_run -= 1
        require(self.left_to_run >= 0, "it does not end")

    def left(self) -> int:
        """The number of leaked objects: it should be 0."""
        kept = (x for array in self.arrays.values() if array.type is BIG for x in array.held)
        return self.owned.alive - len({id(x) for x in kept if isinstance(x, HeapObject) and x.owners > 0})

    def integers(self, array: HeapObject, element: Int) -> list[int]:
        negative = element.low is None or element.low < 0
        return [signed(x, array.type) if negative and array.type else content(x) for x in content(array)]

    def run(self, function: MachineFunction, args: list) -> list:
        """The function's results for words as arguments; the caller owns those that are objects."""
        code = self.code.get(function)
        if code is None:
            code = self.code[function] = ready(function, _step, _constant)
        frame = StackFrame(self, function)
        try:
            return frame.run(code, args)
        finally:
            for held in frame.slots:
                self.owned.release(held)
            for held in frame.arrays.values():
                held.owners = 0


def _constant(operand: Const) -> int | HeapObject | tuple:
    type_, value = operand.type, operand.value
    if isinstance(type_, Lanes):
        return (value & (1 << type_.of) - 1,) * type_.count
    if type_ is not BIG:
        return value & (1 << type_) - 1
    return value if is_small(value) else HeapObject(value, BIG, -1)


def _step(op: Op, args: list[Word]) -> Step:
    """What the operation does, given its operands' words."""
    name = op.op
    if name in WORDWISE and not isinstance(op.result.type, Lanes):
        return pure(wordwise(op), args, op.result)
    if name in READ:
        read, mask = READ[name], (1 << op.result.type) - 1
        return pure(lambda *big: int(read(*map(content, big))) & mask, args, op.result)
    if name == "call":
        return _calling(op, args)
    lanes = _lanes(op)
    if (
        lanes
        and name in LANEWISE
        and op.result.type != ARRAY
        and width(op.result.type) not in (ROWS, COLUMNS)
    ):
        act = _lanewise(op, lanes)
    elif lanes and name in MASKED:
        act = StackFrame._masked
    elif name in MADE:
        act = _making(MADE[name])
    else:
        act = getattr(StackFrame, f"_{name}")
    # it puts its results itself
    result = op.result if op.results and name != "transposed" else None
    return acting(act, op, args, result)


def _calling(op: Op, args: list[Word]) -> Step:
    """Not a method of the frame: a deep recursion has few of Python's frames for each of its own."""

    def call(values: Values, frame: StackFrame) -> None:
        of = frame.interpreter
        results = of.run(of.module.functions[op.attribute], [values[arg] for arg in args])
        values.update(zip(op.results, results, strict=True))

    return call


def _lanewise(op: Op, lanes: int) -> Callable:
    of_words = None if op.op == "select" else wordwise(op)

    def act(frame: StackFrame, op: Op, *args) -> tuple:
        return tuple(_lane(op, of_words, _each(args, at)) for at in range(lanes))

    return act


def _lane(op: Op, of_words: WordFunction | None, args: list):
    if of_words is None:
        return POISON if args[0] is POISON else args[1] if args[0] else args[2]
    if any(arg is POISON for arg in args):
        require(op.op not in DIVISIONS, "a division in a lane outside of the mask")
        return POISON
    try:
        return of_words(*args)
    except Fault:
        if op.op in SHIFTS:
            return POISON
        raise


def _making(name: str) -> Callable:
    of_integers = integers.INTEGER[name]

    def act(frame: StackFrame, op: Op, *args) -> int | HeapObject:
        return frame._made(op, of_integers(*map(content, args)))

    return act


class StackFrame:
    def __init__(self, interpreter: MachineInterpreter, function: MachineFunction):
        self.interpreter = interpreter
        self.owned = interpreter.owned
        self.function = function
        self.words: Values = {}
        self.slots: list[HeapObject | None] = [None] * function.slots
        self.late = range(function.slots - function.late, function.slots)
        self.opened = False
        self.arrays: dict[Op, HeapObject] = {}  # in the frame

    def run(self, code: FunctionCode, args: list) -> list:
        words = self.words = dict(code.constants)
        words.update(zip(self.function.params, args, strict=True))
        block, enter = code.entry, self.interpreter.enter
        while True:
            enter()
            for step in block.steps:
                step(words, self)
            if block.leave is not None:
                block = block.leave(words)
            elif block.returned is not None:
                return [words[word] for word in block.returned]
            else:
                raise _trap(block.fails)

    def _select(self, op: Op, condition: int, a, b):
        return a if condition else b

    def _assume(self, op: Op, condition: int) -> None:
        require(condition, "a promise that does not hold")

    # lanes -------------------------------------------------------------------------------------------

    def _splat(self, op: Op, x: int) -> tuple:
        return (x,) * op.result.type.count

    def _any(self, op: Op, bits: tuple) -> int:
        require(POISON not in bits, "POISON is checked")
        return int(any(bits))

    def _masked(self, op: Op, array: HeapObject, index: int | tuple, *more) -> tuple | None:
        lanes = _lanes(op)
        stored = more[0] if op.op == "store" else None
        mask = more[-1] if len(more) > (stored is not None) else (1,) * lanes
        kind, held = op.args[0].type, content(array)
        found = []
        for lane in range(lanes):
            require(mask[lane] is not POISON, "a mask is POISON")
            at = index[lane] if isinstance(index, tuple) else index
            if not mask[lane]:
                found.append(POISON)
                continue
            require(at is not POISON, "an index is POISON")
            own = HeapObject(held[lane] if isinstance(kind, Lanes) else held, array.type, -1)
            if op.op == "store":
                require(stored[lane] is not POISON, "POISON is stored")
                require(array.type == op.args[2].type.of, "an element of another type")
                self._element(own, at)[at] = stored[lane]
            else:
                read = self._bytes if op.op == "bytes" else self._load
                found.append(read(op, own, at))
        return tuple(found) if op.results else None

    def _columns(self, op: Op, array: HeapObject) -> HeapObject:
        require(array.type == op.attribute, "elements of another type")
        held, lanes = content(array), op.result.type.count
        rows = held if isinstance(op.args[0].type, Lanes) else [held] * lanes
        made = self.owned.new([list(row) for row in rows], array.type)
        self._put(op.slot, made)
        return made

    def _transposed(self, op: Op, array: HeapObject, index: int) -> None:
        size = op.results[0].type.of // 8
        for at, word in enumerate(op.results):
            self.words[word] = tuple(
                self._bytes(Op("bytes", [], [word]), HeapObject(own, array.type, -1), index + at * size)
                for own in content(array)
            )

    # values ------------------------------------------------------------------------------------------

    def _made(self, op: Op, x: int) -> int | HeapObject:
        if is_small(x):
            return x
        made = self.owned.new(x)
        self._put(op.slot, made)
        return made

    def _put(self, slot: int, x: int | HeapObject) -> None:
        """Fills the slot with an object whose reference is handed over."""
        require(self.opened or slot not in self.late, "a late slot is filled before it is opened")
        if isinstance(x, HeapObject):
            before, self.slots[slot] = self.slots[slot], x
            self.owned.release(before)

    def _small(self, op: Op, x: int) -> int:
        x = signed(x, 64)
        require(is_small(x), "not a small integer")
        return x

    def _box(self, op: Op, x: int) -> int | HeapObject:
        return self._made(op, signed(x, op.args[0].type) if op.attribute == "s" else x)

    def _is_small(self, op: Op, x: int | HeapObject) -> int:
        return int(not isinstance(x, HeapObject))

    def _of_small(self, op: Op, x: int | HeapObject) -> int:
        require(not isinstance(x, HeapObject), "not a small integer")
        return x & (1 << 64) - 1

    def _big_shift(self, op: Op, x, count: int) -> int | HeapObject:
        x, count = content(x), signed(count, 64)
        if x and x.bit_length() + count > self.interpreter.longest:
            raise MemoryError
        return self._made(op, integers.shift(x, count))

    def _big_logic(self, op: Op, a, b) -> int | HeapObject:
        return self._made(op, integers.INTEGER[op.attribute](content(a), content(b)))

    def _big_divide(self, op: Op, a, b) -> int | HeapObject:
        require(b != 0, "a division by 0")
        return self._made(op, integers.INTEGER[op.attribute](content(a), content(b)))

    def _big_low(self, op: Op, x) -> int | HeapObject:
        return self._made(op, integers.low(op.attribute, content(x)))

    def _big_field(self, op: Op, x) -> int | HeapObject:
        return self._made(op, integers.field(op.attribute, content(x)))

    def _open(self, op: Op) -> None:
        require(not self.opened, "the late slots are open already")
        self.opened = True

    def _close(self, op: Op) -> None:
        require(self.opened, "the late slots are not open")
        self.opened = False
        for slot in self.late:
            self.owned.release(self.slots[slot])
            self.slots[slot] = None

    def _keep(self, op: Op, x) -> None:
        self.owned.retain(x)
        self._put(op.slot, x)

    def _own(self, op: Op, x) -> None:
        self._put(op.slot, x)

    def _retain(self, op: Op, x) -> None:
        for slot in op.attribute or ():
            if isinstance(x, HeapObject) and self.slots[slot] is x:
                self.slots[slot] = None
                return
        self.owned.retain(x)

    def _give(self, op: Op, *values) -> None:
        held = self.slots
        slots = given_slots(op)
        for x, (to, *others) in zip(values, slots, strict=True):
            if isinstance(x, HeapObject) and held[to] is not x:
                came = next((slot for slot in others if held[slot] is x), to)
                held[to], held[came] = held[came], held[to]
        for x in values:
            self.owned.retain(x)
        for x, (to, *_) in zip(values, slots, strict=True):
            self._put(to, x)

    # arrays ------------------------------------------------------------------------------------------

    def _global(self, op: Op) -> HeapObject:
        return self.interpreter.arrays[op.attribute]

    def _new(self, op: Op, count: int, low, high: int) -> HeapObject:
        if count > integers.BITS_MAX:
            raise MemoryError
        type_ = op.attribute
        fill = low if type_ is BIG else (low | high << 64) & (1 << type_) - 1
        for _ in range(count if type_ is BIG else 0):
            self.owned.retain(fill)
        lanes = op.result.type.count if isinstance(op.result.type, Lanes) else 0
        elements = [[fill] * count for _ in range(lanes)] if lanes else [fill] * count
        made = self.owned.new(elements, type_)
        self._put(op.slot, made)
        return made

    def _frame(self, op: Op, count: int) -> HeapObject:
        type_, most = op.attribute
        require(count <= most, "more elements than the frame has room for")
        if op in self.arrays:
            self.arrays[op].owners = 0
        self.arrays[op] = HeapObject([0] * count, type_, -1)
        return self.arrays[op]

    def _length(self, op: Op, array: HeapObject) -> int:
        return _length(op.args[0].type, array)

    def _element(self, array: HeapObject, index: int) -> list:
        elements = content(array)
        require(index < len(elements), "an element out of bounds")
        return elements

    def _load(self, op: Op, array: HeapObject, index: int):
        require(array.type == width(op.result.type), "an element of another type")
        return self._element(array, index)[index]

    def _bytes(self, op: Op, array: HeapObject, index: int) -> int:
        count = width(op.result.type) // 8
        require(array.type == 8, "bytes of an array of other elements")
        return int.from_bytes(bytes(self._element(array, index + count - 1)[index : index + count]), "little")

    def _store(self, op: Op, array: HeapObject, index: int, x) -> None:
        require(array.type == op.args[2].type, "an element of another type")
        elements = self._element(array, index)
        self.owned.retain(x)
        before, elements[index] = elements[index], x
        if array.type is BIG:
            self.owned.release(before)

    # checks ------------------------------------------------------------------------------------------

    def _refuse(self, op: Op, condition: int, operand=None) -> None:
        if condition:
            raise _trap(op.site, operand)

    def _bounds(self, op: Op, array: HeapObject, index: int) -> None:
        _within(_length(op.args[0].type, array), index, op.attribute, op.site)

    def _bounds_big(self, op: Op, array: HeapObject, value) -> int:
        length, index = len(content(array)), content(value)
        if not 0 <= index <= length - op.attribute:
            which = length if 0 <= index < length else index
            raise _trap(op.site, which, length)
        return index

    def _bounds_run(self, op: Op, array: HeapObject, root: int, most: int, *least: int) -> None:
        reading, count, rows = op.attribute
        length, mask = _length(op.args[0].type, array), (1 << 64) - 1
        if most + count <= length and all(signed(word, 64) >= 0 for word in least):
            return
        base = signed(root, op.args[1].type) if reading == "s" else root
        for offset, each, site in rows:
            _within(length, base + offset & mask, each, site)
        raise Fault("bounds_run: its ends are out of bounds, but no row is")

    def _deep(self, op: Op) -> None:
        """Python's own limit of recursion stands for the stack's."""

    def _poll(self, op: Op) -> None:
        """Nobody asks an interpreted program to stop."""


def _within(length: int, index: int, count: int, site: Site) -> None:
    if index + count > length:
        raise _trap(site, length if index < length else index, length)


def _trap(site: Site, operand=None, length: int = 0) -> Exception:
    """The error of a failing check; `operand` is a word, or a BIG's integer."""
    if site.message == OUT_OF_MEMORY:
        return MemoryError()
    shown = content(operand) if operand is not None else None
    if site.operand.startswith("s") and shown is not None:
        shown = signed(shown, int(site.operand[1:]))
    position = Position.read(site.position) if site.position else None
    return Trap(site.message.format(operand=shown, length=length), position)
