"""Proves everything, stage by stage, and reports the number of rules, widths and functions."""

import argparse
import sys
import time
from collections import Counter

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


def rests_on(shown: Shown, bounded: bool) -> str:
    """What the reasoning about a pass's rewriting rests on."""
    said = [f"{name} ({_widths(STAGES[name].widths(bounded))})" for name in shown.proofs]
    return ", ".join(said) or "its own induction over the steps of a run"


def _widths(widths: tuple[int, ...]) -> str:
    return f"{min(widths)} to {max(widths)} bits" if widths else "all integers"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m carrychain.ring.prove", description=__doc__)
    parser.add_argument("--bounded", action="store_true", help="fewer large widths, for a test")
    parser.add_argument(
        "programs", metavar="PROGRAM", nargs="*", help="a Lisp file whose functions are compared"
    )
    options = parser.parse_args()
    proven = failed = 0
    seen: Counter[str] = Counter()
    stages = [(name, stage.THEOREM, stage.proofs(options.bounded)) for name, stage in STAGES.items()]
    stages.append(("passes", passes.THEOREM, passes.proofs(options.programs, seen)))
    for name, theorem, claims in stages:
        print(theorem, flush=True)
        began, count = time.monotonic(), 0
        for claim, prove in claims:
            try:
                count += prove()
            except Unproven as reason:
                failed += 1
                print(f"{name}: {claim}: {reason}", flush=True)
        proven += count
        print(f"{name}: {count} claims, {time.monotonic() - began:.1f} s", flush=True)
    print("What shows each pass's rewriting, in every compilation, and what that rests on:")
    for name, shown in SHOWN.items():
        by = f"{shown.by.__module__.rpartition('.')[2]}.{shown.by.__name__}"
        print(f"  {name:16} {by:28} {rests_on(shown, options.bounded)}")
    rules = sum(stage.STATED for stage in STAGES.values())
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
