"""carrychain.gmpy2's mpq and xmpz beside gmpy2's."""

import operator
from decimal import Decimal
from fractions import Fraction

import pytest
from beside_gmpy2 import NUMBERS, made, outcome, some, told
from carrychain import gmpy2 as ours
from hypothesis import given
from hypothesis import strategies as st

theirs = pytest.importorskip("gmpy2")

fractions = st.fractions() | st.builds(
    Fraction, st.integers(-(2**200), 2**200), st.integers(1, 2**200) | st.just(2**64) | st.just(6**40)
)
EXACT = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, divmod]
ORDER = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


def in_lowest_terms(x) -> bool:
    return x.denominator > 0 and ours.gcd(x.numerator, x.denominator) == 1


def fraction(x) -> tuple:
    return "mpq", x.numerator, x.denominator


@given(fractions, fractions | st.integers())
def test_operators(x, y):
    for function in (*EXACT, *ORDER):
        if function in EXACT[3:] and not y:
            continue
        right = fraction(y) if isinstance(y, Fraction) else y
        mine = outcome(ours, function, [fraction(x), right])
        assert mine == outcome(theirs, function, [fraction(x), right])
        # a Fraction is an mpq, too
        assert outcome(ours, function, [fraction(x), y]) == mine
        # and as an int, an mpz on either side
        if not isinstance(y, Fraction):
            assert outcome(ours, function, [fraction(x), ("mpz", y)]) == mine
        if x or function not in EXACT[3:]:
            assert outcome(ours, function, [right, fraction(x)]) == outcome(
                theirs, function, [right, fraction(x)]
            )


@given(fractions, fractions)
def test_results_are_in_lowest_terms(x, y):
    a, b = made(ours, fraction(x)), made(ours, fraction(y))
    results = [a + b, a - b, a * b, a**3, a % b if b else a, a / b if b else a, b**-3 if b else b, -a, abs(a)]
    assert all(in_lowest_terms(result) for result in results)


@given(fractions)
def test_unary_operators(x):
    for function in (operator.neg, operator.pos, abs, bool, int, hash, repr, str, round):
        assert outcome(ours, function, [fraction(x)]) == outcome(theirs, function, [fraction(x)])
    mine = made(ours, fraction(x))
    assert hash(mine) == hash(x) and mine == x and x == mine and float(mine) == float(x)
    assert (mine.__floor__(), mine.__ceil__(), mine.__trunc__()) == (
        x.__floor__(),
        x.__ceil__(),
        x.__trunc__(),
    )


@given(fractions, st.integers(-30, 30))
def test_powers_and_roundings(x, n):
    if x or n >= 0:
        assert outcome(ours, pow, [fraction(x), n]) == outcome(theirs, pow, [fraction(x), n])
    assert round(made(ours, fraction(x)), n) == round(x, n)


@given(fractions, st.floats(allow_nan=False))
def test_floats(x, y):
    for function in ORDER:
        assert function(made(ours, fraction(x)), y) == function(x, y)
        assert function(y, made(ours, fraction(x))) == function(y, x)
    assert made(ours, fraction(x)) + 1.5 == float(x) + 1.5


@pytest.mark.parametrize(
    "arguments",
    [
        *(
            [text]
            for text in (
                "1/3",
                "-4/6",
                "1.5",
                "-1.25e3",
                "1.5e-3",
                "7",
                " 1 / 3 ",
                "1_0/3",
                ".5",
                "5.",
                "1/-3",
            )
        ),
        *([text] for text in ("", "x", "1/0", "1.5/2", "0x10/3", "nan", "inf", "e5", "/", "1/", "/3", ".")),
        ["a/b", 16],
        ["0x10/3", 0],
        ["1", 1],
        ["zZ", 62],
        [3, 6],
        [3, -6],
        [3, 0],
        [0.1],
        [float("inf")],
        [float("nan")],
        [Fraction(1, 3)],
        [Decimal("0.1")],
        [Decimal("inf")],
        [Fraction(1, 2), Fraction(3, 4)],
        [1.5, 2],
        [None],
        [1j],
        [1, None],
        [True],
        [b"1/3"],
        [],
        [("mpz", 5), 10],
        [("xmpz", 5)],
    ],
    ids=str,
)
def test_constructor(arguments):
    mine, other = outcome(ours, ours.mpq, arguments), outcome(theirs, theirs.mpq, arguments)
    assert mine == other or mine[0] == other[0] == "ValueError"


