"""Rotated captures: a stream of packets with datagrams in fragments, cut into files anywhere."""

import random
import struct

from captures import PCAP
from test_verify_fragments import ip, parts, udp

START = 1_700_000_000
# seconds between packets: most are close, and some longer apart than datagrams are waited for
GAPS = (0, 0, 0, 0, 1, 1, 5, 20, 70)


def stream(draw: random.Random, count: int, filler: int = 0) -> list[bytes]:
    """Records, in order of time. Datagrams are whole, damaged, lack a fragment, or use a number again."""
    queues: list[list[bytes]] = []
    records, now = [], START
    while len(records) < count:
        if len(queues) < 6 and draw.random() < 0.5:
            data = bytearray(udp(draw.randrange(1, 900), draw.getrandbits(32)))
            if not draw.randrange(4):
                data[-1] ^= 1
            fragments = parts(bytes(data), 8 * draw.randrange(10, 40), ident=draw.randrange(1, 8))
            if len(fragments) > 1 and not draw.randrange(5):
                del fragments[draw.randrange(len(fragments))]
            if not draw.randrange(4):
                draw.shuffle(fragments)
            queues.append(fragments)
        if not queues:
            continue
        queue = draw.choice(queues)
        packet = queue.pop(0)
        if not queue:
            queues.remove(queue)
        now += draw.choice(GAPS)
        records.append(struct.pack("<IIII", now, len(records), len(packet), len(packet)) + packet)
        for _ in range(filler):
            packet = ip(udp(1400, draw.getrandbits(16)), ident=99)
            records.append(struct.pack("<IIII", now, 0, len(packet), len(packet)) + packet)
    return records


def write(path, records: list[bytes]) -> None:
    path.write_bytes(PCAP[:20] + struct.pack("<I", 101) + b"".join(records))


def rotate(directory, records: list[bytes], cuts: list[int]) -> list[str]:
    """The records in files that end at ``cuts``, named as tcpdump -C does."""
    directory.mkdir(exist_ok=True)
    names = []
    for number, (begin, end) in enumerate(zip([0, *cuts], [*cuts, len(records)], strict=True)):
        path = directory / f"r.pcap{number or ''}"
        write(path, records[begin:end])
        names.append(str(path))
    return names
