"""Random Python programs, run by CPython and through `carrychain.jit`: the same results or the same
exceptions at the same lines, and the same left behind. What differs is made smaller and written as a file
for tests/python/jit_found. What CPython does with them is compared with the walker (python_walker.py), which
also says what annotations mean.

    python tests/python/jit_differential.py --programs 40000

Each program has a number, its seed: --first says where to begin, so that one run can be shared between
several machines or go on where another was ended by Ctrl-C, which says where. A program that the compiler
refuses is counted by the reason. --way interpreted tries the front end alone: what it makes is interpreted.
--way words compiles as always, but for LLVM, and interprets the machine IR, in a third of the time; with
--of 8, one program in eight goes through LLVM all the same.
"""

from __future__ import annotations

import array
import faulthandler
import functools
import linecache
import math
import os
import random
import re
import signal
import sys
import tempfile
import traceback
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import differential
import exact
import jit_interpreted
import jit_words
import numpy as np
import python_walker
from carrychain.ring.call.jit.annotations import WIDTHS
from carrychain.ring.ir import interpret
from carrychain.ring.ir.errors import CheckError, Refused, SourceError
from jit_programs import features, program
from jit_shrink import smallest

BATCH = 20  # programs in a row in one process
SLOW = 120  # seconds, a hundred times what a program takes: then it is shown where it is
SOON = 4  # seconds of the processor, which a program that was made smaller may take
CALLERS = 32  # that a traceback has at least, where there are more
MANY = 0.10  # of programs: refusals that are said loudly
FOUND = Path(__file__).parent / "jit_found"
Ways = Callable[[int], Callable | types.ModuleType]  # each program's jit
PACKAGE = Path(sys.modules["carrychain"].__file__).parent
CALLING = {__file__, jit_interpreted.__file__, jit_words.__file__}  # whose frames are not the program's
REFUSED = "refused"  # for want of a witness


def uncompiled(function):
    """A decorator that leaves it to CPython."""
    return function


@dataclass
class Told:
    """What came of programs."""

    calls: int = 0
    raised: int = 0
    programs: int = 0
    features: Counter = field(default_factory=Counter)
    refused: Counter = field(default_factory=Counter)  # programs, by reason
    refused_calls: int = 0
    messages: Counter = field(default_factory=Counter)  # pairs of an exception's, CPython's and ours
    declared: int = 0  # calls that raise what only annotations say
    outcomes: int = 0  # that are not the one of the program's call before

    def __add__(self, other: Told) -> Told:
        return Told(**{name: value + getattr(other, name) for name, value in vars(self).items()})


@dataclass(frozen=True)
class Difference:
    """`call` is its number, None where the module could not be loaded."""

    how: str
    call: int | None
    wanted: object
    got: object

    def __str__(self) -> str:
        return self.how


class Endless(BaseException):
    """A program that was made smaller does not end."""


def execute(text: str, names: dict) -> None:
    exec(compile(text, names["__file__"], "exec", dont_inherit=True), names)


class Loaded:
    """A program's module, its functions decorated by `jit`, executed by CPython or by the walker."""

    def __init__(self, path: Path, jit: Callable | types.ModuleType, execute: Callable = execute):
        # a module of that name is there for whoever looks where a function is from
        self.module = types.ModuleType(path.stem)
        self.names = vars(self.module)
        self.names.update(
            __file__=str(path),
            jit=uncompiled if hasattr(jit, "entry") else jit,
            array=array.array,
            np=np,
            math=math,
            reduce=functools.reduce,
            **WIDTHS,
        )
        sys.modules[path.stem] = self.module
        execute(path.read_text(), self.names)
        self.entry = getattr(jit, "entry", jit)(self.names["entry"])
        self.declared = False  # of the last call: it raised what annotations alone say

    def call(self, before: str, args: tuple[str, ...]):
        """What the call comes to; a SourceError is not caught."""
        self.declared = False
        exec(written(before, "exec"), self.names)
        tools = {"array": array.array, "np": np, "state": self.names["state"]}
        held: dict = {}
        for at, arg in enumerate(args):
            held[f"a{at}"] = eval(written(arg, "eval"), {**tools, **held})
        # what `args` and the shared hold is compared first: what is returned may be one of them
        seen: dict[int, int] = {}
        left = lambda: (described(tuple(held.values()), seen), described(self.names["state"](), seen))  # noqa: E731
        try:
            result = self.entry(*held.values())
        except SourceError:
            raise
        except Exception as exception:
            self.declared = getattr(exception, "declared", False)
            return ("raised", *raised(exception, self.names["__file__"])), left()
        after = left()
        return ("returned", described(result, seen)), after


