"""Links, tunnels and upper layers, each with each, and what is to be told: good, damaged, cut, partial.

Written from the standards, and not from the walker: no header is followed here. Each layer is put around
what it carries, and notes which bytes its checksum covers; so a verdict is a sum of those, after whatever
was done to them. Bytes are damaged only where no parse depends on them: payloads, addresses, checksums,
identifiers, ports and types that name no layer.
"""

import random
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from captures import SECTION, block, sum16
from draws import share
from stack_links import LINKS
from stack_packet import Impossible, Packet, Sum, Told
from stack_tunnels import TUNNELS
from stack_uppers import BIG, UPPERS

CONDITIONS = ("good", "bad", "partial", "cut", "minus zero")
# of links that say of no length, or of one of 32 bits
BIG_LINKS = ("Ethernet", "802.1Q", "PPP", "C-HDLC", "SLL", "SLL2", "null", "loop", "raw", "IPv4", "IPv6")


@dataclass(frozen=True)
class Stack:
    """One frame, as it was captured, and what it is to be after a repair."""

    seed: str
    names: tuple[str, ...]
    condition: str
    link: int
    packet: Packet
    captured: int

    @property
    def data(self) -> bytes:
        return self.packet.data[: self.captured]

    @cached_property
    def told(self) -> list[Told]:
        return self.packet.told(self.captured)

    @property
    def repaired(self) -> bytes:
        return self.packet.repaired(self.captured).data[: self.captured]


def stack(seed: int, names: tuple[str, ...], condition: str) -> Stack | None:
    """By the names of its link, its tunnels and its upper layer; None if one can't carry the next."""
    link, *tunnels, upper = names
    draw = random.Random(f"{seed} {names} {condition}")
    number, make = LINKS[link]
    try:
        inner = (UPPERS | BIG)[upper](draw)
        for tunnel in reversed(tunnels):
            inner = TUNNELS[tunnel](draw, *inner)
        packet = make(draw, *inner).sent()
    except Impossible:
        return None
    captured = len(packet.data)
    if condition == "bad":
        packet = damaged(draw, packet)
    elif condition == "partial":
        offloaded = [sum_ for sum_ in packet.sums() if sum_.pseudo and not sum_.unused]
        if not offloaded:
            return None
        sum_ = draw.choice(offloaded)
        packet = packet.with_field(sum_, sum_.partial(packet.data)).sent(*through(packet, sum_))
    elif condition == "minus zero":
        packet = minus_zero(draw, packet)
        if not packet:
            return None
    elif condition == "cut":
        captured = draw.randrange(captured)
    return Stack(f"{seed} {names} {condition}", names, condition, number, packet, captured)


def through(packet: Packet, sum_: Sum) -> list[Sum]:
    """It and all inside it, which stay as they are."""
    sums = packet.sums()
    return sums[sums.index(sum_) :]


def damaged(draw: random.Random, packet: Packet) -> Packet:
    """With one soft byte another."""
    places = [place for begin, end in packet.soft for place in range(begin, end)]
    place = draw.choice(places)
    data = bytearray(packet.data)
    data[place] ^= draw.randrange(1, 256)
    return Packet(bytes(data), packet.layers, packet.soft)


def minus_zero(draw: random.Random, packet: Packet) -> Packet | None:
    """With 0xffff in a field for which 0 is computed: who sums finds both good (RFC 1071, 1)."""
    sums = [each for each in packet.sums() if type(each) is Sum and not (each.nonzero or each.accepted)]
    sum_ = draw.choice([each for each in sums if not each.unused] or [None])
    words = sum_ and balances(packet, sum_)
    if not words:
        return None
    at = draw.choice(words)
    word = struct.pack(">H", sum16(packet.data[at : at + 2] + sum_.right(packet.data)))
    packet = replace(packet, data=packet.data[:at] + word + packet.data[at + 2 :])
    return packet.with_field(sum_, b"\xff\xff").sent(*through(packet, sum_))


def balances(packet: Packet, sum_: Sum) -> list[int]:
    """Where soft words are that count in it, and in none inside it."""
    begin, end = sum_.covered[0]
    taken = [(sum_.at, sum_.at + 2)]
    for each in through(packet, sum_)[1:]:
        taken += (*each.covered, *each.ends)
    return [
        at
        for first, last in packet.soft
        for at in range(max(first, begin), min(last, end) - 1)
        if (at - begin) % 2 == 0 and all(at + 2 <= low or high <= at for low, high in taken)
    ]


def conditioned(seed: int) -> Iterator[Stack]:
    """Combinations of names, in a condition that is drawn: each without a tunnel, a third of those through
    one (all with CC_TEST_LONG=1), and each tunnel in each, the link and the upper layer being drawn."""
    draw = random.Random(seed)
    names = [*product(LINKS, UPPERS), *product(BIG_LINKS, BIG)]
    names += share("stacks through a tunnel", product(LINKS, TUNNELS, UPPERS), 3)
    for pair in product(TUNNELS, TUNNELS):
        names.append((draw.choice(list(LINKS)), *pair, draw.choice(list(UPPERS))))
    for each in names:
        condition = draw.choice(CONDITIONS)
        # not all have what may be partial
        made = stack(seed, each, condition) or stack(seed, each, "bad")
        if made:
            yield made


def cut_everywhere(seed: int) -> Iterator[Stack]:
    """Each tunnel, in a link and around an upper layer that are drawn, cut behind each of its bytes."""
    draw = random.Random(seed)
    for tunnel in TUNNELS:
        made = None
        while not made:
            made = stack(seed, (draw.choice(list(LINKS)), tunnel, draw.choice(list(UPPERS))), "good")
        yield from (replace(made, condition="cut", captured=end) for end in range(made.captured))


def pcapng(stacks: Iterable[Stack], repaired: bool = False) -> bytes:
    """One capture of them all, with an interface for each link type."""
    stacks = list(stacks)
    links = sorted({each.link for each in stacks})
    parts = [SECTION, *(block(1, struct.pack("<HHI", link, 0, 0)) for link in links)]
    for each in stacks:
        data = each.repaired if repaired else each.data
        head = struct.pack("<IIIII", links.index(each.link), 0, 0, len(data), len(each.packet.data))
        parts.append(block(6, head + data))
    return b"".join(parts)
