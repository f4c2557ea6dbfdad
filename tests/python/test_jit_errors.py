"""What jitted functions raise, from where, and what is there afterwards."""

import ast
import gc
import inspect
import signal
import sys
import threading
import traceback
from types import CodeType
from unittest.mock import patch

import numpy as np
import pytest
from carrychain.ring.front.python.kinds import Raised
from events import interrupted, others_run
from exact import jit
from jit_front import ir, made, of_kind

RAISES = """
function @f -> (int) {
entry(%n: int):
  %z: int = const 0
  %below: bool = lt %n, %z
  branch %below, bad(), good()
bad():
  trap "raise 1"
good():
  return %n
}"""

DIVIDES = ir("%a: int, %b: int", "%q: int = fdiv %a, %b", returns="%q")


def halved(n):
    # a line between
    if n < 0:
        raise KeyError("n", 5)
    return n


def divided(a, b):
    return (
        a
        // b
    )  # fmt: skip


def apart(a):
    return (
        a
        + 1
    ).to_bytes(1, "big")  # fmt: skip


def frames(error):
    return [(f.name, f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__)]


def test_the_programs_own_exceptions():
    raised = [Raised(AssertionError, ()), Raised(KeyError, ("n", 5))]
    f = made(halved, RAISES, raised=raised, lines={"raise 1": (3, 9)})
    assert f(5) == 5
    with pytest.raises(KeyError) as found:
        f(-1)
    assert found.value.args == ("n", 5)
    first = halved.__code__.co_firstlineno
    assert frames(found.value)[1:] == [("halved", __file__, first + 3)]
    assert found.value.__traceback__.tb_next.tb_frame.f_globals is globals()
    assert found.value.__context__ is None
    text = "".join(traceback.format_exception(found.value))
    assert 'raise KeyError("n", 5)' in text
    with pytest.raises(KeyError) as again:
        f(-1 << 80)
    # each is its own
    assert again.value is not found.value


def item(items, at):
    return items[at]


def deeper(n):
    return deeper(n - 1) + 1 if n else 1 // n


def many_frames(items, n):
    def of(at):
        return item(items, at)

    if n == 7:
        return (lambda at: item(items, at))(n)
    if n == 8:
        return deeper(n)
    if n == 9:
        return sum(
            [items[at] for at in range(n)],
        )
    return any(of(at) > 300 for at in range(n))


def test_the_frames_between():
    """Of functions that are called, inlined or not, of lambdas and comprehensions, as CPython has them."""
    compiled = jit(many_frames)
    for n in (4, 7, 8, 9):
        with pytest.raises((IndexError, ZeroDivisionError)) as wanted:
            many_frames(b"abc", n)
        with pytest.raises((IndexError, ZeroDivisionError)) as got:
            compiled(b"abc", n)
        assert frames(got.value)[1:] == frames(wanted.value)[1:]


def test_a_method_is_where_its_name_is():
    for compiled in (apart, jit(apart)):
        with pytest.raises(OverflowError) as found:
            compiled(255)
        assert frames(found.value)[-1][2] == apart.__code__.co_firstlineno + 4


def test_of_many_frames_the_innermost():
    with pytest.raises(ZeroDivisionError) as wanted:
        deeper(100)
    with pytest.raises(ZeroDivisionError) as got:
        jit(deeper)(100)
    assert 33 <= len(frames(got.value)[1:]) <= 100
    assert set(frames(got.value)[1:]) == set(frames(wanted.value)[1:])


def test_the_traceback_of_a_keyword_call_has_no_frames_of_ours():
    f = made(halved, RAISES, raised=[Raised(AssertionError, ())] * 2, lines={"raise 1": (3, 9)})
    for _ in range(2):
        with pytest.raises(AssertionError) as found:
            f(n=-1)
        assert [name for name, *_ in frames(found.value)][1:] == ["halved"]


def test_an_exception_while_another_is_handled():
    f = made(halved, RAISES, raised=[Raised(AssertionError, ())] * 2)
    try:
        raise OSError("outer")
    except OSError as outer:
        with pytest.raises(AssertionError) as found:
            f(-1)
        assert found.value.__context__ is outer


