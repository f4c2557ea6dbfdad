"""An ASDF system of built functions, for SBCL: a shared library, and the functions that call it.

A simple vector whose elements are in memory as the library has them is pinned and lent. Another is copied,
and what the function stores to the copy is then stored in the vector.
"""

from __future__ import annotations

import re

from ... import __version__
from ..front.python.kinds import PythonKind, Tuple
from ..ir.form import Array, Bool, Int, unsigned
from ..ir.interface import Null
from .extension import ROOM
from .interface import CODES, CFunction, CParameter, CResult, elements
from .linked import shared_object

PLAIN = re.compile(r"[a-z0-9*+<>=/!?%&$_^~@-]*[a-z*+<>=/!?%&$_^~@-][a-z0-9*+<>=/!?%&$_^~@-]*")
# Variables and constants of Lisp, which no parameter may be named after.
BOUND = frozenset(("t", "nil", "pi"))
# A failure's words: its line and column, its file, its message.
FAILURE_WORDS = 3

SYSTEM = """(defsystem "{system}"
  :description "Functions of {file}, compiled by Carrychain {version}"
  :components ((:file "{system}")))
"""

TOP = """;;; {system}.lisp - functions of {file}, compiled by Carrychain {version}, for SBCL

;;; What another package has under its names is not replaced unasked.
(eval-when (:compile-toplevel :load-toplevel :execute)
  (when (and (find-package "{package}") (not (find-symbol "FAILURE-COLUMN" "{package}")))
    (error "~a" "There is a package {package} already: build {file} under another name.")))

(defpackage "{package}"
  (:use "COMMON-LISP")
  (:shadow{shadowed})
  (:export "FAILURE" "FAILURE-FILE" "FAILURE-LINE" "FAILURE-COLUMN" "FAILURE-MESSAGE"
           {exported}))

(in-package "{package}")

(eval-when (:compile-toplevel :load-toplevel :execute)
  (sb-alien:load-shared-object (asdf:system-relative-pathname "{system}" "{library}")))

;;; A failed check is a condition of the class that the program's own would be, with its place.

(define-condition failure (error)
  ((file :initarg :file :reader failure-file)
   (line :initarg :line :reader failure-line)
   (column :initarg :column :reader failure-column)
   (message :initarg :message :reader failure-message))
  (:report (lambda (failure stream)
             (format stream "~a:~d: ~a" (failure-file failure) (failure-line failure)
                     (failure-message failure)))))

(define-condition %index (failure sb-int:invalid-array-index-error) ())
(define-condition %zero (failure division-by-zero) ())
(define-condition %range (failure type-error) ())
(define-condition %memory (failure storage-condition) ())
(define-condition %program (failure simple-error) ())

(deftype %words () '(simple-array (unsigned-byte 64) (*)))

(defun %text (address)
  (let* ((bytes (sb-sys:int-sap address))
         (length (loop for at from 0 until (zerop (sb-sys:sap-ref-8 bytes at)) finally (return at)))
         (octets (make-array length :element-type '(unsigned-byte 8))))
    (dotimes (at length)
      (setf (aref octets at) (sb-sys:sap-ref-8 bytes at)))
    (sb-ext:octets-to-string octets :external-format :utf-8)))

(defun %failed (status room)
  (declare (type %words room))
  (let ((place (list :line (ldb (byte 32 0) (aref room 0)) :column (ldb (byte 32 32) (aref room 0))
                     :file (%text (aref room 1)) :message (%text (aref room 2))))
        (typed '(:datum nil :expected-type nil)))
    (case status
      ({CC_EINDEX} (apply #'error '%index (append place typed)))
      ({CC_EZERODIVIDE} (apply #'error '%zero (append place '(:operation / :operands nil))))
      ({CC_ERANGE} (apply #'error '%range (append place typed)))
      ({CC_ENOMEM} (apply #'error '%memory place))
      (t (apply #'error '%program
                (append place (list :format-control "~a" :format-arguments (list (getf place :message)))))))))

(declaim (inline %lent))
(defun %lent (vector type)
  "The vector itself if the library can have its memory, or a copy."
  (if (typep vector type) vector (coerce vector type)))

(defun %storage (vector)
  "What a vector, or another that it is displaced to, has its elements in."
  (declare (type vector vector))
  (if (typep vector '(simple-array * (*)))
      vector
      (sb-kernel:with-array-data ((memory vector) (start 0) (end 0) :check-fill-pointer nil)
        (declare (ignore start end))
        memory)))

"""


