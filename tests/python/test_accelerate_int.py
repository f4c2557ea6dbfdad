"""accelerate_int(): CPython's own ints by Integer's algorithms, on this Python and on others at hand."""

import shutil
import subprocess
import sys
import threading
import types
from pathlib import Path

import carrychain
import pytest
from carrychain import bindings
from carrychain.bindings import integer, pylong

NAMES = ("int_to_decimal_string", "int_from_string", "int_divmod")
HAS_PYLONG = sys.version_info >= (3, 12)
OTHERS = ("3.12", "3.13", "3.14")
# Refusing 1,200,000 digits must take at most half the time of converting 133,700: CPython's C reads all of
# them, and the conversion takes less than that.
TIMES = "test_denial_of_service_prevented_str_to_int"


def stand_in() -> types.ModuleType:
    """A module of the name and contract of CPython's, slow and obviously right."""
    module = types.ModuleType("_pylong")
    module.int_to_decimal_string = lambda n: str(n)
    module.int_from_string = lambda s: int(s.rstrip().replace("_", ""))
    module.int_divmod = lambda a, b: divmod(a, b)
    return module


@pytest.fixture(params=["stand-in", "this Python's"])
def theirs(request, monkeypatch):
    """A module, and what is there whenever carrychain's functions are not."""
    if request.param == "stand-in":
        monkeypatch.setitem(sys.modules, "_pylong", stand_in())
    elif not HAS_PYLONG:
        assert "_pylong" not in sys.modules
        pytest.skip("this Python has no _pylong")
    module = __import__("_pylong")
    yield module, {name: getattr(module, name) for name in NAMES}
    carrychain.restore_int()


def functions(module) -> dict:
    return {name: getattr(module, name) for name in NAMES}


def test_this_python():
    if HAS_PYLONG:
        carrychain.accelerate_int()
        carrychain.restore_int()
        return
    with pytest.raises(RuntimeError, match=r"^accelerate_int\(\) needs CPython 3\.12 or later"):
        carrychain.accelerate_int()
    carrychain.restore_int()


def test_there_and_back(theirs):
    module, before = theirs
    others = {name: value for name, value in vars(module).items() if name not in NAMES}
    for _ in range(3):
        carrychain.accelerate_int()
        ours = functions(module)
        assert not set(map(id, ours.values())) & set(map(id, before.values()))
        carrychain.accelerate_int()
        assert functions(module) == ours
        carrychain.restore_int()
        assert functions(module) == before
        carrychain.restore_int()
        assert functions(module) == before
    assert {name: value for name, value in vars(module).items() if name not in NAMES} == others


def test_it_is_put_back_where_it_was(theirs, monkeypatch):
    module, before = theirs
    carrychain.accelerate_int()
    monkeypatch.setitem(sys.modules, "_pylong", stand_in())
    carrychain.restore_int()
    assert functions(module) == before


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("change", ["gone", "other"])
def test_an_unknown_module_is_left_alone(monkeypatch, name, change):
    module = stand_in()
    if change == "gone":
        delattr(module, name)
    else:
        setattr(module, name, lambda *arguments: None)
    before = dict(vars(module))
    monkeypatch.setitem(sys.modules, "_pylong", module)
    with pytest.raises(RuntimeError, match=rf"does not know the _pylong\.{name} of Python 3\."):
        carrychain.accelerate_int()
    assert vars(module) == before


def test_threads(theirs):
    module, before = theirs
    both = (carrychain.accelerate_int, carrychain.restore_int)
    start = threading.Barrier(4)

    def work(k):
        start.wait()
        for i in range(200):
            both[(i + k) % 2]()
            assert module.int_divmod(-7, 2) == (-4, 1)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    carrychain.restore_int()
    assert functions(module) == before


class Whole(int):
    """Of ints that inherit, the value counts, and no method."""

    def wrong(self, *_):
        raise AssertionError

    __neg__ = __abs__ = __index__ = __int__ = __rshift__ = __and__ = bit_length = to_bytes = wrong


def numbers(draw):
    """Ints of all lengths up to some thousand digits, of both signs, and powers and their neighbours."""
    for bits in (0, 1, 30, 60, 61, 64, 120, 256, 257, 9000, 30_000, 30_001, 100_000):
        yield from (draw.getrandbits(bits), -draw.getrandbits(bits), 1 << bits, (1 << bits) - 1, -1 << bits)
    for digits in (1, 19, 20, 4300, 6001, 9031):
        yield from (10**digits, 10**digits - 1, -(10**digits))


