"""ccverify beside `carrychain verify`: the same rows to the byte, the same summary, status and errors."""

import gzip
import os
import random
import re
import resource
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from captures import DIRECTORY, MADE, PCAP, SECTION, block, frame, pcap, record, spoilt
from carrychain.bindings.capture import MOST, WAITING
from carrychain.cli import verify_causes
from carrychain.cli.verify import verify_command
from click.testing import CliRunner
from command import piped
from draws import seed
from rotated import rotate, stream
from stacks import conditioned, pcapng
from vantages import A, B, Packet, ethernet, mac, situations

ROOT = Path(__file__).resolve().parents[2]
PATHS = [str(DIRECTORY / name) for name in sorted(MADE)]
LARGEST = 400_000


@pytest.fixture(scope="module")
def program() -> str:
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    return f"{build}/ccverify/ccverify"


@pytest.fixture(autouse=True)
def no_causes(monkeypatch):
    """Which mistake made a bad sum only Python's command says."""
    for name in ("sentences", "tables"):
        monkeypatch.setattr(verify_causes, name, lambda *_: iter(()))


def ran(program: str, *arguments: str, **options) -> subprocess.CompletedProcess:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([program, *arguments], check=False, **options)


def timeless(said: bytes) -> bytes:
    return re.sub(rb"(?m)^(total: .* bytes), [0-9]+\.[0-9] s$", rb"\1", said)


def beside(said: bytes) -> bytes:
    """What ccverify says in place of this."""
    said = re.sub(b"^carrychain: ", b"ccverify: ", said, flags=re.MULTILINE)
    return timeless(said).replace(b"--json and --csv list them all", b"--csv lists them all")


def alike(program: str, *arguments: str) -> subprocess.CompletedProcess:
    """Runs both, in this process the one in Python."""
    ours, theirs = ran(program, *arguments), CliRunner().invoke(verify_command, arguments)
    assert (ours.returncode, timeless(ours.stdout)) == (theirs.exit_code, beside(theirs.stdout_bytes))
    return ours


def alike_with_errors(program: str, *arguments: str, **options) -> subprocess.CompletedProcess:
    ours, theirs = ran(program, *arguments, **options), piped("verify", *arguments, **options)
    assert (ours.returncode, ours.stdout) == (theirs.returncode, beside(theirs.stdout))
    assert ours.stderr == beside(theirs.stderr)
    return ours


@pytest.mark.parametrize("name", sorted(MADE))
@pytest.mark.parametrize("options", [(), ("--no-heuristics", "--strict")])
def test_the_corpus(program, name, options):
    result = alike(program, "--csv", *options, str(DIRECTORY / name))
    assert result.stdout.startswith(b"file,frame,")
    alike(program, "--quiet", "--explain", *options, str(DIRECTORY / name))


def test_several_captures(program):
    assert alike(program, "--csv", *PATHS).stdout.count(b"\n") > 60
    alike(program, "--quiet", *PATHS)
    assert b"  most wrong" in alike(program, "--quiet", "--explain", *PATHS).stdout


def only_summaries(program, *paths: str) -> None:
    """All that is told of each, but for the listed rows."""
    ours, theirs = (
        ran(program, "--explain", *paths),
        CliRunner().invoke(verify_command, ["--explain", *paths]),
    )
    rows = rb"  (?:bad|unfinished) +\d+  \d\d.*\n|  +frame  .*\n|  \xe2\x80\xa6 and .*\n"
    assert (ours.returncode, timeless(ours.stdout)) == (
        theirs.exit_code,
        beside(re.sub(rows, b"", theirs.stdout_bytes)),
    )
    assert ours.stdout.count(b"\n") > 60


def test_the_summary_of_each(program):
    only_summaries(program, *PATHS)


SITUATIONS = situations()


@pytest.mark.parametrize(
    "options", sorted({each.options for each in SITUATIONS}), ids=lambda each: each[-1] if each else ""
)
def test_every_vantage(program, tmp_path, options):
    some = [each for each in SITUATIONS if each.options == options]
    paths = []
    for number, each in enumerate(some):
        paths.append(str(tmp_path / f"{number}.pcap"))
        Path(paths[-1]).write_bytes(each.capture())
        alike(program, "--csv", "--strict", *options, paths[-1])
    result = alike(program, "--csv", *options, *paths)
    assert result.stdout.count(b"\n") > sum(bool({"bad", "unfinished"} & set(each.verdicts)) for each in some)
    alike(program, "--quiet", "--explain", *options, *paths)


def test_every_stack(program, file):
    path = file(pcapng(list(conditioned(seed("stacks")))), "a.pcapng")
    assert alike(program, "--csv", path).stdout.count(b"\n") > 60
    alike(program, "--quiet", "--explain", path)