def test_division_by_zero():
    f = made(divided, DIVIDES, lines={"fdiv": (2, 9)})
    assert f(7, 2) == 3
    for a in (7, 1 << 80):
        with pytest.raises(ZeroDivisionError, match="integer division or modulo by zero") as found:
            f(a, 0)
        assert frames(found.value)[1:] == [("divided", __file__, divided.__code__.co_firstlineno + 2)]
        lines = "".join(traceback.format_exception(found.value)).splitlines()
        # one caret below the line, if any
        assert [line.strip() for line in lines[-3:-1]] in (["a", "^"], [lines[-3].strip(), "a"])


NESTED = """
function @g -> (int) {
entry(%a: int, %b: int):
  %r: int = call @g %b, %a
  %q: int = fdiv %r, %b
  return %q
}

function @f -> (int) {
entry(%a: int, %b: int):
  %q: int = fdiv %a, %b
  %z: int = const 0
  %never: bool = lt %q, %z
  branch %never, call(), end()
call():
  %r: int = call @g %a, %b
  return %r
end():
  return %q
}"""


def test_a_function_within_is_named_by_its_line():
    def outer(a, b):
        def inner(a):
            return a // b

        return inner(a)

    assert any(isinstance(each, CodeType) for each in outer.__code__.co_consts)
    f = made(outer, DIVIDES, lines={"fdiv": (2, 20)})
    with pytest.raises(ZeroDivisionError) as found:
        f(1, 0)
    assert frames(found.value)[1][0] == "inner"
    assert found.value.__traceback__.tb_next.tb_frame.f_code.co_qualname.endswith("outer.<locals>.inner")


def test_files_of_one_text(tmp_path):
    """Their codes are equal; where an exception is from differs."""
    text = "def divided(a, b):\n    return a // b\n"
    for path in (tmp_path / "one.py", tmp_path / "other.py"):
        path.write_text(text)
        names = {"__name__": path.stem}
        exec(compile(text, str(path), "exec"), names)
        with pytest.raises(ZeroDivisionError) as found:
            jit(names["divided"])(1, 0)
        assert frames(found.value)[-1] == ("divided", str(path), 2)


def test_recursion_that_has_no_end():
    f = made(divided, NESTED, lines={})
    assert f(8, 2) == 4
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        f(-8, 2)


def test_an_error_near_the_limit_of_recursion():
    """It is raised where CPython has few frames left, or is a RecursionError; nothing is parsed."""
    f = made(divided, DIVIDES, lines={"fdiv": (3, 9)})

    def at(depth):
        return at(depth - 1) if depth else f(1, 0)

    assert f(6, 2) == 3
    came = set()
    with (
        patch.object(ast, "parse", side_effect=SystemError),
        patch("builtins.compile", side_effect=SystemError),
    ):
        for left in range(60):
            with pytest.raises((ZeroDivisionError, RecursionError)) as found:
                at(sys.getrecursionlimit() - len(inspect.stack(0)) - left)
            came.add(found.type)
    assert came == {ZeroDivisionError, RecursionError}


CHECKS = {
    "load": ("%r: int = load %d, %x", lambda d, x: d[x], IndexError, "index out of range", 3),
    "new": ("%e: array(u8) = new array(u8) %x, %x\n  %r: int = len %e", lambda d, x: (d, x), ValueError,
            "negative count", -1),
    "out of memory": ("%e: array(int) = new array(int) %x, %x\n  %r: int = len %e", lambda d, x: (d, x),
                      MemoryError, "^$", 1 << 62),
    "isqrt": ("%r: int = isqrt %x", lambda d, x: (d, x), ValueError,
              r"isqrt\(\) argument must be nonnegative", -1),
    "expt": ("%r: int = expt %x, %x", lambda d, x: (d, x), ValueError, "negative exponent", -1),
    "narrow": ("%r: int = narrow u8 %x", lambda d, x: (d, x), OverflowError, "256 is not of type u8", 256),
    "item": ("%o: int = const 1\n  store %d, %o, %x\n  %r: int = len %d", lambda d, x: (d, x), OverflowError,
             "-1 is not of type u8", -1),
}  # fmt: skip


