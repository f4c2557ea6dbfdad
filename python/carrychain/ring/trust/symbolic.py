"""A function without loops and calls as z3 terms: its results for all arguments at once.

An integer is a signed bit vector that is wide enough for all its values. A parameter's width is its type's;
an operation's width follows from its arguments' (a sum has one bit more than the wider argument, a product as
many as both together, and so on). Nothing else is assumed, so this relies on none of the passes' reasoning.
Not encoded are values whose width is unbounded or exceeds WIDEST, loops, calls, and operations whose terms
are too hard for z3 (isqrt, gcd, expt).

All arrays of a type are rows of one memory: two arguments may be the same array, or a global one.

Each block has the condition under which it is reached. A failing check is one end of the run, as is a return
or a trap. The outcome is combined from all ends: whether the run trapped, what it returned, and what the
memories hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import z3

from ..ir.dominance import reverse_postorder
from ..ir.form import (
    COMPARE,
    DIVISION,
    LOGIC,
    Array,
    Block,
    Bool,
    Branch,
    Function,
    Instruction,
    Int,
    Jump,
    Module,
    Return,
    Value,
    signed,
    unsigned,
)
from ..ir.interpret import logic
from .vectors import (
    NotEncoded,
    alike,
    bits_of,
    checked_width,
    chosen,
    counted,
    resized,
    rotated,
    shifted,
    width_of,
    within,
)

INDEX = 64  # bits of an index within an array
NUMBER = 8  # bits of an array's number, its row in the memory
FRESH = 1 << (NUMBER - 1)  # the first number of an array that the function makes
LONGEST = 1 << 56  # more elements than any array has
MOST = 1 << 33  # elements of a new array: runs that make longer ones are not compared
SHORT = 200  # elements of an array in an example


@dataclass
class PathEnd:
    """One end of the function: the run ends here under this condition."""

    condition: z3.BoolRef
    results: list | None  # None: it trapped
    memory: dict[tuple, z3.ExprRef]


@dataclass
class SymbolicOutcome:
    """A function's outcome. `kept`: the program kept its promises (assume)."""

    kept: z3.BoolRef
    trapped: z3.BoolRef
    results: list
    memory: dict[tuple, z3.ExprRef]


