"""Writes frames.txt, beside it: what C is to tell of the packets that Python's tests have judged.

What they say of a packet is compared here with what is told of it, by tests/c/test_packet_vectors.c as built
in build/. Of all packets those are kept that go a way through src/packet/ which no shorter one goes, or that
take it more often: whole, cut or damaged, by clang's counters of edges.
"""

import random
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))
HEAD = """\
# Packets, by frames.py: the link type, the length on the wire, the bytes, four digests, and what is told.
# The digests are of all that is told of the packet, also without heuristics; cut behind each of its bytes, on
# the wire or by who captured it; with each byte damaged in four ways; repaired.
"""
# longer ones test no more, but for lengths that are the last
LONGEST = 700
LAST = 2048
# prints those of a packet when it asks for the next
EDGES = """\
#include <stdint.h>
#include <stdio.h>
static uint32_t *begin, *end;
void __sanitizer_cov_trace_pc_guard_init(uint32_t *from, uint32_t *to)
{
	begin = begin && begin < from ? begin : from;
	end = end > to ? end : to;
}
void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	++*guard;
}
char *__real_fgets(char *line, int size, FILE *file);
char *__wrap_fgets(char *line, int size, FILE *file)
{
	for (uint32_t *p = begin; p < end; *p++ = 0)
		if (*p)
			printf("%d:%d ", (int)(p - begin), (*p > 7) + (*p > 63));
	printf("\\n");
	return __real_fgets(line, size, file);
}
"""


@dataclass(frozen=True)
class Packet:
    """``told``, where a test says it: protocols and verdicts; ``unknown`` likewise."""

    link: int
    data: bytes
    length: int
    told: tuple[tuple[str, str], ...] | None = None
    unknown: str | None = None

    @property
    def line(self) -> str:
        return f"{self.link} {self.length} {self.data.hex()}"


def stacks() -> Iterator[Packet]:
    from stack_closed import CLOSED
    from stacks import conditioned

    for each in conditioned(2026):
        if len(each.data) > LONGEST:
            continue
        told = tuple((f"{'quoted ' * one.quoted}{one.protocol}", one.verdict) for one in each.told)
        yield Packet(each.link, each.data, len(each.packet.data), told)
    for name, (link, make, _) in CLOSED.items():
        packet = make(random.Random(name)).sent()
        yield Packet(link, packet.data, len(packet.data))


def layers() -> Iterator[Packet]:
    import test_verify_layers as tests

    for outer, packet, link, around in tests.STACKS.values():
        inner = tests.GOOD4 if packet == tests.V4 else tests.GOOD6
        data = around(packet)
        yield Packet(link, data, len(data), (*outer, *inner))
        yield Packet(link, data + bytes(7), len(data) + 7, (*outer, *inner))
    for link, data, what in tests.COUNTED:
        yield Packet(link, data, len(data), unknown=what)
    v4, v6 = b"\x08\0" + tests.V4, b"\x86\xdd" + tests.V6
    head = tests.built("8802 0000") + bytes(20) + tests.built("8000")
    fragment = b"\x08\0" + tests.checked(tests.V4[:6] + b"\x20" + tests.V4[7:], 10)[: len(tests.V4)]
    capwap = tests.built("00 104300 00000000")
    for data in (
        head + tests.subframe(v4) + tests.subframe(v6) + tests.subframe(v4, True),
        head + tests.subframe(fragment) + tests.subframe(v4),
        head + tests.subframe(b"\x08\0" + tests.udp(5247, capwap + head + tests.subframe(v6) * 2)) + v4,
    ):
        yield Packet(105, data, len(data))
    data = v6
    for _ in range(6):
        data = b"\x08\0" + tests.udp(5247, capwap + head + tests.subframe(data) * 2)
    yield Packet(105, head + tests.subframe(data), len(head + tests.subframe(data)))


