"""Functions built as wheels, in an environment of Python without Carrychain."""

import importlib.util
import os
import pickle
import subprocess
import sys
import zipfile
from array import array
from pathlib import Path

import carrychain
import pytest
from carrychain.ring.library.build import check
from draws import share
from test_examples_python import CALLS as PYTHON_CALLS
from test_ring_front_examples import CALLS as LISP_CALLS
from test_ring_library import EXAMPLES, FAILING, FAILURES, KINDS, UNBUILT, CFailure, written

# Calls what it reads: pairs of a module and a function, with arguments, and those again after the call.
CALLER = """
import importlib, importlib.util, pickle, sys
assert importlib.util.find_spec("carrychain") is None and importlib.util.find_spec("llvmlite") is None
made = []
for module, function, args, named in pickle.load(sys.stdin.buffer):
    try:
        result = getattr(importlib.import_module(module), function)(*args, **named)
    except Exception as error:
        result = type(error).__name__, str(error)
    made.append((result, args))
sys.stdout.buffer.write(pickle.dumps(made))
"""

# Every kind of argument and of result, and every exception.
KINDS_TEXT = """
class Own(KeyError):
    pass

def low(x, y, z):
    return (x ^ y) & 0xffff ^ z

def wide(x, y):
    return x ^ 1, y ^ 1

def narrow(x, y):
    return x + y

def flags(a, b):
    return a and not b

def pair(state, k=3):
    return (state[1][0], (state[0], k), state[1][1])

def swapped(items, i, j):
    items[i], items[j] = items[j], items[i]

def filled(data, x=7):
    for i in range(len(data)):
        data[i] = x
    return None

def copied(a, b):
    for i in range(len(b)):
        b[i] = a[i] & 255
    return len(a)

def repeated(data, n):
    out = bytearray((len(data) & 255) * n)
    for i in range(len(out)):
        out[i] = data[i % len(data)]
    return bytes(out)

def marked(data, n):
    data[0] = (data[0] + 1) & 255
    out = bytearray(n)
    for i in range(n):
        out[i] = data[0]
    return out

def signs(n):
    return [i % 3 == 0 for i in range(n)]

def fails(how, data=b"a\\0\\"b"):
    if how == 0:
        raise ValueError("no zero")
    if how == 1:
        raise Own("own")
    if how == 2:
        return data[how + 5]
    if how == 3:
        return 7 % (how - 3)
    if how == 4:
        raise IndexError
    assert how != 5, "five"
    return data[2]
"""
KINDS_GIVEN = [
    "low(u128, i128, u64)",
    "wide(u128, i128)",
    "narrow(i8, u16)",
    "flags(bool, bool)",
    "pair(tuple[u32, tuple[u64, bytes]], u8)",
    "swapped(list[u32], i32, i32)",
    "filled(bytearray, u8)",
    "copied(array[u16], bytearray)",
    "repeated(bytes, u16)",
    "marked(bytearray, u16)",
    "signs(u8)",
    "fails(u8, bytes)",
]
BIG = 1 << 127
KINDS_CALLS = [
    ("low", (BIG + 5, -BIG, 7)), ("low", (2 * BIG, 0, 0)), ("low", (0, BIG, 0)), ("low", (0, -BIG - 1, 0)),
    ("low", (-1, 0, 0)), ("low", (0, 0, 1 << 64)), ("low", (0, 0, -1)), ("low", (0, 0, "1")),
    ("wide", (2 * BIG - 1, -BIG)), ("wide", (0, BIG - 1)), ("wide", (1 << 64, -(1 << 64))),
    ("narrow", (-128, 65535)), ("narrow", (-129, 0)), ("narrow", (128, 0)), ("narrow", (0, 65536)),
    ("narrow", (0, -1)), ("narrow", (1 << 70, 0)), ("narrow", (0,)), ("narrow", (0, 0, 0)),
    ("narrow", (1.5, 0)),
    ("flags", (True, False)), ("flags", (True, True)), ("flags", (1, False)),
    ("pair", ((1, (1 << 63, b"abc")),)), ("pair", ((1, (2, b"")), 255)), ("pair", ((1, 2),)),
    ("pair", ([1, (2, b"")],)), ("pair", ((1, (2, b""), 3),)), ("pair", ((1, (2, 3)),)),
    ("swapped", ([1, 2, 3], 0, 2)), ("swapped", ([1, 2, 3], 0, 3)), ("swapped", ((1, 2, 3), 0, 2)),
    ("swapped", ([1, 1 << 32], 0, 1)), ("swapped", (array("I", [1, 2]), 0, 1)), ("swapped", ([], 0, 0)),
    ("swapped", (array("Q", [1, 2]), 0, 1)), ("swapped", ([1, -1], 0, 1)), ("swapped", ([1, None], 0, 1)),
    ("filled", (bytearray(4),)), ("filled", (bytearray(4), 9)), ("filled", (b"1234",)),
    ("filled", (bytearray(),)),
    ("copied", (array("H", [258, 3]), bytearray(2))), ("copied", (array("H", [1]), bytearray(2))),
    ("repeated", (b"abc", 3)), ("repeated", (b"abc", 4000)), ("repeated", (b"", 3)), ("repeated", ("abc", 3)),
    ("marked", (bytearray(b"a"), 5)), ("marked", (bytearray(b"a"), 5000)), ("marked", ([97], 5000)),
    ("signs", (7,)),
    *(("fails", (how,)) for how in range(7)), ("fails", (2, b"123456789")), ("fails", (6, b"")),
]  # fmt: skip
STORED = "is stored to: it must be a list or a buffer that can be written"
# What the extension refuses, or says in its own words.
TOLD = {
    repr(("narrow", (0, 65536))): ("OverflowError", "narrow: y is not of type u16"),
    repr(("narrow", (0,))): ("TypeError", "narrow() needs a value for 'y'"),
    repr(("narrow", (0, 0, 0))): ("TypeError", "narrow() takes 2 arguments, not 3"),
    repr(("low", (0, BIG, 0))): ("OverflowError", "low: y is not of type i128"),
    repr(("flags", (1, False))): ("TypeError", "flags: a must be a bool"),
    repr(("pair", ((1, 2),))): ("TypeError", "pair: state must be a tuple of 2 items"),
    repr(("swapped", ((1, 2, 3), 0, 2))): ("TypeError", f"swapped: items {STORED}"),
    repr(("repeated", ("abc", 3))): ("TypeError", "repeated: data must be bytes"),
    repr(("fails", (0,))): ("ValueError", "no zero (kinds.py:51)"),
    repr(("fails", (1,))): ("KeyError", "'Own: own (kinds.py:53)'"),
    repr(("fails", (2,))): ("IndexError", "index out of bounds (kinds.py:55)"),
    repr(("fails", (3,))): ("ZeroDivisionError", "integer modulo by zero (kinds.py:57)"),
    repr(("fails", (4,))): ("IndexError", "(kinds.py:59)"),
    repr(("fails", (5,))): ("AssertionError", "five (kinds.py:60)"),
}


