import math
import threading
from contextlib import suppress

import carrychain
import pytest
from carrychain.bindings import watch
from carrychain.bindings._carrychain import ffi
from carrychain.bindings.fibonacci import STRATEGIES, fib_bigint, fib_digits
from carrychain.bindings.status import Stopped
from carrychain.bindings.watch import Watch
from events import interrupted
from hypothesis import given
from hypothesis import strategies as st


def by_addition(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_small(strategy):
    a, b = 0, 1
    for n in range(400):
        assert carrychain.fib(n, strategy) == a
        a, b = b, a + b


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(st.integers(0, 20_000))
def test_any(strategy, n):
    assert carrychain.fib(n, strategy) == by_addition(n)


@given(st.integers(1, 300_000), st.integers(1, 300_000))
def test_the_sum_of_indices(m, n):
    # F(m + n) = F(m) F(n + 1) + F(m - 1) F(n), in Python's own arithmetic
    f = carrychain.fib
    assert f(m + n) == f(m) * f(n + 1) + f(m - 1) * f(n)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_digits(strategy):
    assert bytes(fib_digits(1000, strategy)) == str(by_addition(1000)).encode()


def test_digits_are_a_buffer_that_keeps_its_memory():
    digits = memoryview(fib_digits(100))
    assert digits.tobytes() == b"354224848179261915075"


def test_a_million_beside_gmpy2():
    gmpy2 = pytest.importorskip("gmpy2")
    digits = bytes(fib_digits(1_000_000))
    assert len(digits) == 208_988
    assert digits == gmpy2.fib(1_000_000).digits().encode()


class Ten:
    def __index__(self):
        return 10


def test_what_is_an_index_is_a_number():
    assert carrychain.fib(Ten()) == 55


@pytest.mark.parametrize(
    ("n", "error", "message"),
    [
        (-3, ValueError, "n must be 0 or more"),
        pytest.param(-(10**9999), ValueError, "n must be 0 or more", id="-10**9999"),
        (2**64, OverflowError, r"n must be below 2\*\*64"),
        pytest.param(10**9999, OverflowError, r"n must be below 2\*\*64", id="10**9999"),
        (1e6, TypeError, "n must be an integer, not float"),
        ("5", TypeError, "n must be an integer, not str"),
        (None, TypeError, "n must be an integer, not NoneType"),
        (2**63, MemoryError, "not enough memory"),
        (2**64 - 1, MemoryError, "not enough memory"),
    ],
)
def test_bad_n(n, error, message):
    with pytest.raises(error, match=message):
        carrychain.fib(n)


@pytest.mark.parametrize("strategy", ["", "Squaring", "fast", None, 0])
def test_bad_strategy(strategy):
    with pytest.raises(ValueError, match="strategy must be one of squaring, doubling, iterative"):
        carrychain.fib(10, strategy)


def test_threads():
    assert carrychain.fib(3_000_000, threads=3) == carrychain.fib(3_000_000)
    for wrong in (0, -1, 1025, 10**30):
        with pytest.raises(ValueError, match="threads must be from 1 to 1024"):
            carrychain.fib(10, threads=wrong)
    for wrong in ("2", 2.5, None):
        with pytest.raises(TypeError, match="threads must be an integer, not "):
            carrychain.fib(10, threads=wrong)


def test_progress_goes_up(monkeypatch):
    monkeypatch.setattr(watch, "REPORT_INTERVAL_NS", 0)
    seen = []
    fib_bigint(300_000, "iterative", Watch(lambda done, total: seen.append((done, total))))
    assert len(seen) > 100
    assert all(0 <= done <= total for done, total in seen)
    assert seen == sorted(seen)


def test_what_a_report_raises_ends_the_work(monkeypatch):
    monkeypatch.setattr(watch, "REPORT_INTERVAL_NS", 0)

    def report(done, total):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        fib_bigint(1_000_000, "iterative", Watch(report))
    assert int(fib_bigint(10, "iterative", Watch())) == 55


@pytest.mark.parametrize("strategy", ["iterative", "squaring"])
def test_ctrl_c_is_answered_at_once(strategy, monkeypatch):
    """Not after the work, which nothing is left to stop then."""
    stopped, stop = [], Watch.stop
    monkeypatch.setattr(Watch, "stop", lambda self: (stopped.append(self), stop(self)))
    # far longer than until the signal comes
    n = 10_000_000 if strategy == "iterative" else 2_000_000_000
    with interrupted():
        carrychain.fib(n, strategy)
    assert len(stopped) == 1


@pytest.mark.parametrize("stage", ["computing", "in decimal"])
def test_what_is_stopped_ends_inside_one_product(stage):
    """Who says so in answer to a question is not asked again; test_watch.c counts the work between two."""
    f = fib_bigint(500_000)

    def questions(last: float) -> int:
        """How many were asked, of which the last was answered with a stop."""
        asked = 0

        @ffi.callback("int(void *, uint64_t, uint64_t)")
        def step(context, done, total):
            nonlocal asked
            asked += 1
            return asked >= last

        asking = Watch()
        asking.progress.step = step
        with suppress(Stopped):
            fib_bigint(2_000_000, "squaring", asking) if stage == "computing" else f.digits(10, asking)
        return asked

    whole = questions(math.inf)
    # of the whole the last multiplication takes a third, the first division a sixth
    assert whole > 20
    for part in (0.05, 0.5, 0.6, 0.7, 0.8):
        last = round(whole * part)
        assert questions(last) == last


def test_threads_work_at_once():
    results = {}

    def work(n):
        results[n] = carrychain.fib(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(100_000, 100_008)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results[n] == results[n - 1] + results[n - 2] for n in range(100_002, 100_008))
