"""Integers in SymPy, whose printers take every class of that name for its own."""

import pytest
from carrychain import Integer

sympy = pytest.importorskip("sympy")

VALUES = (0, 1, -1, 5, -(2**64), 10**40)
PRINTERS = (
    sympy.sstr,
    sympy.srepr,
    sympy.latex,
    sympy.pretty,
    sympy.mathml,
    lambda x: sympy.mathml(x, printer="presentation"),
    sympy.ccode,
    sympy.fcode,
    sympy.pycode,
    sympy.rust_code,
    sympy.octave_code,
    sympy.mathematica_code,
)
CONTAINERS = (list, tuple, lambda each: {1: each[0]}, sympy.Matrix, lambda each: sympy.Tuple(*each))


@pytest.mark.parametrize("value", VALUES)
def test_it_is_exact(value):
    x = Integer(value)
    assert sympy.sympify(x) == sympy.Integer(value) and sympy.sympify(x).is_Integer
    assert sympy.Integer(value) == x and x == sympy.Integer(value)
    symbol = sympy.Symbol("x")
    for made in (symbol + x, x + symbol, symbol * x, x * symbol, symbol - x, x - symbol, symbol**x):
        assert not made.has(sympy.Float)
    assert (symbol + x).subs(symbol, Integer(3)) == sympy.Integer(value + 3)
    assert sympy.Rational(x, 3) == sympy.Rational(value, 3)


@pytest.mark.parametrize("value", VALUES)
def test_it_is_printed_as_sympys_own(value):
    for printer in PRINTERS:
        assert printer(Integer(value)) == printer(sympy.Integer(value))
    for printer in PRINTERS[:4]:
        for container in CONTAINERS:
            assert printer(container([Integer(value)])) == printer(container([sympy.Integer(value)]))
