"""Every Lisp function of the compile-time evaluator on drawn arguments, beside SBCL.

Where both give values, the values are the same. What one of them refuses is not compared: the evaluator
knows less than a Lisp, and does not look for arguments that the standard leaves undefined.
"""

import re
import struct
import subprocess
from fractions import Fraction

import draws
from carrychain.ring.front.lisp import limits
from carrychain.ring.front.lisp.data import NIL, ByteSpec, Character, Cons, Symbol, Vector
from carrychain.ring.front.lisp.expand import Scope
from carrychain.ring.front.lisp.library import FUNCTIONS, MultipleValues
from carrychain.ring.front.lisp.module import World, deep
from carrychain.ring.front.lisp.reader import Reader
from carrychain.ring.ir.errors import SourceError
from sbcl import needs_sbcl

# What reads, names or changes the world; what the two print differently; what is a call of something else.
APART = {
    "READ", "READ-CHAR", "PEEK-CHAR", "UNREAD-CHAR", "READ-FROM-STRING", "READ-DELIMITED-LIST",
    "READ-PRESERVING-WHITESPACE", "SET-MACRO-CHARACTER", "SET-DISPATCH-MACRO-CHARACTER", "COPY-READTABLE",
    "GENSYM", "MAKE-SYMBOL", "INTERN", "FIND-SYMBOL", "FIND-PACKAGE", "SYMBOL-PACKAGE", "SYMBOL-NAME", "GET",
    "SYMBOL-VALUE", "BOUNDP", "FBOUNDP", "SYMBOL-FUNCTION", "FDEFINITION", "MACRO-FUNCTION", "MACROEXPAND",
    "MACROEXPAND-1", "EVAL", "ERROR", "FUNCALL", "APPLY", "SLDB", "ROTATE-BYTE",
    # the C library's last bit
    "SIN", "COS", "TAN", "ASIN", "ACOS", "SINH", "COSH", "TANH",
    # in which order they give what they were given, is theirs
    "UNION", "NUNION", "INTERSECTION", "NINTERSECTION", "SET-DIFFERENCE", "NSET-DIFFERENCE",
    "SORT", "STABLE-SORT", "MERGE",
}  # fmt: skip
NAMES = sorted(
    each.name for each in FUNCTIONS if each.name not in APART and each.name[0] != "%" and "(" not in each.name
)
KINDS = [
    *[
        "0",
        "1",
        "-1",
        "2",
        "3",
        "7",
        "64",
        "-256",
        "1/3",
        "-7/2",
        "0d0",
        "-0d0",
        "0.5d0",
        "2d0",
        "1d300",
        "1d-5",
    ],
    *["nil", "t", "'a", ":b"],
    *['"abc"', '"ABC"', '""', '"12"', '"-7"', "#\\a", "#\\A", "#\\5"],
    *("'(1 2 3)", "'(3 1 2)", "'((a . 1) (b . 2))", "'(:a 1 :b 2)", "'(1 . 2)", "'(a b a)", "'((1 2) (3 4))"),
    *("(vector 1 2 3)", "(vector)", "(vector 'a #\\b)", "(lambda (x) (list x x))"),
    *["#'eql", "#'<", "#'1+", "#'car", "#'cons", "#'identity", "#'+", "#'list"],
    *[":test", ":key", ":start", ":end", ":count", ":from-end", ":initial-element", ":initial-value"],
    *["'list", "'vector", "'string", "'integer", "'+", "'car"],
    *['"~a"', '"~s"', '"~d"', '"~x"', '"~r"', '"~:d"'],
]

SBCL = r"""
(defvar *values*)
(defun canonical (v)
  (typecase v
    (integer (format nil "~d" v))
    (ratio (format nil "~d/~d" (numerator v) (denominator v)))
    (double-float (format nil "D~8,'0x~8,'0x" (ldb (byte 32 0) (sb-kernel:double-float-high-bits v))
                                              (sb-kernel:double-float-low-bits v)))
    (string (format nil "\"~a\"" v))
    (character (format nil "C~d" (char-code v)))
    (symbol (string-downcase (symbol-name v)))
    (cons (let ((parts nil))
            (loop repeat 200 while (consp v) do (push (canonical (pop v)) parts))
            (when v (push "." parts) (push (if (consp v) "..." (canonical v)) parts))
            (format nil "(~{~a~^ ~})" (reverse parts))))
    (vector (format nil "#(~{~a~^ ~})" (map 'list #'canonical v)))
    (t "?")))
(defun answer (text)
  (handler-case
      (progn (with-output-to-string (*standard-output*)
               ;; nthcdr counts to 10^20
               (sb-ext:with-timeout 1
                 (setf *values* (multiple-value-list (eval (read-from-string text))))))
             (format nil "~{~a~^ ; ~}" (mapcar #'canonical *values*)))
    (serious-condition () "?")))
(declaim (sb-ext:muffle-conditions warning sb-ext:compiler-note))
(setf sb-ext:*evaluator-mode* :interpret)
(loop for line = (read-line *standard-input* nil) while line
      do (write-line (substitute #\Space #\Newline (answer line))))
(finish-output)
"""


