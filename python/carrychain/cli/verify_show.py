"""One frame's checksums as pictures of words: what is summed, what that makes, and what stands there."""

from collections.abc import Iterator

from carrychain.bindings.packet import WalkedLayer, walked
from carrychain.pcap.by import end
from carrychain.pcap.causes import bit_text
from carrychain.pcap.frames import Captured

WORDS = 8  # in a line
PLACES = 6  # named
OSPF_AUTHENTICATION = range(16, 24)


def picture(frame: Captured, heuristics: bool) -> Iterator[str]:
    """The lines; the last ones say what is not summed."""
    layers, rest = walked(frame.data, frame.link, frame.length, heuristics)
    cut = f", {len(frame.data):,} of them captured" if len(frame.data) < frame.length else ""
    yield f"frame {frame.number}: {frame.length:,} bytes{cut}, link type {frame.link}"
    for layer in layers:
        yield ""
        yield f"{_head(layer)}: {layer.verdict}"
        if layer.verdict == "unverifiable":
            yield f"  {layer.reason}"
        elif layer.verdict == "none":
            yield "  its sender made none"
        elif layer.width == 2:
            yield from _words(layer, frame.data)
            yield from _conclusion(layer)
        else:
            yield f"  {layer.protocol}'s sum over {layer.length:,} bytes from {layer.begin} on"
            yield from _compared(layer, 8)
            yield from _conclusion(layer)
    if rest:
        yield ""
        yield f"not summed: {rest}"


def _head(layer: WalkedLayer) -> str:
    if not layer.ends:
        return layer.protocol
    source, destination = layer.ports or (None, None)
    ends = f"{end(layer.ends[0], source)} → {end(layer.ends[1], destination)}"
    return f"{layer.protocol}{' (quoted)' if layer.quoted else ''}, {ends}"


def _words(layer: WalkedLayer, data: bytes) -> Iterator[str]:
    """Lines of words, each with the sum so far; then what that folds to."""
    covered = bytearray(data[layer.begin : layer.begin + layer.length])
    left_out = {layer.field - layer.begin: "····"}
    if layer.protocol == "OSPFv2":
        # its sum does not cover them
        left_out |= dict.fromkeys(OSPF_AUTHENTICATION[::2], "····")
    total = 0
    if layer.pseudo:
        yield "  pseudo-header: addresses, length, protocol"
    for begin, part, skipped in ((None, layer.pseudo, {}), (layer.begin, covered, left_out)):
        for at in range(0, len(part), 2 * WORDS):
            cells = []
            for word in range(at, min(at + 2 * WORDS, len(part)), 2):
                text = skipped.get(word)
                if not text:
                    # an odd last byte is the upper half of a word
                    text = part[word : word + 2].hex().ljust(4, "_")
                    total += int.from_bytes(part[word : word + 2].ljust(2, b"\0"), "big")
                cells.append(text)
            where = "" if begin is None else f"{begin + at:#06x}"
            yield f"  {where:8}{' '.join(cells):{5 * WORDS - 1}}   sum {total:#x}"
    while total > 0xFFFF:
        high, low = total >> 16, total & 0xFFFF
        total = high + low
        yield f"  {'carries folded':20}{high:#x} + {low:#06x} = {total:#06x}"
    check = total ^ 0xFFFF
    yield f"  {'complement':20}{check:#06x}"
    if not check and layer.expected:
        yield "  0 would say that there is none: 0xffff is the same"
    elif check != layer.expected:
        yield "  without the pseudo-header, one of whose addresses is in an option"
    yield from _compared(layer, 4)


def _compared(layer: WalkedLayer, digits: int) -> Iterator[str]:
    yield f"  {'expected':20}0x{layer.expected:0{digits}x}"
    yield f"  {'in the packet':20}0x{layer.found:0{digits}x}"


def _conclusion(layer: WalkedLayer) -> Iterator[str]:
    if layer.verdict == "partial":
        yield "  which is the pseudo-header's sum alone: left for a network card to finish"
    if layer.verdict != "bad":
        return
    if layer.width == 2:
        yield f"  {'expected - found':20}{(0xFFFF - layer.difference) % 0xFFFF:#06x}"
        yield f"  {'found ^ expected':20}{layer.found ^ layer.expected:#06x}"
    for cause in layer.causes:
        yield f"  perhaps {cause}"
    if layer.places and (which := bit_text(layer.difference)):
        named = ", ".join(f"{place:#06x}" for place in layer.places[:PLACES])
        more = len(layer.places) - PLACES
        yield f"  {which} in one of the words at {named}{f' and {more:,} more' if more > 0 else ''}"
    if not layer.causes:
        yield "  no known mistake makes this of what is there"
