"""Dejneka, Rhodes: Efficient Hardware Arithmetic in Common Lisp.

Table 3: the same Lisp compiled with and without modular arithmetic, compared with C; the same comparison for
three more algorithms. Table 1: each operator through each form that requests a word.

The candidates are interleaved; shown is the minimum processor time of each.
"""

import ctypes
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time

from carrychain.bench.timing import Timing, in_turn, steady
from carrychain.ring.call.load import load_lisp
from carrychain.ring.call.program import Program

from . import page, table1
from .chapter import Chapter, Mark, Marks, span
from .measured import Absent, Measured

SIZE, SIZE_QUICK = 25_600_000, 3_200_000
ROUNDS, ROUNDS_QUICK = 5, 3
KEY = bytes(range(16))
PUBLISHED_ON = "PowerPC 740, SBCL 0.8.8, gcc 2.95"
# seconds, and what they may be off
PUBLISHED = {"generic": (330.2, 0.3), "cut": (1.58, 0.01), "gcc -O0": (2.53, 0.02), "gcc -O2": (1.16, 0.01)}
COMPARED = {
    "generic": "MD5: cut / not cut",
    "gcc -O0": "MD5: cut / C by gcc -O0",
    "gcc -O2": "MD5: cut / C by gcc -O2",
    "sb-md5": "MD5: cut / SBCL's own",
}

SB_MD5 = """
(let ((data (make-array {size} :element-type '(unsigned-byte 8) :initial-element 0)))
  (dotimes (k {rounds})
    (let ((start (get-internal-run-time)))
      (sb-md5:md5sum-sequence data)
      (format t "~f~%" (/ (- (get-internal-run-time) start) internal-time-units-per-second)))))
"""

Candidate = Callable[[bytes], bytes]


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
        """Natural C, compiled here."""
        compiler = shutil.which("gcc")
        if not compiler:
            raise Absent("the C peers need gcc")
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
    """The seconds of each candidate; all must give the same result."""
    results: set[bytes] = set()
    calls = [lambda run=run: results.add(bytes(run(data))) for run in candidates.values()]
    timings = in_turn(calls, rounds, thread_time)
    if len(results) != 1:
        raise AssertionError(f"{', '.join(candidates)} do not agree")
    return dict(zip(candidates, timings, strict=True))


def sb_md5(size: int) -> Timing | None:
    """The seconds of SBCL's own MD5; None without SBCL."""
    sbcl = shutil.which("sbcl")
    if not sbcl:
        return None
    # a form of its own: the names of the package are read when it is there
    forms = ["(require :sb-md5)", SB_MD5.format(size=size, rounds=ROUNDS), "(quit)"]
    options = ["--noinform", "--disable-debugger", "--no-userinit"]
    evaluated = [word for form in forms for word in ("--eval", form)]

    def measure() -> list[Timing]:
        done = subprocess.run([sbcl, *options, *evaluated], capture_output=True, text=True, check=True)
        return [Timing.of(map(float, done.stdout.split()))]

    try:
        return steady(measure)[0]
    except subprocess.CalledProcessError:
        return None


def _data(quick: bool) -> bytes:
    return random.Random(1).randbytes(SIZE_QUICK if quick else SIZE)


def md5(quick: bool) -> dict:
    """The paper's Table 3, and SBCL's own MD5, by candidate."""
    data, rounds = _data(quick), ROUNDS_QUICK if quick else ROUNDS
    with TemporaryDirectory() as temporary:
        candidates = {
            "cut": MD5.program(),
            "gcc -O0": MD5.peer(Path(temporary), "-O0"),
            "gcc -O2": MD5.peer(Path(temporary), "-O2"),
        }
        times = seconds(candidates, data, rounds)
        times |= seconds({"generic": MD5.program(cut=False)}, data, ROUNDS_QUICK)
    if sbcl := sb_md5(len(data)):
        times["sb-md5"] = sbcl
    return {"bytes": len(data)} | {name: asdict(timing) for name, timing in times.items()}


