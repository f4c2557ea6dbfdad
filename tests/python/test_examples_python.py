"""The programs in examples/python beside reference vectors, and what Python has of its own.

Compiling takes longest: of each program's functions half are compiled, a quarter of these fast, drawn from
the tree.  CC_TEST_LONG=1 has all.
"""

import copy
import hashlib
import importlib
import math
import os
import random
import sys
import zlib
from itertools import compress, product
from pathlib import Path

import carrychain
import numpy
import pytest
from draws import share
from example_vectors import BLOWFISH, MASK64, POLY1305, SIPHASHES, SPECK, XTEA, both_ways, xoshiro256
from jit_foreign import U32, U64, among, chosen, exactly, lists, octets, outcome, signed, tuples, word
from quick import mostly_quick

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"
RANDOM = random.Random(1)
INPUTS = max(20, round(60 * float(os.environ.get("CC_TEST_SCALE", 1))))


def example(name: str):
    """A program's module."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(EXAMPLES))


@pytest.fixture(autouse=True)
def some_made_fast(request):
    with mostly_quick(f"examples_python {request.node.name}"):
        yield


def plain(function):
    return function


def lengths(*given: int) -> list[bytes]:
    return [RANDOM.randbytes(n) for n in given]


DATA = [b"", b"a", b"\xff" * 300, *lengths(3, 8, 55, 56, 63, 64, 65, 111, 112, 127, 128, 135, 136, 137, 200)]
CHECK = b"123456789"
# RFC 8439, 2.3.2 and 2.4.2
CHACHA_KEY = bytes(range(32))
CHACHA_BLOCK = bytes.fromhex(
    "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
    "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
)
SUNSCREEN = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
CHACHA_CIPHER = bytes.fromhex(
    "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b357"
    "1639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
    "5af90bbf74a35be6b40b8eedf2785e42874d"
)


def fnv1a(data: bytes, bits: int) -> int:
    """By one exact number, whose low bits are the hash."""
    h, prime = {32: (0x811C9DC5, 0x01000193), 64: (0xCBF29CE484222325, 0x100000001B3)}[bits]
    for byte in data:
        h = (h ^ byte) * prime
    return h % (1 << bits)


def crc64_xz(data: bytes) -> int:
    """By long division of polynomials."""
    bits = [*(int(bit) for byte in data for bit in f"{byte:08b}"[::-1]), *[0] * 64]
    bits[:64] = [1 - bit for bit in bits[:64]]
    dividend = int("".join(map(str, bits)), 2)
    while dividend >> 64:
        dividend ^= (1 << 64 | 0x42F0E1EBA9EA3693) << dividend.bit_length() - 65
    return int(f"{dividend:064b}"[::-1], 2) ^ MASK64


def pcg64(state: int, increment: int, count: int) -> list[int]:
    """By NumPy's."""
    generator = numpy.random.PCG64()
    generator.state = generator.state | {"state": {"state": state, "inc": increment}}
    return [int(number) for number in generator.random_raw(count)]


def python_random(seed: int, count: int) -> list[int]:
    generator = random.Random(seed)
    return [generator.getrandbits(32) for _ in range(count)]


def digits(base: int, start: int, data: bytes) -> int:
    """Horner's rule from the start."""
    return sum(byte * base ** (len(data) - 1 - k) for k, byte in enumerate(data)) + start * base ** len(data)


def max_worth(count: int, capacity: int) -> int:
    """Of all ways to take the knapsack's things, the best that fits."""
    things = [(3 + 7 * i % 23, 10 + 11 * i % 37) for i in range(count)]
    taken = (list(compress(things, bits)) for bits in product((0, 1), repeat=count))
    return max(sum(worth for _, worth in some) for some in taken if sum(w for w, _ in some) <= capacity)


def trace(n: int) -> int:
    """By NumPy's product."""
    i, j = numpy.indices((n, n))
    return int(numpy.trace((i * j + 1) % 10 @ ((i + 2 * j) % 10)))


PCG64 = [
    (state, increment | 1)
    for state, increment in (
        (0, 1),
        (1 << 127, 7),
        ((1 << 128) - 1, (1 << 128) - 1),
        (RANDOM.getrandbits(128), RANDOM.getrandbits(128)),
    )
]
SEEDS = (0, 1, 5489, 0xFFFFFFFF, 1 << 32, RANDOM.getrandbits(200))

