"""The programs in examples/lisp: interpreted, compiled, and in SBCL, beside Python's own."""

import binascii
import hashlib
import random
import zlib
from pathlib import Path

import example_plain
import pytest
import sbcl
from carrychain.ring.call.load import load_lisp
from carrychain.ring.compile import plans
from carrychain.ring.front.lisp.module import load, module_of
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.verify import verify_module
from carrychain.ring.machine.form import BIG
from draws import share
from example_vectors import BLOWFISH, MASK64, POLY1305, RC6, SIPHASHES, both_ways, xoshiro256
from quick import mostly_quick

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "lisp"
RANDOM = random.Random(1)
OCTETS = [RANDOM.randbytes(n) for n in (0, 1, 3, 8, 55, 56, 63, 64, 65, 150)]
BLOCKS = [RANDOM.randbytes(n) for n in (111, 112, 127, 128, 135, 136, 137, 300)]


def fletcher(data: bytes, step: int, modulus: int) -> int:
    low = high = 0
    for at in range(0, len(data), step):
        low = (low + int.from_bytes(data[at : at + step], "little")) % modulus
        high = (high + low) % modulus
    return high << 8 * step | low


def pcg32(state: int, increment: int) -> tuple[int, int]:
    mixed = (state >> 18 ^ state) >> 27 & 0xFFFFFFFF
    turn = state >> 59
    turned = (mixed >> turn | mixed << (-turn & 31)) & 0xFFFFFFFF
    return turned, (state * 6364136223846793005 + (increment | 1)) & MASK64


def xorshift(x: int, bits: int, shifts: tuple[int, int, int]) -> int:
    mask = (1 << bits) - 1
    x ^= x << shifts[0] & mask
    x ^= x >> shifts[1]
    return x ^ x << shifts[2] & mask


def rotated(x: int, count: int) -> int:
    return (x << count | x >> 32 - count) & 0xFFFFFFFF


def table_1(name: str, x: int, y: int, bits: int) -> int:
    values = {
        "add": x + y, "sub": x - y, "mul": x * y, "lognot": ~x, "logand": x & y, "logior": x | y,
        "logxor": x ^ y, "logeqv": ~(x ^ y), "lognand": ~(x & y), "lognor": ~(x | y),
        "logandc1": ~x & y, "logandc2": x & ~y, "logorc1": ~x | y, "logorc2": x | ~y,
    }  # fmt: skip
    return values[name] & ((1 << bits) - 1)


# SBCL's numbers for the operations, as the standard lists their names
BOOLE = {
    "clr": lambda x, y: 0, "set": lambda x, y: -1, "1": lambda x, y: x, "2": lambda x, y: y,
    "c1": lambda x, y: ~x, "c2": lambda x, y: ~y, "and": lambda x, y: x & y, "ior": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y, "eqv": lambda x, y: ~(x ^ y), "nand": lambda x, y: ~(x & y),
    "nor": lambda x, y: ~(x | y), "andc1": lambda x, y: ~x & y, "andc2": lambda x, y: x & ~y,
    "orc1": lambda x, y: ~x | y, "orc2": lambda x, y: x | ~y,
}  # fmt: skip


def crc16_arc(data: bytes) -> int:
    crc = 0
    for octet in data:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return crc


def mt19937(seed: int, count: int) -> int:
    """By Python's own, from the state that the seed makes."""
    state = [seed]
    for at in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + at) & 0xFFFFFFFF)
    twister = random.Random()
    twister.setstate((3, (*state, 624), None))
    return [twister.getrandbits(32) for _ in range(count)][-1]


def pcg64(state: int, increment: int) -> tuple[int, int]:
    state = (state * 0x2360ED051FC65DA44385DF649FCCF645 + (increment | 1)) & ((1 << 128) - 1)
    mixed, turn = (state >> 64 ^ state) & MASK64, state >> 122
    return (mixed >> turn | mixed << (-turn & 63)) & MASK64, state


