"""Where the commands print, and how they fail."""

import click
from rich.console import Console

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class Failure(click.ClickException):
    """One line, exit status 1. Usage errors are click.UsageError: one line, exit status 2."""


def shown(text: str) -> str:
    """Foreign text for one line of a message: quoted, whatever is in it, and not too long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def printable(text: str) -> str:
    """Foreign text as one line of a terminal: what is no text, or could steer the terminal, is escaped."""
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
