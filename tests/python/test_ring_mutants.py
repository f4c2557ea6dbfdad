"""Passes with one token another one: no wrong answer passes --validate, and programs show it."""

from itertools import count, islice

import pytest

pytest.importorskip("z3", reason="z3-solver is not installed")

from carrychain.ring.ir.errors import Refused
from draws import LONG
from ring_damages import DAMAGES
from ring_differential import BATCH, KINDS, agree, by_words, made
from ring_mutants import MISSED, MODULES, REFUSED, judged, known_programs, mutants, random_programs
from ring_programs import WORD

pytestmark = pytest.mark.usefixtures("nothing_kept")

SOME = 6  # mutants of each module


@pytest.fixture
def programs(draw):
    return known_programs() + random_programs(draw, 20 if LONG else 4)


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES)
def test_validate_tells_of_every_mutant_that_gives_a_wrong_answer(draw, programs, module):
    for mutant in draw.sample(list(mutants(module)), SOME):
        became, program = judged(mutant, programs)
        assert became != MISSED, f"{mutant}\n{program}"


def test_a_mutant_is_one_token_and_is_taken_back(programs):
    """A sign that is not extended."""
    (mutant,) = (
        each
        for each in mutants("lower.values")
        if "width_for" not in each.name
        and str(each).endswith("self.let('zext' if negative else 'zext', to, word)")
    )
    assert judged(mutant, programs)[0] == REFUSED
    assert all(program.found() == program.wanted for program in programs[:3])


def test_random_programs_show_a_rotation_that_is_none():
    """Unaided, in some hundred programs: the counts are of two numbers, or of one that is negated.

    The damaged pass is refused, or a result differs.
    """
    (damage,) = (each for each in DAMAGES if each.name.startswith("a rotation's counts may come from"))

    def shows(program) -> bool:
        wanted = program.wanted
        try:
            with damage.done():
                (got,) = by_words([program])
        except Refused:
            return True
        return not agree(wanted, got, "machine IR")

    # all of the first kind, from the first on; of these only what has values that are named for it
    seeds = (first + at for first in count(0, len(KINDS) * BATCH) for at in range(BATCH))
    programs = map(made, islice(seeds, 8 * BATCH))
    assert any(WORD in repr(program.functions) and shows(program) for program in programs)
