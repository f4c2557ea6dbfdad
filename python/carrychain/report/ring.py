"""Dejneka, Rhodes: Efficient Hardware Arithmetic in Common Lisp.

Table 3, the same Lisp compiled with and without modular arithmetic beside C, and the same comparison for
three more algorithms; Table 1, each operator through each form that asks for a word.

The candidates take turns; what is shown is each one's least time, as the processor counts it.
"""

import ctypes
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time

from carrychain.ring.load import load_lisp
from carrychain.ring.program import Program
from carrychain.timing import Timing, in_turn, steady

from . import page, table1
from .chapter import Chapter

SIZE = 25_600_000
ROUNDS = 5
GENERIC_ROUNDS = 3
KEY = bytes(range(16))
PUBLISHED_ON = "PowerPC 740, SBCL 0.8.8, gcc 2.95"
PUBLISHED = {
    "generic": "330.2 ± 0.3 s",
    "cut": "1.58 ± 0.01 s",
    "gcc -O0": "2.53 ± 0.02 s",
    "gcc -O2": "1.16 ± 0.01 s",
}

SB_MD5 = """
(let ((data (make-array {size} :element-type '(unsigned-byte 8) :initial-element 0)))
  (dotimes (k {rounds})
    (let ((start (get-internal-run-time)))
      (sb-md5:md5sum-sequence data)
      (format t "~f~%" (/ (- (get-internal-run-time) start) internal-time-units-per-second)))))
"""

Candidate = Callable[[bytes], bytes]


class NoCompiler(Exception):
    """There is no gcc to compile the peers with."""


@dataclass(frozen=True)
class Algorithm:
    name: str
    function: str  # in Lisp
    digest: int  # bytes of result; 0 for as many as there are of data

    @property
    def file(self) -> str:
        return self.name.lower().replace("-", "")

    def program(self, cut: bool = True) -> Candidate:
        with as_file(files("carrychain") / "examples" / f"{self.file}.lisp") as path:
            program: Program = load_lisp(path, cut=cut)
        if self.digest:
            return lambda data: program.call(self.function, data)
        return lambda data: program.call(self.function, KEY, data)

    def peer(self, directory: Path, level: str) -> Candidate:
        """The C that a C programmer writes, compiled here."""
        compiler = shutil.which("gcc")
        if not compiler:
            raise NoCompiler
        library = directory / f"{self.file}{level}.so"
        with as_file(files("carrychain") / "peers" / f"{self.file}.c") as source:
            subprocess.run([compiler, level, "-shared", "-fPIC", "-o", library, source], check=True)
        function = getattr(ctypes.CDLL(str(library)), f"peer_{self.file}")

        def run(data: bytes) -> bytes:
            result = ctypes.create_string_buffer(self.digest or len(data))
            more = () if self.digest else (pi_fraction(), KEY, ctypes.c_size_t(len(KEY)))
            function(data, ctypes.c_size_t(len(data)), result, *more)
            return result.raw

        return run


MD5 = Algorithm("MD5", "md5", 16)
ALGORITHMS = (
    MD5,
    Algorithm("SHA-1", "sha1", 20),
    Algorithm("SHA-256", "sha256", 32),
    Algorithm("Blowfish", "blowfish-encrypt", 0),
)


