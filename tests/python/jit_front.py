"""A front end that is asked for functions whose IR is written by hand: the boundary of calls, alone."""

from collections.abc import Callable
from types import FunctionType

from carrychain.ring.call.jit.function import Jitted
from carrychain.ring.front.python.kinds import Guard, Lowered, PythonKind, Raised
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.form import INT, Module, Position
from carrychain.ring.ir.interface import NULL
from carrychain.ring.ir.parse import parse_module


class Front:
    """`text` is IR, or what makes it of the kinds; `lines` says where an operation or a trap stands: line
    and column after the function's first line."""

    def __init__(self, text: str | Callable, gives: PythonKind | Callable = INT, raised: list[Raised] = (),
                 guards: Callable[[], list[Guard]] = list, lines: dict[str, tuple[int, int]] | None = None,
                 refuses: str = ""):  # fmt: skip
        self.text = text
        self.gives = gives
        self.raised = list(raised)
        self.guards = guards
        self.lines = lines or {}
        self.refuses = refuses
        self.asked: list[tuple[PythonKind, ...]] = []

    def check(self, function: FunctionType) -> None:
        if self.refuses:
            raise SourceError(self.refuses, self._at(function, (0, 1)))

    def lower_function(self, function: FunctionType, kinds: tuple[PythonKind, ...]) -> Lowered:
        self.asked.append(kinds)
        text = self.text(*kinds) if callable(self.text) else self.text
        if text is None:
            raise SourceError("a refused construct", self._at(function, (1, 5)))
        module = parse_module(text)
        self._place(module, function)
        gives = self.gives(*kinds) if callable(self.gives) else self.gives
        return Lowered(module, "f", kinds, gives, self.raised, self.guards(), [function.__code__], {})

    @staticmethod
    def _at(function: FunctionType, place: tuple[int, int]) -> Position:
        line, column = place
        return Position(function.__code__.co_filename, function.__code__.co_firstlineno + line, column)

    def _place(self, module: Module, function: FunctionType) -> None:
        for each in module.functions.values():
            for i in each.instructions():
                if i.op in self.lines:
                    i.position = self._at(function, self.lines[i.op])
            for block in each.blocks:
                message = getattr(block.terminator, "message", None)
                if message in self.lines:
                    block.terminator.position = self._at(function, self.lines[message])


def made(
    function: FunctionType,
    text: str | Callable,
    gives: PythonKind | Callable = INT,
    fallback: bool = False,
    **others,
) -> Jitted:
    return Jitted(function, fallback, True, Front(text, gives, **others))


def ir(params: str, *lines: str, gives: str = "int", returns: str = "%r") -> str:
    """A function of one block."""
    return "\n  ".join((f"function @f -> ({gives}) {{\nentry({params}):", *lines, f"return {returns}\n}}"))


def of_kind(kind: PythonKind) -> str:
    """IR that returns its one argument."""
    from carrychain.ring.front.python.kinds import held

    types = held(kind)
    params = ", ".join(f"%a{at}: {type_}" for at, type_ in enumerate(types))
    values = ", ".join(f"%a{at}" for at, _ in enumerate(types))
    return ir(params, gives=", ".join(map(str, types)), returns=values)


__all__ = ["NULL", "Front", "made", "of_kind"]
