"""What made bad sums: each known mistake is made in captures, and has to be found in them."""

import json
from collections import Counter

from captures import pcap
from carrychain.bindings.cause import CAUSES
from carrychain.pcap import verify
from carrychain.pcap.causes import explanations, wrong_sums
from command import run
from mistakes import (
    ALIKE,
    KINDS,
    REPEATED,
    TRANSLATED,
    Kind,
    anonymized,
    flipped,
    mistaken,
    packets_of,
    repetitions,
    translations,
)

# Captures of each kind.
CASES = 6


def wrong_in(path: str) -> Counter:
    *_, (report, _, _) = verify([path], vantage="found")
    return wrong_sums(report)


def test_every_mistake_is_made():
    made = {kind.cause for kind in KINDS} | {ALIKE, REPEATED, TRANSLATED}
    assert made == set(CAUSES) - {"0 in place of 0xffff"}


def test_each_mistake_is_found(file, draw):
    """The first in 90 of 100 captures, and among the first two in 98."""
    makers = [(kind.cause, lambda bad, kind=kind: pcap(*mistaken(draw, kind, bad))) for kind in KINDS]
    for moved in ((True, False), (False, True), (True, True)):
        makers.append((TRANSLATED, lambda bad, moved=moved: pcap(*translations(draw, bad, *moved))))
    makers.append((REPEATED, lambda bad: pcap(*repetitions(draw, bad))))
    makers.append((ALIKE, lambda bad: pcap(*anonymized(draw, bad))))
    places, missed = Counter(), []
    for cause, make in makers:
        for _ in range(CASES):
            found = explanations(wrong_in(file(make(draw.randrange(20, 40)))))
            best, *rest = [name for each in found for name in (each.cause, *each.others)]
            places[0 if best == cause else 1 if cause in rest[:1] else None] += 1
            if best != cause:
                missed.append((cause, best, rest))
    total = places.total()
    assert places[0] >= 0.9 * total, missed
    assert places[0] + places[1] >= 0.98 * total, missed


def test_two_mistakes_are_told_apart(file, draw):
    """Of two senders, each with a mistake of its own: how many sums each explains."""
    for _ in range(CASES):
        first, second = draw.sample(sorted({kind.cause for kind in KINDS}), 2)
        made = [draw.choice([kind for kind in KINDS if kind.cause == cause]) for cause in (first, second)]
        counts = [draw.randrange(20, 30), draw.randrange(40, 60)]
        frames = [mistaken(draw, kind, count) for kind, count in zip(made, counts, strict=True)]
        found = {
            each.cause: each.count for each in explanations(wrong_in(file(pcap(*frames[0], *frames[1]))))
        }
        for cause, count in ((first, counts[0]), (second, counts[1])):
            # some of one may be as if made by the other
            assert abs(found.get(cause, 0) - count) <= 3, (made, found)


def test_what_nothing_explains(file, draw):
    """Random sums: chance makes some fit, but no mistake explains most."""
    (flow,) = packets_of(draw, Kind("", "", flipped), 1, 60)
    frames = [packet.damaged(draw.getrandbits(16)).frame() for packet in flow]
    *_, last = explanations(wrong_in(file(pcap(*frames))))
    assert last.cause == "" and last.count > 50


def test_ties_are_named(file, draw):
    """A TTL that falls by one is a bit of its word that was cleared, wherever that may be."""
    (kind,) = (each for each in KINDS if each.name == "TTL")
    (best,) = explanations(wrong_in(file(pcap(*mistaken(draw, kind, 20)))))
    assert (best.cause, best.others, best.count) == (kind.cause, ("one bit flipped",), 20)
    shown = run("verify", file(pcap(*mistaken(draw, kind, 20)))).stdout
    assert f": {kind.cause} or one bit flipped\n" in shown


def test_all_forms_say_it(file, draw):
    (kind,) = (each for each in KINDS if each.name == "no length")
    path = file(pcap(*mistaken(draw, kind, 20)))
    table = run("verify", path).stdout
    assert "  20 of 20 bad, from " in table and f": {kind.cause}\n" in table
    explained = run("verify", "--explain", path).stdout
    assert "expected - found" in explained and "found ^ expected" in explained
    (document,) = json.loads(run("verify", "--json", path).stdout)["captures"]
    (best,) = document["wrong"]["explanations"]
    assert (best["cause"], best["count"]) == (kind.cause, 20)
    assert sum(each["count"] for each in best["from"]) == 20
    assert sum(each["count"] for each in document["wrong"]["differences"]) == 20
    for each in document["wrong"]["differences"]:
        assert kind.cause in each["fits"]
    # of two captures, the total
    total = json.loads(run("verify", "--json", path, path).stdout)["total"]
    assert total["wrong"]["explanations"][0]["count"] == 40


def test_one_packet_is_weak(file, draw):
    kind = KINDS[0]
    shown = run("verify", file(pcap(*mistaken(draw, kind, 1, good=1)))).stdout
    assert "  1 bad, all from " in shown and ": perhaps " in shown


def test_a_capture_without_bad_sums_has_none(file, draw):
    path = file(pcap(*mistaken(draw, KINDS[0], 0, good=8)))
    (document,) = json.loads(run("verify", "--json", path).stdout)["captures"]
    assert document["wrong"] == {"explanations": [], "causes": [], "differences": []}