def asdf(stem: str, system: str, file: str, functions: list[CFunction], library: bytes) -> dict[str, bytes]:
    """The files: the system and its source, and the shared library; OSError without a C compiler."""
    name = f"lib{stem}.so"
    top = TOP.format(
        system=system, file=file, version=__version__, package=system.removesuffix("-fast").upper(),
        shadowed="".join(f' "{_name(each.written)}"' for each in functions), library=name,
        exported=" ".join(f'"{_name(each.written)}"' for each in functions),
        **{code: value for code, (value, _) in CODES.items()},
    )  # fmt: skip
    text = top + "\n".join(_Routine(each, file).emit() for each in functions)
    made = shared_object(
        {f"lib{stem}.a": library},
        ["-Wl,--whole-archive", f"lib{stem}.a", "-Wl,--no-whole-archive", "-Wl,-z,defs", "-Wl,-Bsymbolic"],
    )
    system_text = SYSTEM.format(system=system, file=file, version=__version__)
    return {f"{system}.asd": system_text.encode(), f"{system}.lisp": text.encode(), name: made}


def _name(written: str) -> str:
    return written.upper()


def _symbol(written: str) -> str:
    """As the reader takes it."""
    if PLAIN.fullmatch(written.lower()):
        return written.lower()
    escaped = re.sub(r"([|\\])", r"\\\1", written.upper())
    return f"|{escaped}|"


def _type(type_: Int) -> str:
    for bits in (8, 16, 32, 64, 128):
        if type_ == unsigned(bits):
            return f"(unsigned-byte {bits})"
    return f"(integer {'*' if type_.low is None else type_.low} {'*' if type_.high is None else type_.high})"


def _vector(type_: Array) -> str:
    """The type of vectors that have the library's elements in memory."""
    bits, signed, _ = elements(type_)
    if type_.text:
        return "(simple-array character (*))"
    return f"(simple-array ({'' if signed else 'un'}signed-byte {bits}) (*))"


