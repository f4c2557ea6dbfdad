"""The suite jit: the programs of examples/python compiled, next to the same in CPython, PyPy, C and Numba.

PyPy is a process of its own, measured in its steady state. The C is natural C, compiled by gcc -O2. Numba
runs the program twice: typed by hand, and unmodified; the number of its wrong answers is part of the latter
peer's name. The size is in bytes, in numbers of a generator, or what the function is called for. All are
interleaved and measured in processor time.
"""

import ctypes
import pickle
import platform
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from inspect import isfunction
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time_ns
from types import ModuleType

from .timing import ANY, Only, Timing, in_turn

NAME = "jit"
ROUNDS, ROUNDS_QUICK = 15, 5
# of a batch, which is long beside a call of the clock
BATCH_NS = 1_000_000
# of calls before PyPy is measured
WARM_NS = 1_000_000_000
# so often Numba is asked for an answer
ASKED = 100

RANDOM = random.Random(1)
KEY = RANDOM.randbytes(16)
LONG_KEY = RANDOM.randbytes(32)
NONCE = RANDOM.randbytes(12)
DATA = RANDOM.randbytes(1 << 16)
# whose exact hash grows to as many bits as CPython can multiply in a second
STRING = DATA[:44_000]
SHORT = DATA[: 1 << 14]
COUNT = 100_000
STATE, INCREMENT = RANDOM.getrandbits(128), RANDOM.getrandbits(128) | 1
SEED = RANDOM.getrandbits(32)
U32, U64 = ctypes.c_uint32, ctypes.c_uint64


@dataclass(frozen=True)
class OutBuffer:
    """Where C writes so many bytes."""

    size: int


@dataclass(frozen=True)
class Case:
    """A function of a program; `peer` is its name in C and for Numba, `c` and `typed` what these take.

    `gives` is what C returns; None where it writes. A number that no machine's word holds has no peer there.
    """

    program: str
    function: str
    args: tuple
    size: int
    peer: str
    c: tuple
    gives: type | None
    typed: tuple | None = None

    @property
    def name(self) -> str:
        return self.function if self.program in self.function else f"{self.program}.{self.function}"


def length(data: bytes) -> ctypes.c_size_t:
    return ctypes.c_size_t(len(data))


def digest(program: str, size: int, function: str = "", peer: str = "") -> Case:
    c = (DATA, length(DATA), OutBuffer(size))
    return Case(program, function or program, (DATA,), len(DATA), peer or program, c, None)


def hashed(program: str, function: str, gives: type, data: bytes = DATA, peer: str = "") -> Case:
    return Case(program, function, (data,), len(data), peer or function, (data, length(data)), gives)


def halves(number: int) -> tuple[int, int]:
    return number >> 64, number & (1 << 64) - 1


def little(number: int) -> bytes:
    return number.to_bytes(16, "little")


