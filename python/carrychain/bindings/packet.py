"""One packet, as src/packet walks it, with what src/cause says of its bad sums."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from ._carrychain import ffi, lib
from .capture import FINDINGS, NO_HEURISTICS, PROTOCOLS, REASONS, unknown_text
from .cause import named

Result = TypeVar("Result")
_SIZES = {4: 4, 6: 16}


class WalkedLayer(NamedTuple):
    """A checksum in a packet: what it covers, beginning with a pseudo-header, b"" if there is none.

    ``begin``, ``field`` and ``length`` are offsets and sizes in the packet; ``places`` are the words in which
    a bit may have flipped.
    """

    protocol: str
    verdict: str
    reason: str
    ends: tuple[bytes, bytes] | None
    ports: tuple[int, int] | None
    quoted: bool
    begin: int
    field: int
    length: int
    width: int
    pseudo: bytes
    expected: int
    found: int
    causes: tuple[str, ...]
    difference: int
    places: list[int]


def walked(
    data: bytes, link: int, original: int | None = None, heuristics: bool = True
) -> tuple[list[WalkedLayer], str]:
    """The checksums in a packet, and what of it is not understood or not summed; "" if nothing."""

    def tell(out, packet) -> tuple[list[WalkedLayer], str]:
        rest = "" if out.unknown == lib.CC_PACKET_NOTHING else unknown_text(out.unknown, out.number)
        if out.is_fragment:
            rest = "a fragment of a datagram"
        return [_walked(out.layer[i], packet) for i in range(out.count)], rest

    return _with_walk(bytearray(data), link, original, heuristics, tell)


def repaired(data: bytes, link: int, original: int | None, heuristics: bool) -> bytes:
    """The packet with all bad and partial checksums right, except those in quotes."""
    made = bytearray(data)

    def repair(out, packet) -> None:
        written = ffi.new("struct cc_packet_write[]", lib.CC_PACKET_LAYERS)
        length, flags = _how(made, original, heuristics)
        lib.cc_packet_repair(out, written, link, ffi.NULL, packet, len(made), length, flags)

    _with_walk(made, link, original, heuristics, repair)
    return bytes(made)


def _how(data: bytearray, original: int | None, heuristics: bool) -> tuple[int, int]:
    return len(data) if original is None else original, 0 if heuristics else NO_HEURISTICS


def _with_walk(
    data: bytearray, link: int, original: int | None, heuristics: bool, use: Callable[..., Result]
) -> Result:
    """Calls ``use`` with the result of a walk, whose pointers are into the packet."""
    with ffi.from_buffer("unsigned char[]", data, require_writable=True) as packet:
        out = ffi.new("struct cc_packet_layers *")
        lib.cc_packet_walk(out, link, packet, len(data), *_how(data, original, heuristics))
        return use(out, packet)


def _walked(f, packet) -> WalkedLayer:
    causes = ffi.new("struct cc_causes *")
    places = []
    if f.verdict == lib.CC_PACKET_BAD:
        lib.cc_cause_find(causes, ffi.addressof(f), packet)
        at = ffi.new("size_t[]", f.length)
        count = lib.cc_cause_places(ffi.addressof(f), packet, causes.difference, at, f.length)
        places = ffi.unpack(at, count) if count else []
    size = _SIZES.get(f.family, 0)
    return WalkedLayer(
        PROTOCOLS[f.protocol],
        FINDINGS[f.verdict],
        REASONS[f.reason] if f.verdict == lib.CC_PACKET_UNVERIFIABLE else "",
        (_bytes(f.source, size), _bytes(f.destination, size)) if f.source else None,
        (f.source_port, f.destination_port) if f.has_ports else None,
        bool(f.quoted),
        f.field - f.field_at,
        f.field,
        f.length,
        f.width,
        _pseudo_header(f, size) if f.pseudo_length and not f.routed else b"",
        f.expected,
        f.found,
        named(causes.fits),
        causes.difference,
        places,
    )


def _bytes(pointer, size: int) -> bytes:
    return bytes(ffi.buffer(pointer, size))


def _pseudo_header(f, size: int) -> bytes:
    ends = _bytes(f.source, size) + _bytes(f.destination, size)
    return ends + f.pseudo_length.to_bytes(4, "big") + bytes([0, 0, 0, f.pseudo_number])
