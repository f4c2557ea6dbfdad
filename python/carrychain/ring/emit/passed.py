"""What compiled functions are called, and how their arguments and results are passed."""

from __future__ import annotations

from dataclasses import dataclass

from ..demand import below, exact_width
from ..ir import Array, Bool, Int, Type
from ..plan import ANY, BIG, Plan
from ..ranges import summary
from ..transfer import of_type

# the one function that Python calls (module.py)
ENTRY = "entry"


@dataclass(frozen=True)
class Passed:
    """How a parameter or result is passed: its type, and for an integer its container and sign."""

    type: Type
    container: int | None = None
    negative: bool = True

    @property
    def llvm(self) -> str:
        match self.type:
            case Bool():
                return "i1"
            case Array():
                return "ptr"
        return word_type(self.container)

    @property
    def owned(self) -> bool:
        """Whether it may be of the runtime's objects, and a result is its taker's."""
        return isinstance(self.type, Array) or (isinstance(self.type, Int) and self.container is BIG)


@dataclass
class Signature:
    params: list[Passed]
    results: list[Passed]

    @property
    def llvm(self) -> str:
        return "{" + ", ".join(["i32", *(result.llvm for result in self.results)]) + "}"


@dataclass(frozen=True)
class Site:
    """A check: its message, in which {operand} and {length} stand for what was found, and where.

    operand is "s" or "u" and a width for a word, "value" for a value of the runtime's, or nothing.
    """

    message: str
    position: str | None = None
    operand: str = ""


def word_type(bits: int | None) -> str:
    return f"i{64 if bits is BIG else bits}"


def storage(element: Int) -> int | None:
    """The bits an array's element takes; BIG for values."""
    return exact_width(of_type(element))


def signed_literal(value: int, bits: int) -> int:
    return (value + (1 << (bits - 1)) & below(bits)) - (1 << (bits - 1))


def symbol(name: str) -> str:
    """As LLVM quotes it."""
    plain = "-_.:*+<>=?!%&/"
    return "".join(c if (c.isascii() and c.isalnum()) or c in plain else _bytes(c) for c in name)


def _bytes(text: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in text.encode())


def function_label(name: str) -> str:
    return f"function:{name}"


def function_symbol(name: str) -> str:
    return f'@"{symbol(function_label(name))}"'


def signature(plan: Plan) -> Signature:
    function = plan.function
    params = [
        Passed(p.type, plan.containers[p], plan.ranges.get(p, ANY).negative)
        if isinstance(p.type, Int)
        else Passed(p.type)
        for p in function.params
    ]
    results = [
        Passed(t, exact_width(known), known.negative) if isinstance(t, Int) else Passed(t)
        for t, known in zip(function.results, summary(function, plan.ranges), strict=True)
    ]
    return Signature(params, results)