def uppers() -> Iterator[Packet]:
    import test_verify_upper as tests

    for each in tests.MESSAGES:
        yield Packet(101, each.frame(), len(each.frame()), tuple(each.verdicts("good")))
        for at in (each.field, each.last):
            data = each.frame(tests.damaged(each, at))
            yield Packet(101, data, len(data), tuple(each.verdicts("bad")))
        if each.version == 4:
            data = tests.ip(4, each.number, each.data[:16], 0x2000)
            yield Packet(101, data, len(data))
    for protocol, version, number, data in tests.MALFORMED.values():
        data = tests.ip(version, number, data)
        told = [("IPv4", "good")] * (version == 4)
        yield Packet(101, data, len(data), (*told, (protocol, "unverifiable")))
    cryptographic = tests.put(tests.ospf2(0).data, 14, 2) + bytes(16)
    mpls = b"\x20\0\0\0" + bytes.fromhex("0008010100010100")
    mpls = tests.put(mpls, 2, tests.complement(mpls))
    frames = [
        tests.ip(4, 89, cryptographic),
        tests.ip(4, 46, tests.put(tests.rsvp(4).data, 2, 0)),
        tests.ip(6, 46, tests.put(tests.rsvp(6).data, 2, 0)),
        tests.ip(6, 140, bytes.fromhex("1100800000000007") + tests.udp()[20:]),
    ]
    for version, kind in tests.ERRORS:
        whole = tests.quoted(version)
        frames += [tests.error(version, kind, each) for each in (whole, whole[:-1] + b"?", whole[:-20])]
        for extension in (mpls, tests.put(mpls, 2, 7), tests.put(mpls, 2, 0)):
            frames.append(tests.error(version, kind, whole[:-20], 128, extension))
    for data in frames:
        yield Packet(101, data, len(data))


