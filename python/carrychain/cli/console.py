"""Where the commands print."""

from typing import NoReturn

from rich.console import Console


class Output(Console):
    def on_broken_pipe(self) -> NoReturn:
        """Raises, because rich's own handler ends the process with an exit status that means an answer."""
        raise BrokenPipeError


out = Output(highlight=False)
err = Output(stderr=True, highlight=False)