class _Routine:
    def __init__(self, function: CFunction, file: str):
        self.function, self.file = function, file
        self.foreign: list[str] = []  # parameters of the alien routine
        self.args: list[str] = []
        self.words = FAILURE_WORDS  # of the room for results
        self.vectors: list[tuple[str, CParameter]] = []

    def emit(self) -> str:
        function = self.function
        names, types, unused = self.parameters()
        for given in function.gives:
            self.foreign.append(f"({given.name} sb-sys:system-area-pointer)")
            if given.counted:
                self.foreign.append(f"({given.name}-length sb-sys:system-area-pointer)")
        routine = _symbol(f"%{function.written}")
        foreign = "\n  ".join([*self.foreign, "(failure sb-sys:system-area-pointer)"])
        declared = [*types, *([f"(ignore {' '.join(unused)})"] if unused else [])]
        lines = [
            f'(sb-alien:define-alien-routine ("{function.name}" {routine}) sb-alien:int\n  {foreign})',
            "",
            f"(defun {_symbol(function.written)} ({' '.join(names)})",
            f'  "Line {function.position.line} of {self.file}."',
            *([f"  (declare {' '.join(declared)})"] if declared else []),
            *self.body(routine),
            "",
        ]
        return "\n".join(lines)

    def parameters(self) -> tuple[list[str], list[str], list[str]]:
        """The lambda list, its declarations, and what is not used."""
        takes = iter(self.function.takes)
        names, types, unused = [], [], []
        for param in self.function.params:
            leaves = [next(takes) for _ in range(_leaves(param.kind))]
            if not leaves:
                names.append(_variable(param.name))
                unused.append(names[-1])
            for taken in leaves:
                names.append(_variable(param.name if len(leaves) == 1 else taken.name))
                if declared := self.argument(names[-1], taken):
                    types.append(f"(type {declared} {names[-1]})")
        return names, types, unused

    def argument(self, name: str, taken: CParameter) -> str:
        """Passes a parameter to the routine; its type, if it has one."""
        match taken.type:
            case Bool():
                self.foreign.append(f"({name} (sb-alien:unsigned 8))")
                self.args.append(f"(if {name} 1 0)")
                return ""
            case Array():
                self.foreign.append(f"({name} sb-sys:system-area-pointer)")
                self.foreign.append(f"(%{name}-length (sb-alien:unsigned 64))")
                self.vectors.append((name, taken))
                lent = f"%a{len(self.vectors) - 1}"
                self.args += [f"(sb-sys:vector-sap {lent})", f"(length {lent})"]
                return "string" if taken.type.text else "vector"
        sign = "signed" if taken.signed else "unsigned"
        if taken.bits == 128:
            self.foreign.append(f"({name} (sb-alien:unsigned 64))")
            self.foreign.append(f"(%{name}-high (sb-alien:{sign} 64))")
            high = f"(ash {name} -64)" if taken.signed else f"(ldb (byte 64 64) {name})"
            self.args += [f"(ldb (byte 64 0) {name})", high]
        else:
            self.foreign.append(f"({name} (sb-alien:{sign} {taken.bits}))")
            self.args.append(name if taken.whole else f"(ldb (byte {taken.bits} 0) {name})")
        return _type(taken.type)

    def body(self, routine: str) -> list[str]:
        """Lends the vectors, calls the routine, and returns its values."""
        results, lengths, pointers = [], [], []
        for at, given in enumerate(self.function.gives):
            if isinstance(given.type, Array):
                pointers.append(f"(sb-sys:vector-sap %r{at})")
                length = str(given.length)
                if given.counted:
                    lengths.append((at, self.words))
                    pointers.append(self.place(1))
                    given_too = " ".join(f"(* 4 (length %a{k}))" for k in range(len(self.vectors)))
                    length = f"(+ {ROOM} {given_too})"
                results.append((at, given, length))
            else:
                pointers.append(self.place(2 if given.passed.container == 128 else 1))
        bound = [
            f"(%a{k} (%lent {name} '{_vector(taken.type)}))" for k, (name, taken) in enumerate(self.vectors)
        ]
        bound.append(f"(%room (make-array {self.words} :element-type '(unsigned-byte 64)))")
        bound += [f"(%r{at} {_made(given.type, length)})" for at, given, length in results]
        stored = [k for k, (_, taken) in enumerate(self.vectors) if taken.written]
        if lengths:
            bound += [f"(%s{k} (copy-seq %a{k}))" for k in stored]
        pinned = [f"%a{k}" for k in range(len(self.vectors))] + [f"%r{at}" for at, *_ in results]
        args = [*self.args, *pointers, "(sb-sys:vector-sap %room)"]
        call = [
            f"(sb-sys:with-pinned-objects ({' '.join([*pinned, '%room'])})",
            f"  ({routine}",
            *(f"   {arg}" for arg in args),
        ]
        call[-1] += "))"
        joined = "\n         ".join(bound)
        lines = [f"(let* ({joined})", "  (declare (dynamic-extent %room))"]
        lines += [f"  {line}" for line in self.apart()]
        lines += [f"  (setf (aref %room {word}) (length %r{at}))" for at, word in lengths]
        lines += ["  (let ((%status", *(f"          {line}" for line in call)]
        lines[-1] += "))"
        if lengths:
            lines.append(f"    (when (= %status {CODES['CC_ENOSPC'][0]})")
            lines += [f"      (replace %a{k} %s{k})" for k in stored]
            lines += [
                f"      (setf %r{at} {_made(given.type, f'(aref %room {dict(lengths)[at]})')})"
                for at, given, _ in results
                if given.counted
            ]
            lines += ["      (setf %status", *(f"            {line}" for line in call)]
            lines[-1] += "))"
        lines += [
            f"    (unless (eq {name} %a{k}) (replace {name} %a{k}))"
            for k, (name, taken) in enumerate(self.vectors)
            if taken.written
        ]
        lines.append("    (unless (zerop %status) (%failed %status %room))")
        for at, word in lengths:
            lines.append(
                f"    (unless (= (aref %room {word}) (length %r{at})) "
                f"(setf %r{at} (subseq %r{at} 0 (aref %room {word}))))"
            )
        lines.append(f"    {self.values({at for at, *_ in results})})))")
        return [f"  {line}" for line in lines]

    def apart(self) -> list[str]:
        """Copies of what is in one place would not see each other's stores."""
        found = []
        for k, (a, taken) in enumerate(self.vectors):
            for j, (b, other) in enumerate(self.vectors[:k]):
                if taken.written or other.written:
                    lent = f"(and (eq {a} %a{k}) (eq {b} %a{j}))"
                    found.append(
                        f"(when (and (eq (%storage {a}) (%storage {b})) (not {lent}))\n"
                        f'      (error "{b} and {a} share memory, which must be copied"))'
                    )
        return found

    def place(self, words: int) -> str:
        self.words += words
        return f"(sb-sys:sap+ (sb-sys:vector-sap %room) {8 * (self.words - words)})"

    def values(self, vectors: set[int]) -> str:
        word = FAILURE_WORDS
        forms = []
        for at, given in enumerate(self.function.gives):
            if at in vectors:
                bits = given.type.element == Int(0, 1) and not given.type.text
                forms.append(f"(coerce %r{at} 'simple-bit-vector)" if bits else f"%r{at}")
                word += given.counted
            else:
                forms.append(_read(given, word))
                word += 2 if given.passed.container == 128 else 1
        found = iter(forms)
        value = self.function.value
        kinds = value.items if isinstance(value, Tuple) else (value,)
        shown = [form for kind in kinds for form in _shown(kind, found)]
        return shown[0] if len(shown) == 1 else f"(values{''.join(f' {each}' for each in shown)})"


