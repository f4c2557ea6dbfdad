"""checksum() beside Python's own integers, through each tier of this machine."""

import ctypes
import mmap
import random
import threading
from array import array

import carrychain
import pytest
from carrychain.bindings import cpu, peers
from carrychain.bindings.checksum import Checksum
from hypothesis import given
from hypothesis import strategies as st

# of all tiers of this architecture, those that have a checksum of their own
TIERS = ("generic", "avx2", "avx512", "avx512vnni", "neon", "altivec")


@pytest.fixture(
    scope="module",
    params=[each for each in cpu.tiers() if each.name in TIERS],
    ids=lambda each: each.name,
    autouse=True,
)
def tier(request):
    if missing := request.param.missing():
        pytest.skip(f"this machine lacks {', '.join(missing)}")
    cpu.set_mask(request.param.needs)
    yield request.param
    cpu.set_mask(cpu.ALL)


def expected(data: bytes) -> int:
    """2^16 is 1 modulo 65535, so a number is the sum of its 16-bit digits."""
    number = int.from_bytes(data + bytes(len(data) % 2), "big")
    return 0xFFFF - (number % 0xFFFF or (0xFFFF if number else 0))


def test_the_tier_is_in_use(tier):
    assert cpu.chosen("checksum") == tier.name


def test_the_example_of_rfc_1071():
    assert carrychain.checksum(bytes.fromhex("0001f203f4f5f6f7")) == 0xFFFF - 0xDDF2


def test_the_header_of_a_packet():
    header = bytearray.fromhex("4500003c1c4640004006 0000 ac100a63ac100a0c")
    header[10:12] = carrychain.checksum(header).to_bytes(2, "big")
    assert header[10:12].hex() == "b1e6"
    assert carrychain.checksum(header) == 0


@given(st.binary(max_size=5000))
def test_any(data):
    assert carrychain.checksum(data) == expected(data) == peers.checksum(data)


@pytest.mark.parametrize("byte", [b"\0", b"\xff", b"\x80", b"\x7f"])
@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 65535, 65536, 65537, 1 << 20, 3_000_001])
def test_all_bytes_alike(byte, size):
    assert carrychain.checksum(byte * size) == expected(byte * size)


@given(st.lists(st.binary(max_size=300)))
def test_parts(parts):
    state = Checksum()
    for part in parts:
        state.update(part)
    assert state.value == expected(b"".join(parts))


@given(st.lists(st.binary(max_size=100)))
def test_many(buffers):
    each = [expected(data) for data in buffers]
    assert carrychain.checksum(buffers) == carrychain.checksum(tuple(buffers)) == each
    assert carrychain.checksum(bytearray(data) for data in buffers) == each


def test_nothing():
    assert carrychain.checksum(b"") == 0xFFFF
    assert carrychain.checksum([]) == []
    assert Checksum().value == 0xFFFF


def test_every_kind_of_buffer():
    data = random.Random(0).randbytes(4096)
    mapped = mmap.mmap(-1, 4096)
    mapped[:] = data
    kinds = [bytearray(data), memoryview(data), array("H", data), (ctypes.c_char * 4096)(*data), mapped]
    kinds.append(memoryview(data).cast("B", (64, 64)))
    assert carrychain.checksum(kinds) == [expected(data)] * len(kinds)
    assert [carrychain.checksum(each) for each in kinds] == [expected(data)] * len(kinds)


def test_what_is_changed_is_seen():
    data = bytearray(1000)
    assert carrychain.checksum(data) == 0xFFFF
    data[998] = 1
    assert carrychain.checksum(data) == 0xFEFF


def test_arrays_of_numpy():
    numpy = pytest.importorskip("numpy")
    packets = numpy.arange(64 * 75, dtype=">u2").reshape(64, 75)
    assert carrychain.checksum(packets) == expected(packets.tobytes())
    assert carrychain.checksum(list(packets)) == [expected(row.tobytes()) for row in packets]
    assert carrychain.checksum(numpy.zeros(0)) == 0xFFFF
    for strided in (packets[:, ::2], packets.T, packets[::-1]):
        with pytest.raises(ValueError, match="not C-contiguous: make a copy that is"):
            carrychain.checksum(strided)
    with pytest.raises(TypeError, match="references to Python objects, not data"):
        carrychain.checksum(numpy.array([object()]))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("text", "checksum needs a buffer or a list of buffers, not str"),
        (5, "checksum needs a buffer or a list of buffers, not int"),
        (None, "checksum needs a buffer or a list of buffers, not NoneType"),
        ([b"", "text"], "item 1 must be a buffer, not str"),
        ([[b""]], "item 0 must be a buffer, not list"),
    ],
)
def test_what_is_no_buffer(data, message):
    with pytest.raises(TypeError, match=message):
        carrychain.checksum(data)


def test_a_part_that_is_no_buffer():
    with pytest.raises(TypeError, match="update needs a buffer, not str"):
        Checksum().update("text")


def test_threads_work_at_once():
    data = random.Random(1).randbytes(1 << 22)
    results = []
    threads = [threading.Thread(target=lambda: results.append(carrychain.checksum(data))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected(data)] * 8
