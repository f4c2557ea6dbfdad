"""Every operation on every kind of value beside CPython: the same answer or exception, or a refusal.

Values that are made within the function, and its arguments, of which it is also seen what became of them.

A share, at random; CC_TEST_SCALE=220, as `make python` has it, is all of them, 8025 and 43036.
"""

import os
from array import array
from itertools import product

import numpy
import pytest
from carrychain.ring.ir.errors import SourceError
from exact import jit

SHARE = 100

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
    *("(5).to_bytes({a}, 'big')", "{a}.to_bytes(9, 'little')", "{a}.to_bytes(1, 'big', signed=True)"),
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
    *(
        "r = [1]; r.insert(0, {a})",
        "r = [1]; r.insert({a}, 2)",
        "r = [1, 2, 3]; r.remove({a})",
        "r = [1, 2]; r[0:1] = {a}",
    ),
    *("r = [1, 2]; r.pop({a})", "r = []; r.pop({a})", "r = [1, 2]; del r[{a}]", "r = [1, 2, 3].index({a})"),
    *("r = bytearray(2); r[0] = {a}", "r = bytearray(2); r.append({a})", "r = bytearray(2); r += {a}"),
    *("r = bytearray(2); r.extend({a})", "r = bytearray(2); r[0:1] = {a}", "r, y = {a}"),
    "r = []\n for x in {a}: r.append(x)",
)
IN_ALL = [
    *(f"return {text.format(a=a)}" for text in OF_ONE for a in VALUES),
    *(f"return {text.format(a=a, b=b)}" for text in OF_TWO for a in VALUES for b in VALUES),
    *(f"{text.format(a=a)}\n return r" for text in STATEMENTS for a in VALUES),
]
# Of arguments: what may show in one that another has it too.
ON_AN_ARGUMENT = (
    *("a += 1; return a", "a *= 2; return a", "a -= 1; return a", "a += a; return a", "a[0] = 7; return a"),
    *("a[0] += 1; return a", "a[:] = a[::-1]; return a", "a[:1] = a; return a", "del a[0]; return a"),
    *("a.append(5); return a", "a.extend(a); return a", "a.insert(1, 9); return a", "a.clear(); return a"),
    *("a.pop(); return a", "a.reverse(); return a", "a.sort(); return a", "return a.copy()", "return a[-1]"),
    *("return a.index(2)", "return a.count(2)", "return a.tobytes()", "return a.tolist()", "return a.hex()"),
    *("x, y = a; return y, x", "return a is None", "return a is a", "return a == a", "return a[1:] + a[:1]"),
    *("return n in a", "r = a; r[0] = 1; return a", "r = a; r *= 2; return a", "return [x for x in a]"),
    *(
        "return a or n",
        "return a and n",
        "assert a; return 1",
        "return sum(x * x for x in a)",
        "return a[:-1]",
    ),
    *(
        "return int.from_bytes(a, 'little')",
        "return b''.join([a])",
        "return bytes(a[:1])",
        "return a.find(98)",
    ),
)
ON_TWO_ARGUMENTS = (
    *(f"a {op}= b; return a" for op in ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>")),
    *("a.append(b); return a", "a.extend(b); return a", "a[0] = b; return a", "a[:1] = b; return a"),
    *(
        "a[0], b[0] = b[0], a[0]; return a",
        "a[2:] = b[:1]; return a",
        "r = a; r += b; return a",
        "return a[:b]",
    ),
    *("r = a if n > 2 else b; r += a; return r", "r = a if n > 2 else b; r *= 2; return r", "return a[b]"),
    *(
        "r = a if n > 2 else None; r *= 2; return r",
        "return [x + y for x, y in zip(a, b)]",
        "return a + b + a",
    ),
    *("r = bytearray(b'xy'); r[:1] = a; return r", "r = bytearray(2); r += a; return r", "return b, a"),
)
ARGUMENTS = (
    *("0", "3", "-2", "2**64", "True", "None", "()", "(3,)", "(3, 2)", "((3, 1), 2)", "(None, [3, 2])"),
    *("(True, b'ab')", "tuple(range(20))", "[]", "[3, 2]", "[2**64, -1]", "b''", "b'ab'", "bytearray(b'ab')"),
    *("memoryview(b'ab')", "memoryview(bytearray(b'ab'))", "memoryview(array('i', [3, -2]))"),
    *("array('B', [3, 2])", "array('b', [3, -2])", "array('q', [3, -2])", "array('H')"),
    *("numpy.array([3, 2])", "numpy.array([7], numpy.int8)"),
)
NUMBERS = ("0", "3", "-2", "True")
# Powers of numbers that are not small are too many bits.
ARGUMENTS_OF_POWERS = [text for text in ARGUMENTS if text != "2**64"]


def of_arguments():
    """(the body of a function of n, a and b; a; b)"""
    one = [f"return {text.format(a='a')}" for text in OF_ONE] + [
        f"{text.format(a='a')}; return r" for text in STATEMENTS
    ]
    for text, a in product([*one, *ON_AN_ARGUMENT], ARGUMENTS):
        yield text, a, "None"
    two = [f"return {text.format(a='a', b='b')}" for text in OF_TWO]
    for text in [*two, *ON_TWO_ARGUMENTS]:
        values = ARGUMENTS_OF_POWERS if "pow" in text or "**" in text else ARGUMENTS
        for a, b in product(values, values):
            # NumPy's numbers meet what is none, or does not fit them, in ways of their own
            if ("numpy" in a) <= (b in NUMBERS) and ("numpy" in b) <= (a in NUMBERS):
                yield text, a, b


def shown(value):
    """With the types in it; NumPy's numbers as ints, as which compiled code has them."""
    if isinstance(value, numpy.integer | numpy.bool_):
        value = value.item()
    if isinstance(value, list | tuple):
        return type(value), [shown(each) for each in value]
    if isinstance(value, memoryview):
        return memoryview, value.format, value.readonly, value.tolist()
    return repr(value)


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
def test_every_operation_on_every_kind(tmp_path, draw):
    share = int(SHARE * float(os.environ.get("CC_TEST_SCALE", "1")))
    texts = draw.sample(IN_ALL, min(share, len(IN_ALL)))
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


def answer_of_arguments(function, *texts):
    """What comes of it, and of what it was called with; None if it is refused."""
    values = [eval(text, {"array": array, "numpy": numpy}) for text in texts]
    try:
        found = shown(function(3, *values))
    except SourceError:
        return None
    except Exception as error:
        found = type(error)
    return found, shown(values)


@pytest.mark.filterwarnings("ignore")
def test_every_operation_on_every_kind_of_argument(tmp_path, draw):
    share = int(2 * SHARE * float(os.environ.get("CC_TEST_SCALE", "1")))
    every = list(of_arguments())
    chosen = draw.sample(every, min(share, len(every)))
    bodies = {text: text.replace("; ", "\n ") for text, _, _ in chosen}
    bodies = {text: body for text, body in bodies.items() if compiles(f"def f(n, a, b):\n {body}")}
    path = tmp_path / "arguments.py"
    path.write_text("".join(f"def f{k}(n, a, b):\n {body}\n\n\n" for k, body in enumerate(bodies.values())))
    names = {}
    exec(compile(path.read_text(), path, "exec"), names)
    functions = {text: names[f"f{k}"] for k, text in enumerate(bodies)}
    compiled, compared, wrong = {}, 0, []
    for text, *arguments in chosen:
        if text not in functions:
            continue
        try:
            compiled.setdefault(text, jit(functions[text]))
        except SourceError:
            continue
        found = answer_of_arguments(compiled[text], *arguments)
        if found is not None:
            compared += 1
            if found != (expected := answer_of_arguments(functions[text], *arguments)):
                wrong.append(f"{text!r} of {arguments}: {found}, in Python {expected}")
    assert compared > len(chosen) / 3
    assert not wrong, "\n".join(wrong)
