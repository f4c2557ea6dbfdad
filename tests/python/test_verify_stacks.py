"""Links, tunnels and upper layers, each with each: verdicts by the standards and by tshark, repairs."""

import gzip
import random
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from captures import by_frame, fix, read
from command import piped
from draws import seed
from stack_closed import CLOSED
from stack_disagreements import DISAGREEMENTS
from stack_packet import Told
from stacks import CONDITIONS, Stack, conditioned, cut_everywhere, pcapng
from tshark import differing, in_words, tshark

FEW = 10  # of the stacks that differ, to be shown


@dataclass
class Grid:
    stacks: list[Stack]
    capture: Path
    repaired: Path


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    directory = tmp_path_factory.mktemp("stacks")
    made = Grid(list(conditioned(seed("stacks"))), directory / "stacks.pcapng", directory / "repaired.pcapng")
    made.capture.write_bytes(pcapng(made.stacks))
    fix(made.capture, made.repaired)
    return made


def found(path) -> tuple[dict[int, list[Told]], Counter]:
    """What is told of each frame, and what of all quotes."""
    report, entries = read(path)
    assert report.error is None
    told = {
        frame: [Told(each.protocol, each.verdict) for each in entries]
        for frame, entries in by_frame(entries).items()
    }
    return told, report.quoted


def statuses(path):
    """tshark's, of each frame, by field."""
    if not shutil.which("tshark"):
        pytest.skip("tshark is not installed")
    words = in_words(path)
    return [status | words.get(number, {}) for number, (status, _) in enumerate(tshark(path), 1)]


def told_as_made(stacks, capture):
    told, quoted = found(capture)
    wrong = [
        (each.seed, each.captured, each.told, told.get(frame, []))
        for frame, each in enumerate(stacks, 1)
        if told.get(frame, []) != [one for one in each.told if not one.quoted]
    ]
    assert not wrong, (len(wrong), Counter(each[0].split("'")[1] for each in wrong), wrong[:FEW])
    quotes = ((one.protocol, one.verdict) for each in stacks for one in each.told if one.quoted)
    assert quoted == Counter(quotes)


def test_each_stack_is_told_of_as_it_was_made(grid):
    told_as_made(grid.stacks, grid.capture)


def test_each_tunnel_cut_behind_each_of_its_bytes(tmp_path):
    stacks = list(cut_everywhere(seed("stacks cut")))
    assert len(stacks) > 1000
    capture = tmp_path / "cut.pcapng"
    capture.write_bytes(pcapng(stacks))
    told_as_made(stacks, capture)


def disagreements(grid, path, verdict) -> tuple[list, set]:
    """Where tshark differs and should not, and which of the known ones were met."""
    wrong, met = [], set()
    for each, status in zip(grid.stacks, statuses(path), strict=True):
        told = [(one.protocol, verdict(one)) for one in each.told]
        for field, mine, given in differing(told, status):
            known = [
                number
                for number, one in enumerate(DISAGREEMENTS)
                if one.concerns(each, field) and one.explains(mine, given)
            ]
            met.update(known[:1])
            if not known:
                wrong.append((each.seed, field, mine, given))
    return wrong, met


def test_tshark_judges_them_alike_but_for_what_is_listed(grid):
    wrong, met = disagreements(grid, grid.capture, lambda told: told.verdict)
    assert not wrong, (len(wrong), wrong[:FEW])
    common = {number for number, one in enumerate(DISAGREEMENTS) if not one.rare}
    assert met >= common, "one is no longer needed"


def test_each_is_repaired_to_the_byte(grid):
    """And what is right, cut, or without a checksum stays."""
    assert grid.repaired.read_bytes() == pcapng(grid.stacks, repaired=True)


def test_repaired_out_of_gzip_and_through_pipes_it_is_the_same(grid):
    result = piped("verify", "--fix", "-", "-", input=gzip.compress(grid.capture.read_bytes(), 1))
    assert result.returncode == 1
    assert result.stdout == grid.repaired.read_bytes()


def healed(told: Told) -> str:
    return "good" if told.verdict in ("bad", "partial") and not told.quoted else told.verdict


def test_what_is_repaired_is_clean_here_and_in_tshark(grid):
    told, _ = found(grid.repaired)
    verdicts = {one.verdict for each in told.values() for one in each}
    assert verdicts == {"good", "none", "unverifiable"}
    wrong, _ = disagreements(grid, grid.repaired, healed)
    assert not wrong, (len(wrong), wrong[:FEW])


def test_the_grid_has_each_condition_of_each_layer(grid):
    assert len(grid.stacks) > 2000
    for names in ((0, "link"), (-1, "upper")):
        met = Counter((each.names[names[0]], each.condition) for each in grid.stacks)
        assert min(met.values()) > 0 and set(CONDITIONS) == {condition for _, condition in met}
    verdicts = Counter(one.verdict for each in grid.stacks for one in each.told)
    assert min(verdicts.values()) > 100 and len(verdicts) == 5


@pytest.mark.parametrize("name", CLOSED)
def test_what_is_not_entered_is_counted_by_its_name(name, tmp_path):
    link, make, words = CLOSED[name]
    packet = make(random.Random(name)).sent()
    capture = tmp_path / "closed.pcapng"
    capture.write_bytes(pcapng([Stack(name, (name,), "good", link, packet, len(packet.data))]))
    told, _ = found(capture)
    assert told.get(1, []) == packet.told(len(packet.data))
    report, _ = read(capture)
    (unknown,) = report.unknown
    assert re.search(words, str(unknown))
