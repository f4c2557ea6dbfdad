"""Whether each pass preserved every function: on request (--validate), function by function.

A pass's output is compared with its input. If the function has no loops and calls and its integers are
bounded, by z3 (symbolic.py), for all arguments, except for a trap's message. And by the interpreter, for
arguments at the bounds of their types, near powers of two, near the function's own constants, and random
ones, including aliased arrays. Compared are the returned values, the contents of the arrays afterwards,
whether a check failed, which one, and where. (If bytes are joined to a word, any of their indices may be
named.) A run that breaks the program's promises (assume) proves nothing, nor does one that takes too long or
too much memory.

The plan is compared with its function: each value must be in its claimed range, and the function run on
words, with noise in all bits that are not demanded, must give the same result (planned.py).

machine/interpret.py runs the machine IR on the same arguments. A violated assumption of LLVM is a fault, and
an object that is not released is reported.

What can be in lanes (machine/lanes.py) also runs there, for some of these arguments at once, and is compared
with one input at a time.
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

    from . import symbolic
except ImportError:
    z3 = None

TRIED = 48  # arguments for each function
STEPS = 4000  # of a run
DEPTH = 30  # calls within calls; Python has no room for many more
SLOWER = 4  # times as many may what a pass made take
BITS = 1 << 13  # integers of more are not made
ELEMENTS = 1 << 12
LANES, REGISTER = 4, 128  # inputs at once
BLOCKS = 2000  # that one of them may take
LENGTHS = (0, 1, 2, 3, 5, 8, 16, 17, 64, 72)
# what z3 may spend on a question: its own count of steps, which is the same on every machine; and seconds
EFFORT = 4_000_000
PATIENCE = 20


class _Inconclusive(Exception):
    """A run that breaks a promise, or takes too much memory, which is the machine's."""


class _TooManySteps(Exception):
    pass


class _Run(Interpreter):
    """An interpreter that gives up."""

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
            raise _Inconclusive("too long an integer")
        match instruction.op, args:
            case "shift", (int(x), int(n)) if x and n + x.bit_length() > BITS:
                return (Long(x, n),)
            case "expt", (int(a), int(b)) if abs(a) > 1 and a.bit_length() * b > BITS:
                raise _Inconclusive("too long an integer")
            case "new", (count, _) if count > ELEMENTS:
                raise _Inconclusive("too long an array")
            case "assume", (x,) if isinstance(x, Long) or x not in instruction.attribute:
                raise _Inconclusive("a broken promise")
        return super()._step(instruction, args)


class _ClaimedRun(Claimed, _Run):
    left = SLOWER * STEPS


class _PlannedRun(Planned, _Run):
    left = SLOWER * STEPS


class _RunAfter(_Run):
    left = SLOWER * STEPS


class _MachineRun:
    """Words, asked as the interpreter of integers is."""

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
    """What a call came to. A trap is its message, with its place."""

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
    """What a call comes to; None if that says nothing. The arguments stay as they are.

    _TooManySteps, if it does not end within those that it may take.
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
        # an array that is one of those that there were before is that one
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
    """Numbers where mistakes are, without end."""
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
    """Arguments of the parameters' types, the same for a name each time, without end."""
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
    """Watches the passes over a module (passes.plans); Different says which went wrong, and how."""

    def __init__(self, module: Module):
        self.front = module.copy()
        # each function after its latest pass
        self.latest = {name: function.copy() for name, function in self.front.functions.items()}
        # by function, arguments and what a call with them comes to
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
            # z3 is not asked about a trap's words and its place
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
        """Both on the same arguments."""
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
            f"{function.name}: {stage} made something else of it: called with {_shown(args)} it {before}"
            f" before, and {after} after",
            function.position,
        ) from None

    def _proven(self, stage: str, before: Function, after: Function) -> bool:
        """Whether z3 says that they are the same; what it finds to differ is run."""
        if z3 is None:
            return False
        try:
            inputs = symbolic.Inputs(before, self.front)
            was, now = (symbolic.outcome(function, inputs) for function in (before, after))
        except symbolic.NotEncoded:
            return False
        solver = z3.Solver()
        solver.set("rlimit", EFFORT)
        solver.set("timeout", PATIENCE * 1000)
        solver.add(*inputs.limits, symbolic.differs(was, now, inputs))
        answer = solver.check()
        if answer == z3.sat:
            # run, it is seen by whoever reads the message
            args = inputs.example(solver)
            wanted = args and _ended(_Run(self._module(before)), before.name, args)
            if wanted:
                self._compare(stage, after, args, wanted, _RunAfter(self._module(after)))
        return answer == z3.unsat

    def plan(self, plan: Plan) -> None:
        """Compares how the function is compiled with the function."""
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
        """Compares the words that a function was lowered to with the function."""
        function = self.front.functions[name]
        self.count["in words"] += 1
        for args, wanted in self._calls(name):
            run = _MachineRun(words, signatures, self.front)
            # of an array of the module that is returned, words show what it holds
            given = sum(isinstance(arg, list) for arg in args)
            held = {f"array {at}": array for at, array in enumerate(wanted.arrays) if at >= given}
            values = tuple(held.get(x, x) if isinstance(x, str) else x for x in wanted.values)
            shown = replace(wanted, values=values)
            try:
                self._compare("lower", function, args, shown, run)
            except Fault as fault:
                self._different("lower", function, args, wanted, f"is at fault: {fault}")
            if run.of.left():
                self._different("lower", function, args, wanted, f"keeps {run.of.left()} objects")

    def lanes(self, words: MachineModule, name: str) -> None:
        """Compares the function of words in lanes with itself."""
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
                # it breaks a promise, or takes too long
                continue
            try:
                all_ = at_once(made, label, rows, bits, SLOWER * LANES * BLOCKS)
            except (Fault, MemoryError) as fault:
                all_ = str(fault)
            self.count["calls"] += LANES
            if one != all_:
                raise Different(
                    f"{name}: lanes made something else of it: called with {_shown(rows)} it returns"
                    f" {_shown(one) if one else 'nothing'} one by one, and at once {_shown(all_)}",
                    function.position,
                )

    def _rows(self, name: str) -> Iterator[list[list]]:
        """Arguments for all lanes: arrays are equally long, and either all calls trap, or none."""
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
