"""Small random changes of a function, each of which can be taken back."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from carrychain.ring.ir.form import Branch, Function, Instruction, Int, Value

FAMILIES = (
    ("eq", "ne", "lt", "le", "gt", "ge"),
    ("add", "sub", "mul"),
    ("and", "ior", "xor", "andc1"),
    ("fdiv", "fmod", "tdiv", "trem"),
    ("low", "field"),
)
RELATED = {op: family for family in FAMILIES for op in family}


def _put(owner: object, name: str, value: object) -> Callable[[], None]:
    was = getattr(owner, name)
    setattr(owner, name, value)
    return lambda: setattr(owner, name, was)


def _instructions(function: Function, *ops: str) -> list[Instruction]:
    return [i for i in function.instructions() if i.op in ops]


def _other(function: Function, value: Value, rng: random.Random) -> Value:
    """One of the same kind."""
    return rng.choice([each for each in function.values() if type(each.type) is type(value.type)])


def operand(function: Function, rng: random.Random):
    i = rng.choice([i for i in function.instructions() if i.args])
    args = list(i.args)
    at = rng.randrange(len(args))
    args[at] = _other(function, args[at], rng)
    return _put(i, "args", args)


def number(function: Function, rng: random.Random):
    numbers = [i for i in _instructions(function, "const", "low", "field") if type(i.attribute) is int]
    i = rng.choice(numbers)
    more = i.attribute + rng.choice((1, -1, 1, -1, 2, 7, -i.attribute))
    return _put(i, "attribute", more if i.op == "const" else max(more, 1))


def operation(function: Function, rng: random.Random):
    i = rng.choice(_instructions(function, *RELATED))
    return _put(i, "op", rng.choice(RELATED[i.op]))


def checked_type(function: Function, rng: random.Random):
    i = rng.choice(_instructions(function, "narrow"))
    ends = {"low": i.attribute.low, "high": i.attribute.high}
    name = rng.choice(list(ends))
    ends[name] = None if ends[name] is None or rng.random() < 0.3 else ends[name] + rng.choice((1, -1))
    return _put(i, "attribute", Int(**ends))


def ways(function: Function, rng: random.Random):
    end = rng.choice([b.terminator for b in function.blocks if isinstance(b.terminator, Branch)])
    end.then, end.otherwise = end.otherwise, end.then

    def back() -> None:
        end.then, end.otherwise = end.otherwise, end.then

    return back


def passed(function: Function, rng: random.Random):
    edge = rng.choice([edge for b in function.blocks for edge in b.terminator.edges if edge.args])
    args = list(edge.args)
    at, other = rng.randrange(len(args)), rng.randrange(len(args))
    if at != other:
        args[at], args[other] = args[other], args[at]
    else:
        args[at] = _other(function, args[at], rng)
    return _put(edge, "args", args)


def target(function: Function, rng: random.Random):
    edges = [edge for b in function.blocks for edge in b.terminator.edges]
    edge = rng.choice(edges)
    alike = [b for b in function.blocks[1:] if len(b.params) == len(edge.args)]
    return _put(edge, "block", rng.choice(alike))


def order(function: Function, rng: random.Random):
    """An instruction is gone, or elsewhere."""
    block = rng.choice([b for b in function.blocks if b.instructions])
    instructions = list(block.instructions)
    i = instructions.pop(rng.randrange(len(instructions)))
    if rng.random() < 0.7:
        instructions.insert(rng.randrange(len(instructions) + 1), i)
    return _put(block, "instructions", instructions)


FORGERIES = (operand, operand, number, operation, checked_type, ways, passed, passed, target, order)


@contextmanager
def forged(function: Function, rng: random.Random) -> Iterator[None]:
    """With one change, if there is something to change that way."""
    try:
        back = rng.choice(FORGERIES)(function, rng)
    except IndexError:
        # nothing to choose from
        yield
        return
    try:
        yield
    finally:
        back()