@pytest.mark.parametrize("number", range(20))
def test_rotations(program, tmp_path, draw, number):
    """Datagrams in fragments go on in the next capture."""
    records = stream(draw, draw.randrange(20, 80))
    cuts = sorted(draw.sample(range(1, len(records)), draw.randrange(1, 8)))
    names = list(map(str, rotate(tmp_path, records, cuts)))
    alike(program, "--csv", *names)
    alike(program, "--quiet", *names)


def test_what_is_damaged(program, tmp_path, draw):
    """Bytes of captures changed, and captures cut short: errors, too."""
    paths = []
    for number in range(200):
        data = bytearray(Path(draw.choice(PATHS)).read_bytes())
        for _ in range(draw.randrange(4)):
            data[draw.choice((draw.randrange(len(data)), draw.randrange(64)))] = draw.randrange(256)
        cut = draw.choice((None, draw.randrange(len(data))))
        paths.append(str(tmp_path / f"{number}.pcap"))
        Path(paths[-1]).write_bytes(data[:cut])
    result = alike_with_errors(program, "--csv", *paths)
    assert result.returncode == 2
    assert result.stderr.count(b"damaged at byte") > 10
    alike(program, "--quiet", *paths)
    for path in paths[:5]:
        alike_with_errors(program, "--csv", path)


def test_what_can_not_be_read(program, file, tmp_path):
    empty, text = file(b"", "empty"), file(b"nothing", "text")
    for paths in ([empty], [text], [str(tmp_path / "missing")], [PATHS[0], empty, text]):
        assert alike_with_errors(program, "--csv", *paths).returncode == 2
    other = pcap(frame(random.Random(1), 10)).replace(PCAP, PCAP[:20] + struct.pack("<I", 147))
    assert alike_with_errors(program, "--csv", file(other)).returncode == 2
    ours = ran(program, file(gzip.compress(Path(PATHS[0]).read_bytes()), "a.gz"))
    assert (ours.returncode, ours.stdout) == (2, b"")
    assert re.fullmatch(
        rb"ccverify: \S+: compressed by gzip, which ccverify does not unpack: .+\n", ours.stderr
    )
    ours = ran(program, str(tmp_path))
    assert (ours.returncode, ours.stderr) == (2, f"ccverify: {tmp_path}: Is a directory\n".encode())


def test_names_in_csv(program, tmp_path):
    for name in (' "b", c.pcap', "a\nb", "a\rb", "a b", "\udcff"):
        path = tmp_path / name
        path.write_bytes(pcap(spoilt(frame(random.Random(1), 10))))
        assert alike(program, "--csv", str(path)).stdout.count(b"TCP") == 1


def many(*packets: Packet) -> bytes:
    return pcap(*(ethernet(each.data(), mac(each.source), mac(each.destination)) for each in packets))


LEFT = Packet(protocol="UDP", sum="left")


def test_a_pipe(program):
    """Its rows do not wait."""
    for data in (many(LEFT, Packet(protocol="UDP")), *(Path(path).read_bytes() for path in PATHS[::7])):
        alike_with_errors(program, "--csv", "-", input=data)


@pytest.mark.parametrize("learned", [False, True])
def test_more_rows_than_wait(program, file, learned):
    """Read again for them, or for what is learned at the end."""
    damaged = ethernet(Packet(B, A, sum="damaged").data(), mac(B), mac(A))
    left = ethernet(LEFT.data(), mac(A), mac(B))
    fine = ethernet(Packet(protocol="UDP").data(), mac(A), mac(B))
    rows = 500 if learned else WAITING + 100
    data = pcap(*[damaged] * 20, left, *[damaged] * 10) + record(damaged) * rows
    data += record(fine) * learned
    found = alike(program, "--csv", file(data)).stdout
    assert found.count(b"\n") == 1 + 30 + rows + learned
    assert (b"unfinished" in found) == learned
    alike(program, "--quiet", file(data))


def test_more_senders_than_are_kept(program, file):
    frames = []
    base = ethernet(Packet("10.0.0.0", B, "UDP", "left", payload=0).data(), mac(A), mac(B))
    header, left = (int.from_bytes(base[at : at + 2], "big") for at in (24, 40))
    for number in range(MOST + 300):
        more = (number >> 16) + (number & 0xFFFF)
        sums = [~folded((~header & 0xFFFF) + more) & 0xFFFF, folded(left + more)]
        data = bytearray(base)
        data[26:30] = (10 << 24 | number).to_bytes(4, "big")
        data[24:26], data[40:42] = (each.to_bytes(2, "big") for each in sums)
        frames.append(bytes(data))
    path = file(pcap(*frames))
    alike(program, "--csv", path)
    assert b"all others" in alike(program, "--quiet", "--explain", path).stdout


def folded(number: int) -> int:
    return (number >> 16) + (number & 0xFFFF)


def test_more_kinds_than_are_listed(program, file, draw):
    kinds = [draw.randrange(0x600, 0x10000) for _ in range(5000)]
    path = file(pcap(*(bytes(12) + struct.pack(">H", kind) + bytes(46) for kind in kinds)))
    assert alike(program, "--csv", "--strict", path).stdout.count(b"not checked") > 1000
    alike(program, "--quiet", path)