def pi_fraction() -> ctypes.Array:
    """Its first 1042 words: 16 atan(1/5) - 4 atan(1/239)."""
    bits = 1042 * 32

    def inverse_tangent(x: int) -> int:
        total = term = (1 << (bits + 64)) // x
        sign, n = -1, 3
        while term:
            term //= x * x
            total += sign * (term // n)
            sign, n = -sign, n + 2
        return total

    pi = 4 * (4 * inverse_tangent(5) - inverse_tangent(239)) >> 64
    return (ctypes.c_uint32 * 1042)(*(pi >> (bits - 32 * (k + 1)) & 0xFFFFFFFF for k in range(1042)))


def seconds(candidates: dict[str, Candidate], data: bytes, rounds: int) -> dict[str, Timing]:
    """Of each, all of which must come to the same."""
    results: set[bytes] = set()
    calls = [lambda run=run: results.add(bytes(run(data))) for run in candidates.values()]
    timings = in_turn(calls, rounds, thread_time)
    if len(results) != 1:
        raise AssertionError(f"{', '.join(candidates)} do not agree")
    return dict(zip(candidates, timings, strict=True))


def sb_md5() -> Timing | None:
    """Of SBCL's own MD5, in seconds; None without SBCL."""
    sbcl = shutil.which("sbcl")
    if not sbcl:
        return None
    # a form of its own: the names of the package are read when it is there
    forms = ["(require :sb-md5)", SB_MD5.format(size=SIZE, rounds=ROUNDS), "(quit)"]
    options = ["--noinform", "--disable-debugger", "--no-userinit"]
    evaluated = [word for form in forms for word in ("--eval", form)]

    def measure() -> list[Timing]:
        done = subprocess.run([sbcl, *options, *evaluated], capture_output=True, text=True, check=True)
        return [Timing.of(map(float, done.stdout.split()))]

    try:
        return steady(measure)[0]
    except subprocess.CalledProcessError:
        return None


def measure(directory: Path) -> str:
    data = random.Random(1).randbytes(SIZE)
    with TemporaryDirectory() as temporary:
        try:
            return _tables(data, Path(temporary))
        except NoCompiler:
            return '<p class="quiet">Not measured: the C peers need gcc.</p>' + table1.section()


def _tables(data: bytes, temporary: Path) -> str:
    md5 = {
        "cut": MD5.program(),
        "gcc -O0": MD5.peer(temporary, "-O0"),
        "gcc -O2": MD5.peer(temporary, "-O2"),
    }
    times = seconds(md5, data, ROUNDS)
    times |= seconds({"generic": MD5.program(cut=False)}, data, GENERIC_ROUNDS)
    rows = [
        ("Lisp, generic arithmetic", "generic"),
        ("Lisp, modular arithmetic", "cut"),
        ("C (-O0)", "gcc -O0"),
        ("C (-O2)", "gcc -O2"),
    ]
    table3 = page.table(
        page.here(),
        ("MD5 of 25.6 MB", f"published ({PUBLISHED_ON})", "measured", "throughput"),
        [(what, PUBLISHED[key], _seconds(times[key]), _rate(times[key])) for what, key in rows],
    )
    gain = times["generic"].least / times["cut"].least
    notes = [
        f"Modular arithmetic is {gain:.0f} times as fast as generic arithmetic (published: 209 times). "
        "Here generic arithmetic keeps integers of up to 63 bits out of the heap; on the paper's machine "
        "those of more than 30 bits were in it."
    ]
    sbcl = sb_md5()
    if sbcl is None:
        notes.append("SBCL, whose own MD5 is the natural peer, is not installed.")
    else:
        notes.append(
            f"SBCL's own sb-md5 takes {_seconds(sbcl)}, {_rate(sbcl)}: "
            f"{sbcl.least / times['cut'].least:.1f} times as long as the same algorithm compiled here."
        )
    faster = []
    for algorithm in ALGORITHMS:
        pair = {"ours": algorithm.program(), "gcc -O2": algorithm.peer(temporary, "-O2")}
        ours, gcc = seconds(pair, data, ROUNDS).values()
        faster.append((algorithm.name, _rate(ours), _rate(gcc), f"{gcc.least / ours.least:.2f}"))
    return (
        table3
        + "".join(f"<p>{note}</p>\n" for note in notes)
        + page.table(page.here(), ("25.6 MB", "Lisp, compiled here", "C, gcc -O2", "ratio"), faster)
        + table1.section()
    )


def _seconds(taken: Timing) -> str:
    return f"{taken.least:.3f} s{taken.mark}"


def _rate(taken: Timing) -> str:
    return f"{SIZE / taken.least / 1e6:.0f} MB/s{taken.mark}"


chapter = Chapter(
    carry="discarded",
    module="ring",
    paper="A. Dejneka, C. Rhodes: Efficient Hardware Arithmetic in Common Lisp, 2004",
    what="natural integer code, compiled to machine words where that changes no answer",
    measure=measure,
)
