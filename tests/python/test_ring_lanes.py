"""Functions in lanes do what they do one input at a time: word by word, in machine code, and as vectorize."""

import array
import random
from pathlib import Path

import pytest
import ring_lanes
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.call.many import work
from carrychain.ring.call.many.loops import NARROW, WIDE
from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.errors import Trap
from carrychain.ring.ir.form import Array
from carrychain.ring.machine import lanes as pass_
from carrychain.ring.machine.abi import storage
from carrychain.ring.machine.beside import at_once, one_by_one
from carrychain.ring.machine.interpret import Fault
from carrychain.ring.machine.lanes import Refusal
from carrychain.ring.machine.verify import Malformed
from draws import LONG, random_for, share
from ring_lanes import loops_of, many

pytestmark = pytest.mark.usefixtures("nothing_kept")

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "lisp").glob("*.lisp"))
TRIALS = 4 if LONG else 2
LENGTHS = (0, 1, 3, 16, 55, 64, 65, 130)


def bits_of(module, words, name: str) -> list[int]:
    return [
        storage(param.type.element) if isinstance(param.type, Array) else word.type
        for param, word in zip(module.functions[name].params, words.functions[name].params, strict=True)
    ]


def trials(words, name: str, bits: list[int], differ: tuple[bool, ...], rng: random.Random, times: int):
    """Pairs of results, one by one and at once."""
    made, label = ring_lanes.in_lanes(words, name, differ)
    params = words.functions[name].params
    for _ in range(times):
        arrays = {at: rng.choice(LENGTHS) for at, param in enumerate(params) if param.type == "array"}
        inputs = list(ring_lanes.rows(rng, bits, arrays, differ))
        yield one_by_one(words, name, inputs, bits), at_once(made, label, inputs, bits)


@pytest.mark.parametrize("path", share("ring_lanes", EXAMPLES, 3), ids=lambda path: path.stem)
def test_examples_word_by_word(path):
    module = lisp.module_of(lisp.text_of(str(path)), str(path))
    words = ring_lanes.words_of(module)
    done = 0
    rng = random_for(f"ring_lanes {path.stem}")
    for name, function in words.functions.items():
        # of operators.lisp one width is enough
        if path.stem == "operators" and not name.endswith("-32"):
            continue
        for first in (True, False):
            differ = (first, *[True] * (len(function.params) - 1))
            if not any(differ):
                continue
            try:
                for one, all_ in trials(words, name, bits_of(module, words, name), differ, rng, TRIALS):
                    assert one == all_, (name, differ)
                    done += 1
            except Refusal as refusal:
                assert str(refusal)
    # lanes are made of no function of these
    assert done or path.stem in ("poly1305", "plain")


TEXT = """
(deftype u32 () '(unsigned-byte 32))
(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype words () '(simple-array (unsigned-byte 32) (*)))
(declaim (type (simple-array (unsigned-byte 32) (8)) *squares*))
(defparameter *squares* #(0 1 4 9 16 25 36 49))

(defun branches (x y)
  (declare (type u32 x y))
  (cond ((evenp x) (values (floor x y)))
        ((< x y) (if (< x 100) (aref *squares* (logand x 7)) (ldb (byte 32 0) (ash x (- (logand y 63))))))
        ((= x 77) (error "seventy-seven"))
        (t (ldb (byte 32 0) (+ x y)))))

(defun looked-up (table x)
  (declare (type words table) (type (unsigned-byte 7) x))
  (aref table x))

(defun by-length (data x)
  (declare (type octets data) (type u32 x))
  (if (> (length data) 3)
      (let ((sum x))
        (declare (type u32 sum))
        (loop for octet across data
              do (when (logbitp 0 octet)
                   (setf sum (ldb (byte 32 0) (+ (* 31 sum) octet)))))
        sum)
      (logxor x (length data))))

(defun scattered (data)
  (declare (type octets data))
  (let ((counts (make-array 16 :element-type '(unsigned-byte 32) :initial-element 0)))
    (loop for octet across data
          do (when (> octet 20)
               (setf (aref counts (logand octet 15))
                     (ldb (byte 32 0) (+ 3 (aref counts (logand octet 15)))))))
    counts))

(defun shifted-copy (data)
  (declare (type octets data))
  (let ((to (make-array (+ 5 (length data)) :element-type '(unsigned-byte 8) :initial-element 7))
        (again (make-array (+ 9 (length data)) :element-type '(unsigned-byte 8) :initial-element 8)))
    (dotimes (k (length data)) (setf (aref to (+ k 2)) (aref data k)))
    (dotimes (k (length to)) (setf (aref again (+ k 3)) (aref to k)))
    (let ((either (if (> (length data) 20) to again)))
      (dotimes (k (length data)) (setf (aref either (+ k 2)) (aref to k)))
      either)))

(defun wide (x y)
  (declare (type (unsigned-byte 64) x y))
  (values (ldb (byte 64 0) (ash (logior x (ash y 64)) -23)) (< x y)))
"""


