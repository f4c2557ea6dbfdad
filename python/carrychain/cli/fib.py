"""carrychain fib: F(N) in decimal."""

import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from threading import Lock, Timer

import click
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from carrychain.bindings.fibonacci import (
    N_MAX,
    STRATEGIES,
    digits_memory_needed,
    fib_bigint,
    fib_digits,
    memory_needed,
    require_memory,
)
from carrychain.bindings.watch import THREADS_MAX, Watch, interruptible
from carrychain.files import PIECE, Writer, replacing

from . import fib_check
from .completion import FILE
from .console import err
from .failures import CheckFailed, shown

PROGRESS_AFTER_S = 0.5


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


class Bar:
    """A progress bar on stderr, shown only on a terminal and only for long work.

    It is shown from the start. While nothing of a part is done, it moves from side to side. A single long
    product reports no progress; then only the spinner before the bar and the time after it move.
    """

    def __init__(self, threads: int = 1) -> None:
        self._timer = Timer(PROGRESS_AFTER_S, self._show)
        self._timer.daemon = True
        self._lock = Lock()
        self._part = ""
        self._task: TaskID | None = None
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description:12}"),
            BarColumn(),
            TextColumn("{task.fields[percent]:4}"),
            TimeElapsedColumn(),
            console=err,
            transient=True,
        )
        self.watch = Watch(self.report if err.is_terminal else None, threads)

    def part(self, name: str) -> None:
        """The named part of the work begins."""
        with self._lock:
            self._part = name
            if self._task is not None:
                self._progress.remove_task(self._task)
                self._add()

    def _show(self) -> None:
        with self._lock:
            self._add()
            self._progress.start()

    def _add(self) -> None:
        self._task = self._progress.add_task(self._part, total=None, percent="")

    def report(self, done: int, total: int) -> None:
        """Reports how much of the part is done."""
        if self._task is not None and done:
            self._progress.update(self._task, completed=done, total=total, percent=f"{done / total:.0%}")

    def through(self, pieces: Iterable[bytes], total: int) -> Iterator[bytes]:
        """The pieces, each reported when the next is requested."""
        done = 0
        for piece in pieces:
            yield piece
            done += len(piece)
            self.report(min(done, total), total)

    def __enter__(self) -> "Bar":
        if err.is_terminal:
            self._timer.start()
        return self

    def __exit__(self, *_) -> None:
        if err.is_terminal:
            self._timer.cancel()
            self._timer.join()
        if self._task is not None:
            self._progress.stop()


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
