"""Random programs, run in ways that must agree: interpreted, compiled, compiled without cutting, as
text through the front end, and by SBCL. What differs is shrunk and written as a file for tests/ring/found.

    python tests/python/ring_differential.py --programs 100000

A run that was ended by Ctrl-C says what it did, and goes on from there with --first.
"""

import argparse
import array
import gc
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from copy import deepcopy
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import llvmlite.binding
import ring_programs
from carrychain.ring import llvm
from carrychain.ring.compile import compile_module
from carrychain.ring.errors import Refused, Trap
from carrychain.ring.front import lisp
from carrychain.ring.interpret import Interpreter
from carrychain.ring.ir import Array, Int, Module, print_module
from ring_programs import parts

# a difference, too: it would be compiled on big integers
warnings.simplefilter("error", Refused)

INPUTS = 6  # for each program
BATCH = 100  # programs compiled together
ENDLESS = 8  # seconds of SBCL's, which takes one for a batch
FOUND = Path(__file__).parents[1] / "ring" / "found"
TRAP, MEMORY = "trap", "memory"


def made(seed: int):
    rng = random.Random(seed)
    functions = ring_programs.program(rng, f"p{seed}-")
    return functions, [ring_programs.inputs(rng, functions) for _ in range(INPUTS)]


def outcome(call, args):
    """What a call comes to: its results and what its arrays hold then, or that it trapped."""
    args = deepcopy(args)
    try:
        result = call(*args)
    except Trap:
        return TRAP
    except MemoryError:
        return MEMORY
    held = [x for array in args if not isinstance(array, int) for x in array]
    return (*(result if isinstance(result, tuple) else (result,)), *held)


def interpreted(functions, inputs) -> list:
    return interpreted_ir(ring_programs.to_ir(functions), functions[-1][0], inputs)


def interpreted_ir(module, name, inputs) -> list:
    return [outcome(lambda *args: Interpreter(module).call(name, *args), args) for args in inputs]


def compiled(programs, cut: bool) -> list[list]:
    """For (functions, inputs) each, what compiled code yields; all of them compiled together."""
    module = Module()
    for functions, _ in programs:
        module.functions.update(ring_programs.to_ir(functions).functions)
    program = compile_module(module, cut=cut)

    def run(functions, inputs):
        name, params, *_ = functions[-1]
        # by turns copied, as lists are, and lent
        called = [lent(params, args) if at % 2 else args for at, args in enumerate(inputs)]
        return [outcome(lambda *args: program.call(name, *args), args) for args in called]

    return [run(*each) for each in programs]


def lent(params, args) -> list:
    """The arguments with arrays that compiled code reads and writes in place; one passed twice stays one."""
    made = {
        id(arg): array.array({8: "B", 32: "I", 64: "q"}[bits_of(type_.element)], arg)
        for (_, type_), arg in zip(params, args, strict=True)
        if isinstance(type_, Array)
    }
    return [made.get(id(arg), arg) for arg in args]


def bits_of(element: Int) -> int:
    return (element.high - element.low).bit_length()


def quickly(text: str) -> bytes:
    """Machine code that nothing was done to make fast: in a tenth of the time."""
    llvm.version()
    target = llvmlite.binding.Target.from_default_triple()
    machine = target.create_target_machine(opt=0, reloc="pic")
    return machine.emit_object(llvmlite.binding.parse_assembly(text))


def uncut_quickly(programs) -> list[list]:
    with patch.object(llvm, "machine_code", quickly):
        return compiled(programs, cut=False)


LISP_CALLS = """
(defun show (f &rest args)
  (handler-case
      (let ((values (multiple-value-list (apply f args))))
        (format t "~{~d~^ ~}~%" (append values (loop for a in args when (arrayp a) append (coerce a 'list)))))
    (storage-condition () (format t "memory~%"))
    (error () (format t "trap~%")))
  (finish-output))
"""


def lisp_call(functions, args) -> str:
    name, params, *_ = functions[-1]
    names, bound = [], {}
    for (param, type_), arg in zip(params, args, strict=True):
        if isinstance(type_, Array):
            made = f"(make-array {len(arg)} :element-type '{ring_programs.lisp_type(type_.element)}"
            made += f" :initial-contents '({' '.join(map(str, arg))}))"
            names.append(bound.setdefault(id(arg), (param, made))[0])
        else:
            names.append(str(arg))
    variables = " ".join(f"({param} {made})" for param, made in bound.values())
    return f"(let ({variables}) (show '{name} {' '.join(names)}))"


