"""The progress bar of long work."""

from collections.abc import Iterable, Iterator
from threading import Lock, Timer

from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from carrychain.bindings.watch import Watch

from .console import err

PROGRESS_AFTER_S = 0.5


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
