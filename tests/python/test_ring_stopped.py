"""A step of the compiler that stops with an exception is left out, or the function is refused.

No answer is wrong then. A pass also fails if its check stops at what it has left: the function is as it was.
"""

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType

import pytest
from carrychain.ring import compile as compiling
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.ir.form import INT, Function, Instruction, Module, Value, print_module, unsigned
from carrychain.ring.rewrite.passes import PASSES
from draws import LONG, share
from ring_cases import module_of
from ring_differential import agree
from ring_mutants import Program, known_programs, random_programs

PROGRAM = """
(declaim (inline g))
(defun g (x) (declare (type (unsigned-byte 8) x)) (logand (* x 7) 63))
(defun f (n) (declare (type (integer 0 100) n))
  (let ((a (make-array 8 :initial-element 0)) (s 0))
    (dotimes (k n s)
      (setf (aref a (mod k 8)) (+ (aref a (mod (1+ k) 8)) (g (mod k 200))))
      (setf s (mod (+ s (ash (aref a (mod k 8)) 3)) 4294967296)))))
"""


def mess(function: Function) -> None:
    """All that a pass may leave half-made."""
    function.results[:] = [unsigned(8)]
    function.params[0].type, function.params[0].name = unsigned(8), "other"
    for block in function.blocks:
        for i in block.instructions:
            i.args[:0] = i.args[:1]
            for value in i.results:
                value.type = INT if isinstance(value.type, type(INT)) else value.type
        del block.instructions[1:]
        block.params.append(Value("new", INT))
    function.blocks[1:] = function.blocks[:1]


def stops(function: Function) -> None:
    mess(function)
    raise KeyError("nothing")


def leaves_no_end(function: Function) -> None:
    function.blocks[-1].terminator = None


def leaves_what_is_not_known(function: Function) -> None:
    function.blocks[0].instructions.append(Instruction("nonsense", [], [Value("new", INT)]))


FAULTS = (stops, leaves_no_end, leaves_what_is_not_known)


def run(module: Module, passes: tuple, monkeypatch) -> str:
    """The functions after these passes; their plans can be lowered."""
    monkeypatch.setattr(compiling, "PASSES", passes)
    compiling.lowered(module, compiling.plans(module, True))
    return print_module(module)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("at", range(len(PASSES)), ids=[row.name for row in PASSES])
def test_a_pass_that_stops_is_left_out(monkeypatch, fault: Callable, at):
    row = PASSES[at]
    without = run(module_of(PROGRAM).copy(), PASSES[:at] + PASSES[at + 1 :], monkeypatch)
    faulty = row._replace(run=lambda state: fault(state.function), wanted=lambda state: True)
    module = module_of(PROGRAM).copy()
    with pytest.warns(Refused) as warned:
        found = run(module, (*PASSES[:at], faulty, *PASSES[at + 1 :]), monkeypatch)
    assert found == without
    assert len(warned) == len(module.functions)
    warnings = sorted(str(each.message) for each in warned)
    for name, warning in zip(sorted(module.functions), warnings, strict=True):
        assert warning.startswith(f"{name} is compiled without {row.name}: ")
        assert (f"{row.name} stopped with KeyError: 'nothing'" in warning) == (fault is stops)


@pytest.mark.parametrize("at", range(len(PASSES)), ids=[row.name for row in PASSES])
def test_a_pass_is_left_out_if_asking_whether_it_is_wanted_stops(monkeypatch, at):
    row = PASSES[at]
    without = run(module_of(PROGRAM).copy(), PASSES[:at] + PASSES[at + 1 :], monkeypatch)
    faulty = row._replace(wanted=lambda state: stops(state.function))
    module = module_of(PROGRAM).copy()
    with pytest.warns(Refused, match=f"[fg] is compiled without {row.name}: .*{row.name} stopped with Key"):
        found = run(module, (*PASSES[:at], faulty, *PASSES[at + 1 :]), monkeypatch)
    assert found == without


def test_an_inliner_that_stops_is_left_out(monkeypatch):
    module = module_of(PROGRAM).copy()
    was = print_module(module)
    inline = compiling.inline

    def faulty(module: Module) -> None:
        inline(module)
        stops(module.functions["f"])

    monkeypatch.setattr(compiling, "inline", faulty)
    with pytest.warns(Refused, match="the program is compiled without inline: .*KeyError"):
        assert not compiling.inlined(module)
    assert print_module(module) == was
    with pytest.warns(Refused, match="the program is compiled without inline"):
        compiling.lowered(module, compiling.plans(module, True))


@pytest.mark.parametrize("fault", FAULTS[1:], ids=lambda fault: fault.__name__)
def test_what_an_inliner_leaves_is_put_back(monkeypatch, fault: Callable):
    module = module_of(PROGRAM).copy()
    was = print_module(module)
    monkeypatch.setattr(compiling, "inline", lambda module: [fault(f) for f in module.functions.values()])
    with pytest.warns(Refused, match="[fg] is compiled without inline"):
        assert not compiling.inlined(module)
    assert print_module(module) == was


# Steps of compile.py, by the names that it calls them by, and what the warning names.
STEPS = {
    "analyse": "ranges",
    "demands": "demand",
    "choose": "cut",
    "check_ranges": "check",
    "check": "check",
    "check_elements": "check",
    "lower": "lower",
    "recursive": "lower",
    "verify_operations": "check",
    "check_lowered": "check",
    "check_defined": "check",
    "check_owned": "check",
}
TABLES = ("callees_first", "check_tables")


