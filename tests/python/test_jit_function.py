"""A jitted function as an object: a function like the one that it was made from."""

import ast
import copy
import inspect
import pickle
import subprocess
import sys
import typing
from pathlib import Path

import carrychain
import jit_interpreted
import jit_words
import pytest
from carrychain import u8
from carrychain.ring.call.jit import Jitted, jit
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.form import INT
from jit_front import Front, made, of_kind


def twice(x: int, y: "int" = 1) -> int:
    """Says what it does."""
    return x


twice.mark = 5
again = made(twice, lambda x, y: of_kind(x))


def echoed(x):
    return x


echoed = made(echoed, of_kind, lambda kind: kind)


class Home:
    def method(self, x):
        return x

    method = made(method, lambda _, x: of_kind(x), lambda _, x: x)

    @staticmethod
    def static(x):
        return x

    static = staticmethod(made(static.__func__, of_kind, lambda kind: kind))

    @classmethod
    def of_class(cls, x):
        return x

    of_class = classmethod(made(of_class.__func__, lambda _, x: of_kind(x), lambda _, x: x))

    class Inner:
        def method(self):
            return 5

        method = made(method, "function @f -> (int) {\nentry():\n  %r: int = const 5\n  return %r\n}")


def test_it_looks_like_the_function():
    f = made(twice, of_kind)
    assert f.__wrapped__ is twice
    assert (f.__name__, f.__qualname__, f.__module__) == ("twice", "twice", __name__)
    assert f.__doc__ == "Says what it does."
    assert f.mark == 5
    assert inspect.signature(f) == inspect.signature(twice)
    assert typing.get_type_hints(f) == typing.get_type_hints(twice)
    assert inspect.getsource(f) == inspect.getsource(twice)
    assert inspect.unwrap(f) is twice
    assert callable(f)
    f.extra = 1
    assert not hasattr(twice, "extra")
    assert f == f
    assert hash(f) == hash(f)


def test_methods():
    home = Home()
    for _ in range(2):
        assert home.method(5) == 5
        assert Home.method(home, 5) == 5
        assert home.static(b"a") == b"a"
        assert Home.static(5) == 5
        assert home.of_class(5) == 5
        assert Home.of_class(True) is True
        assert home.Inner().method() == 5
        assert home.method(x=1 << 80) == 1 << 80
    assert home.method.__self__ is home
    assert home.method.__func__ is Home.method
    assert inspect.signature(home.method) == inspect.signature(home.method.__func__.__wrapped__.__get__(home))


@pytest.mark.parametrize("f", [echoed, Home.static, Home.method, Home.Inner.method])
def test_pickles_by_its_name(f):
    # older protocols name no attributes of classes
    for protocol in range(4 if "." in f.__qualname__ else 0, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(f, protocol)) is f


def test_pickles_by_the_function_that_has_its_name(monkeypatch):
    import carrychain.ring.call.jit.function as home

    monkeypatch.setattr(home, "_front", lambda: Front(of_kind))
    found = pickle.loads(pickle.dumps(again))
    assert type(found) is Jitted
    assert found.__wrapped__ is twice
    assert found._fallback is False
    local = made(lambda x: x, of_kind)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(local)


def test_copies_are_itself():
    assert copy.copy(echoed) is echoed
    assert copy.deepcopy(echoed) is echoed


def test_what_jit_takes(monkeypatch):
    import carrychain.ring.call.jit.function as home

    monkeypatch.setattr(home, "_front", lambda: Front(of_kind))
    assert carrychain.jit is jit
    f = jit(twice)
    assert type(f) is Jitted
    assert jit(f) is f
    assert type(jit()(twice)) is Jitted
    assert jit(fallback=True)(twice)._fallback is True
    for kind in (staticmethod, classmethod):
        wrapped = jit(kind(twice))
        assert type(wrapped) is kind
        assert type(wrapped.__func__) is Jitted
    for other in (len, int, 5, Home):
        with pytest.raises(TypeError, match=r"jit takes a function written in Python, not an? "):
            jit(other)
    with pytest.raises(TypeError):
        jit(twice, True)


