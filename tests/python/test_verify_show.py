"""verify --show: a frame's picture adds up; and repair, which makes one frame right."""

import re

import carrychain
import pytest
from captures import frame, pcap, spoilt, sum16
from carrychain.bindings.packet import walked
from carrychain.cli.verify_show import picture
from carrychain.pcap.frames import Captured, captured
from command import run
from mistakes import KINDS, mistaken


def shown(data: bytes, link: int = 1) -> list[str]:
    return list(picture(Captured(1, 0, len(data), link, data), True))


def bad_one(draw, name: str) -> bytes:
    (kind,) = (each for each in KINDS if each.name == name)
    return next(
        data
        for data in mistaken(draw, kind, 1, 0)
        if any(layer.verdict == "bad" for layer in carrychain.verify_frame(data))
    )


def test_every_word_is_there_and_adds_up(draw):
    for _ in range(40):
        (data,) = mistaken(draw, draw.choice(KINDS), 1, 0)[:1]
        layers, rest = walked(data, 1)
        assert not rest
        text = "\n".join(shown(data)).split("\n\n")[1:]
        assert len(text) == len(layers)
        for layer, part in zip(layers, text, strict=True):
            words = "".join(re.findall(r"^  (?:0x\w{4}|      )  ((?:[0-9a-f·_]{4} ?)+)", part, re.MULTILINE))
            digits = words.replace(" ", "").replace("····", "0000").rstrip("_")
            covered = data[layer.begin : layer.begin + layer.length]
            at = layer.field - layer.begin
            covered = covered[:at] + b"\0\0" + covered[at + 2 :]
            assert bytes.fromhex(digits) == layer.pseudo + covered
            lines = dict(re.findall(r"^  (complement|expected|in the packet) +0x(\w+)$", part, re.MULTILINE))
            assert int(lines["complement"], 16) == ~sum16(layer.pseudo + covered) & 0xFFFF
            assert int(lines["expected"], 16) == layer.expected
            assert (
                int(lines["in the packet"], 16)
                == layer.found
                == int.from_bytes(data[layer.field :][:2], "big")
            )


def test_a_bad_frame_is_explained(file, draw):
    data = bad_one(draw, "byte order")
    path = file(pcap(frame(draw, 10), data))
    done = run("verify", "--show", "2", path)
    assert done.returncode == 0
    assert done.stdout.startswith(f"frame 2: {len(data):,} bytes, link type 1\n")
    assert captured(path, 2).data == data
    assert "expected - found" in done.stdout
    assert "  perhaps the sum's two bytes swapped\n" in done.stdout


def test_places_of_a_bit(draw):
    data = bytearray(frame(draw, 100))
    data[60] ^= 4
    text = "\n".join(shown(bytes(data)))
    assert re.search(r"^  bit 10 (set|cleared) in one of the words at 0x", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--show", "5"), "has no frame 5"),
        (("--show", "0"), "is not in the range"),
        (("--show", "1", "more.pcap"), "--show takes one capture, not 2"),
    ],
)
def test_what_cannot_be_shown(file, draw, arguments, error):
    done = run("verify", file(pcap(frame(draw, 10))), *arguments)
    assert done.returncode == 2 and error in done.stderr and not done.stdout


def test_repair(draw):
    good = frame(draw, 100)
    for protocol in ("TCP", "IPv4"):
        assert carrychain.repair(spoilt(good, protocol)) == good
    assert carrychain.repair(memoryview(good)) == good
    assert carrychain.repair(spoilt(good)[14:], 101) == good[14:]
    # not of what is not there
    assert carrychain.repair(spoilt(good)[:60], length=len(good)) == spoilt(good)[:60]
    for bad in ("text", 5, None, [1]):
        with pytest.raises(TypeError, match=f"needs a buffer, such as bytes, not {type(bad).__name__}"):
            carrychain.repair(bad)
    with pytest.raises(ValueError, match="can't have been 3 on the wire"):
        carrychain.repair(good, length=3)


def test_a_frame_says_what_may_have_made_it(draw):
    data = bad_one(draw, "no complement")
    *_, upper = carrychain.verify_frame(data)
    assert upper.verdict == "bad" and upper.causes[0] == "the sum not complemented"
    for layer in carrychain.verify_frame(carrychain.repair(data)):
        assert (layer.verdict, layer.causes) == ("good", ()) and layer.expected == layer.found
