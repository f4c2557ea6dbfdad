"""Every step of a proof is tried beside integers that are known: false ones are refused, and damaged rules.

The words are of three bits here, so that all that three of them can be is tried.
"""

import contextlib
import inspect
import subprocess
import sys
import textwrap

import proving  # noqa: F401
import pytest

from proofs import run
from proofs.evaluated import Wrong
from proofs.identity import Exact, Refused
from proofs.machine.domain import Integers
from proofs.path import Path
from proofs.polynomials import Polynomial, Ring

# two kernels that are wrong on rare inputs: z[2] = z[0] | z[1], which are carries that meet


WRONG = """
.intel_syntax noprefix
.text
{name}:
    mov r8, [rsi]
    shr r8, 56
    {small}
    mov r10, [rsi + 8]
    mov r11, [rsi + 16]
    add r9, r11
    add r9, r10
    sub r9, r11
    xor eax, eax
    cmp r9, r10
    setb al
    xor edx, edx
    cmp r8, r9
    setb dl
    mov [rdi], rax
    mov [rdi + 8], rdx
    or eax, edx
    mov [rdi + 16], rax
    ret
.type {name}, @function
.size {name}, . - {name}
.globl {name}
.section .note.GNU-stack, "", @progbits
"""
SMALL = {
    "a_multiple": "lea r9, [r8 + r8]",  # r = 2 c: c is not r
    "a_sum": "mov r9, [rsi + 24]; shr r9, 56; add r9, r8",  # r = c + e: c is not r, and e is not
}


def claim(path, function):
    """The sum of the carries; so it is where not both are one."""
    z, x = path.output("z", 3), path.array("x", 4)
    path.call(function, z, x)
    path.equal(z.after(2, 3), z.after(0, 1) + z.after(1, 2))


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    directory = tmp_path_factory.mktemp("wrong")
    source, compiled = directory / "wrong.s", directory / "wrong.o"
    source.write_text("".join(WRONG.format(name=name, small=small) for name, small in SMALL.items()))
    subprocess.run(["gcc", "-c", source, "-o", compiled], check=True)
    return run.Image([compiled])


@pytest.mark.parametrize("function", SMALL)
def test_a_kernel_that_is_seldom_wrong_is_refused(function, wrong):
    with pytest.raises(Refused, match="the claim"):
        claim(Path(wrong), function)


def old_where(self, x, bit):
    """As it was: the whole remainder for each of its atoms."""
    division = self.ring.quotients.get(bit)
    for atom in [m[0] for m in division.r.terms if m] if division else ():
        x = self.ring.replace(x, atom, division.u - division.q * (1 << division.k))
    return self.ring.replace(x, bit, self.ring.number(1))


@pytest.mark.parametrize("function", SMALL)
def test_the_evaluation_refuses_it_too(function, wrong, monkeypatch):
    monkeypatch.setattr(Exact, "_where", old_where)
    with pytest.raises(Wrong, match="exclusive"):
        claim(Path(wrong), function)


# the generator


WIDTH, INPUTS, OPERATIONS = 3, 3, 7


def there_and_back(ops, a, b, c):
    """a + b, as it comes out of lanes that wrap: of a sum that nobody has divided before."""
    return ops.sub(ops.add(ops.add(a, c), b), c)


def both(ops, b, c, small, wrapped):
    """A sum's carry, looked for once it wrapped, and another, which is or is not 0 where it is one."""
    total = there_and_back(ops, wrapped, b, c)
    carry, other = ops.ult(total, b), ops.ult(small, total)
    return [total, either(ops, carry, other)], [carry, other]


def either(ops, carry, other):
    """As C has it, of whole words: of single bits the domain takes their product."""
    return ops.or_(ops.zext(carry, WIDTH), ops.zext(other, WIDTH))


def carries_of_columns(ops, a, b, carry):
    """Columns of one bit less than a word, and the carry into each by an addition of masks."""
    most = (1 << WIDTH - 1) - 1
    columns = [ops.add(ops.and_(x, most), ops.lshr(y, WIDTH - 1)) for x, y in ((a, b), (b, a), (a, a))]
    propagate = ops.zext(ops.concat([ops.eq(column, most) for column in columns]), 8)
    above = [ops.ult(ops.const(WIDTH, most), column) for column in columns]
    total = ops.add(ops.zext(ops.concat([carry, *above]), 8), propagate)
    into = ops.xor(total, propagate)
    return [
        *(ops.zext(ops.bit(total, i), WIDTH) for i in (1, 2, 3)),
        *(ops.add(x, ops.zext(ops.bit(into, i), WIDTH)) for i, x in enumerate([*columns, a])),
    ]


