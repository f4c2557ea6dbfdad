"""Damages to the compiler that no one thought of: one token of a pass is another one.

    python tests/python/ring_mutants.py [--number N] [--seed S] [--programs P] [MODULE...]

Each mutant compiles programs: those of ring_damages.txt and random ones. Where an answer is wrong, --validate
is asked of the same program. Shown is what it lets by, and what changes no answer: that is as right as it
was, or no program here shows it. What the checker (check.py) refuses runs on big integers, and is right.
"""

import argparse
import ast
import copy
import importlib
import inspect
import random
import signal
import textwrap
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from types import FunctionType, ModuleType

import ring_differential
from carrychain.ring.compile import lowered, plans, validated
from carrychain.ring.ir.errors import CheckError, Different, Refused
from carrychain.ring.ir.form import Module
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.machine.interpret import Fault, MachineInterpreter
from carrychain.ring.trust.validate import arguments
from ring_cases import module_of
from ring_damages import DAMAGES, forget, run_instead
from ring_differential import agree, outcome

MODULES = (
    "ir.inline", "facts.order", "rewrite.scalars", "rewrite.lengths", "rewrite.elements", "rewrite.counters",
    "rewrite.simplify", "rewrite.idiom", "rewrite.limbs", "rewrite.peel", "rewrite.parts", "rewrite.cut",
    "rewrite.checked",
    "lower.arithmetic", "lower.arrays", "lower.checks", "lower.function", "lower.shifts", "lower.values",
    "machine.gather", "machine.regroup",
)  # fmt: skip
CALLS = 24  # of each program
SECONDS = 10  # of the processor, for a program; a mutant may never end
BLOCKS = 1_000_000

TURNED = (
    (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot),
    (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.LShift, ast.RShift), (ast.BitAnd, ast.BitOr),
    ("sext", "zext"), ("s", "u"), ("add", "sub"), ("lt", "le"), ("gt", "ge"), ("eq", "ne"), ("shl", "lshr"),
    ("low", "field"), ("min", "max"), ("any", "all"), ("load_le", "load_be"),
)  # fmt: skip
OTHER = {
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    "ashr": "lshr",
    **{a: b for pair in TURNED for a, b in (pair, pair[::-1])},
}


class Endless(BaseException):
    pass


def others(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand there instead."""
    match node:
        case ast.Compare(left, [op], [right]):
            yield ast.Compare(left, [OTHER[type(op)]()], [right])
            if not isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)):
                yield ast.Compare(right, [op], [left])
        case ast.Compare(left, ops, comparators):
            for at, op in enumerate(ops):
                yield ast.Compare(left, [*ops[:at], OTHER[type(op)](), *ops[at + 1 :]], comparators)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(OTHER[type(op)](), values)
            for at in range(len(values)):
                left = [*values[:at], *values[at + 1 :]]
                yield ast.BoolOp(op, left) if len(left) > 1 else left[0]
        case ast.BinOp(left, op, right) if type(op) in OTHER:
            yield ast.BinOp(left, OTHER[type(op)](), right)
            if isinstance(op, ast.Sub):
                yield ast.BinOp(right, op, left)
        case ast.UnaryOp(_, operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Constant(str(value)) if value in OTHER:
            yield ast.Constant(OTHER[value])
        case ast.Name(name, ast.Load()) if name in OTHER:
            yield ast.Name(OTHER[name], ast.Load())


@dataclass
class Mutant:
    """The function's text with one node, the so-manieth of it, another."""

    module: str
    name: str
    function: FunctionType
    at: int
    which: int

    @cached_property
    def _trees(self) -> tuple[ast.FunctionDef, ast.FunctionDef, int]:
        before = tree_of(self.function)
        after = copy.deepcopy(before)
        node = [*ast.walk(after)][self.at]
        new = [*others(node)][self.which]

        class Replaced(ast.NodeTransformer):
            def visit(self, each):
                return new if each is node else self.generic_visit(each)

        return before, ast.fix_missing_locations(Replaced().visit(after)), node.lineno

    @contextmanager
    def done(self) -> Iterator[None]:
        _, tree, _ = self._trees
        with ExitStack() as stack:
            stack.callback(forget)
            run_instead(stack, self.function, ast.Module([tree], []), self.name)
            forget()
            yield

    def __str__(self) -> str:
        before, after, line = self._trees
        was, now = (ast.unparse(tree).splitlines() for tree in (before, after))
        first = self.function.__code__.co_firstlineno
        changed = [(a, b) for a, b in zip(was, now, strict=False) if a != b]
        a, b = changed[0] if changed else ("", "")
        return f"{self.module}:{first + line - 1} {self.name}: {a.strip()}  ->  {b.strip()}"


def tree_of(function: FunctionType) -> ast.FunctionDef:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    tree.decorator_list, tree.returns = [], None
    for arg in (*tree.args.args, *tree.args.kwonlyargs):
        arg.annotation = None
    # defaults are the function's, not its code's
    tree.args.defaults = [ast.Constant(None) for _ in tree.args.defaults]
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:] or [ast.Pass()]
    return tree


def functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for name, each in vars(module).items():
        if getattr(each, "__module__", None) != module.__name__:
            continue
        inside = vars(each).items() if inspect.isclass(each) else [("", each)]
        for method, function in inside:
            function = getattr(function, "__func__", getattr(function, "func", function))
            if not isinstance(function, FunctionType):
                continue
            # what a dataclass has made has no text
            if function.__code__.co_filename == module.__file__ and not function.__code__.co_freevars:
                yield f"{name}.{method}".rstrip("."), function


def mutants(module: str) -> Iterator[Mutant]:
    for name, function in functions(importlib.import_module(f"carrychain.ring.{module}")):
        tree = tree_of(function)
        fixed = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise | ast.AnnAssign | ast.JoinedStr | ast.Slice)
            for part in ast.walk(node.annotation if isinstance(node, ast.AnnAssign) else node)
        }
        for at, node in enumerate(ast.walk(tree)):
            if id(node) not in fixed:
                for which, _ in enumerate(others(node)):
                    yield Mutant(module, name, function, at, which)


# Judging ---------------------------------------------------------------------------------------------


@dataclass
class Program:
    name: str
    module: Module
    called: str
    inputs: list[list]

    @cached_property
    def wanted(self) -> list:
        run = Interpreter(self.module)
        return [outcome(lambda *args: run.call(self.called, *args), args) for args in self.inputs]

    def found(self) -> list:
        """What it comes to, compiled, or the exception that it stops with."""
        work = self.module.copy()
        words, signatures, _ = lowered(work, plans(work, True))
        run = MachineInterpreter(words, signatures, BLOCKS)

        def call(*args):
            try:
                return run.call(self.called, *args)
            except Fault as fault:
                return str(fault)

        return [outcome(call, args) for args in self.inputs]


def known_programs() -> list[Program]:
    found = []
    for text in dict.fromkeys(damage.program for damage in DAMAGES):
        module = module_of(text)
        name, function = list(module.functions.items())[-1]
        found.append(Program(text, module, name, list(islice(arguments(function), CALLS))))
    return found


def random_programs(rng: random.Random, count: int) -> list[Program]:
    found = []
    while len(found) < count:
        # of the first kind, over integers and arrays
        number = rng.randrange(1 << 20) * len(ring_differential.KINDS) * ring_differential.BATCH
        module = ring_differential.made(number).to_ir()
        name, function = list(module.functions.items())[-1]
        found.append(Program(f"seed {number}", module, name, list(islice(arguments(function), CALLS))))
    return found


@contextmanager
def bounded() -> Iterator[None]:
    def ended(*_):
        raise Endless

    before = signal.signal(signal.SIGVTALRM, ended)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# what becomes of a mutant
SAME, STOPS, REFUSED = "changes no answer", "stops", "refused"
TOLD, MISSED = "wrong, and told", "wrong, and missed"


def judged(mutant: Mutant, programs: list[Program]) -> tuple[str, str]:
    """What becomes of it, and the program that shows it."""
    for program in programs:
        wanted = program.wanted
        with warnings.catch_warnings(record=True) as said, mutant.done():
            warnings.simplefilter("always", Refused)
            try:
                with bounded():
                    got = program.found()
            except CheckError:
                return REFUSED, program.name
            except (Exception, Endless):
                return STOPS, program.name
            if agree(wanted, got, "compiled"):
                if said:
                    return REFUSED, program.name
                continue
            try:
                with bounded():
                    validated(program.module.copy(), True)
            except (Exception, Endless) as error:
                return TOLD, f"{program.name} {error}" if isinstance(error, Different) else program.name
            return MISSED, program.name
    return SAME, ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--number", type=int, default=20, help="mutants of each module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=60, help="random ones")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    programs = known_programs() + random_programs(rng, options.programs)
    for module in options.modules or MODULES:
        made = list(mutants(module))
        counts: Counter[str] = Counter()
        for mutant in rng.sample(made, min(options.number, len(made))):
            became, shown = judged(mutant, programs)
            counts[became] += 1
            if became in (SAME, MISSED):
                print(f"    {became}: {mutant}" + (f"\n        by {shown}" if shown else ""), flush=True)
        print(f"{module}: {len(made)} mutants; of some, {dict(counts)}", flush=True)


if __name__ == "__main__":
    main()