@dataclass
class Inputs:
    """The symbolic arguments and memories: for one function, and for others with the same parameters."""

    function: Function
    module: Module
    params: list = field(default_factory=list)
    limits: list = field(default_factory=list)  # constraints on the parameters
    fresh: dict[str, int] = field(default_factory=dict)  # numbers of new arrays, by the result's name
    numbers: dict[Array, dict[str, int]] = field(default_factory=dict)  # numbers of global arrays

    def __post_init__(self) -> None:
        own = [p.type for p in self.function.params]
        for name, (type_, contents) in self.module.arrays.items():
            at = self.numbers.setdefault(type_, {})
            at[name] = own.count(type_) + len(at)
            length = z3.Select(self.lengths(type_), z3.BitVecVal(at[name], NUMBER))
            self.limits.append(length == len(contents))
        for at, param in enumerate(self.function.params):
            self.params.append(self._param(f"argument {at}", param.type, own.count(param.type)))

    def _param(self, name: str, type_, alike: int):
        match type_:
            case Bool():
                return z3.Bool(name)
            case Array():
                number = z3.BitVec(name, NUMBER)
                self.limits.append(z3.ULT(number, alike + len(self.numbers.get(type_, {}))))
                length = z3.Select(self.lengths(type_), number)
                self.limits += [length >= 0, length < LONGEST]
                return number
        if type_.low is None or type_.high is None:
            raise NotEncoded(f"{name} may be any integer")
        word = z3.BitVec(name, checked_width(width_of(type_)))
        self.limits += within(word, type_)
        return word

    @staticmethod
    def lengths(type_: Array):
        return z3.Array(f"lengths {type_}", z3.BitVecSort(NUMBER), z3.BitVecSort(INDEX))

    @staticmethod
    def contents(type_: Array):
        rows = z3.ArraySort(z3.BitVecSort(INDEX), z3.BitVecSort(_element(type_.element)))
        return z3.Const(f"contents {type_}", z3.ArraySort(z3.BitVecSort(NUMBER), rows))

    def example(self, solver: z3.Solver) -> list | None:
        """The solver's arguments as Python values; None if all that it finds have too long arrays."""
        solver.push()
        arrays = [(x, p.type) for x, p in zip(self.params, self.function.params, strict=True)
                  if isinstance(p.type, Array)]  # fmt: skip
        for number, type_ in arrays:
            own = sum(p.type == type_ for p in self.function.params)
            solver.add(z3.ULT(number, own), z3.Select(self.lengths(type_), number) < SHORT)
        found = solver.check() == z3.sat and self._values(solver.model())
        solver.pop()
        return found or None

    def _values(self, model: z3.ModelRef) -> list:
        made: dict[tuple, list] = {}

        def value(term, type_):
            found = model.eval(term, model_completion=True)
            if isinstance(type_, Bool):
                return z3.is_true(found)
            if isinstance(type_, Int):
                return found.as_signed_long()
            key = type_, found.as_long()
            if key not in made:
                length = model.eval(z3.Select(self.lengths(type_), term), model_completion=True).as_long()
                made[key] = elements(type_, term, length)
            return made[key]

        def elements(type_: Array, term, length: int) -> list[int]:
            try:
                row = z3.Select(self.contents(type_), term)
            except NotEncoded:
                # the elements cannot be encoded, but the function is: so it does not read them
                return [0] * length
            return [element(row, at, type_.element) for at in range(length)]

        def element(row, at: int, type_: Int) -> int:
            found = model.eval(z3.Select(row, z3.BitVecVal(at, INDEX)), model_completion=True)
            return found.as_signed_long() if type_.low else found.as_long()

        return [value(x, p.type) for x, p in zip(self.params, self.function.params, strict=True)]

    def first(self, key: tuple):
        """What a memory holds at first."""
        what, type_ = key
        return self.contents(type_) if what == "contents" else self.lengths(type_)


def outcome(function: Function, inputs: Inputs) -> SymbolicOutcome:
    """Raises NotEncoded if there are loops, calls, or integers without a bound."""
    encoded = _Encoder(function, inputs)
    return encoded.run()


def _element(type_: Int) -> int:
    """The width of an element; its type must contain all numbers of that width."""
    if type_.low is None or type_.high is None:
        raise NotEncoded("an array of integers of any size")
    bits = (type_.high - type_.low).bit_length()
    if type_ not in (unsigned(bits), signed(bits)):
        raise NotEncoded(f"an array of {type_}")
    return checked_width(bits)


