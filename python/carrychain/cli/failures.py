"""How the commands fail."""

import click

NO, TROUBLE = 1, 2


class Failure(click.ClickException):
    """Trouble in one line; what was wrong with the usage is click.UsageError."""

    exit_code = TROUBLE


class CheckFailed(click.ClickException):
    """The answer is "no", in one line."""

    exit_code = NO


def shown(text: str) -> str:
    """Foreign text for one line of a message: quoted, whatever is in it, and not too long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
