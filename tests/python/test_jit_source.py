"""What is compiled is what CPython runs: the source of the function's own code, or none."""

import functools
import importlib.util
import linecache
import os
import random
import re
import subprocess
import sys
from types import FunctionType
from unittest.mock import patch

import draws
import jit_interpreted
import pytest
from carrychain import jit
from carrychain.ring.front.python import definition
from carrychain.ring.front.python.definition import definition_of
from carrychain.ring.front.python.source import source_of
from carrychain.ring.ir.errors import SourceError
from jit_differential import Loaded, difference, uncompiled
from jit_programs import program

SEED = draws.seed("jit_source") % 2**32
PROGRAMS = 8
CALLS = 6
ANEW = "has changed in its file: import it again"


def loaded(text, path, **names):
    """A module's names, from a file of that text."""
    path.write_text(text)
    exec(compile(text, str(path), "exec", dont_inherit=True), names)
    return names


# Texts that are another when they are read ---------------------------------------------------------


def another(rng, text):
    return program(rng.getrandbits(32))


def reordered(rng, text):
    parts = text.split("\n\n\n")
    rng.shuffle(parts)
    return "\n\n\n".join(parts)


def exchanged(rng, text):
    """Something of one line for something else."""
    body, calls, rest = text.partition("CALLS")
    places = list(re.finditer(r" [-+*&|^] |\b[0-9]+\b", body))
    at = rng.choice(places)
    found = at[0]
    new = str(int(found) + 1) if found.isdigit() else rng.choice([op for op in "-+*&|^" if op not in found])
    new = new if found.isdigit() else f" {new} "
    return body[: at.start()] + new + body[at.end() :] + calls + rest


def moved(rng, text):
    return "# a line more\n" + text


def cut(rng, text):
    lines = text.splitlines(keepends=True)
    return "".join(lines[: rng.randrange(len(lines))])


def remarked(rng, text):
    """What says the same."""
    return re.sub(r"(?m)^(@jit)$", r"\1  # so", text)


EDITS = (another, reordered, exchanged, moved, cut, remarked)


@pytest.mark.parametrize("edit", EDITS)
def test_a_file_that_was_written_anew(edit, tmp_path):
    """A call comes to what it comes to in CPython, or is refused."""
    rng = random.Random(f"{SEED} {edit.__name__}")
    same = refused = 0
    for seed in range(SEED, SEED + PROGRAMS):
        path, text = tmp_path / f"program{seed}.py", program(seed)
        path.write_text(text)
        plain, ours = Loaded(path, uncompiled), Loaded(path, uncompiled)
        linecache.getlines(str(path))
        path.write_text(edit(rng, text))
        ours.entry = jit_interpreted.entry(ours.entry)
        for change, args in plain.names["CALLS"][:CALLS]:
            if any("state()[" in each for each in args):
                # a list that the function also reads from its module is refused
                continue
            try:
                got = ours.call(change, args)
            except SourceError as refusal:
                refused += ANEW in refusal.message
                break
            assert difference(plain.call(change, args), got) is None, (seed, args)
            same += 1
        sys.modules.pop(path.stem)
    assert (same if edit is remarked else refused) > PROGRAMS / 4
    assert not (refused and edit is remarked)


PAIR = "def one(x):\n    return x + 1\n\n\ndef two(x):\n    return x + 2\n"


def test_functions_that_changed_places(tmp_path):
    path = tmp_path / "pair.py"
    names = loaded(PAIR, path)
    path.write_text(PAIR.replace("one", "new").replace("two", "one").replace("new", "two"))
    for name in ("one", "two"):
        with pytest.raises(SourceError, match=rf"pair\.py:[15]:1: {name} {ANEW}"):
            jit(names[name])


def test_one_that_is_jitted_keeps_its_source(tmp_path):
    path = tmp_path / "kept.py"
    one = jit(loaded(PAIR, path)["one"])
    path.write_text("def one(x):\n    return x + 5\n")
    assert one(1) == 2


def test_a_file_that_is_gone_or_none(tmp_path):
    path = tmp_path / "gone.py"
    names = loaded(PAIR, path)
    path.write_text("def one(x:\n")
    with pytest.raises(SourceError, match=ANEW):
        source_of(names["one"])
    path.unlink()
    with pytest.raises(SourceError, match="no source to be compiled from"):
        source_of(names["one"])


CELL = "<ipython-input-1-0>"


def cell(text):
    """As notebooks keep them."""
    linecache.cache[CELL] = len(text), None, text.splitlines(keepends=True), CELL


def test_cells_of_a_notebook():
    names = {}
    exec(compile(PAIR, CELL, "exec"), names)
    try:
        cell("await something()\n" + PAIR.replace("\n\n\n", "\n\n", 1))
        assert source_of(names["two"]).tree.name == "two"
        with pytest.raises(SourceError, match=ANEW):
            source_of(names["one"])
        cell(PAIR.replace("+ 1", "+ 3"))
        with pytest.raises(SourceError, match=ANEW):
            source_of(names["one"])
    finally:
        del linecache.cache[CELL]


# All that has code ---------------------------------------------------------------------------------