def raised(exception: Exception, walked: str) -> tuple:
    """Its type, the line that raised it, its arguments, and the lines on the way there."""
    lines = getattr(exception, "walked", None)
    if lines is not None:
        return type(exception).__name__, (walked, lines[-1]) if lines else None, exception.args, lines
    # only the program's own frames and the last one count: the way into it is ours
    frames = []
    at = exception.__traceback__
    while at is not None:
        file = at.tb_frame.f_code.co_filename
        if file not in CALLING:
            frames.append((file, at.tb_lineno))
        at = at.tb_next
    where = frames[-1] if frames else None
    return type(exception).__name__, where, exception.args, [line for _, line in frames]


@functools.lru_cache(maxsize=1 << 12)
def written(text: str, mode: str) -> types.CodeType:
    """What a program has as text, for `eval` or `exec`: each of its modules runs it."""
    return compile(text, "<string>", mode)


def described(value, seen: dict[int, int]):
    """A value and its type, deeply; of memory that was there before, which it is."""
    kind = type(value).__name__
    match value:
        case tuple():
            return kind, tuple(described(each, seen) for each in value)
        case list() | bytearray() | array.array() | np.ndarray() | memoryview():
            if id(value) in seen:
                return "the same", seen[id(value)]
            seen[id(value)] = len(seen)
            match value:
                case list():
                    return kind, [described(each, seen) for each in value]
                case bytearray():
                    return kind, bytes(value)
                case array.array():
                    return kind, value.typecode, value.tolist()
                case memoryview():
                    return kind, value.format, value.readonly, value.tolist()
            return kind, value.dtype.str, value.tolist()
    return kind, value


def difference(wanted, got, frames: bool = False) -> str | None:
    """In what two outcomes differ, in words; None if they agree. What a message says is not looked at,
    but for the program's own; the frames on the way to an exception, if that is wanted."""
    (way, *result), left = wanted
    (got_way, *got_result), got_left = got
    if way != got_way:
        return f"{way}, not {got_way}"
    if way == "returned" and result != got_result:
        return "result"
    if way == "raised":
        type_, where, args, lines = result
        got_type, got_where, got_args, got_lines = got_result
        if type_ != got_type:
            return "exception"
        if where != got_where and not excused(result, got_where):
            return "line"
        if frames and where == got_where and type_ != "RecursionError" and not same_way(lines, got_lines):
            return "frames"
        if (type_ == "AssertionError" or "own" in str(args)) and args != got_args:
            return "message"
    if left != got_left:
        return "left behind"
    return None


def same_way(wanted: list[int], got: list[int]) -> bool:
    """Whether a traceback has these lines; of many, those that it keeps."""
    return got == wanted or (len(got) > CALLERS and wanted[-CALLERS:] == got[-CALLERS:])


def excused(wanted: list, got: tuple) -> bool:
    """Whether an exception may be from this line, though it is not CPython's."""
    type_, where, _, lines = wanted
    if type_ == "RecursionError" and (not got or got[0] == interpret.__file__):
        # an interpreter's own, which knows no line of the program's
        return True
    if not where or not got or where[0] != got[0]:
        return False
    if type_ == "RecursionError":
        # how deep it goes differs; of the calls on the way there it is one
        return got[1] in lines
    # a name is loaded together with what was done just before, and that line said; a branch that is never
    # taken may stand between
    return type_ == "UnboundLocalError" and 0 < got[1] - where[1] < 20


def reason(refusal: SourceError) -> str:
    """Why, for whatever names and numbers."""
    text = refusal.message
    return re.sub(r"\b[a-zA-Z]{1,2}[0-9]\b|\b[pqrsijkxywbn]\b", "_", re.sub(r"-?\b(0x)?[0-9]+\b", "N", text))


