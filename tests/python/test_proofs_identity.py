"""Kernels proven from their bytes: the domain of exact integers, the claims, and damaged kernels refused.

Bounded: of a third of the kernels, drawn from the tree, some widths, and of all of them with CC_TEST_LONG=1;
`make prove` has all widths.
"""

import os

import pytest
import z3
from draws import share
from proving import BUILD

from proofs import mutants, native, objects, portable, prove, run
from proofs.claims import UNCLAIMED, claim, claims, unclaimed
from proofs.emulated import Emulated
from proofs.identity import Exact, Refused
from proofs.machine.domain import Integers


def kernels():
    """(module, function) of all."""
    return [
        (module, function)
        for module in objects.MODULES
        for function in prove.kernels(run.image(BUILD, module), module)
    ]


SCALE = float(os.environ.get("CC_TEST_SCALE", 1))
WORLDS = max(15, round(60 * SCALE))
MOST = (1 << 52) - 1

# the domain: what it says of integers that are not known holds for those that are


def step(ops, values, bits, choice):
    """One operation on what is there; the same in each domain."""
    number, first, second, amount = choice
    a, b = values[first % len(values)], values[second % len(values)]
    c = bits[amount % len(bits)]
    by = amount % 63 + 1
    if number == 0:
        total, carry = ops.add_carry(a, b, c)
        # as C has it: two additions, and one of their carries
        first_sum, wrapped = ops.add_carry(a, b, ops.const(1, 0))
        same, again = ops.add_carry(first_sum, ops.zext(c, 64), ops.const(1, 0))
        return [total, same], [carry, ops.or_(wrapped, again)]
    if number == 1:
        total, borrow = ops.sub_borrow(a, b, c)
        first_rest, wrapped = ops.sub_borrow(a, b, ops.const(1, 0))
        same, again = ops.sub_borrow(first_rest, ops.zext(c, 64), ops.const(1, 0))
        return [total, same], [borrow, ops.or_(wrapped, again)]
    if number == 2:
        return list(ops.mul_wide(a, b)), []
    if number == 3:
        return [ops.shl(a, by), ops.lshr(a, 64 - by)], []
    if number == 4:
        return [ops.and_(a, (1 << by) - 1), ops.xor(a, 1 << by), ops.or_(a, 3 << by)], []
    if number == 5:
        return [ops.concat([ops.extract(a, by, 64 - by), ops.extract(b, 0, by)])], []
    if number == 6:
        return [ops.select(c, a, b), ops.sext(c, 64), ops.ashr(a, by)], [ops.ult(a, b), ops.top(a)]
    if number == 7:
        d = bits[first % len(bits)]
        return [ops.not_(a), ops.neg(b), ops.zext(c, 64)], [ops.xor(c, d), ops.or_(c, d), ops.and_(c, d)]
    if number == 10:
        columns = [ops.add(ops.and_(x, MOST), ops.lshr(y, 52)) for x, y in ((a, b), (b, a), (a, a))]
        propagate = ops.concat([ops.eq(column, MOST) for column in columns])
        generate = ops.concat([c, *(ops.ult(ops.const(64, MOST), column) for column in columns)])
        propagate = ops.zext(propagate, 64)
        into = ops.xor(ops.add(ops.zext(generate, 64), propagate), propagate)
        return [ops.add(x, ops.zext(ops.bit(into, i), 64)) for i, x in enumerate([*columns, a])], []
    if number == 8:
        turned = ops.or_(ops.shl(a, 32), ops.lshr(a, 32))
        return [ops.add(a, turned), ops.sub(a, b), ops.concat([ops.extract(ops.add(a, b), 0, 32)] * 2)], []
    return [ops.add(ops.shl(ops.lshr(a, by), by), ops.zext(c, 64)), ops.mul(a, by)], [
        ops.eq(ops.zext(c, 64), 1)
    ]


