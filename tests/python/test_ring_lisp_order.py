"""Lisp's order of evaluation: places, loops' clauses, arguments; and names, none of which is another's."""

import re
import shutil
from functools import cache

import pytest
import ring_order
from carrychain.ring.call.load import load_lisp
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.names import ir_name, name_among
from command import run
from draws import random_for, seed
from lisp_cases import called, compiled, said_by_sbcl
from ring_differential import BATCH, KINDS, batch, made

# A program, arguments of its f, and the values.
CASES = [
    # a place's forms, the other forms, what is read, what is stored
    ("(defun f (n) (let ((x n)) (incf x (incf x 2)) x))", (10,), (24,)),
    ("(defun f (n) (let ((x n)) (decf x (incf x 2)) x))", (10,), (0,)),
    ("(defparameter *nodes* 0) (defun visit (n) (if (= n 0) 0 (progn (incf *nodes*) (visit (1- n)) 1)))"
     "(defun f (n) (setq *nodes* 0) (incf *nodes* (visit n)) *nodes*)", (5,), (6,)),
    ("(define-modify-macro addf (&optional (d 3) &rest more) +)"
     "(defun f (n) (let ((x n)) (addf x) (addf x (incf x) (incf x)) x))", (10,), (44,)),
    ("(defun f (n) (let ((p 0) (x 0)) (setf (ldb (byte 4 (incf p)) x) p) x))", (0,), (2,)),
    ("(defun f (n) (let ((p 0)) (setf (mask-field (byte 4 (incf p)) n) (* 6 p)) (values n p)))",
     (0,), (6, 1)),
    ("(defun f (n) (let ((v (vector 1 2 3)) (i 0))"
     " (setf (values (aref v i) (aref v (incf i))) (values (incf i) n)) (values (aref v 0) (aref v 1) i)))",
     (9,), (2, 9, 2)),
    ("(defun f (n) (let ((v (vector 1 2 3)) (i 0)) (incf (aref v (incf i)) (setf (aref v i) n)) (aref v 1)))",
     (9,), (18,)),
    ("(defun f (n) (let ((a 1) (b 2)) (psetf (values a b) (values b a) n (+ a b)) (values a b n)))",
     (9,), (2, 1, 3)),
    ("(defun f (n) (let ((a 1) (b 2)) (rotatef (values a b) (values n a)) (values a b n)))", (9,), (2, 1, 1)),
    ("(defun f (n) (let ((v (vector 0 0 0)) (i 0)) (symbol-macrolet ((c (aref v (incf i))))"
     " (multiple-value-setq (i c) (values n (* 10 i)))) (values i (aref v 1))))", (9,), (9, 10)),
    ("(defun f (n) (let ((v (make-array 4)) (i 0)) (fill v 7 :end (incf i 2) :start (1- i)) (aref v n)))",
     (0,), (0,)),
    ("(defun f (n) (let ((d (make-array '(2 2)))) (setf (row-major-aref d 3) n) (aref d 1 1)))", (5,), (5,)),
    ("(defmacro m () (let ((s (list 1 2)) (d (list nil nil nil)) (k 0)) (pushnew (incf k) (nth (incf k) d))"
     " (incf (getf s 1 (incf k)) (setf (getf s 1) 20)) (+ k (getf s 1) (car (third d)))))"
     " (defun f (n) (+ n (m)))", (0,), (44,)),
    ("(defmacro m () (let ((i 0)) (nth-value (incf i) (floor 8 (+ i 2))))) (defun f (n) (+ n (m)))",
     (0,), (2,)),
    # clauses, in the order written
    ("(defun f (n) (let ((i 0)) (loop while (< i n) for x = (incf i) sum x)))", (20,), (210,)),
    ("(defun f (n) (let ((v (vector n 2 3))) (loop for i from 0 while (< i (length v))"
     " for x = (aref v i) sum x)))",
     (1,), (6,)),
    ("(defun f (n) (loop for a = n then (1- a) until (< a 3) for x = (floor 100 (- a 2)) repeat 9 sum x))",
     (5,), (183,)),
    ("(defun f (n) (loop for i from 1 to n for a = 0 then b and b = 1 then (+ a b) finally (return a)))",
     (10,), (34,)),
    ("(defun f (n) (let ((k 0)) (loop for x = (incf k) initially (setq k 10) repeat n sum x)))", (2,), (23,)),
    ("(defun f (n) (loop for i below n and x across (vector 5 6 7) and j = 1 then (+ i j) sum (* i x j)))",
     (9,), (34,)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "args", "values"), CASES, ids=[str(at) for at in range(len(CASES))])