def compared(
    path: Path, jit: Callable | types.ModuleType, only_differences: bool = False
) -> tuple[list[Difference], Told]:
    """A program's calls, by CPython, by the walker and by `jit`: the first that differs ends it."""
    told = Told(programs=1)
    if not only_differences:
        told.features = Counter(features(path.read_text()))
    try:
        plain, walked = Loaded(path, uncompiled), None
        try:
            ours = Loaded(path, jit)
        except SourceError as refusal:
            told.refused[reason(refusal)] += 1
            return [], told
        except Exception as failure:
            return [Difference("the compiler failed", None, None, failed(failure))], told
        widths = jit in (exact.jit, jit_words)  # are looked at
        # what is known to be wrong is compared with CPython alone
        if widths or not only_differences:
            walked = Loaded(path, python_walker.jit if widths else uncompiled, python_walker.execute)
        return [*islice(differences(plain, walked, ours, told, jit is exact.jit), 1)], told
    finally:
        sys.modules.pop(path.stem, None)
        linecache.cache.pop(str(path), None)


def differences(
    plain: Loaded, walked: Loaded | None, ours: Loaded, told: Told, frames: bool
) -> Iterator[Difference]:
    before = None
    for at, (change, args) in enumerate(plain.names["CALLS"]):
        try:
            got = ours.call(change, args)
        except SourceError as refusal:
            # nothing was done: neither is it here
            told.refused_calls += 1
            if not told.refused:
                told.refused[reason(refusal)] += 1
            for other in (plain, walked) if walked else (plain,):
                exec(written(change, "exec"), other.names)
            continue
        meant = walked.call(change, args) if walked else None
        if walked and walked.declared:
            told.declared += 1
            _, _, where, said, _ = meant[0]
            how = difference(meant, got) or (said != got[0][3] and "message")
            if how:
                yield Difference(f"declared: {how}", at, meant, got)
            if where:
                # it was left in the middle, where CPython goes on
                return
            exec(written(change, "exec"), plain.names)
            continue
        wanted = plain.call(change, args)
        how = walked and difference(wanted, meant, True)
        if how:
            yield Difference(f"walked: {how}", at, wanted, meant)
        told.calls += 1
        told.raised += wanted[0][0] == "raised"
        told.outcomes += wanted != before
        before = wanted
        how = difference(wanted, got, frames)
        if how:
            if got[0][0] == "raised":
                if got[0][1] in (Refused.__name__, CheckError.__name__):
                    how = REFUSED
                elif got[0][2] and got[0][2][0].startswith(str(PACKAGE)):
                    how = "the compiler failed"
            yield Difference(how, at, wanted, got)
        if wanted[0][0] == "raised":
            (_, type_, _, args, _), (_, _, _, got_args, _) = wanted[0], got[0]
            if args != got_args:
                told.messages[f"{type_}: {plain_words(args)}  ours: {plain_words(got_args)}"] += 1


def plain_words(args: tuple) -> str:
    return re.sub(r"-?\b[0-9]+\b", "N", re.sub(r"'[a-z]+[0-9]?'", "'_'", ", ".join(map(str, args))))


def failed(failure: Exception) -> str:
    return "".join(traceback.format_exception(failure)[-3:])


def compiler(way: str, of: int, seed: int) -> Callable | types.ModuleType:
    """The way of a program; one of so many is compiled whatever the way."""
    if way == "compiled" or (of and not random.Random(f"way {seed}").randrange(of)):
        return exact.jit
    return jit_words if way == "words" else jit_interpreted


def batch(seeds: range, folder: Path, way: Ways) -> tuple[list[tuple[int, Difference]], Told]:
    """The programs that differ, each with the first way it does; and what came of them all."""
    differing, told = [], Told()
    for seed in seeds:
        path = folder / f"program{seed}.py"
        path.write_text(program(seed))
        faulthandler.dump_traceback_later(SLOW)
        found, one = compared(path, way(seed))
        faulthandler.cancel_dump_traceback_later()
        path.unlink()
        differing += [(seed, each) for each in found]
        told += one
    return differing, told


