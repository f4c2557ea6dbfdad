"""The Lisp front end: what each form means, by the IR's interpreter, and by SBCL where it is installed."""

import random
import re

import pytest
from carrychain.ring.front.lisp import limits
from carrychain.ring.front.lisp.data import NIL, T
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.ir import form as ir
from carrychain.ring.ir.errors import SourceError, Trap
from carrychain.ring.ir.interpret import Interpreter
from lisp_cases import called, compiled, said_by_sbcl
from sbcl import needs_sbcl

U8 = "(declare (type (simple-array (unsigned-byte 8) (*)) v))"

# A body of (defun f (x y) ...), the arguments, and the values it returns.
FORMS = [
    # arithmetic, exact
    ("(+ x y (* x y) 1)", (3, 4), (20,)),
    ("(+)", (0, 0), (0,)),
    ("(- x y 1)", (3, 4), (-2,)),
    ("(- x)", (3, 4), (-3,)),
    ("(* x x x x)", (1 << 40, 0), (1 << 160,)),
    ("(values (1+ x) (1- y))", (3, 4), (4, 3)),
    ("(floor x y)", (-7, 2), (-4, 1)),
    ("(floor x)", (-7, 2), (-7, 0)),
    ("(truncate x y)", (-7, 2), (-3, -1)),
    ("(ceiling x y)", (-7, 2), (-3, -1)),
    ("(round x y)", (-7, 2), (-4, 1)),
    ("(round x y)", (-5, -2), (2, -1)),
    ("(round x y)", (5, -3), (-2, -1)),
    ("(round x)", (5, 0), (5, 0)),
    ("(values (mod x y) (rem x y))", (-7, 3), (2, -1)),
    ("(values (abs x) (min x y 3) (max x y 3))", (-7, 9), (7, -7, 9)),
    ("(values (gcd x y) (gcd x) (gcd))", (-12, 18), (6, 12, 0)),
    ("(values (expt x y) (isqrt (* x x x)) (signum x))", (10, 30), (10**30, 31, 1)),
    # comparisons
    ("(values (< x y) (<= x y 9) (> y x) (>= x y) (= x x) (/= x y x))", (3, 4), (T, T, T, NIL, T, NIL)),
    ("(values (< x y 5) (< x 4 4))", (3, 4), (T, NIL)),
    ("(values (zerop x) (plusp x) (minusp y) (evenp y) (oddp y))", (0, -3), (T, NIL, T, NIL, T)),
    ("(values (eql x y) (eq x 3) (equal (< x y) (< y x)) (not x))", (3, 4), (NIL, T, NIL, NIL)),
    # bits
    ("(values (ash x y) (ash x (- y)) (ash (- x) -1))", (13, 2), (52, 3, -7)),
    ("(values (logand x y) (logior x y) (logxor x y) (logeqv x y))", (12, -7), (8, -3, -11, 10)),
    ("(values (lognand x y) (lognor x y) (lognot x))", (12, 10), (-9, -15, -13)),
    ("(values (logandc1 x y) (logandc2 x y) (logorc1 x y) (logorc2 x y))",
     (12, 10), (2, 4, -5, -3)),
    ("(values (logand) (logior) (logeqv) (logand x) (logxor x y 1))", (12, 10), (-1, 0, -1, 12, 7)),
    ("(values (logcount x) (logcount y) (integer-length x) (integer-length y))", (12, -7), (2, 2, 4, 3)),
    ("(values (logbitp 2 x) (logbitp 200 y) (logtest x 3))", (12, -1), (T, T, NIL)),
    ("(values (ldb (byte 8 4) x) (ldb (byte 8 300) y) (ldb (byte 0 3) x))", (0xABCD, -1), (0xBC, 255, 0)),
    ("(values (ldb (byte x y) -1) (mask-field (byte x y) -1))", (5, 3), (31, 248)),
    ("(values (dpb x (byte 4 8) y) (deposit-field x (byte 4 8) y))", (0xABC, -1), (-769, -1281 + 0)),
    ("(dpb x (byte 3 y) 0)", (15, 2), (28,)),
    ("(values (boole boole-xor x y) (boole boole-c1 x y))", (12, 10), (6, -13)),
    ("(loop for op below 16 sum (* (1+ op) (boole op x y)))", (12, 10), (-225,)),
    ("(boole x y 5)", (11, 3), (-8,)),
    # conditions
    ("(if (and (< x y) (or (= x 3) (= y 9)) (not (= x y))) 1 2)", (3, 4), (1,)),
    ("(cond ((< x y) 1) ((= x y) 2) (t 3))", (4, 4), (2,)),
    ("(cond ((= x 9)) (t nil))", (9, 0), (T,)),
    ("(case x ((1 2) 10) (3 20) (otherwise 30))", (2, 0), (10,)),
    ("(case x (#\\a 1) (t (ecase y (4 2))))", (3, 4), (2,)),
    ("(let ((z 1)) (when (< x y) (incf z)) (unless (< x y) (incf z 10)) z)", (3, 4), (2,)),
    ("(if x (if nil 1 2) 3)", (0, 0), (2,)),
    ("(or (and x nil) (< x y))", (1, 2), (T,)),
    ("(if (or (< x 0) (and (> x 10) (< x 20))) (if (not (evenp x)) 1 2) 3)", (15, 0), (1,)),
    # variables
    ("(let ((x y) (y x)) (- x y))", (3, 4), (1,)),
    ("(let* ((x y) (y x)) (- x y))", (3, 4), (0,)),
    ("(setq x (+ x 1) y (* x 2)) (+ x y)", (3, 4), (12,)),
    ("(psetq x y y x) (values x y)", (3, 4), (4, 3)),
    ("(rotatef x y) (list x y) (values x y)", (3, 4), None),
    ("(rotatef x y) (values x y)", (3, 4), (4, 3)),
    ("(values (shiftf x y 9) x y)", (3, 4), (3, 4, 9)),
    ("(incf x) (decf y 2) (values (incf x 5) y)", (3, 4), (9, 2)),
    ("(setf (ldb (byte 4 4) x) y) x", (0, 15), (240,)),
    ("(multiple-value-bind (q r) (floor x y) (+ (* 100 q) r))", (17, 5), (302,)),
    ("(multiple-value-setq (x y) (floor x y)) (values x y)", (17, 5), (3, 2)),
    ("(setf (values x y) (truncate x y)) (values x y)", (17, 5), (3, 2)),
    ("(nth-value 1 (floor x y))", (17, 5), (2,)),
    ("(values (prog1 x (setq x 9)) x (prog2 1 y 3))", (3, 4), (3, 9, 4)),
    ("(multiple-value-prog1 (floor x y) (setq x 1))", (17, 5), (3, 2)),
    ("(symbol-macrolet ((z (+ x y))) (* z z))", (3, 4), (49,)),
    ("(let ((v (make-array 3))) (symbol-macrolet ((z (aref v 1))) (setq z x) (incf z y) z))",
     (3, 4), (7,)),
    # control
    ("(block a (if (< x y) (return-from a 1)) 2)", (3, 4), (1,)),
    ("(block nil (return (floor x y)))", (17, 5), (3, 2)),
    ("(prog ((n 0)) top (if (= n x) (go done)) (incf n) (go top) done (return (* n y)))",
     (5, 7), (35,)),
    ("(tagbody (go b) a (setq x 1) (go c) b (setq x 2) (go a) c) x", (9, 9), (1,)),
    ("(let ((s 0)) (dotimes (i x s) (when (= i y) (return s)) (incf s i)))", (10, 5), (10,)),
    ("(do ((i 0 (+ i 1)) (s 0 (+ s i))) ((= i x) s))", (10, 0), (45,)),
    ("(do* ((i 0 (+ i 1)) (s 0 (+ s i))) ((= i x) s))", (10, 0), (55,)),
    # loop
    ("(loop for i from x to y sum i)", (3, 10), (52,)),
    ("(loop for i from x below y by 3 sum i)", (3, 10), (18,)),
    ("(loop for i from y downto x sum (* i i))", (3, 5), (50,)),
    ("(loop for i downfrom y above x by 2 count (oddp i))", (0, 9), (5,)),
    ("(loop for i below x for j = y then (* 2 j) sum j)", (4, 1), (15,)),
    ("(loop for i below x for j = (+ i y) maximize (mod (* j 7) 11))", (9, 2), (10,)),
    ("(loop for i from 1 to x minimize (mod (* i y) 13))", (9, 5), (1,)),
    ("(loop repeat x do (incf y 2) finally (return y))", (4, 1), (9,)),
    ("(loop while (< x y) do (incf x 3) finally (return x))", (1, 9), (10,)),
    ("(loop until (> x y) do (setq x (* 2 x))) x", (1, 9), (16,)),
    ("(loop with z = 1 for i from 1 to x do (setq z (* z i)) finally (return z))", (9, 0), (362880,)),
    ("(loop for i of-type fixnum from 0 below x when (evenp i) sum i into a else sum i into b"
     " finally (return (values a b)))", (10, 0), (20, 25)),
    ("(loop (incf x) (when (> x y) (return x)))", (3, 9), (10,)),
    ("(loop for i from 2 below x never (zerop (mod x i)))", (13, 0), (T,)),
    ("(loop for i from x to y always (> i 2))", (2, 9), (NIL,)),
    ("(loop for i from x to y thereis (> i 8))", (2, 9), (T,)),
    ("(loop named outer for i below x do (loop for j below y do"
     " (when (= (* i j) 12) (return-from outer (+ (* 10 i) j))))"
     " finally (return-from outer 0))", (9, 9), (26,)),
    ("(let ((n 0)) (loop for i below x unless (oddp i) do (incf n) and do (incf n y)) n)", (5, 2), (9,)),
    ("(loop for i from 0 to x finally (return i))", (5, 0), (6,)),
    # local functions
    ("(flet ((g (a) (+ a x))) (* (g 1) (g y)))", (3, 4), (28,)),
    ("(let ((n 0)) (flet ((add (k) (incf n k))) (add x) (add y)) n)", (3, 4), (7,)),
    ("(labels ((g (n a) (if (< n 1) a (g (- n 1) (* a n))))) (g x 1))", (20, 0), (2432902008176640000,)),
    ("(labels ((g (n) (if (= n 0) y (+ n (g (- n 1)))))) (g x))", (4, 100), (110,)),
    (
        "(labels ((ev (n) (if (= n 0) t (od (- n 1)))) (od (n) (if (= n 0) nil (ev (- n 1)))))"
        " (values (ev x) (ev y)))",
        (10, 7),
        (T, NIL),
    ),
    ("(flet ((g (n) (when (> n 3) (return-from f 1)))) (g x) (g y) 2)", (1, 5), (1,)),
    ("((lambda (a b) (- a b)) y x)", (3, 4), (1,)),
    ("(funcall (lambda (a) (* a a)) x)", (3, 4), (9,)),
    ("(funcall #'+ x y)", (3, 4), (7,)),
    ("(macrolet ((twice (form) `(progn ,form ,form))) (twice (incf x y))) x", (3, 4), (11,)),
    # types
    ("(the fixnum (+ x y))", (3, 4), (7,)),
    ("(let ((z x)) (declare (type (integer 0 10) z)) (setq z y) z)", (3, 4), (4,)),
    ("(let ((z x)) (declare (fixnum z) (ignorable z)) (locally (declare (optimize speed)) y))", (3, 4), (4,)),
    # arrays
    (
        "(let ((v (make-array x :element-type '(unsigned-byte 8) :initial-element 7)))"
        " (setf (aref v 1) y) (incf (aref v 2)) (values (aref v 0) (aref v 1) (aref v 2) (length v)))",
        (5, 200),
        (7, 200, 8, 5),
    ),
    ("(let ((v (make-array 3 :initial-contents '(1 2 3)))) (rotatef (aref v 0) (aref v 2)) v)",
     (0, 0), ([3, 2, 1],)),
    ("(loop for e across #(3 1 4 1 5) sum (* e x))", (2, 0), (28,)),
    ("(svref #(3 1 4 1 5) x)", (2, 0), (4,)),
    ("(let ((v (vector x y (+ x y)))) (setf (svref v 0) (ash 1 70)) v)", (3, 4), ([1 << 70, 4, 7],)),
    ("(char-code (char \"hello\" x))", (1, 0), (ord("e"),)),
    ("(let ((s (make-string 2 :initial-element #\\a))) (setf (char s 1) (code-char x))"
     " (char-code (schar s 1)))",
     (98, 0), (98,)),
    ("(if (char= (char \"abc\" x) #\\b) 1 2)", (1, 0), (1,)),
    ("(let ((v (make-array 6 :initial-element 1))) (fill v x :start 2 :end 4)"
     " (replace v #(7 8 9) :start1 3 :start2 1) (subseq v 1 5))", (5, 0), ([1, 5, 8, 9],)),
    ("(let ((v (vector 1 2 3 4 5))) (replace v v :start1 1) v)", (0, 0), ([1, 1, 2, 3, 4],)),
    ("(let ((v (vector 1 2 3 4 5))) (replace v v :start2 x) v)", (2, 0), ([3, 4, 5, 4, 5],)),
    ("(let* ((v (vector 1 2 3 4)) (w (vector 9 9 9 9))) (when (plusp x) (setq w v))"
     " (replace v w :start1 1 :end2 y) v)", (1, 2), ([1, 1, 2, 4],)),
    # reading
    ("(list #xff)", (0, 0), None),
    ("(+ #xff #b101 #o17 #36rz 10. -5) ; a comment\n #| another #| nested |# |# ", (0, 0), (315,)),
    ("(+ x #+nothing 100 #-nothing 200 #+(or common-lisp nothing) 5)", (1, 0), (206,)),
    ("(+ |X| \\Y)", (3, 4), (7,)),
]  # fmt: skip

