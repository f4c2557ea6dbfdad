"""Random programs, run in ways that must agree: interpreted, compiled, compiled without cutting, as
text through the front end, and by SBCL. What differs is shrunk and written as a file for tests/ring/found.

    python tests/python/ring_differential.py --programs 100000
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import ring_programs
from carrychain.ring.compile import compile_module
from carrychain.ring.errors import Refused, Trap
from carrychain.ring.front import lisp
from carrychain.ring.interpret import Interpreter
from carrychain.ring.ir import Module, print_module

# a difference, too: it would be compiled on big integers
warnings.simplefilter("error", Refused)

INPUTS = 6  # for each program
BATCH = 25  # programs compiled together
FOUND = Path(__file__).parents[1] / "ring" / "found"
TRAP, MEMORY = "trap", "memory"


def made(seed: int):
    rng = random.Random(seed)
    functions = ring_programs.program(rng, f"p{seed}-")
    return functions, [ring_programs.inputs(rng, functions) for _ in range(INPUTS)]


def outcome(call):
    """What a call comes to: a tuple of integers, or that it trapped."""
    try:
        result = call()
    except Trap:
        return TRAP
    except MemoryError:
        return MEMORY
    return result if isinstance(result, tuple) else (result,)


def interpreted(functions, inputs) -> list:
    module = ring_programs.to_ir(functions)
    return [outcome(lambda a=a: Interpreter(module).call(functions[-1][0], *a)) for a in inputs]


def compiled(programs, cut: bool) -> list[list]:
    """For (functions, inputs) each, what compiled code yields; all of them compiled together."""
    module = Module()
    for functions, _ in programs:
        module.functions.update(ring_programs.to_ir(functions).functions)
    program = compile_module(module, cut=cut)
    return [
        [outcome(lambda f=functions, a=a: program.call(f[-1][0], *a)) for a in inputs]
        for functions, inputs in programs
    ]


LISP_CALLS = """
(defun show (f &rest args)
  (handler-case (format t "~{~d~^ ~}~%" (multiple-value-list (apply f args)))
    (storage-condition () (format t "memory~%"))
    (error () (format t "trap~%"))))
"""


def by_lisp(programs, sbcl: str = "sbcl") -> list[list]:
    lines = ["(declaim (optimize (safety 3) (speed 0) (compilation-speed 3)))"]
    lines += [ring_programs.PRELUDE, LISP_CALLS]
    for functions, inputs in programs:
        lines.append(ring_programs.to_lisp(functions))
        lines += [f"(show '{functions[-1][0]} {' '.join(map(str, args))})" for args in inputs]
    with tempfile.NamedTemporaryFile("w", suffix=".lisp") as file:
        file.write("\n".join(lines))
        file.flush()
        done = subprocess.run(
            [sbcl, "--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger", "--load", file.name,
             "--eval", "(sb-ext:exit)"],
            capture_output=True, text=True, timeout=600,
        )  # fmt: skip
    shown = [line for line in done.stdout.splitlines() if re.fullmatch(r"trap|memory|-?\d+( -?\d+)*", line)]
    wanted = sum(len(inputs) for _, inputs in programs)
    if done.returncode or len(shown) != wanted:
        raise RuntimeError(
            f"SBCL showed {len(shown)} of {wanted} results:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    results = iter(line if line in (TRAP, MEMORY) else tuple(map(int, line.split())) for line in shown)
    return [[next(results) for _ in inputs] for _, inputs in programs]


def by_our_lisp(programs) -> list[list]:
    """The program's text through the front end; what it makes of it, interpreted."""
    results = []
    for functions, inputs in programs:
        module = lisp.module_of(ring_programs.PRELUDE + ring_programs.to_lisp(functions))
        name = functions[-1][0]
        results.append([outcome(lambda m=module, n=name, a=a: Interpreter(m).call(n, *a)) for a in inputs])
    return results


WAYS = {
    "compiled": lambda programs: compiled(programs, cut=True),
    "compiled without cutting": lambda programs: compiled(programs, cut=False),
    "front end": by_our_lisp,
    "SBCL": by_lisp,
}


def agree(wanted: list, got: list, way: str) -> bool:
    """Memory is the machine's: who runs out of it has not been wrong. And SBCL leaves out what would
    trap, if nobody uses its result."""
    return all(
        w == g or MEMORY in (w, g) or (way == "SBCL" and w == TRAP) for w, g in zip(wanted, got, strict=True)
    )


def differs(way, functions, inputs) -> bool:
    wanted = interpreted(functions, inputs)
    try:
        got = WAYS[way]([(functions, inputs)])[0]
    except Exception as failure:
        got = [type(failure).__name__] * len(inputs)
    return not agree(wanted, got, way)


def batch(seeds, ways) -> list[tuple[int, str]]:
    """The seeds whose programs differ, and in which way."""
    programs = [made(seed) for seed in seeds]
    wanted = [interpreted(*program) for program in programs]
    wrong = []
    for way in ways:
        try:
            got = WAYS[way](programs)
        except Exception:
            # someone's fault: each alone
            wrong += [(s, way) for s, p in zip(seeds, programs, strict=True) if differs(way, *p)]
            continue
        wrong += [(s, way) for s, w, g in zip(seeds, wanted, got, strict=True) if not agree(w, g, way)]
    return wrong


def shrunk(seed: int, way: str) -> str:
    """The smallest program that differs, as text: its IR, and what its calls come to."""
    functions, inputs = made(seed)
    inputs = [a for a in inputs if differs(way, functions, [a])][:1] or inputs
    if differs(way, functions, inputs):
        functions = ring_programs.shrink(functions, lambda trial: differs(way, trial, inputs))
    lines = [f"; seed {seed}: {way}"]
    for args, result in zip(inputs, interpreted(functions, inputs), strict=True):
        shown = result if isinstance(result, str) else " ".join(map(str, result))
        lines.append(f"; call {functions[-1][0]} {' '.join(map(str, args))} = {shown}")
    return "\n".join([*lines, print_module(ring_programs.to_ir(functions))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-shrink", action="store_true")
    options = parser.parse_args()
    ways = [way for way in WAYS if way != "SBCL" or shutil.which("sbcl")]
    if len(ways) < len(WAYS):
        print("skipped: SBCL, which is not installed")
    wrong = []
    began = time.monotonic()
    last = options.seed + options.programs
    batches = [range(first, min(first + BATCH, last)) for first in range(options.seed, last, BATCH)]
    with tempfile.TemporaryDirectory() as cache, ProcessPoolExecutor(options.jobs) as pool:
        # what is compiled here is not worth keeping; the workers start later
        os.environ["XDG_CACHE_HOME"] = cache
        for at, differing in enumerate(pool.map(batch, batches, repeat(ways)), 1):
            for seed, way in differing:
                wrong.append(seed)
                print(f"{seed} differs: {way}", flush=True)
                if not options.no_shrink:
                    FOUND.mkdir(parents=True, exist_ok=True)
                    (FOUND / f"{seed}.ir").write_text(shrunk(seed, way))
            if at % 40 == 0:
                print(f"{at * BATCH} programs, {time.monotonic() - began:.0f} s", flush=True)
    failed = len(set(wrong))
    print(f"{options.programs} programs, {INPUTS} calls each, in {1 + len(ways)} ways: {failed} differ")
    print(f"{options.programs - failed} passed, {failed} failed, {len(WAYS) - len(ways)} skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
