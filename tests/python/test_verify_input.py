"""Where captures come from: compressed, in pipes, in directories, while they are written."""

import gzip
import itertools
import json
import lzma
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from threading import Event

import lz4.frame
import pytest
from captures import DIRECTORY, MADE, PCAP, captured, fix, frame, pcap, read, record, spoilt
from carrychain.cli.progress import PROGRESS_AFTER_S
from carrychain.pcap import captures_in, verify
from carrychain.pcap.names import natural
from carrychain.pcap.unpack import UNPACKED, format_of, unpacked
from command import complaint, piped, run, run_anew, start
from draws import share
from events import drained, until
from hypothesis import given
from hypothesis import strategies as st
from test_verify import MEMORY
from test_verify_cli import BAD, CSV_HEAD, FRAMES, GOOD

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Each with a checksum, so that no change of its bytes passes for another capture.
COMPRESS = {
    "gzip": lambda data: gzip.compress(data, 1),
    "zstd": lambda data: zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1}),
    # blocks longer than a step
    "lz4": lambda data: lz4.frame.compress(
        data, block_size=lz4.frame.BLOCKSIZE_MAX256KB, content_checksum=True
    ),
    "xz": lambda data: lzma.compress(data, preset=0),
}
DECOMPRESS = {
    "gzip": lambda: zlib.decompressobj(31),
    "zstd": zstd.ZstdDecompressor,
    "lz4": lz4.frame.LZ4FrameDecompressor,
    "xz": lzma.LZMADecompressor,
}
# How long what follows the data is at least.
BEHIND = {"gzip": 8, "zstd": 4, "lz4": 8, "xz": 20}
each_format = pytest.mark.parametrize("name", COMPRESS)
some_format = st.sampled_from(sorted(COMPRESS))
RECORD = len(record(FRAMES[0]))


# Compressed


@each_format
def test_a_compressed_capture_is_the_same(file, name):
    for each in MADE:
        data = (DIRECTORY / each).read_bytes()
        path = file(COMPRESS[name](data), "of no name that tells")
        (report, entries), (whole, all_of_them) = read(path), read(DIRECTORY / each)
        assert (report.error, report.format, report.bytes) == (None, whole.format, len(data))
        assert (report.counts, entries) == (whole.counts, all_of_them)
        # what a bar shows
        assert report.place == os.path.getsize(path)


@each_format
def test_a_compressed_capture_in_a_pipe(name):
    result = piped("verify", "-", input=COMPRESS[name](BAD))
    assert (result.returncode, result.stderr) == (1, b"")
    assert result.stdout.startswith(b"-: pcap, 3 frames\n")


