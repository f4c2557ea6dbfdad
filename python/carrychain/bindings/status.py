"""Turns the status codes of C functions into the exceptions that a Python programmer expects."""

from ._carrychain import lib


class Stopped(Exception):
    """The work was asked to stop, and did."""


def check(status: int, what: str) -> None:
    """Return if ``status`` is CC_OK; otherwise raise its exception. ``what`` begins the message."""
    if status == lib.CC_OK:
        return
    if status == lib.CC_ENOMEM:
        raise MemoryError(f"{what}: not enough memory")
    if status == lib.CC_EINTR:
        raise Stopped(f"{what}: stopped")
    if status == lib.CC_ERANGE:
        raise OverflowError(f"{what}: the value does not fit")
    raise ValueError(f"{what}: not a valid argument")
