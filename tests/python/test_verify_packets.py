"""Packets with their bytes: read by Capture, and written by it."""

import carrychain
import pytest
from captures import DIRECTORY
from carrychain.pcap import CaptureError


@pytest.mark.parametrize("name", ["raw.pcap", "mixed.pcapng", "transports.pcap", "nano-big-endian.pcap"])
def test_what_is_written_is_read_again(name, tmp_path):
    packets = list(carrychain.Capture(DIRECTORY / name))
    frames = {frame.number: frame for frame in carrychain.verify(DIRECTORY / name) if frame.layers}
    assert any(packet.layers for packet in packets)
    for packet in packets:
        assert packet.length >= len(packet.data)
        if packet.layers:
            frame = frames[packet.number]
            assert (packet.time, packet.length, packet.layers) == (frame.time, frame.length, frame.layers)
    copy = tmp_path / "copy.pcapng"
    with carrychain.Capture(copy, "w") as out:
        for packet in packets:
            out.write(packet, comment="é" * 40_000)
        assert not copy.exists()
    again = list(carrychain.Capture(copy))
    assert [packet._replace(number=0) for packet in again] == [
        packet._replace(number=0) for packet in packets
    ]


def test_nothing_is_left_of_what_fails(tmp_path):
    out = carrychain.Capture(tmp_path / "a.pcapng", "w")
    with pytest.raises(ZeroDivisionError), out:
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
    (packet, *_) = carrychain.Capture(DIRECTORY / "raw.pcap")
    with pytest.raises(ValueError, match="write inside"):
        out.write(packet)
    with pytest.raises(ValueError, match="open for writing"):
        next(iter(out))
    with pytest.raises(ValueError, match='"r" or "w", not \'a\''):
        carrychain.Capture("a.pcap", "a")
    with pytest.raises(ValueError, match='needs no "with"'), carrychain.Capture("a.pcap"):
        pass


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"time": -1}, ValueError, r"the time of a packet is from 0 to 2\^64 - 1"),
        ({"length": 1 << 32}, ValueError, r"the length of a packet is from 0 to 2\^32 - 1"),
        ({"flags": -1}, ValueError, "the flags of"),
        ({"link": 1 << 16}, ValueError, "the link of"),
        ({"data": "text"}, TypeError, "bytes"),
    ],
)
def test_what_pcapng_has_no_room_for_is_not_written(wrong, error, said, tmp_path):
    """And what comes after it is."""
    (packet, *_) = carrychain.Capture(DIRECTORY / "raw.pcap")
    with carrychain.Capture(tmp_path / "a.pcapng", "w") as out:
        with pytest.raises(error, match=said):
            out.write(packet._replace(**wrong))
        with pytest.raises(TypeError, match="not int"):
            out.write(5)
        out.write(packet)
    assert list(carrychain.Capture(tmp_path / "a.pcapng")) == [packet]


def test_what_is_damaged_is_read_until_there(tmp_path):
    whole = (DIRECTORY / "raw.pcap").read_bytes()
    (tmp_path / "a.pcap").write_bytes(whole[:-1])
    expected = len(list(carrychain.Capture(DIRECTORY / "raw.pcap"))) - 1
    read = []
    with pytest.raises(CaptureError, match="cut short"):
        for packet in carrychain.Capture(tmp_path / "a.pcap"):
            read.append(packet.number)
    assert read == list(range(1, expected + 1))