def test_it_says_what_it_is():
    def f(x, *, y=1):
        return x

    g = made(f, lambda x, _: of_kind(x), lambda x, _: x)
    where = "test_it_says_what_it_is.<locals>.f(x, *, y=1)"
    assert repr(g) == f"<jit {where}: not called yet>"
    g(1)
    g(b"a")
    g(None)
    assert repr(g) == f"<jit {where}: compiled for (None, None); (bytes, None); (int, None)>"
    with pytest.warns(RuntimeWarning):
        h = made(f, of_kind, refuses="a float", fallback=True)
    assert repr(h) == f"<jit {where}: runs in CPython>"


def test_it_can_be_read():
    f = made(echoed.__wrapped__, of_kind, lambda kind: kind)
    for inspect_ in (f.inspect_ir, f.inspect_llvm, f.inspect_asm):
        with pytest.raises(ValueError, match="echoed has not been compiled"):
            inspect_()
    f(1)
    f(b"a")
    ints, octets = f.kinds[1], f.kinds[0]
    assert ints == (INT,)
    assert "array(u8)" in f.inspect_ir()
    assert f.inspect_ir(octets) == f.inspect_ir()
    assert "(%a0: s64)" in f.inspect_ir(ints)
    assert "(%a0: int)" in f.inspect_ir(ints)
    assert "define" in f.inspect_llvm()
    assert "ret" in f.inspect_asm(ints)
    with pytest.raises(ValueError, match="echoed has not been compiled for these"):
        f.inspect_ir(())


def test_the_stub_names_what_is_there():
    tree = ast.parse(Path(carrychain.__file__).with_suffix(".pyi").read_text())
    names = set()
    for node in tree.body:
        match node:
            case ast.ImportFrom(level=1):
                names.update(alias.asname for alias in node.names)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.FunctionDef(name=name):
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    assert {name for name in names if not name.startswith("_") or name == "__version__"} == set(
        carrychain.__all__
    )
    home = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    for node in home.body:
        if isinstance(node, ast.FunctionDef):
            assert hasattr(Jitted, node.name)


def test_carrychain_does_not_import_it_unasked():
    code = "import carrychain, sys; assert not [m for m in sys.modules if 'jit' in m and 'carrychain' in m]"
    subprocess.run([sys.executable, "-c", code], check=True)


GIVEN = [1, 2, 3]


def test_a_list_of_the_modules_that_is_given_too():
    @carrychain.jit
    def first(items):
        items[0] = 7
        return GIVEN[0]

    assert first([5]) == 1
    with pytest.raises(SourceError, match="pass a copy"):
        first(GIVEN)
    assert GIVEN == [1, 2, 3]


def test_one_that_is_given_in_a_tuple():
    """A store to it is not seen where it was read: CPython would return 7."""

    @carrychain.jit
    def within(pair):
        (items, _), _ = pair
        items[0] = 7
        return GIVEN[0]

    @carrychain.jit
    def among(*lists):
        lists[1][0] = 7
        return GIVEN[0]

    for call in (lambda x: within(((x, 1), 2)), lambda x: among([4], x)):
        assert call([5]) == 1
        with pytest.raises(SourceError, match="pass a copy"):
            call(GIVEN)
        assert GIVEN == [1, 2, 3]


def unread(items, *others):
    return GIVEN[0]


def wide(items: list[u8]):
    return GIVEN[0]


@pytest.mark.parametrize("way", [carrychain.jit, jit_interpreted.entry, jit_words.entry])
def test_one_that_is_given_and_not_read_there(way):
    """Nothing is stored to it; but whoever gives a width has it looked at."""
    assert way(unread)(GIVEN) == way(unread)((GIVEN, 1)) == way(unread)("text") == 1
    with pytest.raises(SourceError):
        way(wide)(GIVEN)