def test_order(text, args, values):
    assert called(compiled(text), *args) == values


def test_sbcl_says_so_too():
    if not shutil.which("sbcl"):
        pytest.skip("sbcl is not installed")
    assert said_by_sbcl(CASES) == [values for *_, values in CASES]


def test_for_has_no_place_after_the_body():
    with pytest.raises(SourceError, match="`for` comes after a body clause such as `do`: write it before"):
        module_of("(defun f (n) (loop do (incf n) for i below n))")


# made, and interpreted, once for all ways
kept = cache(made)


def drawn() -> range:
    """The seeds of a batch of programs about order, whose machine code the long run does not look at."""
    turn = seed("ring_lisp_order") % 2**30 * 32 + 1
    first = (turn * len(KINDS) + KINDS.index(ring_order)) * BATCH
    print(f"seeds from {first} on")
    return range(first, first + BATCH)


def test_random_programs_agree_with_sbcl():
    """A share of `python tests/python/ring_differential.py --kind ring_order --first SEED`."""
    if not shutil.which("sbcl"):
        pytest.skip("sbcl is not installed")
    wrong, told = batch(drawn(), ["SBCL's evaluator"], kept)
    assert wrong == []
    assert not told["traps"]
    for feature in (
        "places modified", "fields stored", "several values stored", "loops that test first",
        "for clauses at once", "places within lists", "keywords",
    ):  # fmt: skip
        assert told[feature], feature


def test_random_programs_agree_with_the_walker():
    wrong, told = batch(drawn(), ["walker"], kept)
    assert wrong == []
    assert not told["traps"]


def test_random_programs_agree_as_machine_code():
    wrong, _ = batch(drawn()[:12], ["machine IR", "compiled"], kept)
    assert wrong == []


NAMES = [
    "SQ",
    "%SQ",
    "_SQ",
    "sq",
    "$SQ",
    "$25$SQ",
    "2SQ",
    "_2SQ",
    "SQ=",
    "SQ_",
    "SQ:",
    "(SETF SQ)",
    "Sq",
    "É",
    "é",
    "",
]


def test_names_are_told_apart():
    """And stand in IR as one word."""
    rng = random_for("ring_names")
    names = {*NAMES, *("".join(rng.choices("%_$A a2=.-(É", k=rng.randrange(6))) for _ in range(2000))}
    found = {ir_name(name) for name in names}
    assert len(found) == len(names)
    assert all(re.fullmatch(r"[^\s(),:={}]+", each) for each in found)


def test_functions_are_called_as_lisp_names_them(tmp_path):
    path = tmp_path / "names.lisp"
    path.write_text(
        "(defun %sq (x) (* x x)) (defun _sq (x) (+ x 1)) (defun |sq| (x) 5)"
        "(defun sq (x &key ((:%y y) 1)) (- x y))"
        "(defun (setf sq) (new x) (- new x)) (defun use (x) (+ (%sq x) (* 100 (_sq x))))"
    )
    program = load_lisp(path)
    for name, result in ("%sq", 49), ("_sq", 8), ("|sq|", 5), ("sq", 6), ("%SQ", 49), ("use", 849):
        assert program.call(name, 7) == result
    for name, result in ("%sq", 49), ("_sq", 8):
        assert run("run", str(path), name, "7").stdout == f"{result}\n"
    assert program.call("(setf sq)", 7, 3) == 4
    assert program.call("sq", 7, **{"%y": 3}) == 4
    assert run("run", str(path), "sq", "7", ":%y", "3").stdout == "4\n"
    assert name_among("%none", program.functions) is None
    with pytest.raises(ValueError, match="no function %none"):
        program.call("%none", 7)
