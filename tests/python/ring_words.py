"""Machine IR, run beside the IR it was made of: what tests of lower, gather and regroup share."""

from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from unittest.mock import patch

import ring_differential
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.compile import WORD_PASSES, plans
from carrychain.ring.emit import llvm
from carrychain.ring.facts.plan import Plan
from carrychain.ring.ir.errors import Trap
from carrychain.ring.ir.form import Module
from carrychain.ring.ir.interface import interface_of
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.lower import module as lowering
from carrychain.ring.machine import form
from carrychain.ring.machine.interpret import MachineInterpreter
from carrychain.ring.machine.verify import verify_module
from quick import quickly
from ring_cases import (
    ASKED,
    COUNTED,
    OPERATIONS,
    PAIRS,
    TYPES,
    UNARY,
    by_count,
    function,
    module_of,
    of_one,
    together,
    values,
)
from ring_programs import Part

MEMORY = "memory"
BLOCKS = 5000  # no program here runs more; a damaged one might for ever


def outcome(call, args: list):
    """What a call yields and its arrays hold then; or how it failed, and where."""
    args = deepcopy(args)
    try:
        found = call(*args)
    except Trap as trap:
        found = trap.message, str(trap.position)
    except MemoryError:
        return MEMORY
    return found, [arg for arg in args if isinstance(arg, list)]


