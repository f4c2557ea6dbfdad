"""What forms pass on: nil or an integer, truth values, no values or several; arguments left out."""

import pytest
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.front.lisp.data import NIL, T
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.ir.errors import SourceError, Trap
from carrychain.ring.ir.interpret import Interpreter
from lisp_cases import called, compiled, said_by_sbcl
from sbcl import needs_sbcl

# A body of (defun f (x y) ...), and what it returns for (1, 2) and for (20, 3).
FORMS = [
    # nil where there is no other way
    ("(when (< x 10) (+ x y))", (3,), (NIL,)),
    ("(unless (< x 10) (+ x y))", (NIL,), (23,)),
    ("(if (< x 10) (+ x y))", (3,), (NIL,)),
    ("(if (< x 10) nil y)", (NIL,), (3,)),
    ("(cond ((< x 10) y))", (2,), (NIL,)),
    ("(cond ((< x 0)) ((< x 10) nil) (t y))", (NIL,), (3,)),
    ("(cond ((when (< x 10) y)) (t 7))", (2,), (7,)),
    ("(case x (1 y) (2 3))", (2,), (NIL,)),
    ("(case x (1 t) (20 y))", (T,), (3,)),
    ("(and (< x 10) y)", (2,), (NIL,)),
    ("(and y (< x 10) (values x y))", (1, 2), (NIL,)),
    ("(or (< x 10) y)", (T,), (3,)),
    ("(or (when (< x 10) x) y)", (1,), (3,)),
    ("(loop for i below x thereis (and (> i 12) i))", (NIL,), (13,)),
    ("(dotimes (i x) (when (> (* i i) 50) (return i)))", (NIL,), (8,)),
    ("(do ((i 0 (+ i 1))) ((= i x)) (when (> i 9) (return (values i t))))", (NIL,), (10, T)),
    ("(loop for i below x when (> i 5) return i)", (NIL,), (6,)),
    ("(prog ((n 0)) top (incf n) (if (< n x) (go top)) (when (> n 10) (return n)))", (NIL,), (20,)),
    ("(if (if (< x 10) y) 1 (if (> y 2) t))", (1,), (T,)),
    # truth values
    ("(= 2 1)", (NIL,), (NIL,)),
    ("(= 2 2)", (T,), (T,)),
    ("(< x 10)", (T,), (NIL,)),
    ("(not (when (< x 10) y))", (NIL,), (T,)),
    ("(progn)", (NIL,), (NIL,)),
    ("(let ())", (NIL,), (NIL,)),
    ("(eql (when (< x 10) x) (when (< x 10) 1))", (T,), (T,)),
    ("(eq (or (< x 10) y) (if (< x 10) 5 3))", (NIL,), (T,)),
    ("(values (integerp (when (< x 10) x)) (null (when (< x 10) x)))", (T, NIL), (NIL, T)),
    # as many values as there are
    ("(values)", (), ()),
    ("(values nil t x)", (NIL, T, 1), (NIL, T, 20)),
    ("(the (integer -3) (truncate x 7))", (0, 1), (2, 6)),
    ("(the (values integer &optional) (values x))", (1,), (20,)),
    ("(if (< x 10) (values x y) x)", (1, 2), (20,)),
    ("(when (< x 10) (values x y))", (1, 2), (NIL,)),
    ("(if (< x 10) (values) (values x y nil))", (), (20, 3, NIL)),
    ("(case x (1 (floor y 2)) (t (values)))", (1, 0), ()),
    ("(block b (when (< x 10) (return-from b (values 1 2 3))) (values t nil))", (1, 2, 3), (T, NIL)),
    ("(let ((z x)) (let* ((w z)) (locally (values w z))))", (1, 1), (20, 20)),
    ("(progn 5 (progn (floor x 3)))", (0, 1), (6, 2)),
    ("(values (floor x 3))", (0,), (6,)),
    ("(multiple-value-prog1 (if (< x 10) (floor x 3) (values)) (incf x))", (0, 1), ()),
    ("(prog1 (floor x 3) (incf x))", (0,), (6,)),
    ("(multiple-value-bind (a b c) (if (< x 10) (floor x 3) x) (values a b c))", (0, 1, NIL), (20, NIL, NIL)),
    ("(nth-value 1 (if (< x 10) (floor x 3) x))", (1,), (NIL,)),
    ("(nth-value 4 (floor x 3))", (NIL,), (NIL,)),
    ("(let (a b) (multiple-value-setq (a b) (when (< x 10) (floor x 3))) (values b a))", (1, 0), (NIL, NIL)),
    ("(let (a b) (setf (values a b) (floor x 3)) (values b a))", (1, 0), (2, 6)),
    ("(macrolet ((m (e) `(when (< x 10) ,e))) (m (floor x 3)))", (0, 1), (NIL,)),
    ("(symbol-macrolet ((q (floor x 3))) q)", (0, 1), (6, 2)),
    ("(flet ((g (n) (when (< n 10) (values n y)))) (g x))", (1, 2), (NIL,)),
    ("(labels ((g (n) (cond ((= n 12) (values n t)) ((< n 5) nil) (t (g (- n 1)))))) (g x))",
     (NIL,), (12, T)),
    ("((lambda (n) (if (< n 10) (values n n) t)) x)", (1, 1), (T,)),
    # variables that hold one kind and then another
    ("(let (z) (setf z x) z)", (1,), (20,)),
    ("(let (z) (when (< x 10) (setf z x)) z)", (1,), (NIL,)),
    ("(let ((z t)) (when (< x 10) (setf z x)) z)", (1,), (T,)),
    ("(let ((z x)) (when (< x 10) (setf z nil)) z)", (NIL,), (20,)),
    ("(let ((z (when (< x 10) x))) (if z (+ z 1) 0))", (2,), (0,)),
    ("(let (z) (dotimes (i x) (when (and (null z) (> i 6)) (setf z i))) z)", (NIL,), (7,)),
    ("(let (z) (dotimes (i x z) (setf z (if z (+ z i) i))))", (0,), (190,)),
    ("(let (z) (labels ((g (n) (if (= n 0) z (g (- n 1))))) (setf z x) (g 3)))", (1,), (20,)),
    ("(let ((found nil)) (dotimes (i x) (when (= i 7) (setf found t))) found)", (NIL,), (T,)),
    ("(do (z (i 0 (+ i 1))) ((= i x) z) (when (> i 3) (setf z i)))", (NIL,), (19,)),
    ("(loop with z for i below x do (setf z i) finally (return (when z (+ z 1))))", (1,), (20,)),
    ("(setq x (when (< x 10) y)) x", (2,), (NIL,)),
    ("(let ((z x)) (declare (type (or null integer) z)) (when (< x 10) (setf z nil)) z)", (NIL,), (20,)),
    ("(the (or null (integer 2 9)) (when (< x 10) y))", (2,), (NIL,)),
    # arrays, too
    ("(when (< x 10) (vector x y))", ([1, 2],), (NIL,)),
    ("(let ((v (if (< x 10) (vector x y) x))) (if (integerp v) v (aref v 1)))", (2,), (20,)),
    ("(let (v) (when (< x 10) (setf v (vector x y))) (if v (length v) (values v 0)))", (2,), (NIL, 0)),
]  # fmt: skip

