import signal
import threading
import time
from contextlib import suppress

import carrychain
import pytest
from carrychain.bindings.fibonacci import STRATEGIES, fib_bigint, fib_digits
from carrychain.bindings.status import Stopped
from carrychain.bindings.watch import Watch
from hypothesis import given
from hypothesis import strategies as st
from pace import patience


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


def test_progress_goes_up():
    seen = []
    fib_bigint(300_000, "iterative", Watch(lambda done, total: seen.append((done, total))))
    assert seen, "300 000 additions take longer than the interval between two reports"
    assert all(0 <= done <= total for done, total in seen)
    assert seen == sorted(seen)


def test_what_a_report_raises_ends_the_work():
    def report(done, total):
        raise LookupError("enough")

    watch = Watch(report)
    with pytest.raises(LookupError, match="enough"):
        fib_bigint(1_000_000, "iterative", watch)
    assert int(fib_bigint(10, "iterative", Watch())) == 55


@pytest.mark.parametrize("strategy", ["iterative", "squaring"])
def test_ctrl_c_is_answered_at_once(strategy):
    # far longer than until the signal comes
    n = 10_000_000 if strategy == "iterative" else 2_000_000_000
    main = threading.main_thread().ident
    threading.Timer(0.5, signal.pthread_kill, (main, signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        carrychain.fib(n, strategy)
    assert time.monotonic() - start < patience(3)


@pytest.mark.parametrize("stage", ["computing", "in decimal"])
def test_what_is_stopped_ends_inside_one_product(stage):
    # of the whole time the last multiplication takes a third, the first division a sixth
    f = fib_bigint(5_000_000)

    def work(watch=None):
        with suppress(Stopped):
            fib_bigint(20_000_000, "squaring", watch) if stage == "computing" else f.digits(10, watch)

    start = time.monotonic()
    work()
    whole = time.monotonic() - start
    worst = 0.0
    for part in (0.05, 0.5, 0.6, 0.7, 0.8):
        watch = Watch()
        thread = threading.Thread(target=work, args=(watch,))
        thread.start()
        time.sleep(whole * part)
        watch.stop()
        stopped = time.monotonic()
        thread.join()
        worst = max(worst, time.monotonic() - stopped)
    assert worst < max(0.1, whole / 10)


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