@dataclass
class Case:
    """A module, and arguments to call functions of it with."""

    name: str
    module: Module
    inputs: dict[str, list[list]]
    wanted: dict[str, list] = field(default_factory=dict)
    planned: dict[bool, tuple[Module, dict[str, Plan]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, inputs in self.inputs.items():
            self.wanted[name] = [outcome(Interpreter(self.module).call, [name, *args]) for args in inputs]
        for cut in (True, False):
            work = self.module.copy()
            self.planned[cut] = work, plans(work, cut)

    def words(self, cut: bool):
        work, chosen = self.planned[cut]
        words, signatures, _ = lowering.lower(work, chosen, calls=not cut)
        for change, each in product(WORD_PASSES, words.functions.values()):
            change(each)
        return words, signatures

    def differences(self) -> Iterable[str]:
        """Where the machine IR, cut and uncut, does not do what the IR does."""
        for cut in self.planned:
            words, signatures = self.words(cut)
            verify_module(words)
            for name, inputs in self.inputs.items():
                for args, wanted in zip(inputs, self.wanted[name], strict=True):
                    # globals stay from call to call
                    interpreter = MachineInterpreter(words, signatures, BLOCKS)
                    found = outcome(interpreter.call, [name, *args])
                    if MEMORY not in (found, wanted) and repr(found) != repr(wanted):
                        yield f"{self.name}: {name}{tuple(args)} is {found}, not {wanted}"
                    if interpreter.left():
                        yield f"{self.name}: {name}{tuple(args)} leaves {interpreter.left()} objects"


def of_text(name: str, text: str, inputs: list[list], called: str = "f") -> Case:
    return Case(name, module_of(text), {called: inputs})


def called_f(name: str, texts: list[tuple[str, Iterable]]) -> Case:
    """Functions called f and their inputs, in one module."""
    inputs = {f"f{at}": [list(each) for each in of] for at, (_, of) in enumerate(texts)}
    return Case(name, together([text for text, _ in texts]), inputs)


def some(inputs: Iterable, most: int) -> list[list]:
    """So many, from all over."""
    found = list(map(list, inputs))
    return found[:: max(len(found) // most, 1)]


def random_case(seed: int) -> Case:
    """Parts of an array that is passed as well are arrays of their own: the interpreter lends whole ones."""
    made = ring_differential.made(seed)
    module = made.to_ir()
    interface = interface_of(module.functions[made.name])
    inputs = [interface.arguments(made.name, each, {}) for each in made.inputs]
    return Case(
        f"seed {seed}",
        module,
        {made.name: [[list(arg) if isinstance(arg, Part) else arg for arg in args] for args in inputs]},
    )


def operation(op: str) -> Case:
    """An operation of two integers, of pairs of types, asked for in some ways."""
    is_bool = op in ("eq", "ne", "lt", "le", "gt", "ge")
    texts = []
    for at, (a, b) in enumerate(PAIRS):
        asked = "" if is_bool else ASKED[at % 2 and 1 + at // 2 % 4]
        pairs = [(x, y) for x in values(a) for y in values(b)]
        texts.append((function(f"%x: {a}, %y: {b}", op, "%x, %y", asked, is_bool), some(pairs, 41)))
    return called_f(op, texts)


def unary(op: str) -> Case:
    texts = [(of_one(op, type_, ASKED[at % len(ASKED)]), type_) for at, type_ in enumerate(TYPES)]
    return called_f(op, [(text, [[x] for x in values(type_)]) for text, type_ in texts])


def counted(op: str) -> Case:
    """Shifted or rotated by a variable."""
    pairs = product(TYPES, ("int[0,7]", "u8", "s8", "int[-200,200]", "int[0,127]"))
    texts = [by_count(op, *each, ASKED[at % len(ASKED)], 7) for at, each in enumerate(pairs)]
    return called_f(f"{op} by a variable", texts)


POWERS = [
    (function(f"%x: {a}, %n: int[-2,70]", "expt", "%x, %n", asked),
     [[x, n] for x in values(a)[::3] for n in (-2, -1, 0, 1, 3, 63, 64, 70)])
    for a, asked in zip(("s8", "u64", "s128", "int"), ("low 32", "", "low 64", ""), strict=True)
]  # fmt: skip

BIG_LOOP = """
(defun f (n)
  (declare (type integer n))
  (let ((a 1) (b 1))
    (dotimes (i n) (psetq a b b (+ (* a 12157665459056928801) b)))
    (values a b)))
"""
PRODUCT = """
(defun f (n x)
  (declare (type (unsigned-byte 8) n) (type integer x))
  (let ((s 1))
    (dotimes (i n s) (setq s (* s x)))))
"""
REPLACED = """
(defun f (n x)
  (declare (type (unsigned-byte 8) n) (type integer x))
  (let ((a (make-array 1 :initial-element x)) (s x))
    (dotimes (i n s)
      (let ((old (aref a 0)))
        (setf (aref a 0) (* old 12157665459056928801))
        (incf s old)))))
"""
BIG_ARRAYS = """
(defparameter *kept* #(0 1267650600228229401496703205376))
(defun twice (x n)
  (declare (type integer x) (type (unsigned-byte 8) n))
  (let ((a (make-array n :initial-element x)) (y (+ x x)))
    (setf (aref a 0) y)
    (values y a)))
(defun f (given i n)
  (declare (type simple-vector given) (type integer i) (type (unsigned-byte 8) n))
  (let* ((x (aref given i)) (old (aref *kept* 1)) (sq (* x x)))
    (setf (aref given i) sq (aref *kept* 1) sq)
    (multiple-value-bind (y made) (twice x n)
      (multiple-value-bind (z other) (twice y n)
        (let ((w (aref made 1)))
          (setf (aref other 1) old)
          (values (+ w old) z other))))))
"""
ELEMENTS = """
(defun f (a b i x)
  (declare (type (simple-array (signed-byte 16) (*)) a) (type (simple-array (unsigned-byte 8) (*)) b)
           (type (signed-byte 8) i) (type integer x))
  (let* ((s (* (aref a i) (aref a (+ i 1))))
         (m (logior (ash (aref b i) 24) (ash (aref b (+ i 1)) 16) (ash (aref b (+ i 2)) 8) (aref b (+ i 3)))))
    (setf (aref a (+ i 1)) x)
    (values s m (aref a (+ i 1)) (length a))))
"""
# arrays that are gone when they are made again, and others that are not: passed back, returned, given away
IN_FRAME = """
function @same -> (array(u16)) {
b(%a: array(u16), %n: u8):
  %0: int = const 0
  %c: bool = eq %n, %0
  branch %c, done(), again()
again():
  %1: int = const 1
  %m: int = sub %n, %1
  %b: array(u16) = call @same %a, %m
  return %b
done():
  return %a
}
function @f -> (int, array(u16), array(u16)) {
entry(%n: int[0,9], %k: int[1,4]):
  %0: int = const 0
  %1: int = const 1
  %3: int = const 3
  %9: int = const 9
  %first: array(u16) = new array(u16) %k, %0
  %full: array(u16) = new array(u16) %k, %9
  jump loop(%0, %0, %first)
loop(%i: int, %s: int, %last: array(u16)):
  %more: bool = lt %i, %n
  branch %more, body(), done()
body():
  %here: array(u16) = new array(u16) %k, %0
  %next: array(u16) = new array(u16) %3, %0
  %given: array(u16) = new array(u16) %k, %i
  %odd: int = low 1 %i
  %is: bool = eq %odd, %1
  %either: array(u16) = select %is, %here, %full
  %zero: int = load %here, %0
  %last.k: int = sub %k, %1
  %i1: int = add %i, %1
  store %here, %last.k, %i1
  branch %is, then(%here), then(%full)
then(%there: array(u16)):
  store %next, %1, %i1
  %p: int = load %there, %last.k
  %q: int = load %either, %0
  %r: int = load %last, %0
  %got: array(u16) = call @same %given, %1
  %g: int = load %got, %0
  %len: int = len %here
  %t: int = add %s, %p
  %u: int = add %t, %q
  %v: int = add %u, %r
  %w: int = add %v, %g
  %x: int = add %w, %zero
  %y: int = add %x, %len
  store %given, %0, %3
  jump loop(%i1, %y, %next)
done():
  %made: array(u16) = new array(u16) %3, %0
  store %made, %1, %k
  %again: array(u16) = call @same %made, %1
  %own: array(u16) = new array(u16) %3, %0
  store %own, %0, %k
  return %s, %again, %own
}
"""
# loads at one index plus constants, with a sign and without, some of several bytes
RUN = """
function @f -> (int) {{
b(%a: array(u8), %c: array(u8), %i: {type}):
  %1: int = const 1
  %2: int = const 2
  %7: int = const 7
  %j: int = add %i, %2
  %x: int = load %a, %j
  %k: int = {op} %i, %1
  %y: int = load %a, %k
  %l: int = add %7, %i
  %z: int = load_be 32 %a, %l
  %w: int = load %a, %i
  %m: int = add %i, %7
  %v: int = load %c, %m
  %u: int = load %c, %k
  %s: int = add %x, %y
  %t: int = add %z, %w
  %q: int = mul %u, %v
  %r: int = add %s, %t
  %o: int = add %r, %q
  return %o
}}
"""
# an index that a word's end lies between: it is no run with the others
AROUND = """
(defun f (a i)
  (declare (type (simple-array (unsigned-byte 8) (*)) a) (type (unsigned-byte 8) i))
  (+ (aref a i) (aref a (ldb (byte 8 0) (+ i 1))) (aref a (ldb (byte 8 0) (+ i 5)))))
"""
STORED = """
(defun f (a i)
  (declare (type (simple-array (unsigned-byte 8) (*)) a) (type (unsigned-byte 8) i))
  (let ((x (aref a i)))
    (setf (aref a i) 9)
    (+ x (aref a (+ i 1)))))
"""
LONG_SUM = """
(defun f (a b c n)
  (declare (type (unsigned-byte 32) a b) (type (signed-byte 64) c) (type (integer 0 100) n))
  (let ((x a) (y b) (k 3614090360))
    (dotimes (i n)
      (let* ((f1 (logxor x y)) (f2 (* f1 x)) (f3 (logior f2 b)) (f4 (- f3 y)) (f6 (logxor (* f4 f1) k))
             (f8 (logeqv (lognand f6 f2) f3)) (e (+ x c)))
        (psetq x (ldb (byte 32 0) (+ e i))
               y (ldb (byte 32 0) (+ f8 (+ (+ e (- y b)) k) 77777)))))
    (values x y)))
"""
STRIP = """
(defun f (i n b)
  (declare (type (signed-byte 32) i n) (type integer b))
  (let ((s 0) (j i))
    (loop (incf j {step})
          (setq s (ldb (byte 32 0) (+ (* s 31) (- j {step}))))
          (unless ({op} j n) (return (values j (+ s b)))))))
"""
# entered only before its bound
GUARDED = """
(defun f (i n)
  (declare (type (unsigned-byte 32) i n))
  (let ((s 0) (j i))
    (when (< i n)
      (setq s (logxor i n))
      (loop (setq s (logxor s j))
            (incf j)
            (unless (< j n) (return))))
    s))
"""
CALLS = """
(defun inner (n m)
  (declare (type (integer -5 300) n) (type integer m))
  (if (<= n 0)
      (values 1 -1 (<= n 0))
      (multiple-value-bind (r d e) (inner (- n 1) m) (values (* r m) (- d 1) e))))
(defun f (x m)
  (declare (type integer x) (type (signed-byte 64) m))
  (multiple-value-bind (r d e) (inner x m) (values r (if e d 3) (* d r))))
"""
MADE = """
array @table: array(u16) = 3 5 65535
array @wide: array(u128) = 1 2 3
function @f -> (int, int, int, array(s64), array(u128)) {
b(%n: int, %x: int, %i: int[0,3], %s: s8):
  %0: int = const 0
  %1: int = const 1
  %t: array(u16) = global @table
  %y: int = load %t, %i
  %a: array(s64) = new array(s64) %n, %x
  %w: array(u128) = new array(u128) %s, %y
  %m: int = mul %y, %x
  store %w, %0, %m
  %z: int = load %w, %1
  %v: int = load %a, %1
  %l: int = len %a
  %r: int = add %l, %z
  %k: bool = lt %v, %0
  %h: bool = not %k
  branch %h, yes(), no()
yes():
  return %r, %v, %y, %a, %w
no():
  return %v, %r, %y, %a, %w
}
"""


def by_hand() -> list[Case]:
    big = [0, 1, -1, 1 << 61, 1 << 62, -(1 << 62), -(1 << 62) - 1, 1 << 64, 3**90, -(3**90)]
    shorts, octets = [-5, 300, -(1 << 15), 7], list(range(250, 256))
    stored = (0, -1, 1 << 15, (1 << 15) - 1, -(1 << 15), 1 << 70)
    places = ((0, 2), (1, 5), (2, 2), (0, 1))
    cases = [
        of_text("values around a loop", BIG_LOOP, [[n] for n in (0, 1, 2, 5, 6, 7, 9)]),
        of_text("replaced elements", REPLACED, [[n, x] for n in (0, 1, 2, 5) for x in (1, 3**90)]),
        of_text(
            "arrays of values", BIG_ARRAYS, [[[x, y], *at] for x in big for y in big[::4] for at in places]
        ),
        of_text(
            "elements",
            ELEMENTS,
            [[shorts, octets, i, x] for i in (-128, -2, -1, 0, 1, 2, 3, 4, 127) for x in stored],
        ),
        of_text(
            "around a word's end",
            AROUND,
            [[list(range(n)), i] for n in (0, 1, 5, 250, 252, 254) for i in (0, 4, 248, 249, 253, 255)],
        ),
        of_text(
            "a store between loads", STORED, [[[1] * n, i] for n in (0, 1, 2, 3) for i in (0, 1, 2, 255)]
        ),
        of_text(
            "a long sum",
            LONG_SUM,
            [[7, (1 << 32) - 1, c, n] for c in (-5, 0, 1 << 62) for n in (0, 1, 3, 9)],
        ),
        of_text(
            "a product",
            PRODUCT,
            [[n, x] for n in (0, 1, 2, 3, 5) for x in (-3, 7, 3 << 30, -(3 << 61), 1 << 70)],
        ),
        of_text("calls", CALLS, [[x, m] for x in (-6, -5, 0, 1, 9, 30, 301) for m in (0, 3, -3, 1 << 62)]),
        of_text(
            "arrays made",
            MADE,
            [
                *([n, x, 1, 2] for n in (-1, 2, 0, 1 << 70, -(1 << 70)) for x in (-5, 9, 1 << 63)),
                *([2, x, i, s] for x in (-(1 << 63), (1 << 63) - 1) for i in (0, 2, 3) for s in (-1, 1, 3)),
            ],
        ),
        of_text("arrays in the frame", IN_FRAME, [[n, k] for n in (0, 1, 2, 5, 9) for k in (1, 2, 4)]),
        of_text("a strip with a guard", GUARDED, [[i, i + n] for i in (0, 5, 1 << 31) for n in (0, 1, 40)]),
        called_f("powers", POWERS),
    ]
    for type_, op in (("s32", "sub"), ("u32", "sub"), ("u8", "add"), ("u64", "add"), ("s8", "sub")):
        text = RUN.format(type=type_, op=op)
        of = module_of(text).functions["f"].params[2].type
        ends = [i for i in (*range(-9, 14), of.low, of.high, of.high - 7, 126) if i in of]
        arrays = [(list(range(n)), list(range(m))) for n, m in ((0, 9), (11, 11), (14, 9), (14, 13))]
        cases.append(of_text(f"a run at {type_}", text, [[*both, i] for both in arrays for i in ends]))
    for step, op in ((1, "<"), (3, "<="), (-1, ">"), (-2, ">=")):
        ends = (-7, -1, 0, 2, 40, 41, 42)
        text = STRIP.format(step=step, op=op)
        cases.append(of_text(f"a strip by {step}", text, [[i, n, 3**90] for i in ends for n in ends]))
    return cases


@cache
def machine_cases() -> tuple[Case, ...]:
    """What shows each way of what emit prints: no loops that may not end, nor globals that change."""
    shown = ("elements", "arrays made", "arrays in the frame", "a run", "a product", "calls")
    most = [case for case in by_hand() if case.name.startswith(shown)]
    return *most, *map(operation, ("fdiv", "ior", "lt", "mul")), unary("neg"), unary("low 100")


@cache
def cases() -> tuple[Case, ...]:
    """Every operation, by hand what operations alone don't show, and random programs."""
    return (
        *by_hand(),
        *map(operation, OPERATIONS),
        *map(unary, UNARY),
        *map(counted, COUNTED),
        *(random_case(kind * ring_differential.BATCH + at) for kind in range(2) for at in range(12)),
    )


def of_machine_code(case: Case) -> Iterable[str]:
    """Where machine code, which nothing was done to make fast, does not do what the IR does."""
    with patch.object(llvm, "machine_code", quickly):
        programs = [compile_module(case.module, cut) for cut in (True, False)]
    for name, inputs in case.inputs.items():
        for args, wanted in zip(inputs, case.wanted[name], strict=True):
            for program in programs:
                try:
                    found = outcome(lambda *args, p=program: _tuple(p.call(*args)), [name, *args])
                except OverflowError:
                    # an argument is refused before the call, in other words
                    continue
                if MEMORY not in (found, wanted) and repr(found) != repr(wanted):
                    yield f"{case.name}: {name}{tuple(args)} is {found}, not {wanted}"


def _tuple(values) -> tuple:
    return values if isinstance(values, tuple) else (values,)


def difference(
    cases: Iterable[Case], differences: Callable[[Case], Iterable[str]] = Case.differences
) -> str | None:
    """The first case that is not as it should be: what it does, or that it cannot be run at all."""
    for case in cases:
        try:
            found = next(iter(differences(case)), None)
        except Exception as failure:
            found = f"{case.name}: {type(failure).__name__}: {failure}"
        if found:
            return found
    return None


def ops(words: form.MachineModule) -> list[str]:
    return [op.op for function in words.functions.values() for op in function.ops()]
