"""Each damage to the compiler is caught, by what the table in the docs says (ring_damage.py)."""

import os

import pytest

pytest.importorskip("z3", reason="z3-solver is not installed")

from ring_damage import DAMAGES, documented, row


@pytest.mark.parametrize("at", range(len(DAMAGES)), ids=[damage.name for damage in DAMAGES])
def test_a_damage_is_caught(monkeypatch, at):
    # the compiler's text is the same: what is damaged must not be kept
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    assert row(DAMAGES[at]) == documented()[at]
    assert "yes" in documented()[at]


def test_the_table_is_of_these_damages():
    assert len(DAMAGES) == len({damage.name for damage in DAMAGES}) > 50
