"""Shared objects, made by the C compiler of this machine."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

# The same inputs give the same bytes: nothing of the folder, the time or the build is in them.
OPTIONS = ["-shared", "-fPIC", "-O2", "-s", "-Wl,--build-id=none", "-Wl,-z,noexecstack"]


def compiler() -> list[str]:
    """The C compiler's command: that of the environment's CC, or cc."""
    return shlex.split(os.environ.get("CC", "")) or ["cc"]


def version() -> str:
    """What the C compiler says that it is, in one line."""
    return _run([*compiler(), "--version"]).partition("\n")[0]


def shared_object(files: dict[str, bytes], options: list[str]) -> bytes:
    """Runs the compiler with these options where these files are; OSError if it fails."""
    with TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        _run([*compiler(), *OPTIONS, *options, "-o", "made.so"], folder)
        return Path(folder, "made.so").read_bytes()


def _run(command: list[str], folder: str | None = None) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise OSError(f"there is no C compiler {command[0]}: install one, or name it in CC") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or ["it failed"]
        raise OSError(f"the C compiler {command[0]}: {lines[0]}")
    return done.stdout
