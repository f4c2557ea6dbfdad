"""Finds captures by the names of files and directories, and by patterns."""

import glob
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from carrychain.bindings.capture import FOREIGN, HEAD, MORE
from carrychain.files import UNFINISHED

from .batch import Batch, Framing
from .remote import Remote
from .source import Source


def captures_in(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The captures under their own names, in order, and the other files found with them.

    A name that does not exist may be a shell pattern; ** matches directories at any depth. Directories are
    searched recursively, in natural order, for files that begin as a capture does, compressed or not. A
    directory that cannot be read or has no captures, and a name that matches nothing, are returned among the
    captures, so that reading them reports the error.
    """
    captures, others = [], []
    for name in names:
        for path in _matches(name):
            found = _search(path)
            if found is None:
                captures.append(path)
                continue
            before = len(captures)
            for file, known in found:
                (captures if known else others).append(file)
            if len(captures) == before:
                captures.append(path)
    return captures, others


def natural(path: str) -> list[list[tuple]]:
    """A sort key that compares numbers by value: a.pcap, a.pcap2, a.pcap10, a2.pcap."""
    return [
        [
            (0,) if word == "." else (1, int(word), word) if word.isdecimal() else (2, word)
            for word in re.findall(r"\.|[0-9]+|[^.0-9]+", part)
        ]
        for part in path.split(os.sep)
    ]


def _matches(name: str) -> list[str]:
    if name == "-" or os.path.lexists(name):
        return [name]
    if "://" in name:
        with suppress(OSError):
            return sorted(Remote(name).matches(), key=natural) or [name]
        return [name]
    return sorted(glob.glob(name, recursive=True), key=natural) or [name]


def _search(path: str) -> Iterable[tuple[str, bool]] | None:
    """Each file of a directory, and whether it is a capture; None if this is not a directory."""
    if "://" in path:
        with suppress(OSError):
            files = Remote(path).search()
            return files and [(file, _is_capture(file)) for file in sorted(files, key=natural)]
        return None
    return _walk(path) if path != "-" and os.path.isdir(path) else None


def _walk(top: str) -> Iterator[tuple[str, bool]]:
    closed = []
    for path, directories, files in os.walk(top, onerror=lambda error: closed.append(error.filename)):
        directories.sort(key=natural)
        for file in sorted(files, key=natural):
            file = os.path.join(path, file)
            yield file, _is_capture(file)
    for path in closed:
        yield path, True


def _is_capture(path: str) -> bool:
    # what a repair began, and was killed before it was a capture
    if os.path.basename(path).startswith(UNFINISHED):
        return False
    # what is no file, and the kernel's, which have no size, may never end
    if "://" not in path and (not os.path.isfile(path) or not os.path.getsize(path)):
        return False
    batch, framing = Batch(HEAD), Framing()
    try:
        source = Source(path)
        try:
            while batch.c.filled < HEAD and (got := source.readinto(batch.view(batch.c.filled, HEAD))):
                batch.c.filled += got
        finally:
            source.close()
    except OSError:
        return True
    status = batch.cut(framing)
    # more than its first word was wanted: that is known
    return status != FOREIGN and (status != MORE or framing.need > 4)
