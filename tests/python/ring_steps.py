"""How many steps the compiler takes over programs that grow: a pass that takes more than linearly many shows.

    python tests/python/ring_steps.py [--size N] [SHAPE...]

says of each shape, or of these, which functions do; of those in LINEAR none does, and a test holds it there.

A shape is a program of so many statements of one kind. A step is a line of the package's that is run, each
round of a comprehension one of its own; so the count is the same on every machine. Of each of the package's
functions it is asked how many more steps it takes from N statements to 2 N, and from there to 4 N: if it is
linear, twice as many. What C does in one step (a slice, a union of sets) is not counted.
"""

import argparse
import linecache
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import CodeType, FrameType, FunctionType

import carrychain.ring
from carrychain.ring.call.jit.narrowed import joined, with_narrowed
from carrychain.ring.compile import WORD_PASSES, plans
from carrychain.ring.emit.module import ModuleText
from carrychain.ring.facts import ranges, transfer
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.front.python.module import lower_function
from carrychain.ring.ir.form import INT, Module
from carrychain.ring.lower.module import lower
from carrychain.ring.trust import bounds, check

PACKAGE = str(Path(carrychain.ring.__file__).parent)
SIZE = 16  # statements of the smallest of the three programs
MOST = 2.5  # times as many further steps, where linear is 2, and n log n up to 2.4
FEW = 1500  # further steps of a function: of so few nothing is said


def lisp(body: str, params: str = "x y", before: str = "", type_: str = "(unsigned-byte 32)") -> Module:
    return module_of(f"{before}(defun f ({params}) (declare (type {type_} x y)) {body})")


def python(lines: list[str]) -> Module:
    """Of a function of two ints, compiled as `jit` does."""
    file = f"<{len(lines)} lines>"
    text = "\n".join(["def f(x, y):", *(f"    {line}" for line in lines)]) + "\n"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    names: dict = {}
    exec(compile(text, file, "exec"), names)
    function: FunctionType = names["f"]
    lowered = lower_function(function, (INT, INT))
    return with_narrowed(joined(lowered).module, lowered.entry)


def each(n: int, form: str) -> str:
    """The form so many times; `{k}` in it is a number, each time another, and `{j}` the one before."""
    return " ".join(form.replace("{k}", str(k)).replace("{j}", str(k - 1)) for k in range(1, n + 1))


SUM = "(setf x (ldb (byte 32 0) (+ (logxor x {k}) y)))"
INLINED = (
    "(declaim (inline g)) (defun g (a b) (declare (type (unsigned-byte 32) a b)) (if (< a b) (- b a) a))"
)
BYTES = "(a (make-array 8 :element-type '(unsigned-byte 8) :initial-element 7))"
ARRAY = (
    "(let ((a (make-array 2 :initial-element x)))"
    " (setf (aref a 1) y) (setf x (logxor (aref a 0) (aref a 1) {k})))"
)
STORED = "(setf (aref a (logand x 7)) (logand y 255)) (setf x (logxor x (aref a (logand y 7)) {k}))"


def times(form: str, end: str = "x", **others: str) -> Callable[[int], Module]:
    """The form so many times, and what it comes to."""
    return lambda n: lisp(f"{each(n, form)} {end}", **others)