def cases() -> list[Case]:
    fraction = program("blowfish").FRACTION
    pi = (U32 * len(fraction))(*fraction)
    of_data = (DATA, length(DATA), OutBuffer(len(DATA)))
    return [
        digest("md5", 16),
        digest("sha1", 20),
        digest("sha256", 32),
        digest("sha512", 64),
        digest("keccak", 32, "sha3_256"),
        Case(
            "blowfish", "encrypt", (KEY, DATA), len(DATA), "blowfish", (*of_data, pi, KEY, length(KEY)), None,
            (fraction, KEY, DATA),
        ),
        hashed("crc32", "crc32", U32),
        hashed("crc32", "crc32_bitwise", U32),
        hashed("crc64", "crc64_xz", U64),
        hashed("adler32", "adler32", U32),
        hashed("adler32", "adler32_late", U32),
        hashed("fnv", "fnv1a_32", U32),
        hashed("fnv", "fnv1a_64", U64),
        hashed("fnv", "fnv1a_64_late", U64, SHORT, "fnv1a_64"),
        hashed("string_hashes", "djb2", U32),
        hashed("string_hashes", "sdbm", U32),
        hashed("string_hashes", "python2_hash", U64, STRING),
        Case("string_hashes", "sdbm_exact", (SHORT,), len(SHORT), "", (), None),
        digest("murmur3", 16, "murmur3_128", "murmur3_128"),
        hashed("xxhash64", "xxh64", U64),
        Case(
            "siphash", "siphash", (KEY, DATA), len(DATA), "siphash",
            (KEY, length(KEY), DATA, length(DATA)), U64,
        ),
        Case(
            "pcg64", "nth", (STATE, INCREMENT, COUNT), COUNT, "pcg64",
            (little(STATE), little(INCREMENT), U64(COUNT)), U64,
            (*halves(STATE), *halves(INCREMENT), COUNT),
        ),
        Case("xoshiro256", "nth", (SEED, COUNT), COUNT, "xoshiro256", (U64(SEED), U64(COUNT)), U64),
        Case("mt19937", "nth", (SEED, COUNT), COUNT, "mt19937", (U64(SEED), U64(COUNT)), U32),
        Case(
            "chacha20", "chacha20", (LONG_KEY, 1, NONCE, DATA), len(DATA), "chacha20",
            (LONG_KEY, U64(1), NONCE, *of_data), None,
        ),
        Case(
            "poly1305", "poly1305", (LONG_KEY, DATA), len(DATA), "poly1305",
            (LONG_KEY, DATA, length(DATA), OutBuffer(16)), None,
        ),
        Case(
            "speck", "xor_of_counters", (KEY, COUNT // 10), COUNT // 10, "speck",
            (KEY, U64(COUNT // 10), OutBuffer(16)), None,
        ),
        Case("xtea", "encrypt", (KEY, DATA), len(DATA), "xtea", (KEY, *of_data), None),
        *plain(),
    ]  # fmt: skip


def plain() -> list[Case]:
    """Integers whose every bit is wanted; no C beside them, which has no such integers."""
    calls = {
        "collatz": (837_799,),
        "queens": (8,),
        "digit_sums": (20_000,),
        "longest_collatz": (3000,),
        "knapsack": (50, 1000),
        "partitions": (300,),
        "sum_of_squares": (10_000,),
        "matrices": (40,),
        "fib": (300,),
        "binom": (60, 30),
        "isqrt": (10**80,),
    }
    # the size of the last is its bits
    return [
        Case("plain", name, args, args[0] if args[0] < 1 << 62 else args[0].bit_length(), "", (), None)
        for name, args in calls.items()
    ]


def loaded(path: Path) -> ModuleType:
    """The module of a file, loaded again even if it was imported before."""
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _path(program: str) -> Traversable:
    return files("carrychain") / "examples" / f"{program}.py"


def program(name: str) -> ModuleType:
    with as_file(_path(name)) as path:
        return loaded(path)


Run = Callable[[], object]


class C:
    """The peers compiled by gcc -O2."""

    name = "gcc -O2"

    def __init__(self, stack: ExitStack):
        self.directory = Path(stack.enter_context(TemporaryDirectory()))

    def run(self, case: Case) -> Run:
        library = self.directory / f"{case.program}.so"
        if not library.exists():
            with as_file(files("carrychain") / "peers" / f"{case.program}.c") as source:
                subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        function = getattr(ctypes.CDLL(str(library)), f"peer_{case.peer}")
        function.restype = case.gives
        out = [ctypes.create_string_buffer(each.size) for each in case.c if isinstance(each, OutBuffer)]
        args = [out[0] if isinstance(each, OutBuffer) else each for each in case.c]
        if out:
            return lambda: function(*args) or out[0].raw
        return lambda: function(*args)


class Numba:
    """The peers by Numba, typed by hand and unmodified."""

    def __init__(self):
        with as_file(files("carrychain") / "peers" / "numba_typed.py") as path:
            self.typed = loaded(path)
        self.name = f"Numba {metadata.version('numba')}"

    def run(self, case: Case) -> Run | None:
        """The result with hand-typed widths; None if there are none."""
        import numpy

        function = getattr(self.typed, case.peer or "none", None)
        if function is None:
            return None

        def arg(value):
            if isinstance(value, bytes):
                return numpy.frombuffer(value, numpy.uint8)
            if isinstance(value, tuple):
                return numpy.array(value, numpy.uint32)
            # a number is a word, but how many are asked for is Numba's own kind of int
            return value if value < 1 << 31 else numpy.uint64(value)

        args = [arg(each) for each in case.typed or case.args]
        return lambda: function(*args)

    def natural(self, case: Case) -> tuple[Callable | None, int]:
        """The unmodified function, or None if it does not run; and how many of ASKED answers are wrong."""
        import numba

        wanted, module = program(case.program), program(case.program)
        for name, function in list(vars(module).items()):
            if isfunction(function):
                setattr(module, name, numba.njit(function))
        function, rng, wrong = getattr(module, case.function), random.Random(2), 0
        for _ in range(ASKED):
            args = tuple(varied(each, rng) for each in case.args)
            try:
                found = function(*args)
            except Exception:
                return None, 0
            wrong += not same(getattr(wanted, case.function)(*args), found)
        return function, wrong


class PyPy:
    """The peer that runs the program in a process of its own."""

    def __init__(self, command: str):
        asked = "import sys; print('.'.join(map(str, sys.pypy_version_info[:3])))"
        done = subprocess.run([command, "-c", asked], capture_output=True, text=True, check=True)
        self.command, self.name = command, f"PyPy {done.stdout.strip()}"
        # the processor time of all batches
        self.spent = 0

    def clock(self) -> int:
        """The processor time of this thread, and of all batches."""
        return thread_time_ns() + self.spent

    def run(self, stack: ExitStack, case: Case) -> "PyPyRun | None":
        """The function of the case, warm; None if it does not run."""
        paths = (files("carrychain") / "peers" / "pypy_calls.py"), _path(case.program)
        calls, path = (str(stack.enter_context(as_file(each))) for each in paths)
        command = [self.command, calls, path, case.function, str(WARM_NS)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        stack.callback(_end, process)
        try:
            return PyPyRun(self, process, case.args)
        except (EOFError, BrokenPipeError):
            return None


def _end(process: subprocess.Popen) -> None:
    process.kill()
    # what it has not read is written when it is closed
    with suppress(BrokenPipeError), process:
        pass


class PyPyRun:
    def __init__(self, peer: PyPy, process: subprocess.Popen, args: tuple):
        self.peer, self.process = peer, process
        self.result = self._asked(args)

    def __call__(self) -> object:
        return self.result

    def repeated(self, number: int) -> None:
        """So many calls, whose processor time is spent by the peer, and not by what asks for them."""
        before = thread_time_ns()
        took = self._asked(number)
        self.peer.spent += took - (thread_time_ns() - before)

    def _asked(self, what: object) -> object:
        pickle.dump(what, self.process.stdin)
        self.process.stdin.flush()
        return pickle.load(self.process.stdout)


def varied(value, rng: random.Random):
    """A similar argument: data of any length in words, a key of the same length, a number of the same size, a
    count below 50.
    """
    if isinstance(value, tuple):
        return tuple(varied(each, rng) for each in value)
    if isinstance(value, bytes):
        return rng.randbytes(len(value) if len(value) < 64 else 8 * rng.randrange(1, 30))
    return rng.randrange(1, 50) if value <= COUNT else rng.getrandbits(value.bit_length())


def same(wanted, found) -> bool:
    """Whether a result (a number, bytes or an array of either order) equals Python's."""
    if isinstance(wanted, int) and not isinstance(found, bytes) and not hasattr(found, "tobytes"):
        return wanted == found
    if not isinstance(found, bytes):
        if not found.shape:
            return wanted == int(found)
        return same(wanted, found.tobytes()) or same(wanted, found.byteswap().tobytes())
    return found == (wanted if isinstance(wanted, bytes) else wanted.to_bytes(len(found), "little"))


def absent() -> list[str]:
    """The peers that are missing, and how to get them."""
    found = [
        f"{name} (Debian: {command})"
        for name, command in (("gcc", "gcc"), ("PyPy", "pypy3"))
        if not shutil.which(command)
    ]
    return found if find_spec("numba") else [*found, "Numba (pip install numba)"]


def _candidates(case: Case, c: C | None, numba: Numba | None) -> dict[str, Run]:
    function = getattr(program(case.program), case.function)
    found: dict[str, Run] = {f"CPython {platform.python_version()}": lambda: function(*case.args)}
    if c and case.peer:
        found[c.name] = c.run(case)
    if numba and (typed := numba.run(case)):
        found[numba.name] = typed
    return found


def _repeated(run: Run, number: int) -> Run:
    if isinstance(run, PyPyRun):
        return partial(run.repeated, number)

    def repeated() -> None:
        for _ in range(number):
            run()

    return repeated


def _timings(runs: dict[str, Run], rounds: int, clock: Callable[[], int]) -> dict[str, Timing]:
    """The nanoseconds per call of each."""

    def once(run: Run) -> int:
        start = clock()
        _repeated(run, 1)()
        return max(clock() - start, 1)

    numbers = [max(BATCH_NS // min(once(run) for _ in range(2)), 1) for run in runs.values()]
    batches = [_repeated(run, number) for run, number in zip(runs.values(), numbers, strict=True)]
    timings = in_turn(batches, rounds, clock)
    return {
        name: Timing(timing.least / number, timing.median / number, timing.spread)
        for name, number, timing in zip(runs, numbers, timings, strict=True)
    }


def rows(*, quick: bool = False, only: Only = ANY) -> Iterator[dict]:
    """Rows as the bench program's, one per peer. AssertionError if one that must be right is wrong."""
    with ExitStack() as stack:
        c = C(stack) if shutil.which("gcc") else None
        numba = Numba() if find_spec("numba") else None
        command = shutil.which("pypy3")
        pypy = PyPy(command) if command else None
        for case in cases():
            if only.wants(case.name, case.size):
                with ExitStack() as running:
                    yield from _rows(case, c, numba, pypy, running, ROUNDS_QUICK if quick else ROUNDS)


def _rows(
    case: Case, c: C | None, numba: Numba | None, pypy: PyPy | None, running: ExitStack, rounds: int
) -> Iterator[dict]:
    from carrychain import jit

    function = jit(getattr(program(case.program), case.function))
    runs: dict[str, Run] = {"jit": lambda: function(*case.args), **_candidates(case, c, numba)}
    no_time = []
    if pypy:
        if run := pypy.run(running, case):
            runs[pypy.name] = run
        else:
            no_time.append(f"{pypy.name}: does not run")
    wanted = getattr(program(case.program), case.function)(*case.args)
    for name, run in runs.items():
        if not same(wanted, run()):
            raise AssertionError(f"{name}: {case.name} is wrong")
    if numba:
        natural, wrong = numba.natural(case)
        if natural is None:
            no_time.append("Numba natural: does not run")
        else:
            runs[f"Numba natural: {wrong} of {ASKED} wrong"] = lambda: natural(*case.args)
    found = _timings(runs, rounds, pypy.clock if pypy else thread_time_ns)
    ours = found.pop("jit")
    for peer, timing in found.items():
        yield _row(case, ours, peer, timing)
    for peer in no_time:
        yield _row(case, ours, peer, None)


def _row(case: Case, ours: Timing, peer: str, theirs: Timing | None) -> dict:
    return {
        "suite": NAME,
        "case": case.name,
        "size": case.size,
        "impl": "jit",
        "ns_median": ours.median,
        "ns_min": ours.least,
        "peer": peer,
        "ratio": ours.median / theirs.median if theirs else None,
        "spread": max(timing.spread for timing in (ours, theirs) if timing),
        "disturbed": any(timing.disturbed for timing in (ours, theirs) if timing),
    }
