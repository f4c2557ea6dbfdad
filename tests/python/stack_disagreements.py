"""Where tshark 4.0 and the standards differ on stacks, and whose error it is."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

from stacks import Stack
from tshark import ABSENT, BAD, SAME, UNVERIFIED


@dataclass(frozen=True)
class Disagreement:
    """``concerns``: whether it may show in a stack, by a field of tshark's; ``explains``: whether it is why
    these statuses were given of these verdicts. What is ``rare`` need not be met by each seed."""

    whose: str
    why: str
    concerns: Callable[[Stack, str], bool]
    explains: Callable[[list[str], list[str]], bool]
    rare: bool = False


def through(*tunnels: str) -> Callable[[Stack, str], bool]:
    """Any field of what is in one of these tunnels."""
    return lambda stack, field: any(name in tunnels for name in stack.names)


def of(field: str, upper: str, condition: str = "") -> Callable[[Stack, str], bool]:
    return lambda stack, each: each == field and stack.names[-1] == upper and condition in stack.condition


def fewer(verdicts: list[str], given: list[str]) -> bool:
    """Some are given, in whatever order."""
    given = [one for one in given if one]
    return any(
        all(one in SAME[verdict] for one, verdict in zip(given, some, strict=True))
        for some in permutations(verdicts, len(given))
    )


def more(verdicts: list[str], given: list[str]) -> bool:
    return any(fewer(verdicts, list(some)) for some in permutations(given, len(verdicts)))


def reordered(verdicts: list[str], given: list[str]) -> bool:
    return len(verdicts) == len(given) and fewer(verdicts, given)


def unverified(verdicts: list[str], given: list[str]) -> bool:
    return UNVERIFIED in given and fewer(verdicts, [one for one in given if one != UNVERIFIED])


def called_bad(verdicts: list[str], given: list[str]) -> bool:
    return set(given) == {BAD}


def called_none(verdicts: list[str], given: list[str]) -> bool:
    return ABSENT in given


def longest_header(stack: Stack) -> bool:
    """Whether there is IPv4 with all the options that it has room for."""
    covered = [each.sum.covered[0] for each in stack.packet.layers if each.name == "IPv4" and each.sum]
    return any(end - begin == 60 for begin, end in covered)


DISAGREEMENTS = (
    Disagreement(
        "tshark's",
        "RFC 7761, 4.9: a PIM register whose checksum is over all of it has to be taken, too",
        of("pim", "PIM register over all"),
        called_bad,
    ),
    Disagreement(
        "tshark's",
        "RFC 2205, 3.1.1: a checksum of 0 in RSVP says that there is none; it says incorrect, or nothing",
        of("rsvp", "RSVP without"),
        lambda verdicts, given: set(given) <= {BAD, ""},
    ),
    Disagreement(
        "tshark's",
        "RFC 1071, 1: who sums finds 0xffff as good as 0; of TCP alone it says that only 0 is right",
        lambda stack, field: field == "tcp" and stack.condition == "minus zero",
        called_bad,
    ),
    Disagreement(
        "tshark's",
        "it says that OSPF has none if the field is 0, and before all of the header is there",
        lambda stack, field: field == "ospf",
        called_none,
        rare=True,
    ),
    Disagreement(
        "tshark's",
        "it sums as much of EIGRP as was captured, and calls that bad",
        of("eigrp", "EIGRP", "cut"),
        called_bad,
    ),
    Disagreement(
        "neither's",
        "it leaves UDP-Lite unverified where all that is covered was captured, but not all of the packet",
        of("udp", "UDP-Lite", "cut"),
        unverified,
        rare=True,
    ),
    Disagreement(
        "neither's",
        "it leaves what ICMP errors quote unverified, but for IPv4's header: most quotes are cut",
        lambda stack, field: stack.names[-1].endswith("quote"),
        unverified,
    ),
    Disagreement(
        "neither's",
        "it tells of IPv4's header, and of UDP without a checksum, in a quote that was not captured whole",
        lambda stack, field: stack.names[-1].endswith("quote") and stack.condition == "cut",
        more,
    ),
    Disagreement(
        "neither's",
        "only the two ends of L2TPv3 know what a session carries: it enters none that it has not seen set up",
        through("L2TPv3", "L2TPv3 in UDP"),
        fewer,
    ),
    Disagreement(
        "neither's",
        "what a pseudowire without a control word carries can only be guessed: it does not, behind 0xa0",
        through("MPLS pseudowire without control word"),
        fewer,
    ),
    Disagreement(
        "tshark's",
        "it knows NSH by its EtherType, but not where C-HDLC has that",
        lambda stack, field: stack.names[0].startswith("C-HDLC") and stack.names[1] == "NSH",
        fewer,
    ),
    Disagreement(
        "tshark's",
        "it leaves out the payload of NFLOG if not all of it was captured",
        lambda stack, field: stack.names[0] == "NFLOG" and stack.condition == "cut",
        fewer,
    ),
    Disagreement(
        "tshark's",
        "it knows IPv4 in GTP-U by a first byte of up to 0x4e: not with 40 bytes of options",
        lambda stack, field: "GTP-U" in stack.names and longest_header(stack),
        fewer,
        rare=True,
    ),
    Disagreement(
        "neither's",
        "it tells of an A-MSDU's frames before it tells of what is in tunnels in the first of them",
        through("802.11", "radiotap", "prism", "AVS", "Aruba"),
        reordered,
    ),
    Disagreement(
        "neither's",
        "it knows Arista's time stamps of one clock, Cisco's metadata of one option, and few switches' tags",
        through("Arista", "Cisco metadata", "Broadcom", "Broadcom, before", "DSA", "EDSA"),
        fewer,
    ),
)
