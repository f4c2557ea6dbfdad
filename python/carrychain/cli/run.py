"""From arguments to an exit status: whatever goes wrong is one line on stderr, and no traceback."""

import os
import signal
import sys

import click

from carrychain.files import CannotWrite

from .commands import carrychain
from .console import printable


def run(arguments: list[str]) -> int:
    # SIGTERM cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = carrychain.main(arguments, prog_name="carrychain", standalone_mode=False) or 0
        if sys.stdout:
            sys.stdout.flush()
        return status
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "carrychain"
        return complain(where, error.format_message(), 2)
    except click.ClickException as error:
        return complain("carrychain", error.format_message(), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return complain("carrychain", "interrupted", 1)
    except BrokenPipeError:
        # whoever read our output has had enough
        drop_output()
        return 1
    except MemoryError as error:
        return complain("carrychain", str(error) or "not enough memory", 1)
    except CannotWrite as error:
        return complain("carrychain", f"can't write {error.filename!r}: {error.strerror}", 1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return complain("carrychain", f"{where}{error.strerror or error}", 1)


def complain(where: str, message: str, status: int) -> int:
    drop_output()
    print(printable(f"{where}: {message}"), file=sys.stderr)
    return status


def drop_output() -> None:
    """Let what is still buffered for stdout go nowhere, so that the interpreter's last flush is quiet."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
