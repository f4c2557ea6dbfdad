"""Python functions by all of the compiler but LLVM: their machine IR, interpreted, as a decorator like `jit`.

Arguments are looked at, and kinds found, as `jit` does. The copies for words and for short arrays are not
made: they are LLVM's programs' alone.
"""

from collections.abc import Callable
from types import FunctionType

import exact
import jit_interpreted
import numpy as np
from carrychain.ring.call.jit.arguments import Unfit
from carrychain.ring.call.jit.narrowed import joined
from carrychain.ring.compile import lowered, plans
from carrychain.ring.front.python.kinds import Lowered, PythonKind
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.machine.code import FunctionCode
from carrychain.ring.machine.form import MachineFunction
from carrychain.ring.machine.interpret import Fault, MachineInterpreter

BLOCKS = 100_000  # that a call may enter


def entry(function: FunctionType) -> Callable:
    """The function that a program is entered by."""
    jitted = exact.jit(function)

    def kinds_of(args: tuple) -> tuple[PythonKind, ...]:
        return jitted._kinds_of(args)

    called = jit_interpreted.entry(function, kinds_of, Compiled)

    def call(*passed):
        try:
            return called(*passed)
        except Unfit as unfit:
            if unfit.integer:
                return function(*passed)
            raise unfit.error from None

    return call


class Compiled:
    """What the front end made, compiled to words."""

    def __init__(self, made: Lowered):
        # as `jit` compiles it
        self.made = joined(made)
        module = made.module.copy()
        self.words, self.signatures, _ = lowered(module, plans(module, True))
        self.code: dict[MachineFunction, FunctionCode] = {}

    def call(self, *args) -> list:
        """Arrays are lent as lists, and come back as what was passed."""
        arrays = [arg for arg in args if not isinstance(arg, int)]
        if overlap(arrays):
            # which the words' interpreter has not
            return Interpreter(self.made.module).call(self.made.entry, *args)
        lists = {id(each): list(each) for each in arrays}
        of = MachineInterpreter(self.words, self.signatures, BLOCKS, code=self.code)
        try:
            results = of.call(self.made.entry, *(lists.get(id(arg), arg) for arg in args))
        except Fault:
            if of.left_to_run < 0:
                raise jit_interpreted.Long from None
            raise
        except RecursionError:
            # the interpreter's stands for the program's
            raise RecursionError("maximum recursion depth exceeded") from None
        finally:
            for each in arrays:
                for at, (x, y) in enumerate(zip(each, lists[id(each)], strict=True)):
                    if x != y:
                        each[at] = y
        if of.left():
            raise Fault(f"{of.left()} objects are leaked")
        passed = {id(lists[id(each)]): each for each in arrays}
        return [passed.get(id(result), result) for result in results]


def overlap(arrays: list) -> bool:
    """Whether two of them share memory, and are not the same."""
    views = {id(each): each for each in arrays if not isinstance(each, list | tuple | bytes)}
    held = [np.asarray(getattr(each, "array", each)) for each in views.values()]
    return any(np.shares_memory(a, b) for at, a in enumerate(held) for b in held[:at])