# Whole programs; the last function is called.
PROGRAMS = [
    ("(defmacro sum-of (&rest forms) `(+ ,@forms))\n(defun f (x) (sum-of x 1 2))", (3,), (6,)),
    ("""(defmacro unrolled ((var count) &body body)
          `(progn ,@(loop for i below count collect `(let ((,var ,i)) ,@body))))
        (defun f (x) (unrolled (i 5) (setq x (+ (* 3 x) i))) x)""", (1,), (301,)),
    ("""(defmacro swap (a b) (let ((tmp (gensym))) `(let ((,tmp ,a)) (setf ,a ,b ,b ,tmp))))
        (defun f (x y) (swap x y) (values x y))""", (1, 2), (2, 1)),
    ("""(defmacro power (base exponent)
          (cond ((zerop exponent) 1)
                ((evenp exponent) `(let ((b ,base)) (power (* b b) ,(floor exponent 2))))
                (t `(let ((b ,base)) (* b (power b ,(1- exponent)))))))
        (defun f (x) (power x 13))""", (3,), (3**13,)),
    ("""(defmacro with (&key (a 1) (b (+ a 1)) &aux (c (* a b))) (list 'quote (+ a b c)))
        (defun f () (+ (with) (with :a 10) (with :b 5)))""", (), (5 + 131 + 11,)),
    ("""(eval-when (:compile-toplevel :load-toplevel :execute) (defun square (n) (* n n)))
        (defparameter *squares* (coerce (loop for i below 10 collect (square i))
                                        '(simple-array (unsigned-byte 8) (*))))
        (defconstant +limit+ (expt 2 70))
        (defun f (i) (+ (aref *squares* i) +limit+))""", (7,), (49 + (1 << 70),)),
    ("""(defvar *count* 10)
        (defun count-up () (incf *count*))
        (defun f () (count-up) (count-up) *count*)""", (), (12,)),
    ("""(deftype word (&optional (bits 32)) `(unsigned-byte ,bits))
        (declaim (inline g) (ftype (function ((word 8) (word 8)) (values (word 16) &optional)) g))
        (defun g (a b) (* a b))
        (defun f (x) (declare (type (word) x)) (g (ldb (byte 8 0) x) (ldb (byte 8 8) x)))""",
     (0x1234,), (0x12 * 0x34,)),
    ("""(defun g (a &optional (b 10) &key (c (+ a b)) ((:dee d) 1000)) (+ a (* 2 b) (* 3 c) d))
        (defun f (x) (values (g x) (g x 1) (g x 1 :c 0) (g x 1 :dee 5)))""",
     (2,), (2 + 20 + 36 + 1000, 2 + 2 + 9 + 1000, 1004, 2 + 2 + 9 + 5)),
    ("(defun f (n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2)))))", (15,), (610,)),
    ("""(defun ev (n) (if (= n 0) t (od (- n 1))))
        (defun od (n) (if (= n 0) nil (ev (- n 1))))
        (defun f (n) (values (ev n) (if (od n) 1 2)))""", (9,), (NIL, 1)),
    ("""(defun divided (n d) (if (< n d) (values 0 n)
          (multiple-value-bind (q r) (divided (- n d) d) (values (1+ q) r))))
        (defun f (x) (divided x 7))""", (40,), (5, 5)),
    (f"""(defun total (v) {U8} (loop for e across v sum e))
         (defun f (n) (let ((v (make-array n :element-type '(unsigned-byte 8))))
           (dotimes (i n) (setf (aref v i) (ldb (byte 8 0) (* i i)))) (total v)))""",
     (20,), (sum(i * i % 256 for i in range(20)),)),
    ("""(defparameter *table* #(10 20 30))
        (defun put (v) (declare (simple-vector v)) (setf (svref v 1) (expt 2 80)) (svref v 1))
        (defun f () (put (copy-seq *table*)))""", (), (1 << 80,)),
    ("""(defmacro names () '(progn (defun g-1 (x) (+ x 1)) (defun g-2 (x) (g-1 (g-1 x)))))
        (names)
        (defun f (x) (g-2 x))""", (5,), (7,)),
    ("""(define-symbol-macro seven 7)
        (defun f (x) (declare (optimize (speed 3) (safety 0)) (type (unsigned-byte 8) x))
          "words" (+ x seven))""", (5,), (12,)),
]  # fmt: skip

