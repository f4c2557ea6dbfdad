# SPDX-License-Identifier: MIT
"""Every kernel beside its claim, from its object's bytes.

    python -m proofs.prove [--kernel PATTERN] [BUILD]

A row a kernel: in how many cases of its claim it is proven what it computes (identity), that it keeps to
its memory and restores what is its caller's (memory), and that no branch and no address depends on a
value (constant time); or the reason why not.  One path shows all three, or none.  Then the portable
kernels of limbs, as the compilers here make them: as far as their code can be followed.  Exit status 1 if
a claim of ours does not hold, or a kernel has neither one nor a reason why not.
"""

import argparse
import re
import sys
import time
from pathlib import Path as File

from . import objects, portable, run
from .claims import claim, unclaimed
from .evaluated import Wrong
from .identity import Refused
from .machine import Unknown
from .path import STACKS, Path

KERNEL = re.compile(r"cc_(\w+)_(x86_64|bmi2adx|avx\w+|gcc|clang)")


def kernels(image, module):
    """The functions of a tier that others call, by name."""
    own = (name for name in image.functions if name.startswith(f"cc_{module}_"))
    return sorted(filter(KERNEL.fullmatch, own))


def check(image, function, case, **options):
    """The path of a case that holds; Refused, and Wrong where a rule of ours is.

    The stack is aligned otherwise by each width.
    """
    path = Path(image, stack=sum(case) % STACKS, seed=f"{function} {case}", **options)
    try:
        claim(function).prove(path, function, *case)
    except (Refused, Unknown) as refused:
        raise Refused(f"{case}: {refused}") from None
    return path


def chosen(arguments, parser):
    """(image, function) of all whose name has the pattern in it; and the options."""
    parser.add_argument("--kernel", default="", help="those whose name has this pattern in it")
    parser.add_argument("build", nargs="?", default=objects.ROOT / "build", type=File)
    options = parser.parse_args(arguments)
    found = []
    for module in objects.MODULES:
        image = run.image(options.build, module)
        found += [(image, name) for name in kernels(image, module) if re.search(options.kernel, name)]
    return found, options


def compiled(pattern):
    """(image, function) of the portable kernels as each compiler here makes them."""
    found = [(portable.image(compiler), compiler) for compiler in portable.compilers()]
    return [
        (image, name)
        for image, compiler in found
        for name in (f"cc_limbs_{kernel}_{compiler}" for kernel in portable.KERNELS)
        if re.search(pattern, name)
    ]


def verdict(image, function):
    """(cases, the word in each column, why not)"""
    found = claim(function)
    if found is None:
        return 0, "not", unclaimed(function)
    try:
        for case in found.CASES:
            check(image, function, case)
    except (Refused, Wrong) as refused:
        return 0, "not", str(refused)
    return len(found.CASES), "proven", None


def main(arguments):
    found, options = chosen(arguments, argparse.ArgumentParser(prog="python -m proofs.prove"))
    own = compiled(options.kernel)
    columns = "{:26} {:11} {:>6} {:9} {:9} {:14} {:>8}"
    print(columns.format("kernel", "tier", "cases", "identity", "memory", "constant time", "seconds"))
    failed = 0
    for image, function in [*found, *own]:
        began = time.monotonic()
        cases, word, why = verdict(image, function)
        seconds = f"{time.monotonic() - began:.1f}"
        kernel, tier = KERNEL.fullmatch(function).groups()
        print(columns.format(kernel, tier, cases or "", word, word, word, seconds), why or "", flush=True)
        if (image, function) in found:
            failed += word == "not" and (claim(function) is not None or why is None)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
