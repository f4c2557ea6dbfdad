"""From arguments to an exit status. Every failure is one line on stderr, without a traceback.

0: success. 1: the answer is "no". 2: trouble: no answer, or not all of it was written. 130: interrupted.
"""

import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import click

from carrychain.files import CannotWrite
from carrychain.texts import printable

from .commands import carrychain
from .failures import TROUBLE
from .interrupts import INTERRUPTED, SIGNALS, interrupted

# what a shell asks in when it completes a line: see click's Shell Completion
COMPLETE = "_CARRYCHAIN_COMPLETE"


def run(arguments: list[str]) -> int:
    hold_descriptors()
    try:
        with cleaning_up():
            status = invoke(arguments)
            sys.stdout.flush()
        return status
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "carrychain"
        return complain(where, error.format_message(), TROUBLE)
    except click.ClickException as error:
        return complain("carrychain", error.format_message(), error.exit_code)
    except KeyboardInterrupt:
        return complain("carrychain", "interrupted", INTERRUPTED)
    except BrokenPipeError:
        # whoever read our output has had enough, or what we said beside it
        drop(1)
        try:
            sys.stderr.flush()
        except OSError:
            drop(2)
        return TROUBLE
    except MemoryError as error:
        return complain("carrychain", str(error) or "not enough memory", TROUBLE)
    except CannotWrite as error:
        return complain("carrychain", f"can't write {error.filename!r}: {error.strerror}", TROUBLE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return complain("carrychain", f"{where}{error.strerror or error}", TROUBLE)
    except Exception:
        # our own mistake, which Python would give the status of an answer
        drop(1)
        traceback.print_exc()
        return TROUBLE


def invoke(arguments: list[str]) -> int:
    """Replaces click's main(), which handles Ctrl-C and closed pipes differently."""
    if instruction := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(carrychain, {}, "carrychain", COMPLETE, instruction)
    try:
        with carrychain.make_context("carrychain", arguments) as context:
            carrychain.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    return 0


@contextmanager
def cleaning_up() -> Iterator[None]:
    """Ctrl-C and termination signals raise KeyboardInterrupt here; elsewhere they end the process at once."""
    held = [each for each in SIGNALS if signal.getsignal(each) is interrupted]
    try:
        for number in held:
            signal.signal(number, signal.default_int_handler)
        yield
    finally:
        for number in held:
            signal.signal(number, interrupted)


def hold_descriptors() -> None:
    """Opens missing standard descriptors, so that no file gets their numbers and using them fails."""
    for descriptor, name, mode, unusable in (
        (0, "stdin", "r", os.O_WRONLY),
        (1, "stdout", "w", os.O_RDONLY),
        (2, "stderr", "w", os.O_RDONLY),
    ):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, unusable)
            if null != descriptor:
                os.dup2(null, descriptor)
                os.close(null)
            setattr(sys, name, os.fdopen(descriptor, mode))


def complain(where: str, message: str, status: int) -> int:
    drop(1)
    try:
        print(printable(f"{where}: {message}"), file=sys.stderr, flush=True)
    except OSError:
        drop(2)
    return status


def drop(descriptor: int) -> None:
    """Discards what is still buffered, so that the interpreter's final flush is silent."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)
