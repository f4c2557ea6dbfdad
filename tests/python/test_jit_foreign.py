"""Other people's modules under jit: some functions, on a few inputs.

All of them, on many: `make foreign`, or python tests/python/jit_foreign.py.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from draws import seed
from jit_foreign import U32, Found, compared, listing, octets, verdict, word

SCRIPT = Path(__file__).with_name("jit_foreign.py")


@pytest.mark.parametrize(
    "module", ["fnvhash", "pure25519.basic", "siphash", "sympy.external.ntheory", "xtea"]
)
def test_some_are_as_cpython(module):
    # with packages of its own to import from
    run = subprocess.run(
        [sys.executable, SCRIPT, "--inputs", "20", "--seed", str(seed(module)), module],
        capture_output=True,
        text=True,
    )
    if run.returncode == 2 and "cannot be had" in run.stderr:
        pytest.skip(run.stderr.strip().splitlines()[-1])
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_function_that_should_be_compiled_is_not():
    assert verdict("siphash._doublesipround", Found("a reason", 0, [])).startswith("wrong")
    assert verdict("fnv.fnv", Found("a reason", 0, [])).startswith("refused")
    assert verdict("fnv.fnv", Found(None, 0, [])).startswith("wrong")


def test_what_differs_is_told():
    def late(data, start):
        for byte in data:
            start = start * 31 ^ byte
        return start

    def wrapping(function):
        return lambda *args: function(*args) & 0xFFFFFFFF

    def truthful(function):
        return lambda *args: int(function(*args))

    def careless(function):
        return lambda values: function(values[:])

    def without_exceptions(function):
        return lambda values: values and function(values)

    given = octets(), U32
    assert not compared(late, lambda function: function, given, 100, 1).differing
    assert len(compared(late, wrapping, given, 100, 1).differing) > 90
    assert len(compared(lambda x: x > 5, truthful, (word(4),), 100, 1).differing) == 100
    assert len(compared(lambda values: values.reverse(), careless, (listing(9, U32),), 100, 1).differing) > 50
    empty = (lambda rng: [],)
    assert len(compared(lambda values: values[0], without_exceptions, empty, 5, 1).differing) == 5