def poly1305(key: bytes, data: bytes) -> bytes:
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    sum_ = 0
    for at in range(0, len(data), 16):
        block = int.from_bytes(data[at : at + 16] + b"\1", "little")
        sum_ = (sum_ + block) * r % ((1 << 130) - 5)
    return (sum_ + int.from_bytes(key[16:], "little") & ((1 << 128) - 1)).to_bytes(16, "little")


def operators() -> list[tuple[str, tuple, object]]:
    calls = []
    for bits in (8, 16, 32, 64):
        mask = (1 << bits) - 1
        for x, y in ((mask, 1), (RANDOM.getrandbits(bits), RANDOM.getrandbits(bits)), (0, mask)):
            for way in ("ldb", "mod", "logand"):
                for name in ("add", "sub", "mul", "logxor", "logeqv", "lognand", "lognor", "logandc1",
                             "logandc2", "logorc1", "logorc2", "logior", "logand"):  # fmt: skip
                    calls.append((f"{name}-{way}-{bits}", (x, y), table_1(name, x, y, bits)))
                calls.append((f"lognot-{way}-{bits}", (x,), table_1("lognot", x, 0, bits)))
            for number, (name, function) in enumerate(BOOLE.items()):
                calls.append((f"boole-{name}-{bits}", (x, y), function(x, y) & mask))
                calls.append((f"any-boole-{bits}", (number, x, y), function(x, y) & mask))
    return calls


