"""Translation validation: on request (--validate), compares each function before and after each pass.

If the function has no loops or calls and its integers are bounded, z3 compares the two for all arguments
(symbolic.py), except for the messages of traps. The interpreter compares them on chosen arguments: at the
bounds of their types, near powers of two, near the function's own constants, and random ones, including
aliased arrays. It compares the returned values, the contents of the arrays afterwards, and which check
failed, and where. (If a pass joined loads of bytes, the failing check may name the index of any of them.) A
run that breaks the program's promises (assume) proves nothing, nor does one that takes too long or too much
memory.

A plan is compared with its function: each value must be in its claimed range, and the function, run on words
with noise in all bits that are not demanded, must yield the same results (planned.py).

The machine IR is run on the same arguments (machine/interpret.py). A violated assumption of LLVM is a fault,
and an object that is not freed is reported.

A function that can run in lanes (machine/lanes.py) is run on several of these arguments at once, and compared
with itself on one at a time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import NoReturn

from ...bindings.bigint import to_decimal
from ..facts.plan import Plan
from ..ir.errors import Different, Trap
from ..ir.form import Array, Bool, Function, Instruction, Int, IRError, Module, Value, print_function
from ..ir.interpret import Interpreter, Long
from ..ir.verify import verify_function
from ..machine.abi import MachineSignature, storage
from ..machine.beside import at_once, one_by_one
from ..machine.form import BIG, MachineModule
from ..machine.interpret import Fault, MachineInterpreter
from ..machine.lanes import Refusal, lanes
from .planned import Claimed, OutOfRange, Planned

try:
    import z3

    from . import symbolic, vectors
except ImportError:
    z3 = None

TRIED = 48  # calls of each function
STEPS = 4000  # of a run, at most
DEPTH = 30  # nested calls, at most; Python's own stack has no room for many more
SLOWER = 4  # a pass's output may take this many times the steps
BITS = 1 << 13  # of an integer, at most
ELEMENTS = 1 << 12  # of a new array, at most
LANES, REGISTER = 4, 128  # calls at once, and bits of a vector register
BLOCKS = 2000  # entered by one call in lanes, at most
LENGTHS = (0, 1, 2, 3, 5, 8, 16, 17, 64, 72)  # of array arguments
# limits for one query of z3: its own count of steps, which is the same on every machine; and seconds
EFFORT = 4_000_000
PATIENCE = 20


class _Inconclusive(Exception):
    """The run breaks a promise of the program, or takes too much memory."""


class _TooManySteps(Exception):
    pass


class _Run(Interpreter):
    """An interpreter with limits."""

    left = STEPS
    deepest = DEPTH

    def _run(self, function: Function, args: list) -> tuple:
        if self.deepest < 0:
            raise _TooManySteps
        self.deepest -= 1
        try:
            return super()._run(function, args)
        finally:
            self.deepest += 1

    def _made(self, values: list[Value], found: Sequence) -> Sequence:
        self.left -= 1
        if self.left < 0:
            raise _TooManySteps
        return super()._made(values, found)

    def _step(self, instruction: Instruction, args: list) -> Sequence:
        if any(type(arg) is int and arg.bit_length() > BITS for arg in args):
            raise _Inconclusive("an integer is too long")
        match instruction.op, args:
            case "shift", (int(x), int(n)) if x and n + x.bit_length() > BITS:
                return (Long(x, n),)
            case "expt", (int(a), int(b)) if abs(a) > 1 and a.bit_length() * b > BITS:
                raise _Inconclusive("an integer is too long")
            case "new", (count, _) if count > ELEMENTS:
                raise _Inconclusive("an array is too long")
            case "assume", (x,) if isinstance(x, Long) or x not in instruction.attribute:
                raise _Inconclusive("an assumption does not hold")
        return super()._step(instruction, args)


class _ClaimedRun(Claimed, _Run):
    left = SLOWER * STEPS


class _PlannedRun(Planned, _Run):
    left = SLOWER * STEPS


class _RunAfter(_Run):
    left = SLOWER * STEPS


class _MachineRun:
    """The machine IR's interpreter, behind the interface of the IR's."""

    def __init__(self, words: MachineModule, signatures: dict[str, MachineSignature], module: Module):
        self.of = MachineInterpreter(words, signatures, SLOWER * STEPS, BITS)
        self.elements = {name: type_.element for name, (type_, _) in module.arrays.items()}

    def call(self, name: str, *args) -> tuple:
        return self.of.call(name, *args)

    @property
    def arrays(self) -> dict[str, list]:
        return {name: self.of.integers(self.of.arrays[name], each) for name, each in self.elements.items()}


@dataclass
class Outcome:
    """A call's outcome. `trap` is the position and the message."""

    trap: str | None
    values: tuple
    arrays: tuple

    def __str__(self) -> str:
        said = f"traps ({self.trap})" if self.trap is not None else f"returns {_shown(self.values)}"
        return f"{said}, the arrays then {_shown(self.arrays)}" if any(self.arrays) else said

    def agrees(self, other: Outcome) -> bool:
        mine, its = self.trap, other.trap
        if mine is not None and its is not None and " index " in mine and " index " in its:
            mine = its
        return (mine, self.values, self.arrays) == (its, other.values, other.arrays)