@given(some_format, st.data())
def test_members_follow_each_other(tmp_path_factory, name, data):
    """Cut anywhere, also in none, and behind zeros, which pad."""
    whole = pcap(*FRAMES * 40)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    parts = [whole[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    padding = bytes(data.draw(st.sampled_from((0, 4, 1000, 200_000))))
    path = tmp_path_factory.getbasetemp() / "members"
    path.write_bytes(b"".join(COMPRESS[name](part) + padding for part in parts))
    report, _ = read(path)
    assert (report.error, report.frames, report.bytes) == (None, 120, len(whole))


def frames_in(data: bytes) -> int:
    """Of a capture of FRAMES, cut."""
    return max(0, len(data) - len(PCAP)) // RECORD


@given(some_format, st.data())
def test_compressed_and_cut_anywhere(tmp_path_factory, name, data):
    draw = random.Random(data.draw(st.integers(0, 9)))
    whole = pcap(*(frame(draw, 100) for _ in range(draw.choice((3, 500, 3000)))))
    packed = COMPRESS[name](whole)
    cut = packed[: data.draw(st.integers(0, len(packed) - 1))]
    path = tmp_path_factory.getbasetemp() / "cut"
    path.write_bytes(cut)
    report, _ = read(path)
    if not format_of(cut):
        assert report.error == ("not a capture: neither pcap nor pcapng" if cut else "empty")
        return
    there = DECOMPRESS[name]().decompress(cut)
    assert report.frames == frames_in(there)
    assert report.bytes == (len(PCAP) + report.frames * RECORD if len(there) >= len(PCAP) else 0)
    assert report.error.split(": ")[-1].split(";")[0] == f"its {name} data are truncated"
    assert report.error.count("\n") == 0
    # to be made good as far as it goes
    if report.format:
        fix(path, path.with_name("fixed"))
        assert path.with_name("fixed").read_bytes() == there


@each_format
def test_who_waits_is_given_all_that_there_is(name):
    """Also what a decompressor has still to give when it has taken all."""
    whole = bytes(10_000_000)
    packed = lz4.frame.compress(whole, block_size=7) if name == "lz4" else COMPRESS[name](whole)
    # at four bytes before its end, lz4 has taken a block of which it has given a part
    for end in (len(packed), len(packed) - 4, len(packed) // 2):
        reads = iter([packed[:end], None])
        pieces = unpacked(name, b"", lambda _, reads=reads: next(reads))
        given = itertools.takewhile(lambda piece: piece is not None, pieces)
        want = len(DECOMPRESS[name]().decompress(packed[:end]))
        # of a match that is cut, zlib gives some more bytes with those that come next
        assert want - 258 <= sum(map(len, given)) <= want


@given(some_format, st.data())
def test_compressed_and_damaged_anywhere(tmp_path_factory, name, data):
    draw = random.Random(data.draw(st.integers(0, 9)))
    whole = pcap(*(frame(draw, 100) for _ in range(draw.choice((3, 500, 3000)))))
    damaged = bytearray(COMPRESS[name](whole))
    place = data.draw(st.integers(0, len(damaged) - 1) | st.integers(len(damaged) - 40, len(damaged) - 1))
    damaged[place] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(damaged)
    report, _ = read(path)
    # what it does not see is no damage
    assert report.error or report.counts["TCP", "good"] == frames_in(whole)
    if report.error:
        assert report.error.isprintable()
    # a wrong checksum spoils nothing of what it is the checksum of
    if place >= len(damaged) - BEHIND[name]:
        assert report.error and report.frames == frames_in(whole)
    # and else a step is lost at most
    elif report.error and "data can't be unpacked" in report.error and place > len(damaged) // 2 > UNPACKED:
        assert report.frames * RECORD > len(whole) // 2 - 2 * UNPACKED


@each_format
def test_garbage_behind_a_compressed_capture(file, name):
    path = file(COMPRESS[name](BAD) + b"this is no member")
    result = run("verify", path)
    assert result.returncode == 2
    assert result.stdout.startswith(f"{path}: pcap, 3 frames\n") and "\n  bad " in result.stdout
    assert result.stderr.count("\n") == 1
    begins = f"carrychain: {path}: not read beyond byte {len(BAD)}: its {name} data can't be unpacked ("
    assert result.stderr.startswith(begins)
    assert result.stderr.endswith("; the 3 frames before were checked\n")


@pytest.mark.parametrize("name", share("bombs", COMPRESS, 2))
def test_a_bomb_takes_no_more_memory(file, name):
    """As much as any capture: of what is no capture behind its head, and of records of nothing."""
    usual = kilobytes(str(DIRECTORY / "raw.pcap"))
    for head in (b"", PCAP):
        bomb = file(COMPRESS[name](head) + COMPRESS[name](bytes(64 << 20)) * 4)
        assert os.path.getsize(bomb) < 2 << 20
        assert kilobytes(bomb) - usual < 24 << 10


def kilobytes(path: str) -> int:
    return int(subprocess.run([sys.executable, "-c", MEMORY, path], capture_output=True, check=True).stdout)


@pytest.mark.parametrize(("name", "package"), [("lz4", "lz4"), ("zstd", "backports")])
def test_a_package_that_is_missing(file, tmp_path, name, package):
    if name == "zstd" and sys.version_info >= (3, 14):
        pytest.skip("this Python has its own")
    # found first, and without what is wanted of it
    (tmp_path / "path" / package).mkdir(parents=True)
    (tmp_path / "path" / package / "__init__.py").touch()
    path = file(COMPRESS[name](GOOD))
    said = complaint(run_anew("verify", path, env={"PYTHONPATH": str(tmp_path / "path")}), 2)
    assert said == (
        f"carrychain: {path}: compressed by {name}, which needs a missing package: "
        "pip install 'carrychain[captures]'"
    )


@each_format
def test_fix_of_a_compressed_capture(file, tmp_path, name):
    path = file(COMPRESS[name](BAD))
    assert run("verify", "--fix", str(tmp_path / "out"), path).returncode == 1
    assert (tmp_path / "out").read_bytes() == GOOD
    result = piped("verify", "--fix", "-", "-", input=COMPRESS[name](BAD))
    assert (result.returncode, result.stdout) == (1, GOOD)


def test_fix_does_not_compress(file, tmp_path):
    path = file(BAD)
    for suffix in ("gz", "zst", "lz4", "xz"):
        to = f"{tmp_path}/b.pcap.{suffix}"
        assert complaint(run("verify", "--fix", to, path), 2) == (
            f"carrychain verify: --fix writes an uncompressed capture, but {to!r} names a compressed one: "
            "give another name, or pipe - to a compressor"
        )
    assert os.listdir(tmp_path) == ["a.pcap"]


# tcpdump's habits


def test_r_and_w(file, tmp_path):
    path = file(BAD)
    assert run("verify", "-r", path).stdout == run("verify", path).stdout
    result = run("verify", "-r", path, "-w", str(tmp_path / "out"))
    assert (result.returncode, (tmp_path / "out").read_bytes()) == (1, GOOD)
    with open(path, "rb") as opened:
        result = piped("verify", "-r", "-", "-w", "-", stdin=opened)
    assert (result.returncode, result.stdout) == (1, GOOD)
    assert [each["file"] for each in captured("-r", path, "-r", f"{tmp_path}/out")] == [
        path,
        f"{tmp_path}/out",
    ]
    said = complaint(run("verify", "-r", path, path), 2)
    assert said == "carrychain verify: -r and arguments both name captures: use only one of them"


def tcpdump(*arguments: str) -> list[str]:
    if not shutil.which("tcpdump"):
        pytest.skip("tcpdump is not installed")
    # as root it would give its files, and its rights, away
    return ["tcpdump", "-Z", "root", *arguments] if os.getuid() == 0 else ["tcpdump", *arguments]


def test_what_tcpdump_writes(file):
    capture = subprocess.Popen(
        tcpdump("-r", file(BAD), "-w", "-", "tcp"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    (told,) = captured("-", stdin=capture.stdout)
    capture.stdout.close()
    assert capture.wait() == 0
    assert (told["format"], told["frames"], [each["frame"] for each in told["bad"]]) == ("pcap", 3, [2])


# Directories and patterns


@given(
    st.permutations(["cap.pcap", *(f"cap.pcap{n}" for n in (1, 2, 9, 10, 11, 100)), "cap2.pcap", "dap.pcap"])
)
def test_natural_order(names):
    want = ["cap.pcap", "cap.pcap1", "cap.pcap2", "cap.pcap9", "cap.pcap10", "cap.pcap11", "cap.pcap100"]
    want += ["cap2.pcap", "dap.pcap"]
    assert sorted(names, key=natural) == want
    packed = sorted((f"{each}.gz" for each in names), key=natural)
    assert packed == [f"{each}.gz" for each in want]


@pytest.fixture
def tree(tmp_path):
    """Captures that were rotated, and what lies about beside them."""
    top = tmp_path / "tree"
    (top / "day 10" / "deeper").mkdir(parents=True)
    (top / "day 9").mkdir()
    packers = [bytes, *COMPRESS.values()]
    captures = [f"{day}/cap.pcap{n or ''}" for day in ("day 9", "day 10") for n in (0, 1, 2, 10)]
    for number, name in enumerate(captures):
        (top / name).write_bytes(packers[number % len(packers)](BAD if number == 3 else GOOD))
    (top / "day 10" / "deeper" / "x").write_bytes((DIRECTORY / "mixed.pcapng").read_bytes())
    captures.append("day 10/deeper/x")
    (top / "a").write_text("of no interest")
    (top / "b").write_bytes(gzip.compress(b"of no interest"))
    (top / "c").touch()
    (top / "d").write_bytes(PCAP[:3])
    (top / "e").symlink_to("nothing")
    os.mkfifo(top / "f")
    return top, [str(top / name) for name in captures], [str(top / name) for name in "abcdef"]


def test_a_directory(tree):
    top, captures, others = tree
    assert captures_in([str(top)]) == (captures, others)
    result = run("verify", "--json", str(top))
    assert result.returncode == 1
    assert [each["file"] for each in json.loads(result.stdout)["captures"]] == captures
    assert result.stderr == (
        f"carrychain: skipped 6 files that are not captures: {', '.join(others[:3])} and 3 more\n"
    )
    # as each by itself
    alone = [part for name in captures for part in captured(name)]
    assert json.loads(result.stdout)["captures"] == alone


def test_a_pattern_that_the_shell_left(tree):
    top, captures, others = tree
    assert captures_in([f"{top}/day*/cap.pcap*"]) == (captures[:-1], [])
    assert captures_in([f"{top}/**/cap.pcap1"]) == ([captures[1], captures[5]], [])
    assert captures_in([f"{top}/day ?"]) == (captures[:4], [])
    assert captures_in([f"{top}/[a]"]) == ([others[0]], [])
    assert captures_in(["-", f"{top}/nothing*", captures[0]]) == (["-", f"{top}/nothing*", captures[0]], [])
    assert run("verify", f"{top}/day 10/cap.pcap*").returncode == 0
    # a file's own name is no pattern
    (top / "[a]").write_bytes(BAD)
    assert run("verify", f"{top}/[a]").returncode == 1


def test_what_can_not_be_looked_into_is_not_passed_over(tree):
    top, captures, _ = tree
    with open(captures[4], "r+b") as damaged:
        damaged.seek(10)
        damaged.write(bytes(10))
    result = run("verify", str(top))
    assert result.returncode == 2
    assert f"carrychain: {captures[4]}: its xz data can't be unpacked (Corrupt input data)\n" in result.stderr
    closed = top / "closed"
    closed.mkdir()
    closed.chmod(0)
    if os.access(closed, os.R_OK):
        return  # root may read whatever it is told not to
    assert f"carrychain: {closed}: Permission denied\n" in run("verify", str(top)).stderr


# While they are written


# what carrychain verify prints, and where in it is a frame's number
FORMS = {
    "--csv": rb"^[^,\n]*,(\d+),",
    "--json-lines": rb'"finding", .*"frame": (\d+),',
    "--json": rb'"frame": (\d+),',
    None: rb"^  bad +(\d+) ",
}


class Following:
    """carrychain verify, by default with --follow, and the frames that it tells of as it goes."""

    def __init__(self, *captures: str, form: str | None = "--csv", follow: bool = True, **options) -> None:
        asked = [form] * (form is not None) + ["--follow"] * follow
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = start("verify", *asked, *captures, **pipes | options)
        self.said = b""
        self._form = form
        self._told = 0
        if form == "--csv":
            # the head comes before any frame
            assert self._until(rb"\A(.*)\n", 1)[0].decode() == CSV_HEAD

    def _until(self, what: bytes, count: int) -> list[bytes]:
        """As many of these as it says in all, read as they come: by a reader that keeps nothing."""
        while len(found := re.findall(what, self.said, re.MULTILINE)) < count:
            came, _, _ = select.select([self.process.stdout], [], [])
            piece = os.read(self.process.stdout.fileno(), 1 << 16) if came else b""
            assert piece, f"says no more than {self.said!r}"
            self.said += piece
        return found

    def frame(self) -> int:
        self._told += 1
        return int(self._until(FORMS[self._form], self._told)[self._told - 1])

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> tuple[int, str, str]:
        """Its status, the lines of CSV that it said beyond those asked for, and what was wrong."""
        out, err = self.process.communicate()
        self.said += out
        lines = self.said.splitlines(keepends=True)[1 + self._told :]
        return self.process.returncode, b"".join(lines).decode(), (err or b"").decode()


WRONG = record(spoilt(FRAMES[1]))


@pytest.mark.parametrize("form", FORMS)
def test_a_capture_that_grows(file, form):
    path = file(b"")
    with open(path, "ab", buffering=0) as writer:
        following = Following(path, form=form)
        writer.write(BAD[:10])
        writer.write(BAD[10:])
        assert following.frame() == 2
        # half of a record
        writer.write(WRONG[:100])
        writer.write(WRONG[100:] + WRONG + WRONG[:7])
        assert [following.frame() for _ in range(2)] == [4, 5]
        following.interrupt()
        status, _, err = following.end()
    assert (status, err) == (130, "")
    os.truncate(path, os.path.getsize(path) - 7)
    # the table's rows come before its counts, and its head has every column
    told, once = (
        sorted(line for line in text.splitlines() if not line.startswith("       frame  time"))
        for text in (following.said.decode(), run("verify", *[form] if form else [], path).stdout)
    )
    assert told == once


def test_a_capture_that_grows_beside_a_terminal(file):
    """On which a bar would be by now, and keep what is printed."""
    path = file(b"")
    ours, theirs = pty.openpty()
    with open(path, "ab", buffering=0) as writer:
        following = Following(path, stderr=theirs)
        time.sleep(3 * PROGRESS_AFTER_S)
        writer.write(BAD)
        assert following.frame() == 2
        following.interrupt()
        assert following.end() == (130, "", "")
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("form", FORMS)
def test_a_capture_is_told_before_the_next(file, form):
    ours, theirs = os.pipe()
    following = Following(file(BAD), "-", form=form, follow=False, stdin=ours)
    assert following.frame() == 2
    os.write(theirs, BAD)
    os.close(theirs)
    assert following.frame() == 2
    assert following.end()[::2] == (1, "")
    os.close(ours)


@each_format
def test_a_compressed_capture_that_grows(file, name):
    """As far as the one who writes it lets it be seen: here, member by member."""
    path = file(b"")
    with open(path, "ab", buffering=0) as writer:
        following = Following(path)
        for number, part in enumerate((BAD[:100], BAD[100:] + WRONG[:50], WRONG[50:])):
            packed = COMPRESS[name](part)
            writer.write(packed[:7])
            writer.write(packed[7:])
            if number:
                assert following.frame() == 2 * number
        following.interrupt()
        assert following.end() == (130, "", "")


def test_the_summary_of_a_capture_that_grew(file):
    """The same as of it when it has stopped growing."""
    path = file(BAD)
    events, counts = Event(), []
    for report, entries, finished in verify([path], until=events):
        counts.append((report.frames, len(entries)))
        if finished:
            break
        if report.frames == 3:
            with open(path, "ab") as writer:
                writer.write(WRONG + WRONG[:20])
        else:
            events.set()
    assert (report.frames, sum(found for _, found in counts)) == (4, 2)
    assert report.error is None


def test_ctrl_c_before_anything_came(file):
    following = Following(file(b""))
    following.interrupt()
    assert following.end() == (130, "", "")


@pytest.mark.parametrize("closes", [True, False])
def test_who_writes_into_a_pipe_may_end_later(monkeypatch, closes):
    """tcpdump, which had the same Ctrl-C, has yet to write what it kept."""
    monkeypatch.setattr("carrychain.pcap.source.GRACE_S", 1_000_000 if closes else 0)
    ours, theirs = os.pipe()
    until = Event()
    os.write(theirs, BAD)
    for report, _, _ in verify([f"/dev/fd/{ours}"], until=until):
        if report.frames == 3 and not until.is_set():
            until.set()
            time.sleep(0.2)
            if closes:
                os.write(theirs, WRONG)
                os.close(theirs)
    assert (report.error, report.frames) == (None, 3 + closes)
    os.close(ours)
    if not closes:
        os.close(theirs)


def test_a_pipe_that_nobody_closes_ends_at_ctrl_c():
    ours, theirs = os.pipe()
    following = Following("-", stdin=ours)
    os.write(theirs, BAD + WRONG[:5])
    assert following.frame() == 2
    following.interrupt()
    assert following.end() == (130, "", "")
    os.close(ours)
    os.close(theirs)


def test_a_pipe_that_ends_by_itself():
    ours, theirs = os.pipe()
    following = Following("-", stdin=ours)
    os.write(theirs, BAD)
    os.close(theirs)
    status, out, err = following.end()
    assert (status, err) == (1, "") and out.split(",")[1] == "2"
    os.close(ours)


def test_a_capture_that_is_made_shorter(file):
    path = file(BAD)
    following = Following(path)
    assert following.frame() == 2
    os.truncate(path, 30)
    said = f"not read beyond byte {len(BAD)}: it was truncated; the 3 frames before were checked"
    assert following.end() == (2, "", f"carrychain: {path}: {said}\n")


def test_a_capture_that_is_replaced(file):
    path = file(BAD)
    with open(path, "ab", buffering=0) as writer:
        following = Following(path)
        assert following.frame() == 2
        # gone, it may still grow
        os.rename(path, path + ".1")
        writer.write(WRONG)
        assert following.frame() == 4
        writer.write(WRONG)
        os.rename(file(GOOD, "b"), path)
        assert following.frame() == 5
    said = "another file took its name and was not read; the 5 frames before were checked"
    place = len(BAD) + 2 * len(WRONG)
    assert following.end() == (2, "", f"carrychain: {path}: not read beyond byte {place}: {said}\n")


def test_tcpdump_followed(file, tmp_path):
    """Through a file that it writes packet by packet."""
    to = tmp_path / "growing"
    to.touch()
    following = Following(str(to))
    subprocess.run(tcpdump("-U", "-r", file(BAD), "-w", str(to)), check=True, stderr=subprocess.DEVNULL)
    assert following.frame() == 2
    following.interrupt()
    assert following.end() == (130, "", "")


def test_what_can_not_be_followed(file, tmp_path):
    path, other = file(GOOD), file(GOOD, "b")
    said = complaint(run("verify", "--follow", path, other), 2)
    assert said == "carrychain verify: --follow takes one capture, not 2"
    said = complaint(run("verify", "--follow", path, "--fix", str(tmp_path / "out")), 2)
    assert said == "carrychain verify: --follow and --fix exclude each other: give only one of them"
    assert complaint(run("verify", "--follow", f"{path}c"), 2).endswith("No such file or directory")


def test_descriptors_that_do_not_block():
    """As ssh and others leave them."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    process = start("verify", "-", stdin=ours, stdout=subprocess.PIPE)
    os.close(ours)
    os.write(theirs, BAD[:300])
    until(lambda: drained(theirs), process)
    os.write(theirs, BAD[300:])
    os.close(theirs)
    out, _ = process.communicate()
    assert process.returncode == 1 and b": pcap, 3 frames\n" in out


def test_what_is_compressed_is_no_other_length(file):
    """A record may be longer than any step, and than any batch."""
    data = frame(random.Random(5), 1000) + random.Random(6).randbytes(3 << 20)
    for name, compress in COMPRESS.items():
        path = file(compress(PCAP + struct.pack("<IIII", 0, 0, len(data), len(data)) + data + WRONG), name)
        (told,) = captured(path)
        assert (told["frames"], told["errors"], [each["frame"] for each in told["bad"]]) == (2, [], [2])
