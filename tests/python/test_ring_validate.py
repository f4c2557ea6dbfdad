"""What --validate compares: passes with what they were given, plans with what they are for."""

import random
import re
import subprocess
import sys
from contextlib import contextmanager
from unittest.mock import patch

import pytest
import ring_programs
from carrychain.ring import compile as compiling
from carrychain.ring.call.load import load_lisp
from carrychain.ring.compile import plans, validated
from carrychain.ring.ir.errors import Different, Refused, Trap
from carrychain.ring.ir.form import INT, Array, Bool, Int, unsigned
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.lower.module import lower
from carrychain.ring.trust.validate import Validator, arguments
from draws import LONG
from hypothesis import given, settings
from hypothesis import strategies as st
from ring_damages import DAMAGES
from ring_differential import made

pytest.importorskip("z3", reason="z3-solver is not installed")

import z3
from carrychain.ring.trust import symbolic, validate, vectors

random_programs = st.integers(0, 1 << 32).map(random.Random)


def bounded(functions: list) -> list:
    """The same functions with parameters that have ends."""
    ends = lambda t: unsigned(16) if isinstance(t, Int) and None in (t.low, t.high) else t  # noqa: E731
    return [(name, [(p, ends(t)) for p, t in params], *rest) for name, params, *rest in functions]


def said(module, function, inputs, outcome, args):
    """What the terms say a call comes to: its values and what the arrays hold, or None for a trap."""
    solver = z3.Solver()
    arrays: list[list] = []
    for term, param, arg in zip(inputs.params, function.params, args, strict=True):
        match param.type:
            case Bool():
                solver.add(term == arg)
            case Array() as type_:
                alike = [p for p in function.params if p.type == type_]
                if not any(arg is each for each in arrays):
                    arrays.append(arg)
                number = next(at for at, each in enumerate(arrays) if each is arg)
                assert number < len(alike)
                solver.add(term == number, z3.Select(inputs.lengths(type_), number) == len(arg))
                row = z3.Select(inputs.contents(type_), number)
                solver.add(*(z3.Select(row, at) == x for at, x in enumerate(arg)))
            case _:
                solver.add(term == arg)
    solver.add(*inputs.limits)
    assert solver.check() == z3.sat
    model = solver.model()
    value = lambda term: model.eval(term, model_completion=True)  # noqa: E731
    if not z3.is_true(value(outcome.kept)) or z3.is_true(value(outcome.trapped)):
        return None
    held = []
    for number, array in enumerate(arrays):
        type_ = next(p.type for p, a in zip(function.params, args, strict=True) if a is array)
        contents = outcome.memory.get(("contents", type_), inputs.contents(type_))
        found = [value(z3.Select(z3.Select(contents, number), at)) for at in range(len(array))]
        held.append([x.as_signed_long() if type_.element.low else x.as_long() for x in found])
    results = [value(term) for term in outcome.results]
    return [x.as_signed_long() if z3.is_bv(x) else z3.is_true(x) for x in results], held


def interpreted(module, name, args):
    arrays: list[list] = []
    for arg in args:
        if isinstance(arg, list) and not any(arg is each for each in arrays):
            arrays.append(arg)
    try:
        found = Interpreter(module).call(name, *args)
    except Trap:
        return None
    return list(found), arrays


@given(random_programs)
def test_terms_mean_what_the_interpreter_does(rng):
    """Of functions that can be encoded, on arguments that are numbers."""
    for _ in range(3):
        functions = bounded(ring_programs.program(rng))[:1]
        module = ring_programs.to_ir(functions)
        function = module.functions[functions[0][0]]
        # arrays are numbered all together above, and those of integers of any size are not terms
        arrays = {p.type for p in function.params if isinstance(p.type, Array)}
        if len(arrays) > 1 or Array(INT) in arrays:
            continue
        try:
            inputs = symbolic.Inputs(function, module)
            outcome = symbolic.outcome(function, inputs)
        except vectors.NotEncoded:
            continue
        some = arguments(function)
        for args in (next(some) for _ in range(3)):
            wanted = said(module, function, inputs, outcome, args)
            assert interpreted(module, function.name, args) == wanted


@settings(max_examples=20 if LONG else 10)
@given(st.integers(0, 10**6))
def test_passes_and_plans_of_random_programs_are_right(seed):
    validated(made(seed).to_ir().copy(), True)


DIFFERENCE = """
(declaim (inline g))
(defun g (a b) (declare (type (unsigned-byte 16) a b)) (- a b))
(defun f (x y) (declare (type (unsigned-byte 8) x y)) (g x y))
"""


