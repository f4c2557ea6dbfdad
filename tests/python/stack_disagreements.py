"""Where tshark 4.0 and the standards differ on stacks, and whose error it is."""

from collections.abc import Callable
from dataclasses import dataclass

from stacks import Stack


@dataclass(frozen=True)
class Disagreement:
    """``concerns``: whether it may show in a stack, by a field of tshark's."""

    whose: str
    why: str
    concerns: Callable[[Stack, str], bool]


def through(*tunnels: str) -> Callable[[Stack, str], bool]:
    """Any field of what is in one of these tunnels."""
    return lambda stack, field: any(name in tunnels for name in stack.names)


def of(field: str, *uppers: str) -> Callable[[Stack, str], bool]:
    return lambda stack, each: each == field and stack.names[-1] in uppers


def cut(field: str, *uppers: str) -> Callable[[Stack, str], bool]:
    return lambda stack, each: stack.condition == "cut" and of(field, *uppers)(stack, each)


DISAGREEMENTS = (
    Disagreement(
        "tshark's",
        "RFC 7761, 4.9: a PIM register whose checksum is over all of it has to be taken, too",
        of("pim", "PIM register over all"),
    ),
    Disagreement(
        "tshark's",
        "RFC 2205, 3.1.1: a checksum of 0 in RSVP says that there is none; it says incorrect",
        of("rsvp", "RSVP without"),
    ),
    Disagreement(
        "neither's",
        "it leaves what ICMP errors quote unverified, but for IPv4's header: most quotes are cut",
        lambda stack, field: stack.names[-1].endswith("quote"),
    ),
    Disagreement(
        "tshark's",
        "it sums as much of EIGRP as was captured, and calls that bad",
        cut("eigrp", "EIGRP"),
    ),
    Disagreement(
        "neither's",
        "it leaves UDP-Lite unverified where all that is covered was captured, but not all of the packet",
        cut("udp", "UDP-Lite"),
    ),
    Disagreement(
        "neither's",
        "only the two ends of L2TPv3 know what a session carries: it enters none that it has not seen set up",
        through("L2TPv3", "L2TPv3 in UDP"),
    ),
    Disagreement(
        "neither's",
        "what a pseudowire without a control word carries can only be guessed: it does not, behind 0xa0",
        through("MPLS pseudowire without control word"),
    ),
    Disagreement(
        "tshark's",
        "it knows NSH by its EtherType, but not where C-HDLC has that",
        lambda stack, field: stack.names[:2] == ("C-HDLC", "NSH"),
    ),
    Disagreement(
        "tshark's",
        "it leaves out the payload of NFLOG if not all of it was captured",
        lambda stack, field: stack.names[0] == "NFLOG" and stack.condition == "cut",
    ),
    Disagreement(
        "neither's",
        "it tells of an A-MSDU's frames before it tells of what is in tunnels in the first of them",
        lambda stack, field: bool(
            {stack.names[0], *stack.names[1:-1]} & {"802.11", "radiotap", "prism", "AVS", "CAPWAP"}
        ),
    ),
)
