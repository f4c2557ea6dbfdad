"""Functions in lanes beside themselves one input at a time, in the interpreter of machine IR."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from carrychain.ring.call.compiled import identity
from carrychain.ring.call.many.columns import Uniform, given, together
from carrychain.ring.call.many.loops import Loops
from carrychain.ring.call.many.work import Work
from carrychain.ring.compile import lowered, plans
from carrychain.ring.ir.form import Module
from carrychain.ring.machine import form, verify
from carrychain.ring.machine.lanes import lanes
from carrychain.ring.machine.text import parse_module, print_module

COUNT = 4
REGISTER = 128


def words_of(module: Module) -> form.MachineModule:
    work = module.copy()
    return lowered(work, plans(work, True), frame=False).module


def in_lanes(
    words: form.MachineModule, name: str, differ: tuple[bool, ...], count: int = COUNT
) -> tuple[form.MachineModule, str]:
    """The function in lanes: well formed, and the same when it is printed and read."""
    made, label = lanes(words, name, differ, count, REGISTER)
    verify.verify_module(made)
    text = print_module(made)
    again = parse_module(text)
    assert print_module(again) == text
    return again, label


def integers(rng: random.Random, bits: int) -> int:
    """Random, of any length, and at the ends."""
    ends = 0, 1, (1 << bits) - 1, 1 << bits - 1
    return rng.choice((rng.getrandbits(bits), rng.getrandbits(rng.randint(0, bits)), rng.choice(ends)))


def rows(
    rng: random.Random, bits: list[int], arrays: dict[int, int], differ: tuple[bool, ...]
) -> Iterator[list]:
    """An input for each lane: integers, and where `arrays` says how long, elements."""
    same = None
    for _ in range(COUNT):
        row = [
            [integers(rng, size) for _ in range(arrays[at])] if at in arrays else integers(rng, size)
            for at, size in enumerate(bits)
        ]
        same = same or row
        yield [each if differs else shared for each, shared, differs in zip(row, same, differ, strict=True)]


# Machine code ------------------------------------------------------------------------------------------


def loops_of(module: Module, name: str) -> Loops:
    return Loops(identity(module), module.copy, (name,))


def many(loops: Loops, one: Callable, *args, threads: int = 1):
    """The results' columns, for arguments as vectorize has them; `one` gives the results of one input's."""
    params = loops.entry.params
    columns = [given(param, arg, param.name) for param, arg in zip(params, args, strict=True)]
    (count,) = together(columns, loops.entry.name)

    def of(at: int) -> tuple:
        differ = (not isinstance(column, Uniform) for column in columns)
        return tuple(one(*(arg[at] if differs else arg for arg, differs in zip(args, differ, strict=True))))

    return Work(loops, of, columns, count, threads).run()