class Environment:
    """An environment of Python, with wheels in it and nothing else."""

    def __init__(self, directory: Path):
        self.directory = directory
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", directory / "env"], check=True)
        self.python = directory / "env/bin/python"

    def install(self, *wheels: Path) -> None:
        command = [sys.executable, "-m", "pip", "--python", self.python, "install", "--no-index", "-q"]
        subprocess.run([*command, "--no-deps", *wheels], check=True)

    def unpack(self, *wheels: Path) -> None:
        """As pip does, in less time."""
        (packages,) = (self.directory / "env/lib").glob("python3*/site-packages")
        for wheel in wheels:
            zipfile.ZipFile(wheel).extractall(packages)

    def run(self, text: str, given: bytes = b"") -> bytes:
        ran = subprocess.run([self.python, "-I", "-c", text], input=given, capture_output=True)
        assert not ran.returncode, ran.stderr.decode()
        return ran.stdout

    def calls(self, calls: list[tuple]) -> list[tuple]:
        """Of each call the result, or an exception's name and text, and its arguments afterwards."""
        return pickle.loads(self.run(CALLER, pickle.dumps(calls)))


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Environment:
    if not importlib.util.find_spec("pip"):
        pytest.skip("needs pip")
    return Environment(tmp_path_factory.mktemp("wheels"))


