"""Decompresses captures while they are read: gzip, zstd, lz4 and xz, told by their first bytes."""

import errno
import sys
from collections.abc import Callable, Iterator

# What one step takes and gives at most. Where data are damaged, what the step would have given is lost.
PACKED = 1 << 16
UNPACKED = 1 << 17
# The end goes in byte by byte, so that a wrong checksum there loses nothing: no format's is longer.
TAIL = 64
# xz -9 wants 65 MiB; zstd's own limit, up to --long, is 128 MiB as well
MEMORY = 128 << 20


class _Inflate:
    """zlib's decompressor with the interface of the others."""

    def __init__(self) -> None:
        import zlib

        self._inflate = zlib.decompressobj(wbits=31)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inflate.decompress(self._inflate.unconsumed_tail + data, max_length)

    @property
    def needs_input(self) -> bool:
        return not self._inflate.unconsumed_tail

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def unused_data(self) -> bytes:
        return self._inflate.unused_data


def _gzip():
    import zlib

    return _Inflate, zlib.error


def _zstd():
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdDecompressor, zstd.ZstdError


def _lz4():
    import lz4.frame

    return lz4.frame.LZ4FrameDecompressor, RuntimeError


def _xz():
    import lzma

    return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, MEMORY), lzma.LZMAError


# By name; each gives what makes a decompressor of one member, and the error that it raises.
FORMATS = {"gzip": _gzip, "zstd": _zstd, "lz4": _lz4, "xz": _xz}
MAGICS = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    # a frame to be skipped: pzstd begins with one
    **{bytes([low]) + b"\x2a\x4d\x18": "zstd" for low in range(0x50, 0x60)},
    b"\x04\x22\x4d\x18": "lz4",
    b"\xfd7zXZ\0": "xz",
}
LONGEST_MAGIC = max(map(len, MAGICS))


def format_of(head: bytes) -> str | None:
    """The compression format of a file with these first bytes."""
    return next((name for magic, name in MAGICS.items() if head.startswith(magic)), None)


def unpacked(name: str, head: bytes, read: Callable[[int], bytes | None]) -> Iterator[bytes | None]:
    """The decompressed data in pieces of at most UNPACKED bytes; None where nothing is available now.

    All members of the file are read; zeros between them and after the last are padding. ``head`` precedes
    what ``read`` returns. ``read`` returns b"" at the end, and None if nothing is available now. An OSError
    has the reason in its ``strerror``.
    """
    try:
        new, error = FORMATS[name]()
    except ImportError:
        raise _unreadable(
            f"compressed by {name}, which needs a missing package: pip install 'carrychain[captures]'"
        ) from None
    member = None
    try:
        for data in _packed(head, read):
            if data is None:
                yield None
                continue
            while True:
                if not member:
                    data = data.lstrip(b"\0")
                    if not data:
                        break
                    member = new()
                piece = member.decompress(data, UNPACKED)
                data = b""
                if piece:
                    yield piece
                if member.eof:
                    data, member = member.unused_data or b"", None
                elif member.needs_input and len(piece) < UNPACKED:
                    break
    except error as what:
        raise _unreadable(f"its {name} data can't be unpacked ({what})") from None
    if member:
        raise _unreadable(f"its {name} data are truncated")


def _unreadable(why: str) -> OSError:
    return OSError(errno.EIO, why)


def _packed(head: bytes, read: Callable[[int], bytes | None]) -> Iterator[bytes | None]:
    held = head
    while (piece := read(PACKED)) != b"":
        if piece is None:
            # who has to wait is given all that there is
            yield held
            held = b""
            yield None
            continue
        held += piece
        if len(held) > TAIL:
            yield held[:-TAIL]
            held = held[-TAIL:]
    for at in range(len(held)):
        yield held[at : at + 1]
