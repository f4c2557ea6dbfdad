"""Compiled functions are shown from their bytes (proofs.emitted); damaged bytes are refused."""

import functools
import re
from contextlib import contextmanager

import draws
import pytest

pytest.importorskip("z3", reason="z3-solver is not installed")

from carrychain.ring.front.lisp.module import module_of
from proving import ROOT
from ring_cases import module_of as any_module_of
from ring_damages import DAMAGES

from proofs import native, objects
from proofs.emitted import STEPS, emitted, show
from proofs.objects import Immediate, Memory
from proofs.terms import Refused

NAMES = [line.split()[1] for line in STEPS.splitlines() if line.startswith("(defun")]
OPERATORS = ROOT / "examples/lisp/operators.lisp"


@functools.cache
def steps():
    return emitted(module_of(STEPS))


def code_of(of, name):
    """The function's own instructions."""
    begin = of.image.functions[f"function:{name}"]
    later = [at for at in of.image.functions.values() if at > begin]
    return [each for at, each in sorted(of.image.program.items()) if begin <= at < min(later)]


@pytest.mark.parametrize("name", NAMES)
def test_a_step_is_shown(name):
    paths, instructions = show(steps(), name)
    assert paths == (2 if name == "sum-that-fits" else 1) and instructions > 20


def test_operators_are_shown():
    of = emitted(module_of(OPERATORS.read_text()))
    for name in draws.random_for("operators, emitted").sample(sorted(of.module.functions), 20):
        show(of, name)


@contextmanager
def damaged(instruction, code):
    """Other bytes in its place."""
    program = steps().image.program
    program[instruction.address] = objects.first(code, instruction.address)
    try:
        yield
    finally:
        program[instruction.address] = instruction


@pytest.mark.parametrize("name", ["md5-step", "xtea-round", "crc32-bit", "mean"])
def test_a_changed_number_is_refused(name):
    changed = 0
    for instruction in code_of(steps(), name):
        last = instruction.operands[-1] if instruction.operands else None
        far = isinstance(last, Memory) and abs(last.displacement) > 127
        # an immediate, and a displacement without one, is what the bytes end with
        if instruction.mnemonic != "nop" and (isinstance(last, Immediate) or far):
            code = instruction.code[:-1] + bytes([instruction.code[-1] ^ 1])
            with damaged(instruction, code), pytest.raises(Refused):
                show(steps(), name)
            changed += 1
    assert changed


@pytest.mark.parametrize(
    ("name", "form", "old", "new"),
    [
        ("md5-step", "and r32,r32", 0x21, 0x09),  # or
        ("xtea-round", "add r32,r32", 0x01, 0x29),  # sub
        ("crc32-bit", "cmove r32,r32", 0x44, 0x45),  # cmovne
        ("siphash-half", "xor r64,r64", 0x31, 0x33),  # the other way round
        ("sum-that-fits", "jne i", 0x75, 0x74),  # je
    ],
)
def test_another_instruction_is_refused(name, form, old, new):
    instruction = next(each for each in code_of(steps(), name) if each.form == form)
    code = instruction.code.replace(bytes([old]), bytes([new]), 1)
    with damaged(instruction, code), pytest.raises(Refused):
        show(steps(), name)


def test_the_same_by_another_instruction_is_shown():
    """No bit is set in both."""
    instruction = next(each for each in code_of(steps(), "md5-step") if each.mnemonic == "or")
    with damaged(instruction, instruction.code.replace(b"\x09", b"\x31", 1)):
        show(steps(), "md5-step")


def test_a_damage_to_what_llvm_is_given_is_refused():
    """Those of ring_damages.txt, where the program has no array and no big integer."""
    refused = 0
    for damage in (each for each in DAMAGES if each.stage == "emit"):
        module = any_module_of(damage.program)
        try:
            show(emitted(module), "f")
        except Refused as reason:
            assert re.search("arrays|no word|any integer|expt", str(reason)), damage
            continue
        with damage.done(), pytest.raises(Refused):
            show(emitted(module), "f")
        refused += 1
    assert refused > 8


def test_forms_agree_with_the_processor(numpy):
    """Of those that kernels have, too, a part."""
    found = native.instances(each for name in NAMES for each in code_of(steps(), name))
    new = {form for form in found if re.match(r"andn|rorx|movsx |ro[lr] r\d+,r8", form)}
    assert any("r8" in form for form in new)
    for form in sorted(new | {*draws.share("forms, emitted", sorted(found), 8)}):
        random = numpy.random.default_rng(draws.seed(f"meaning of {form}, emitted"))
        if not native.needs(found[form][0]) - native.features():
            native.compare(random.choice(found[form]), 200, random)