def test_text(draw):
    for n in numbers(draw):
        text = pylong.int_to_decimal_string(n)
        assert type(text) is str and text == str(n) == pylong.int_to_decimal_string(Whole(n))
        back = pylong.int_from_string(text)
        assert type(back) is int and back == n
        # what int() may leave for its module: underscores between digits, and space behind them
        magnitude = text.lstrip("-")
        places = sorted(draw.sample(range(1, len(magnitude)), min(len(magnitude) - 1, 20)))
        pieces = (magnitude[i:j] for i, j in zip([0, *places], [*places, None], strict=True))
        assert pylong.int_from_string("0_0" + "_".join(pieces) + " \t\n") == abs(n)


@pytest.mark.parametrize("text", ["", "_", "1__0", "1_", "12a", "1 2"])
def test_text_that_is_none(text):
    with pytest.raises(ValueError, match="invalid literal"):
        pylong.int_from_string(text)


def test_quotients(draw):
    every = list(numbers(draw))
    for a in every:
        for b in draw.sample(every, 12):
            if b:
                got = pylong.int_divmod(a, b)
                assert type(got) is tuple and list(map(type, got)) == [int, int]
                assert got == divmod(a, b) == pylong.int_divmod(Whole(a), Whole(b))
    with pytest.raises(ZeroDivisionError):
        pylong.int_divmod(every[0], 0)


USED = """
import sys
sys.path.insert(0, sys.argv[1])
import _pylong
import carrychain

calls = []
carrychain.accelerate_int()
for name in ("int_to_decimal_string", "int_from_string", "int_divmod"):
    def counted(*arguments, ours=getattr(_pylong, name)):
        calls.append(ours.__name__)
        return ours(*arguments)
    setattr(_pylong, name, counted)

limit = sys.get_int_max_str_digits()
n = 7**20_000
for work in (lambda: str(n), lambda: int("7" * 20_000)):
    try:
        work()
    except ValueError as error:
        print(error)
assert not calls
sys.set_int_max_str_digits(0)
for sign in (1, -1):
    assert int(str(sign * n)) == int("  " + str(sign * n) + " ") == sign * n
    assert f"{sign * n:,}".replace(",", "") == "%d" % (sign * n) == repr(sign * n)
    for other in (3**10_000, -(3**10_000)):
        q, r = divmod(sign * n, other)
        assert q * other + r == sign * n and sign * n // other == q and abs(r) < abs(other)
        assert not r or (r < 0) == (other < 0)
print(sorted(set(calls)))
sys.set_int_max_str_digits(limit)
carrychain.restore_int()
try:
    int("1" + "_1" * 20_000)
except ValueError as error:
    print(error)
"""

OWN_TESTS = """
import sys
import unittest
sys.path.insert(0, sys.argv[1])
import carrychain

carrychain.accelerate_int()
result = unittest.TestResult()
for name in ("test.test_int", "test.test_long"):
    unittest.defaultTestLoader.loadTestsFromName(name).run(result)
print(result.testsRun, [case.id() for case, _ in result.failures + result.errors])
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The part of the package that is used, for any Python."""
    top = tmp_path_factory.mktemp("package")
    for module in (carrychain, bindings, pylong, integer, integer._integer):
        path = Path(module.__file__)
        folder = top.joinpath(*module.__name__.split(".")[: -1 if path.stem != "__init__" else None])
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder)
    return top


def interpreter(version: str) -> str:
    found = [shutil.which(f"python{version}")]
    found += sorted(map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")))
    for path in filter(None, found):
        if not subprocess.run([path, "-c", ""], capture_output=True).returncode:
            return path
    pytest.skip(f"no Python {version} is here")


def run(python: str, script: str, package: Path) -> str:
    done = subprocess.run([python, "-c", script, package], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.parametrize("version", OTHERS)
def test_elsewhere(version, package):
    lines = run(interpreter(version), USED, package).splitlines()
    assert lines.pop(2) == str(sorted(NAMES))
    assert len(lines) == 3 and all(line.startswith("Exceeds the limit (4300 digits)") for line in lines)


@pytest.mark.parametrize("version", OTHERS)
def test_cpythons_own_tests(version, package):
    python = interpreter(version)
    if subprocess.run([python, "-c", "import test.test_int, test.test_long"], capture_output=True).returncode:
        pytest.skip(f"Python {version} is without its own tests")
    count, failed = run(python, OWN_TESTS, package).split(" ", 1)
    assert int(count) > 80
    assert {name.rpartition(".")[2] for name in eval(failed)} <= {TIMES}
