"""What is not the same in limbs, forged by hand, is refused; what polynomials are, and where they lie."""

import math
import random

import pytest
from carrychain.ring.facts.ranges import analyse
from carrychain.ring.ir.errors import CheckError
from carrychain.ring.ir.form import Branch, Function, Instruction
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.snapshot import snapshot
from carrychain.ring.rewrite.limbs import as_limbs, limbs
from carrychain.ring.trust import bounds
from carrychain.ring.trust.polynomials import Atoms, constant, plus, times
from carrychain.ring.trust.rewrites import check_rewritten
from draws import LONG
from hypothesis import given, settings
from hypothesis import strategies as st

random_programs = st.integers(0, 1 << 32).map(random.Random)

SUM = """function @f -> (int) {
entry(%a: u128, %b: u128, %c: bool, %n: int[0,127], %w: u64):
  %x: int = add %a, %b
  %y: int = mul %x, %w
  %8: int = const 1208925819614629174706176
  %z: int = select %c, %y, %8
  %p: int = const 1361129467683753853853498429727072845819
  %m: int = fmod %z, %p
  %s: int = shift %w, %n
  %t: int = add %s, %m
  %l: int = low 129 %t
  %d: int = const -3
  %u: int = shift %l, %d
  %v: int = low 126 %u
  return %v
}
"""
LOOP = """function @f -> (int) {
entry(%a: u128, %n: u8):
  %0: int = const 0
  %1: int = const 1
  %7: int = const 7
  %p: int = const 1361129467683753853853498429727072845819
  jump head(%0, %a, %1)
head(%i: int, %x: int, %y: int):
  %c: bool = lt %i, %n
  branch %c, body(), out()
body():
  %t: int = mul %x, %7
  %u: int = add %t, %y
  %v: int = fmod %u, %p
  %j: int = add %i, %1
  jump head(%j, %v, %x)
out():
  %m: int = const -5
  %r: int = shift %x, %m
  %q: int = low 100 %y
  %s: int = add %r, %q
  %o: int = low 128 %s
  return %o
}
"""


class Rewriting:
    """A function before and after, and what the checker is given."""

    def __init__(self, text: str):
        self.module = parse_module(text)
        (self.function,) = self.module.functions.values()
        self.ranges, self.facts = analyse(self.function)
        self.before = snapshot(self.function)
        long = as_limbs(self.function, self.ranges)
        self.witness = limbs(self.function, self.ranges, long) if long else None

    def check(self) -> None:
        check_rewritten("limbs", self.before, self.function, self.ranges, self.facts, self.witness)

    def made(self, name: str) -> Instruction:
        return next(i for i in self.function.instructions() if any(r.name == name for r in i.results))

    def value(self, name: str):
        return next(value for value in self.was_and_is() if value.name == name)

    def was_and_is(self):
        yield from self.before.function.values()
        yield from self.function.values()


def test_what_is_right_is_accepted():
    for text in (SUM, LOOP):
        rewriting = Rewriting(text)
        assert len(rewriting.witness.limbs) > 3
        rewriting.check()


def computes(f: Function, ops: tuple[str, ...] = ()) -> list[Instruction]:
    """What is new."""
    return [i for i in f.instructions() if "." in i.results[0].name and (not ops or i.op in ops)]


# Forged by hand ------------------------------------------------------------------------------


def carry(r: Rewriting) -> None:
    """The first carry is shifted by one bit more."""
    i = next(i for i in computes(r.function, ("shift",)))
    by = next(each for each in r.function.instructions() if each.result is i.args[1])
    by.attribute -= 1


def low(r: Rewriting) -> None:
    computes(r.function, ("low",))[0].attribute = 63


def operand(r: Rewriting) -> None:
    """A limb of the other operand."""
    first, second = computes(r.function, ("add",))[:2]
    second.args[1] = first.args[1]


def same_twice(r: Rewriting) -> None:
    """One limb for both, which is less than what it stands for."""
    found = r.witness.limbs[r.value("x")]
    found[1] = found[0]


def no_top(r: Rewriting) -> None:
    """The greatest limb is left out of what is said."""
    r.witness.limbs[r.value("x")].pop()


def more(r: Rewriting) -> None:
    r.witness.limbs[r.value("x")][-1] = 1


def asked(r: Rewriting) -> None:
    (each,) = (i for i in computes(r.function, ("ne",)))
    each.op = "eq"


def asked_of_another(r: Rewriting) -> None:
    """What is asked whether it is left over is a limb of y."""
    (each,) = (i for i in computes(r.function, ("ne",)))
    each.args[0] = computes(r.function, ("select",))[-1].args[1]


def asked_against_one(r: Rewriting) -> None:
    (each,) = (i for i in computes(r.function, ("ne",)))
    r.made(each.args[1].name).attribute = 1


