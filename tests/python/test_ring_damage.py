"""Each damage to the compiler is caught, by what the table in the docs says (ring_damage.py)."""

import pytest

pytest.importorskip("z3", reason="z3-solver is not installed")

from ring_damage import DAMAGES, documented, row


@pytest.mark.parametrize("at", range(len(DAMAGES)), ids=[damage.name for damage in DAMAGES])
def test_a_damage_is_caught(nothing_kept, at):
    assert row(DAMAGES[at]) == documented()[at]
    assert "yes" in documented()[at]


def test_the_table_is_of_these_damages():
    assert len(DAMAGES) == len({damage.name for damage in DAMAGES}) > 50