def shrunk(text: str, found: Difference, folder: Path, jit: Callable | types.ModuleType) -> str:
    """The smallest text that differs in that way; with what it comes to as comments."""

    def differs(trial: str) -> Difference | None:
        path = folder / f"smaller{os.getpid()}.py"
        path.write_text(trial)
        signal.setitimer(signal.ITIMER_PROF, SOON)
        try:
            differences, _ = compared(path, jit, only_differences=True)
        except (Exception, Endless):
            # no program any more
            return None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            path.unlink()
        return next((each for each in differences if alike(each, found)), None)

    def ended(*_):
        raise Endless

    before = signal.signal(signal.SIGPROF, ended)
    try:
        text = smallest(text, lambda trial: differs(trial) is not None)
        last = differs(text) or found
    finally:
        signal.signal(signal.SIGPROF, before)
    lines = [f"# {last.how}", f"# CPython: {last.wanted}", f"# ours: {last.got}"]
    return "\n".join([*(line.replace("\n", "\n# ")[:2000] for line in lines), text, ""])


def alike(a: Difference, b: Difference) -> bool:
    """Whether they are of one kind, as far as can be told."""

    def said(outcome) -> list:
        return [outcome[0][:2] if outcome[0][0] == "raised" else ""] if isinstance(outcome, tuple) else []

    return a.how == b.how and said(a.wanted) == said(b.wanted) and said(a.got) == said(b.got)


def summary(told: Told, wrong: Counter) -> str:
    programs = told.programs
    lines = [f"{count / programs:7.1%}  {feature}" for feature, count in told.features.most_common()]
    lines.append(f"{told.raised / max(told.calls, 1):7.1%}  of {told.calls} calls raise an exception")
    lines.append(f"{told.outcomes / max(told.calls, 1):7.1%}  come to something else than the call before")
    if told.messages:
        lines.append(f"{told.messages.total()} messages differ, the most frequent:")
        lines += [f"{count:7}  {message}" for message, count in told.messages.most_common(12)]
    refused = told.refused.total()
    if refused:
        lines.append(
            f"{refused / programs:7.1%}  of programs are refused some kinds of arguments, the most for:"
        )
        lines += [f"{count / programs:7.2%}  {message}" for message, count in told.refused.most_common(25)]
    lines += [f"{count:7} differ: {how}" for how, count in wrong.most_common()]
    lines.append(f"{told.declared} calls raise what only annotations say")
    lines.append(f"{told.refused_calls} calls are of what the compiler does not take")
    if refused > MANY * programs:
        lines.append(f"TOO MANY REFUSED: {refused / programs:.1%} of the programs")
    unshown = wrong[REFUSED]
    lines.append(
        f"{programs} programs, {told.calls} inputs, {wrong.total() - unshown} differences, {unshown} refused"
    )
    return "\n".join(lines)


def driven(way: Ways, seeds: range) -> tuple[list[tuple[int, Difference]], Told]:
    warnings.simplefilter("ignore")
    # a difference, too: it would be compiled on big integers
    warnings.simplefilter("error", Refused)
    with tempfile.TemporaryDirectory(prefix="jit-differential-") as folder:
        return batch(seeds, Path(folder), way)


def kept(way: Ways, seed: int, found: Difference | str) -> None:
    """Writes the smallest program like it; if the process ends on the way, the program as it is."""
    FOUND.mkdir(exist_ok=True)
    text = program(seed)
    (FOUND / f"{seed}.py").write_text(text)
    if isinstance(found, Difference):
        with tempfile.TemporaryDirectory(prefix="jit-differential-") as folder:
            text = shrunk(text, found, Path(folder), way(seed))
        (FOUND / f"{seed}.py").write_text(text)


def main() -> None:
    parser = differential.parser(__doc__, 40_000)
    parser.add_argument("--way", choices=("compiled", "words", "interpreted"), default="compiled")
    parser.add_argument("--of", type=int, default=0, help="one in so many is compiled whatever the way")
    options = parser.parse_args()
    sys.set_int_max_str_digits(0)
    last = options.first + options.programs
    batches = [range(first, min(first + BATCH, last)) for first in range(options.first, last, BATCH)]
    way = functools.partial(compiler, options.way, options.of)
    work, keep = (functools.partial(each, way) for each in (driven, kept))
    differential.drive(options, batches, work, keep, summary)


if __name__ == "__main__":
    main()
