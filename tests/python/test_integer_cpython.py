"""CPython's own tests of int, each of its numbers an Integer and each ``int`` Integer."""

import ast
import importlib.util
import math
import random
import sys
import types
import unittest
from pathlib import Path

import pytest
from carrychain import Integer

CACHED = "that small ones are one object"
CLASS = "what inherits from int, or is an __index__, is an int"
# What they test of int that is not to hold of Integer.
NOT_MEANT = {
    "test___sizeof__": "how CPython lays out its digits",
    "test_access_to_nonexistent_digit_0": CLASS,
    "test_as_integer_ratio": CLASS,
    "test_divmod_uses_cached_small_ints": CACHED,
    "test_error_message": "that of other scripts' digits names int",
    "test_from_bytes": CLASS,
    "test_from_bytes_small": CACHED,
    "test_int_base_indexable": CLASS,
    "test_int_returns_int_subclass": CLASS,
    "test_int_subclass_with_index": CLASS,
    "test_int_subclass_with_int": CLASS,
    "test_intconversion": CLASS,
    "test_logs": "math.log of what is beyond a float reads ints alone",
    "test_pow_uses_cached_small_ints": CACHED,
    "test_small_ints": CACHED,
    "test_small_ints_in_huge_calculation": CACHED,
    "test_small_ints1": CACHED,
    "test_small_ints2": CACHED,
}
CLASSES = {"test.test_long": "LongTest", "test.test_int": "IntTestCases"}


class ToInteger(ast.NodeTransformer):
    def visit_Constant(self, node):
        if type(node.value) is not int:
            return node
        return ast.Call(ast.Name("Integer", ast.Load()), [node], [])

    def visit_Name(self, node):
        return ast.Name("Integer", node.ctx) if node.id == "int" else node

    def visit_ClassDef(self, node):
        # a class that inherits from int stays one
        return node if any(ast.unparse(base) == "int" for base in node.bases) else self.generic_visit(node)


def ldexp(x, exponent):
    return math.ldexp(x, int(exponent))


def randrange(*ends):
    return Integer(random.randrange(*ends))


def cases():
    for name, cls in CLASSES.items():
        spec = importlib.util.find_spec(name) if importlib.util.find_spec("test") else None
        if spec is None:
            yield pytest.param(None, None, id=name)
            continue
        tree = ToInteger().visit(ast.parse(Path(spec.origin).read_text()))
        module = types.ModuleType(name)
        module.Integer = Integer
        module.range = lambda *ends: [Integer(i) for i in range(*ends)]
        module.repr = lambda x: str(x) if isinstance(x, Integer) else repr(x)
        exec(compile(ast.fix_missing_locations(tree), spec.origin, "exec"), module.__dict__)
        module.sys = types.SimpleNamespace(**vars(sys) | {"maxsize": Integer(sys.maxsize)})
        module.random = types.SimpleNamespace(**vars(random) | {"randrange": randrange})
        # which takes an int and no other number
        module.math = types.SimpleNamespace(**vars(math) | {"ldexp": ldexp})
        suite = getattr(module, cls)
        for test in unittest.defaultTestLoader.getTestCaseNames(suite):
            yield pytest.param(suite, test, id=test)


@pytest.mark.parametrize(("suite", "test"), list(cases()))
def test_as_int(suite, test, draw):
    if suite is None:
        pytest.skip("this Python is without its own tests")
    if test in NOT_MEANT:
        pytest.skip(NOT_MEANT[test])
    random.seed(draw.random())
    limit = sys.get_int_max_str_digits()
    try:
        case = suite(test)
        case.setUp()
        getattr(case, test)()
    finally:
        sys.set_int_max_str_digits(limit)
