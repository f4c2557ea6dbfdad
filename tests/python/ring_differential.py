"""Random programs, run in ways that must agree: interpreted, as machine IR, compiled, compiled without
cutting, as text through the front end, by a walker of Lisp's forms, and by SBCL. What differs is shrunk and
written as a file for tests/ring/found.

    python tests/python/ring_differential.py --programs 100000

The programs are of several kinds, by turns a batch of each; a kind is a module of this directory. Each
program has a number, its seed: --first says where to begin, so that one run can be shared between several
machines or go on where another was ended by Ctrl-C, which says where. With --of 8, one batch in eight goes
all ways; the others are compiled as always, but for LLVM, and walked, in half the time.
"""

import array
import json
import random
import re
import resource
import shutil
import subprocess
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count, islice
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import differential
import lisp_walker
import ring_macros
import ring_order
import ring_programs
import ring_values
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.compile import lowered, plans
from carrychain.ring.emit import llvm
from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.errors import CheckError, Refused, SourceError, Trap
from carrychain.ring.ir.form import INT, Array, Int, Module, print_module
from carrychain.ring.ir.interface import interface_of
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.verify import verify_module
from carrychain.ring.machine.interpret import MachineInterpreter
from quick import quickly
from ring_programs import Part

# a difference, too: it would be compiled on big integers
warnings.simplefilter("error", Refused)

KINDS = (ring_programs, ring_values, ring_macros, ring_order)
PRELUDE = ring_programs.PRELUDE + ring_order.PRELUDE
INPUTS = 6  # for each program
BATCH = 100  # programs compiled together
ENDLESS = 8  # seconds of SBCL's, which takes one for a batch
FOUND = Path(__file__).parents[1] / "ring" / "found"
TRAP, MEMORY = "trap", "memory"
UNSHOWN = (Refused.__name__, CheckError.__name__)
REFUSED = "refused, for want of a witness: "


@dataclass
class Made:
    """A program, and arguments to call its last function with.

    Its kind says what it is: `program`, `inputs`, `to_lisp`, `to_ir`, `features`, `smaller_programs`.
    """

    kind: ModuleType
    functions: list
    inputs: list

    @property
    def name(self) -> str:
        return self.functions[-1][0]

    @property
    def params(self) -> list:
        return self.functions[-1][1]

    @cached_property
    def _ir(self) -> Module:
        return self.kind.to_ir(self.functions)

    def to_ir(self) -> Module:
        """One that is its caller's, who may change it."""
        return self._ir.copy()

    @cached_property
    def wanted(self) -> list:
        """What the calls come to."""
        return interpreted_ir(self.to_ir(), self.name, self.inputs)

    def to_lisp(self) -> str:
        return self.kind.to_lisp(self.functions)