@pytest.fixture
def swapping():
    """An inliner that swaps two arguments, and nobody who refuses it."""
    (damage,) = (
        each for each in DAMAGES if (each.stage, each.name) == ("inline", "two arguments are swapped")
    )

    @contextmanager
    def done():
        with damage.done(), patch.object(compiling, "check_inlined"):
            yield

    return done


@pytest.fixture
def difference(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = tmp_path / "difference.lisp"
    path.write_text(DIFFERENCE)
    return path


def test_a_difference_is_told_in_a_line(difference, swapping):
    with swapping(), pytest.raises(Different) as raised:
        load_lisp(difference, validate=True)
    told = re.fullmatch(
        r".*:4:1: f: inline changed what it does: called with \((\d+), (\d+)\)"
        r" it returns \((-?\d+)\) before, and returns \((-?\d+)\) after",
        str(raised.value),
    )
    x, y, before, after = map(int, told.groups())
    assert (before, after) == (x - y, y - x)


def test_what_is_in_the_cache_is_made_anew_to_be_validated(difference, swapping):
    assert load_lisp(difference).f(5, 3) == 2
    with swapping():
        assert load_lisp(difference).f(5, 3) == 2
        with pytest.raises(Different):
            load_lisp(difference, validate=True)
    assert load_lisp(difference, validate=True).f(5, 3) == 2


def test_who_does_not_ask_pays_nothing(difference):
    script = f"""
import sys
from carrychain import load_lisp
load_lisp({str(difference)!r})
late = [f"carrychain.ring.trust.{{name}}" for name in ("validate", "symbolic", "vectors")]
assert not {{"z3", *late}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def compared(text: str) -> Validator:
    return validated(parse_module(text), True)[1]


def masked(type_: str) -> str:
    body = "%c: int = const 255\n  %r: int = and %x, %c\n  return %r"
    return f"function @f -> (int) {{\nentry(%x: {type_}):\n  {body}\n}}"


def test_what_z3_decides_and_what_is_run():
    assert compared(masked("u64")).count["by z3"] == 1
    assert compared(masked("int")).count["by running them"] == 1


def test_without_z3_all_is_run(monkeypatch):
    monkeypatch.setattr(validate, "z3", None)
    found = compared(masked("u64"))
    assert "0 by z3 (which is not installed), 1 by running them" in str(found)


def test_a_promise_that_is_broken_says_nothing():
    """What `assume` promises is for the passes to use; they may do anything else with what breaks it."""
    text = """function @f -> (int) {
entry(%x: u8):
  %y: int = assume int[0,3] %x
  %k: int = const 4
  %c: bool = lt %y, %k
  branch %c, yes(), no()
yes():
  return %y
no():
  return %k
}
"""
    assert compared(text).count["by z3"] == 1


def test_arrays_that_are_one_are_told_from_two():
    """To load before a store to what may be the same array is not to load after it."""
    before, after = (
        parse_module(f"""function @f -> (int) {{
entry(%a: array(u8), %b: array(u8), %i: u8, %j: u8):
  %one: int = const 1
  {lines}
  return %r
}}
""")
        for lines in (
            "%r: int = load %a, %i\n  store %b, %j, %one",
            "store %b, %j, %one\n  %r: int = load %a, %i",
        )
    )
    validator = Validator(before)
    with pytest.raises(Different, match="called with"):
        validator.watch("simplify", after.functions["f"])


def test_what_is_lowered_is_compared_with_what_it_was():
    """A sign that lowering leaves out is in no plan, but in the words."""
    text = """function @f -> (int) {
entry(%x: s8):
  %k: int = const 300
  %r: int = mul %x, %k
  return %r
}
"""
    assert compared(text).count["in words"] == 1
    (damage,) = (each for each in DAMAGES if each.name == "a sign is not extended")
    module = parse_module(text)
    validator, work = Validator(module), module.copy()
    with damage.done():
        words, signatures, _ = lower(work, plans(work, True))
        with pytest.raises(Different, match=r"lower changed what it does: called with \(-"):
            validator.words(words, signatures, "f")
        # by default it does not come so far
        with pytest.raises(Refused, match="lowered to words"):
            compared(text)


RETURNED = """
array @kept: array(u8) = 1 2 3
function @f -> (array(u8), array(int)) {
entry(%a: array(int), %i: int[0,2], %x: int):
  %k: array(u8) = global @kept
  store %k, %i, %i
  %0: int = const 0
  %n: int = const 3
  %b: array(int) = new array(int) %n, %x
  %c: bool = eq %i, %0
  %r: array(int) = select %c, %a, %b
  return %k, %r
}
"""


def test_words_that_return_arrays_are_right():
    """Those of the module, given ones and new ones."""
    assert compared(RETURNED).count["in words"] == 1