@pytest.fixture(scope="module")
def text():
    return lisp.module_of(TEXT, "text")


@pytest.mark.parametrize("name", ["branches", "looked-up", "by-length", "scattered", "shifted-copy", "wide"])
def test_branches_gathers_and_stores_word_by_word(text, name):
    words = ring_lanes.words_of(text)
    good = bad = 0
    for one, all_ in trials(
        words,
        name,
        bits_of(text, words, name),
        (True,) * len(words.functions[name].params),
        random.Random(f"{name} 2"),
        60,
    ):
        assert one == all_
        good, bad = good + (one is not None), bad + (one is None)
    assert good
    assert bad or name not in ("branches", "looked-up")


def broken_masks(monkeypatch):
    monkeypatch.setattr(pass_._Lanes, "_and", lambda self, mask, condition: condition)


def broken_selects(monkeypatch):
    monkeypatch.setattr(pass_._Lanes, "_selected", lambda self, ways, to: self._passed(ways[0][1], to))


def broken_checks(monkeypatch):
    monkeypatch.setattr(pass_._Lanes, "_fail", lambda self, condition, site: None)


def broken_copies(monkeypatch):
    monkeypatch.setattr("carrychain.ring.machine.copies._apart", lambda *args: True)


def notices(words) -> bool:
    for name in ("branches", "looked-up", "by-length", "scattered", "shifted-copy"):
        differ = (True,) * len(words.functions[name].params)
        bits = [8 if param.type == "array" else param.type for param in words.functions[name].params]
        bits = [32, 7] if name == "looked-up" else bits
        try:
            if any(
                one != all_ for one, all_ in trials(words, name, bits, differ, random.Random(f"{name} 3"), 40)
            ):
                return True
        except (Fault, Malformed):
            return True
    return False


@pytest.mark.parametrize("damage", [None, broken_masks, broken_selects, broken_checks, broken_copies])
def test_damage_to_the_pass_is_noticed(text, damage, monkeypatch):
    if damage:
        damage(monkeypatch)
    assert notices(ring_lanes.words_of(text)) == bool(damage)


# Machine code ------------------------------------------------------------------------------------------


def compared(module, name: str, make, counts, threads: int = 1):
    """In machine code, with the function called one input at a time."""
    program, loops = compile_module(module), loops_of(module, name)
    results = len(loops.entry.results)

    def one(*args):
        found = program.call(name, *args)
        return found if results > 1 else (found,)

    for count in counts:
        inputs = [make() for _ in range(count)]
        expected = list(zip(*(one(*row) for row in inputs), strict=True))
        columns = many(loops, one, *map(list, zip(*inputs, strict=True)), threads=threads)
        assert [list(column) for column in columns] == [list(column) for column in expected]
    return loops


def differ_all(loops) -> tuple[bool, ...]:
    return (True,) * len(loops.entry.params)


@pytest.mark.parametrize(("path", "name", "bits"), share("ring_lanes, machine code", [
    ("md5", "md5", ["octets"]), ("sha1", "sha1-hex", ["octets"]), ("murmur3", "murmur3", ["octets", 32]),
    ("crc32", "crc32", ["octets"]), ("crc16", "crc16-xmodem-by-table", ["octets"]),
    ("sha512", "sha512", ["octets"]), ("keccak", "sha3-256", ["octets"]), ("adler32", "adler32", ["octets"]),
    ("random", "xoshiro256**", [64] * 4), ("random", "pcg32", [64, 64]), ("random", "pcg64", [128, 128]),
    ("operators", "any-boole-16", [4, 16, 16]), ("rc6", "subkeys", ["octets"]),
], 3))  # fmt: skip
def test_examples_in_machine_code(path, name, bits):
    """All tails, up to twice as many as go at once and one more; equally long arrays."""
    module = lisp.module_of(lisp.text_of(str(ROOT / "examples" / "lisp" / f"{path}.lisp")), path)
    rng = random.Random(name)
    size = rng.choice((16, 61, 128))

    def make() -> list:
        return [
            rng.randbytes(size) if each == "octets" else ring_lanes.integers(rng, each) % 2**each
            for each in bits
        ]

    loops = compared(module, name, make, [1, 2, 3])
    if name == "pcg64":
        assert "128 bits" in loops.why(differ_all(loops))
        counts = [17]
    else:
        assert loops.why(differ_all(loops)) is None
        least, most = (loops.loop(differ_all(loops), each).count for each in (NARROW, WIDE))
        assert 2 <= least <= most
        counts = range(1, 2 * most + 2)
    compared(module, name, make, counts)


