"""The bytes of one capture from a file or a pipe: decompressed, and followed while it grows."""

import errno
import os
import select
import stat
from collections.abc import Iterator
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING

from .remote import Remote
from .unpack import LONGEST_MAGIC, format_of, unpacked

if TYPE_CHECKING:
    from .live import Live

# Between two looks whether a file has grown.
PAUSE_S = 0.1
# Who wrote into a pipe and was told to end, too, has so long to write what is left.
GRACE_S = 1.0


def _opened(name: str):
    if "://" in name:
        return Remote(name).open()
    # a duplicate, so that the standard input stays open
    return open(os.dup(0) if name == "-" else name, "rb", buffering=0)


class Source:
    """``name`` is a file, a URL, a pipe, or "-" for the standard input, unless it is ``live``'s; ``place`` is
    the number of bytes read.

    With ``until``, a file may grow until ``until`` is set. A pipe ends when it is closed, or when ``until``
    is set and nothing arrives for ``GRACE_S``. An OSError has the reason in its ``strerror``.
    """

    def __init__(self, name: str, until: Event | None = None, live: "Live | None" = None) -> None:
        self._file = live.open() if live else _opened(name)
        self._regular = "://" in name or stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
        self._name = name
        # what is at a URL is as long as it is
        self._until = None if "://" in name else until
        self._replaced = False
        self.place = 0
        # what was read and not given yet; None: the file's own bytes follow
        self._pieces: Iterator[bytes | None] | None = self._begin()
        self._piece = memoryview(b"")

    def readinto(self, view: memoryview) -> int | None:
        """The number of bytes read; 0 at the end.

        With ``until``, None if nothing is available now: call ``wait``.
        """
        while not self._piece:
            if self._pieces is None:
                return self._read(view)
            piece = next(self._pieces, b"")
            if not piece:
                return None if piece is None else 0
            self._piece = memoryview(piece)
        size = min(len(view), len(self._piece))
        view[:size] = self._piece[:size]
        self._piece = self._piece[size:]
        return size

    def wait(self) -> bool:
        """False if nothing more will come."""
        if self._until.is_set():
            return self._ready(GRACE_S)
        if self._regular:
            self._until.wait(PAUSE_S)
        else:
            self._ready(PAUSE_S)
        return True

    def close(self) -> None:
        self._file.close()

    def _begin(self) -> Iterator[bytes | None]:
        head = b""
        while len(head) < LONGEST_MAGIC:
            piece = self._take(LONGEST_MAGIC - len(head))
            if piece is None:
                yield None
            elif not piece:
                break
            else:
                head += piece
        if name := format_of(head):
            yield from unpacked(name, head, self._take)
        else:
            self._pieces = None
            yield head

    def _take(self, size: int) -> bytes | None:
        piece = bytearray(size)
        got = self._read(memoryview(piece))
        return None if got is None else bytes(piece[:got])

    def _read(self, view: memoryview) -> int | None:
        """The file's own bytes, as ``readinto``."""
        if self._until and not self._regular and not self._ready(0):
            return None
        # None: who gave it to us had it not block
        while (got := self._file.readinto(view)) is None:
            self._ready(None)
        if not got and self._may_grow():
            return None
        self.place += got
        return got

    def _ready(self, seconds: float | None) -> bool:
        """Whether reading stops blocking within this time."""
        poll = select.poll()
        poll.register(self._file, select.POLLIN)
        return bool(poll.poll(None if seconds is None else 1000 * seconds))

    def _may_grow(self) -> bool:
        if not self._until or self._until.is_set() or not self._regular:
            return False
        here = os.fstat(self._file.fileno())
        if here.st_size < self._file.tell():
            raise OSError(errno.EIO, "it was truncated")
        # what was written before it was replaced is read first
        if self._replaced:
            raise OSError(errno.EIO, "another file took its name and was not read")
        if self._name != "-":
            with suppress(FileNotFoundError):
                self._replaced = not os.path.samestat(os.stat(self._name), here)
        return True
