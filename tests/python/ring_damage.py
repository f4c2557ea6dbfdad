"""The compiler, damaged by hand: each damage, a program that shows it, and which instruments catch it.

    python tests/python/ring_damage.py          tries every instrument on every damage
    python tests/python/ring_damage.py --write  and writes what it finds into the docs

The damages are in ring_damages.txt. The instruments:

    prove         the proofs (carrychain.ring.prove) of the stage that is damaged
    verify        verify.py: what a pass makes is well formed
    check         check.py refuses the plan, lowered.py the words, or copied.py the copies that `jit` makes
    --validate    validate.py: what each pass makes is compared with what it was given
    differential  compiled code and the interpreter come to the same; where the front end is damaged, what it
                  makes of the text, interpreted, and the walker of Lisp's forms or of Python's tree
"""

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import jit_interpreted
import python_walker
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.call.jit import narrowed
from carrychain.ring.compile import lowered, plans, validated
from carrychain.ring.emit import llvm
from carrychain.ring.ir.errors import CheckError, Different, Refused
from carrychain.ring.ir.form import IRError, Module
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.verify import verify_module
from carrychain.ring.trust.copied import Copies
from carrychain.ring.trust.validate import arguments
from quick import quickly
from ring_cases import module_of, python_function
from ring_damages import DAMAGES, Damage
from ring_differential import Made, agree, interpreted_ir, outcome
from ring_differential import by_walker as walked
from test_ring_passes import PASSES

TABLE = Path(__file__).parents[2] / "docs/decisions/ring-stages.md"
CALLS = 60


# Instruments ---------------------------------------------------------------------------------


def by_prove(damage: Damage) -> bool:
    if damage.proof is None:
        return False
    stage, claim = damage.proof
    proofs = importlib.import_module(f"carrychain.ring.prove.{stage}").proofs(bounded=True)
    chosen = [prove for name, prove in proofs if claim in name]
    assert chosen, damage.proof
    with damage.done():
        try:
            for prove in chosen:
                prove()
        except Exception:
            # no proof: a counterexample, or a rule that the prover cannot even say
            return True
    return False


def with_copies(damage: Damage) -> Module:
    """The program as it is compiled: `jit` adds copies for narrower arguments."""
    module = module_of(damage.program).copy()
    return narrowed.with_narrowed(module, "f") if damage.stage == "copies" else module


def by_verify(damage: Damage) -> bool:
    def verify_copies(before: Module, whole: Module, copies: Copies) -> None:
        verify_module(copies.module)

    with damage.done(), patch.object(narrowed, "check_copies", verify_copies):
        try:
            module = with_copies(damage)
            for run in PASSES.values():
                run(module)
                verify_module(module)
        except IRError:
            return True
        except KeyError:
            # the pass itself stopped at what it left
            return False
    return False


def by_check(damage: Damage) -> bool:
    with warnings.catch_warnings(record=True) as refused, damage.done():
        warnings.simplefilter("always", Refused)
        try:
            module = with_copies(damage)
            lowered(module, plans(module, True))
        except CheckError:
            # not even on big integers
            return True
    return bool(refused)


def by_validate(damage: Damage) -> bool:
    module = module_of(damage.program)
    with warnings.catch_warnings(), damage.done():
        warnings.simplefilter("ignore", Refused)
        try:
            validated(module.copy(), True)
        except CheckError:
            return False
        except Different as different:
            assert "\n" not in str(different)
            return True
    return False


def by_differential(damage: Damage) -> bool:
    module = module_of(damage.program)
    name = "f"
    calls = list(islice(arguments(module.functions[name]), CALLS))
    if damage.stage == "front":
        return by_walker(damage, name, calls)
    with warnings.catch_warnings(), damage.done():
        warnings.simplefilter("ignore", Refused)
        wanted = [outcome(lambda *args: Interpreter(module).call(name, *args), args) for args in calls]
        try:
            with patch.object(llvm, "machine_code", quickly):
                program = compile_module(with_copies(damage))
        except CheckError:
            # nothing is emitted, so nothing is wrong
            return False
    got = [outcome(lambda *args: program.call(name, *args), args) for args in calls]
    return not agree(wanted, got, "compiled")


def by_walker(damage: Damage, name: str, calls: list) -> bool:
    if damage.program.startswith("def "):
        names: dict = {}
        python_walker.execute(damage.program, names)
        wanted = came_to(names["f"], calls)
        assert came_to(jit_interpreted.entry(python_function(damage.program)), calls) == wanted
        with damage.done():
            return came_to(jit_interpreted.entry(python_function(damage.program)), calls) != wanted
    program = Made(SimpleNamespace(to_lisp=lambda functions: damage.program), [(name, [])], calls)
    (wanted,) = walked([program])
    with damage.done():
        got = interpreted_ir(module_of(damage.program), name, calls)
    return not agree(wanted, got, "walker")


def came_to(function: Callable, calls: list) -> list:
    """What a Python function gives or raises."""
    found: list = []
    for args in calls:
        try:
            found.append(repr(function(*args)))
        except Exception as exception:
            found.append(type(exception))
    return found


BY: dict[str, Callable[[Damage], bool]] = {
    "prove": by_prove,
    "verify": by_verify,
    "check": by_check,
    "--validate": by_validate,
    "differential": by_differential,
}


HEAD = f"| damaged | how | {' | '.join(BY)} |"
RULE = "| --- " * (len(BY) + 2) + "|"


def row(damage: Damage) -> str:
    """What catches it, as a line of the table."""
    cells = ("yes" if instrument(damage) else "" for instrument in BY.values())
    return f"| {damage.stage} | {damage.name} | {' | '.join(cells)} |"


def documented() -> list[str]:
    """The rows of the table in the docs."""
    lines = TABLE.read_text().splitlines()
    return lines[lines.index(RULE) + 1 :][: len(DAMAGES)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write what is found into the docs")
    write = parser.parse_args().write
    # the compiler's text is the same: what is damaged must not be kept
    os.environ["XDG_CACHE_HOME"] = os.devnull
    rows = []
    for damage in DAMAGES:
        rows.append(row(damage))
        print(rows[-1], flush=True)
    if write:
        text = TABLE.read_text()
        start = text.index(HEAD)
        end = text.index("\n\n", start)
        TABLE.write_text("\n".join((text[:start] + HEAD, RULE, *rows)) + text[end:])
    missed = [each for each in rows if "yes" not in each]
    print(
        f"{len(rows)} damages, {len(missed)} missed, {len({*rows} - {*documented()})} other than in the docs"
    )
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