@pytest.mark.parametrize("check", list(CHECKS))
def test_checks_of_the_ir(check):
    """Each after a store, which is there."""
    text, function, error, message, bad = CHECKS[check]
    f = made(
        function,
        lambda d, x: ir(
            f"%d: array({d.element}), %x: int",
            "%z: int = const 0",
            "%old: int = load %d, %z",
            "%seven: int = const 7",
            "%sum: int = add %old, %seven",
            "store %d, %z, %sum",
            text,
        ),
    )
    data = bytearray(b"\1\2\3")
    f(data, 1)
    assert data[0] == 8
    with pytest.raises(error, match=message) as found:
        f(data, bad)
    assert data == bytearray([15, *data[1:]])
    assert len(found.traceback) == 1
    odd = np.array([1, 0, 2, 0, 3, 0], dtype="u1")[::2]
    with pytest.raises(error, match=message) as found:
        f(odd, bad)
    assert odd.tolist() == [8, 2, 3]
    assert len(found.traceback) == 1
    if check != "item":
        items = [1, 1 << 80, 3]
        with pytest.raises(error, match=message):
            f(items, bad)
        assert items == [8, 1 << 80, 3]


# Guards ------------------------------------------------------------------------------------------------

OFFSET = 3
TABLE = [1, 2, 3]


def constant(read):
    """IR that adds a constant, as the world is when it is asked for."""
    return lambda x: ir("%x: int", f"%c: int = const {read()}", "%r: int = add %x, %c")


def guarded(function, read, guards):
    return made(function, constant(read), guards=guards)


def plus(x):
    return x + OFFSET


def test_a_global_that_is_rebound(monkeypatch):
    world = plus.__globals__
    f = guarded(plus, lambda: world["OFFSET"], lambda: [_guard(world, "OFFSET", world["OFFSET"])])
    assert [f(1), f(2)] == [4, 5]
    monkeypatch.setitem(world, "OFFSET", 10**30)
    assert [f(1), f(1 << 80)] == [10**30 + 1, 10**30 + (1 << 80)]
    monkeypatch.setitem(world, "OFFSET", 3)
    assert f(1) == 4
    # that world was met before
    assert len(f._front.asked) == 2
    for at in range(20):
        monkeypatch.setitem(world, "OFFSET", 1000 + at)
        assert f(0) == 1000 + at
    assert len(f._front.asked) == 22
    assert len(f.compiled) == 8


def _guard(where, name, *value):
    from carrychain.ring.front.python.kinds import MISSING, Guard

    return Guard(where, name, value[0] if value else MISSING)


def test_a_builtin_that_is_shadowed(monkeypatch):
    world = plus.__globals__
    f = guarded(
        plus,
        lambda: 2 if "abs" in world else 1,
        lambda: [_guard(world, "abs", world["abs"]) if "abs" in world else _guard(world, "abs")],
    )
    assert f(1) == 2
    monkeypatch.setitem(world, "abs", max)
    assert f(1) == 3
    monkeypatch.delitem(world, "abs")
    assert f(1) == 2
    assert len(f._front.asked) == 2


def test_a_list_that_is_changed():
    f = guarded(plus, lambda: sum(TABLE), lambda: [_guard(TABLE, None, tuple(TABLE))])
    assert f(1) == 7
    TABLE[1] = 100
    assert f(1) == 105
    TABLE.append(1)
    assert f(1) == 106
    TABLE.pop()
    assert f(1) == 105
    TABLE[1] = 2
    assert f(1) == 7
    assert len(f._front.asked) == 3


def test_a_cell_and_an_attribute():
    count = 1

    def f(x):
        return x + count

    (cell,) = f.__closure__
    g = guarded(f, lambda: cell.cell_contents, lambda: [_guard(cell, None, cell.cell_contents)])
    assert g(1) == 2
    count = 5
    assert g(1) == 6

    def h(x):
        return x

    k = guarded(h, lambda: h.code, lambda: [_guard(h, "code", h.code)])
    h.code = 7
    assert k(1) == 8
    h.code = 9
    assert k(1) == 10
    del h.code
    with pytest.raises(AttributeError):
        k(1)


def test_an_empty_cell():
    if False:
        later = 0

    def f(x):
        return later or x

    (cell,) = f.__closure__
    g = guarded(f, lambda: 1, lambda: [_guard(cell, None)])
    assert g(1) == 2
    later = 3
    g._front.guards = lambda: [_guard(cell, None, 3)]
    assert g(1) == 2
    assert len(g._front.asked) == 2


# Signals, threads, memory -----------------------------------------------------------------------------

