"""What tshark says of checksums."""

import re
import subprocess

FIELDS = {
    "ip": ("IPv4",),
    "tcp": ("TCP",),
    "udp": ("UDP", "UDP-Lite"),
    "icmp": ("ICMP",),
    "icmpv6": ("ICMPv6",),
    "igmp": ("IGMP",),
    "sctp": ("SCTP", "SCTP (Adler-32)"),
    "gre": ("GRE",),
    "dccp": ("DCCP",),
    "eigrp": ("EIGRP",),
    "hip": ("HIP",),
    "pim": ("PIM",),
    "shim6": ("shim6",),
    "vrrp": ("VRRP",),
}
# where a checksum's field has another name
FIELD = {"pim": "pim.cksum"}
# of these it has no status, but words
WORDS = {"ospf": ("OSPFv2", "OSPFv3"), "rsvp": ("RSVP",)}
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
    "dccp.check_checksum:TRUE",
    # as RFC 5416 has it, and not as some access points do
    "capwap.swap_fc:FALSE",
)


def told(path, *arguments: str) -> list[str]:
    """The lines that tshark prints of a capture."""
    preferences = [word for preference in PREFERENCES for word in ("-o", preference)]
    command = ["tshark", "-n", "-r", path, *preferences, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return result.stdout.splitlines()


def tshark(path) -> list[tuple[dict[str, list[str]], set[int]]]:
    """For each frame the status of each protocol's checksums, and what bad ones should be."""
    fields = [f"{FIELD.get(field, f'{field}.checksum')}.status" for field in FIELDS]
    said = [word for field in (*fields, "_ws.expert.message") for word in ("-e", field)]
    frames = []
    for line in told(path, "-T", "fields", "-E", "separator=|", *said):
        *statuses, said = line.split("|", len(FIELDS))
        status = {
            field: each.split(",") if each else [] for field, each in zip(FIELDS, statuses, strict=True)
        }
        # a bad one of SCTP it names twice, first by Adler-32, then by CRC32c
        status["sctp"] = status["sctp"][-1:]
        said = re.sub(r"(Bad SCTP checksum\.) [^,]*,(?=\1)", "", said)
        frames.append((status, {int(word, 16) for word in re.findall(r"should be 0x(\w+)\]", said)}))
    return frames


def in_words(path) -> dict[int, dict[str, list[str]]]:
    """By frame what it only says in words, as statuses: of OSPF and of RSVP."""
    frames, number, field = {}, 0, None
    for line in told(path, "-Y", " || ".join(WORDS), "-O", ",".join(WORDS)):
        if begin := re.match(r"Frame (\d+):", line):
            number = int(begin[1])
            frames[number] = {field: [] for field in WORDS}
        elif header := re.match(r" *(Open Shortest Path First|Resource ReserVation Protocol)", line):
            field = "ospf" if header[1].startswith("Open") else "rsvp"
        elif word := re.match(r" +(?:Message )?Checksum: 0x\w+ [(\[](correct|incorrect|None)", line):
            frames[number][field].append({"correct": GOOD, "incorrect": BAD, "None": ABSENT}[word[1]])
    return frames


def differing(verdicts: list[tuple[str, str]], status: dict[str, list[str]]) -> list[tuple]:
    """Where tshark's statuses of a frame are not these verdicts, each a protocol's: a field, its
    verdicts, and its statuses."""
    fields = []
    for field, given in status.items():
        protocols = (FIELDS | WORDS)[field]
        mine = [verdict for protocol, verdict in verdicts if protocol in protocols]
        given = given + [""] * (len(mine) - len(given))
        same = len(given) == len(mine) and all(map(_same, mine, given))
        if not same:
            fields.append((field, mine, given))
    return fields


def _same(verdict: str, status: str) -> bool:
    return status in SAME[verdict]


def agrees(verdicts: list[tuple[str, str]], status: dict[str, list[str]]) -> bool:
    """Whether tshark's statuses of a frame are these verdicts."""
    return not differing(verdicts, status)
