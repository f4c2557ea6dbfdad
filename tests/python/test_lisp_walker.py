"""The walker of Lisp's forms (lisp_walker) says what SBCL says, and has it from nowhere else."""

import ast
import sys
from pathlib import Path

import lisp_walker
import pytest
import test_ring_front
import test_ring_front_values
import test_ring_lisp_order
from draws import share
from lisp_walker import Trap, Walker
from test_ring_front_examples import CALLS, EXAMPLES, plain

# of which other tests show that SBCL agrees
CASES = [*test_ring_front.CASES, *test_ring_front_values.CASES, *test_ring_lisp_order.CASES]


def as_passed(value):
    """A symbol of the front end's, as a caller has it."""
    return {"T": True, "NIL": None}[value.name] if hasattr(value, "name") else value


def test_forms_mean_what_lisp_says():
    for text, args, values in CASES:
        assert Walker(text).call("f", *args) == tuple(map(as_passed, values)), text


@pytest.mark.parametrize(("text", "args"), [case[:2] for case in test_ring_front.TRAPS])
def test_promises_are_checked(text, args):
    with pytest.raises(Trap):
        Walker(text).call("f", *args)


# two keys' schedules take it ten seconds
QUICK = [name for name in CALLS if name != "blowfish"]


@pytest.mark.parametrize("name", share("examples, walked", QUICK, 3))
def test_examples(name):
    walker = Walker((EXAMPLES / f"{name}.lisp").read_text())
    for function, args, wanted in CALLS[name]:
        values = walker.call(function, *(list(a) if isinstance(a, bytes) else a for a in args))
        assert (plain(values[0]) if len(values) == 1 else values) == wanted, (function, args)


def test_it_shares_nothing_with_the_front_end():
    for path in Path(lisp_walker.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names, path
