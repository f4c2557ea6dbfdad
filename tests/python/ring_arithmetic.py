"""Small programs of integer arithmetic, one function each, checked against SBCL and the walker of Lisp's
forms: see arithmetic_grid.py for those that are made, and tests/ring/arithmetic.lisp for those by hand.

    python tests/python/ring_arithmetic.py

checks all of them, and then lists those that are refused, and those of which a value stayed on big integers
though all that it was seen to be fits 128 bits.
"""

import argparse
import os
import random
import re
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from arithmetic_grid import Program, grid, share
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.compile import plans
from carrychain.ring.facts.plan import Range
from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.errors import Refused, SourceError
from carrychain.ring.ir.form import Array, Int, Module
from carrychain.ring.ir.interface import Interface, interface_of
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.machine.form import BIG
from ring_differential import ENDLESS, Made, agree, by_lisp, by_walker, interpreted_ir, lent, outcome
from ring_programs import boundary

HERE = Path(__file__).parents[1] / "ring"
BY_HAND = HERE / "arithmetic.lisp"
REFUSED = HERE / "arithmetic.refused"
INPUTS = 12
MANY = 100  # of which it can be told what a value never is
BATCH = 500
# seconds of SBCL's, which takes some milliseconds over a program
PATIENCE = 10 * ENDLESS
# SBCL's own, as it stands in its contrib/
PRELUDE = "(require :sb-rotate-byte)\n(import 'sb-rotate-byte:rotate-byte)\n"


