"""Compiled programs on disk. Whoever may write there decides what runs here, so only the user may.

A file appears under its name completely or not at all. A file that is damaged, or was made under another
name, is made again. The directory and each file belong to the user. Every directory on the way to it, and
every symbolic link, belongs to the user or to root, and nobody else may replace anything in it. Otherwise
nothing is read or written, and a warning says so once.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ..ir.parse import parse_interface, parse_type
from ..machine.abi import Passed
from ..machine.form import Site
from .marshal import EntryParameter, EntryPoint
from .program import Code

# The most programs.
KEPT = 512
# The most symbolic links on a path: as many as Linux follows.
LINKS = 40


def load(name: str) -> tuple[Code, bytes] | None:
    """What was saved under the name; None if there is nothing, or it may not be trusted."""
    directory = _directory()
    if directory is None:
        return None
    try:
        with open(os.open(directory / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
                return None
            data = file.read()
        digest, head, machine_code = data[:32], *data[32:].split(b"\n", 1)
    except (OSError, ValueError):
        return None
    if _digest(name, data[32:]) != digest:
        return None
    return _decoded(json.loads(head)), machine_code


def save(name: str, code: Code, machine_code: bytes) -> None:
    """Saves a program. If the cache cannot be written, programs are compiled each time."""
    directory = _directory()
    if directory is None:
        return
    data = json.dumps(_encoded(code)).encode() + b"\n" + machine_code
    try:
        _make(directory)
        handle, temporary = tempfile.mkstemp(dir=directory)
        try:
            with open(handle, "wb") as file:
                file.write(_digest(name, data) + data)
            os.replace(temporary, directory / name)
        except BaseException:
            os.unlink(temporary)
            raise
        _forget(directory)
    except OSError:
        return


def _digest(name: str, data: bytes) -> bytes:
    """The digest of a file and its name: under another name, it counts as damaged."""
    return hashlib.sha256(name.encode() + b"\n" + data).digest()


def _forget(directory: Path) -> None:
    """Deletes the older half of the programs if there are too many."""
    with os.scandir(directory) as listed:
        entries = list(listed)
    if len(entries) > KEPT:
        for entry in sorted(entries, key=lambda entry: entry.stat().st_mtime_ns)[: len(entries) // 2]:
            Path(entry).unlink(missing_ok=True)


# Where ---------------------------------------------------------------------------------------------


def _directory() -> Path | None:
    """The cache's directory, which may not exist yet; None if others could write to it."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    directory = Path(os.path.abspath(base)) / "carrychain"
    try:
        why = next(_doubts(directory), None)
    except OSError as error:
        why = f"{directory}: {error.strerror}"
    if why:
        _say(why)
        return None
    return directory


@cache
def _say(why: str) -> None:
    print(f"carrychain: compiled programs are not kept: {why}", file=sys.stderr)


def _doubts(path: Path) -> Iterator[str]:
    """Why the path cannot be trusted: each of its existing directories and links is checked."""
    at, todo, links = Path(path.anchor), list(path.parts[1:]), 0
    yield from _doubts_of(at, False)
    while todo:
        step = at / todo.pop(0)
        try:
            found = step.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return
        if not stat.S_ISLNK(found.st_mode):
            at = step.parent.parent if step.name == ".." else step
            yield from _doubts_of(at, not todo)
            continue
        links += 1
        if found.st_uid not in (0, os.geteuid()):
            yield f"the link {step} is somebody else's"
        if links > LINKS:
            yield f"{path} is a circle of links"
        target = Path(os.readlink(step))
        at = Path(target.anchor) if target.is_absolute() else at
        todo[:0] = target.parts[1:] if target.is_absolute() else target.parts


def _doubts_of(directory: Path, last: bool) -> Iterator[str]:
    found = directory.stat()
    if not stat.S_ISDIR(found.st_mode):
        # nothing can exist there
        return
    if found.st_uid != os.geteuid() and (last or found.st_uid):
        yield f"{directory} is somebody else's"
    # in a directory with the sticky bit, users can replace only their own files
    elif found.st_mode & 0o022 and (last or not found.st_mode & stat.S_ISVTX):
        yield f"others can write to {directory}"


def _make(directory: Path) -> None:
    """Makes the directory, private from the start, and its missing parents."""
    for each in (*reversed(directory.parents), directory):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)
    if stat.S_IMODE(directory.stat().st_mode) != 0o700:
        # made by an earlier version
        directory.chmod(0o700)


# What ----------------------------------------------------------------------------------------------


def _encoded(code: Code) -> dict:
    def passed(p: Passed) -> list:
        return [str(p.type), p.container, p.negative]

    return {
        "entries": [
            [
                e.name,
                [[p.name, passed(p.passed), p.written] for p in e.params],
                [passed(r) for r in e.results],
                str(e.interface),
            ]
            for e in code.entries.values()
        ],
        "sites": [[*site[:-1], *site.callers] for site in code.sites],
        "shared_values": code.shared_values,
        "lanes": code.lanes,
    }


def _decoded(data: dict) -> Code:
    def passed(p: list) -> Passed:
        return Passed(parse_type(p[0]), p[1], p[2])

    entries = [
        EntryPoint(
            name,
            number,
            [EntryParameter(n, passed(p), written) for n, p, written in params],
            [passed(r) for r in results],
            parse_interface(interface),
        )
        for number, (name, params, results, interface) in enumerate(data["entries"])
    ]
    sites = [Site(*site[:3], tuple(site[3:])) for site in data["sites"]]
    return Code({e.name: e for e in entries}, sites, data["shared_values"], data["lanes"])