def _shown(x) -> str:
    if isinstance(x, list | tuple):
        return f"({', '.join(map(_shown, x))})"
    return to_decimal(x) if type(x) is int else str(x)


def observed(interpreter: Interpreter | _MachineRun, name: str, args: list) -> Outcome | None:
    """The call's outcome; None if it is inconclusive. The arguments are not changed.

    Raises _TooManySteps if the call does not end within its limit.
    """
    args = deepcopy(args)
    try:
        found, trap = interpreter.call(name, *args), None
    except Trap as error:
        found, trap = (), f"{error.position}: {error.message}"
    except (_Inconclusive, MemoryError, RecursionError):
        return None
    arrays = [arg for arg in args if isinstance(arg, list)] + list(interpreter.arrays.values())

    def told(x):
        # a returned array that existed before is named, a new one is shown by its contents
        if not isinstance(x, list):
            return x
        return next((f"array {at}" for at, array in enumerate(arrays) if array is x), tuple(x))

    return Outcome(trap, tuple(map(told, found)), tuple(map(tuple, arrays)))


def _ended(interpreter: Interpreter, name: str, args: list) -> Outcome | None:
    try:
        return observed(interpreter, name, args)
    except _TooManySteps:
        return None


# Arguments -----------------------------------------------------------------------------------


def _numbers(function: Function, rng: random.Random) -> Iterator[int]:
    """An endless supply of numbers that tend to reveal mistakes."""
    constants = [i.attribute for i in function.instructions() if i.op == "const" and i.result.type != Bool()]
    while True:
        kind = rng.randrange(8)
        if kind < 2:
            yield rng.randrange(-2, 12)
        elif kind < 3 and constants:
            yield rng.choice((1, -1)) * rng.choice(constants) + rng.randrange(-1, 2)
        elif kind < 6:
            yield rng.choice((1, -1)) * (1 << rng.choice((3, 7, 8, 15, 16, 31, 32, 63, 64, 65, 127, 128))) + (
                rng.randrange(-1, 2)
            )
        else:
            yield rng.getrandbits(rng.choice((8, 32, 64, 130))) * rng.choice((1, -1))


def _number(type_: Int, numbers: Iterator[int], rng: random.Random) -> int:
    ends = [end for end in (type_.low, type_.high) if end is not None]
    if ends and rng.random() < 0.2:
        return rng.choice(ends)
    x = next(numbers)
    if x in type_:
        return x
    if len(ends) < 2:
        return abs(x) + type_.low if type_.low is not None else type_.high - abs(x)
    return type_.low + x % (type_.high - type_.low + 1)