def by_hand(path: Path = BY_HAND) -> Iterator[Program]:
    """The functions of a file, each after as many empty lines as there are above it."""
    text = path.read_text()
    starts = [match.start() for match in re.finditer(r"^\(defun ", text, re.MULTILINE)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        name = text[start:end].split()[1]
        yield Program(name, "\n" * text.count("\n", 0, start) + text[start:end])


@dataclass
class Loaded:
    """Those of the programs that our front end takes, by name; and why not the others."""

    programs: dict[str, Program] = field(default_factory=dict)
    modules: dict[str, Module] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def load(programs: Iterable[Program], file: str = "") -> Loaded:
    found = Loaded()
    for each in programs:
        try:
            module = lisp.module_of(each.text, file or f"{each.name}.lisp")
        except SourceError as error:
            found.refused[each.name] = str(error)
        else:
            assert each.name not in found.programs, each.name
            found.programs[each.name], found.modules[each.name] = each, module
    return found


# --- inputs -----------------------------------------------------------------------------------


def inputs(interface: Interface, name: str, count: int = INPUTS) -> list[list]:
    """Arguments of the declared types: first the types' ends with each other, then boundaries and others."""
    rng = random.Random(name)
    kinds = [taken.kind for taken in interface.takes]
    ends = [
        [kind.low, kind.high] if isinstance(kind, Int) and None not in (kind.low, kind.high) else None
        for kind in kinds
    ]
    rows: list[list] = []
    if all(ends):
        for at in range(1 << min(len(kinds), 2)):
            rows.append([pair[at >> (n % 2) & 1] for n, pair in enumerate(ends)])
    rows += [[argument(rng, kind) for kind in kinds] for _ in range(count - len(rows))]
    return rows


def argument(rng: random.Random, kind):
    if isinstance(kind, Array):
        return [argument(rng, kind.element) for _ in range(rng.choice((8, 16, 64)))]
    low = -(1 << 130) if kind.low is None else kind.low
    high = 1 << 130 if kind.high is None else kind.high
    way = rng.randrange(4)
    if way == 0:
        return rng.randint(low, high)
    if way == 1:
        return min(high, max(low, rng.choice((low + 1, high - 1, 0, 1, -1, 2, (low + high) // 2))))
    near = boundary(rng)
    return near if low <= near <= high else low + near % (high - low + 1)


# --- what they come to ------------------------------------------------------------------------


def merged(modules: Iterable[Module]) -> Module:
    every = Module()
    for one in modules:
        assert not (every.functions.keys() & one.functions.keys() or every.arrays.keys() & one.arrays.keys())
        every.functions.update(one.functions)
        every.arrays.update(one.arrays)
    return every


def check(loaded: Loaded, sbcl: bool = True) -> list[str]:
    """What differs: the program, its arguments, what each says: compiler, interpreter, walker and SBCL."""
    module = merged(loaded.modules.values())
    with warnings.catch_warnings():
        warnings.simplefilter("error", Refused)
        program = compile_module(module)
    made = []
    for name, one in loaded.modules.items():
        interface = interface_of(one.functions[name])
        params = [(taken.name, taken.kind) for taken in interface.takes]
        kind = SimpleNamespace(to_lisp=lambda functions, each=loaded.programs[name]: each.text)
        made.append(Made(kind, [(name, params)], inputs(interface, name)))
    ways = {
        "compiled": [
            [outcome(lambda *a, name=each.name: program.call(name, *a), lent(each.params, args))
             for args in each.inputs]
            for each in made
        ],
        "interpreted": [interpreted_ir(loaded.modules[each.name], each.name, each.inputs) for each in made],
        "walker": by_walker(made),
    }  # fmt: skip
    if sbcl:
        ways["SBCL"] = by_lisp(made, ":compile", PRELUDE, PATIENCE)
    wrong = []
    for at, each in enumerate(made):
        for number, args in enumerate(each.inputs):
            said = {way: results[at][number] for way, results in ways.items()}
            if not all(agree([said["compiled"]], [one], "") for one in said.values()):
                wrong.append(f"{loaded.programs[each.name].text.strip()}\n  {args}: {said}")
    return wrong


# --- the list of those that are refused ----------------------------------------------------------


def listed(path: Path = REFUSED) -> dict[str, str]:
    """Names and reasons, as the file has them."""
    return dict(line.split("\t", 1) for line in path.read_text().splitlines() if not line.startswith("#"))


def write_list(path: Path, head: str, refused: dict[str, str]) -> None:
    path.write_text("".join([f"# {head}\n", *(f"{name}\t{why}\n" for name, why in refused.items())]))


# --- what stayed big --------------------------------------------------------------------------


class Watching(Interpreter):
    """Remembers the least and the greatest that each value was."""

    def __init__(self, module: Module):
        super().__init__(module)
        self.seen: dict = {}

    def _step(self, instruction, args):
        results = super()._step(instruction, args)
        for value, result in zip(instruction.results, results, strict=True):
            if isinstance(value.type, Int) and isinstance(result, int):
                low, high = self.seen.get(value, (result, result))
                self.seen[value] = min(low, result), max(high, result)
        return results


def stayed_big(module: Module, name: str) -> str | None:
    """A value that no word holds, though all that it is for these inputs fits 128 bits; and who wants it."""
    work = module.copy()
    plan = plans(work, True)[name]
    machine = Watching(work)
    interface = interface_of(module.functions[name])
    for args in inputs(interface, name, MANY):
        outcome(lambda *a: machine.call(name, *interface.arguments(name, a, {})), args)
    made = {result: each for each in plan.function.instructions() for result in each.results}
    for value, ends in machine.seen.items():
        if plan.containers.get(value, 0) is BIG and Range(*ends).fits(128):
            use = plan.blame.get(value)
            return f"`{made[value]}`, seen {ends[0]} .. {ends[1]}" + (f", wanted by `{use}`" if use else "")
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--share", action="store_true", help="only what the test checks")
    parser.add_argument("--list", action="store_true", help=f"write {REFUSED.name} anew")
    parser.add_argument("--no-big", action="store_true", help="don't look for what stayed big")
    options = parser.parse_args()
    os.environ["XDG_CACHE_HOME"] = os.devnull
    programs = share() if options.share else list(grid())
    began = time.monotonic()
    parts = [load(by_hand(), str(BY_HAND.relative_to(HERE.parents[1])))]
    parts += [load(programs[at : at + BATCH]) for at in range(0, len(programs), BATCH)]
    differ = compiled = 0
    for part in parts:
        wrong = check(part)
        compiled += len(part.programs)
        differ += len(wrong)
        print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
        print(f"{compiled} programs, {differ} differences, {time.monotonic() - began:.0f} s", flush=True)
    refused = {name: why for part in parts for name, why in part.refused.items()}
    if options.list:
        write_list(REFUSED, "Our programs that our front end refuses: the name, and why.", refused)
    for name, why in refused.items():
        print(f"refused: {name}\t{why}")
    if not options.no_big:
        big = 0
        for part in parts:
            for name, module in part.modules.items():
                why = stayed_big(module, name)
                if why:
                    big += 1
                    print(f"big: {name}: {why}")
        print(f"{big} programs have a value that stayed big, and was never seen to need more than 128 bits")
    print(f"{compiled} of {compiled + len(refused)} programs compile; {differ} differences")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