def edges() -> Iterator[Packet]:
    """Lengths and numbers that are the last, or the first, of their kind."""
    import test_verify_layers as tests
    import test_verify_upper as uppers
    from captures import checked

    v4, outer, ethernet = tests.V4, tests.OUTER, tests.ETHERNET
    part = checked(v4[:6] + b"\x20" + v4[7:20], 10) + v4[20:28]
    part = checked(part[:2] + b"\0\x1c" + part[4:20], 10) + part[20:]
    vxlan = bytes.fromhex("0800000000123400") + ethernet
    head = struct.pack(">HHHH", 50000, 4789, 8 + len(vxlan + part), 0)
    ends = bytes.fromhex("c6336401c6336402")
    lite = struct.pack(">II", 8 + len(vxlan + v4), 136)

    def udp_lite(coverage: int) -> bytes:
        data = struct.pack(">HHHH", 50000, 4789, coverage, 0) + vxlan + v4
        return tests.ipv4(136, checked(data[:coverage], 6, ends + lite) + data[coverage:])

    def between(most: int) -> Iterator[bytes]:
        for skip in range(0, most, 4):
            yield b"\0\0\0\7" + bytes(range(1, skip + 1)) + ethernet + v4

    for session in between(20):
        good = len(session) <= 16 + len(ethernet + v4)
        yield Packet(101, tests.ipv4(115, session), 20 + len(session), (*outer, *tests.GOOD4[: 2 * good]))
        data = tests.udp(1701, b"\0\3\0\0" + session)
        yield Packet(101, data, len(data), (*tests.TUNNEL, *tests.GOOD4[: 2 * good]))
    dccp = [
        uppers.dccp(4, coverage, extended, uppers.EVEN)
        for coverage in (1, 2, 3, 4)
        for extended in (False, True)
    ]
    for data, told in (
        (
            tests.ipv4(47, checked(bytes.fromhex("8000080000000000"), 4)),
            [*outer, ("GRE", "good"), ("IPv4", "unverifiable")],
        ),
        (
            tests.ipv4(47, checked(bytes.fromhex("8000080000000000"), 4)[:7]),
            [*outer, ("GRE", "unverifiable")],
        ),
        (tests.ipv4(47, bytes.fromhex("100088be00000001100105ff00000000") + ethernet + v4[:-2]), None),
        (
            tests.ipv4(47, bytes.fromhex("100088be00000001100101ff00000000") + ethernet + v4),
            [*outer, *tests.GOOD4],
        ),
        (tests.udp(6081, bytes.fromhex("000086dd00123400") + tests.V6), [*tests.TUNNEL, *tests.GOOD6]),
        (tests.udp(6081, bytes.fromhex("000086dd00123400") + v4), tests.TUNNEL),
        (tests.udp(6081, bytes.fromhex("0000080000123400") + tests.V6), tests.TUNNEL),
        (tests.udp(4789, vxlan + part), tests.TUNNEL + outer),
        (
            tests.ipv4(
                17, checked(head + vxlan + part, 6, ends + struct.pack(">II", len(head + vxlan + part), 17))
            ),
            None,
        ),
        (
            tests.ipv4(47, checked(bytes.fromhex("8000080000000000") + part, 4)),
            [*outer, ("GRE", "good"), *outer],
        ),
        (uppers.ip(4, 89, uppers.checked(uppers.put(uppers.ospf2(0).data[:24], 2, 24), 12)), None),
        *((udp_lite(coverage), [*outer, ("UDP-Lite", "good"), *tests.GOOD4]) for coverage in (8, 9, 30)),
        *((each.frame(), each.verdicts("good")) for each in dccp),
    ):
        yield Packet(101, data, len(data), told and tuple(told))
    for number in (0x05FF, 0x0600, 0x0601):
        yield Packet(1, tests.MACS + struct.pack(">H", number) + tests.SNAP + v4, 14 + len(tests.SNAP + v4))
    # a pseudowire, of which only what is in it says what it is
    for text in (
        "81000064 0800", "88a80064 81000065 0800", "81000064 86dd", "0806", "0024", "0023", "05ff", "0600",
    ):  # fmt: skip
        for behind in (
            v4,
            bytes.fromhex("0001080006040001"),
            b"\xaa\xaa\3\0\0\0\x08\0" + v4,
            b"BB\3" + bytes(33),
        ):
            data = tests.MACS + bytes.fromhex("8847000c8140") + tests.MACS + bytes.fromhex(text) + behind
            yield Packet(1, data, len(data))
    for flags, words in ((0x3000, 2), (0x1000, 1), (0x2000, 1), (0xB000, 3), (0x3100, 2), (0x3008, 2)):
        data = tests.udp(4754, struct.pack(">HH", flags, 0x0800) + bytes(4 * words) + v4)
        yield Packet(101, data, len(data))
    # radiotap's flags, which pad, behind a time that is aligned, and behind so many words
    for words in range(1, 8):
        for time in (0, 1):
            at = (4 + 4 * words + 7) // 8 * 8 + 8 if time else 4 + 4 * words
            present = struct.pack("<I", 2 | time | 0x80000000 * (words > 1))
            present += struct.pack("<I", 0x80000000) * (words - 2) + bytes(4 * (words > 1))
            head = (struct.pack("<HH", 0, at + 1) + present).ljust(at, b"\xdf") + b"\x20"
            data = head + bytes.fromhex("88010000") + bytes(20) + bytes(4) + tests.SNAP + v4
            yield Packet(127, data, len(data), tuple(tests.GOOD4))
    data = bytes.fromhex("00000c000200008020000000 88010000") + bytes(22) + tests.SNAP + v4
    yield Packet(127, data, len(data), tuple(tests.GOOD4))
    for number, packet in ((0x21, v4), (0x57, tests.V6), (0x58, tests.V6)):
        data = tests.MACS + bytes.fromhex("8847000c81401000") + struct.pack(">H", number) + packet
        told = {0x21: tests.GOOD4, 0x57: tests.GOOD6}.get(number, [])
        yield Packet(1, data, len(data), tuple(told))
    # what computes to 0 is sent as 0xffff
    head, over = struct.pack(">HHHH", 9, 9, 10, 7), ends + struct.pack(">II", 10, 17)
    rest = uppers.complement(head[:6] + b"\0\0", over)
    data = tests.ipv4(17, head + struct.pack(">H", rest))
    yield Packet(101, data, len(data), (*outer, ("UDP", "bad")))
    for number in (0x0806, 0x0842, 0x22F0, 0x8035, 0x8808, 0x8809, 0x888E, 0x88CC, 0x88F7, 0x9000, 0x8863):
        data = tests.MACS + struct.pack(">H", number) + bytes(46)
        yield Packet(1, data, len(data))
    for flags, more in ((0x3081, 8), (0x3001, 4), (0x2081, 4), (0x2001, 0)):
        packet = bytes.fromhex("ff030021") + v4
        data = struct.pack(">HHHH", flags, 0x880B, len(packet), 7) + bytes(more) + packet
        data = tests.ipv4(47, data)
        yield Packet(101, data, len(data))
    for number in (0x7FFF, 0x8001, 0xFFFF):
        yield Packet(50, b"\xff\3" + struct.pack(">H", number) + v4, 4 + len(v4))