def _shown(kind: PythonKind | Array, forms) -> list[str]:
    """The values for a kind: of a tuple each."""
    if isinstance(kind, Null):
        return ["nil"]
    if isinstance(kind, Tuple):
        return [form for item in kind.items for form in _shown(item, forms)]
    return [next(forms)]


def _leaves(kind: PythonKind | Array) -> int:
    if isinstance(kind, Tuple):
        return sum(map(_leaves, kind.items))
    return not isinstance(kind, Null)


def _variable(name: str) -> str:
    return f"{name}_" if name.lower() in BOUND else _symbol(name)


def _made(type_: Array, length: str) -> str:
    """A new vector."""
    if type_.text:
        return f"(make-string {length})"
    bits, signed, _ = elements(type_)
    return f"(make-array {length} :element-type '({'' if signed else 'un'}signed-byte {bits}))"


def _read(given: CResult, word: int) -> str:
    at = f"(sb-sys:vector-sap %room) {8 * word}"
    if isinstance(given.type, Bool):
        return f"(/= 0 (sb-sys:sap-ref-8 {at}))"
    sign = "signed-" if given.passed.negative else ""
    if given.passed.container == 128:
        high = f"(sb-sys:{sign}sap-ref-64 (sb-sys:vector-sap %room) {8 * word + 8})"
        return f"(logior (ash {high} 64) (sb-sys:sap-ref-64 {at}))"
    return f"(sb-sys:{sign}sap-ref-{given.passed.container} {at})"
