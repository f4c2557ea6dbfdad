"""Where carrychain verify --fix writes."""

import os
import stat
import sys

import click

from carrychain.files import replacing, spooled

from .failures import Failure

COMPRESSED = (".gz", ".zst", ".lz4", ".xz")


def output(ctx: click.Context, captures: list[str], fixed: str):
    """A new file, or the standard output."""
    if len(captures) > 1:
        raise click.UsageError(f"--fix takes one capture, not {len(captures)}", ctx)
    if fixed.endswith(COMPRESSED):
        raise click.UsageError(
            f"--fix writes an uncompressed capture, but {fixed!r} names a compressed one: "
            "give another name, or pipe - to a compressor",
            ctx,
        )
    if fixed == "-" and sys.stdout.isatty():
        raise click.UsageError(
            "--fix - writes to the standard output, which is a terminal: redirect it, or name a file",
            ctx,
        )
    try:
        old = os.stat(1 if fixed == "-" else fixed)
    except OSError:
        return spooled(1, "standard output") if fixed == "-" else replacing(fixed)
    if fixed != "-" and not stat.S_ISREG(old.st_mode):
        raise click.UsageError(f"--fix writes to a regular file; {fixed!r} is not one", ctx)
    try:
        same = "://" not in captures[0] and os.path.samestat(
            os.stat(0 if captures[0] == "-" else captures[0]), old
        )
    except OSError as error:
        raise Failure(f"{captures[0]}: {error.strerror}") from None
    if same and stat.S_ISREG(old.st_mode):
        raise click.UsageError(f"--fix never overwrites its input {fixed!r}: give a new name", ctx)
    return spooled(1, "standard output") if fixed == "-" else replacing(fixed)