SHAPES: dict[str, Callable[[int], Module]] = {
    "a chain": times(SUM),
    "a chain of integers of any size": times("(setf x (+ (* x y) {k}))", type_="integer"),
    "an expression": lambda n: lisp(each(n, "(logxor y (+ x ") + "x" + "))" * n),
    "independent lines": lambda n: lisp(
        f"(let ({each(n, '(v{k} (logand (* x {k}) (+ y {k})))')}) (logxor {each(n, 'v{k}')}))"
    ),
    "variables around a loop": lambda n: lisp(
        f"(let ({each(n, '(v{k} {k})')}) (dotimes (i 9)"
        f" {each(n, '(setf v{k} (ldb (byte 32 0) (+ v{k} x i)))')}) (logxor {each(n, 'v{k}')}))"
    ),
    "counters without an end": lambda n: lisp(
        f"(let ({each(n, '(v{k} 0)')}) (loop while (< (incf x) y) do {each(n, '(incf v{k} {k})')})"
        f" (logxor {each(n, 'v{k}')}))"
    ),
    "loops": times(f"(dotimes (i 9) {SUM})"),
    "loops to a bound": lambda n: lisp(
        "(let ((s 0)) " + each(n, "(loop for i from {k} below y do (incf s i))") + " s)"
    ),
    "loops that narrow": times(
        "(dotimes (i 9) (setf x (ldb (byte 32 0) (logxor (ash x -3) i))))", type_="integer"
    ),
    "conditionals": times("(when (< x {k}) (setf x (+ y {k})))"),
    "conditionals of many variables": lambda n: lisp(
        f"(let ({each(n, '(v{k} (logand x {k}))')}) {each(n, '(when (< v{k} y) (setf v{k} {k}))')}"
        f" (logxor {each(n, 'v{k}')}))"
    ),
    "conditions one within another": lambda n: lisp(each(n, "(if (< x (+ y {k}))") + " 1" + " 2)" * n),
    "a conditional of many ways": lambda n: lisp(f"(cond {each(n, '((= x {k}) (+ y {k}))')} (t 0))"),
    "early ends": times("(when (> x (* y {k})) (return-from f {k}))", "0"),
    "checks": times("(setf x (the (unsigned-byte 32) (+ x {k})))"),
    "checks of many": lambda n: lisp(
        f"(let* ({each(n, '(v{k} (the (integer 0 {k}) (- x {k})))')})"
        f" {each(n, '(when (< y v{k}) (incf x))')} x)"
    ),
    "calls": times("(setf x (g x {k}))", before="(defun g (a b) (if (= a b) 1 (g b a)))"),
    "inlined calls": times("(setf x (g x {k}))", before=INLINED),
    "functions": lambda n: lisp(
        f"(g{n} x y)", before="(defun g0 (a b) (+ a b))" + each(n, "(defun g{k} (a b) (+ (g{j} b a) {k}))")
    ),
    "small arrays": times(ARRAY),
    "values from small array to small array": times(
        "(let ((a (make-array 2 :initial-element x))) (setf x (aref a 1) y (logxor x y)))", "y"
    ),
    "facts about 0": lambda n: lisp(
        f"(let ({BYTES.replace('8', '(+ x 9)', 1)} {each(n, '(v{k} (logand (+ x {k}) 255))')})"
        f" {each(n, '(unless (< 2 v{k} 9) (return-from f {k}))')} {each(n, '(incf y (aref a v{k}))')} y)"
    ),
    "elements": lambda n: lisp(f"(let ({BYTES}) {each(n, STORED)} x)"),
    "joined bytes": lambda n: lisp(
        f"(let ({BYTES}) "
        + each(n, "(setf x (logxor x (logior (aref a 0) (ash (aref a 1) 8))) (aref a (logand x 7)) 9)")
        + " x)"
    ),
    "rotations": times(
        "(setf x (ldb (byte 32 0) (logior (ash (logxor x y) {k}) (ash (logxor x y) (- {k} 32)))))"
    ),
    "products in parts": times(
        "(setf x (ldb (byte 64 0) (ash (+ (* x y) (* y (logxor x {k})) ) -64)))", type_="(unsigned-byte 64)"
    ),
    "values": times("(multiple-value-setq (x y) (floor x (+ (logand y {k}) 1)))", "(values x y)"),
    "Python: a chain": lambda n: python([*(f"x = (x ^ {k}) + y & 0xFFFFFFFF" for k in range(n)), "return x"]),
    "Python: integers of any size": lambda n: python([*(f"x = x * y + {k}" for k in range(n)), "return x"]),
    "Python: conditionals": lambda n: python([*(f"if x < {k}: x = y + {k}" for k in range(n)), "return x"]),
    "Python: loops": lambda n: python(
        [*(line for k in range(n) for line in (f"for i in range({k}, 99):", "    x += i")), "return x"]
    ),
    "Python: variables": lambda n: python(
        [
            *(f"v{k} = x & {k}" for k in range(n)),
            "for i in range(9):",
            *(f"    v{k} += y" for k in range(n)),
            f"return {' ^ '.join(f'v{k}' for k in range(n))}",
        ]
    ),
    "Python: lists": lambda n: python(
        ["a = [x, y]", *(f"a[{k % 2}] = a[0] + {k}" for k in range(n)), "return a[1]"]
    ),
}  # fmt: skip


# What every function of the package takes linearly many steps over; and what these do.
LINEAR = {
    **dict.fromkeys((
        "a chain", "a chain of integers of any size", "an expression", "loops", "loops that narrow",
        "conditionals", "a conditional of many ways", "calls", "checks", "functions", "small arrays",
        "values from small array to small array", "elements", "joined bytes", "values", "Python: a chain",
        "Python: integers of any size", "Python: conditionals", "Python: lists",
    ), ""),
    # what is known of each value is more known in each block behind it
    "facts about 0": "order.py",
}  # fmt: skip


def steps(make: Callable[[], Module]) -> Counter[CodeType]:
    """How many steps each function takes to make a program into LLVM's text."""
    found: Counter[CodeType] = Counter()

    def line(frame: FrameType, event: str, _):
        if event == "line":
            found[frame.f_code] += 1
        return line

    def call(frame: FrameType, event: str, _):
        return line if frame.f_code.co_filename.startswith(PACKAGE) else None

    # what was found out for another program is none of this one's
    joins = (transfer.union, transfer.intersection, ranges.related)
    for cached in (*joins, ranges._transferred, check._computed, bounds._logic_ends):
        cached.cache_clear()
    before = sys.gettrace()
    sys.settrace(call)
    try:
        module = make()
        for cut in (True, False):
            work = module.copy()
            words = lower(work, plans(work, cut), calls=not cut).module
            for change, function in product(WORD_PASSES, words.functions.values()):
                change(function)
            ModuleText(words).emit()
    finally:
        sys.settrace(before)
    return found


def growing(shape: Callable[[int], Module], size: int = SIZE) -> Iterator[tuple[str, float, int]]:
    """The functions that take more than linearly many steps, the most first: how many times as many further
    ones, and how many these are."""
    one, two, four = (steps(lambda n=n: shape(n)) for n in (size, 2 * size, 4 * size))
    for code, count in four.most_common():
        further, before = count - two[code], two[code] - one[code]
        if further > FEW and further > MOST * before:
            file = Path(code.co_filename).relative_to(PACKAGE)
            yield f"{file}:{code.co_firstlineno} {code.co_qualname}", further / max(before, 1), further


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    for name in options.shapes or SHAPES:
        print(f"{name}:", flush=True)
        for where, times, further in growing(SHAPES[name], options.size):
            print(f"    {times:5.2f} times, {further} steps: {where}", flush=True)


if __name__ == "__main__":
    main()