COUNT = """
function @f -> (int) {{
entry(%d: array({0}), %n: int):
  %z: int = const 0
  %one: int = const 1
  %x: int = load %d, %z
  %y: int = add %x, %one
  store %d, %z, %y
  jump head(%z, %z)
head(%i: int, %s: int):
  %more: bool = lt %i, %n
  branch %more, body(), done()
body():
  %t: int = xor %s, %i
  %u: int = low 32 %t
  %j: int = add %i, %one
  jump head(%j, %u)
done():
  return %s
}}"""


def counting(d, n):
    d[0] += 1
    s = 0
    for i in range(n):
        s = (s ^ i) & 0xFFFFFFFF
    return s


def test_an_interrupt_ends_a_long_loop():
    f = made(counting, lambda d, n: COUNT.format(d.element))
    array, items = bytearray(1), [10**30]
    # compiled before the time begins, for each kind
    for data in (array, items):
        assert f(data, 10) == counting([0], 10)
    for data in (array, items):
        with interrupted():
            f(data, 1 << 62)
    # what was stored until then is there, once
    assert array[0] == 2
    assert items == [10**30 + 2]


def test_a_handler_that_does_not_raise_lets_it_go_on():
    f = made(counting, lambda d, n: COUNT.format(d.element))
    g = made(counting, lambda d, n: COUNT.format(d.element))
    g(bytearray(1), 1)
    seen = []

    def handler(*_):
        # the handler's own calls are of other contexts
        seen.append(g(bytearray(1), 10))

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        total = f(bytearray(1), 1 << 28)
        while not seen:
            f(bytearray(1), 1 << 28)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen == [counting(bytearray(1), 10)]
    assert total == f(bytearray(1), 1 << 28)


def test_threads_work_at_once_and_compile_once():
    f = made(counting, lambda d, n: COUNT.format(d.element))
    results = []
    barrier = threading.Barrier(8)

    def work():
        barrier.wait()
        for _ in range(50):
            results.append(f(bytearray(1), 1000))
            results.append(f([1], 1000))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [counting([1], 1000)] * 800
    assert len(f._front.asked) == 2


def test_the_interpreter_goes_on_meanwhile():
    """Were the GIL held, nobody could end the call."""
    f = made(counting, lambda d, n: COUNT.format(d.element))
    f(bytearray(1), 1)
    assert others_run(lambda: f(bytearray(1), 1 << 26))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_nothing_leaks():
    raising = made(halved, RAISES, raised=[Raised(KeyError, ("n",))] * 2, lines={"raise 1": (3, 9)})
    whole = made(divided, DIVIDES)
    same = made(lambda a: a, of_kind, lambda kind: kind)
    count = made(counting, lambda d, n: COUNT.format(d.element))
    data, items, big = bytearray(1000), [10**50 + at for at in range(1000)], 10**500

    def once():
        for error, call in (
            (KeyError, lambda: raising(-1)),
            (ZeroDivisionError, lambda: whole(big, 0)),
            (TypeError, lambda: whole(1.5, 0)),
            (TypeError, lambda: whole()),
        ):
            with pytest.raises(error):
                call()
        assert whole(big, 3) == big // 3
        assert same(items) is items
        assert same(data) is data
        assert same((data, big)) == (data, big)
        count(data, 1)
        data[0] = 0
        count(items, 1)
        items[0] -= 1
        count(memoryview(data)[::2], 1)
        data[0] = 0

    for _ in range(30):
        once()
    gc.collect()
    counts = [sys.getrefcount(each) for each in (data, items, big, items[5], items[0])]
    before = resident()
    for _ in range(300):
        once()
    gc.collect()
    assert [sys.getrefcount(each) for each in (data, items, big, items[5], items[0])] == counts
    # a list's copy alone is 56 KB
    assert resident() - before < 300 * 56_000 / 4


def test_a_function_and_what_it_was_compiled_to_are_collected():
    class Mark:
        pass

    import weakref

    def scope():
        def f(x):
            return x

        world = {"itself": None}
        g = made(f, constant(lambda: 1), guards=lambda: [_guard(world, "itself", world["itself"])])
        g.mark = Mark()
        world["itself"] = g
        assert g(1) == 2
        return weakref.ref(g), weakref.ref(g.mark)

    references = scope()
    gc.collect()
    assert [reference() for reference in references] == [None, None]