def canonical(value) -> str:
    match value:
        case int() | Fraction():
            return str(value)
        case float():
            return f"D{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
        case str():
            return f'"{value}"'
        case Character():
            return f"C{value.code}"
        case Symbol():
            return value.name.removeprefix(":").lower()
        case ByteSpec():
            return f"({value.size} . {value.position})"
        case Vector():
            return f"#({' '.join(map(canonical, value.elements))})"
        case Cons():
            parts = []
            while isinstance(value, Cons) and len(parts) < 200:
                parts.append(canonical(value.car))
                value = value.cdr
            if value is not NIL:
                parts += [".", "..." if isinstance(value, Cons) else canonical(value)]
            return f"({' '.join(parts)})"
    return "?"


def answer(text: str) -> str:
    world = World()
    world.scope = Scope(world)
    try:
        with deep():
            value = world.evaluator.eval(Reader(text, "drawn", world.evaluator).read(), world.scope)
    except (SourceError, RecursionError):
        return "?"
    return " ; ".join(map(canonical, value if isinstance(value, MultipleValues) else [value]))


def argument(rng) -> str:
    match rng.randrange(8):
        case 0:
            return str(rng.choice((1, -1)) * rng.getrandbits(rng.randrange(1, 130)))
        case 1:
            digits, power = rng.getrandbits(rng.randrange(1, 53)), rng.randrange(-40, 40)
            return f"{rng.choice(('', '-'))}{digits}d{power}"
    return rng.choice(KINDS)


def known(said: str) -> bool:
    """Whether a value was given, and can be told: a function can't."""
    return "?" not in said and "#<" not in said


def compared(forms: list[str]) -> list[tuple[str, str, str]]:
    """What both answer and not alike, each with the form."""
    ours = {form: given for form in forms if known(given := answer(form).replace("\n", " "))}
    command = [
        "sbcl",
        "--noinform",
        "--no-userinit",
        "--disable-debugger",
        "--eval",
        f"(progn {SBCL})",
        "--quit",
    ]
    said = subprocess.run(command, input="\n".join(ours) + "\n", capture_output=True, text=True)
    theirs = said.stdout.splitlines()
    assert len(theirs) == len(ours), said.stderr[-2000:]
    pairs = zip(ours.items(), theirs, strict=True)
    return [
        (form, mine, other)
        for (form, mine), other in pairs
        if known(other) and mine != other and not theirs_alone(form, mine, other)
    ]


EQ = re.compile(r"\(eq -?\d\S* -?\d\S*\)$")
DOUBLE = re.compile(r"D[0-9A-F]{16}$")


def theirs_alone(form: str, mine: str, other: str) -> bool:
    """Whether two equal numbers are one object is not specified. And SBCL 2.2.9 takes the double below the
    nearest one for some ratios, as 215673622206218448341443/3."""
    if EQ.match(form):
        return True
    doubles = DOUBLE.match(mine) and DOUBLE.match(other) and "/" in form
    return bool(doubles) and int(mine[1:], 16) - int(other[1:], 16) == 1


def test_the_nearest_double_is_taken_for_a_ratio():
    assert answer("(float 215673622206218448341443/3 1d0)") == "D44AE7275D7D87CE7"


@needs_sbcl
def test_functions_are_as_sbcl_has_them(monkeypatch):
    monkeypatch.setattr(limits, "STEPS_MAX", 20_000)
    monkeypatch.setattr(limits, "BYTES_MAX", 1 << 20)
    rng = draws.random_for("ring_lisp_functions")
    forms = [f"({name.lower()} {kind})" for name in NAMES for kind in (argument(rng), *KINDS)]
    for name in NAMES:
        for _ in range(2000 if draws.LONG else 40):
            forms.append(f"({name.lower()} {' '.join(argument(rng) for _ in range(rng.randrange(5)))})")
    # lists that end in an atom, short of none to all of their cells
    for name in ("butlast", "nbutlast", "last"):
        forms += [f"({name} (list* 1 {items}) {n})" for items in ("2", "2 3", "2 nil") for n in range(4)]
    assert compared(forms) == []
