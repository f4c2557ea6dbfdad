"""Arrays that share memory: views of one buffer here, displaced arrays in SBCL."""

import array

import pytest
import sbcl
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.interpret import Interpreter

PROGRAM = """
(defun copy (a b) (declare (type (vector TYPE) a b)) (replace a b) (aref b 0))
(defun copy-a-part (a b) (declare (type (vector TYPE) a b)) (replace a b :start1 1 :end2 3) (aref a 1))
(defun sums (a b)
  "Each is added to what is in the other by then."
  (declare (type (vector TYPE) a b))
  (dotimes (i (min (length a) (length b)) (aref a 0))
    (setf (aref a i) (ldb (byte 7 0) (+ (aref a i) (aref b i))))))
(defun a-run (a b)
  "Loads with a store between them."
  (declare (type (vector TYPE) a b))
  (let ((before (+ (aref b 0) (* 3 (aref b 1)) (* 5 (aref b 2)))))
    (setf (aref a 1) (mod before 101))
    (+ before (* 7 (aref b 0)) (* 11 (aref b 1)) (* 13 (aref b 2)))))
(defun down (n a b)
  (declare (type (integer 0 100) n) (type (vector TYPE) a b))
  (setf (aref a (mod n (length a))) (aref b (mod (* 5 n) (length b))))
  (if (zerop n) (aref b 0) (down (1- n) b a)))
(defun called (a b) (declare (type (vector TYPE) a b)) (down 9 a b))
"""
NAMES = ("copy", "copy-a-part", "sums", "a-run", "called")
TYPES = {"(unsigned-byte 8)": "B", "(signed-byte 8)": "b", "(unsigned-byte 32)": "I", "(signed-byte 64)": "q"}
NUMBERS = [3, 1, 4, 1, 5, 9, 2, 6]
# of each array, where it begins and ends
PLACES = [
    ((0, 8), (0, 8)),
    ((1, 7), (0, 6)),
    ((0, 6), (1, 7)),
    ((2, 8), (1, 5)),
    ((0, 4), (4, 8)),
    ((3, 6), (2, 8)),
]


def calls():
    for name in NAMES:
        for places in PLACES:
            yield name, places


def ran(call, code: str) -> list[list[int]]:
    """What each call gives, and what is in the buffer then."""
    found = []
    for name, places in calls():
        whole = array.array(code, NUMBERS)
        views = [memoryview(whole)[start:end] for start, end in places]
        found.append([call(name, *views), *whole])
    return found


def interpreted(module, code: str) -> list[list[int]]:
    return ran(lambda name, *args: Interpreter(module).call(name, *args)[0], code)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("cut", [True, False], ids=["cut", "generic"])
def test_views_are_seen_in_one_another(type_, cut):
    module = lisp.module_of(PROGRAM.replace("TYPE", type_))
    program = compile_module(module, cut=cut)
    assert ran(program.call, TYPES[type_]) == interpreted(module, TYPES[type_])


@sbcl.needs_sbcl
def test_displaced_arrays_of_sbcl():
    type_ = "(unsigned-byte 8)"
    lines = [PROGRAM.replace("TYPE", type_)]
    for name, places in calls():
        made = f":element-type '{type_} :displaced-to v :displaced-index-offset"
        views = " ".join(f"(make-array {end - start} {made} {start})" for start, end in places)
        vector = f"(coerce '({' '.join(map(str, NUMBERS))}) '(simple-array {type_} (*)))"
        lines.append(f"(let ((v {vector})) {sbcl.shown(f'(values ({name} {views}) v)')})")
    found = map(sbcl.values, sbcl.results("\n".join(lines)))
    assert [[value, *held] for value, held in found] == interpreted(lisp.module_of(lines[0]), TYPES[type_])


@pytest.mark.parametrize(
    ("form", "copies"),
    [
        ("(let ((v (make-array 4 :element-type '(unsigned-byte 8)))) (replace v a) (aref v 1))", 0),
        (
            "(let ((v (if (oddp (aref a 0)) (copy-seq a) (copy-seq b)))) (replace v b :start1 1) (aref v 1))",
            0,
        ),
        ("(let ((v (if (plusp (aref a 0)) a (copy-seq b)))) (replace v b :start1 1) (aref v 1))", 1),
        ("(progn (replace a b) (aref a 1))", 1),
        ("(progn (replace a a :start1 1) (aref a 1))", 1),
        ("(let ((v (copy-seq a))) (replace v (if (plusp (aref b 0)) a v) :start1 1) (aref v 1))", 1),
        ("(let ((v (copy-seq a))) (dotimes (i 2) (replace v a) (setq a v)) (aref v 1))", 1),
    ],
)
def test_replace_copies_only_where_they_may_overlap(form, copies):
    module = lisp.module_of(f"(defun f (a b) (declare (type (vector (unsigned-byte 8)) a b)) {form})")
    made = sum(i.op == "new" for i in module.functions["f"].instructions())
    assert made - form.count("copy-seq") - form.count("make-array") == copies
    assert compile_module(module).call("f", [1, 2, 3, 4], [5, 6, 7, 8]) in (1, 2, 5, 6)
