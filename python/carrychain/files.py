"""Output files that are written completely or not at all, with errors that say where writing failed."""

import contextlib
import errno
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

# What begins the name of a file that is not whole yet, or never was, if its writer was killed.
UNFINISHED = ".carrychain-"
# Bytes that are read, or written, between two moments at which Python sees a signal.
PIECE = 1 << 20


class CannotWrite(OSError):
    """``filename`` is the user's name for the file, even if a temporary one failed."""


@contextlib.contextmanager
def _writing(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CannotWrite(error.errno, error.strerror, name) from None


class Writer:
    """Writes to an open descriptor, without a buffer that could fail later.

    ``kept``: what was written can be read again, by ``pieces``.
    """

    def __init__(self, descriptor: int, name: str, *, kept: bool = False) -> None:
        self._descriptor = descriptor
        self._name = name
        self.kept = kept

    def write(self, data) -> None:
        rest = memoryview(data).cast("B")
        with _writing(self._name):
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]

    def write_at(self, place: int, data: bytes) -> None:
        """Overwrites earlier output, in a regular file."""
        with _writing(self._name):
            while data:
                written = os.pwrite(self._descriptor, data, place)
                place, data = place + written, data[written:]

    def pieces(self) -> Iterator[bytes]:
        """All output so far, from the beginning."""
        place = 0
        with _writing(self._name):
            while piece := os.pread(self._descriptor, PIECE, place):
                yield piece
                place += len(piece)


@contextlib.contextmanager
def spooled(descriptor: int, name: str) -> Iterator[Writer]:
    """``descriptor`` receives the output when the block ends, and nothing before."""
    with contextlib.ExitStack() as stack:
        with _writing(tempfile.gettempdir()):
            file = stack.enter_context(tempfile.TemporaryFile(buffering=0))
        yield Writer(file.fileno(), tempfile.gettempdir())
        file.seek(0)
        writer = Writer(descriptor, name)
        while piece := file.read(PIECE):
            writer.write(piece)


def _target(name: str) -> Path:
    """The file that the system would open or create under this name, after following links."""
    for _ in range(40):
        head, tail = os.path.split(name)
        if tail in ("", ".", ".."):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        # strict: to the system "missing/../x" is not x
        name = os.path.join(os.path.realpath(head or ".", strict=True), tail)
        if not os.path.islink(name):
            return Path(name)
        name = os.path.join(os.path.dirname(name), os.readlink(name))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _is_special(name: str) -> bool:
    """By its own name: the pipe behind /dev/stdout has no real one."""
    return os.path.exists(name) and not os.path.isfile(name)


def _replaceable(name: str) -> Path:
    if not name:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    target = _target(name)
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target


def expect_writable(path: str | os.PathLike) -> None:
    """Raises what ``replacing`` would: before long work, not after it. Nothing is made or opened."""
    name = os.fspath(path)
    with _writing(name):
        if os.path.isdir(name):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if _is_special(name):
            written = name
        elif not os.path.isdir(written := _replaceable(name).parent):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(written, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextlib.contextmanager
def replacing(path: str | os.PathLike) -> Iterator[Writer]:
    """``path`` receives the complete output when the block ends, and never a part of it.

    The bytes are written to a temporary file next to ``path``, synced to disk, and then renamed. If the block
    raises, ``path`` does not change. If it is not a regular file (a device, a pipe), it is written directly.
    """
    name = os.fspath(path)
    if _is_special(name):
        with _writing(name):
            descriptor = os.open(name, os.O_WRONLY)
        try:
            yield Writer(descriptor, name)
        finally:
            os.close(descriptor)
        return
    with _writing(name):
        target = _replaceable(name)
        temporary = target.with_name(f"{UNFINISHED}{secrets.token_hex(8)}")
    try:
        with _writing(name):
            descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with _writing(name), contextlib.suppress(FileNotFoundError):
                # who may not read the old one is not to read the new one
                os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
            yield Writer(descriptor, name, kept=True)
            with _writing(name):
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        with _writing(name):
            os.replace(temporary, target)
    except BaseException:
        # it may not have been made
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def write_text(path: str | os.PathLike, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())
