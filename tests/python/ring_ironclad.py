"""Ironclad's digests and ciphers, as Debian's cl-ironclad has them, compiled by us, beside SBCL.

    python tests/python/ring_ironclad.py [--inputs N] [FILE...]

Each file is read as it is. What it asks of Ironclad's classes and generic functions is read by the macros of
PRELUDE instead: a class as a structure, and methods as functions of it. Of the files that all of them use,
what touches lists, streams or packages at run time is left out: KEPT and LEFT_OUT name it.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sbcl
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.call.program import Program
from carrychain.ring.front.lisp.data import Cons, items
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.front.lisp.reader import Reader

SOURCES = Path("/usr/share/common-lisp/source/ironclad/src")

# Of these files, these definitions and no others.
KEPT = {
    "package.lisp": ("array-reader", "*ironclad-readtable*", "in-ironclad-readtable"),
    "digests/digest.lisp": ("store-data-length", "define-digest-registers", "mdx", "mdx-updater"),
    "ciphers/cipher.lisp": (
        "with-words", "define-block-encryptor", "define-block-decryptor", "define-stream-cryptor",
    ),
}  # fmt: skip
BASE = ("package.lisp", "macro-utils.lisp", "common.lisp", "digests/digest.lisp", "ciphers/cipher.lisp")

PRELUDE = r"""
(eval-when (:compile-toplevel :load-toplevel :execute)
  (defparameter *updater* nil)   ; the digest whose methods are its own, of the file that is read
  (defparameter *lengths* nil)   ; of each digest, in octets
  (defparameter *blocks* nil)    ; of each digest or cipher
  (defparameter *classes* nil)   ; each class, and its slots by their initargs
  (defparameter *scheduled* nil) ; the classes with a schedule-key of their own
  (defun named (&rest parts) (intern (apply #'concatenate 'string (mapcar #'string parts)))))

;; a digest's methods, as functions; DIGEST-OF is what a whole message comes to
(defmacro define-digest-updater (name &body body)
  (setf *updater* name)
  `(defun ,(named "UPDATE-" name) (state sequence start end)
     (declare (type ,name state) (type simple-octet-vector sequence) (type index start end))
     ,@(if (stringp (first body)) (rest body) body)))

(defmacro define-digest-finalizer (specs &body body)
  (let ((specs (if (consp (first specs)) specs (list specs))))
    `(defun ,(named "FINISH-" (caar specs)) (state digest digest-start)
       (declare (type ,(caar specs) state) (type simple-octet-vector digest) (type index digest-start))
       (macrolet ((finalize-registers (state regs)
                    (list* 'etypecase state
                           (reverse (loop for (name) in ',specs
                                          collect (list name (list (named name "REGS-DIGEST")
                                                                   regs 'digest 'digest-start)))))))
         ,@(if (stringp (first body)) (rest body) body)))))

(defmacro digest-length (state) `(etypecase ,state ,@*lengths*))
(defmacro block-length (state) `(etypecase ,state ,@*blocks*))

(defmacro defdigest (name &key digest-length block-length)
  (push (list name digest-length) *lengths*)
  (push (list name block-length) *blocks*)
  `(defun ,(named name "-OF") (message)
     (declare (type simple-octet-vector message))
     (let ((state (,(named "%MAKE-" name "-DIGEST")))
           (digest (make-array ,digest-length :element-type '(unsigned-byte 8))))
       (,(named "UPDATE-" *updater*) state message 0 (length message))
       (,(named "FINISH-" *updater*) state digest 0)
       digest)))

;; a cipher's class, as a structure; the superclasses that all ciphers have have no slots of use here
(defmacro defclass (name superclasses slots &rest options)
  (let* ((slots (mapcar (lambda (slot) (if (consp slot) slot (list slot))) slots))
         (above (find-if (lambda (each) (assoc each *classes*)) superclasses))
         (arguments (append (loop for (slot . rest) in slots
                                  when (getf rest :initarg) collect (cons (getf rest :initarg) slot))
                            (cdr (assoc above *classes*))))
         (defaults (loop for (key value) on (cdr (assoc :default-initargs options)) by #'cddr
                         collect (list (cdr (assoc key arguments)) value)))
         (inherited (remove-if (lambda (each) (assoc (first each) slots)) defaults)))
    (push (cons name arguments) *classes*)
    `(progn
       (defstruct (,name (:predicate nil) (:copier nil) (:constructor ,(named "MAKE-" name) ())
                         ,@(if above `((:include ,above ,@inherited)) nil))
         ,@(loop for (slot . rest) in slots
                 collect (list slot
                               (if (assoc slot defaults)
                                   (second (assoc slot defaults))
                                   (getf rest :initform '%unbound))
                               :type (getf rest :type t))))
       ,@(loop for (slot . rest) in slots
               append (loop for (key accessor) on rest by #'cddr
                            when (member key '(:accessor :reader))
                              collect `(defmacro ,accessor (of) (list 'slot-value of '',slot)))))))

(defmacro defmethod (name &rest rest)
  (if (not (member name '(schedule-key produce-digest)))
      '(progn)
      (destructuring-bind (((of class) &optional key &rest more) &body body) rest
        (case name
          (schedule-key
           (push class *scheduled*)
           `(defun ,(named "SCHEDULE-" class) (,of ,key)
              (declare (type ,class ,of) (type simple-octet-vector ,key))
              ,@body))
          (produce-digest
           `(defun ,(named "FINISH-" class) (,of digest digest-start)
              (declare (type ,class ,of))
              ,@body))
          (t '(progn))))))

(defmacro copy-digest (state) state) ; a digest is of one message, and asked for once

(defmacro defgeneric (&rest all) '(progn))

(defmacro defcipher (name &rest options)
  (let* ((length (second (assoc :block-length options)))
         (schedule (named "SCHEDULE-" (if (member name *scheduled*) name (first (last *scheduled*))))))
    (push (list name length) *blocks*)
    (flet ((driver (suffix function)
             `(defun ,(named name suffix) (key text)
                (declare (type simple-octet-vector key text))
                (let ((cipher (,(named "MAKE-" name)))
                      (out (make-array (length text) :element-type '(unsigned-byte 8))))
                  (,schedule cipher key)
                  ,(if length
                       `(loop for start from 0 below (length text) by ,length
                              do (,function cipher text start out start))
                       `(,function cipher text 0 out 0 (length text)))
                  out))))
      `(progn
         ,@(loop for (kind function) in options
                 when (member kind '(:encrypt-function :crypt-function))
                   collect (driver "-ENCRYPTED" function)
                 when (eq kind :decrypt-function)
                   collect (driver "-DECRYPTED" function))))))
"""


# The files that load with nothing else changed. Not among them: whirlpool, whose tables take more steps to
# make than are counted when a program is compiled; streebog, with an array of arrays; xor, which takes a key
# apart as a list; threefish and skein, whose methods call what other classes of theirs have; sosemanuk,
# xchacha and xsalsa20, which are set up when an object is made; kalyna and kupyna, which compile for minutes.
DIGESTS = (
    "adler32", "blake2", "blake2s", "crc24", "crc32", "groestl", "jh", "md2", "md4", "md5", "ripemd-128",
    "ripemd-160", "sha1", "sha256", "sha3", "sha512", "sm3", "tiger",
)  # fmt: skip
CIPHERS = (
    "aes", "arcfour", "aria", "blowfish", "camellia", "cast5", "chacha", "des", "idea", "kuznyechik",
    "misty1", "rc2", "rc5", "rc6", "salsa20", "seed", "serpent", "sm4", "square", "tea", "twofish", "xtea",
)  # fmt: skip
FILES = (*(f"digests/{each}.lisp" for each in DIGESTS), *(f"ciphers/{each}.lisp" for each in CIPHERS))


@dataclass(frozen=True)
class Algorithm:
    """A digest, or a cipher by what it is given: keys of these lengths, and texts of so many blocks."""

    name: str
    system: str
    block: int = 0
    keys: tuple[int, ...] = ()
    stream: bool = False

    def functions(self) -> list[str]:
        ways = ["of"] if not self.keys else ["encrypted"] if self.stream else ["encrypted", "decrypted"]
        return [f"{self.name}-{way}" for way in ways]

    def inputs(self, rng: random.Random) -> tuple[bytes, ...]:
        if not self.keys:
            return (
                rng.randbytes(
                    rng.choice((rng.randrange(300), rng.randrange(16) * 64 + rng.randrange(-1, 2) & 511))
                ),
            )
        length = rng.randrange(200) if self.stream else self.block * rng.randrange(1, 6)
        return rng.randbytes(rng.choice(self.keys)), rng.randbytes(length)


def forms(text: str) -> Iterator[tuple[object, int, int]]:
    """A text's top-level forms, and where each begins and ends; what is read by evaluating is nil."""
    reader = Reader(text, "")
    reader.suppressed = 1
    while reader.skip():
        begin = reader.at
        for form in reader.maybe():
            yield form, begin, reader.at
            if isinstance(form, Cons) and str(form.car) == "progn":
                yield from ((each, begin, reader.at) for each in items(form.cdr))


def named(form) -> str:
    """What a form defines."""
    if not isinstance(form, Cons) or not isinstance(form.cdr, Cons):
        return ""
    name = form.cdr.car
    name = name.car if isinstance(name, Cons) and str(form.car) == "defstruct" else name
    return str(name)


def read(file: str) -> str:
    """A file's text, where what is left out is blank: all else stands where it stood."""
    text = (SOURCES / file).read_text()
    kept = KEPT.get(file)
    for form, begin, end in forms(text) if kept else ():
        if named(form) not in kept:
            blank = "".join("\n" if each == "\n" else " " for each in text[begin:end])
            text = text[:begin] + blank + text[end:]
    return text


def texts(file: str) -> list[tuple[str, str]]:
    """The texts of a program with a digest or a cipher, and what they are called."""
    found = [(read(each), str(SOURCES / each)) for each in (*BASE, file)]
    return [*found[: len(BASE)], (PRELUDE, "prelude"), *found[len(BASE) :]]


def program(file: str) -> Program:
    (text, name), *more = texts(file)
    return compile_module(module_of(text, name, *more))


def algorithms(file: str) -> list[Algorithm]:
    """What a file's defdigest and defcipher forms say."""
    system = f"ironclad/{'digest' if file.startswith('digests') else 'cipher'}/{Path(file).stem}"
    found = []
    for form, _, _ in forms((SOURCES / file).read_text()):
        if not isinstance(form, Cons) or str(form.car) not in ("defdigest", "defcipher"):
            continue
        if str(form.car) == "defdigest":
            found.append(Algorithm(named(form), system))
            continue
        options = {str(option.car): items(option.cdr) for option in items(form.cdr.cdr)}
        ((kind, *numbers),) = options[":key-length"]
        keys = (
            tuple(numbers) if str(kind) == ":fixed" else tuple(range(numbers[0], numbers[1] + 1, numbers[2]))
        )
        block = options.get(":block-length", [1])[0]
        found.append(Algorithm(named(form), system, block, keys, ":mode" in options))
    return found


# SBCL reads lines of a function's name and its arguments in hexadecimal, and writes what Ironclad makes
# of them.
BESIDE = r"""
(require :asdf)
(handler-bind ((warning #'muffle-warning))
  (let ((*standard-output* (make-broadcast-stream)))
    (dolist (each '("ironclad/core" ~a)) (asdf:load-system each))))
(in-package :ironclad)
(defun made (name key)
  (make-cipher name :key key :mode (if (= 1 (block-length name)) :stream :ecb)))
(defun crypted (function name key text)
  (let ((out (make-array (length text) :element-type '(unsigned-byte 8))))
    (funcall function (made name key) text out :handle-final-block nil)
    out))
(with-open-file (in ~s)
  (loop for line = (read-line in nil)
        while line
        do (destructuring-bind (way name . arguments)
               (loop for start = 0 then (1+ end)
                     for end = (position #\Space line :start start)
                     collect (subseq line start end)
                     while end)
             (let ((name (intern (string-upcase name) :keyword))
                   (arguments (mapcar #'hex-string-to-byte-array arguments)))
               (format t "~~&result ~~a~~%"
                       (byte-array-to-hex-string
                        (cond ((string= way "of") (digest-sequence name (first arguments)))
                              ((string= way "encrypted") (apply #'crypted #'encrypt name arguments))
                              (t (apply #'crypted #'decrypt name arguments)))))))))
"""


def by_sbcl(cases: list[tuple[str, tuple[bytes, ...]]], systems: set[str], directory: Path) -> list[bytes]:
    """What Ironclad makes of each case's arguments; what it compiles is kept in the directory."""
    lines = []
    for function, args in cases:
        name, _, way = function.rpartition("-")
        lines.append(" ".join([way, name, *(each.hex() for each in args)]))
    with tempfile.TemporaryDirectory() as temporary:
        data = Path(temporary, "inputs")
        data.write_text("\n".join(lines))
        wanted = " ".join(f'"{each}"' for each in sorted(systems))
        text = (
            BESIDE.replace("~a)) (asdf", f"{wanted})) (asdf").replace("~s)", f'"{data}")').replace("~~", "~")
        )
        found = sbcl.results(text, XDG_CACHE_HOME=str(directory))
    assert len(found) == len(cases)
    return [bytes.fromhex(each) for each in found]


def compared(files: list[str], count: int, directory: Path, seed: int = 1) -> list[str]:
    """Runs each algorithm on so many inputs, beside SBCL; says what differs."""
    rng = random.Random(seed)
    cases, ours, systems = [], [], set()
    for file in files:
        made = program(file)
        for algorithm in algorithms(file):
            systems.add(algorithm.system)
            for function in algorithm.functions():
                given = [algorithm.inputs(rng) for _ in range(count)]
                cases += [(function, args) for args in given]
                ours += [bytes(made.call(function, *args)) for args in given]
    theirs = by_sbcl(cases, systems, directory)
    return [
        f"{function} of {' '.join(each.hex() for each in args)}: {mine.hex()}, SBCL {other.hex()}"
        for (function, args), mine, other in zip(cases, ours, theirs, strict=True)
        if mine != other
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*", default=FILES)
    options = parser.parse_args()
    directory = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    failed = 0
    for file in options.files:
        began = time.monotonic()
        wrong = compared([file], options.inputs, directory, options.seed)
        names = ", ".join(each.name for each in algorithms(file))
        verdict = f"{len(wrong)} differ, as {wrong[0]}" if wrong else "as SBCL"
        print(
            f"{file}: {names}: {options.inputs} inputs each, {verdict}; {time.monotonic() - began:.0f} s",
            flush=True,
        )
        failed += bool(wrong)
    print(f"{len(options.files) - failed} of {len(options.files)} files are as SBCL running Ironclad")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
