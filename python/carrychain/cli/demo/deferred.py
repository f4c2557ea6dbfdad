"""Deferred in wide lanes: one checksum over many megabytes, whose carries are folded in at the end."""

from importlib.resources import files

from carrychain.bench.timing import in_turn
from carrychain.bindings import checksum, cpu

from .chapter import Demo

SIZE = 64 << 20
PACKET = 1500
CACHED = 256 << 10
CACHED_ROUNDS = 1001
ROUNDS = 21


def material() -> bytearray:
    """The package's own modules, repeated; of even length."""
    text = b"".join(sorted(path.read_bytes() for path in _modules(files("carrychain"))))
    return bytearray((text * (SIZE // len(text) + 1))[:SIZE])


def _modules(directory):
    for each in directory.iterdir():
        if each.is_dir():
            yield from _modules(each)
        elif each.name.endswith(".py"):
            yield each


def by_division(data) -> int:
    """The checksum by division: 2^16 is 1 modulo 65535, so a number equals the sum of its 16-bit words."""
    return 0xFFFF - (int.from_bytes(data, "big") % 0xFFFF or 0xFFFF)


def chapter() -> Demo:
    data = material()
    value = checksum.checksum(data)
    sent = data + value.to_bytes(2, "big")
    corrupt = bytearray(sent)
    corrupt[SIZE // 3] ^= 0x10
    packets = [memoryview(data)[i : i + PACKET] for i in range(0, SIZE, PACKET)]
    small = memoryview(data)[:CACHED]
    (cached,) = in_turn([lambda: checksum.checksum(small)], CACHED_ROUNDS)
    result = Demo(
        carry="deferred",
        module="checksum",
        did=[
            (
                "summed",
                f"{SIZE >> 20} MB, this package's own modules repeated: [bold]{value:04x}[/bold]",
            ),
            (
                "verified",
                f"with the checksum appended {checksum.checksum(sent):04x}, as it must be; with one bit "
                f"flipped {checksum.checksum(corrupt):04x}",
            ),
            (
                "in cache",
                f"{CACHED >> 10} KB at {CACHED / cached.least:.0f} GB/s{cached.mark}, with Python's call",
            ),
        ],
        check=(
            "the whole, and each 1500-byte packet in it, equals the result of Python's own integers: the "
            "bytes as one number, modulo 65535"
        ),
        right=(
            value == by_division(data)
            and checksum.checksum(sent) == 0 != checksum.checksum(corrupt)
            and checksum.checksum(packets) == [by_division(each) for each in packets]
        ),
        unit="",
        peer="",
    )

    def ours() -> None:
        checksum.checksum(data)

    try:
        from carrychain.bindings import peers
    except ImportError:
        result.timings = in_turn([ours], ROUNDS)
        result.peer = "this compiler has no __int128 to add with carry"
    else:
        result.right &= peers.checksum(data) == value
        result.timings = in_turn([ours, lambda: peers.checksum(data)], ROUNDS)
        result.peer = "64-bit words added with carry, as kernels do"
    rate = SIZE / result.timings[0].least
    result.unit = f"for {SIZE >> 20} MB from memory, {rate:.0f} GB/s, by {cpu.chosen('checksum')}"
    return result