# For each program, calls of its functions and what they return.
CALLS = {
    "md5": [("md5", (d,), hashlib.md5(d).digest()) for d in DATA],
    "sha1": [("sha1", (d,), hashlib.sha1(d).digest()) for d in DATA],
    "sha256": [("sha256", (d,), hashlib.sha256(d).digest()) for d in DATA],
    "sha512": [("sha512", (d,), hashlib.sha512(d).digest()) for d in DATA],
    "keccak": [("sha3_256", (d,), hashlib.sha3_256(d).digest()) for d in DATA]
    + [("sha3_512", (d,), hashlib.sha3_512(d).digest()) for d in DATA]
    + [("shake128", (d, n), hashlib.shake_128(d).digest(n)) for d in DATA[:4] for n in (0, 1, 168, 500)],
    "blowfish": [(way, (key, given), wanted) for way, key, given, wanted in both_ways(BLOWFISH)],
    "crc32": [(name, (d,), zlib.crc32(d)) for d in [*DATA, CHECK] for name in ("crc32", "crc32_bitwise")]
    + [("crc32", (d, n), zlib.crc32(d, n)) for d in DATA for n in (1, 0xFFFFFFFF)],
    # the catalogue of parametrised CRC algorithms has these
    "crc64": [
        *[("crc64_xz", (d,), crc64_xz(d)) for d in DATA],
        ("crc64_xz", (CHECK,), 0x995DC9BBDF1939FA),
        ("crc64_ecma", (CHECK,), 0x6C40DF5F0B497347),
        ("crc64_xz", (b"",), 0),
    ],
    "adler32": [(name, (d,), zlib.adler32(d)) for d in DATA for name in ("adler32", "adler32_late")]
    + [("adler32", (d, n), zlib.adler32(d, n)) for d in DATA for n in (0x12345678, 0xFFF0FFF0)],
    # the RFC's
    "fnv": [
        ("fnv1a_32", (b"foobar",), 0xBF9CF968),
        ("fnv1a_64", (b"foobar",), 0x85944171F73967E8),
        *[("fnv1a_32", (d,), fnv1a(d, 32)) for d in DATA],
        *[(name, (d,), fnv1a(d, 64)) for d in DATA for name in ("fnv1a_64", "fnv1a_64_late")],
    ],
    # what 64-bit CPython 2.7 gave of 'a' and 'abc'
    "string_hashes": [
        ("python2_hash", (b"a",), 12416037344),
        ("python2_hash", (b"abc",), 1453079729188098211),
        *[("djb2_exact", (d,), digits(33, 5381, d)) for d in DATA],
        *[("djb2", (d,), digits(33, 5381, d) % 2**32) for d in DATA],
        *[("sdbm_exact", (d,), digits(65599, 0, d)) for d in DATA],
        *[("sdbm", (d,), digits(65599, 0, d) % 2**32) for d in DATA],
    ],
    "murmur3": [
        ("murmur3_128", (b"",), 0),
        ("murmur3_128", (b"hello",), 0x5B1E906A48AE1D19CBD8A7B341BD9B02),
        ("murmur3_128", (b"hello, world",), 0x4CDCBC079642414D342FAC623A5EBC8E),
    ],
    # the author's, and of the specification
    "xxhash64": [
        ("xxh64", (b"",), 0xEF46DB3751D8E999),
        ("xxh64", (b"a",), 0xD24EC4F1A98C6E5B),
        ("xxh64", (b"abc",), 0x44BC2CF5AD770999),
        ("xxh64", (b"Nobody inspects the spammish repetition",), 0xFBCEA83C8A378BF1),
    ],
    "siphash": [("siphash", (bytes(range(16)), bytes(range(n))), wanted) for n, wanted in SIPHASHES.items()],
    "pcg64": [("numbers", (*of, 30), pcg64(*of, 30)) for of in PCG64]
    + [("nth", (*of, n), pcg64(*of, n)[-1]) for of in PCG64 for n in (1, 7)],
    "xoshiro256": [
        ("splitmix64", (1477776061723855037,), (12878490881047053522, 1985237415132408290)),
        *[("following", (before,), (number, after)) for before, number, after in xoshiro256()],
    ],
    # the first of the standard C++ library's
    "mt19937": [("numbers", (example("mt19937").seeded(5489), 2), [3499211612, 581869302])]
    + [("nth", (seed, n), python_random(seed, n)[-1]) for seed in SEEDS for n in (1, 624, 1300)],
    "chacha20": [
        ("chacha20_block", (CHACHA_KEY, 1, bytes.fromhex("000000090000004a00000000")), CHACHA_BLOCK),
        ("chacha20", (CHACHA_KEY, 1, bytes.fromhex("000000000000004a00000000"), SUNSCREEN), CHACHA_CIPHER),
    ],
    "poly1305": [("poly1305", (key, data), tag) for key, data, tag in POLY1305],
    "speck": [
        (way, (bits, key, given), wanted)
        for bits, vectors in SPECK.items()
        for way, key, given, wanted in both_ways(vectors)
    ],
    "xtea": [(way, (key, given), wanted) for way, key, given, wanted in both_ways(XTEA)],
    "plain": [
        *[("collatz", (n,), steps) for n, steps in ((1, 0), (27, 111), (837799, 524), (2**64 - 1, 863))],
        ("longest_collatz", (300,), 231),
        *[("queens", (n,), ways) for n, ways in enumerate((1, 1, 0, 0, 2, 10, 4, 40, 92))],
        ("digit_sums", (1000,), 13500),
        ("knapsack", (5, 40), max_worth(5, 40)),
        *[("partitions", (n,), ways) for n, ways in ((0, 1), (5, 7), (100, 190569292))],
        *[("sum_of_squares", (n,), (n - 1) * n * (2 * n - 1) // 6) for n in (0, 1, 1000)],
        ("matrices", (7,), trace(7)),
        *[("fib", (n,), carrychain.fib(n)) for n in (0, 1, 92, 93, 300)],
        *[("binom", (n, k), math.comb(n, k)) for n, k in ((0, 0), (5, 2), (60, 30), (200, 100))],
        *[("isqrt", (n,), math.isqrt(n)) for n in (0, 1, 3, 4, 10**18 - 1, 10**80, 10**80 - 1)],
    ],
}


def test_every_program_is_called():
    assert set(CALLS) == {path.stem for path in EXAMPLES.glob("*.py")}


@pytest.fixture(params=[plain, carrychain.jit], ids=["plain", "jit"])
def way(request):
    """How a function is run: it as it is, or compiled."""
    return request.param


@pytest.mark.parametrize("name", CALLS)
def test_vectors(name, way):
    module = example(name)
    functions = sorted({function for function, *_ in CALLS[name]})
    if way is not plain:
        functions = share(f"vectors of {name}", functions, 2)
    ways = {function: way(getattr(module, function)) for function in functions}
    for function, args, wanted in CALLS[name]:
        if function in ways:
            assert ways[function](*copy.deepcopy(args)) == wanted, (function, args)


def test_murmur3_as_smhasher_verifies_it(way):
    """Of what keys 0, 1, 2, ... of lengths 0 to 255 come to under seeds 256 down to 1."""
    murmur3_128 = way(example("murmur3").murmur3_128)
    hashes = b"".join(murmur3_128(bytes(range(n)), 256 - n).to_bytes(16, "little") for n in range(256))
    assert murmur3_128(hashes, 0) % 2**32 == 0x6384BA69


def test_pcg64_advances(way):
    pcg64 = example("pcg64")
    advanced = way(pcg64.advanced)
    for state, increment in PCG64:
        assert advanced(state, increment, 0) == state
        generator = numpy.random.PCG64()
        generator.state = generator.state | {"state": {"state": state, "inc": increment}}
        for steps in (1, 2, 1000, 10**30):
            wanted = generator.advance(steps).state["state"]["state"]
            assert advanced(state, increment, steps) == wanted
            generator.state = generator.state | {"state": {"state": state, "inc": increment}}


DIGESTED, STATE128, KEY128 = (octets(),), word(128), exactly(16)
BLOCKS = octets(0, 96, 8)
# For each program, its functions and what makes their arguments: those that change them, and parts, too.
RANDOMLY = {
    "md5": {"md5": DIGESTED, "md5_block": (tuples(U32, U32, U32, U32), exactly(64)), "i": (signed(99),) * 3},
    "sha1": {"sha1": DIGESTED},
    "sha256": {"sha256": DIGESTED, "sha256_block": (lists(8, U32), exactly(64))},
    "sha512": {"sha512": DIGESTED, "schedule": (octets(100, 130),), "cube_root": (word(300),)},
    "keccak": {"sha3_256": DIGESTED, "shake128": (octets(), among(0, 400)), "keccak_f": (lists(25, U64),)},
    "blowfish": {"encrypt": (octets(0, 60), BLOCKS), "decrypt": (octets(0, 60), BLOCKS)},
    "crc32": {"crc32": (octets(), signed(40)), "crc32_bitwise": DIGESTED, "shifted": (signed(40),)},
    "crc64": {"crc64_xz": DIGESTED, "crc64_ecma": DIGESTED, "reflected": (word(80), among(-2, 80))},
    "adler32": {"adler32": (octets(), signed(40)), "adler32_late": DIGESTED},
    "fnv": {"fnv1a_32": DIGESTED, "fnv1a_64": DIGESTED, "fnv1a_64_late": DIGESTED},
    "string_hashes": {
        name: DIGESTED for name in ("djb2", "djb2_exact", "sdbm", "sdbm_exact", "python2_hash")
    },
    # a seed may be beyond a word
    "murmur3": {"murmur3_128": (octets(), word(80))},
    "xxhash64": {"xxh64": (octets(), signed(80))},
    "siphash": {"siphash": (octets(15, 17), octets()), "rounds": (among(-1, 5), U64, U64, U64, U64)},
    "pcg64": {
        "numbers": (STATE128, STATE128, among(-1, 9)),
        "nth": (signed(140), signed(140), among(-1, 9)),
        "advanced": (STATE128, STATE128, word(140)),
    },
    "xoshiro256": {
        "nth": (signed(70), among(-1, 9)),
        "following": (tuples(*[word(70)] * 4),),
        "seeded": (signed(70),),
    },
    "mt19937": {
        "nth": (signed(200), among(-1, 700)),
        "seeded": (signed(40),),
        "twist": (lists(624, U32),),
        "numbers": (lists(624, U32), among(-1, 700)),
    },
    "chacha20": {
        "chacha20": (exactly(32), word(40), exactly(12), octets()),
        "quarter_round": (lists(16, U32), *[among(-17, 17)] * 4),
    },
    "poly1305": {"poly1305": (exactly(32), octets())},
    "speck": {
        way: (chosen(32, 64), KEY128, chosen(*(bytes(range(k, k + n)) for k in range(9) for n in (8, 16))))
        for way in ("encrypt", "decrypt")
    }
    | {"xor_of_counters": (KEY128, among(-1, 9))},
    "plain": {
        "collatz": (signed(90),),
        "longest_collatz": (among(-1, 60),),
        "queens": (among(0, 6),),
        "placed": (word(6), word(6), word(6), word(6)),
        "digit_sums": (among(-1, 300),),
        "knapsack": (among(-1, 12), among(0, 60)),
        "partitions": (among(0, 40),),
        "sum_of_squares": (among(-1, 99),),
        "matrices": (among(0, 9),),
        "fib": (among(-1, 200),),
        "binom": (signed(40), among(-1, 60)),
        "isqrt": (signed(300),),
    },
    "xtea": {
        "encrypt": (octets(15, 17), BLOCKS),
        "decrypt": (KEY128, octets(0, 96, 4)),
        "encrypt_block": (lists(4, signed(40)), signed(40), signed(40)),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_random_input_as_in_cpython(name):
    module, rng = example(name), random.Random(name)
    for function in share(f"random input of {name}", RANDOMLY[name], 2):
        makers = RANDOMLY[name][function]
        wanted, compiled = getattr(module, function), carrychain.jit(getattr(module, function))
        for _ in range(INPUTS):
            args = [make(rng) for make in makers]
            assert outcome(compiled, args) == outcome(wanted, args), (function, args)