@pytest.mark.parametrize("name", ["by-length", "scattered", "shifted-copy"])
def test_unequal_lengths(text, name):
    rng = random.Random(5)
    lengths = [*range(70), *[33] * 70]

    def make() -> list:
        row = [rng.randbytes(rng.choice(lengths))]
        return row if name != "by-length" else [*row, rng.getrandbits(32)]

    compared(text, name, make, [1, 7, 200], threads=3)


def test_branches_in_machine_code(text):
    rng = random.Random(6)
    compared(
        text,
        "branches",
        lambda: [2 * rng.getrandbits(30) + rng.getrandbits(1), 1 + rng.getrandbits(31)],
        [1, 100],
    )
    compared(text, "wide", lambda: [rng.getrandbits(64), rng.getrandbits(64)], [5, 64, 65])


def test_one_for_all(text):
    program, loops = compile_module(text), loops_of(text, "looked-up")
    table = array.array("I", range(100, 200))
    places = [(7 * k) % 100 for k in range(75)]

    def one(*args):
        return (program.call("looked-up", *args),)

    assert list(many(loops, one, table, places)[0]) == [100 + k for k in places]
    with pytest.raises(Trap, match="index 100 is out of bounds"):
        many(loops, one, table, [1] * 20 + [100] + [101] * 20)


@pytest.mark.parametrize("threads", [1, 4])
def test_the_first_that_fails_is_named(text, threads, monkeypatch):
    monkeypatch.setattr(work, "LONG", 0)
    program, loops = compile_module(text), loops_of(text, "branches")
    called = []

    def one(*args):
        called.append(args)
        return (program.call("branches", *args),)

    xs, ys = [2 * k + 2 for k in range(1000)], [5] * 1000
    ys[700], ys[300] = 0, 0
    xs[301], xs[5] = 77, 79
    with pytest.raises(Trap, match="division by zero"):
        many(loops, one, xs, ys, threads=threads)
    # of the groups without a failure none is called again
    assert len(called) < 200
    ys[300], xs[200] = 5, 77
    with pytest.raises(Trap, match="seventy-seven"):
        many(loops, one, xs, ys, threads=threads)


def test_nothing_of_no_inputs(text):
    assert [list(column) for column in many(loops_of(text, "by-length"), None, [], [])] == [[]]


# Refusals ----------------------------------------------------------------------------------------------

REFUSED = {
    "an integer of any size": "(defun f (x) (* x x))",
    "it stores to an argument": "(defun f (a) (declare (type octets a)) (setf (aref a 0) 1) 5)",
    "a loop that goes on for some inputs and not for others":
        "(defun f (x) (declare (type u32 x)) (loop while (> x 5) do (setf x (ash x -1)) count t))",
    "a loop that some inputs enter and others do not":
        "(defun f (x a) (declare (type u32 x) (type octets a))"
        " (if (> x 5) (loop for o across a sum (logand o 1)) 0))",
    "of 128 bits that differ":
        "(defun f (x y) (declare (type (unsigned-byte 64) x y)) (ldb (byte 64 0) (ash (* x y) -64)))",
    "an array whose length differs":
        "(defun f (x) (declare (type (unsigned-byte 8) x)) (length (make-array x :element-type 'bit)))",
    "f calls itself":
        "(defun f (x) (declare (type (unsigned-byte 8) x))"
        " (if (< x 2) x (logand 255 (+ (f (- x 1)) (f (- x 2))))))",
    "has no form for lanes": "(defun f (x) (declare (type u32 x)) (isqrt x))",
    "it returns an array that it was given": "(defun f (a) (declare (type octets a)) a)",
}  # fmt: skip
TYPES = "(deftype u32 () '(unsigned-byte 32)) (deftype octets () '(simple-array (unsigned-byte 8) (*)))\n"


@pytest.mark.parametrize("why", REFUSED)
def test_refusals_name_their_reason(why):
    words = ring_lanes.words_of(lisp.module_of(TYPES + REFUSED[why], "refused"))
    with pytest.raises(Refusal, match=why) as caught:
        ring_lanes.in_lanes(words, "f", (True,) * len(words.functions["f"].params))
    if caught.value.position:
        assert caught.value.position.startswith("refused:2:")
