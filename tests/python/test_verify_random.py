"""Random frames, well formed and not: verdicts as made and as tshark gives them, repairs to the byte."""

import shutil

import pytest
from captures import by_frame, fix, pcap, read
from hypothesis import given
from hypothesis import strategies as st
from packets import random_frame
from tshark import ILLEGAL, agrees, tshark

SEEDS = range(2000)


def entries_of(path) -> dict[int, list]:
    report, entries = read(path)
    assert report.error is None
    return by_frame(entries)


def check(seeds, directory):
    """Returns the frames, and where the captures are: wrong, and repaired."""
    frames = [random_frame(seed) for seed in seeds]
    wrong, fixed = directory / "wrong", directory / "fixed"
    wrong.write_bytes(pcap(*(data for data, _, _ in frames)))
    found = entries_of(wrong)
    for number, (seed, (_, verdicts, _)) in enumerate(zip(seeds, frames, strict=True), 1):
        assert [(entry.protocol, entry.verdict) for entry in found[number]] == verdicts, seed
    fix(wrong, fixed)
    healed = pcap(*(random_frame(seed, healed=True)[0] for seed in seeds))
    assert fixed.read_bytes() == healed
    return frames, wrong, fixed


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=10))
def test_each_frame_is_what_it_was_made_to_be_and_repaired_to_the_byte(tmp_path_factory, seeds):
    check(seeds, tmp_path_factory.getbasetemp())


def test_tshark_judges_them_alike(tmp_path):
    if not shutil.which("tshark"):
        pytest.skip("tshark is not installed")
    frames, wrong, fixed = check(SEEDS, tmp_path)
    found = entries_of(wrong)
    for number, (each, (status, should_be)) in enumerate(zip(frames, tshark(wrong), strict=True), 1):
        _, verdicts, malformed = each
        # of what contradicts itself tshark sums what there is, if it sums at all
        if malformed:
            continue
        assert agrees(verdicts, status), (number - 1, verdicts, status)
        if ILLEGAL not in status["udp"]:
            expected = {entry.expected for entry in found[number] if entry.verdict in ("bad", "partial")}
            assert should_be == expected, number - 1
    for number, ((_, _, malformed), (status, _)) in enumerate(zip(frames, tshark(fixed), strict=True)):
        assert malformed or "0" not in {one for each in status.values() for one in each}, number


def test_the_generator_makes_what_is_rare():
    """Each kind that a test above is there for, often enough to be met in its frames."""
    frames = [random_frame(seed) for seed in SEEDS]
    made = [verdict for _, verdicts, malformed in frames if not malformed for verdict in verdicts]
    assert made.count(("SCTP (Adler-32)", "good")) > 20 < made.count(("SCTP", "bad"))
    big = [(verdicts, malformed) for data, verdicts, malformed in frames if len(data) > 65600]
    for verdict in (("TCP", "good"), ("TCP", "partial"), ("TCP", "bad")):
        assert any(verdict in verdicts and ("IPv4", "good") in verdicts for verdicts, _ in big)
        assert any([verdict] == verdicts for verdicts, _ in big)
    assert any(malformed and verdicts == [("IPv6", "unverifiable")] for verdicts, malformed in big)