def ways(r: Rewriting) -> None:
    i = computes(r.function, ("select",))[-1]
    i.args[1:] = i.args[:0:-1]


def other_choice(r: Rewriting) -> None:
    """A limb of the rest is chosen by what is not asked for."""
    (each,) = (i for i in computes(r.function, ("ne",)))
    for i in computes(r.function, ("select",)):
        if i.args[0] is each.result:
            i.args[0] = r.function.params[2]


def folds(r: Rewriting) -> None:
    (rest,) = r.witness.rests.values()
    rest.folds.pop()


def fold_of_another(r: Rewriting) -> None:
    (rest,) = r.witness.rests.values()
    rest.folds[0] = rest.folds[0]._replace(high=rest.folds[0].low)


def no_rest(r: Rewriting) -> None:
    r.witness.rests.clear()


def word(r: Rewriting) -> None:
    """What is computed of limbs is another word."""
    r.made("v").args[0] = r.function.params[0]


def word_and_witness(r: Rewriting) -> None:
    word(r)
    (key,) = r.witness.words
    r.witness.words[key] = r.function.params[0]


def round_and_round(r: Rewriting) -> None:
    """A word that is itself."""
    (key,) = r.witness.words
    r.witness.words[key] = key


def two_ways(r: Rewriting) -> None:
    """A number in limbs is a word, too."""
    r.witness.words[r.value("x")] = r.function.params[0]


def what_is_not_there(r: Rewriting) -> None:
    """A number is said to be in limbs, and is not computed of such."""
    r.witness.limbs[r.function.params[0]] = [r.function.params[0]]


def used_elsewhere(r: Rewriting) -> None:
    """Of what is used still, no limbs are enough."""
    r.function.blocks[-1].terminator.args[0] = r.value("x")


FORGED = [
    carry,
    low,
    operand,
    same_twice,
    no_top,
    more,
    asked,
    asked_of_another,
    asked_against_one,
    ways,
    other_choice,
    folds,
    fold_of_another,
    no_rest,
    word,
    word_and_witness,
    round_and_round,
    two_ways,
    what_is_not_there,
    used_elsewhere,
]


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__)
def test_what_is_forged_is_refused(forge):
    rewriting = Rewriting(SUM)
    forge(rewriting)
    with pytest.raises(CheckError):
        rewriting.check()


def back(r: Rewriting):
    """What a round passes on: of x and of y."""
    edge = next(each for each in r.function.blocks if each.name == "body").terminator.to
    return edge.args


def head(r: Rewriting):
    return next(each for each in r.function.blocks if each.name == "head").params


def passes_itself(r: Rewriting) -> None:
    back(r)[1] = head(r)[1]


def passes_the_other(r: Rewriting) -> None:
    args = back(r)
    args[1], args[2] = args[2], args[1]


def passes_what_is_next(r: Rewriting) -> None:
    """y is what x is now, instead of what it was."""
    args = back(r)
    args[-3:] = args[1:4]


def begins_with_nothing(r: Rewriting) -> None:
    edge = r.function.blocks[0].terminator.to
    edge.args[1] = edge.args[0]


def begins_with_the_other_limb(r: Rewriting) -> None:
    edge = r.function.blocks[0].terminator.to
    edge.args[1:3] = edge.args[2:0:-1]


def one_limb_for_two(r: Rewriting) -> None:
    """The same parameter for limbs of x and of y."""
    x, y = r.value("x"), r.value("y")
    r.witness.limbs[y][0] = r.witness.limbs[x][0]


def too_large(r: Rewriting) -> None:
    """A limb is passed that is none: the number is right."""
    edge = r.function.blocks[0].terminator.to
    low, high = (i.results[0] for i in r.function.blocks[0].instructions[-3:-1])
    edge.args[1], edge.args[2] = r.function.params[0], edge.args[0]
    assert low is not high


def never_passed(r: Rewriting) -> None:
    params, args = head(r), r.function.blocks[0].terminator.to.args
    for each in (params, args, back(r)):
        each.pop()


def after_the_loop(r: Rewriting) -> None:
    """Behind the loop, x is what it would have been in the round that was not taken."""
    (new,) = (v for v in r.witness.limbs if v.name == "v")
    was = r.witness.limbs[r.value("x")]
    for i in next(each for each in r.function.blocks if each.name == "out").instructions:
        i.args = [r.witness.limbs[new][was.index(a)] if a in was else a for a in i.args]


def parameter_and_word(r: Rewriting) -> None:
    """What is passed in limbs is another word, too."""
    r.witness.words[r.value("x")] = r.function.params[0]


def swapped_ends(r: Rewriting) -> None:
    end = next(b.terminator for b in r.function.blocks if isinstance(b.terminator, Branch))
    end.then, end.otherwise = end.otherwise, end.then


