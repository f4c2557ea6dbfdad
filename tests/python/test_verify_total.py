"""The total of several captures, and the worst of them."""

import json
import re
import struct
from collections import Counter

import pytest
from captures import DIRECTORY, MADE, SECTION, block, captured, frame, pcap, rows, spoilt
from carrychain.bindings.capture import JUDGED
from carrychain.cli.verify_total import Total
from carrychain.pcap import by, verify
from carrychain.pcap.by import COLUMNS
from command import complaint, run

PATHS = [str(DIRECTORY / name) for name in sorted(MADE)]


def total_of(*arguments: str) -> dict:
    return json.loads(run("verify", "--json", *arguments).stdout)["total"]


def test_it_is_the_sum_of_all():
    each, total = captured(*PATHS), total_of(*PATHS)
    assert (total["captures"], total["unreadable"]) == (len(PATHS), 0)
    assert total["frames"] == sum(map(len, MADE.values()))
    for name in ("frames", "without_checksum", "fixed"):
        assert total[name] == sum(document[name] for document in each)
    for name in ("unverifiable", "not_checked"):
        assert total[name] == sum((Counter(document[name]) for document in each), Counter())
    for name in ("counts", "quoted"):
        want: dict[str, Counter] = {}
        for document in each:
            for protocol, counts in document[name].items():
                want.setdefault(protocol, Counter()).update(counts)
        assert total[name] == want

    def evidence(documents):
        found = Counter()
        for document in documents:
            for row in document["evidence"]:
                found[row["verdict"], row["evidence"], row["protocol"], row["from"]] += row["count"]
        return found

    assert evidence([total]) == evidence(each)
    # of those with as many, the first comes first
    wrong = {
        document["file"]: {
            verdict: sum(counts[verdict] for counts in document["counts"].values())
            for verdict in ("bad", "unfinished")
        }
        for document in each
    }
    worst = sorted(wrong, key=lambda name: -sum(wrong[name].values()))[:10]
    assert total["worst"] == [{"file": name} | wrong[name] for name in worst]


def timeless(said: str) -> str:
    """Without the seconds that it took."""
    shown, count = re.subn(r"(?m)^(total: .* bytes?), [0-9]+\.[0-9] s$", r"\1", said)
    assert count == 1
    return shown


def test_quiet_prints_only_that():
    shown = run("verify", *PATHS)
    quiet = run("verify", "--quiet", *PATHS)
    assert quiet.returncode == shown.returncode == 1
    assert timeless(shown.stdout).endswith("\n\n" + timeless(quiet.stdout)) and quiet.stdout.startswith(
        "total: 20 captures; "
    )
    assert json.loads(run("verify", "--json", "--quiet", *PATHS).stdout) == {
        "captures": [],
        "total": total_of(*PATHS),
    }
    (line,) = run("verify", "--json-lines", "--quiet", *PATHS).stdout.splitlines()
    assert json.loads(line) == {"type": "total"} | total_of(*PATHS)
    said = complaint(run("verify", "--csv", "--quiet", *PATHS), 2)
    assert said == "carrychain verify: --quiet and --csv exclude each other: a total has no rows"


@pytest.mark.parametrize("form", [(), ("--json",), ("--json-lines",)])
def test_one_capture_has_none(file, draw, form):
    path = file(pcap(frame(draw, 100)))
    assert "total" not in run("verify", *form, path).stdout
    result = run("verify", *form, "--quiet", path)
    assert result.returncode == 0 and "total" in result.stdout


def test_what_could_not_be_read_is_counted(file, tmp_path, draw):
    good = frame(draw, 100)
    fine, cut = file(pcap(good), "a"), file(pcap(good, spoilt(good))[:-1], "b")
    nothing, missing = file(b"nothing", "c"), str(tmp_path / "missing")
    result = run("verify", "--quiet", fine, cut, nothing, missing)
    assert result.returncode == 2
    head = result.stdout.splitlines()[0]
    assert head.startswith("total: 4 captures, 3 of them not read completely; 2 frames, ")
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == [cut, nothing, missing]
    assert total_of(fine, cut, nothing, missing)["unreadable"] == 3


def test_ten_are_named_at_most(file, draw):
    good = frame(draw, 100)
    counts = [draw.randrange(4) for _ in range(40)]
    paths = [file(pcap(good, *[spoilt(good)] * count), f"{n:02}.pcap") for n, count in enumerate(counts)]
    worst = sorted((n for n, count in enumerate(counts) if count), key=lambda n: -counts[n])[:10]
    assert total_of(*paths)["worst"] == [{"file": paths[n], "bad": counts[n], "unfinished": 0} for n in worst]


def summed(documents: list[dict], by: str, names: tuple[str, ...]) -> dict[tuple[str, ...], Counter]:
    found: dict[tuple[str, ...], Counter] = {}
    for document in documents:
        for row in document[f"by_{by}"]:
            found.setdefault(tuple(row[name] for name in names), Counter()).update(
                {verdict: row[verdict] for verdict in JUDGED}
            )
    return found


@pytest.mark.parametrize("key", sorted(COLUMNS))
def test_it_is_by_the_same(key):
    names = COLUMNS[key]
    want = summed(captured("--by", key, *PATHS), key, names)
    total = total_of("--by", key, *PATHS)
    assert summed([total], key, names) == want and len(total[f"by_{key}"]) == len(want)
    counts = sum((Counter(each) for each in total["counts"].values()), Counter())
    assert sum(want.values(), Counter()) == counts
    # the worst first
    bad = [row["bad"] for row in total[f"by_{key}"]]
    assert bad == sorted(bad, reverse=True) and bad[0]
    shown = run("verify", "--quiet", "--by", key, *PATHS).stdout
    assert all(name in shown for name in next(iter(want)))


@pytest.mark.parametrize("key", sorted(COLUMNS))
def test_csv_has_the_counts_by_that(key):
    found = rows("--by", key, *PATHS)
    assert list(found[0]) == ["file", *COLUMNS[key], *JUDGED]
    want = [
        {"file": document["file"]} | {name: str(value) for name, value in row.items()}
        for document in captured("--by", key, *PATHS)
        for row in document[f"by_{key}"]
    ]
    assert found == want


def test_links_have_names(file, draw):
    good = frame(draw, 10)
    link = struct.Struct("<HHI")
    data = SECTION + b"".join(block(1, link.pack(number, 0, 0)) for number in (1, 101, 113, 60000))
    for number, packet in ((0, good), (1, good[14:]), (3, good), (0, spoilt(good)), (0, spoilt(good))):
        data += block(6, struct.pack("<IIIII", number, 0, 0, len(packet), len(packet)) + packet)
    (document,) = captured("--by", "link", file(data))
    assert [(row["link"], row["good"], row["bad"]) for row in document["by_link"]] == [
        ("ETHERNET", 4, 2),
        ("RAW", 2, 0),
    ]


def test_more_groups_than_are_kept(monkeypatch, file, draw):
    """In all captures together, too; none is lost."""
    monkeypatch.setattr(by, "MOST", 5)
    total = Total("conversation")
    sums = 0
    for _ in range(3):
        *_, (report, _, _) = verify([file(pcap(*(frame(draw, 10) for _ in range(4))))], by="conversation")
        total.add(report, [])
        sums += 8
    *kept, others = total.rows_by()
    assert len(kept) == 5 and set(others.values()) >= {by.OTHERS}
    assert sum(row["good"] for row in (*kept, others)) == sums