# Whole programs; f is called with no arguments.
PROGRAMS = [
    ("(defun g (x) (when (< x 10) (+ x 1)))\n(defun f () (values (g 3) (g 30) (if (g 3) 1 2) (+ 1 (g 3))))",
     (4, NIL, 1, 5)),
    ("(defun g (x) (if (< x 10) (values x t) nil))\n(defun f () (g 3))", (3, T)),
    ("(defun g (x) (if (< x 10) (values x t) nil))\n(defun f () (g 30))", (NIL,)),
    ("(defun g (x) (if (< x 10) (values x t) (values)))\n(defun f () (or (g 30) (g 3)))", (3, T)),
    ("(defun g (n) (cond ((= n 0) nil) ((= n 7) (values n t)) (t (g (- n 1)))))\n(defun f () (g 20))",
     (7, T)),
    ("(declaim (ftype (function (integer) integer) g))\n(defun g (x) (floor x 3))\n(defun f () (g 10))",
     (3, 1)),
    # arguments left out
    ("(defun g (x &optional y) (if y (+ x y) x))\n(defun f () (values (g 1) (g 1 2) (g 1 nil)))", (1, 3, 1)),
    ("(defun g (x &optional (y (* 2 x)) (z (+ x y))) (+ x (* 10 y) (* 100 z)))\n"
     "(defun f () (values (g 1) (g 1 5) (g 1 5 0)))", (321, 651, 51)),
    ("(defun g (&optional (x 5 x-p)) (values x x-p))\n"
     "(defun f () (multiple-value-bind (a b) (g) (multiple-value-bind (c d) (g 5) (values a b c d))))",
     (5, NIL, 5, T)),
    ("(defun g (&key (x 5 x-p) y) (values x x-p y))\n(defun f () (g :y 3 :x 2))", (2, T, 3)),
    ("(defun g (&key a b) (values a b))\n"
     "(defun f () (let ((n 0)) (g :b (incf n) :a (incf n))))", (2, 1)),
    ("(defun f () (flet ((g (x &optional (y x y-p)) (values x y y-p))) (g 3)))", (3, 3, NIL)),
    ("(defun f () (labels ((g (n &optional (sum 0)) (if (= n 0) sum (g (- n 1) (+ sum n))))) (g 10)))",
     (55,)),
    ("(defun g (v &optional (n (length v))) (declare (type simple-vector v)) n)\n"
     "(defun f () (values (g (vector 1 2 3)) (g (vector) 9)))", (3, 9)),
]  # fmt: skip

