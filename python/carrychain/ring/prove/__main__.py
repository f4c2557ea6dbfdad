"""Proves everything, stage by stage, and reports the number of rules, widths and functions."""

import argparse
import re
import sys
import textwrap
import time
from collections import Counter
from types import ModuleType

from ..trust.rewrites import SHOWN, Shown
from . import (
    Unproven,
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

STAGES = {
    "transfers": transfers,
    "branches": branches,
    "demanded": demanded,
    "bits": bits,
    "rewrites": rewrites,
    "bitmaps": bitmaps,
    "limbs": limbs,
    "counters": counters,
    "order": order,
    "words": words,
}


# In a claim's name: the width that it is proven at.
WIDTH = r"\d+(?= bits)|(?<=2\^)\d+"


def rests_on(shown: Shown, bounded: bool) -> str:
    """What the reasoning about a pass's rewriting rests on."""
    said = [f"{name} ({_widths(STAGES[name].widths(bounded))})" for name in shown.proofs]
    return ", ".join(said) or "its own induction over the steps of a run"


def _widths(widths: tuple[int, ...]) -> str:
    if len(widths) == 1:
        return f"{widths[0]} bits"
    return f"{min(widths)} to {max(widths)} bits" if widths else "all integers"


def unproven(stage: ModuleType, claims: list[str]) -> list[str]:
    """The rules of the stage that none of these claims is about."""
    return [rule for rule, about in stage.STATED.items() if not any(re.match(about, each) for each in claims)]


def listed(stage: ModuleType, claims: list[str]) -> str:
    """The rules of the stage, by what these claims prove them for."""
    by: dict[str, list[str]] = {}
    for rule, about in stage.STATED.items():
        found = [re.findall(WIDTH, each) for each in claims if re.match(about, each)]
        numbers = tuple({int(number) for each in found for number in each})
        said = [_widths(numbers)] if numbers else []
        if not all(found):
            said.append("small sets" if stage in (transfers, branches) else "all integers")
        by.setdefault(", ".join(said), []).append(rule)
    lines = (f"{said}: {'; '.join(rules)}" for said, rules in by.items())
    return "\n".join(
        textwrap.fill(line, 110, initial_indent="  ", subsequent_indent="    ") for line in lines
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m carrychain.ring.prove", description=__doc__)
    parser.add_argument("--bounded", action="store_true", help="fewer large widths, for a test")
    parser.add_argument(
        "programs", metavar="PROGRAM", nargs="*", help="a Lisp file whose functions are compared"
    )
    options = parser.parse_args()
    proven = failed = 0
    seen: Counter[str] = Counter()
    stages = [(name, stage, stage.proofs(options.bounded)) for name, stage in STAGES.items()]
    stages.append(("passes", passes, passes.proofs(options.programs, seen)))
    for name, stage, claims in stages:
        print(stage.THEOREM, flush=True)
        began, count = time.monotonic(), 0
        shown: list[str] = []
        for claim, prove in claims:
            try:
                count += prove()
                shown.append(claim)
            except Unproven as reason:
                failed += 1
                print(f"{name}: {claim}: {reason}", flush=True)
        proven += count
        if name in STAGES:
            print(listed(stage, shown))
            for rule in unproven(stage, shown):
                failed += 1
                print(f"{name}: {rule}: no claim proves it")
        print(f"{name}: {count} claims, {time.monotonic() - began:.1f} s", flush=True)
    print("What shows each pass's rewriting, in every compilation, and what that rests on:")
    for name, pass_ in SHOWN.items():
        by = f"{pass_.by.__module__.rpartition('.')[2]}.{pass_.by.__name__}"
        print(f"  {name:16} {by:28} {rests_on(pass_, options.bounded)}")
    rules = sum(len(stage.STATED) for stage in STAGES.values())
    widths = {width for stage in STAGES.values() for width in stage.widths(options.bounded)}
    print(
        f"{rules} rules, {len(widths)} widths from {min(widths)} to {max(widths)} bits; {seen['functions']}"
        f" functions after {seen['results of passes']} passes: {seen['as they were']} as they were,"
        f" {seen['by z3']} by z3, {seen['by running them']} by running them; {seen['calls']} calls compared"
    )
    print(f"{proven} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