def test_interfaces_by_name(program, file, draw):
    """Those of two sections have the same numbers, and some the same name."""
    data = b""
    for section in range(3):
        data += SECTION
        for number in range(30):
            name = f"eth{number + section * draw.randrange(2)}".encode()
            data += block(1, struct.pack("<HHIHH", 1, 0, 0, 2, len(name)) + name + bytes(-len(name) % 4 + 4))
        for _ in range(200):
            packet = spoilt(frame(draw, 10))
            head = struct.pack("<IIIII", draw.randrange(30), 0, 0, len(packet), len(packet))
            data += block(6, head + packet)
    alike(program, "--quiet", "--explain", file(data, "a.pcapng"))
    only_summaries(program, file(data, "a.pcapng"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no capture is named: see --help"),
        (("--captured-at", "home", "a"), "--captured-at is sender, receiver or wire"),
        (("--csv", "--quiet", "a"), "--quiet and --csv exclude each other: a total has no rows"),
        (("-", "-"), "- is the standard input, which can be read only once"),
    ],
)
def test_what_is_misused(program, arguments, said):
    result = ran(program, *arguments, stdin=subprocess.DEVNULL)
    assert (result.returncode, result.stdout, result.stderr) == (2, b"", f"ccverify: {said}\n".encode())


def test_output_that_can_not_be_written(program):
    with open("/dev/full", "wb") as full:
        result = ran(program, PATHS[0], stdout=full)
    assert (result.returncode, result.stderr) == (2, b"ccverify: can't write: No space left on device\n")
    reads, writes = os.pipe()
    os.close(reads)
    result = ran(program, "--csv", *PATHS, stdout=writes)
    os.close(writes)
    assert (result.returncode, result.stderr) == (2, b"")


def test_its_page_has_its_options(program):
    page = (ROOT / "ccverify/ccverify.1").read_text().replace("\\", "")
    options = set(re.findall(r"^ *(--[a-z-]+)", ran(program, "--help").stdout.decode(), re.MULTILINE))
    assert len(options) > 5
    assert options == set(re.findall(r"^\.BR? (--[a-z-]+)", page, re.MULTILINE))
    if not shutil.which("groff"):
        pytest.skip("groff is not here")
    shown = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", ROOT / "ccverify/ccverify.1"], capture_output=True, check=False
    )
    assert (shown.returncode, shown.stderr) == (0, b"")


def test_one_line_of_a_compiler_builds_it(program, tmp_path):
    """Static with musl, and small."""
    if not shutil.which("musl-gcc"):
        pytest.skip("musl-gcc is not here")
    folders = ("capture", "cause", "checksum", "cpu", "packet", "vantage", "verify")
    sources = [path for each in folders for path in (ROOT / "src" / each).glob("*.c")]
    machine = {"x86_64": "x86_64", "aarch64": "aarch64", "ppc64": "powerpc", "ppc64le": "powerpc"}
    here = machine.get(os.uname().machine, "none")
    sources += [path for each in folders for path in (ROOT / "src" / each / here).glob("*.c")]
    sources += (ROOT / "ccverify").glob("*.c")
    made = tmp_path / "ccverify"
    build = ["musl-gcc", "-std=c17", "-O1", "-D_DEFAULT_SOURCE", "-static", "-s", "-I", ROOT / "include"]
    subprocess.run([*build, *sources, "-o", made], check=True)
    assert made.stat().st_size < LARGEST
    for options in (("--csv",), ("--explain",)):
        results = [ran(each, *options, *PATHS) for each in (str(made), program)]
        assert results[0].returncode == results[1].returncode == 1
        assert results[0].stdout == results[1].stdout
    kinds = subprocess.run(["readelf", "-lW", made], capture_output=True, text=True, check=True).stdout
    assert "LOAD" in kinds and "INTERP" not in kinds


@pytest.mark.long
@pytest.mark.parametrize("average", [500, 64])
def test_processor_time_beside_capinfos(program, tmp_path, draw, average):
    """Of what only counts packets. Frames of up to twice the average, as in `-k capinfos -rP`."""
    if not shutil.which("capinfos"):
        pytest.skip("capinfos is not here")
    lengths = [average if average == 64 else draw.randrange(64, 2 * average - 64) for _ in range(20_000)]
    some = b"".join(record(frame(draw, length - 54), number) for number, length in enumerate(lengths))
    path = tmp_path / "a.pcap"
    with path.open("wb") as file:
        file.write(PCAP)
        for _ in range(480_000_000 // len(some)):
            file.write(some)

    def seconds(*command) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert not subprocess.run([*command, path], stdout=subprocess.DEVNULL, check=False).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    turns = [(seconds(program), seconds("capinfos", "-c")) for _ in range(7)]
    ours, theirs = map(min, zip(*turns, strict=True))
    print(
        f"{path.stat().st_size:,} bytes, {average} a frame: {ours:.3f} s and {theirs:.3f} s of processor time"
    )
