"""What tshark says of checksums."""

import re
import subprocess

from pace import HANG

FIELDS = {
    "ip": ("IPv4",),
    "tcp": ("TCP",),
    "udp": ("UDP", "UDP-Lite"),
    "icmp": ("ICMP",),
    "icmpv6": ("ICMPv6",),
    "igmp": ("IGMP",),
    "sctp": ("SCTP", "SCTP (Adler-32)"),
    "gre": ("GRE",),
}
BAD, GOOD, UNVERIFIED, ABSENT, ILLEGAL = "01234"
# tshark 4.0 has no partial; what it can't verify it may leave out
SAME = {
    "good": {GOOD},
    "bad": {BAD, ILLEGAL},
    "partial": {BAD},
    # UDP tunnels may go without over IPv6 (RFC 6935), which it calls illegal
    "none": {ABSENT, ILLEGAL},
    "unverifiable": {UNVERIFIED, ""},
}
PREFERENCES = (
    "ip.check_checksum:TRUE",
    "ip.defragment:TRUE",
    "tcp.check_checksum:TRUE",
    "udp.check_checksum:TRUE",
    "udplite.check_checksum:TRUE",
    "sctp.checksum:Automatic",
)


def tshark(path) -> list[tuple[dict[str, list[str]], set[int]]]:
    """For each frame the status of each protocol's checksums, and what bad ones should be."""
    command = ["tshark", "-n", "-r", path, "-T", "fields", "-E", "separator=|"]
    for preference in PREFERENCES:
        command += ["-o", preference]
    for field in FIELDS:
        command += ["-e", f"{field}.checksum.status"]
    command += ["-e", "_ws.expert.message"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=True)
    frames = []
    for line in result.stdout.splitlines():
        *statuses, said = line.split("|", len(FIELDS))
        status = {
            field: each.split(",") if each else [] for field, each in zip(FIELDS, statuses, strict=True)
        }
        # a bad one of SCTP it names twice, first by Adler-32, then by CRC32c
        status["sctp"] = status["sctp"][-1:]
        said = re.sub(r"(Bad SCTP checksum\.) [^,]*,(?=\1)", "", said)
        frames.append((status, {int(word, 16) for word in re.findall(r"should be 0x(\w+)\]", said)}))
    return frames


def agrees(verdicts: list[tuple[str, str]], status: dict[str, list[str]]) -> bool:
    """Whether tshark's statuses of a frame are these verdicts, each a protocol and what its checksum is."""
    for field, protocols in FIELDS.items():
        mine = [verdict for protocol, verdict in verdicts if protocol in protocols]
        given = status[field] + [""] * (len(mine) - len(status[field]))
        if len(given) != len(mine):
            return False
        if not all(one in SAME[verdict] for verdict, one in zip(mine, given, strict=True)):
            return False
    return True
