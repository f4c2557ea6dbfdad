"""Signals while a compiled program works: what a handler raises ends it, and nothing is lost."""

import os
import random
import signal
import subprocess
import sys
import threading

import pytest
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.parse import parse_module
from events import work_of

# Each runs for longer than anyone waits: for ever, or as often as 2^62 times.
ENDLESS = """
(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype often () `(integer 0 ,(expt 2 62)))
(defvar *kept* 0)

(defun spin ()
  (let ((x 1)) (loop (setq x (ldb (byte 32 0) (* x 5))))))

(defun tally (n &aux (sum 0))
  (declare (type often n))
  (dotimes (i n sum) (setq sum (ldb (byte 64 0) (logxor sum i)))))

(defun put (data n)
  (declare (type octets data) (type often n))
  (dotimes (i n) (setf (aref data (ldb (byte 4 0) i)) (ldb (byte 8 0) i))))

(defun branching (n)
  (declare (type (integer 0 1000) n))
  (if (= n 0) 1 (+ (branching (- n 1)) (branching (- n 1)))))

(defun grow (x n)
  (declare (type integer x) (type often n))
  (dotimes (i n x)
    (setq x (mod (* x 12345678901234567890123) 340282366920938463463374607431768211297))
    (setq *kept* x)))
"""
FOREVER = 1 << 62
CALLS = [
    ("spin",),
    ("tally", FOREVER),
    ("put", bytearray(16), FOREVER),
    ("put", [0] * 16, FOREVER),
    ("branching", 1000),
    ("grow", 1 << 100, FOREVER),
]


MALLINFO = ["arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
            "keepcost"]  # fmt: skip


class Ended(Exception):
    pass


def end(number, frame):
    raise Ended


@pytest.fixture
def alarm():
    before = signal.signal(signal.SIGALRM, end)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module", params=[True, False], ids=["cut", "big"])
def program(request):
    return compile_module(lisp.module_of(ENDLESS), request.param)


@pytest.mark.parametrize(
    "call", CALLS, ids=lambda call: f"{call[0]}-{type(call[1]).__name__}" if call[1:] else "spin"
)
def test_a_handler_that_raises_ends_the_call(program, alarm, call):
    with pytest.raises(Ended):
        alarm(0.1)
        program.call(*call)
    assert program.call("tally", 1000) == program.call("tally", 1000)


@pytest.fixture(scope="module")
def once():
    """Programs of one operation."""
    ops = ["mul", "fdiv", "trem", "crem", "gcd", "expt"]
    text = "function @{} -> (int) {{\nb(%x: int, %y: int):\n  %r: int = {} %x, %y\n  return %r\n}}"
    root = "function @isqrt -> (int) {\nb(%x: int):\n  %r: int = isqrt %x\n  return %r\n}"
    return compile_module(parse_module("\n".join([*(text.format(op, op) for op in ops), root])))


@pytest.mark.parametrize("op", ["mul", "fdiv", "trem", "crem", "gcd", "expt", "isqrt"])
def test_one_operation_on_huge_integers_ends(once, op):
    """In its midst: a handler runs three times within it, where after it there would be one run."""
    size = 1 << (22 if op == "gcd" else 28)
    x, y = (random.Random(seed).getrandbits(size) for seed in (1, 2))
    args = {"mul": [x, y], "gcd": [x, y], "expt": [3, size], "isqrt": [x]}.get(op, [x << size, y])
    runs = 0

    def note(number, frame):
        nonlocal runs
        runs += 1
        if runs == 3:
            raise Ended

    before = signal.signal(signal.SIGPROF, note)
    try:
        with pytest.raises(Ended):
            # of the processor's time, of which each takes a second or so
            signal.setitimer(signal.ITIMER_PROF, 0.02, 0.02)
            once.call(op, *args)
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert once.call("mul", 6, 7) == 42


def test_a_handler_that_does_not_raise_runs_meanwhile(program):
    seen = []

    def note(number, frame):
        # a call within the call
        seen.append(program.call("tally", 5))
        if len(seen) == 3:
            raise Ended

    before = signal.signal(signal.SIGALRM, note)
    try:
        with pytest.raises(Ended):
            signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
            program.call("tally", FOREVER)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen == [0 ^ 1 ^ 2 ^ 3 ^ 4] * 3


def test_what_was_stored_before_is_stored(program, alarm):
    data = [99] * 16
    with pytest.raises(Ended):
        alarm(0.1)
        program.call("put", data, FOREVER)
    assert [octet % 16 for octet in data] == list(range(16))


def test_other_threads_run_to_the_end(program, alarm):
    count = 1 << 12
    results = []
    thread = threading.Thread(target=lambda: results.extend(program.call("tally", count) for _ in range(100)))
    thread.start()
    with pytest.raises(Ended):
        alarm(0.01)
        program.call("spin")
    thread.join()
    assert results == [results[0]] * 100


def test_a_child_is_interrupted_too(program, alarm):
    with pytest.raises(Ended):
        alarm(0.05)
        program.call("spin")
    child = os.fork()
    if not child:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            program.call("spin")
        except Ended:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def in_use() -> int:
    """Bytes that malloc has given out."""
    import ctypes
    import gc

    class Info(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in MALLINFO]

    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        pytest.skip("this C library does not tell what malloc has given out")
    mallinfo.restype = Info
    gc.collect()
    info = mallinfo()
    return info.uordblks + info.hblkhd


def test_nothing_is_lost_at_any_moment(alarm):
    """Signals at random moments of calls: in compiled code, before and after."""
    size = 1 << 18
    arguments = [[1 << 8 * size, -(1 << 8 * size), 5], (1 << 8 * size) + 1]
    each = compile_module(
        lisp.module_of("""
(defun each (a x)
  (declare (type (simple-array integer (*)) a) (type integer x))
  (let ((out (make-array (length a) :initial-element x)))
    (dotimes (i (length a) (values x out))
      (incf x (aref a i))
      (setf (aref out i) x))))
""")
    )
    wanted = each.call("each", *arguments)
    before = in_use()
    ended, chance = 0, random.Random(1)
    for _ in range(1000):
        try:
            alarm(chance.uniform(1e-6, 3e-3))
            while True:
                each.call("each", *arguments)
        except Ended:
            ended += 1
    assert ended == 1000
    # each value has as many bytes as `size`
    assert in_use() - before < size
    assert each.call("each", *arguments) == wanted


def test_ctrl_c_ends_the_command(tmp_path):
    path = tmp_path / "endless.lisp"
    os.mkfifo(path)
    text = (
        "(defun spin (n) (declare (type (unsigned-byte 62) n))\n  (loop for k from 0 below n count (oddp k)))"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "carrychain", "run", path, "spin", str(FOREVER - 1)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # when the command has begun
    path.write_text(text)
    work_of(process, 1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (out, err) == (b"", b"carrychain: interrupted\n")
    assert process.returncode in (1, 130)