def algorithms(quick: bool) -> list[dict]:
    """One row each: our timing, gcc's, and the ratio."""
    data, rounds = _data(quick), ROUNDS_QUICK if quick else ROUNDS
    rows = []
    with TemporaryDirectory() as temporary:
        for algorithm in ALGORITHMS:
            pair = {"ours": algorithm.program(), "gcc -O2": algorithm.peer(Path(temporary), "-O2")}
            ours, gcc = seconds(pair, data, rounds).values()
            rows.append(
                {
                    "case": algorithm.name,
                    "size": len(data),
                    "ours": asdict(ours),
                    "gcc -O2": asdict(gcc),
                    "ratio": ours.least / gcc.least,
                }
            )
    return rows


def _mark(ours: dict, theirs: dict) -> Mark:
    return Mark.spread(theirs["least"] / ours["least"], max(ours["spread"], theirs["spread"]))


def ratios(measured: Measured) -> Marks:
    marks = {}
    if found := measured.get("md5"):
        marks |= {what: _mark(found["cut"], found[key]) for key, what in COMPARED.items() if key in found}
    for row in measured.get("algorithms", [])[1:]:
        marks[f"{row['case']}: cut / C by gcc -O2"] = _mark(row["ours"], row["gcc -O2"])
    return marks


def means(marks: Marks, kept: Marks) -> str:
    del kept
    said = []
    if mark := marks.get(COMPARED["generic"]):
        said.append(
            f"Cutting makes natural Lisp {mark.said(0)} times as fast as the same without it (published: "
            "209; here integers of up to 63 bits stay out of the heap without it, too)."
        )
    if c := [mark for what, mark in marks.items() if what.endswith("gcc -O2")]:
        said.append(f"It is {span(c, 2)} times as fast as C by gcc -O2.")
    return " ".join(said)


def show(measured: Measured, directory: Path) -> str:
    del directory  # all tables, but for the picture
    html, badge = "", page.badge(measured, seed=chapter.seed)
    try:
        found = measured["md5"]
        rows = [
            ("Lisp, generic arithmetic", "generic"),
            ("Lisp, modular arithmetic", "cut"),
            ("C (-O0)", "gcc -O0"),
            ("C (-O2)", "gcc -O2"),
            ("SBCL's own sb-md5", "sb-md5"),
        ]
        heading = (
            f"MD5 of {found['bytes'] / 1e6:.1f} MB",
            f"published ({PUBLISHED_ON})",
            "measured",
            "throughput",
        )
        html += page.table(
            badge,
            heading,
            [
                (what, _published(key), f"{taken.least:.3f} s{taken.mark}", _rate(taken, found["bytes"]))
                for what, key in rows
                if key in found and (taken := Timing(**found[key]))
            ],
        )
        if "sb-md5" not in found:
            html += "<p>SBCL, whose own MD5 is the natural peer, is not installed.</p>\n"
        rows = measured["algorithms"]
        html += page.table(
            badge,
            (f"{rows[0]['size'] / 1e6:.1f} MB", "Lisp, compiled here", "C, gcc -O2", "times as fast as C"),
            [
                (
                    row["case"],
                    *(_rate(Timing(**row[name]), row["size"]) for name in ("ours", "gcc -O2")),
                    _mark(row["ours"], row["gcc -O2"]).said(2),
                )
                for row in rows
            ],
        )
    except Absent as why:
        html += page.absent(why)
    return html + table1.section(measured)


def _published(key: str) -> str:
    return "{} ± {} s".format(*PUBLISHED[key]) if key in PUBLISHED else ""


def _rate(taken: Timing, size: int) -> str:
    return f"{size / taken.least / 1e6:.0f} MB/s{taken.mark}"


chapter = Chapter(
    carry="discarded",
    module="ring",
    paper="A. Dejneka, C. Rhodes: Efficient Hardware Arithmetic in Common Lisp, 2004",
    what="natural integer code, compiled to machine words where that changes no answer",
    published={
        what: (PUBLISHED[key][0] / PUBLISHED["cut"][0],) * 2
        for key, what in COMPARED.items()
        if key in PUBLISHED
    },
    ratios=ratios,
    means=means,
    show=show,
    phases={"md5": md5, "algorithms": algorithms, "table1": table1.count},
    seed="data by Python's random, seed 1",
)