LOOPS = [
    passes_itself,
    passes_the_other,
    passes_what_is_next,
    begins_with_nothing,
    begins_with_the_other_limb,
    one_limb_for_two,
    too_large,
    never_passed,
    after_the_loop,
    parameter_and_word,
    swapped_ends,
]


@pytest.mark.parametrize("forge", LOOPS, ids=lambda forge: forge.__name__)
def test_what_is_forged_in_a_loop_is_refused(forge):
    rewriting = Rewriting(LOOP)
    forge(rewriting)
    with pytest.raises(CheckError):
        rewriting.check()


FORWARDED = """function @f -> (int) {
entry(%a: u128, %b: u128):
  %s: int = add %a, %b
  jump next(%s)
next(%x: int):
  %m: int = const -1
  %r: int = shift %x, %m
  return %r
}
"""


@pytest.mark.parametrize("swapped", (False, True))
def test_limbs_of_a_parameter_that_is_gone(swapped):
    """Where the block is merged with the one before, nothing is passed, and nothing shows the limbs."""
    rewriting = Rewriting(FORWARDED)
    rewriting.check()
    entry, next_ = rewriting.function.blocks
    passed = list(entry.terminator.to.args)
    if swapped:
        passed[:2] = passed[1::-1]
    rewriting.function.replace_uses(dict(zip(next_.params, passed, strict=True)))
    entry.instructions += next_.instructions
    entry.terminator = next_.terminator
    rewriting.function.blocks.pop()
    rewriting.witness.limbs[rewriting.value("x")] = passed
    with pytest.raises(CheckError):
        rewriting.check()


def test_numbers_of_which_no_range_is_known():
    rewriting = Rewriting(SUM)
    rewriting.ranges = {}
    with pytest.raises(CheckError):
        rewriting.check()


# Polynomials ---------------------------------------------------------------------------------


class Numbers:
    """Polynomials, and what they are for some numbers."""

    def __init__(self, rng: random.Random):
        self.rng, self.atoms = rng, Atoms()
        self.values: list[tuple[dict, int]] = []
        self.named: dict[tuple[int, ...], int] = {}
        for name in "abcd":
            low = rng.randrange(-(1 << 20), 1 << 20)
            x = low + rng.randrange(1 << rng.randrange(1, 30))
            even = rng.choice((0, 0, 5))
            x = rng.choice((x, x >> even << even))
            # of the lowest bits some are known
            ones = x & (1 << even) - 1
            known = min(low, x), max(x, low) + rng.randrange(9), (1 << even) - 1 - ones, ones
            p = self.atoms.atom(name, known)
            self.values.append((p, x))
            self.named |= {each: x for each in p if each}

    def value(self, p: dict) -> int:
        return sum(c * math.prod(map(self.atom, each)) for each, c in p.items())

    def atom(self, at: int) -> int:
        if (at,) in self.named:
            return self.named[at,]
        of, bits = self.atoms.floor_of(at)
        return self.value(of) >> bits

    def step(self) -> None:
        rng = self.rng
        (p, x), (q, y) = rng.choice(self.values), rng.choice(self.values)
        k = rng.randrange(1, 40)
        match rng.randrange(5):
            case 0:
                by = rng.choice((1, -1, 1 << k, -1 << k, rng.randrange(-9, 9)))
                self.values.append((plus(p, q, by), x + y * by))
            case 1 if len(p) * len(q) < 50:
                self.values.append((times(p, q), x * y))
            case 2:
                self.values.append((self.atoms.floor(p, k), x >> k))
            case 3:
                self.values.append((self.atoms.low(p, k), x % (1 << k)))
            case 4:
                c = rng.randrange(-(1 << 40), 1 << 40)
                self.values.append((plus(p, constant(c)), x + c))


@settings(max_examples=500 if LONG else 100)
@given(random_programs)
def test_polynomials_are_what_they_are_for_numbers(rng):
    numbers = Numbers(rng)
    for _ in range(20):
        numbers.step()
    for p, x in numbers.values:
        assert numbers.value(p) == x
        low, high = numbers.atoms.interval(p)
        assert (low is None or low <= x) and (high is None or x <= high)
        k = rng.randrange(1, 30)
        assert (numbers.value(numbers.atoms.modulo(p, k)) - x) % (1 << k) == 0


def test_a_low_part_is_as_small_as_it_is():
    atoms = Atoms()
    a, b = atoms.atom("a", bounds.within(0, 99)), atoms.atom("b", bounds.within(0, 1))
    assert atoms.interval(atoms.low(plus(a, b), 5)) == (0, 31)
    # of a product with what is 0 or 1, too
    assert atoms.interval(times(b, atoms.low(a, 5))) == (0, 31)
    assert atoms.floor(atoms.floor(a, 2), 3) == atoms.floor(a, 5)
    assert atoms.floor(plus(a, b, 32), 5) == plus(b, atoms.floor(a, 5))
    assert atoms.modulo(plus(a, b, 32), 5) == a