# For each program, calls of its functions and what they return.
CALLS = {
    "md5": [("md5-hex", (d,), hashlib.md5(d).hexdigest()) for d in OCTETS]
    + [("md5", (d,), hashlib.md5(d).digest()) for d in OCTETS[:3]],
    "sha1": [("sha1-hex", (d,), hashlib.sha1(d).hexdigest()) for d in OCTETS],
    "sha256": [("sha256-hex", (d,), hashlib.sha256(d).hexdigest()) for d in OCTETS],
    "blowfish": [
        (f"blowfish-{way}", (key, given), wanted) for way, key, given, wanted in both_ways(BLOWFISH)
    ],
    "adler32": [("adler32", (d,), zlib.adler32(d)) for d in [*OCTETS, b"\xff" * 12_000]],
    "crc32": [(name, (d,), zlib.crc32(d)) for d in OCTETS for name in ("crc32", "crc32-bitwise")],
    "fletcher": [("fletcher16", (d,), fletcher(d, 1, 255)) for d in [*OCTETS, b"\xff" * 300]]
    + [("fletcher32", (d,), fletcher(d, 2, 65535)) for d in [*OCTETS, b"\xff" * 300]],
    "siphash": [
        ("siphash", (0x0706050403020100, 0x0F0E0D0C0B0A0908, bytes(range(n))), wanted)
        for n, wanted in SIPHASHES.items()
    ],
    "random": [
        *[("xorshift32", (x,), xorshift(x, 32, (13, 17, 5))) for x in (1, 0xDEADBEEF, 0xFFFFFFFF)],
        *[("xorshift64", (x,), xorshift(x, 64, (13, 7, 17))) for x in (1, 0xDEADBEEF << 31, MASK64)],
        *[("xoshiro256**", before, (number, *after)) for before, number, after in xoshiro256()],
        *[("pcg64", (x, i), pcg64(x, i)) for x, i in ((0, 109), (1 << 127, 7), ((1 << 128) - 1, 109))],
        *[("pcg32", (x, i), pcg32(x, i)) for x, i in ((0, 109), (MASK64, 1), (0x853C49E6748FEA9B, 7))],
    ],
    "crc16": [
        ("crc16-xmodem", (b"123456789",), 0x31C3),
        ("crc16-arc", (b"123456789",), 0xBB3D),
        *[("crc16-xmodem", (d,), binascii.crc_hqx(d, 0)) for d in OCTETS],
        *[("crc16-xmodem-by-table", (d,), binascii.crc_hqx(d, 0)) for d in OCTETS],
        *[("crc16-arc", (d,), crc16_arc(d)) for d in OCTETS],
    ],
    "keccak": [("sha3-256", (d,), hashlib.sha3_256(d).digest()) for d in (b"", *BLOCKS[4:7])]
    + [("sha3-512", (d,), hashlib.sha3_512(d).digest()) for d in BLOCKS[:1]],
    "sha512": [("sha512", (d,), hashlib.sha512(d).digest()) for d in (b"", *BLOCKS[:4])],
    "murmur3": [
        ("murmur3", (data, seed), wanted)
        for data, seed, wanted in (
            (b"", 0, 0),
            (b"", 1, 0x514E28B7),
            (b"", 0xFFFFFFFF, 0x81F16F39),
            (b"\xff" * 4, 0, 0x76293B50),
            (b"!Ce\x87", 0, 0xF55B516B),
            (b"!Ce\x87", 0x5082EDEE, 0x2362F9DE),
            (b"!Ce", 0, 0x7E4A8634),
            (b"!C", 0, 0xA0F7B07A),
            (b"!", 0, 0x72661CF4),
            (b"\0\0\0", 0, 0x85F0B427),
            (b"Hello, world!", 0x9747B28C, 0x24884CBA),
            (b"The quick brown fox jumps over the lazy dog", 0x9747B28C, 0x2FA826CD),
        )
    ],
    # the first of the standard C++ library's
    "mt19937": [("mt19937", (5489, 1), 3499211612)]
    + [("mt19937", (seed, count), mt19937(seed, count)) for seed, count in ((0, 3), (0xFFFFFFFF, 630))],
    "rc6": [(f"rc6-{way}", (key, given), wanted) for way, key, given, wanted in both_ways(RC6)],
    "poly1305": [
        ("poly1305", (key, data), poly1305(key, data))
        for key in (*dict.fromkeys(key for key, _, _ in POLY1305), b"\xff" * 32)
        for data in (*(data for _, data, _ in POLY1305), *OCTETS)
    ],
    "paper": [
        ("add-a", (1 << 70, -1), (1 << 70) - 1),
        ("add-c", ((1 << 62) - 1, (1 << 62) - 1), (1 << 63) - 2),
        ("add-d", (0xFFFFFFFF, 2), 1),
        ("add-e", (0xFFFFFFF0, 15), 0xFFFFFFFF),
        ("sum-of-range", (3, 10), 52),
        ("sum-of-range", (0xFFFFFF00, 0xFFFFFFFF), sum(range(0xFFFFFF00, 1 << 32)) & 0xFFFFFFFF),
        ("sum-of-range", (4, 3), 0),
        ("rotate-by-5", (0x80000001,), 0x30),
        *[("rotate-by", (0xC0000001, n), rotated(0xC0000001, n)) for n in range(32)],
        ("add-signed", ((1 << 31) - 1, 1), -(1 << 31)),
        ("sign-extended", (0xFFFFFFFF,), -1),
        ("sign-extended", (0x7FFFFFFF,), 0x7FFFFFFF),
    ],
    "operators": operators(),
    "plain": [
        *[("sorted-middle", (n,), example_plain.sorted_middle(n)) for n in (1, 2, 30)],
        *[("found", (n,), n) for n in (0, 1, 20)],
        *[("shortest-paths", (n,), example_plain.shortest_paths(n)) for n in (1, 2, 9)],
        *[("edit-distance", (n,), example_plain.edit_distance(n)) for n in (0, 1, 17)],
        *[("primes-below", (n,), example_plain.primes_below(n)) for n in (0, 3, 100)],
        *[("sets-left", (n,), example_plain.sets_left(n)) for n in (1, 10, 101)],
        *[("distances", (n,), example_plain.distances(n)) for n in (1, 2, 40)],
        *[("queens", (n,), ways) for n, ways in enumerate((1, 1, 0, 0, 2, 10, 4))],
    ],
}  # fmt: skip


