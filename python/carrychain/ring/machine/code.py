"""Machine IR made ready to be interpreted: each operation is looked at once, however often it runs.

A constant becomes a word that every run of the function begins with. So all operands are words, and a block
is a list of functions that act on the values of words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .form import (
    Const,
    MachineBlock,
    MachineBranch,
    MachineFail,
    MachineFunction,
    MachineJump,
    MachineReturn,
    Op,
    Operand,
    Site,
    Word,
)

Values = dict[Word, object]
# Acts on the values of words, and on the frame.
Step = Callable[[Values, object], None]


@dataclass(eq=False, slots=True)
class BlockCode:
    steps: list[Step]
    # moves what is passed, and gives the next block
    leave: Callable[[Values], BlockCode] | None = None
    returned: list[Word] | None = None
    fails: Site | None = None


@dataclass(eq=False, slots=True)
class FunctionCode:
    entry: BlockCode
    constants: Values = field(default_factory=dict)


def ready(
    function: MachineFunction, step: Callable[[Op, list[Word]], Step], value: Callable[[Const], object]
) -> FunctionCode:
    """`step` makes the step of an operation on these words, `value` the value of a constant."""
    made = FunctionCode(BlockCode([]))
    words: dict[Const, Word] = {}

    def word(operand: Operand) -> Word:
        if isinstance(operand, Word):
            return operand
        if operand not in words:
            words[operand] = Word(0, operand.type)
            made.constants[words[operand]] = value(operand)
        return words[operand]

    blocks = {
        block: BlockCode([step(op, [word(arg) for arg in op.args]) for op in block.ops])
        for block in function.blocks
    }
    for block, code in blocks.items():
        _end(block, code, blocks, word)
    made.entry = blocks[function.blocks[0]]
    return made


def _end(
    block: MachineBlock,
    code: BlockCode,
    blocks: dict[MachineBlock, BlockCode],
    word: Callable[[Operand], Word],
) -> None:
    match block.end:
        case MachineJump(to, args):
            code.leave = _jump(blocks[to], to.params, [word(arg) for arg in args])
        case MachineBranch(condition, then, otherwise):
            code.leave = _branch(word(condition), blocks[then], blocks[otherwise])
        case MachineReturn(args):
            code.returned = [word(arg) for arg in args]
        case MachineFail(site):
            code.fails = site


def _jump(to: BlockCode, params: list[Word], args: list[Word]) -> Callable[[Values], BlockCode]:
    if not args and not params:
        return lambda values: to

    def jump(values: Values) -> BlockCode:
        found = [values[arg] for arg in args]
        values.update(zip(params, found, strict=True))
        return to

    return jump


def _branch(condition: Word, then: BlockCode, otherwise: BlockCode) -> Callable[[Values], BlockCode]:
    return lambda values: then if values[condition] else otherwise


def pure(f: Callable, args: list[Word], result: Word) -> Step:
    """A step that depends on its operands alone."""
    if len(args) == 2:
        a, b = args

        def binary(values: Values, frame: object) -> None:
            values[result] = f(values[a], values[b])

        return binary
    (x,) = args

    def unary(values: Values, frame: object) -> None:
        values[result] = f(values[x])

    return unary


def acting(act: Callable, op: Op, args: list[Word], result: Word | None) -> Step:
    """A step that acts on the frame, whose method `act` is."""
    if result is None:
        return lambda values, frame: act(frame, op, *[values[arg] for arg in args])

    def acted(values: Values, frame: object) -> None:
        values[result] = act(frame, op, *[values[arg] for arg in args])

    return acted
