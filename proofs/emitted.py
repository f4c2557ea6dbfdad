# SPDX-License-Identifier: MIT
"""Compiled functions from their bytes: what LLVM made of them, beside the IR that they began as.

    python -m proofs.emitted [FILE.lisp ...]

A row a function without loops and calls whose integers are words: that for all arguments its results are
those of its IR's formula (ring/trust/symbolic.py), and its status is 0 just where that does not trap; that it
stores to nothing but its results, its stack and what tells of a failed check, and restores what is its
caller's.  Or the reason why not.  All is covered at once: the passes, lowering, LLVM's text and LLVM.  Exit
status 1 if one of STEPS is not shown, or any function differs.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import z3
from carrychain.ring.compile import inlined, lowered, plans
from carrychain.ring.emit import llvm
from carrychain.ring.emit.module import ModuleText
from carrychain.ring.emit.names import ENTRY
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.ir.form import Array, Module
from carrychain.ring.machine.abi import MachineSignature
from carrychain.ring.machine.form import BIG
from carrychain.ring.trust import symbolic, vectors

from .run import Image
from .terms import Refused, Region, paths

EFFORT = 40_000_000  # z3's own steps for a question
# how often a claim is asked, each time in another order: the steps that it takes vary by a factor of 20
TURNS = 12
CONTEXT, TOLD = (
    range(64),
    range(8, 40),
)  # of struct ring_context: what may be read, and what is told of a check
STEPS = """
(defun md5-step (a b c d x)
  (declare (type (unsigned-byte 32) a b c d x))
  (let ((sum (ldb (byte 32 0) (+ a (logior (logand b c) (logandc1 b d)) x #xd76aa478))))
    (ldb (byte 32 0) (+ b (logior (ash sum 7) (ash sum -25))))))

(defun xtea-round (v0 v1 sum k0 k1)
  (declare (type (unsigned-byte 32) v0 v1 sum k0 k1))
  (let* ((v0 (ldb (byte 32 0) (+ v0 (logxor (+ (logxor (ash v1 4) (ash v1 -5)) v1) (+ sum k0)))))
         (sum (ldb (byte 32 0) (+ sum #x9e3779b9)))
         (v1 (ldb (byte 32 0) (+ v1 (logxor (+ (logxor (ash v0 4) (ash v0 -5)) v0) (+ sum k1))))))
    (values v0 v1 sum)))

(defun crc32-bit (crc)
  (declare (type (unsigned-byte 32) crc))
  (if (logbitp 0 crc) (logxor (ash crc -1) #xedb88320) (ash crc -1)))

(defun siphash-half (a b c d)
  (declare (type (unsigned-byte 64) a b c d))
  (flet ((rotl (x n) (declare (type (unsigned-byte 64) x) (type (integer 0 63) n))
           (ldb (byte 64 0) (logior (ash x n) (ash x (- n 64))))))
    (let* ((a (ldb (byte 64 0) (+ a b))) (c (ldb (byte 64 0) (+ c d))))
      (values (rotl a 32) (logxor (rotl b 13) a) c (logxor (rotl d 16) c)))))

(defun turned (x n)
  (declare (type (unsigned-byte 32) x) (type (integer 0 31) n))
  (ldb (byte 32 0) (logior (ash x n) (ash x (- n 32)))))

(defun distance (x y)
  (declare (type (signed-byte 16) x y))
  (abs (- x y)))

(defun sum-that-fits (x y)
  (declare (type (unsigned-byte 32) x y))
  (the (unsigned-byte 32) (+ x y)))

(defun mean (x y)
  (declare (type (unsigned-byte 64) x y))
  (ash (+ x y) -1))
"""


class Emitted(NamedTuple):
    """A module's object, linked; its functions as IR, calls inlined; and how they are called."""

    image: Image
    module: Module
    signatures: dict[str, MachineSignature]


def linked(code):
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(code)
        file.flush()
        return Image([file.name])


def emitted(module, damaged=lambda code: code):
    """The module as users get it; `damaged` may change the object's bytes."""
    front, work = module.copy(), module.copy()
    inlined(front)
    found = lowered(work, plans(work, True))
    code = llvm.machine_code(ModuleText(found.module).emit())
    return Emitted(linked(damaged(code)), front, found.signatures)


def resized(term, width):
    """The same number, or its low bits."""
    if width <= term.size():
        return z3.Extract(width - 1, 0, term)
    return z3.SignExt(width - term.size(), term)


def same(a, b):
    width = max(a.size(), b.size())
    return resized(a, width) == resized(b, width)


class Question:
    """Asks z3 what holds for all arguments."""

    def __init__(self, inputs, wanted):
        self.inputs, self.known = inputs, [*inputs.limits, wanted.kept]

    def solver(self, conditions):
        made = z3.Then(z3.With("simplify", bv_extract_prop=True), "qfbv").solver()
        made.set("rlimit", EFFORT)
        made.add(*self.known, *conditions)
        return made

    def possible(self, conditions):
        return self.solver(conditions).check() != z3.unsat

    def show(self, conditions, claim, what):
        for turn in range(TURNS):
            solver = self.solver([*conditions, z3.Not(claim)])
            solver.set("random_seed", turn)
            if turn < TURNS - 1:
                solver.set("rlimit", EFFORT // 4)
            answer = solver.check()
            if answer == z3.sat:
                raise Differs(f"{what} for {self.inputs.example(solver)}")
            if answer == z3.unsat:
                return
        raise Refused(f"z3 gives up: {what}?")


class Differs(Refused):
    """There are arguments for which it is wrong."""


def show(of, name):
    """(paths, instructions of all together); Refused."""
    function, signature = of.module.functions[name], of.signatures[name]
    for passed in (*signature.params, *signature.results):
        if isinstance(passed.type, Array):
            raise Refused("it is passed arrays")
        if passed.word is BIG:
            raise Refused("an integer is no word")
    try:
        inputs = symbolic.Inputs(function, of.module)
        wanted = symbolic.outcome(function, inputs)
    except vectors.NotEncoded as reason:
        raise Refused(str(reason)) from None
    count, owned = len(signature.results), 1 + len(signature.results)
    first = 8 * (owned + owned % 2)
    regions = {
        "arguments": Region(
            16 * z3.BitVec("arguments", 64), range(16 * (1 + len(inputs.params))), range(0), {}
        ),
        "results": Region(z3.BitVec("results", 64), range(0), range(8, first + 16 * count), {}),
        "context": Region(z3.BitVec("context", 64), CONTEXT, TOLD, {}),
    }
    regions["arguments"].put(0, z3.BitVecVal(list(of.signatures).index(name), 64))
    for at, (passed, term) in enumerate(zip(signature.params, inputs.params, strict=True), 1):
        word = z3.If(term, z3.BitVecVal(1, 8), z3.BitVecVal(0, 8)) if passed.word == 1 else None
        regions["arguments"].put(16 * at, resized(term, passed.word) if word is None else word)
    question = Question(inputs, wanted)
    found = paths(of.image, ENTRY, regions, question.possible)
    for run, rax in found:
        for conditions, claim, reason in run.owed:
            question.show([conditions], claim, reason)
        failed = z3.Extract(31, 0, rax) != 0
        question.show(run.path, failed == wanted.trapped, "whether it fails")
        for at, (passed, term) in enumerate(zip(signature.results, wanted.results, strict=False)):
            place = first + 16 * at
            if passed.word == 1:
                claim = run.bytes("results", place, 1) == z3.If(term, z3.BitVecVal(1, 8), z3.BitVecVal(0, 8))
            else:
                word = run.bytes("results", place, passed.word // 8)
                claim = same(word if passed.negative else z3.ZeroExt(1, word), term)
            question.show([*run.path, z3.Not(wanted.trapped)], claim, f"result {at}")
    return len(found), sum(run.steps for run, _ in found)


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m proofs.emitted")
    parser.add_argument("files", nargs="*", type=Path)
    failed = shown = 0
    columns = "{:14} {:20} {:>6} {:>13} {:>8}"
    print(columns.format("program", "function", "paths", "instructions", "seconds"))
    texts = {"steps": STEPS, **{file.stem: file.read_text() for file in parser.parse_args(arguments).files}}
    for program, text in texts.items():
        of = emitted(module_of(text))
        for name in of.module.functions:
            began = time.monotonic()
            try:
                counts, why = show(of, name), ""
            except Refused as refused:
                counts, why = ("", "not shown"), refused
            shown += not why
            failed += bool(why) and (program == "steps" or isinstance(why, Differs))
            print(columns.format(program, name, *counts, f"{time.monotonic() - began:.1f}"), why, flush=True)
    print(f"{shown} functions shown from their bytes")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
