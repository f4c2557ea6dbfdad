"""The meanings of machine instructions: beside the processor, and as an emulator of our kernels.

Bounded: a third of the forms of limbs on a few sets of operands, a twelfth of the others', drawn from the
tree; CC_TEST_LONG=1 has all of limbs, and `python -m proofs.native` all there are, on any number of sets.
"""

import functools
import os
from typing import ClassVar

import draws
import pytest
from proving import BUILD

from proofs import native, objects, run
from proofs.machine import MEANINGS
from proofs.machine.compiled import Values


def test_the_mode_of_rounding_is_given_back(random):
    """What is emulated may change it for itself alone, as after any test."""
    native.compare(random.choice(forms("fixed")["ldmxcsr m32"]), 200, random)


@functools.cache
def forms(module):
    return native.instances(native.reached(BUILD, module))


@pytest.mark.parametrize("module", objects.MODULES)
def test_every_instruction_has_a_meaning(module):
    missing = {each.mnemonic for each in objects.instructions(BUILD, module)} - MEANINGS.keys()
    assert not missing


@pytest.mark.parametrize(
    ("module", "sets", "share"),
    [("limbs", 500, 1 if draws.LONG else 3), *((m, 200, 12) for m in list(objects.MODULES)[1:])],
)
def test_meanings_agree_with_the_processor(module, sets, share, numpy):
    """Of each module's forms a random part."""
    found = forms(module)
    lacking = []
    for form in sorted(found):
        random = numpy.random.default_rng(draws.seed(f"meaning of {form} in {module}"))
        if random.integers(share):
            continue
        if native.needs(found[form][0]) - native.features():
            lacking.append(form)
            continue
        native.compare(random.choice(found[form]), sets, random)
    if lacking:
        print(f"this processor lacks {', '.join(lacking)}")


# kernels emulated: test_kernels_emulated.py has all of them


def test_a_word_too_few_is_a_fault(random):
    limbs = run.image(BUILD, "limbs")
    for short in range(3):
        call = run.Call(limbs)
        places = [call.memory(native.words(random, 8 - (short == each))) for each in range(3)]
        with pytest.raises(run.Fault, match="outside of its memory"):
            call.run("cc_limbs_add_x86_64", *places, 8)


# meanings damaged


class Damaged(Values):
    """Of the operations in an instruction's meaning, that of number @at is another."""

    OTHERS: ClassVar = {
        "add": "sub",
        "sub": "add",
        "and_": "or_",
        "or_": "and_",
        "xor": "or_",
        "shl": "lshr",
        "ult": "slt",
        "slt": "ult",
        "eq": "ne",
    }

    def __init__(self, at):
        super().__init__()
        self.at, self.count = at, 0


def _perhaps(name, other):
    def operation(self, *arguments):
        self.count += 1
        return getattr(Values, other if self.count == self.at + 1 else name)(self, *arguments)

    return operation


for _name, _other in Damaged.OTHERS.items():
    setattr(Damaged, _name, _perhaps(_name, _other))

DAMAGES = max(15, round(50 * float(os.environ.get("CC_TEST_SCALE", 1))))


def caught(instruction, at, sets, random):
    """Whether the comparison sees the damage; None if the meaning has no operation of that number."""
    ops = Damaged(at)
    try:
        native.compare(instruction, sets, random, ops=ops)
    except (native.Difference, ValueError):
        return True
    return None if ops.count <= at else False


def test_damaged_meanings_are_caught(random):
    """One operation of a meaning at a time is another: a comparison that passes it would be none.

    Instructions of distinct registers alone: x ^ x, or a sum with what is never negative, is the same
    by other operations, too.  Nor those on doubles: an assumption that is damaged leaves no set to compare.
    """
    found = {}
    for module in ("limbs", "checksum", "fixed"):
        for form, instances in forms(module).items():
            for each in instances:
                names = {operand.name for operand in each.operands if isinstance(operand, objects.Register)}
                distinct = len(names) == len(each.operands) > 1
                if (
                    distinct
                    and not form.partition(" ")[0].endswith("pd")
                    and not native.needs(each) - native.features()
                ):
                    found[form] = each
    seen, missed = 0, []
    for form in random.permutation(sorted(found)):
        for at in (0, 2, 3):
            result = caught(found[form], at, 200, random)
            seen += result is True
            if result is False:
                missed.append(f"{form}: operation {at}")
        if seen >= DAMAGES:
            break
    assert not missed
    assert seen >= DAMAGES
