# SPDX-License-Identifier: MIT
"""Every kernel beside its claim, from its object's bytes.

    python -m proofs.prove [--kernel PATTERN] [BUILD]

A row a kernel: at how many widths what it computes is proven, and that it keeps to its memory, restores
what is its caller's, and has no branch and no address that depends on a value; or the reason why not.
Exit status 1 if a claim does not hold, or a kernel has neither one nor a reason why not.
"""

import argparse
import re
import sys
import time
from pathlib import Path as File

from . import objects, run
from .claims import claim, unclaimed
from .identity import Refused
from .machine import Unknown
from .path import Path

PROVEN = ("limbs", "fixed", "checksum")


def kernels(image):
    """The functions of a tier that others call, by name."""
    return sorted(name for name in image.functions if re.fullmatch(r"cc_\w+_(x86_64|bmi2adx|avx\w+)", name))


def check(image, function, case, **options):
    """The path of a case that holds; Refused, Unknown.  The stack is aligned otherwise by each width."""
    path = Path(image, stack=sum(case) % 4, **options)
    try:
        claim(function).prove(path, function, *case)
    except Refused as refused:
        raise Refused(f"{case}: {refused}") from None
    return path


def row(image, function, cases):
    """(widths, verdict, seconds)"""
    began = time.monotonic()
    try:
        for case in cases:
            check(image, function, case)
    except (Refused, Unknown) as refused:
        return 0, f"not: {refused}", time.monotonic() - began
    return len(cases), "proven", time.monotonic() - began


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m proofs.prove")
    parser.add_argument("--kernel", default="", help="those whose name has this pattern in it")
    parser.add_argument("build", nargs="?", default=objects.ROOT / "build", type=File)
    options = parser.parse_args(arguments)
    failed = 0
    print(f"{'kernel':40} {'widths':>6} {'seconds':>8}  identity, memory, constant time")
    for module in PROVEN:
        image = run.image(options.build, module)
        for function in kernels(image):
            if not re.search(options.kernel, function):
                continue
            found = claim(function)
            if found is None:
                print(f"{function:40} {'':>6} {'':>8}  not: {unclaimed(function) or 'no claim'}", flush=True)
                failed += unclaimed(function) is None
                continue
            widths, verdict, seconds = row(image, function, found.CASES)
            failed += verdict != "proven"
            print(f"{function:40} {widths:6} {seconds:8.1f}  {verdict}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
