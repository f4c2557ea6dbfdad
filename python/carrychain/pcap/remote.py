"""Captures in object stores and other places that fsspec reads, by URL."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager


class _File:
    """An open remote file. Errors are reported with a reason."""

    def __init__(self, file) -> None:
        self._file = file
        self.close = file.close

    def readinto(self, view: memoryview) -> int | None:
        with _told():
            return self._file.readinto(view)


class Remote:
    """What a URL names: a file, a directory or a pattern. An OSError has the reason in its ``strerror``."""

    def __init__(self, url: str) -> None:
        try:
            import fsspec
        except ImportError:
            raise _unreadable(
                "a URL, which needs a missing package: pip install 'carrychain[dask]'"
            ) from None
        with _told():
            self._files, self._path = fsspec.core.url_to_fs(url)

    def open(self) -> _File:
        with _told():
            return _File(self._files.open(self._path, "rb"))

    def size(self) -> int:
        with _told():
            return self._files.size(self._path) or 0

    def matches(self) -> list[str]:
        """The URLs that match a pattern, or the URL itself."""
        if not set(self._path) & set("*?["):
            return [self._files.unstrip_protocol(self._path)]
        with _told():
            return [self._files.unstrip_protocol(path) for path in self._files.glob(self._path)]

    def search(self) -> list[str] | None:
        """The URLs of all files below a directory; None if this is not a directory."""
        with _told():
            if not self._files.isdir(self._path):
                return None
            return [self._files.unstrip_protocol(path) for path in self._files.find(self._path)]


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise _unreadable(os.strerror(errno.ENOENT)) from None
    except Exception as error:
        if isinstance(error, OSError) and error.strerror:
            raise
        # each store has errors of its own: no credentials, no such bucket, no network, a missing package
        raise _unreadable(f"{type(error).__name__}: {error}".splitlines()[0]) from None


def _unreadable(why: str) -> OSError:
    return OSError(errno.EIO, why)
