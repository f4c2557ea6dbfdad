"""The command line as a person has it: a process of its own."""

import os
import pty
import subprocess
import sys
from contextlib import suppress
from functools import cache

from forked import Original

COMMAND = [sys.executable, "-m", "carrychain"]
# of the machine's, what a shell always has; anything else a person may not have set
KEPT = ("PATH", "HOME", "TMPDIR", "CARRYCHAIN_BUILD")
ENVIRONMENT = {name: os.environ[name] for name in KEPT if name in os.environ}


# most of what these commands do is to import this; copies for others need not have it
COMPILER = tuple(
    f"carrychain.ring.{name}" for name in ("explain.advise", "explain.python", "call.load", "trust.validate")
)
COMPILING = ("run", "explain")


@cache
def original(*imported: str) -> Original:
    return Original(ENVIRONMENT, *imported)


def run(*arguments: str, **options) -> subprocess.CompletedProcess:
    """Begun by a copy: see forked.py; what it reads when it begins is the same for all."""
    imported = COMPILER if arguments and arguments[0] in COMPILING else ()
    return original(*imported).run(arguments, **options)


def run_anew(*arguments: str, **options) -> subprocess.CompletedProcess:
    """With all that happens before the first line of ours, and whatever is in its environment."""
    environment = ENVIRONMENT | options.pop("env", {})
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([*COMMAND, *arguments], text=True, env=environment, **options)


def start(*arguments: str, **options) -> subprocess.Popen:
    environment = ENVIRONMENT | options.pop("env", {})
    return subprocess.Popen([*COMMAND, *arguments], env=environment, **options)


def piped(*arguments: str, **options) -> subprocess.CompletedProcess:
    """Of bytes: with an `input`, and what it writes."""
    return subprocess.run([*COMMAND, *arguments], capture_output=True, env=ENVIRONMENT, **options)


def start_on_terminal(*arguments: str, streams=("stderr",), **options) -> tuple[subprocess.Popen, int]:
    """With these streams at a terminal: the process, and what reads what is shown there."""
    ours, theirs = pty.openpty()
    process = start(*arguments, **dict.fromkeys(streams, theirs), **options)
    os.close(theirs)
    return process, ours


def shown(terminal: int, until: bytes = b"") -> bytes:
    """What a terminal shows, to the end or until it shows this."""
    seen = b""
    # the end of a terminal that nobody has open any more is an error
    with suppress(OSError):
        while not (until and until in seen) and (more := os.read(terminal, 1 << 16)):
            seen += more
    return seen


def printed(*arguments: str, **options) -> str:
    """What a command prints that succeeds, and says nothing else."""
    result = run(*arguments, **options)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def complaint(result: subprocess.CompletedProcess, status: int) -> str:
    """The one line on stderr of a command that failed with this status, and printed nothing else."""
    assert result.returncode == status, result.stderr
    assert not result.stdout
    assert result.stderr.startswith("carrychain")
    assert result.stderr.count("\n") == 1 and result.stderr.endswith("\n"), result.stderr
    return result.stderr[:-1]
