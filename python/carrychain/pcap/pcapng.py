"""pcapng as bytes, little-endian: a capture's header, interfaces, and packets with comments.

One section, as Wireshark's dumpcap takes it from a pipe (draft-ietf-opsawg-pcapng).
"""

import struct
from collections.abc import Sequence

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
# options; the last two are an interface's, a packet's is FLAGS
COMMENT, FLAGS, NAME, TICKS = 1, 2, 2, 9
END_OF_OPTIONS = bytes(4)
# an option's length has 16 bits
LONGEST = 0xFFFF


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def _option(code: int, data: bytes) -> bytes:
    return struct.pack("<HH", code, len(data)) + _padded(data)


def _text(code: int, text: str) -> bytes:
    """Cut between characters."""
    return _option(code, text.encode(errors="replace")[:LONGEST].decode(errors="ignore").encode())


def _block(kind: int, body: bytes) -> bytes:
    length = len(body) + 12
    return struct.pack("<II", kind, length) + body + struct.pack("<I", length)


def begin() -> bytes:
    """What a capture begins with. Its length is left open."""
    return _block(SECTION, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))


def _interface(link: int, name: str) -> bytes:
    """Times at it are in nanoseconds."""
    options = (_text(NAME, name) if name else b"") + _option(TICKS, b"\x09") + END_OF_OPTIONS
    return _block(INTERFACE, struct.pack("<HHI", link & 0xFFFF, 0, 0) + options)


class Packets:
    """Packets as blocks; each interface is described before its first packet."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}

    def block(self, packet, comments: Sequence[str] = ()) -> bytes:
        """Of ``packets.CapturedPacket``, or of what has its link, interface, time, length, flags and data."""
        on = packet.link, packet.interface
        number = self._numbers.get(on, len(self._numbers))
        described = b"" if on in self._numbers else _interface(*on)
        options = b"".join(_text(COMMENT, each) for each in comments)
        options += _option(FLAGS, struct.pack("<I", packet.flags)) if packet.flags else b""
        high, low = divmod(packet.time, 1 << 32)
        length = max(packet.length, len(packet.data))
        head = struct.pack("<5I", number, high, low, len(packet.data), length)
        end = options + END_OF_OPTIONS if options else b""
        block = described + _block(PACKET, head + _padded(packet.data) + end)
        # not before: what can't be written describes no interface
        self._numbers[on] = number
        return block