def by_lisp(programs, mode: str) -> list[list]:
    lines = ["(declaim (optimize (safety 3) (speed 0) (debug 0) (compilation-speed 3)))"]
    lines += [f"(setf sb-ext:*evaluator-mode* {mode})", ring_programs.PRELUDE, LISP_CALLS]
    for functions, inputs in programs:
        lines.append(ring_programs.to_lisp(functions))
        lines += [lisp_call(functions, args) for args in inputs]
    with tempfile.NamedTemporaryFile("w", suffix=".lisp") as file:
        file.write("\n".join(lines))
        file.flush()
        done = subprocess.run(
            ["sbcl", "--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger", "--load", file.name,
             "--eval", "(sb-ext:exit)"],
            capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (ENDLESS, ENDLESS)),
        )  # fmt: skip
    shown = re.findall(r"^(trap|memory|-?\d+(?: -?\d+)*)$", done.stdout, re.MULTILINE)
    left = iter(line if line in (TRAP, MEMORY) else tuple(map(int, line.split())) for line in shown)
    results = [list(islice(left, len(inputs))) for _, inputs in programs]
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) and mode == ":compile":
        at = next(n for n, (_, inputs) in enumerate(programs) if len(results[n]) < len(inputs))
        endless, rest = programs[at], programs[at + 1 :]
        print(f"SBCL's compiler does not end on {endless[0][-1][0]}: evaluated instead", flush=True)
        return [*results[:at], *by_lisp([endless], ":interpret"), *(by_lisp(rest, mode) if rest else [])]
    if done.returncode or sum(map(len, results)) != sum(len(inputs) for _, inputs in programs):
        raise RuntimeError(f"SBCL showed {len(shown)} results:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return results


def by_our_lisp(programs) -> list[list]:
    """The program's text through the front end; what it makes of it, interpreted."""
    text = "".join(ring_programs.to_lisp(functions) for functions, _ in programs)
    module = lisp.module_of(ring_programs.PRELUDE + text)
    return [interpreted_ir(module, functions[-1][0], inputs) for functions, inputs in programs]


WAYS = {
    "compiled": lambda programs: compiled(programs, cut=True),
    "compiled without cutting": lambda programs: compiled(programs, cut=False),
    "compiled without cutting, quickly": uncut_quickly,
    "front end": by_our_lisp,
    "SBCL": lambda programs: by_lisp(programs, ":compile"),
    "SBCL's evaluator": lambda programs: by_lisp(programs, ":interpret"),
}


def ways_of(number: int) -> list[str]:
    """The ways of this batch: always what users get; of others that cost most, by turns the thorough one."""
    uncut = "compiled without cutting" + (", quickly" if number % 8 else "")
    ways = ["compiled", uncut, "front end"]
    if shutil.which("sbcl"):
        ways.append("SBCL's evaluator" if number % 4 else "SBCL")
    return ways


def agree(wanted: list, got: list, way: str) -> bool:
    """Memory is the machine's: who runs out of it has not been wrong. And SBCL leaves out what would
    trap, if nobody uses its result."""
    return all(
        w == g or MEMORY in (w, g) or (way.startswith("SBCL") and w == TRAP)
        for w, g in zip(wanted, got, strict=True)
    )


def differs(way, functions, inputs) -> bool:
    wanted = interpreted(functions, inputs)
    try:
        got = WAYS[way]([(functions, inputs)])[0]
    except Exception as failure:
        got = [type(failure).__name__] * len(inputs)
    return not agree(wanted, got, way)


def features(functions, inputs, results) -> Counter:
    """What of all that matters is in this program (counted as 1), and of its calls how many are what."""
    words = list(parts([list(f[2:]) for f in functions]))
    heads = Counter(part[0] for part in words)
    reads = Counter((f[0], part[1]) for f in functions for part in parts(list(f[2:])) if part[0] == "var")
    widths = {part[1] for part in words if part[0] in ("low", "field", "rotl")}
    has = {
        "branches": heads["when"] or heads["if"],
        "loops": heads["loop"],
        "nested loops": any(p[0] == "loop" for w in words if w[0] == "loop" for p in parts(w[3])),
        "a variable read more than once": max(reads.values(), default=0) > 1,
        "several widths": len(widths) > 1,
        "calls of its own functions": heads["call"],
        "inlined calls": any(ring_programs.INLINE in name for name, *_ in functions),
        "division": any(heads[op] for op in ring_programs.DIVISION),
        "shifts by what is not constant": any(p[0] == "shift" and p[2][0] != "const" for p in words),
        "arrays": heads["load"] or heads["store"],
        "arrays passed": any(isinstance(type_, Array) for _, params, *_ in functions for _, type_ in params),
        "a result of any size": any(x[0] not in ("low", "field") for x in functions[-1][3]),
    }
    found = Counter(feature for feature, there in has.items() if there)
    numbers = [x for args in inputs for arg in args for x in (arg if isinstance(arg, list) else [arg])]
    near = sum(any((a := abs(x + d)) & (a - 1) == 0 for d in (-1, 0, 1)) for x in numbers)
    found.update(calls=len(inputs), inputs=len(numbers), near=near, traps=results.count(TRAP))
    found["memory"] = results.count(MEMORY)
    return found


def batch(seeds, ways) -> tuple[list[tuple[int, str]], Counter]:
    """The seeds whose programs differ, and in which way; and what was in the programs."""
    programs = [made(seed) for seed in seeds]
    wanted = [interpreted(*program) for program in programs]
    told = sum((features(*p, w) for p, w in zip(programs, wanted, strict=True)), Counter())
    wrong = []
    for way in ways:
        try:
            got = WAYS[way](programs)
        except Exception:
            # someone's fault: each alone
            wrong += [(s, way) for s, p in zip(seeds, programs, strict=True) if differs(way, *p)]
            continue
        wrong += [(s, way) for s, w, g in zip(seeds, wanted, got, strict=True) if not agree(w, g, way)]
    gc.collect()
    return wrong, told


def shrunk(seed: int, way: str) -> str:
    """The smallest program that differs, as text: its IR, and what its calls come to."""
    functions, inputs = made(seed)
    inputs = [a for a in inputs if differs(way, functions, [a])][:1] or inputs
    if differs(way, functions, inputs):
        functions = ring_programs.shrink(functions, lambda trial: differs(way, trial, inputs))
    lines = [f"; seed {seed}: {way}"]
    for args, result in zip(inputs, interpreted(functions, inputs), strict=True):
        shown = result if isinstance(result, str) else " ".join(map(str, result))
        lines.append(f"; call {functions[-1][0]} {' '.join(map(written, args))} = {shown}")
    return "\n".join([*lines, print_module(ring_programs.to_ir(functions))])


def written(arg: int | list[int]) -> str:
    return str(arg).replace(" ", "")


def alone() -> None:
    """A worker: Ctrl-C is for who started it; and what was freed at once need not be looked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()


def summary(programs: int, failed: int, told: Counter) -> str:
    counts = {key: told.pop(key, 0) for key in ("calls", "inputs", "near", "traps", "memory")}
    lines = [
        f"{share:7.1%}  {feature}" for feature, count in told.most_common() if (share := count / programs)
    ]
    calls, traps = counts["calls"], counts["traps"]
    lines.append(f"{counts['near'] / counts['inputs']:7.1%}  of {counts['inputs']} inputs at ±2^k±{{0,1}}")
    lines.append(f"{traps / calls:7.1%}  of {calls} calls trap; {counts['memory']} run out of memory")
    ways = "4 ways" if shutil.which("sbcl") else "3 ways, SBCL is not installed"
    lines.append(f"{programs} programs, {ways}, {counts['inputs']} inputs, {failed} differences")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--programs", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-shrink", action="store_true")
    options = parser.parse_args()
    # what is compiled here is not worth keeping; the workers start later
    os.environ["XDG_CACHE_HOME"] = os.devnull
    wrong, told, next_ = set(), Counter(), options.first
    began = time.monotonic()
    last = options.first + options.programs
    batches = [range(first, min(first + BATCH, last)) for first in range(options.first, last, BATCH)]
    pool = ProcessPoolExecutor(options.jobs, initializer=alone)
    try:
        ways = [ways_of(seeds.start // BATCH) for seeds in batches]
        for seeds, (differing, features_) in zip(batches, pool.map(batch, batches, ways), strict=True):
            for seed, way in differing:
                wrong.add(seed)
                print(f"{seed} differs: {way}", flush=True)
                if not options.no_shrink:
                    FOUND.mkdir(parents=True, exist_ok=True)
                    (FOUND / f"{seed}.ir").write_text(shrunk(seed, way))
            told += features_
            next_ = seeds.stop
            if next_ // BATCH % 10 == 0:
                print(f"{next_ - options.first} programs, {time.monotonic() - began:.0f} s", flush=True)
    except KeyboardInterrupt:
        print(f"stopped; it goes on with --first {next_}")
    except BrokenProcessPool:
        wrong.add(next_)
        print(f"a process died, of programs from {next_} on")
    pool.shutdown(cancel_futures=True)
    if next_ > options.first:
        print(summary(next_ - options.first, len(wrong), told))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
