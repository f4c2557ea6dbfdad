"""Every operation on every kind of value beside CPython: the same answer or exception, or a refusal.

A share, at random; CC_TEST_SCALE=20 has them all.
"""

import os
import random

import pytest
from carrychain import jit
from carrychain.ring.errors import SourceError

SEED = int.from_bytes(os.urandom(4), "little")
SHARE = 300

VALUES = (
    *("n", "True", "(n == 3)", "None", "(None if n else 1)", "(1 if n else None)", "'ab'"),
    *("(n, 2)", "((n, 1), 2)", "[n, 2]", "[]", "[[n]]", "b'ab'", "bytearray(b'ab')", "range(n)"),
)
OF_ONE = (
    *("[{a}]", "[1, {a}]", "[{a} for _ in range(n)]", "len([{a} for _ in range(n)])", "({a}, 1)"),
    *("[0] * 2 + [{a}]", "(1,) * n + ({a},)", "bytes([{a}])", "bytearray([{a}])"),
    *("-{a}", "~{a}", "+{a}", "not {a}", "{a}[0]", "{a}[:1]", "{a} if n else 1", "isinstance({a}, int)"),
    *("abs({a})", "int({a})", "bool({a})", "len({a})", "sum({a})", "min({a})", "max({a})", "hash({a})"),
    *("list({a})", "tuple({a})", "bytes({a})", "bytearray({a})", "sorted({a})", "any({a})", "all({a})"),
    *("hex({a})", "round({a})", "chr({a})", "ord({a})", "str({a})", "float({a})", "{a}.bit_length()"),
    *("divmod({a}, 3)", "pow({a}, 2)", "pow({a}, 2, 5)", "range({a})", "int.from_bytes({a}, 'big')"),
    *("list(reversed({a}))", "list(enumerate({a}))", "list(zip({a}, {a}))", "sum([{a}], 0)"),
)
OF_TWO = (
    *(f"{{a}} {op} {{b}}" for op in ("+", "-", "*", "//", "%", "**", "&", "|", "^", "<<", ">>")),
    *(f"{{a}} {op} {{b}}" for op in ("==", "!=", "<", "<=", "is", "in", "not in", "and", "or")),
    *("min({a}, {b})", "max({a}, {b})", "divmod({a}, {b})", "pow({a}, {b})", "sum({a}, {b})"),
    *("{b}[{a}]", "{b}.count({a})", "list({b}).count({a})", "{b}.index({a})", "[{a}, {b}]"),
    "{a} if {b} else 1",
)
STATEMENTS = (
    *("r = []; r.append({a})", "r = [1, 2]; r[0] = {a}", "r = [1]; r += {a}", "r = [1]; r.extend({a})"),
    *("r = [1]; r.insert(0, {a})", "r = [1, 2, 3]; r.remove({a})", "r = [1, 2]; r[0:1] = {a}"),
    *("r = [1, 2]; r.pop({a})", "r = [1, 2]; del r[{a}]", "r = [1, 2, 3].index({a})"),
    *("r = bytearray(2); r[0] = {a}", "r = bytearray(2); r.append({a})", "r = bytearray(2); r += {a}"),
    *("r = bytearray(2); r.extend({a})", "r = bytearray(2); r[0:1] = {a}", "r, y = {a}"),
    "r = []\n for x in {a}: r.append(x)",
)
IN_ALL = [
    *(f"return {text.format(a=a)}" for text in OF_ONE for a in VALUES),
    *(f"return {text.format(a=a, b=b)}" for text in OF_TWO for a in VALUES for b in VALUES),
    *(f"{text.format(a=a)}\n return r" for text in STATEMENTS for a in VALUES),
]


def answer(function):
    """What comes of it, with the types in it; None if it is refused."""
    try:
        found = function(3)
    except SourceError:
        return None
    except Exception as error:
        return type(error)
    return repr(found)


def compiles(text):
    try:
        compile(text, "", "exec")
    except SyntaxError:
        return False
    return True


# NumPy's and CPython's own warn of what they are asked for here
@pytest.mark.filterwarnings("ignore")
def test_every_operation_on_every_kind(tmp_path):
    print(f"seed {SEED}")
    share = int(SHARE * float(os.environ.get("CC_TEST_SCALE", "1")))
    texts = random.Random(SEED).sample(IN_ALL, min(share, len(IN_ALL)))
    bodies = [text for text in texts if compiles(f"def f(n):\n {text}")]
    path = tmp_path / "kinds.py"
    path.write_text("".join(f"def f{k}(n):\n {text}\n\n\n" for k, text in enumerate(bodies)))
    names = {}
    exec(compile(path.read_text(), path, "exec"), names)
    compared, wrong = 0, []
    for k, text in enumerate(bodies):
        found = answer(jit(names[f"f{k}"]))
        if found is not None:
            compared += 1
            if found != (expected := answer(names[f"f{k}"])):
                wrong.append(f"{text!r}: {found}, in Python {expected}")
    assert compared > len(bodies) / 3
    assert not wrong, "\n".join(wrong)
