"""carrychain fib: F(N) in decimal."""

import re
from collections.abc import Iterator
from contextlib import nullcontext

import click

from carrychain.bindings.fibonacci import (
    N_MAX,
    STRATEGIES,
    digits_memory_needed,
    fib_bigint,
    fib_digits,
    memory_needed,
    require_memory,
)
from carrychain.bindings.watch import THREADS_MAX, interruptible
from carrychain.files import PIECE, Writer, replacing

from . import fib_check
from .completion import FILE
from .console import err
from .failures import CheckFailed, shown
from .progress import Bar


class FibonacciIndex(click.ParamType):
    name = "N"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if re.fullmatch("-[0-9]+", value):
            raise click.UsageError(f"N must be 0 or more, not {value[:60]}", ctx)
        if value.startswith("-"):
            raise click.NoSuchOption(value[:60], ctx=ctx)
        if not re.fullmatch("[0-9]+", value):
            hint = "a whole number in plain digits, such as 1000000"
            raise click.UsageError(f"N must be {hint}, not {shown(value)}", ctx)
        digits = value.lstrip("0") or "0"
        if len(digits) > len(str(N_MAX)) or int(digits) > N_MAX:
            raise click.UsageError(f"N must be at most {N_MAX}", ctx)
        return int(digits)


# -3 is not an option, but a number about which we can give a better message.
@click.command(
    context_settings={"ignore_unknown_options": True}, short_help="The Fibonacci number F(N) in decimal."
)
@click.argument("n", type=FibonacciIndex(), metavar="N")
@click.option("--out", type=FILE, metavar="FILE", help="Write to FILE instead of the standard output.")
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    default=STRATEGIES[0],
    show_default=True,
    help="The algorithm; all give the same number.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, THREADS_MAX),
    default=1,
    show_default=True,
    metavar="COUNT",
    help="The number of processors that share long products.",
)
@click.option(
    "--check", is_flag=True, help="Check the number and what was written; exit status 1 if either is wrong."
)
def fib(n: int, out: str | None, strategy: str, threads: int, check: bool) -> None:
    """The Fibonacci number F(N) in decimal: F(0) = 0, F(1) = 1, F(n) = F(n - 1) + F(n - 2).

    Long work shows its progress on a terminal. FILE is written completely or not at all. A number that does
    not fit in memory is refused at once.

    --check needs no other program. It compares the number before its conversion, and the digits in FILE, with
    what follows from N alone: residues modulo random 61-bit primes, the number of digits, the first and the
    last digits. It reports the result on the standard error. A wrong number is not written.
    """
    needed = memory_needed(n, strategy, decimal=True) if check else digits_memory_needed(n, strategy)
    require_memory(n, needed, f"F({n}) in decimal")
    with nullcontext(Writer(1, "standard output")) if out is None else replacing(out) as file:
        with Bar(threads) as bar:

            def work():
                bar.part("computing")
                if strategy == STRATEGIES[0] and not check:
                    return None, fib_digits(n, strategy, bar.watch)
                f = fib_bigint(n, strategy, bar.watch)
                bar.part("converting")
                return f if check else None, f.digits(10, bar.watch)

            f, digits = interruptible(work, bar.watch.stop)
            if file.kept:
                bar.part("writing")
                for piece in bar.through(_pieces(digits), len(digits)):
                    file.write(piece)
            if check:
                bar.part("checking")
                moduli = fib_check.primes()
                pieces = file.pieces() if file.kept else _pieces(digits)
                if wrong := fib_check.wrong(n, f, bar.through(pieces, len(digits)), moduli):
                    raise CheckFailed(f"F({n}) is wrong {'; '.join(wrong)}")
        if not file.kept:
            # perhaps onto the terminal that the bar was on
            for piece in _pieces(digits):
                file.write(piece)
    if check:
        err.print(fib_check.told(n, moduli), soft_wrap=True)


def _pieces(digits) -> Iterator[memoryview]:
    """The digits, and a newline after them."""
    text = memoryview(digits)
    for at in range(0, len(text), PIECE):
        yield text[at : at + PIECE]
    yield memoryview(b"\n")
