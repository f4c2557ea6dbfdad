"""The compiler takes linearly many steps over programs that grow (ring_steps.py), or which pass does not."""

import pytest
import ring_steps
from carrychain.ring.facts.plan import ANY
from draws import share
from ring_steps import LINEAR, SHAPES, growing


@pytest.mark.parametrize("shape", share("steps", LINEAR, 10))
def test_steps_are_linear(shape):
    assert [each for each in growing(SHAPES[shape]) if each[0].startswith(LINEAR[shape])] == []


def test_a_pass_that_is_quadratic_is_told(monkeypatch):
    """What looks at all of a function for each of its values."""

    def slow(function, ranges):
        for _ in function.values():
            for value in function.values():
                ranges.get(value, ANY).within(ring_steps.INT)

    monkeypatch.setattr(
        "carrychain.ring.rewrite.passes.decide", lambda function, found: slow(function, found[0])
    )
    told = [where for where, _, _ in growing(SHAPES["a chain"])]
    assert any("within" in where for where in told)
