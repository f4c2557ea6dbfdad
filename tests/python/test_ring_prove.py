"""The proofs, fewer of the large widths than `python -m carrychain.ring.prove` has."""

import pytest

pytest.importorskip("z3", reason="z3-solver is not installed")

from carrychain.ring.prove import demanded, rewrites, transfers


@pytest.mark.parametrize(
    "part", (transfers, demanded, rewrites), ids=lambda part: part.__name__.split(".")[-1]
)
def test_proofs(part):
    claims = 0
    for name, prove in part.proofs(bounded=True):
        # Unproven says for which numbers
        print(name)
        claims += prove()
    assert claims > 200


def test_a_transfer_that_forgets_a_value_is_caught(monkeypatch):
    from carrychain.ring import transfer
    from carrychain.ring.prove import Unproven

    right = transfer.BINARY["add"]
    monkeypatch.setitem(
        transfer.BINARY, "add", lambda a, b: transfer.intersection(right(a, b), transfer.make(None, 5))
    )
    with pytest.raises(Unproven):
        for name, prove in transfers.proofs(bounded=True):
            if name == "add":
                prove()


@pytest.mark.parametrize("op", ("add", "shift", "and", "field"))
def test_a_demand_that_asks_too_little_is_caught(monkeypatch, op):
    from carrychain.ring.prove import Unproven

    right = demanded.asked

    def less(name, *args, **named):
        masks = right(name, *args, **named)
        return [mask >> 1 if mask > 0 else mask for mask in masks] if name == op else masks

    monkeypatch.setattr(demanded, "asked", less)
    with pytest.raises(Unproven):
        for name, prove in demanded.proofs(bounded=True):
            if "5 bits" in name:
                prove()