def nothing(*_, **__) -> None:
    raise RuntimeError("nothing")


@pytest.fixture
def programs(draw) -> list[Program]:
    return draw.sample(known_programs(), 3) + random_programs(draw, 3)


def judged(program: Program) -> list[str]:
    """The warnings, or the refusal, of a program; its answers are right if it has any."""
    wanted = program.wanted
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", Refused)
        try:
            got = program.found()
        except CheckError as error:
            return [str(error)]
    assert agree(wanted, got, "compiled")
    return [str(each.message) for each in said]


@pytest.mark.parametrize(("called", "name"), STEPS.items(), ids=STEPS)
def test_an_analysis_that_stops_once_puts_the_function_on_big_integers(monkeypatch, programs, called, name):
    for program in programs:
        calls, step = [], getattr(compiling, called)

        def once(*args, calls=calls, step=step, **named):
            calls.append(args)
            return step(*args, **named) if len(calls) > 1 else nothing()

        monkeypatch.setattr(compiling, called, once)
        said = judged(program)
        monkeypatch.undo()
        assert bool(said) == bool(calls)
        for each in said:
            assert " runs on big integers: exact, but slower" in each
            assert f"{name} stopped with RuntimeError: nothing" in each


@pytest.mark.parametrize(("called", "name"), STEPS.items(), ids=STEPS)
def test_a_step_that_always_stops_is_named(monkeypatch, programs, called, name):
    """The functions run on big integers, or are refused if they can't even do that."""
    monkeypatch.setattr(compiling, called, nothing)
    for program in programs:
        for each in judged(program):
            assert f"{name} stopped with RuntimeError: nothing" in each
            refused = " cannot be shown to be exact, and is not run" in each
            assert refused or " runs on big integers: exact, but slower" in each
            assert refused or name in ("ranges", "demand", "cut", "check")


@pytest.mark.parametrize("called", TABLES)
def test_what_is_shown_of_the_whole_program_is_shown_or_it_is_refused(monkeypatch, programs, called):
    monkeypatch.setattr(compiling, called, nothing)
    for program in programs:
        (said,) = judged(program)
        assert "stopped with RuntimeError: nothing" in said


@pytest.mark.parametrize("at", range(len(compiling.WORD_PASSES)))
def test_a_pass_over_words_that_stops_is_left_out(monkeypatch, programs, at):
    def faulty(function) -> None:
        passes[at](function)
        nothing()

    passes = compiling.WORD_PASSES
    monkeypatch.setattr(compiling, "WORD_PASSES", (*passes[:at], faulty, *passes[at + 1 :]))
    for program in programs:
        said = judged(program)
        assert said
        for each in said:
            assert " is compiled without gather and regroup: exact, but slower" in each
            assert "regroup stopped with RuntimeError: nothing" in each


def functions_of(package: str) -> Iterator[tuple[str, FunctionType]]:
    """All functions and methods of a folder of the compiler."""
    root = importlib.import_module(f"carrychain.ring.{package}")
    names = [each.name for each in pkgutil.iter_modules(root.__path__, f"{root.__name__}.")]
    for module in map(importlib.import_module, names):
        spaces = [vars(module)]
        spaces += [vars(each) for each in vars(module).values() if inspect.isclass(each)]
        for space in spaces:
            for each in map(inspect.unwrap, space.values()):
                own = inspect.isfunction(each) and each.__module__ == module.__name__
                if own and not each.__code__.co_freevars:
                    yield f"{module.__name__}.{each.__qualname__}", each


@contextmanager
def stopped(function: FunctionType) -> Iterator[None]:
    """Wherever it was imported, it raises."""
    was = function.__code__
    function.__code__ = nothing.__code__
    try:
        yield
    finally:
        function.__code__ = was


@pytest.mark.parametrize("package", ("facts", "rewrite", "lower", "trust"))
def test_no_function_of_the_compiler_that_stops_stops_it(programs, package):
    every = dict(functions_of(package))
    reached = 0
    for name in share(f"stopped {package}", every, 16):
        for program in programs:
            with stopped(every[name]):
                said = judged(program)
            reached += bool(said)
            # what is left out may leave what a later step does without the facts that show it: that is
            # said of both
            for each in said:
                assert "stopped with RuntimeError: nothing" in each, name
    assert reached


@pytest.mark.parametrize("error", (MemoryError, KeyboardInterrupt))
@pytest.mark.parametrize("called", ("analyse", "choose", "lower", "check", "check_lowered"))
def test_what_is_no_fault_of_a_step_goes_through(monkeypatch, error, called):
    def full(*_, **__) -> None:
        raise error

    monkeypatch.setattr(compiling, called, full)
    with pytest.raises(error):
        run(module_of(PROGRAM).copy(), PASSES, monkeypatch)


@pytest.mark.parametrize("error", (MemoryError, KeyboardInterrupt))
def test_nor_is_it_of_a_pass(monkeypatch, error):
    def full(state) -> bool:
        raise error

    for faulty in (PASSES[0]._replace(run=full), PASSES[0]._replace(wanted=full)):
        with pytest.raises(error):
            run(module_of(PROGRAM).copy(), (faulty, *PASSES[1:]), monkeypatch)


def test_what_the_passes_have_made_is_also_shown_on_big_integers(draw):
    for program in share("whole", known_programs(), 8) + random_programs(draw, 400 if LONG else 20):
        module = program.module.copy()
        plans = compiling.plans(module, True)
        compiling.lowered(module, {name: compiling.plan_big(module.functions[name]) for name in plans})