class _Encoder:
    def __init__(self, function: Function, inputs: Inputs):
        self.function = function
        self.inputs = inputs
        self.terms: dict[Value, z3.ExprRef] = {}
        self.ends: list[PathEnd] = []
        self.kept: list = []
        # at the current instruction: the condition under which it is reached, and what the memories hold
        self.alive = z3.BoolVal(True)
        self.memory: dict[tuple, z3.ExprRef] = {}

    def run(self) -> SymbolicOutcome:
        order = reverse_postorder(self.function)
        place = {block: at for at, block in enumerate(order)}
        entered: dict[Block, list] = {block: [] for block in order}
        self.terms.update(zip(self.function.params, self.inputs.params, strict=True))
        for block in order:
            if block is not order[0]:
                self._enter(block, entered[block])
            for instruction in block.instructions:
                self._step(instruction)
            match block.terminator:
                case Return(args):
                    self._end(self.alive, [self.terms[arg] for arg in args])
                case Jump() | Branch() as end:
                    for edge in end.edges:
                        if place[edge.block] <= place[block]:
                            raise NotEncoded("a loop")
                        condition = self.alive
                        if isinstance(end, Branch):
                            taken = self.terms[end.condition]
                            condition = z3.And(condition, taken if edge is end.then else z3.Not(taken))
                        args = [self.terms[arg] for arg in edge.args]
                        entered[edge.block].append((condition, args, dict(self.memory)))
                case _:
                    self._end(self.alive, None)
        return self._outcome()

    def _enter(self, block: Block, ways: list) -> None:
        condition, args, memory = ways[0]
        for other, its_args, its_memory in ways[1:]:
            condition = z3.Or(condition, other)
            args = [chosen(other, a, b) for a, b in zip(its_args, args, strict=True)]
            memory = self._joined(other, its_memory, memory)
        self.alive, self.memory = condition, dict(memory)
        self.terms.update(zip(block.params, args, strict=True))

    def _joined(self, condition, a: dict, b: dict) -> dict:
        return {
            key: chosen(condition, *(each.get(key, self.inputs.first(key)) for each in (a, b)))
            for key in a.keys() | b.keys()
        }

    def _end(self, condition, results: list | None) -> None:
        self.ends.append(PathEnd(condition, results, dict(self.memory)))

    def _outcome(self) -> SymbolicOutcome:
        returned = [end for end in self.ends if end.results is not None]
        trapped = [end.condition for end in self.ends if end.results is None]
        results = returned[-1].results if returned else []
        for end in returned[:-1]:
            results = [chosen(end.condition, a, b) for a, b in zip(end.results, results, strict=True)]
        memory = self.ends[-1].memory
        for end in self.ends[:-1]:
            memory = self._joined(end.condition, end.memory, memory)
        return SymbolicOutcome(z3.And(*self.kept), z3.Or(*trapped), results, memory)

    # Instructions ----------------------------------------------------------------------------

    def _trap_if(self, condition) -> None:
        self._end(z3.And(self.alive, condition), None)
        self.alive = z3.And(self.alive, z3.Not(condition))

    def _step(self, instruction: Instruction) -> None:
        found = self._yields(instruction, [self.terms[arg] for arg in instruction.args])
        for result in instruction.results:
            if z3.is_bv(found) and isinstance(result.type, Int):
                checked_width(found.size())
            self.terms[result] = found

    def _yields(self, instruction: Instruction, args: list):
        op, attribute = instruction.op, instruction.attribute
        if op in LOGIC:
            found = logic(LOGIC[op], *alike(*args))
            return found if z3.is_bv(found) else z3.BitVecVal(found, 1)
        if op in COMPARE:
            a, b = alike(*args)
            return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[op]
        if op in DIVISION:
            return self._divided(op, *args)
        match op:
            case "const":
                return (
                    z3.BoolVal(attribute)
                    if isinstance(attribute, bool)
                    else z3.BitVecVal(attribute, checked_width(bits_of(attribute)))
                )
            case "add":
                a, b = alike(*args, spare=1)
                return a + b
            case "sub":
                a, b = alike(*args, spare=1)
                return a - b
            case "neg":
                return -alike(*args, spare=1)[0]
            case "mul":
                width = checked_width(args[0].size() + args[1].size())
                return resized(args[0], width) * resized(args[1], width)
            case "low":
                return z3.ZeroExt(1, resized(args[0], checked_width(attribute)))
            case "field":
                return resized(args[0], min(attribute, args[0].size()))
            case "shift":
                return shifted(*args)
            case "rotl":
                return rotated(attribute, *args)
            case "bitlen" | "popcount":
                return counted(op, args[0])
            case "not":
                return z3.Not(args[0])
            case "select":
                return chosen(*args)
            case "narrow" | "assume":
                return self._narrowed(instruction, args[0])
            case "global":
                number = self.inputs.numbers[instruction.result.type][attribute]
                return z3.BitVecVal(number, NUMBER)
            case "new":
                return self._new(instruction, *args)
            case "len":
                return resized(z3.Select(self._held("lengths", instruction.args[0].type), args[0]), INDEX)
            case "load":
                return self._load(instruction, *args)
            case "load_le" | "load_be":
                return self._load_bytes(instruction, *args)
            case "store":
                return self._store(instruction, *args)
        raise NotEncoded(op)

    def _divided(self, op: str, a, b):
        self._trap_if(b == 0)
        # one bit for -2^k / -1, one for -a
        a, b = alike(a, b, spare=2)
        match op:
            case "tdiv":
                return a / b
            case "trem":
                return z3.SRem(a, b)
            case "fdiv":
                return (a - a % b) / b
            case "fmod":
                return a % b
            case "cdiv":
                return (a + -a % b) / b
        return -(-a % b)

    def _narrowed(self, instruction: Instruction, x):
        type_ = instruction.attribute
        inside = z3.And(*within(x, type_))
        if instruction.op == "narrow":
            self._trap_if(z3.Not(inside))
        else:
            self.kept.append(z3.Implies(self.alive, inside))
            self.alive = z3.And(self.alive, inside)
        bounded = type_.low is not None and type_.high is not None
        # from here on it is in the type
        return resized(x, min(x.size(), width_of(type_))) if bounded else x

    # Arrays ----------------------------------------------------------------------------------

    def _held(self, what: str, type_: Array):
        key = what, type_
        if key not in self.memory:
            self.memory[key] = self.inputs.first(key)
        return self.memory[key]

    def _index(self, instruction: Instruction, array, index, count: int = 1):
        """The index of the first of `count` elements: they are within bounds, or the run traps."""
        length = z3.Select(self._held("lengths", instruction.args[0].type), array)
        first, length = alike(index, length, spare=2)
        self._trap_if(z3.Or(first < 0, first + count > length))
        return resized(index, INDEX)

    def _row(self, instruction: Instruction, array):
        return z3.Select(self._held("contents", instruction.args[0].type), array)

    def _load(self, instruction: Instruction, array, index):
        at = self._index(instruction, array, index)
        found = z3.Select(self._row(instruction, array), at)
        return found if instruction.args[0].type.element.low else z3.ZeroExt(1, found)

    def _load_bytes(self, instruction: Instruction, array, index):
        count = instruction.attribute // 8
        at = self._index(instruction, array, index, count)
        row = self._row(instruction, array)
        found = [z3.Select(row, at + each) for each in range(count)]
        if instruction.op == "load_le":
            found.reverse()
        return z3.ZeroExt(1, z3.Concat(*found) if count > 1 else found[0])

    def _store(self, instruction: Instruction, array, index, x) -> None:
        type_ = instruction.args[0].type
        self._trap_if(z3.Not(z3.And(*within(x, type_.element))))
        at = self._index(instruction, array, index)
        row = z3.Store(self._row(instruction, array), at, resized(x, _element(type_.element)))
        self.memory["contents", type_] = z3.Store(self._held("contents", type_), array, row)

    def _new(self, instruction: Instruction, count, fill):
        type_ = instruction.attribute
        self._trap_if(z3.Or(count < 0, z3.Not(z3.And(*within(fill, type_.element)))))
        # running out of memory is no difference between two functions: such runs are left out
        wide = resized(count, max(count.size(), INDEX))
        self.kept.append(z3.Implies(self.alive, wide < MOST))
        number = self.inputs.fresh.setdefault(instruction.result.name, FRESH + len(self.inputs.fresh))
        if number >> NUMBER:
            raise NotEncoded("many arrays")
        at = z3.BitVecVal(number, NUMBER)
        row = z3.K(z3.BitVecSort(INDEX), resized(fill, _element(type_.element)))
        self.memory["contents", type_] = z3.Store(self._held("contents", type_), at, row)
        self.memory["lengths", type_] = z3.Store(self._held("lengths", type_), at, resized(wide, INDEX))
        return at


def differs(before: SymbolicOutcome, after: SymbolicOutcome, inputs: Inputs) -> z3.BoolRef:
    """Whether the outcomes differ on some run on which the program keeps its promises."""
    ways = [before.trapped != after.trapped]
    if before.results and after.results:
        pairs = zip(before.results, after.results, strict=True)
        pairs = [alike(a, b) if z3.is_bv(a) else (a, b) for a, b in pairs]
        ways.append(z3.And(z3.Not(before.trapped), z3.Or(*(a != b for a, b in pairs))))
    for key in before.memory.keys() | after.memory.keys():
        first = inputs.first(key)
        ways.append(before.memory.get(key, first) != after.memory.get(key, first))
    return z3.And(before.kept, z3.Or(*ways))