def ends() -> Iterator[Packet]:
    """Options of every length that end where their header does, and one byte beyond."""
    from captures import checked
    from packets import option
    from test_verify_layers import GOOD4, GOOD6, OUTER, V4, V6
    from test_verify_upper import put

    draw = random.Random("the ends of options")
    unverifiable = [*OUTER, ("UDP", "unverifiable")]
    for size in range(2, 41):
        for beyond in (0, 1):
            made = option(draw, 4, 1) * (-size % 4) + option(draw, 4, size, beyond)
            head = bytes((0x45 + len(made) // 4,)) + V4[1:20] + made
            head = put(head, 2, len(head) + len(V4) - 20)
            data = checked(head, 10) + V4[20:]
            told = GOOD4 if not beyond else unverifiable
            yield Packet(101, data, len(data), tuple(told))
    for kind in (0, 60):
        for size in (*range(2, 24), 254, 257):
            for beyond in (0, 1) if size < 257 else (0,):
                made = option(draw, 6, 1) * ((6 - size) % 8) + option(draw, 6, size, beyond)
                header = bytes((17, (2 + len(made)) // 8 - 1)) + made
                data = put(V6, 4, len(header) + len(V6) - 40)
                data = data[:6] + bytes((kind,)) + data[7:40] + header + data[40:]
                told = GOOD6 if not beyond else [("IPv6", "unverifiable")]
                yield Packet(101, data, len(data), tuple(told))
    # the last one's length is not there; a route of no hops
    for option_, told in ((option(draw, 4, 1) * 3 + b"\x1e", unverifiable), (b"\x83\3\4\1", GOOD4)):
        data = put(V4, 2, len(V4) + 4)
        data = checked(b"\x46" + data[1:20] + option_, 10) + V4[20:]
        yield Packet(101, data, len(data), tuple(told))
    # a jumbogram's length says that it is one
    for length, told in ((0xFFFF, ("IPv6", "unverifiable")), (0x10000, ("UDP", "unverifiable"))):
        data = V6[:4] + bytes(3) + V6[7:40] + struct.pack(">BBBBI", 17, 0, 0xC2, 4, length) + V6[40:]
        yield Packet(101, data, len(data), (told,))


def lasts() -> Iterator[Packet]:
    """What is as short, or as long, as it may be."""
    import test_verify_layers as tests
    import test_verify_upper as uppers

    pseudowire = tests.MACS + bytes.fromhex("8847000c8140") + tests.MACS
    data = pseudowire + b"\x86\xdd" + tests.V6[:4] + bytes(2) + tests.V6[6:40]
    yield Packet(1, data, len(data), (("UDP", "unverifiable"),))
    for size in (2, 3, 4, 0x05FE, 0x05FF, 0x0600):
        for llc in (tests.SNAP + tests.V4, b"BB\3"):
            data = pseudowire + struct.pack(">H", size) + llc.ljust(size, b"\0")
            yield Packet(1, data, len(data))
    for version, kind in uppers.ERRORS:
        for size in range(3, 6):
            extension = b"\x20\0\0\0\0"[:size]
            extension = uppers.put(extension, 2, uppers.complement(extension)) if size > 3 else extension
            data = uppers.error(version, kind, uppers.quoted(version)[:-20], 128, extension)
            yield Packet(101, data, len(data))
    for size in range(7, 10):
        head = struct.pack(">II", 0x80211001, size) + bytes(max(0, size - 8))
        data = head + tests.built("0801 0000 *20 snap") + tests.V4
        yield Packet(163, data, len(data), tuple(tests.GOOD4) if size > 7 else ())
    for family in (0xFFFF, 0x10000):
        data = struct.pack(">I", family) + tests.V4
        yield Packet(0, data, len(data))
    # a fragment of each protocol
    for number in (*range(145), 255):
        data = tests.checked(tests.V4[:6] + b"\x20\0\x40" + bytes((number,)) + tests.V4[10:20], 10)
        yield Packet(101, data + tests.V4[20:], len(tests.V4))
    for number in (0, 43, 44, 51, 58, 59, 60, 89, 97, 115, 135, 137, 139, 140, 141, 143):
        data = uppers.ip(6, 44, bytes((number, 0, 0, 1)) + bytes(12))
        yield Packet(101, data, len(data))


def drawn() -> Iterator[Packet]:
    from packets import random_frame

    for seed in range(600):
        data, told, _ = random_frame(seed)
        if len(data) <= LONGEST:
            yield Packet(1, data, len(data), tuple(told))


def served(program: str | Path, packets: list[Packet]) -> list[str]:
    lines = "".join(f"{each.line}\n" for each in packets)
    result = subprocess.run([program, "--tell"], input=lines, capture_output=True, text=True, check=True)
    return result.stdout.splitlines()


def wrong(packet: Packet, line: str) -> bool:
    """Whether something else is told of it than a test says."""
    text, _, unknown = line.split(" ", 7)[7].partition("; ")
    told = [each.partition(": ")[0] for each in text.split(", ") if each not in ("", "fragment", "nothing")]
    if packet.told is not None and told != [" ".join(each) for each in packet.told]:
        return True
    return packet.unknown is not None and packet.unknown != unknown


def counted(directory: Path) -> Path:
    """The program, made so that it prints the edges of each packet behind what is told of it."""
    (directory / "edges.c").write_text(EDGES)
    program = directory / "edges"
    harness, library = ROOT / "build/tests/c/libharness.a", ROOT / "build/libcarrychain.a"
    flags = [
        "-std=c17",
        "-O1",
        "-g0",
        f"-I{ROOT}/include",
        f"-I{ROOT}/tests/c",
        "-D_GNU_SOURCE",
        '-DVECTORS=""',
    ]
    objects = []
    for source in sorted((ROOT / "src/packet").glob("*.c")):
        objects.append(directory / f"{source.stem}.o")
        coverage = "-fsanitize-coverage=trace-pc-guard"
        subprocess.run(["clang", *flags, coverage, "-c", source, "-o", objects[-1]], check=True)
    files = [ROOT / "tests/c/test_packet_vectors.c", directory / "edges.c", *objects, harness, library]
    subprocess.run(["clang", *flags, *files, "-Wl,--wrap=fgets", "-pthread", "-o", program], check=True)
    return program


def chosen(packets: list[Packet], also: set[Packet]) -> list[Packet]:
    with tempfile.TemporaryDirectory() as directory:
        lines = served(counted(Path(directory)), packets)[2::2]
    kept, seen = [], set()
    for packet, line in sorted(zip(packets, lines, strict=True), key=lambda each: len(each[0].data)):
        ways = set(line.split())
        if packet in also or not ways <= seen:
            seen |= ways
            kept.append(packet)
    return kept


def main() -> None:
    packets = [each for make in (layers, uppers, edges, ends, lasts, drawn, stacks) for each in make()]
    packets = list({each.line: each for each in packets if 0 < len(each.data) <= LAST}.values())
    program = ROOT / "build/tests/c/test_packet_vectors"
    told = served(program, packets)
    if bad := [(packet, line) for packet, line in zip(packets, told, strict=True) if wrong(packet, line)]:
        sys.exit(f"{len(bad)} are told of otherwise, such as {bad[0]}")
    kept = served(program, chosen(packets, {*edges(), *ends(), *lasts()}))
    Path(__file__).with_suffix(".txt").write_text(HEAD + "".join(f"{line}\n" for line in kept))
    print(f"{len(kept)} of {len(packets)} packets")


if __name__ == "__main__":
    main()