CASES = [
    (f"(defun f (x y) (declare (ignorable x y))\n  {body})", args, values) for body, args, values in FORMS
]
CASES = [case for case in CASES + PROGRAMS if case[2] is not None]
NOT_COMPILED = [body for body, _, values in FORMS if values is None]


@pytest.mark.parametrize(("text", "args", "values"), CASES, ids=[case[0][-50:] for case in CASES])
def test_forms_mean_what_lisp_says(text, args, values):
    assert called(compiled(text), *args) == values


@needs_sbcl
def test_sbcl_says_the_same():
    found = said_by_sbcl(CASES)
    for (text, _, values), said in zip(CASES, found, strict=True):
        assert said == values, text


@pytest.mark.parametrize("body", NOT_COMPILED)
def test_lists_are_for_macros(body):
    with pytest.raises(SourceError, match="macros"):
        module_of(f"(defun f (x y) {body})", "t.lisp")


# A text, and the message it gets; where it stands is marked by what precedes ^.
WRONG = [
    ("(defun f (x)\n  ^(+ x 1)", "1:1: this parenthesis is not closed"),
    ("(defun f (x) x))", "1:16: an extra closing parenthesis"),
    ('(defun f (x) "abc', "1:14: this string does not end"),
    ("(defun f (x)\n  (foo x))", "2:3: foo is not a known function or macro"),
    ("(defun f (x)\n  (+ 1 (bar x)))", "2:8: bar is not a known function or macro"),
    ("(defun f (x) (when (< x 1)\n  (+ x y)))", "2:8: the variable y is not bound"),
    ("(defun f (x) (let ((a x)\n (b q)) b))", "2:5: the variable q is not bound"),
    ("(defun f (x)\n  q)", "2:3: the variable q is not bound"),
    ("(defun f (x) (when x x\n q))", "2:2: the variable q is not bound"),
    ("(defun f (x) (if\n q x))", "2:2: the variable q is not bound"),
    ("(defun f (x) (setq\n q x))", "2:2: the variable q is not bound"),
    ("(defun g (x) x)\n(defun f (x) (g x x))", "2:14: g takes 1 argument, not 2"),
    ("(defun f (x) (mod x))", "1:14: mod takes 2 arguments, not 1"),
    ("(defun f (x) (if x 1 2 3))", "1:14: if takes 2 or 3 arguments, not 4"),
    ("(defun f (x) (let 5 x))", "1:14: malformed let"),
    ("(defun f (x) (dotimes 3))", "1:14: malformed dotimes"),
    ("(defun f (x) (ldb 3 x))", "3 is not a byte specifier"),
    ("(defun f (x) (aref x 0))", "1:14: x is an integer, but an array is needed"),
    ("(defun f (x) (+ x (< x 1)))", "1:19: (< x 1) is true or nil, but an integer is needed"),
    ("(defun f (x) 1.5)", "no floating-point numbers"),
    ("(defun f (x) (return-from g x))", "there is no block g here"),
    ("(defun f (x) (go a))", "there is no tag a here"),
    ("(defun f (x) (setf (foo x) 1))", "1:20: (foo x) is not an assignable place"),
    ("(defun f (x) (declare (type float x)) x)", "float: unknown type"),
    ("(defun f (x) (loop for))", "loop: a form is missing at the end"),
    ("(defun f (x) (loop for i upto x blah))", "loop: no clause begins with blah"),
    ("(defun + (x) x)", "+ is Common Lisp's own"),
    ("(defconstant +a+ 3)\n(defun f () (setq +a+ 4))", "2:13: +a+ is a constant"),
    ("(defparameter *a* (floor 1 0))", "division by zero"),
    ("(defparameter *a* (aref #(1 2) 2))", "index 2 is out of bounds for 2 elements"),
    ("(defparameter *a* (make-array -1))", "an array of -1 elements"),
    ("(defmacro m () '(m))\n(defun f () (m))", "(m) expands into itself endlessly"),
    ("(defmacro m (n) `(progn (m ,(1+ n))))\n(defun f (x)\n  (+ x (m 1)))",
     "3:8: the macro m expands into itself endlessly"),
    ("(defmacro m (n) `(progn\n (m ,n)))\n(defun f () (m 1))",
     "3:13: the macro m expands into itself endlessly"),
    ("(defun g (n) (g (1+ n)))\n(defmacro m (n) (g n))\n(defun f () (m 1))", "g calls itself without end"),
    ("(defmacro m () (loop))\n(defun f () (m))", "more than 20,000 steps"),
    ("(defmacro m (a) a)\n(defun f () (m))", "2:13: m was given too few arguments"),
    ("(defmacro m (a) (car a))\n(defun f () (m 5))", "car does not take these arguments: 5"),
    ("(defun f (x) (labels ((g (n) (if (< n 1) (setq x n) (g (1- n))))) (g 3)))",
     "x is assigned in a local function that calls itself"),
    ("(" * 1000, "nested too deeply"),
    ("(print 1)", "1:1: the function print is not defined at compile time"),
    ("#|", "1:1: a #| comment does not end"),
    ("(deftype a () 'a)\n(defun f (x) (declare (type a x)) x)", "a: this type is defined in terms of itself"),
    ("(defun f (x) (coerce x 'float))", "1:14: float: unknown type"),
    ("(defun f)", "1:1: malformed defun"),
    ("(defun f (x &key x) x)", "1:1: two parameters are called x"),
    ("(defun f . x)", "1:1: "),
    ("(defun f (x) (declare (type)) x)", "(type) is not a declaration"),
    ("(defun f (x) (declare (type (mod) x)) x)", "(mod): unknown type"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[case[0][-40:] for case in WRONG])
def test_what_is_wrong_is_said_with_its_place(text, message, monkeypatch):
    monkeypatch.setattr(limits, "STEPS_MAX", 20_000)
    with pytest.raises(SourceError) as caught:
        module_of(text.replace("^", ""), "t.lisp")
    said = str(caught.value)
    assert said.startswith("t.lisp:")
    assert message in said
    assert "\n" not in said


# Programs that fail a check of their own when they run.
TRAPS = [
    ("(defun f (x) (the (unsigned-byte 8) x))", (256,), "1:14: 256 is not of type u8"),
    ("(defun f (x) (declare (type (unsigned-byte 8) x)) (incf x))", (255,), "256 is not of type u8"),
    ("(defun g (x) (declare (type (mod 10) x)) x)\n(defun f (x) (g x))",
     (10,), "2:14: 10 is not of type int[0,9]"),
    ("(defun f (x) (let ((y 0)) (declare (type bit y)) (setq y x) y))",
     (2,), "1:50: 2 is not of type int[0,1]"),
    ("(defun f (x)\n  (floor 1 x))", (0,), "2:3: division by zero"),
    ("(defun f (x) (aref #(1 2 3) x))", (3,), "1:14: index 3 is out of bounds for an array of 3"),
    ("(defun f (x) (length (make-array x)))", (-1,), "an array of -1 elements"),
    ('(defun f (x) (if (< x 1) (error "too ~a" x)) x)', (0,), "1:26: too ~a"),
    ("(defun f (x) (assert (< x 1)) x)", (1,), "the assertion (< x 1) failed"),
    ("(defun f (x) (ecase x (1 2)))", (3,), "no case for this value"),
    ("(defun f (x) (logbitp x 5))", (-1,), "-1 is not of type"),
    ("(declaim (type (unsigned-byte 8) *count*))\n(defvar *count* 0)\n(defun f (x) (setq *count* x))",
     (256,), "3:14: 256 is not of type u8"),
    ("(defun f (x) (isqrt x))", (-1,), "isqrt of a negative integer"),
    ("(defun g (v) (declare (type (simple-array (unsigned-byte 8) (3)) v)) (aref v 0))\n"
     "(defun f (n) (g (make-array n :element-type '(unsigned-byte 8))))",
     (4,), "an array of another length than 3"),
    ("(defun f (x) (let ((v (make-array 2 :element-type '(unsigned-byte 8)))) (setf (aref v 0) x) v))",
     (256,), "256 is not of type u8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "args", "message"), TRAPS, ids=[case[0][-40:] for case in TRAPS])
def test_promises_are_checked(text, args, message):
    with pytest.raises(Trap) as caught:
        Interpreter(compiled(text)).call("f", *args)
    assert message in str(caught.value)


def operations(text: str) -> list[str]:
    return [i.op for i in compiled(text).functions["f"].instructions()]


def test_safety_0_assumes_what_else_is_checked():
    text = "(defun f (x) (declare (optimize (safety {}))) (the (unsigned-byte 8) x))"
    assert operations(text.format(1)) == ["narrow"]
    assert operations(text.format(0)) == ["assume"]
    text = "(declaim (optimize (speed 3) (safety 0)))\n(defun f (x) (the (unsigned-byte 8) x))"
    assert operations(text) == ["assume"]
    # from there on
    text = "(defun f (x) (the (unsigned-byte 8) x))\n(declaim (optimize (safety 0)))"
    assert operations(text) == ["narrow"]


def test_what_is_constant_is_folded():
    assert operations("(defun f (x) (logand x (1- (ash 1 32))))") == ["const", "and"]
    assert operations("(defun f (x) (if (logtest 5 2) (foo x) x))") == []


def test_variables_that_do_not_change_are_no_parameters():
    module = compiled("(defun f (n k) (loop for i below n sum (* i k)))")
    params = [[p.name.split(".")[0] for p in block.params] for block in module.functions["f"].blocks[1:]]
    assert all(set(names) <= {"i", "sum"} for names in params)
    assert ["i", "sum"] in [sorted(names) for names in params]


def test_tables_hold_what_they_hold():
    text = "(defparameter *t* #(1 2 300))\n(defun f (i) (svref *t* i))"
    assert compiled(text).arrays["*t*"] == (ir.Array(ir.Int(1, 300)), [1, 2, 300])
    # once it is stored into, it may hold anything
    text += "\n(defun g (i x) (setf (svref *t* i) x))"
    module = compiled(text)
    assert module.arrays["*t*"] == (ir.Array(ir.INT), [1, 2, 300])
    machine = Interpreter(module)
    machine.call("g", 1, 1 << 90)
    assert machine.call("f", 1) == (1 << 90,)


def test_positions_go_through_macros():
    text = "(defmacro m (a) `(* 2 ,a))\n(defun f (x)\n  (m\n    (+ x 1)))"
    places = {
        i.op: (i.position.line, i.position.column) for i in compiled(text).functions["f"].instructions()
    }
    assert places["add"] == (4, 5)
    assert places["mul"] == (3, 3)


def test_damaged_programs_are_refused_in_words(monkeypatch):
    monkeypatch.setattr(limits, "STEPS_MAX", 20_000)
    choose = random.Random(1)
    refused = 0
    for _ in range(1500):
        tokens = re.findall(r"\s+|[()'`]|,@|,|[^\s()'`,]+", choose.choice(CASES)[0])
        for _ in range(choose.choice((1, 1, 2, 4))):
            at, other = (
                choose.randrange(len(tokens)),
                choose.choice([*tokens, "(", ")", "nil", ".", "-1", "&key"]),
            )
            if choose.random() < 0.3:
                tokens[at] = ""
            else:
                tokens[at] = other
        try:
            compiled("".join(tokens))
        except SourceError as error:
            refused += 1
            assert error.position, error
    assert refused > 500
