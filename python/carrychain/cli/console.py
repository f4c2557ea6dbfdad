"""Where the commands print."""

from typing import NoReturn

from rich.console import Console


class Output(Console):
    def on_broken_pipe(self) -> NoReturn:
        """Not rich's, which ends the process with the status of an answer."""
        raise BrokenPipeError


out = Output(highlight=False)
err = Output(stderr=True, highlight=False)