@pytest.mark.parametrize("base", [2, 8, 10, 16, 36, 37, 62, 1, 63])
def test_digits(base):
    for x in (Fraction(-10, 3), Fraction(2**100, 7), Fraction(5), Fraction(0)):
        function = operator.methodcaller("digits", base)
        assert outcome(ours, function, [fraction(x)]) == outcome(theirs, function, [fraction(x)])


def test_attributes_and_methods():
    x = ours.mpq(22, 7)
    assert told([x.numerator, x.denominator, x.real, x.imag, x.conjugate(), x.as_integer_ratio()]) == told(
        [ours.mpz(22), ours.mpz(7), x, ours.mpz(0), x, (ours.mpz(22), ours.mpz(7))]
    )
    assert not x.is_integer() and ours.mpq(4, 2).is_integer()
    assert told(x.limit_denominator(3)) == ("mpq", "3")
    assert ours.mpq.from_float(0.1) == Fraction(0.1) and ours.mpq.from_decimal(Decimal("0.1")) == Fraction(
        1, 10
    )
    assert ours.qdiv(6, 4) == Fraction(3, 2) and type(ours.qdiv(6, 3)) is ours.mpz
    with pytest.raises(TypeError, match="3rd argument"):
        pow(x, 2, 5)
    with pytest.raises(TypeError, match="unsupported operand"):
        x + Decimal(1)


# x is an xmpz of 10 before each
CHANGES = [
    *(
        "x += 1",
        "x -= 3",
        "x *= 5",
        "x //= 3",
        "x %= 4",
        "x **= 3",
        "x <<= 2",
        "x >>= 1",
        "x &= 8",
        "x |= 1",
        "x ^= 3",
    ),
    *(
        "x[0] = 1",
        "x[0:2] = 3",
        "x[5] = 1",
        "x[-1] = 0",
        "x[0] = 2",
        "x['a'] = 1",
        "x[0:3] = -1",
        "x[1:8:2] = 5",
    ),
    *("x[100:104] = 15", "x[0:8] = 255", "x += 2**100", "x **= -1", "x += type(x)(7)", "-x", "abs(x)", "~x"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_changes_in_place(change):
    def changed(module):
        x = module.xmpz(10)
        names = {"x": x}
        exec(change, names)
        assert names["x"] is x
        return x

    assert outcome(ours, lambda: changed(ours), []) == outcome(theirs, lambda: changed(theirs), [])


def test_values_of_an_xmpz():
    for x in some("xmpz", 60, [x for x in NUMBERS if x]):
        for function in (
            *(
                operator.methodcaller(name)
                for name in ("bit_length", "bit_count", "bit_scan0", "copy", "digits")
            ),
            *(operator.methodcaller(name, 3) for name in ("bit_test", "bit_set", "bit_clear", "bit_flip")),
            *(operator.methodcaller("digits", base) for base in (2, 8, 16)),
            *(lambda x, name=name: list(getattr(x, name)()) for name in ("iter_bits", "iter_clear")),
            *(operator.attrgetter(name) for name in ("numerator", "denominator", "real", "imag")),
            *(lambda x, y=y: x + y for y in (1, 2**64)),
            *(lambda x, y=y: y - x for y in (1, 2**64)),
            *(operator.itemgetter(key) for key in (0, -1, slice(0, 3))),
            *(int, float, bool, repr, str, len, operator.index),
        ):
            assert outcome(ours, function, [("xmpz", x)]) == outcome(theirs, function, [("xmpz", x)])
        assert ours.gcd(ours.xmpz(x), 12) == theirs.gcd(x, 12)
        assert ours.mpz(5) + ours.xmpz(x) == 5 + x and ours.xmpz(x) == x == ours.xmpz(x)
