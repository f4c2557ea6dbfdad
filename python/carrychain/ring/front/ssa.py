"""Makes a function's blocks, and turns assigned variables into values and block parameters.

After Braun, Buchwald, Hack, Leißa, Mallach, Zwinkau: Simple and Efficient Construction of Static Single
Assignment Form (2013). A variable read in a block that does not write it is read at the end of each
predecessor. If there are several, or may be more (the block is not sealed), it becomes a parameter.
Parameters that only ever receive one value are removed at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..ir import interpret
from ..ir.cycles import depth_first
from ..ir.form import (
    BOOL,
    INT,
    Array,
    Block,
    Bool,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Position,
    Type,
    Value,
)
from ..ir.interface import Kind, Union

UNPRINTABLE = re.compile(r"[\s(),:={}\[\]\"';%@|]|^(?=\d)")

# Longer constants, in bits, are left for the compiled program to compute.
FOLDED_BITS = 4096


def printable(name: str) -> str:
    """The name, made valid for printed IR."""
    return UNPRINTABLE.sub("_", name.lower()) or "_"


def basic(name: str) -> str:
    """The name of a variable's values, without a temporary's number, because values are numbered again."""
    return printable(name.partition(".")[0])


@dataclass(eq=False)
class Variable:
    """A variable. Its type is that of its first value; `declared` bounds its values.

    A variable that holds values of several kinds consists of others, its `parts`. `number` identifies it
    among the function's variables each time that the function is lowered.
    """

    name: str
    type: Kind | None
    declared: Kind | None = None
    safe: bool = True
    length: int | None = None
    number: int = 0
    nil: bool = False  # whether it was given only nil so far
    parts: list[Variable] = field(default_factory=list)


@dataclass(eq=False)
class Tagged:
    """A value of a union: `flags` tell for each member but the first whether the value is of it; `parts` are
    the value as each member.

    The part of a member that it is not is a placeholder.
    """

    type: Union
    flags: list[Value]
    parts: list
    position: Position | None = None


class Unreachable(Exception):
    """Control does not return from what was lowered, so nothing follows it."""


class Retry(Exception):
    """An assumption does not hold: what was lowered is discarded, and lowered again."""


class Builder:
    def __init__(self, name: str, position: Position | None):
        self.function = Function(name, [], [], position)
        self.names: dict[str, int] = {}
        self.predecessors: dict[Block, list[tuple[Block, Edge]]] = {}
        self.definitions: dict[Block, dict[Variable, Value]] = {}
        self.incomplete: dict[Block, dict[Variable, Value]] = {}
        self.constants: dict[Value, int | bool] = {}
        self.nils: set[Value] = set()
        self.made: dict[tuple | None, Value] = {}
        self.narrowed: dict[Value, Int] = {}
        self.position = position
        self.block: Block = self.new_block("entry", sealed=True)

    # Blocks

    def fresh(self, name: str) -> str:
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        if not name:
            return str(count)
        return f"{name}.{count}" if count else name

    def new_block(self, name: str, sealed: bool = False) -> Block:
        block = Block(self.fresh(name))
        self.predecessors[block] = []
        self.definitions[block] = {}
        if not sealed:
            self.incomplete[block] = {}
        self.function.blocks.append(block)
        return block

    def reached(self, block: Block) -> bool:
        return bool(self.predecessors[block])

    def start(self, block: Block, sealed: bool = True) -> None:
        self.block = block
        self.made = {}
        if sealed:
            self.seal(block)

    def seal(self, block: Block) -> None:
        """Declares that all edges to the block are known."""
        for variable, parameter in self.incomplete.pop(block, {}).items():
            self._pass(variable, parameter, block)

    def jump(self, block: Block, args: list[Value] | None = None) -> None:
        edge = Edge(block, list(args or ()))
        self.block.terminator = Jump(edge)
        self.predecessors[block].append((self.block, edge))

    def branch(self, condition: Value, then: Block, otherwise: Block) -> None:
        known = self.constants.get(condition)
        if known is not None:
            self.jump(then if known else otherwise)
            return
        edges = Edge(then), Edge(otherwise)
        self.block.terminator = Branch(condition, *edges)
        for edge in edges:
            self.predecessors[edge.block].append((self.block, edge))

    # Variables

    def write(self, variable: Variable, value: Value) -> None:
        self.definitions[self.block][variable] = value
        if value.name.isdigit():
            value.name = self.fresh(basic(variable.name))

    def read(self, variable: Variable) -> Value:
        return self._read(variable, self.block)

    def _read(self, variable: Variable, block: Block) -> Value:
        """The variable's value, searched backward to where it is known, without recursion."""
        path = []
        while True:
            found = self.definitions[block].get(variable)
            if found is not None:
                break
            path.append(block)
            before = self.predecessors[block]
            if block in self.incomplete:
                found = self._parameter(variable, block)
                self.incomplete[block][variable] = found
                break
            if len(before) == 1:
                block = before[0][0]
                continue
            if not before:
                found = self._nothing(variable)
                break
            found = self._parameter(variable, block)
            self.definitions[block][variable] = found
            self._pass(variable, found, block)
            break
        for block in path:
            self.definitions[block][variable] = found
        return found

    def _parameter(self, variable: Variable, block: Block) -> Value:
        type_ = INT if isinstance(variable.type, Int) else variable.type
        parameter = Value(self.fresh(basic(variable.name)), type_, self.position)
        block.params.append(parameter)
        return parameter

    def _pass(self, variable: Variable, parameter: Value, block: Block) -> None:
        # a predecessor may have been read before the parameter's position was known
        place = block.params.index(parameter)
        for before, edge in self.predecessors[block]:
            while len(edge.args) <= place:
                edge.args.append(None)
            edge.args[place] = self._read(variable, before)

    def _nothing(self, variable: Variable) -> Value:
        """A placeholder for a variable without a value on this path, which no program may use."""
        entry = self.function.blocks[0]
        made = []

        def make(op: str, args: list[Value], attribute, type_: Type) -> Value:
            made.append(Instruction(op, args, [Value(self.fresh("none"), type_)], attribute, self.position))
            return made[-1].result

        if isinstance(variable.type, Array):
            zero = make("const", [], 0, INT)
            value = make("new", [zero, zero], variable.type, variable.type)
        elif isinstance(variable.type, Bool):
            value = make("const", [], False, BOOL)
        else:
            value = make("const", [], 0, INT)
        entry.instructions[:0] = made
        return value

    # Instructions

    def emit(
        self, op: str, args: list[Value], attribute=None, types: list[Type] | None = None
    ) -> list[Value]:
        results = [Value(self.fresh(""), type_, self.position) for type_ in types or []]
        self.block.instructions.append(Instruction(op, list(args), results, attribute, self.position))
        return results

    def one(self, op: str, *args: Value, attribute=None, type_: Type = INT) -> Value:
        """An operation with one result: folded if its arguments are constants, and reused in a block."""
        if args and all(arg in self.constants for arg in args):
            folded = self._fold(op, [self.constants[arg] for arg in args], attribute)
            if folded is not None:
                return self.const(folded)
        return self.emit(op, list(args), attribute, [type_])[0]

    def _fold(self, op: str, args: list, attribute) -> int | bool | None:
        if op in interpret.INTEGER:
            refused = interpret.TRAPS.get(op)
            if refused and refused[0](*args):
                return None
            if op in ("shift", "expt") and (
                args[1] > FOLDED_BITS or abs(args[0]).bit_length() * args[1] > FOLDED_BITS
            ):
                return None
            return interpret.INTEGER[op](*args)
        if op == "low":
            return interpret.low(attribute, *args)
        if op == "field":
            return interpret.field(attribute, *args)
        if op == "not":
            return not args[0]
        return None

    def const(self, value: int | bool) -> Value:
        return self._constant((type(value), value), value)

    def nil(self) -> Value:
        """Nil itself, whose type is nil's alone, unlike that of a value that may be nil."""
        found = self._constant(None, False)
        self.nils.add(found)
        return found

    def _constant(self, key: tuple | None, value: int | bool) -> Value:
        found = self.made.get(key)
        if found is None:
            (found,) = self.emit("const", [], value, [BOOL if isinstance(value, bool) else INT])
            self.made[key] = found
            self.constants[found] = value
        return found

    def narrow(self, value: Value, type_: Int, safe: bool) -> Value:
        """The value, which the program promises to be of the type: checked if `safe`, else assumed."""
        if type_ == INT or (value in self.constants and self.constants[value] in type_):
            return value
        known = self.narrowed.get(value)
        if known is not None and within(known, type_):
            return value
        result = self.one("narrow" if safe else "assume", value, attribute=type_)
        self.narrowed[result] = type_
        return result

    # The end

    def finish(self) -> Function:
        function = self.function
        function.blocks = self._in_order()
        self._drop_passed_along()
        self._drop_unused()
        return function

    def _in_order(self) -> list[Block]:
        """The reachable blocks, each after its dominators."""
        entry = self.function.blocks[0]
        return depth_first(entry, lambda block: [edge.block for edge in block.terminator.edges[::-1]])

    def _drop_passed_along(self) -> None:
        """Removes parameters for which only one value, or the parameter itself, is passed."""
        same: dict[Value, Value] = {}

        def root(value: Value) -> Value:
            while value in same:
                value = same[value]
            return value

        into = self.function.predecessors()
        changed = True
        while changed:
            changed = False
            for block in self.function.blocks[1:]:
                keep = []
                for at, parameter in enumerate(block.params):
                    passed = {root(edge.args[at]) for edge in into[block]} - {parameter}
                    if len(passed) == 1:
                        same[parameter] = passed.pop()
                    else:
                        keep.append(at)
                changed |= _kept(block, keep, into[block])
        for block in self.function.blocks:
            for instruction in block.instructions:
                instruction.args = [root(arg) for arg in instruction.args]
            end = block.terminator
            if isinstance(end, Branch):
                end.condition = root(end.condition)
            elif not end.edges and end.args:
                end.args = [root(arg) for arg in end.args]
            for edge in end.edges:
                edge.args = [root(arg) for arg in edge.args]

    def _drop_unused(self) -> None:
        """Removes unused instructions and parameters without effect: unused joins, folded constants."""
        while True:
            used = set()
            for block in self.function.blocks:
                for instruction in block.instructions:
                    used.update(instruction.args)
                used.update(block.terminator.args)
                for edge in block.terminator.edges:
                    # passing a parameter to itself is not a use
                    used.update(a for a, p in zip(edge.args, edge.block.params, strict=True) if a is not p)
            dropped = False
            for block in self.function.blocks:
                kept = [i for i in block.instructions if not (i.op in HARMLESS and not used & set(i.results))]
                dropped = dropped or len(kept) < len(block.instructions)
                block.instructions = kept
            into = self.function.predecessors()
            for block in self.function.blocks[1:]:
                keep = [at for at, parameter in enumerate(block.params) if parameter in used]
                dropped |= _kept(block, keep, into[block])
            if not dropped:
                return


# Operations that cannot trap, and have no effect.
HARMLESS = frozenset(
    {"const", "add", "sub", "mul", "neg", "bitlen", "popcount", "gcd", "low", "field", "select", "not", "len"}
    | {"global", "eq", "ne", "lt", "le", "gt", "ge", *interpret.LOGIC}
)


def _kept(block: Block, places: list[int], edges: list[Edge]) -> bool:
    """Removes a block's other parameters, and what is passed for them; whether there were any."""
    if len(places) == len(block.params):
        return False
    block.params = [block.params[at] for at in places]
    for edge in edges:
        edge.args = [edge.args[at] for at in places]
    return True


def within(inner: Int, outer: Int) -> bool:
    return (outer.low is None or (inner.low is not None and inner.low >= outer.low)) and (
        outer.high is None or (inner.high is not None and inner.high <= outer.high)
    )