CASES = [
    (f"(defun f (x y) (declare (ignorable x y))\n  {body})", args, values)
    for body, *both in FORMS
    for args, values in zip(((1, 2), (20, 3)), both, strict=True)
]
CASES += [(text, (), values) for text, values in PROGRAMS]


@pytest.mark.parametrize(("text", "args", "values"), CASES, ids=[f"{c[0][-50:]}{c[1]}" for c in CASES])
def test_values_are_passed_on(text, args, values):
    assert called(compiled(text), *args) == values


@needs_sbcl
def test_sbcl_says_the_same():
    found = said_by_sbcl(CASES)
    for (text, _, values), said in zip(CASES, found, strict=True):
        assert said == values, text


@pytest.fixture(scope="module", params=[True, False], ids=["cut", "generic"])
def program(request):
    text = """
        (defun when-small (x) (when (< x 10) x))
        (defun small-p (x) (< x 10))
        (defun kind (x) (cond ((< x 0)) ((< x 10) x)))
        (defun nothing () (values))
        (defun nil-always (x) (dotimes (i x)))
        (defun some (x) (if (< x 10) (values x nil t) (values)))
        (defun left-out (x &optional y (z (* 2 x) z-p) &key (by 1) with) (values x y z z-p by with))
        (defun vector-or-nil (x) (when (< x 10) (vector x (expt 10 30))))
        (defun length-of (v) (declare (type (or null (simple-array (unsigned-byte 8) (*))) v))
          (if v (length v) -1))
        (defun shifted (x n) (ldb (byte 64 0) (ash x n)))
    """
    return compile_module(module_of(text), cut=request.param)


def test_python_sees_none_and_tuples(program):
    assert (program.when_small(3), program.when_small(30)) == (3, None)
    assert (program.small_p(3), program.small_p(30)) == (True, False)
    assert [program.kind(x) for x in (-1, 5, 50)] == [True, 5, None]
    assert program.nothing() == ()
    assert program.nil_always(3) is None
    assert (program.some(3), program.some(30)) == ((3, None, True), ())
    assert (program.vector_or_nil(1), program.vector_or_nil(10)) == ([1, 10**30], None)
    assert (program.length_of(b"four"), program.length_of(None)) == (4, -1)


def test_arguments_are_left_out_or_named(program):
    assert program.left_out(1) == (1, None, 2, False, 1, None)
    assert program.left_out(1, 5) == (1, 5, 2, False, 1, None)
    assert program.left_out(1, None, 7) == (1, None, 7, True, 1, None)
    assert program.left_out(1, True, by=1 << 90, **{"with": False}) == (1, True, 2, False, 1 << 90, None)
    for args, keys, message in [
        ((), {}, "left-out takes 1 to 3 arguments, not 0"),
        ((1, 2, 3, 4), {}, "left-out takes 1 to 3 arguments, not 4"),
        ((1,), {"bye": 1}, "left-out takes no argument bye"),
        ((1, "two"), {}, "y must be an integer, not a str"),
    ]:
        with pytest.raises(TypeError, match=message):
            program.left_out(*args, **keys)


@pytest.mark.parametrize("count", [10**11, 1 << 62, 10**30])
def test_a_huge_shift_is_no_longer_than_what_is_asked_of_it(program, count):
    assert program.shifted(-1, count) == 0
    assert program.shifted(-5, -count) == (1 << 64) - 1
    assert program.shifted(5, -count) == 0


# What is none of the kinds that it must be, when the program runs and when it is compiled.
@pytest.mark.parametrize(
    ("text", "args", "message"),
    [
        ("(defun f (x)\n  (+ 1 (when (< x 10) x)))", (10,), "2:3: (when (< x 10) x) is not an integer"),
        ("(defun f (x) (let (y) (dotimes (i x) (setf y i)) (+ y 1)))", (0,), "y is not an integer"),
        (
            "(defun f (x) (the integer (when (< x 10) x)))",
            (10,),
            "1:14: this is of another kind than type int",
        ),
        ("(defun f (x) (let ((v (when (< x 3) (vector 1)))) (aref v 0)))", (9,), "v is not an array"),
    ],
)
def test_what_is_of_another_kind_traps(text, args, message):
    with pytest.raises(Trap) as caught:
        Interpreter(compiled(text)).call("f", *args)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(defun f (x)\n  (let (y)\n    (+ y x)))", "3:5: y is nil, but an integer is needed"),
        ("(defun f (x) (+ (< x 1) 1))", "(< x 1) is true or nil, but an integer is needed"),
        (
            '(defun f (x) (if (< x 1) (vector x) "a"))',
            "this is an array of int: on another way it is a string",
        ),
    ],
)
def test_what_is_always_of_another_kind_is_refused(text, message):
    with pytest.raises(SourceError) as caught:
        module_of(text, "t.lisp")
    assert message in str(caught.value)
