"""What is made of repeats, by a clock that shows what each call is said to cost."""

import pytest
from carrychain.bench.timing import ATTEMPTS, Timing, duration, in_turn
from hypothesis import given
from hypothesis import strategies as st


class Machine:
    """Calls that move a clock: one in ``period`` costs ``times`` as much, until so many calls were made."""

    def __init__(self, quiet_after: float = float("inf")) -> None:
        self.now = 0
        self.calls = 0
        self.quiet_after = quiet_after

    def clock(self) -> float:
        return self.now

    def call(self, ns: float, period: int = 0, times: float = 1):
        made = 0

        def run() -> None:
            nonlocal made
            hit = period and made % period == 0 and self.calls < self.quiet_after
            self.now += ns * times if hit else ns
            made += 1
            self.calls += 1

        return run


NS = st.integers(1, 10**8)
TIMES = st.floats(1.3, 100)


@given(st.lists(st.tuples(NS, st.integers(5, 20), TIMES), min_size=1, max_size=4), st.integers(5, 60))
def test_a_call_in_five_moves_nothing(costs, rounds):
    machine = Machine()
    timings = in_turn([machine.call(*cost) for cost in costs], rounds, machine.clock)
    assert [timing.least for timing in timings] == pytest.approx([ns for ns, _, _ in costs])
    assert [timing.median for timing in timings] == pytest.approx([ns for ns, _, _ in costs])
    assert not any(timing.disturbed or timing.mark for timing in timings)
    assert machine.calls == rounds * len(costs)


@given(NS, NS, st.integers(2, 3), TIMES, st.booleans(), st.integers(31, 60))
def test_disturbed_throughout(ns, other, period, times, ours, rounds):
    machine = Machine()
    calls = [machine.call(ns, period, times), machine.call(other)]
    timings = in_turn(calls if ours else calls[::-1], rounds, machine.clock)
    assert [timing.disturbed for timing in timings] == [ours, not ours]
    assert [timing.mark for timing in timings] == [" (disturbed)" * ours, " (disturbed)" * (not ours)]
    assert machine.calls == ATTEMPTS * rounds * 2


@given(st.integers(1, 62))
def test_repeated_while_disturbed(quiet_after):
    # 71 ms beside 3.4
    machine = Machine(quiet_after)
    timings = in_turn([machine.call(3.4e6, 2, 71 / 3.4), machine.call(1.3e7)], 31, machine.clock)
    assert not any(timing.disturbed for timing in timings)
    assert timings[0].least == timings[0].median == pytest.approx(3.4e6)
    assert timings[1].least == pytest.approx(1.3e7)


def test_the_order_alternates():
    order = []
    in_turn([lambda: order.append("a"), lambda: order.append("b")], 3, iter(range(100)).__next__)
    assert order == ["a", "b", "b", "a", "a", "b"]


def test_one_sample_has_no_spread():
    assert Timing.of([7]) == Timing(7, 7, 0)


@pytest.mark.parametrize(
    ("ns", "said"),
    [(0.123456, "0.123 ns"), (999.4, "999 ns"), (999.6, "1 µs"), (71_234_567, "71.2 ms"), (2e12, "2e+03 s")],
)
def test_duration(ns, said):
    assert duration(ns) == said
