"""carrychain fib: F(N) in decimal."""

import re
from contextlib import nullcontext
from threading import Lock, Timer

import click
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from carrychain.bindings.fibonacci import N_MAX, STRATEGIES, fib_bigint
from carrychain.bindings.watch import Watch, interruptible
from carrychain.files import Writer, replacing

from .console import Failure, err, shown

PROGRESS_AFTER_S = 1


class Index(click.ParamType):
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
    """A progress bar for a watch, on stderr: only if that is a terminal, and only if it takes long.

    It moves from the beginning: as long as nothing is done of a part, from side to side.
    """

    def __init__(self) -> None:
        self._timer = Timer(PROGRESS_AFTER_S, self._show)
        self._timer.daemon = True
        self._lock = Lock()
        self._part = ""
        self._task: TaskID | None = None
        self._progress = Progress(
            TextColumn("{task.description:12}"),
            BarColumn(),
            TextColumn("{task.fields[percent]:4}"),
            TimeElapsedColumn(),
            console=err,
            transient=True,
        )
        self.watch = Watch(self._report if err.is_terminal else None)

    def part(self, name: str) -> None:
        """Now begins the part of the work of that name."""
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

    def _report(self, done: int, total: int) -> None:
        if self._task is not None and done:
            self._progress.update(self._task, completed=done, total=total, percent=f"{done / total:.0%}")

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


# -3 is no option, but a number that we can say something about.
@click.command(
    context_settings={"ignore_unknown_options": True}, short_help="The Fibonacci number F(N) in decimal."
)
@click.argument("n", type=Index(), metavar="N")
@click.option("--out", metavar="FILE", help="Write to FILE instead of the standard output.")
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    default=STRATEGIES[0],
    show_default=True,
    help="How to compute it; all give the same number.",
)
def fib(n: int, out: str | None, strategy: str) -> None:
    """The Fibonacci number F(N) in decimal: F(0) = 0, F(1) = 1, F(n) = F(n - 1) + F(n - 2).

    Progress is shown on the terminal if it takes long. FILE is written whole or not at all.
    """
    with nullcontext(Writer(1, "standard output")) if out is None else replacing(out) as file:
        with Bar() as bar:

            def work():
                bar.part("computing")
                f = fib_bigint(n, strategy, bar.watch)
                bar.part("in decimal")
                return f.digits(10, bar.watch)

            try:
                digits = interruptible(work, bar.watch.stop)
            except MemoryError:
                raise Failure(f"not enough memory for F({n})") from None
        file.write(digits)
        file.write(b"\n")