def test_vectors(environment, tmp_path):
    """Of some examples, each function that can be built."""
    wheels, calls, wanted = [], [], []
    every = [("lisp", name) for name in LISP_CALLS] + [("python", name) for name in PYTHON_CALLS]
    for language, name in share("wheels", every, 8):
        suffix, of_program = ("lisp", LISP_CALLS) if language == "lisp" else ("py", PYTHON_CALLS)
        text = (EXAMPLES / language / f"{name}.{suffix}").read_text()
        path = written(tmp_path / f"{language}_{name}.{suffix}", text)
        called = {function for function, *_ in of_program[name]} - UNBUILT[language].get(name, set())
        given = [each for each in KINDS.get(name, ()) if each.partition("(")[0] in called and suffix == "py"]
        plain = sorted(called - {each.partition("(")[0] for each in given})
        if not called:
            continue
        made = carrychain.build(path, tmp_path, functions=plain, kinds=given, emit="wheel")
        wheels.append(made.files[0])
        types = {function.written: function for function in made.functions}
        for function, args, result in of_program[name]:
            if function in called and fits(types[function], args):
                calls.append((path.stem, types[function].name, args, {}))
                wanted.append(result)
    if not wheels:
        pytest.skip("none of these examples can be built")
    environment.unpack(*wheels)
    for call, (result, _), right in zip(calls, environment.calls(calls), wanted, strict=True):
        assert result == right or [*result] == [*right], call


def fits(function, args: tuple) -> bool:
    """Whether no argument is beyond what --kinds says."""
    flat = [x for each in args for x in (each if isinstance(each, tuple) else (each,))]
    return all(
        not isinstance(x, int) or not taken.whole or x in taken.type
        for taken, x in zip(function.takes, flat, strict=False)
        if isinstance(x, int)
    )