def made(seed: int) -> Made:
    rng = random.Random(seed)
    kind = KINDS[seed // BATCH % len(KINDS)]
    functions = kind.program(rng, f"p{seed}-")
    return Made(kind, functions, [kind.inputs(rng, functions) for _ in range(INPUTS)])


def outcome(call, args):
    """What a call comes to: its values and what its arrays hold then, or that it trapped."""
    args = deepcopy(args)
    try:
        returned = call(*args)
    except Trap:
        return TRAP
    except MemoryError:
        return MEMORY
    held = [x for array in args if not isinstance(array, int | None) for x in array]
    values = returned if isinstance(returned, tuple) else (returned,)
    return (*(lisp_value(x) for x in values), *held)


def lisp_value(x) -> int | str:
    return ("T" if x else "NIL") if x is None or isinstance(x, bool) else x


def interpreted_ir(module, name, inputs) -> list:
    interface = interface_of(module.functions[name])

    def call(*args):
        found = Interpreter(module).call(name, *interface.arguments(name, args, {}))
        return interface.values(list(found))

    return [outcome(call, args) for args in inputs]


def compiled(programs, cut: bool) -> list[list]:
    """For each program what compiled code yields; all of them compiled together."""
    module = Module()
    for each in programs:
        one = each.to_ir()
        module.functions.update(one.functions)
        module.arrays.update(one.arrays)
    program = compile_module(module, cut=cut)

    def run(each: Made):
        # by turns copied, as lists are, and lent, as those must be that have parts passed as well
        called = [
            lent(each.params, args) if at % 2 or any(isinstance(arg, Part) for arg in args) else args
            for at, args in enumerate(each.inputs)
        ]
        return [outcome(lambda *args: program.call(each.name, *map(view, args)), args) for args in called]

    return [run(each) for each in programs]


def by_words(programs) -> list[list]:
    """The machine IR, interpreted: but for arrays that share memory in part, each lent alone."""

    def run(each: Made) -> list:
        module = each.to_ir()
        interface = interface_of(module.functions[each.name])
        words, signatures, _ = lowered(module, plans(module, True))

        def call(*args):
            parts = interface.arguments(each.name, args, {})
            of = MachineInterpreter(words, signatures)
            if any(isinstance(arg, Part) for arg in args):
                of = Interpreter(module)
            return interface.values(list(of.call(each.name, *parts)))

        return [outcome(call, args) for args in each.inputs]

    return list(map(run, programs))


def lent(params, args) -> list:
    """The arguments with arrays that compiled code reads and writes in place, where they are of words.

    One that is passed twice stays one.
    """
    made = {
        id(arg): array.array({8: "B", 32: "I", 64: "q"}[bits_of(type_.element)], arg)
        for (_, type_, *_), arg in zip(params, args, strict=False)
        if isinstance(type_, Array) and type_.element != INT and not isinstance(arg, Part)
    }
    return [
        Part(made[id(arg.whole)], arg.start, arg.count) if isinstance(arg, Part) else made.get(id(arg), arg)
        for arg in args
    ]


def view(arg):
    """A part as a caller has it."""
    return memoryview(arg.whole)[arg.start :][: arg.count] if isinstance(arg, Part) else arg


def bits_of(element: Int) -> int:
    return (element.high - element.low).bit_length()


def uncut_quickly(programs) -> list[list]:
    with patch.object(llvm, "machine_code", quickly):
        return compiled(programs, cut=False)


LISP_CALLS = """
(defun show (f &rest args)
  (handler-case
      (let ((values (multiple-value-list (apply f args))))
        (loop for a in args when (arrayp a) do (setf values (append values (coerce a 'list))))
        (format t "= ~{~a~^ ~}~%" values))
    (storage-condition () (format t "memory~%"))
    (simple-error (e) (format t (if (search "can't represent" (princ-to-string e)) "memory~%" "trap~%")))
    (error () (format t "trap~%")))
  (finish-output))
"""


def lisp_call(program: Made, args) -> str:
    names, bound = [], {}
    for (param, type_, *_), arg in zip(program.params, args, strict=False):
        if isinstance(type_, Array):
            made = f"(make-array {len(arg)} :element-type '{ring_programs.lisp_type(type_.element)}"
            if isinstance(arg, Part):
                made += f" :displaced-to {bound[id(arg.whole)][0]} :displaced-index-offset {arg.start})"
            else:
                made += f" :initial-contents '({' '.join(map(str, arg))}))"
            names.append(bound.setdefault(id(arg), (param, made))[0])
        else:
            names.append(str(lisp_value(arg)))
    variables = " ".join(f"({param} {made})" for param, made in bound.values())
    return f"(let* ({variables}) (show '{program.name} {' '.join(names)}))"


def by_lisp(programs, mode: str, prelude: str = PRELUDE, seconds: int = ENDLESS) -> list[list]:
    lines = ["(declaim (optimize (safety 3) (speed 0) (debug 0) (compilation-speed 3)))"]
    lines += [f"(setf sb-ext:*evaluator-mode* {mode})", prelude, LISP_CALLS]
    for program in programs:
        lines.append(program.to_lisp())
        lines += [lisp_call(program, args) for args in program.inputs]
    with tempfile.NamedTemporaryFile("w", suffix=".lisp") as file:
        file.write("\n".join(lines))
        file.flush()
        done = subprocess.run(
            ["sbcl", "--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger", "--load", file.name,
             "--eval", "(sb-ext:exit)"],
            capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )  # fmt: skip
    shown = re.findall(r"^(trap|memory|=(?: (?:-?\d+|T|NIL))*) ?$", done.stdout, re.MULTILINE)
    left = iter(line if line in (TRAP, MEMORY) else tuple(map(said, line.split()[1:])) for line in shown)
    results = [list(islice(left, len(program.inputs))) for program in programs]
    short = any(len(got) < len(program.inputs) for got, program in zip(results, programs, strict=True))
    if done.returncode and short and mode == ":compile":
        at = next(n for n, program in enumerate(programs) if len(results[n]) < len(program.inputs))
        failing, rest = programs[at], programs[at + 1 :]
        # it takes seconds over some, and trips over shifts by huge constants
        print(f"SBCL's compiler does not get through {failing.name}: evaluated instead", flush=True)
        alone = by_lisp([failing], ":interpret", prelude)
        return [*results[:at], *alone, *(by_lisp(rest, mode, prelude, seconds) if rest else [])]
    if done.returncode or sum(map(len, results)) != sum(len(program.inputs) for program in programs):
        raise RuntimeError(f"SBCL showed {len(shown)} results:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return results


def said(word: str) -> int | str:
    return word if word in ("T", "NIL") else int(word)


def by_our_lisp(programs) -> list[list]:
    """The programs' texts through the front end; what it makes of them, interpreted."""
    module = lisp.module_of(PRELUDE + "".join(program.to_lisp() for program in programs))
    return [interpreted_ir(module, program.name, program.inputs) for program in programs]


def by_walker(programs) -> list[list]:
    """The programs' texts, walked by what shares nothing with the front end."""
    walker = lisp_walker.Walker(PRELUDE)

    def run(program: Made) -> list:
        walker.load(program.to_lisp())

        def call(*args):
            try:
                return walker.call(program.name, *args)
            except lisp_walker.Trap as trap:
                raise Trap(str(trap)) from None

        return [outcome(call, args) for args in program.inputs]

    return list(map(run, programs))


WAYS = {
    "machine IR": by_words,
    "compiled": lambda programs: compiled(programs, cut=True),
    "compiled without cutting": lambda programs: compiled(programs, cut=False),
    "compiled without cutting, quickly": uncut_quickly,
    "front end": by_our_lisp,
    "walker": by_walker,
    "SBCL": lambda programs: by_lisp(programs, ":compile"),
    "SBCL's evaluator": lambda programs: by_lisp(programs, ":interpret"),
}


def ways_of(number: int, of: int = 1) -> list[str]:
    """The ways of this batch: always what users get; of others that cost most, by turns the thorough one.

    What is about the front end alone is compiled by turns only. All but one in `of` batches go no way that
    LLVM or SBCL takes, and of these all are compiled.
    """
    if random.Random(f"ways {number}").randrange(of):
        return ["walker", "machine IR", "front end"]
    turn, kind = divmod(number, len(KINDS))
    uncut = "compiled without cutting" + (", quickly" if turn % 8 else "")
    ways = ["walker", "machine IR", "compiled", uncut, "front end"]
    if KINDS[kind] is ring_order and turn % 256:
        ways = ["walker"]
    if shutil.which("sbcl"):
        ways.append("SBCL's evaluator" if turn % (64 if KINDS[kind] is ring_order else 4) else "SBCL")
    return ways


def agree(wanted: list, got: list, way: str, kind: ModuleType | None = None) -> bool:
    """Memory is the machine's: who runs out of it has not been wrong. And SBCL leaves out what would
    trap, if nobody uses its result; but for programs of a kind that never traps."""
    lenient = way.startswith("SBCL") and kind is not ring_order
    return all(
        w == g or MEMORY in (w, g) or (lenient and w == TRAP) for w, g in zip(wanted, got, strict=True)
    )


def came_to(way: str, program: Made) -> list:
    """What the calls come to; the exception's name, if it goes that way no further."""
    try:
        (got,) = WAYS[way]([program])
    except Exception as failure:
        got = [type(failure).__name__] * len(program.inputs)
    return got


def differs(way: str, program: Made) -> bool:
    return not agree(program.wanted, came_to(way, program), way, program.kind)


def features(program: Made, results) -> Counter:
    """What of all that matters is in this program (counted as 1), and of its calls how many are what."""
    has = program.kind.features(program.functions, program.inputs)
    found = Counter(feature for feature, there in has.items() if there)
    numbers = [
        x
        for args in program.inputs
        for arg in args
        for x in (arg if isinstance(arg, list | Part) else [arg])
        if x is not None and x is not True
    ]
    near = sum(any((a := abs(x + d)) & (a - 1) == 0 for d in (-1, 0, 1)) for x in numbers)
    found.update(calls=len(program.inputs), inputs=len(numbers), near=near, traps=results.count(TRAP))
    found["memory"] = results.count(MEMORY)
    return found


def batch(seeds, ways, made=made) -> tuple[list[tuple[int, str]], Counter]:
    """The seeds whose programs differ, and in which way; and what was in the programs."""
    programs = [made(seed) for seed in seeds]
    wanted = [program.wanted for program in programs]
    told = sum((features(p, w) for p, w in zip(programs, wanted, strict=True)), Counter())
    wrong = []
    for way in ways:
        try:
            got = WAYS[way](programs)
        except Exception:
            # someone's fault: each alone
            got = [came_to(way, program) for program in programs]
        judged = zip(seeds, programs, wanted, got, strict=True)
        wrong += [
            (s, REFUSED + way if g[0] in UNSHOWN else way)
            for s, p, w, g in judged
            if not agree(w, g, way, p.kind)
        ]
    return wrong, told


def smallest(program: Made, fails: Callable[[Made], bool]) -> Made:
    """By steps of its kind's; what is no program any more does not fail."""
    while True:
        for functions in program.kind.smaller_programs(program.functions):
            trial = replace(program, functions=functions)
            try:
                # an array is no number, as of `(setq x bytes)`
                verify_module(trial.to_ir())
                if fails(trial):
                    program = trial
                    break
            except (SourceError, KeyError, IndexError, ValueError, TypeError, AttributeError):
                continue
        else:
            return program


def shrunk(seed: int, way: str) -> str:
    """The smallest program that differs, as text: in Lisp, its IR, and what its calls come to."""
    program = made(seed)
    one = [args for args in program.inputs if differs(way, replace(program, inputs=[args]))][:1]
    program = replace(program, inputs=one or program.inputs)
    if differs(way, program):
        program = smallest(program, lambda trial: differs(way, trial))
    lines = [f"; seed {seed}: {way}", *(f"; {line}" for line in program.to_lisp().splitlines())]
    for args, result in zip(program.inputs, program.wanted, strict=True):
        shown = result if isinstance(result, str) else " ".join(map(str, result))
        lines.append(f"; call {program.name} {' '.join(written(args))} = {shown}")
    return "\n".join([*lines, print_module(program.to_ir())])


def written(args) -> list[str]:
    """Each argument in JSON; of an array that is there already, or a part of it, the place."""
    words, places = [], {}
    for at, arg in enumerate(args):
        if isinstance(arg, Part) or id(arg) in places:
            whole, start = (arg.whole, arg.start) if isinstance(arg, Part) else (arg, 0)
            arg = {"of": [places[id(whole)], start, len(arg)]}
        elif isinstance(arg, list):
            places[id(arg)] = at
        words.append(json.dumps(arg, separators=(",", ":")))
    return words


def read_back(words) -> list:
    args: list = []
    for arg in map(json.loads, words):
        if isinstance(arg, dict):
            place, start, count = arg["of"]
            whole = args[place]
            arg = whole if (start, count) == (0, len(whole)) else Part(whole, start, count)
        args.append(arg)
    return args


def batches_from(first: int, kind: str | None) -> Iterator[range]:
    """Seeds, a batch each, of programs of this kind or of all kinds."""
    for start in count(first // BATCH * BATCH, BATCH):
        if kind in (None, KINDS[start // BATCH % len(KINDS)].__name__):
            yield range(start, start + BATCH)


def summary(told: Counter, wrong: Counter) -> str:
    keys = ("programs", "calls", "inputs", "near", "traps", "memory")
    programs, calls, inputs, near, traps, memory = (told.pop(key, 0) for key in keys)
    lines = [f"{count / programs:7.1%}  {feature}" for feature, count in told.most_common()]
    lines.append(f"{near / inputs:7.1%}  of {inputs} arguments at ±2^k±{{0,1}}")
    lines.append(f"{traps / calls:7.1%}  of {calls} calls trap; {memory} run out of memory")
    if not shutil.which("sbcl"):
        lines.append("SBCL is not installed")
    refused = sum(count for way, count in wrong.items() if way.startswith(REFUSED))
    lines.append(
        f"{programs} programs, {calls} inputs, {wrong.total() - refused} differences, {refused} refused"
    )
    return "\n".join(lines)


def driven(of: int, seeds: range) -> tuple[list[tuple[int, str]], Counter]:
    differing, told = batch(seeds, ways_of(seeds.start // BATCH, of))
    told["programs"] = len(seeds)
    return differing, told


def kept(seed: int, how: str) -> None:
    way = how.removeprefix(REFUSED)
    FOUND.mkdir(parents=True, exist_ok=True)
    text = shrunk(seed, way) if way in WAYS else print_module(made(seed).to_ir())
    (FOUND / f"{seed}.ir").write_text(text)


def main() -> None:
    parser = differential.parser(__doc__, 100_000)
    parser.add_argument(
        "--kind", choices=[kind.__name__ for kind in KINDS], help="programs of this kind only"
    )
    parser.add_argument("--of", type=int, default=1, help="one batch in so many goes all ways")
    options = parser.parse_args()
    batches = [*islice(batches_from(options.first, options.kind), -(-options.programs // BATCH))]
    differential.drive(options, batches, partial(driven, options.of), kept, summary)


if __name__ == "__main__":
    main()