MANY = '''
from __future__ import annotations

import functools


def wrapped(function):
    @functools.wraps(function)
    def call(*args):
        return function(*args)

    return call


def outer(n):
    def inner(x, /, y: int = 1, *, z=2):
        """What it does."""
        return x + n + __debug__

    return inner


class Class:
    """One."""

    @staticmethod
    @wrapped
    def method(
        x,
    ):
        return (lambda: x)() + sum(k for k in [x, -0.0, 1.0] if k not in {1, 2})

    class Inner:
        __hidden = 3

        def method(self):
            return self.__hidden


@wrapped
@wrapped
def decorated(x: Class) -> "no name":
    assert x, "true"
    return -0.0, 0.0, x["d"], f"{x!r:>{x}}"


one, other = (lambda x: x + 1), (lambda x: x + 2)
nested = lambda x: lambda y: (x, y)
defaults = lambda x=lambda: 1: x
alike, too = (lambda x: x), (lambda x: x)
spread = (lambda
          x: x
          ** 2)
'''


def functions_in(value, seen):
    """The functions that can be had of it, those within them last."""
    if isinstance(value, FunctionType) and value not in seen:
        seen.append(value)
        for each in (*(value.__defaults__ or ()), *(cell.cell_contents for cell in value.__closure__ or ())):
            functions_in(each, seen)
    elif isinstance(value, type | staticmethod):
        for each in vars(value).values():
            functions_in(each, seen)
    return seen


def test_every_function_of_a_file(tmp_path):
    """Each is its own, whatever it is in, is around it, and looks like it."""
    names = loaded(MANY, tmp_path / "many.py", __name__="many")
    found = []
    for name, value in [*names.items(), ("", names["outer"](3)), ("", names["nested"](3))]:
        if not name.startswith("__"):
            functions_in(value, found)
    assert len(found) > 15
    for function in found:
        tree = definition_of(function).tree
        code = function.__code__
        first = min(each.lineno for each in (tree, *getattr(tree, "decorator_list", [])))
        assert (getattr(tree, "name", "<lambda>"), first) == (code.co_name, code.co_firstlineno)
        arguments = [each.arg for each in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)]
        assert tuple(arguments) == code.co_varnames[: len(arguments)]
    # of several in one line the one whose text it is
    ends = [definition_of(names[name]).tree.body.right.value for name in ("one", "other")]
    assert ends == [1, 2]
    assert definition_of(names["nested"](1)).tree.args.args[0].arg == "y"


def test_names_that_a_class_makes_its_own(tmp_path):
    text = """
class A:
    def f(x):
        __y = x
        return __y

    def g(__x):
        return __x

    def h(x):
        return x.__abs__()
"""
    names = loaded(text, tmp_path / "mangled.py")
    for name in ("f", "g"):
        with pytest.raises(SourceError, match="two underscores"):
            source_of(getattr(names["A"], name))
    source_of(names["A"].h)


def asserting(x):
    # pytest writes this anew
    assert x > 0, "own"
    return x + 1


def test_functions_that_pytest_wrote_anew():
    """They are of this file, and mean what stands there."""
    assert any(name.startswith("@py") for name in asserting.__code__.co_varnames)
    assert source_of(asserting).tree.name == "asserting"
    f = jit_interpreted.entry(asserting)
    assert f(1) == 2
    with pytest.raises(AssertionError):
        f(0)


def test_asserts_that_pytest_wrote_anew_of_another_text(tmp_path):
    spec = importlib.util.spec_from_file_location("test_written", tmp_path / "test_written.py")
    text = "def f(x):\n    assert x > 0\n    return x\n"
    (tmp_path / "test_written.py").write_text(text)
    module = importlib.util.module_from_spec(spec)
    hook = __loader__
    module.__loader__ = module.__spec__.loader = hook
    hook.exec_module(module)
    source_of(module.f)
    (tmp_path / "test_written.py").write_text(text.replace("> 0", "> 1"))
    with pytest.raises(SourceError, match=ANEW):
        definition_of(module.f)


def test_without_assertions(tmp_path):
    """Python's -O leaves them out."""
    path = tmp_path / "without.py"
    path.write_text(
        "import carrychain\n\n@carrychain.jit\ndef f(x):\n    assert x > 0\n    return x\n\nprint(f(-3))"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": os.devnull}
    found = subprocess.run([sys.executable, "-O", path], capture_output=True, text=True, env=environment)
    assert found.stdout == "-3\n", found.stderr


# A function that wraps another ---------------------------------------------------------------------


def turned(function):
    @functools.wraps(function)
    def call(b, a):
        return function(a, b)

    return call


def test_a_wrappers_parameters_are_its_own():
    @jit
    @turned
    def sub(a: "u8", b: int) -> int:  # noqa: F821
        return a - b

    # the second finds it compiled
    assert [sub(10, 3), sub(10, 3), sub(a=3, b=300)] == [-7, -7, -297]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        sub(10)


def test_a_text_is_parsed_again_where_cpython_has_miscounted(tmp_path):
    """As before 3.11.5, when garbage was collected meanwhile."""
    errors = [SystemError("AST constructor recursion depth mismatch (before=57, after=69)")]

    def miscounting(*args):
        if errors:
            raise errors.pop()
        return compile(*args)

    f = loaded("def f(x):\n    return x + 1\n", tmp_path / "miscounted.py")["f"]
    with patch.object(definition, "compile", miscounting, create=True):
        assert jit(f)(1) == 2
    assert not errors
