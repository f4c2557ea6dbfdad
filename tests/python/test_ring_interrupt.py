"""Signals while a compiled program works: what a handler raises ends it, and nothing is lost."""

import os
import random
import signal
import subprocess
import sys
import threading

import pytest
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.ir.parse import parse_module
from events import work_of

# Each runs for longer than anyone waits: for ever, or as often as 2^62 times.
ENDLESS = """
array @big: array(int) = 0 1 2

function @spin -> (int) {
entry():
  %a: int = const 1
  jump top(%a)
top(%x: int):
  %k: int = const 5
  %y: int = mul %x, %k
  %z: int = low 32 %y
  jump top(%z)
}

function @count -> (int) {
entry(%n: u62):
  %zero: int = const 0
  jump top(%zero, %zero)
top(%i: int, %sum: int):
  %more: bool = lt %i, %n
  branch %more, next(), done()
next():
  %one: int = const 1
  %next: int = add %i, %one
  %mixed: int = xor %sum, %i
  %sum.2: int = low 64 %mixed
  jump top(%next, %sum.2)
done():
  return %sum
}

function @fill -> () {
entry(%data: array(u8), %n: u62):
  %zero: int = const 0
  jump top(%zero)
top(%i: int):
  %at: int = low 4 %i
  %octet: int = low 8 %i
  store %data, %at, %octet
  %one: int = const 1
  %next: int = add %i, %one
  %more: bool = lt %next, %n
  branch %more, again(), done()
again():
  jump top(%next)
done():
  return
}

function @branching -> (int) {
entry(%n: int[0,1000]):
  %none: int = const 0
  %end: bool = eq %n, %none
  branch %end, leaf(), inner()
leaf():
  %one: int = const 1
  return %one
inner():
  %less: int = const 1
  %m: int = sub %n, %less
  %m.2: int = narrow int[0,1000] %m
  %a: int = call @branching %m.2
  %b: int = call @branching %m.2
  %c: int = add %a, %b
  return %c
}

function @grow -> (int) {
entry(%x: int, %n: u62):
  %big: array(int) = global @big
  %zero: int = const 0
  jump top(%zero, %x)
top(%i: int, %y: int):
  %k: int = const 12345678901234567890123
  %z: int = mul %y, %k
  %m: int = const 340282366920938463463374607431768211297
  %r: int = fmod %z, %m
  store %big, %zero, %r
  %one: int = const 1
  %next: int = add %i, %one
  %more: bool = lt %next, %n
  branch %more, again(), done()
again():
  jump top(%next, %r)
done():
  return %r
}
""".replace("u62", "int[0,4611686018427387904]")
FOREVER = 1 << 62
CALLS = [
    ("spin",),
    ("count", FOREVER),
    ("fill", bytearray(16), FOREVER),
    ("fill", [0] * 16, FOREVER),
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
    return compile_module(parse_module(ENDLESS), request.param)


@pytest.mark.parametrize(
    "call", CALLS, ids=lambda call: f"{call[0]}-{type(call[1]).__name__}" if call[1:] else "spin"
)
def test_a_handler_that_raises_ends_the_call(program, alarm, call):
    with pytest.raises(Ended):
        alarm(0.1)
        program.call(*call)
    assert program.call("count", 1000) == program.call("count", 1000)


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
        seen.append(program.call("count", 5))
        if len(seen) == 3:
            raise Ended

    before = signal.signal(signal.SIGALRM, note)
    try:
        with pytest.raises(Ended):
            signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
            program.call("count", FOREVER)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen == [0 ^ 1 ^ 2 ^ 3 ^ 4] * 3


def test_what_was_stored_before_is_stored(program, alarm):
    data = [99] * 16
    with pytest.raises(Ended):
        alarm(0.1)
        program.call("fill", data, FOREVER)
    assert [octet % 16 for octet in data] == list(range(16))


def test_other_threads_run_to_the_end(program, alarm):
    count = 1 << 12
    results = []
    thread = threading.Thread(target=lambda: results.extend(program.call("count", count) for _ in range(100)))
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
    module = parse_module(
        """
function @each -> (int, array(int)) {
entry(%a: array(int), %x: int):
  %zero: int = const 0
  %n: int = len %a
  %out: array(int) = new array(int) %n, %x
  jump top(%zero, %x)
top(%i: int, %sum: int):
  %v: int = load %a, %i
  %sum.2: int = add %sum, %v
  store %out, %i, %sum.2
  %one: int = const 1
  %next: int = add %i, %one
  %more: bool = lt %next, %n
  branch %more, again(), done()
again():
  jump top(%next, %sum.2)
done():
  return %sum.2, %out
}
"""
    )
    each = compile_module(module)
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