BEYOND = ("sum-of-range", (0xFFFFFF00, 0xFFFFFFFF))


def test_every_program_is_called():
    assert set(CALLS) == {path.stem for path in EXAMPLES.glob("*.lisp")}


def plain(value):
    """An interpreter's results as a compiled program returns them."""
    if isinstance(value, list):
        return bytes(value)
    return value


@pytest.mark.parametrize("name", CALLS)
def test_interpreted(name):
    module = load(EXAMPLES / f"{name}.lisp")
    verify_module(module)
    machine = Interpreter(module)
    for function, args, wanted in CALLS[name]:
        if name == "blowfish" and args[0][0] != 0:
            # a key schedule takes the interpreter a second
            continue
        results = machine.call(function, *(list(a) if isinstance(a, bytes) else a for a in args))
        if isinstance(wanted, str):
            assert "".join(map(chr, results[0])) == wanted, (function, args)
        else:
            assert (plain(results[0]) if len(results) == 1 else results) == wanted, (function, args)


# on big integers a third of them
COMPILED = [
    *(pytest.param(name, True, id=f"{name}-cut") for name in CALLS),
    *(pytest.param(name, False, id=f"{name}-generic") for name in share("examples, generic", CALLS, 3)),
]


@pytest.mark.parametrize(("name", "cut"), COMPILED)
def test_compiled(name, cut):
    with mostly_quick(f"examples {name} {cut}"):
        program = load_lisp(EXAMPLES / f"{name}.lisp", cut=cut)
    for function, args, wanted in CALLS[name]:
        if not cut and function == "sum-of-range" and args[1] - args[0] > 1 << 20:
            continue
        assert program.call(function, *args) == wanted, (function, args)


NATURAL = ("crc16", "keccak", "mt19937", "murmur3", "poly1305", "random", "rc6", "sha512")
# a root of a number of 900 bits, found before anything runs
LONG = {"icbrt"}


@pytest.mark.parametrize("name", NATURAL)
def test_nothing_stays_big_that_fits_128_bits(name):
    made = plans(load(EXAMPLES / f"{name}.lisp").copy(), cut=True)
    big = {
        f"{function}: {value}"
        for function, plan in made.items()
        for value, container in plan.containers.items()
        if container is BIG and function not in LONG
    }
    assert not big


# What ranges have to say by themselves: signed operators, counters of every kind, products of words.
IN_WORDS = {
    "operators": """
      (defun f (x y z) (declare (type (signed-byte 64) x y) (type (signed-byte 32) z))
        (values (logand x y) (logior x y) (logxor x z) (lognot x) (logeqv x y) (lognand x y) (logandc2 x z)
                (mask-field (byte 16 8) x) (logand x (- x)) (logxor z (ash z -31))))""",
    "sign extension": """
      (defun f (x y) (declare (type (unsigned-byte 32) x) (type (signed-byte 64) y))
        (values (- (logxor x #x80000000) #x80000000) (if (logbitp 31 x) (- x #x100000000) x)
                (logior x (- (logand x #x80000000)))
                (logior (ldb (byte 31 0) y) (- (mask-field (byte 1 31) y)))
                (dpb y (byte 63 0) (- (ldb (byte 1 63) y)))))""",
    "nested dotimes": """
      (defun f (n) (declare (type fixnum n))
        (let ((s 0) (k 0))
          (dotimes (i n s)
            (dotimes (j n)
              (incf k)
              (setf s (ldb (byte 64 0) (+ s (* i j) k)))))))""",
    "exits by =": """
      (defun f (n m) (declare (type (unsigned-byte 16) n) (type (signed-byte 64) m))
        (do ((i 0 (+ i 1)) (s 0 (ldb (byte 32 0) (+ s i)))) ((= i n) s))
        (do ((i n (- i 1)) (s 0 (ldb (byte 32 0) (+ s i)))) ((not (/= i 0)) s))
        (do ((i 0 (+ i 6)) (j 1 (+ j 5)) (s 0 (+ s (* i j)))) ((= i 60) s))
        (let ((k 0)) (loop until (= k m) do (incf k)) k))""",
    "counts": """
      (defun f (data n) (declare (type (simple-array (unsigned-byte 8) (*)) data) (type (unsigned-byte 64) n))
        (let ((ones 0) (sum 0) (rounds 0) (at 0))
          (loop for x across data do (when (= x 1) (incf ones)))
          (loop while (/= at (length data)) do (incf sum (aref data at)) (incf at))
          (loop until (= n 1)
                do (setf n (if (evenp n) (ash n -1) (ldb (byte 64 0) (+ 1 (* 3 n)))))
                   (incf rounds))
          (values ones sum rounds)))""",
    "modular products": """
      (defun f (a b m n-inverse)
        (declare (type (unsigned-byte 64) a b n-inverse) (type (integer 1 #xffffffffffffffff) m))
        (let* ((product (* a b))
               (q (ldb (byte 64 0) (* product n-inverse)))
               (u (ash (+ product (* q m)) -64)))
          (values (mod (* a b) m) (mod (+ (* a a) b) m) (floor (* a b) m) (if (>= u m) (- u m) u))))""",
    "Barrett's reduction": """
      (defun f (x m) (declare (type (unsigned-byte 64) x) (type (integer 3 #xffffffff) m))
        (let* ((q (ash (* x (floor (ash 1 64) m)) -64))
               (r (- x (* q m))))
          (loop while (>= r m) do (decf r m))
          r))""",
}