def test_the_domain_agrees_with_integers(random):
    """Ranges and both forms, too; what the domain refuses to say is not wrong."""
    compared = 0
    for _ in range(WORLDS):
        exact, known = Exact(), Integers()
        numbers = [int(word) for word in native.words(random, 3)]
        atoms = [exact.ring.atom(f"x{i}", 0, 2**64 - 1) for i in range(3)]
        inputs = {next(iter(atom.terms))[0]: number for atom, number in zip(atoms, numbers, strict=True)}
        ours = [exact.of(64, atom) for atom in atoms], [exact.const(1, 0)]
        theirs = [known.const(64, number) for number in numbers], [known.const(1, 0)]
        for _ in range(12):
            choice = [int(word) for word in random.integers(0, 1 << 16, 4)]
            choice[0] %= 11
            try:
                mine = step(exact, *ours, choice)
            except Refused:
                continue
            for (values, bits), more in ((ours, mine), (theirs, step(known, *theirs, choice))):
                values += more[0]
                bits += more[1]
            for mine, other in zip(ours[0] + ours[1], theirs[0] + theirs[1], strict=True):
                try:
                    polynomial = mine.polynomial
                except Refused:
                    continue
                compared += 1
                assert exact.ring.value(polynomial, inputs) == other.value, choice
                low, high = exact.ring.bounds(polynomial)
                assert low <= other.value <= high, choice
                assert exact.ring.value(exact.ring.settled(polynomial), inputs) == other.value
    assert compared > 80 * WORLDS


def test_carries_of_columns_by_one_addition():
    """What identity.Exact._rippled takes for granted, for every mask and every carry, at its width."""
    width = 64
    generate, propagate, into = z3.BitVecs("generate propagate into", width)
    ripple = ((generate << 1 | into) + propagate) ^ propagate
    carry, wrong = z3.Extract(0, 0, into), []
    for i in range(width):
        wrong.append(z3.Extract(i, i, ripple) != carry)
        carry = z3.Extract(i, i, generate) | z3.Extract(i, i, propagate) & carry
    solver = z3.Solver()
    solver.add(generate & propagate == 0, z3.ULE(into, 1), z3.Or(wrong))
    assert solver.check() == z3.unsat
    # and without what is given it is not so
    solver = z3.Solver()
    solver.add(z3.ULE(into, 1), z3.Or(wrong))
    assert solver.check() == z3.sat


# claims


def test_every_kernel_has_a_claim_or_a_reason():
    names = [function for _, function in kernels()]
    assert not [name for name in names if (claim(name) is None) == (unclaimed(name) is None)]
    assert not [
        pattern for pattern in UNCLAIMED if not any(unclaimed(n) == UNCLAIMED[pattern] for n in names)
    ]
    used = {claim(name) for name in names}
    assert not [name for name, module in claims().items() if module not in used]


CLAIMED = [(module, function) for module, function in kernels() if claim(function)]
STEPS = 4000  # a proof's time grows with them: what is longer is for make prove
COMPILED = 1000  # instructions, as does that of making an emulator
PROVEN, INPUTS = max(1, round(3 * SCALE)), max(15, round(50 * SCALE))


SHOWN = share("kernels proven", CLAIMED, 3)
EMULATED = share("kernels emulated beside their proofs", SHOWN, 2)


@pytest.mark.parametrize(("module", "function"), SHOWN)
def test_kernels_are_proven(module, function, random):
    """In some of the claim's cases; and of half of them the claim holds in more of what the bytes do,
    emulated."""
    image, cases = run.image(BUILD, module), claim(function).CASES
    reached = set()
    for number in random.permutation(len(cases))[:PROVEN]:
        try:
            reached.update(prove.check(image, function, cases[number], most=STEPS).trace)
        except Refused as refused:
            if "it has no end" not in str(refused):
                raise
    if 0 < len(reached) < COMPILED and (module, function) in EMULATED:
        for number in random.integers(0, len(cases), INPUTS):
            claim(function).prove(Emulated(image, random), function, *cases[number])


@pytest.mark.parametrize("compiler", portable.compilers())
@pytest.mark.parametrize("kernel", ["add", "sub", "addmul_1", "mul_basecase", "sqr_basecase"])
def test_what_a_compiler_makes_of_the_portable_tier(compiler, kernel):
    image, function = portable.image(compiler), f"cc_limbs_{kernel}_{compiler}"
    cases = [case for case in claim(function).CASES if max(case) <= 6]
    assert len(cases) > 4
    for case in cases:
        prove.check(image, function, case)


KERNELS, DAMAGES = max(3, round(8 * SCALE)), 6


def test_damaged_kernels_are_refused(random):
    """Or do the same, for all that emulation sees: of some kernels a few damages; make prove has more."""
    refused = 0
    short = [pair for pair in CLAIMED if not pair[1].startswith("cc_fixed_") or "_8_" in pair[1]]
    for number in random.permutation(len(short))[:KERNELS]:
        module, function = short[number]
        some, accepted, differences = mutants.judge(
            run.image(BUILD, module), function, DAMAGES, INPUTS, random, cases=6
        )
        assert not differences
        assert some + len(accepted) == DAMAGES
        refused += some
    assert refused > KERNELS * DAMAGES // 3
