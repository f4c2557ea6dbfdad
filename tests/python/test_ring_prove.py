"""The proofs, fewer of the large widths than `python -m carrychain.ring.prove` has; of each claim that is
proven at several widths half of these, drawn by the commit.
"""

import re
from collections import defaultdict
from pathlib import Path

import pytest

pytest.importorskip("z3", reason="z3-solver is not installed")

from carrychain.ring.prove import (
    __main__,
    bitmaps,
    bits,
    branches,
    counters,
    demanded,
    limbs,
    order,
    passes,
    rewrites,
    transfers,
    words,
)
from carrychain.ring.trust.rewrites import SHOWN
from draws import LONG, share

LISP = Path(__file__).parents[2] / "examples/lisp"


def drawn(proofs) -> list:
    """Each claim, at half of the numbers that its names have."""
    claims = defaultdict(list)
    for name, prove in proofs:
        claims[re.sub(r"\d+", "N", name)].append((name, prove))
    return [one for name, each in claims.items() for one in share(f"ring_prove {name}", each, 2)]


@pytest.mark.parametrize(
    "part, least",
    (
        (transfers, 200),
        (branches, 200),
        (demanded, 200),
        (bits, 200),
        (rewrites, 200),
        (bitmaps, 200),
        (limbs, 100),
        (counters, 25),
        (order, 25),
        (words, 60),
    ),
    ids=lambda part: getattr(part, "__name__", "").split(".")[-1],
)
def test_proofs(part, least):
    claims = 0
    for name, prove in drawn(part.proofs(bounded=True)):
        # Unproven says for which numbers
        print(name)
        claims += prove()
    assert claims > (least if LONG else least // 4)


def told(monkeypatch, capsys, without: str) -> tuple[int, str]:
    """What `prove` ends with and says, if claims with this in their names are not proven."""
    # what the others prove is proven above
    for part in __main__.STAGES.values():
        names = [name for name, _ in part.proofs(bounded=True) if not without or without not in name]
        monkeypatch.setattr(part, "proofs", lambda bounded, names=names: [(name, int) for name in names])
    monkeypatch.setattr("sys.argv", ["prove", "--bounded", str(LISP / "paper.lisp")])
    with pytest.raises(SystemExit) as ended:
        __main__.main()
    return ended.value.code, capsys.readouterr().out


@pytest.mark.parametrize(
    "rule",
    [
        "rewrites: a mask of low bits",
        "rewrites: bytes joined by xor",
        "words: fdiv of signed words",
        "counters: counters in step stay so",
    ],
)
def test_a_rule_without_a_proof_is_a_failure(monkeypatch, capsys, rule):
    code, said = told(monkeypatch, capsys, rule.split(": ")[1])
    assert code and f"{rule}: no claim proves it" in said and "\n52 passed, 1 failed" in said


def test_each_stage_states_its_theorem_and_all_is_counted(monkeypatch, capsys):
    code, said = told(monkeypatch, capsys, "")
    assert not code
    assert all(part.THEOREM in said for part in (*__main__.STAGES.values(), passes))
    listed = " ".join(said.split())
    assert all(rule in listed for part in __main__.STAGES.values() for rule in part.STATED)
    assert "2 to 12 bits: a rotation joined by add; " in listed
    rules = sum(len(part.STATED) for part in __main__.STAGES.values())
    assert all(f"  {name} " in said for name in SHOWN)
    assert f"{rules} rules, " in said and "; 10 functions after 42 passes: " in said


def test_a_transfer_that_forgets_a_value_is_caught(monkeypatch):
    from carrychain.ring.facts import transfer
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