@pytest.mark.parametrize("name", IN_WORDS)
def test_in_words(name):
    (plan,) = plans(module_of(IN_WORDS[name]), cut=True).values()
    assert [str(value) for value, container in plan.containers.items() if container is BIG] == []


def test_what_counts_down_stays_below_where_it_began():
    text = """
      (defun f (n)
        (let ((v (make-array n :initial-element 0)))
          (loop for i from 1 below n
                do (let ((j i))
                     (loop while (and (> j 0) (> (aref v (- j 1)) 9)) do (decf j))
                     (setf (aref v j) i)))
          (aref v 0)))"""
    (plan,) = plans(module_of(text), cut=True, words=False).values()
    wide = [str(v) for v, container in plan.containers.items() if container not in (8, 16, 32, 64)]
    assert wide == ["%n"]


def test_functions_as_attributes():
    program = load_lisp(EXAMPLES / "paper.lisp")
    assert program.sum_of_range(1, 10) == program.call("sum-of-range", 1, 10) == 55
    assert "sum_of_range" in dir(program) and "sum-of-range" in repr(program)
    with pytest.raises(AttributeError, match=r"no function sum_of: it has .*sum-of-range"):
        program.sum_of(1, 10)


def as_lisp(value) -> str:
    if isinstance(value, bytes):
        return f"(octets {' '.join(map(str, value))})"
    return str(value)


@sbcl.needs_sbcl
@pytest.mark.parametrize("name", share("examples in SBCL", CALLS, 3))
def test_sbcl_loads_the_same_file(name):
    # SBCL's counter may not step beyond its declared type, though the body never sees it
    calls = [call for call in CALLS[name] if call[:2] != BEYOND]
    lines = [
        "(declaim (sb-ext:muffle-conditions warning sb-ext:compiler-note))",
        f'(load "{EXAMPLES / name}.lisp")',
        "(defun octets (&rest list) (coerce list '(simple-array (unsigned-byte 8) (*))))",
    ]
    lines += [sbcl.shown(f"({function} {' '.join(map(as_lisp, args))})") for function, args, _ in calls]
    found = map(sbcl.values, sbcl.results("\n".join(lines)))
    for values, (function, args, wanted) in zip(found, calls, strict=True):
        values = tuple(map(plain, values))
        assert (values[0] if len(values) == 1 else values) == wanted, (function, args)
