"""The total as metrics for Prometheus, and captures as a JUnit report."""

import json
import re
import struct
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from captures import DIRECTORY, MADE, captured, frame, pcap, record, spoilt
from command import complaint, run

PATHS = [str(DIRECTORY / name) for name in sorted(MADE)]
# the text format's grammar, without what is optional and not written here: time stamps and comments
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
HELP = re.compile(rf"# HELP ({NAME}) (.+)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge|histogram|summary|untyped)")
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (-?\d+(?:\.\d+)?)")


def metrics(path: Path) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Samples by metric and labels. Each metric is told of once, before its samples."""
    found: dict[str, dict] = {}
    text = path.read_text()
    assert text.endswith("\n")
    lines = iter(text.splitlines())
    for line in lines:
        if told := HELP.fullmatch(line):
            assert told[1] not in found
            assert TYPE.fullmatch(next(lines))[1] == told[1]
            found[told[1]] = samples = {}
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample, line
        assert sample[1] == told_of(found)
        labels = tuple(re.findall(LABEL, sample[2] or ""))
        assert labels not in samples
        samples[labels] = float(sample[sample.re.groups])
    return {name.removeprefix("carrychain_verify_"): samples for name, samples in found.items()}


def told_of(found: dict) -> str:
    return list(found)[-1]


@pytest.mark.parametrize("paths", [PATHS, PATHS[:1]], ids=["all", "one"])
def test_metrics_are_the_total(tmp_path, paths):
    path = tmp_path / "verify.prom"
    result = run("verify", "--json", "--quiet", "--prometheus", str(path), *paths)
    total, found = json.loads(result.stdout)["total"], metrics(path)
    assert found["exit_status"] == {(): result.returncode}
    for name, member in {
        "captures": "captures",
        "captures_unreadable": "unreadable",
        "frames": "frames",
        "frames_without_checksum": "without_checksum",
        "bytes": "bytes",
    }.items():
        assert found[name] == {(): total[member]}
    assert found["checksums"] == {
        (("protocol", protocol), ("verdict", verdict)): count
        for protocol, counts in total["counts"].items()
        for verdict, count in counts.items()
    }
    verdicts = sum((Counter(counts) for counts in total["counts"].values()), Counter())
    assert len(found["verdicts"]) == 6
    assert {labels[0][1]: count for labels, count in found["verdicts"].items() if count} == verdicts
    assert found["unchecked"] == {(): sum(total["not_checked"].values())}
    ((_, seconds),) = found["duration_seconds"].items()
    assert 0 <= seconds < 3600


def cases(path: Path) -> tuple[ElementTree.Element, list[ElementTree.Element]]:
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"
    (suite,) = root
    return suite, list(suite)


def test_junit_has_a_case_for_each_capture(tmp_path):
    path = tmp_path / "junit.xml"
    run("verify", "--quiet", "--junit", str(path), *PATHS)
    suite, found = cases(path)
    assert [case.get("name") for case in found] == PATHS
    want = []
    for document in captured(*PATHS):
        counts = sum((Counter(each) for each in document["counts"].values()), Counter())
        want.append(", ".join(f"{counts[each]:,} {each}" for each in ("bad", "unfinished") if counts[each]))
    assert [case[0].get("message") if len(case) else "" for case in found] == want
    assert {case[0].get("type") for case in found if len(case)} == {"corruption"}
    assert suite.get("tests") == str(len(PATHS)) and suite.get("errors") == "0"
    assert suite.get("failures") == str(sum(map(bool, want)))


def test_junit_of_what_is_not_read_or_not_judged(tmp_path, draw):
    good = frame(draw, 100)
    # what XML gives a meaning to, and what it has no characters for
    files = {
        "good <&\"'>.pcap": pcap(good),
        "cut \x1b\n\udcff.pcap": pcap(good, spoilt(good))[:-1],
        "unknown.pcap": pcap(bytes(12) + b"\x88\xe5" + bytes(20)),
        "bad.pcap": pcap(spoilt(good)),
        "short.pcap": pcap() + struct.pack("<IIII", 0, 0, 60, len(good)) + good[:60],
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    paths = [*(str(tmp_path / name) for name in files), str(tmp_path / "missing")]
    report = tmp_path / "junit.xml"
    assert run("verify", "--strict", "--junit", str(report), *paths).returncode == 2
    suite, found = cases(report)
    assert [(case[0].tag, case[0].get("type")) if len(case) else None for case in found] == [
        None,
        ("error", "unreadable"),
        ("failure", "unjudged"),
        ("failure", "corruption"),
        ("failure", "unjudged"),
        ("error", "unreadable"),
    ]
    assert (suite.get("failures"), suite.get("errors")) == ("3", "2")
    assert found[0].get("name") == paths[0]
    assert found[1].get("name").endswith("cut \\x1b \\udcff.pcap")
    assert found[2][0].get("message") == "1 not checked"
    assert found[3][0].text.startswith("1 bad, all from ")
    assert found[4][0].get("message") == "1 unverifiable"
    # without --strict it does not matter
    run("verify", "--junit", str(report), *paths)
    assert cases(report)[0].get("failures") == "1"


def test_both_are_written_of_a_file_that_is_no_capture(file, tmp_path):
    prom, junit = tmp_path / "a.prom", tmp_path / "a.xml"
    result = run("verify", "--prometheus", str(prom), "--junit", str(junit), file(b"nothing"))
    assert result.returncode == 2
    assert metrics(prom)["captures_unreadable"] == {(): 1}
    assert cases(junit)[0].get("errors") == "1"


@pytest.mark.parametrize("option", ["--prometheus", "--junit"])
def test_the_file_is_replaced_whole(file, tmp_path, draw, option):
    path = file(pcap(frame(draw, 10)) + record(frame(draw, 10)))
    old = tmp_path / "old"
    old.write_text("old")
    assert run("verify", option, str(old), path).returncode == 0
    assert old.read_text() != "old" and len(list(tmp_path.iterdir())) == 2
    missing = str(tmp_path / "missing" / "file")
    result = run("verify", option, missing, "--quiet", path)
    assert result.returncode == 2
    assert result.stderr == f"carrychain: can't write {missing!r}: No such file or directory\n"
    assert complaint(run("verify", option), 2)