def operation(ops, words, bits, choice):
    """One on what is there, the same in each domain: new words and bits."""
    kind, one, two, three, four = choice
    a, b, c, d = (words[n % len(words)] for n in (one, two, three, four))
    carry, other = bits[three % len(bits)], bits[four % len(bits)]
    by = three % (WIDTH - 1) + 1
    if kind == 0:
        return [ops.lshr(a, by), ops.shl(b, by)], []
    if kind == 1:
        total, wrapped = ops.add_carry(a, b, carry)
        return [total, ops.add(a, a), either(ops, wrapped, other)], [wrapped]
    if kind == 2:
        total, wrapped = ops.sub_borrow(a, b, carry)
        return [total], [wrapped, ops.ult(total, c), ops.eq(a, c)]
    if kind == 3:
        return [there_and_back(ops, a, b, c), ops.select(carry, a, b)], [ops.ult(a, b)]
    if kind == 4:
        return [*ops.mul_wide(a, b), ops.and_(a, by), ops.xor(c, by), ops.not_(b)], [ops.top(a)]
    if kind == 5:
        return [ops.zext(carry, WIDTH), ops.sext(carry, WIDTH)], [
            *(ops.and_(carry, other), ops.or_(carry, other), ops.xor(carry, other)),
        ]
    if kind == 7:
        return carries_of_columns(ops, a, b, carry), []
    small = ops.lshr(a, by)
    found = both(ops, b, c, small, ops.add(small, [small, ops.lshr(d, by)][four % 2]))
    return [small, *found[0]], found[1]


def disagreement(random):
    """What is wrong in a program drawn at random; None if nothing is.  Wrong, if a step is."""
    exact, known = Exact(int(random.integers(1 << 32))), Integers()
    numbers = random.integers(0, 1 << WIDTH, INPUTS).tolist()
    atoms = [exact.ring.atom(f"x{i}", 0, (1 << WIDTH) - 1) for i in range(INPUTS)]
    inputs = dict(enumerate(numbers))
    ours = [exact.of(WIDTH, atom) for atom in atoms], [exact.const(1, 0)]
    theirs = [known.const(WIDTH, number) for number in numbers], [known.const(1, 0)]
    for _ in range(OPERATIONS):
        choice = [
            int(random.choice([0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7])),
            *random.integers(0, 1 << 16, 4).tolist(),
        ]
        results = operation(exact, *ours, choice), operation(known, *theirs, choice)
        for (words, bits), (more, tests) in zip((ours, theirs), results, strict=True):
            words += more
            bits += tests
        for group, others in zip(ours, theirs, strict=True):
            for place, (mine, other) in enumerate(zip(group, others, strict=True)):
                try:
                    polynomial = mine.polynomial
                except Refused:  # what the domain does not say is not wrong; zeros take its place
                    group[place], others[place] = (ops.const(mine.width, 0) for ops in (exact, known))
                    continue
                if exact.ring.value(polynomial, inputs) != other.value:
                    return f"{polynomial} for {choice}"
    return in_other_forms(exact.ring, [value.polynomial for value in ours[0]], inputs, random)


def in_other_forms(ring, pool, inputs, random):
    """What is wrong when sums and products are divided, and claims made of them; None if nothing is."""
    pool = list(pool)
    ring.named(sum(pool, ring.number(0)))
    for _ in range(6):
        a, b, c = (pool[n] for n in random.integers(0, len(pool), 3))
        signs = random.choice([-1, 0, 1, 1], 2).tolist()
        u = a + b * signs[0] + c * b * (signs[1] * int(random.integers(2)))
        u += int(random.choice([0, 0, 1, -1, 7]))
        value, k = ring.value(u, inputs), int(random.integers(1, WIDTH + 2))
        q, r = ring.divide(u, k)
        if (ring.value(q, inputs), ring.value(r, inputs)) != (value >> k, value & (1 << k) - 1):
            return f"divide by 2^{k}: {u}"
        pool += [u, q, r]
        low, high = ring.bounds(u)
        forms = [form(u) for form in (ring.expanded, ring.multiplied, ring.settled, ring.unnamed, ring.named)]
        if not low <= value <= high or any(ring.value(form, inputs) != value for form in forms):
            return f"a form of {u}"
        if not value and any(ring.value(ring.atom_of(atom), inputs) for atom in ring.vanishing(u)):
            return f"zeros in {u}"
        ring.divide(u + q, k)  # a carry that is added where it came from
        ring.settled(q * 3 + 5)
        ring.vanishing(a + b)
    return None


