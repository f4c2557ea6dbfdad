"""Damages to the compiler are caught, each by what the table in the docs says (ring_damage.py): a third,
drawn from the tree, and all with CC_TEST_LONG=1."""

import pytest

pytest.importorskip("z3", reason="z3-solver is not installed")

from draws import share
from ring_damage import DAMAGES, documented, row


@pytest.mark.parametrize(
    "at", [pytest.param(at, id=DAMAGES[at].name) for at in share("damages", range(len(DAMAGES)), 3)]
)
def test_a_damage_is_caught(nothing_kept, at):
    assert row(DAMAGES[at]) == documented()[at]
    assert "yes" in documented()[at]


def test_the_table_is_of_these_damages():
    assert len(DAMAGES) == len({damage.name for damage in DAMAGES}) > 50
