"""The captures under tests/vectors, and ones made here: without scapy, by the slowest sum there is."""

import csv
import io
import json
import random
import struct
from collections import defaultdict
from pathlib import Path

from carrychain.bindings.capture import VERDICTS
from carrychain.files import replacing
from carrychain.pcap import Report, verify
from command import run

DIRECTORY = Path(__file__).resolve().parents[1] / "vectors" / "captures"
MADE = json.loads((DIRECTORY / "verdicts.json").read_text())


def read(path) -> tuple[Report, list]:
    """All that is found in a capture."""
    parts = list(verify([str(path)], VERDICTS.values()))
    return parts[-1][0], [entry for _, entries, _ in parts for entry in entries]


def fix(path, to) -> Report:
    """Repairs a capture into another."""
    with replacing(to) as file:
        return list(verify([str(path)], (), fixed=file))[-1][0]


def by_frame(entries) -> dict[int, list]:
    frames = defaultdict(list)
    for entry in entries:
        frames[entry.frame].append(entry)
    return frames


def sum16(data: bytes) -> int:
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total >> 16) + (total & 0xFFFF)
    return total


def checked(data: bytes, at: int, over: bytes = b"") -> bytes:
    """``data`` with its checksum at ``at``."""
    data = data[:at] + b"\0\0" + data[at + 2 :]
    return data[:at] + struct.pack(">H", ~sum16(over + data) & 0xFFFF or 0xFFFF) + data[at + 2 :]


def frame(draw: random.Random, payload: int) -> bytes:
    """TCP over IPv4 over Ethernet: the checksums are at 24 and at 50."""
    ends = draw.randbytes(8)
    tcp = struct.pack(">HHIIBBHHH", 40000, 80, draw.getrandbits(32), 1, 0x50, 0x18, 500, 0, 0)
    tcp = checked(tcp + draw.randbytes(payload), 16, ends + struct.pack(">II", 20 + payload, 6))
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 40 + payload, 1, 0, 64, 6, 0) + ends
    return bytes(12) + b"\x08\0" + checked(ip, 10) + tcp


CHECKSUMS = {"IPv4": 24, "TCP": 50}
PCAP = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)


def record(data: bytes, number: int = 0) -> bytes:
    return struct.pack("<IIII", 1700000000, number, len(data), len(data)) + data


def pcap(*frames: bytes) -> bytes:
    return PCAP + b"".join(record(data, number) for number, data in enumerate(frames))


def write(path: Path, frames, cut=None, *, link: int = 101, seconds=None) -> Path:
    """A capture of frames, of which so many bytes were captured, at most or one by one; and when."""
    data = PCAP[:20] + struct.pack("<I", link)
    for number, whole in enumerate(frames):
        kept = whole[: cut if cut is None or isinstance(cut, int) else cut[number]]
        when = number if seconds is None else seconds[number]
        data += struct.pack("<IIII", when, 0, len(kept), len(whole)) + kept
    path.write_bytes(data)
    return path


def block(kind: int, body: bytes) -> bytes:
    """Of pcapng."""
    size = struct.pack("<I", 12 + len(body) + -len(body) % 4)
    return struct.pack("<I", kind) + size + body + bytes(-len(body) % 4) + size


SECTION = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))


def spoilt(data: bytes, protocol: str = "TCP") -> bytes:
    """A frame as above with that checksum wrong."""
    at = CHECKSUMS[protocol]
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def captured(*arguments: str, **options) -> list[dict]:
    """What `verify --json` tells of each capture."""
    return json.loads(run("verify", "--json", *arguments, **options).stdout)["captures"]


def rows(*arguments: str) -> list[dict]:
    """What `verify --csv` tells."""
    return list(csv.DictReader(io.StringIO(run("verify", "--csv", *arguments).stdout, newline="")))