def as_python(path: Path):
    spec = importlib.util.spec_from_file_location("kinds_in_python", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kinds(environment) -> Path:
    path = written(environment.directory / "kinds.py", KINDS_TEXT)
    made = carrychain.build(path, environment.directory, kinds=KINDS_GIVEN, emit="wheel")
    environment.install(made.files[0])
    return path


def test_every_kind(environment, kinds):
    """As CPython has them, or an exception."""
    calls = [("kinds", name, args, {}) for name, args in KINDS_CALLS]
    module = as_python(kinds)
    found = environment.calls(calls)
    for (name, args), (result, after) in zip(KINDS_CALLS, found, strict=True):
        if told := TOLD.get(repr((name, args))):
            assert result == told, (name, args)
            continue
        refused = isinstance(result, tuple) and isinstance(result[0], str)
        expected = pickle.loads(pickle.dumps(args))
        try:
            wanted = getattr(module, name)(*expected)
        except Exception as error:
            assert refused and result[0] == type(error).__name__, (name, args, result)
            continue
        if refused:
            assert result[0] in ("OverflowError", "TypeError", "BufferError"), (name, args, result)
        else:
            assert (result, type(result), after) == (wanted, type(wanted), expected), (name, args)


def test_arguments_by_name_and_shared(environment, kinds):
    shared = """
import kinds, pickle, sys
from array import array
data = bytearray(8)
view = memoryview(data).cast("H")
def told(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error)
found = [
    told(lambda: kinds.pair(k=5, state=(1, (2, b"x")))), told(lambda: kinds.pair((1, (2, b"x")), state=3)),
    told(lambda: kinds.pair(4, n=3)), told(lambda: kinds.copied(view, data)),
    told(lambda: kinds.copied(view[:2], memoryview(data)[4:])), told(lambda: kinds.filled(data, x=3)),
    bytes(data),
    told(lambda: kinds.swapped(memoryview(bytearray(9))[1:].cast("I"), 0, 1)), kinds.fails.__text_signature__,
    told(lambda: kinds.repeated(memoryview(b"abcdef")[::2], 2)),
]
sys.stdout.buffer.write(pickle.dumps(found))
"""
    named, twice, unknown, overlapping, apart, _, filled, unaligned, signature, strided = pickle.loads(
        environment.run(shared)
    )
    assert named == (2, (1, 5), b"x")
    assert twice == ("TypeError", "pair() got two values for 'state'")
    assert unknown == ("TypeError", "pair() has no parameter 'n'")
    assert overlapping == (
        "ValueError",
        "copied: an array that is stored to shares memory with another argument: pass a copy",
    )
    assert (filled, unaligned, strided[0]) == (b"\3" * 8, None, "BufferError")
    assert apart == ("IndexError", "index out of bounds (kinds.py:30)")
    assert signature == "($module, how, data=b'a\\x00\"b')"


def test_nothing_is_kept(environment, kinds):
    """Memory is as before, whatever a call returns or raises."""
    text = """
import tracemalloc, sys, pickle, kinds
calls = pickle.load(sys.stdin.buffer)
def all_calls():
    for name, args in calls:
        try:
            getattr(kinds, name)(*args)
        except Exception:
            pass
all_calls()
tracemalloc.start()
before = None
for turn in range(20):
    all_calls()
    if turn == 4:
        before = tracemalloc.get_traced_memory()[0]
grown = tracemalloc.get_traced_memory()[0] - before
assert grown < 15 * 16, grown
"""
    environment.run(text, pickle.dumps(KINDS_CALLS))


def test_failures_have_lines(environment, tmp_path):
    made = carrychain.build(written(tmp_path / "failing.lisp", FAILING), tmp_path, emit="wheel")
    environment.unpack(made.files[0])
    exceptions = {
        "CC_EINDEX": "IndexError", "CC_ERANGE": "OverflowError", "CC_EZERODIVIDE": "ZeroDivisionError",
        "CC_EINVAL": "RuntimeError", "CC_ENOMEM": "MemoryError",
    }  # fmt: skip
    functions = {function.written: function for function in made.functions}
    calls = []
    for name, args, _ in FAILURES:
        pairs = zip(functions[name].takes, args, strict=True)
        given = tuple(bytearray(x) if taken.written else x for taken, x in pairs)
        calls.append(("failing", functions[name].name, given, {}))
    found = environment.calls(calls)
    for (name, args, wanted), (result, _) in zip(FAILURES, found, strict=True):
        if isinstance(wanted, CFailure):
            assert result[0] == exceptions[wanted.code], (name, args)
            # what no type of C holds is refused before
            assert f"(failing.lisp:{wanted.line})" in result[1] or "is not of type" in result[1], result
        else:
            values = result if len(wanted) > 1 else (result,)
            assert values == tuple(wanted), (name, args)


def test_wheels_are_the_same_each_time(environment, kinds, tmp_path):
    """And have a certificate; their types are those of the functions."""
    first = carrychain.build(kinds, tmp_path / "a", kinds=KINDS_GIVEN, emit="wheel").files
    second = carrychain.build(kinds, tmp_path / "b", kinds=KINDS_GIVEN, emit="wheel").files
    assert first[0].read_bytes() == second[0].read_bytes()
    assert check(first[1], kinds).equal
    first[0].write_bytes(first[0].read_bytes() + b"x")
    assert check(first[1], kinds) == (False, f"{first[0].name} is not the file that was certified")
    with zipfile.ZipFile(second[0]) as archive:
        names = {name.rpartition("/")[2] for name in archive.namelist()}
        text = archive.read("kinds/__init__.pyi").decode()
        archive.extractall(tmp_path / "site")
    package = {"__init__.py", "__init__.pyi", "py.typed", "_kinds.abi3.so"}
    assert names == package | {"METADATA", "WHEEL", "RECORD"}
    for line in (
        "def wide(x: int, y: int) -> tuple[int, int]: ...",
        "def swapped(items: Buffer | MutableSequence[int], i: int, j: int) -> None: ...",
        "def signs(n: int) -> list[bool]: ...",
        "def pair(state: tuple[int, tuple[int, Buffer | Sequence[int]]], k: int = 3) -> "
        "tuple[int, tuple[int, int], bytes]: ...",
    ):
        assert line in text, line
    if importlib.util.find_spec("mypy"):
        use = "import kinds\nx: int = kinds.narrow(1, y=2)\ny: list[bool] = kinds.signs(3)\n"
        written(tmp_path / "site/use.py", use + 'kinds.narrow("a", 2)\n')
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "use.py"]
        said = subprocess.run(command, cwd=tmp_path / "site", capture_output=True, text=True).stdout
        assert said.count("error: ") == 1 and said.startswith("use.py:4: error: Argument 1"), said


def test_what_is_refused(tmp_path, monkeypatch):
    path = written(tmp_path / "failing.lisp", FAILING)
    with pytest.raises(ValueError, match="the form wheel is for this machine"):
        carrychain.build(path, tmp_path, emit="wheel", target="sparc-linux-gnu")
    with pytest.raises(ValueError, match="a prefix is for names in C"):
        carrychain.build(path, tmp_path, emit="wheel", prefix="a_")
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(OSError, match="there is no C compiler no-such-compiler"):
        carrychain.build(path, tmp_path, emit="wheel")
