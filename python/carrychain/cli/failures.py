"""How commands fail."""

import click

NO, TROUBLE, UNJUDGED = 1, 2, 3


class Failure(click.ClickException):
    """Trouble that is not a usage error (click.UsageError), as one line."""

    exit_code = TROUBLE


class CheckFailed(click.ClickException):
    """The answer is "no", as one line."""

    exit_code = NO


def shown(text: str) -> str:
    """Untrusted text for a one-line message: quoted, escaped and shortened."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