def arguments(function: Function) -> Iterator[list]:
    """An endless supply of arguments; the same each time for functions of the same name and types."""
    rng = random.Random(function.name)
    numbers = _numbers(function, rng)
    while True:
        args: list = []
        for param in function.params:
            match param.type:
                case Bool():
                    args.append(rng.random() < 0.5)
                case Array(element):
                    alike = [a for a, p in zip(args, function.params, strict=False) if p.type == param.type]
                    if alike and rng.random() < 0.25:
                        args.append(rng.choice(alike))
                    else:
                        args.append([_number(element, numbers, rng) for _ in range(rng.choice(LENGTHS))])
                case _:
                    args.append(_number(param.type, numbers, rng))
        yield args


# Comparing -----------------------------------------------------------------------------------


class Validator:
    """Watches the passes over a module (passes.plans); raises Different if one changed a function."""

    def __init__(self, module: Module):
        self.front = module.copy()
        # each function after its latest pass
        self.latest = {name: function.copy() for name, function in self.front.functions.items()}
        # for each function: arguments, and the outcome of the call
        self.calls: dict[str, list[tuple[list, Outcome]]] = {}
        self.count: Counter[str] = Counter()

    def watch(self, stage: str, function: Function) -> None:
        name = function.name
        before, after = self.latest[name], function.copy()
        try:
            verify_function(after, self.front)
        except IRError as error:
            raise Different(
                f"{name}: after {stage} it is not well formed: {error}", function.position
            ) from None
        self.count["results of passes"] += stage != "front"
        if print_function(before) == print_function(after):
            self.count["as they were"] += stage != "front"
        else:
            # also run it if z3 agrees: z3 does not compare a trap's message and position
            self.count["by z3" if self._proven(stage, before, after) else "by running them"] += 1
            self._run(stage, after)
        self.latest[name] = after

    def _module(self, function: Function) -> Module:
        """The module with this function in its place, its callees as they came from the front end."""
        return Module({**self.front.functions, function.name: function}, self.front.arrays)

    def _calls(self, name: str) -> list[tuple[list, Outcome]]:
        if name not in self.calls:
            function = self.front.functions[name]
            made = arguments(function)
            pairs = []
            for args in (next(made) for _ in range(TRIED)):
                wanted = _ended(_Run(self.front), name, args)
                if wanted is not None:
                    pairs.append((args, wanted))
            self.calls[name] = pairs
        return self.calls[name]

    def _run(self, stage: str, function: Function) -> None:
        """Runs the function on the arguments of the calls before, and compares the outcomes."""
        module = self._module(function)
        for args, wanted in self._calls(function.name):
            self._compare(stage, function, args, wanted, _RunAfter(module))

    def _compare(
        self, stage: str, function: Function, args: list, wanted: Outcome, run: Interpreter | _MachineRun
    ) -> None:
        try:
            got = observed(run, function.name, args)
        except _TooManySteps:
            self._different(stage, function, args, wanted, "does not end")
        self.count["calls"] += got is not None
        if got is not None and not wanted.agrees(got):
            self._different(stage, function, args, wanted, str(got))

    @staticmethod
    def _different(stage: str, function: Function, args: list, before: Outcome, after: str) -> NoReturn:
        raise Different(
            f"{function.name}: {stage} changed what it does: called with {_shown(args)} it {before}"
            f" before, and {after} after",
            function.position,
        ) from None

    def _proven(self, stage: str, before: Function, after: Function) -> bool:
        """Whether z3 proves them equal; if it finds arguments on which they differ, both are run on those."""
        if z3 is None:
            return False
        try:
            inputs = symbolic.Inputs(before, self.front)
            was, now = (symbolic.outcome(function, inputs) for function in (before, after))
        except vectors.NotEncoded:
            return False
        solver = z3.Solver()
        solver.set("rlimit", EFFORT)
        solver.set("timeout", PATIENCE * 1000)
        solver.add(*inputs.limits, symbolic.differs(was, now, inputs))
        answer = solver.check()
        if answer == z3.sat:
            # a run gives a message that shows the two outcomes
            args = inputs.example(solver)
            wanted = args and _ended(_Run(self._module(before)), before.name, args)
            if wanted:
                self._compare(stage, after, args, wanted, _RunAfter(self._module(after)))
        return answer == z3.unsat

    def plan(self, plan: Plan) -> None:
        """Compares the function with itself, run as the plan says."""
        function = plan.function
        module = self._module(function)
        rng = random.Random(function.name)
        self.count["plans"] += 1
        for args, wanted in self._calls(function.name):
            claimed = _ClaimedRun(module, plan)
            try:
                self._compare("cut", function, args, wanted, claimed)
            except OutOfRange as error:
                raise Different(
                    f"{function.name}: cut claims a range that does not hold: called with"
                    f" {_shown(args)} {error}",
                    function.position,
                ) from None
            self._compare("cut", function, args, wanted, _PlannedRun(module, plan, rng))

    def words(self, words: MachineModule, signatures: dict[str, MachineSignature], name: str) -> None:
        """Compares the function's machine IR with the function."""
        function = self.front.functions[name]
        self.count["in words"] += 1
        for args, wanted in self._calls(name):
            run = _MachineRun(words, signatures, self.front)
            # machine IR returns a copy of a module's array: compare the contents
            given = sum(isinstance(arg, list) for arg in args)
            held = {f"array {at}": array for at, array in enumerate(wanted.arrays) if at >= given}
            values = tuple(held.get(x, x) if isinstance(x, str) else x for x in wanted.values)
            shown = replace(wanted, values=values)
            try:
                self._compare("lower", function, args, shown, run)
            except Fault as fault:
                self._different("lower", function, args, wanted, f"faults ({fault})")
            if run.of.left():
                self._different("lower", function, args, wanted, f"leaks {run.of.left()} objects")

    def lanes(self, words: MachineModule, name: str) -> None:
        """Compares the function's machine IR in lanes with itself on one call at a time."""
        function, wanted = self.front.functions[name], words.functions[name]
        bits = [
            storage(param.type.element) if isinstance(param.type, Array) else word.type
            for param, word in zip(function.params, wanted.params, strict=True)
        ]
        if BIG in bits:
            return
        try:
            made, label = lanes(words, name, (True,) * len(bits), LANES, REGISTER)
        except Refusal:
            return
        self.count["in lanes"] += 1
        for rows in self._rows(name):
            try:
                one = one_by_one(words, name, rows, bits, BLOCKS)
            except (Fault, MemoryError):
                # a call breaks a promise of the program, or takes too long
                continue
            try:
                all_ = at_once(made, label, rows, bits, SLOWER * LANES * BLOCKS)
            except (Fault, MemoryError) as fault:
                all_ = str(fault)
            self.count["calls"] += LANES
            if one != all_:
                raise Different(
                    f"{name}: lanes changed what it does: called with {_shown(rows)} it returns"
                    f" {_shown(one) if one else 'nothing'} one by one, and {_shown(all_)} in lanes",
                    function.position,
                )

    def _rows(self, name: str) -> Iterator[list[list]]:
        """Arguments for all lanes: arrays of equal lengths, and either all calls trap or none does."""
        alike: dict[tuple, list[list]] = {}
        for args, outcome in self._calls(name):
            lengths = (len(arg) for arg in args if isinstance(arg, list))
            alike.setdefault((outcome.trap is None, *lengths), []).append(args)
        for rows in alike.values():
            for at in range(0, len(rows), LANES):
                yield [*rows[at : at + LANES], *[rows[-1]] * LANES][:LANES]

    def __str__(self) -> str:
        count, missing = self.count, "" if z3 else " (which is not installed)"
        return (
            f"validated: {len(self.latest)} functions; {count['results of passes']} results of passes,"
            f" {count['as they were']} as they were, {count['by z3']} by z3{missing},"
            f" {count['by running them']} by running them; {count['plans']} plans;"
            f" {count['in words']} in words, {count['in lanes']} in lanes; {count['calls']} calls compared"
        )