PROGRAMS = 60


@pytest.mark.parametrize("width", [WIDTH, 8, 62])
def test_operations_on_words(width, monkeypatch, random):
    """Of all values, or of some as a proof has them."""
    monkeypatch.setattr(sys.modules[__name__], "WIDTH", width)
    for _ in range(PROGRAMS):
        assert disagreement(random) is None


# damaged rules


def damaged(monkeypatch, owner, name, old, new):
    """The method with this text in place of that."""
    source = textwrap.dedent(inspect.getsource(getattr(owner, name)))
    assert source.count(old) == 1
    made = {}
    exec(source.replace(old, new), vars(sys.modules[owner.__module__]), made)
    monkeypatch.setattr(owner, name, made[name])


DAMAGES = [
    (Exact, "_where", "(coefficient) * zero", "(coefficient)"),
    (Exact, "_exclusive", " and min(high) < size", ""),
    (Exact, "_either", "self.ring.bit(x + y - common)", "self.ring.bit(x + y)"),
    (Exact, "_zero", "high).bit_length()", "high).bit_length() - 1"),
    (Exact, "_carried", "s.polynomial + carry.polynomial", "s.polynomial"),
    (Exact, "_carried", "each >> column", "each >> column + 1"),
    (Exact, "_inverted", "x * y * 2", "x * y"),
    (Exact, "select", "y + bit * (x - y)", "y + bit * x"),
    (Exact, "sext", "(1 << width) - (1 << a.width)", "1 << width"),
    (Ring, "_divide", "if first == last", "if first + 1 >= last"),
    (Ring, "_divide", "-r + (size - 1)", "-r + size"),
    (Ring, "_divide", "q + whole, r", "q, r"),
    (Ring, "_around", "< (2 << k) - 1", "<= (2 << k) - 1"),
    (Ring, "_through", "before.k - k)[1], r", "before.k - k)[0], r"),
    (Ring, "_define", "before.k + k", "before.k"),
    (Ring, "simpler", "division.u - division.q * (1 << division.k)", "division.u"),
    (Ring, "_replaceable", ".k >= k", ".k >= k - 1"),
    (Ring, "bounds", "scale * c", "-scale * c"),
    (Ring, "bounds", "high // 1", "high // 1 - 1"),
    (Ring, "expanded", "division.u - division.q * size", "division.u"),
    (Ring, "multiplied", "division.u - division.q * (1 << division.k)", "division.u"),
    (Ring, "settled", "_add(terms, m, c)", "terms[m] = c"),
    (Ring, "settled", "if low == high", "if high - low < 2"),
    (Ring, "named", "= low, high", "= low + 1, high"),
    (Ring, "unnamed", "not division.q.terms", "True"),
    (Ring, "monomial", "{a for a in both if self.high[a] == 1}", "set(both)"),
    (Ring, "replace", "_add(terms, product, more)", "_add(terms, product, -more)"),
    (Ring, "vanishing", "c < 0 or len", "len"),
    (Polynomial, "__mul__", "product, c * d)", "product, c + d)"),
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: f"{damage[1]}: {damage[3] or 'nothing'}")
def test_damaged_rules_are_caught(damage, monkeypatch, random):
    """By the evaluation of steps alone: the programs' own values are not looked at before it."""
    damaged(monkeypatch, *damage)
    with pytest.raises(Wrong):
        for _ in range(20 * PROGRAMS):
            disagreement(random)


def test_the_programs_find_what_put_a_remainder_for_its_atoms(monkeypatch, random):
    """The rule as it was once, and not a kernel that is made for it."""
    monkeypatch.setattr(Exact, "_where", old_where)
    with pytest.raises(Wrong, match="exclusive"):
        for _ in range(20 * PROGRAMS):
            # of an atom that is in what is put for it, that rule had no end
            with contextlib.suppress(RecursionError):
                disagreement(random)
