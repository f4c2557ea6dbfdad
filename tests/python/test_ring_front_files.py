"""What real Lisp files are written with: structures, reader macros, functions as arguments, and so on.

Each by the IR's interpreter, and by SBCL where it is installed.
"""

import pytest
from carrychain.ring.front.lisp.data import NIL, T
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.ir.errors import SourceError, Trap
from carrychain.ring.ir.interpret import Interpreter
from lisp_cases import called, compiled, said_by_sbcl
from sbcl import needs_sbcl

POINT = "(defstruct point (x 1 :type (unsigned-byte 32)) (y 2 :type integer))"
NOW = "(eval-when (:compile-toplevel :load-toplevel :execute)"

# A program with a function f, its arguments, and the values it returns.
CASES = [
    # what the reader evaluates, and reads twice
    ("(defun f (x) (+ x #.(* 6 7)))", (1,), (43,)),
    ("(defconstant +n+ 3) (defun f (x) #.(cons '* (loop for i from 1 to 4 collect i)))", (0,), (24,)),
    (f"{NOW} (defun twice (n) (* 2 n))) (defun f (x) (+ x '#.(twice 4)))", (1,), (9,)),
    ("(defun f (x) (+ x #+#.(cl:if (cl:= 1 1) '(and) '(or)) 5 #-#.'(or) 7))", (1,), (13,)),
    ("(defun f (x) (+ x #+no-such #.(error \"not read\") 2 #-no-such 3))", (1,), (6,)),
    ("(defmacro m (a b) (if (eq a b) 1 2)) (defun f (x) (+ x (m #1=(a) #1#) (m (a) (a))))", (0,), (3,)),
    (
        "(defmacro m (l) `(list-sum ,@(loop repeat 5 for x in l collect x)))"
        "(defmacro list-sum (&rest r) `(+ ,@r)) (defun f (x) (+ x (m #1=(1 2 . #1#))))",
        (0,),
        (7,),
    ),
    ("(defun f (x) (aref #2A((1 2 3) (4 5 6)) 1 x))", (2,), (6,)),
    ("(defun f (x) (let ((a #3A(((1 2)) ((3 4))))) (+ (aref a x 0 1) (array-dimension a 0))))", (1,), (6,)),
    ("(defun f (x) (aref #0A7))", (0,), (7,)),
    ("(defun f (x) (values (aref #*0110 x) (length #5*01) (aref #4(7 8) 3)))", (2,), (1, 5, 8)),
    # constants that are defined once, as libraries do; and names that are made in a package
    ("(unless (boundp '+n+) (defconstant +n+ 5)) (unless (boundp '+n+) (defconstant +n+ 6))"
     "(defun f (x) (+ x +n+))", (1,), (6,)),
    ("(defmacro once (name value) `(eval-when (:compile-toplevel :load-toplevel :execute)"
     " (let ((new ,value)) (if (and (boundp ',name) (equalp (symbol-value ',name) new)) ',name"
     " (defconstant ,name new))))) (once +n+ 7) (once +n+ 7) (defun f (x) (+ x #.(1+ +n+)))", (1,), (9,)),
    ("(defmacro by (name x) (let ((*package* (find-package :common-lisp))) `(,(intern (string name)) ,x 3)))"
     "(defun f (x) (by #:logxor x))", (1,), (2,)),
    # a variable that is of the type already
    ("(defun f (x) (declare (type (unsigned-byte 8) x)) (let ((v (make-array 2 :element-type"
     " '(unsigned-byte 8) :initial-element x)) (s (make-string x :initial-element #\\a)))"
     " (setf (aref (coerce v '(vector (unsigned-byte 8))) 1) 3) (values (aref v 0) (aref v 1)"
     " (length (coerce s 'simple-string)) (coerce x 'fixnum))))", (7,), (7, 3, 7, 7)),
    # a readtable of the program's
    (
        f"{NOW} (set-dispatch-macro-character #\\# #\\@ (lambda (stream char arg) (declare (ignore char))"
        " (let ((l (read stream t nil t))) `(make-array ,(length l) :element-type '(unsigned-byte ,arg)"
        " :initial-contents ',l)))))\n(defun f (x) (aref #32@(5 6 7) x))",
        (1,),
        (6,),
    ),
    (
        f"{NOW} (set-macro-character #\\! (lambda (stream char) (declare (ignore char))"
        " (list '* 3 (read stream t nil t)))))\n(defun f (x) (+ 1 !x))",
        (4,),
        (13,),
    ),
    # structures
    (f"{POINT} (defun f (a) (let ((p (make-point :y a))) (incf (point-x p) 5) (+ (point-x p) (point-y p))))",
     (10,), (16,)),
    (f"{POINT} (defun g (p) (declare (type point p)) (setf (point-x p) (ldb (byte 8 0) (* 3 (point-x p)))) p)"
     "(defun f (a) (let ((p (make-point :x a))) (g (g p)) (point-x p)))", (100,), (132,)),
    (f"{POINT} (defun f (a) (let* ((p (make-point :x a)) (q p) (r (copy-point p)))"
     "(setf (point-x q) 7) (values (point-x p) (point-x r) (eq p q) (eq p r) (point-p p) (point-p a))))",
     (3,), (7, 3, T, NIL, T, NIL)),
    (f"{POINT} (defstruct (disc (:include point (y 5)) (:constructor disc (x r))) (r 0))"
     "(defun f (a) (let ((d (disc a 9))) (list (point-x d)) (values (disc-x d) (point-y d) (disc-r d)"
     " (typep d 'point) (typep (make-point) 'disc))))", (4,), None),
    (f"{POINT} (defstruct (disc (:include point (y 5)) (:constructor disc (x r))) (r 0))"
     "(defun f (a) (let ((d (disc a 9))) (values (disc-x d) (point-y d) (disc-r d)"
     " (typep d 'point) (typep (make-point) 'disc))))", (4,), (4, 5, 9, T, NIL)),
    (f"{POINT} (defun f (a) (let ((p (make-point :x 0))) (dotimes (i a) (incf (point-x p) i)"
     "(when (> (point-x p) 20) (setf (point-y p) i) (return))) (values (point-x p) (point-y p))))",
     (50,), (21, 6)),
    ("(defstruct box (v (make-array 3) :type simple-vector) (n nil))"
     "(defun g (b x) (setf (aref (box-v b) 1) x (box-n b) x) b)"
     "(defun f (x) (let ((b (make-box))) (if (box-n b) 1 (+ 1 (aref (box-v (g b x)) 1) (box-n b)))))",
     (5,), (11,)),
    ("(defstruct (s (:conc-name nil) (:constructor s (a &optional (b (* 2 a)) &aux (c (+ a b))))) a b c)"
     "(defun f (x) (let ((s (s x))) (values (a s) (b s) (c s))))", (3,), (3, 6, 9)),
    ("(defstruct (regs (:type (vector (unsigned-byte 32))) (:constructor fresh ()) (:copier copied)) (a"
     " 7) (b 9))"
     "(defun f (x) (let* ((r (fresh)) (s (copied r))) (incf (regs-b r) x) (values (regs-a r) (aref r 1)"
     " (regs-b s)"
     " (length r))))", (5,), (7, 14, 9, 2)),
    (f"{POINT} (defmacro with-point ((x y) p &body body) `(symbol-macrolet ((,x (point-x ,p)) (,y"
     " (point-y ,p)))"
     " ,@body)) (defun f (a) (let ((p (make-point))) (with-point (x y) p (setf x a y (* x x))) (point-y p)))",
     (9,), (81,)),
    # functions as arguments, and what they close over
    ("(defun twice (g x) (declare (type function g)) (funcall g (funcall g x)))"
     "(defun f (x) (let ((n 0)) (values (twice (lambda (y) (incf n) (+ y x)) 1) n (twice #'1+ x))))",
     (5,), (11, 2, 7)),
    ("(defun g (h x y) (funcall h x y)) (defun f (x) (flet ((k (a b) (- a b)))"
     "(values (g #'k x 1) (g #'max x 9) (g 'min x 9))))", (5,), None),
    ("(defun g (h x y) (funcall h x y)) (defun f (x) (flet ((k (a b) (- a b)))"
     "(values (g #'k x 1) (g #'max x 9) (g #'min x 9))))", (5,), (4, 9, 5)),
    ("(defun f (x) (let ((g (cond ((< x 3) #'1+) ((< x 6) #'1-) (t #'-)))) (+ (* 100 (funcall g x)) 1)))",
     (4,), (301,)),
    ("(defun f (x) (let ((g (cond ((< x 3) #'1+) ((< x 6) #'1-) (t #'-)))) (+ (* 100 (funcall g x)) 1)))",
     (8,), (-799,)),
    ("(defun f (x) (labels ((down (n) (if (< n 1) 0 (+ n (down (1- n)))))) (let ((g #'down)) (funcall g"
     " x))))",
     (4,), (10,)),
    # &rest and &key
    ("(defun g (&rest r) (+ (length r) (apply #'+ r) (apply #'max 3 r))) (defun f (x) (g x 2 5))",
     (4,), (19,)),
    ("(defun g (a &rest r) (if r (+ a (apply #'g r)) a)) (defun f (x) (g x))", (4,), (4,)),
    ("(defun g (&rest r) (let ((s 0)) (dolist (x r s) (when (= x 9) (return -1)) (setq s (+ (* 10 s) x)))))"
     "(defun f (x) (values (g x 2 3) (g) (g 9 x) (g 1 (first (list-of x 7)))))"
     "(defun list-of (&rest r) r)", (4,), (423, 0, -1, 14)),
    ("(defun g (a &key (b (* 2 a)) ((:cc c) 7 c-p) &allow-other-keys) (values a b c c-p))"
     "(defun f (x) (multiple-value-bind (a b c p) (g x :cc 1 :other 5) (values a b c p)))",
     (3,), (3, 6, 1, T)),
    ("(defun g (kind x) (ecase kind (:up (1+ x)) ((:down :under) (1- x))))"
     "(defun f (x) (values (g :up x) (g :under x)))", (5,), (6, 4)),
    ("(defun g (v i) (setf (aref v i) (* 2 (aref v i))) v) (defun f (x) (let ((v (make-array 2"
     " :element-type '(unsigned-byte 8) :initial-element x))) (aref (g v 1) 1)))", (9,), (18,)),
    # types told apart
    ("(defun g (x) (typecase x (null 1) ((integer 0 9) 2) ((unsigned-byte 8) 3) (integer 4) (simple-string 5)"
     " ((simple-array (unsigned-byte 8) (*)) 6) (t 7)))"
     "(defun f (x) (values (g nil) (g x) (g (* 20 x)) (g (- x)) (g \"a\") (g (make-array 1 :element-type"
     " '(unsigned-byte 8))) (g t)))", (5,), (1, 2, 3, 4, 5, 6, 7)),
    ("(deftype small (&optional (n 8)) `(unsigned-byte ,n)) (defun f (x) (values (typep x 'small)"
     " (typep x '(small 4)) (typep x '(or (eql 77) (and integer (not (small 10))))) (typep x '(member 1"
     " 77))))",
     (77,), (T, NIL, T, T)),
    ("(defun f (x) (etypecase (if (> x 3) x nil) (null -1) (integer x)))", (2,), (-1,)),
    # places
    ("(defun (setf low) (new v) (setf (aref v 0) (logand new 255)) new) (defun low (v) (aref v 0))"
     "(defun f (x) (let ((v (make-array 2 :initial-element 1))) (values (setf (low v) x) (incf (low v)"
     " 3) (low v))))",
     (300,), (300, 47, 47)),
    ("(defsetf top (v) (new) `(progn (setf (aref ,v 1) ,new) ,new)) (defun top (v) (aref v 1))"
     "(defun f (x) (let ((v (make-array 2 :initial-element 1))) (setf (top v) x) (incf (top v)) (top v)))",
     (5,), (6,)),
    ("(defun put (v i x) (setf (aref v i) (* 2 x)) x) (defsetf elt2 put) (defun elt2 (v i) (aref v i))"
     "(defun f (x) (let ((v (make-array 2))) (values (setf (elt2 v 1) x) (elt2 v 1))))", (5,), (5, 10)),
    ("(define-modify-macro mulf (&rest more) *) (define-modify-macro xorf (m) logxor)"
     "(defun f (x) (let ((v (make-array 2 :initial-element x)) (i 0)) (mulf (aref v (incf i)) 2 3) (xorf x 5)"
     " (values (aref v 1) i x)))", (7,), (42, 1, 2)),
    ("(defun f (x) (let ((v (make-array 5 :initial-element x))) (setf (subseq v 1 3) #(8 9)) (values"
     " (aref v 0)"
     " (aref v 1) (aref v 2) (aref v 3))))", (7,), (7, 8, 9, 7)),
    # when the program is compiled
    ("(defmacro m () (let ((h (make-hash-table :test 'equal)) (s 0)) (setf (gethash '(1 2) h) 5"
     " (gethash \"a\" h) 7) (incf (gethash \"a\" h) 2) (incf (gethash 'none h 40)) (remhash \"b\" h)"
     " (maphash (lambda (k v) (declare (ignore k)) (incf s v)) h) (+ (* 1000 s) (hash-table-count h))))"
     "(defun f (x) (+ x (m)))", (0,), (55003,)),
    ("(defmacro m () (values (floor (* 4294967296 (abs (sin (float 3 0.0d0)))))))(defun f (x) (+ x (m)))",
     (0,), (606105819,)),
    ("(defmacro m (&rest names) `(+ ,@(loop for n in names for i from 1 collect"
     " (let ((name (read-from-string (format nil \"~A-~:R\" n i)))) `(symbol-macrolet ((,name ,i)) ,name)))))"
     "(defun f (x) (+ x (m a b c)))", (0,), (6,)),
    ("(defmacro unrolled ((v n) &body b &environment e) `(progn ,@(loop for i below (eval (macroexpand n e))"
     " collect `(symbol-macrolet ((,v ,i)) ,@b))))"
     "(defun f (x) (symbol-macrolet ((four 4)) (unrolled (i four) (setq x (+ (* 2 x) i)))) x)", (1,), (27,)),
    ("(defmacro m () (let ((a (make-array '(2 3) :initial-contents '((1 2 3) (4 5 6))))) (setf (aref a"
     " 1 2) 9)"
     " (+ (aref a 1 2) (* 10 (aref a 0 1)) (* 100 (array-total-size a)))))(defun f (x) (+ x (m)))",
     (0,), (629,)),
    ("(macrolet ((c (i) `(aref v ,i))) (defun g (v) (+ (c 0) (c 1)))) (defun f (x) (g (vector x 5)))",
     (3,), (8,)),
    ("(defvar *t* (make-array 4 :initial-element 0)) (dotimes (i 4) (setf (aref *t* i) (* i i)))"
     "(defun f (x) (aref *t* x))", (3,), (9,)),
    ("(defun f (x) (values (/ (* 6 x) 3 2) (round x 2) (round (- x) 2) (round 7 2)))", (5,), (5, 2, -2, 4)),
    ("(defun f (x) (multiple-value-prog1 (floor x 4) (setq x 9)))", (11,), (2, 3)),
    ("(defun f (x) (loop for i below x sum i into s count (oddp i) into n maximize (* i (- 7 i)) into m"
     " minimize (- i) into k finally (return (values s n m k))))", (6,), (15, 3, 12, -5)),
    ("(defun f (x) (loop for i from 1 to x for j downfrom x by 2 for k = i then (+ k j) summing (* j k)"
     " fixnum))",
     (4,), (8,)),
]  # fmt: skip

CASES = [case for case in CASES if case[2] is not None]


@pytest.mark.parametrize(("text", "args", "values"), CASES, ids=[case[0][-50:] for case in CASES])
def test_constructs(text, args, values):
    assert called(compiled(text), *args) == values


@needs_sbcl
def test_sbcl_says_the_same():
    found = said_by_sbcl(CASES)
    assert found == [values for _, _, values in CASES]


# What is refused, and where.
WRONG = [
    (f"{POINT}\n(defun f (x)\n  (let ((p (if (> x 1) (make-point) (make-point :x 2)))) (point-x p)))",
     "3:12: this is a structure of type point, but a structure of type point on another path: which one must"
     " be known"),
    (f"{POINT}\n(defun f (x) (let ((p (make-point)))\n (setq p (make-point)) (point-x p)))", "3:2: p is"
     " assigned"),
    (f"{POINT} (defstruct other a)\n(defun f (x) (point-x (make-other)))",
     "2:23: (make-other) is a structure of type other, but a structure of type point is needed"),
    (f"{POINT}\n(defun f (x) (point-x x))", "2:14: x is an integer, but a structure of type point is"
     " needed"),
    ("(defstruct p (a 1 :read-only t))\n(defun f (x) (let ((p (make-p))) (setf (p-a p) 2) (p-a p)))",
     "2:34: the slot a of a structure of type p is read only"),
    ("(defstruct (p (:type list)) a)", "1:1: p is a list, which only macros have: write (:type (vector"
     " integer))"),
    ("(defclass c () ())", "1:1: defclass makes objects with classes, which compiled code does not support:"
     " write a"),
    ("(defun f (x) (funcall x 1))", "1:14: x is an integer, but a function is needed"),
    ("(defun g (&rest r) (if r (apply #'g (rest r)) 0))\n(defun f (x) (g x 1))", "g calls itself, and"
     " takes or returns"),
    ("(defun f (x) (cons x 1))", "1:14: cons works on values that exist only in macros, such as lists: use a"
     " vector"),
    ("(defun f (x) (aref #2A((1 2) (3 4)) x))", "1:14: 1 indices for an array of 2 dimensions"),
    ("(defun f (x) #1#)", "1:14: #1# has no #1= before it"),
    ("(defun f (x) #2A((1 2) (3)))", "1:14: this is not an array of 2 dimensions"),
    ("(defun f (x) (let ((s (make-string x))) (length (coerce s 'simple-vector))))",
     "1:49: a string, where an array of int is declared"),
    ("(defparameter *a*)", "1:1: malformed defparameter: (defparameter *a*)"),
    ("(progn (when t (defconstant +a+)))", "1:16: malformed defconstant: (defconstant +a+)"),
    ("(defun f (x) 1.5)", "1:14: 1.5: there are no floating-point numbers here but doubles"),
    ("(defun f (x) (typecase x (character 1)))", "compiled code cannot tell characters from their codes"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[case[0][-40:] for case in WRONG])
def test_what_is_refused_is_said_with_its_place(text, message):
    with pytest.raises(SourceError) as refused:
        module_of(text, "t.lisp")
    said = str(refused.value)
    assert said.startswith("t.lisp:")
    assert message in said


def test_functions_of_a_structure_are_compiled_where_they_are_called():
    """Alone there is nothing to call; and what a program's first files have is left out where it must be."""
    module = module_of(
        f"{POINT} (defun g (p) (declare (type point p)) (point-x p)) (defun f (x) (g (make-point :x x)))"
    )
    assert list(module.functions) == ["f"]
    assert Interpreter(module).call("f", 5) == (5,)
    module = module_of(
        "(defun unfit (l) (cons l l)) (defun fit (x) (+ x 1))", "a", ("(defun f (x) (fit x))", "b")
    )
    assert list(module.functions) == ["fit", "f"]
    with pytest.raises(SourceError, match=r"^a:1:18: cons works on values that exist only in macros"):
        module_of("(defun unfit (l) (cons l l))", "a", ("(defun f (x) (unfit x))", "b"))


# Nothing here can be compiled but what f may use.
UNFIT = """(defclass state () ((sum :accessor sum)))
(defmethod result ((s state)) (sum s))
(define-condition wrong (error) ())
(defvar *reader* (make-instance 'state))
(defun warned (x) (warn "no") x)
(defparameter *base* 7)
"""


def test_what_no_wanted_function_uses_is_left_out():
    module = module_of(f"{UNFIT}(defun f (x) (+ x *base*))", "t", wanted=("f",))
    assert list(module.functions) == ["f"]
    assert called(module, 3) == (10,)
    for text, message in (
        ("(defun f (x) (warned x))", "t:5:19: warn is not a known function or macro"),
        ("(defun f (x) (result x))", "t:7:14: result is not a known function or macro"),
        ("(defun f (x) (if *reader* x 1))", "t:4:18: the function make-instance is not defined at compile"),
        ("(defun f () #.(boundp '*reader*))", "t:4:18: the function make-instance is not defined at compile"),
        ("(defparameter *base* (warned 1)) (defun f () *base*)", "warn is not defined at compile time"),
        ("(defun + (a b) (logxor a b)) (defun f (x) (+ x 1))", "t:7:1: + is Common Lisp's own"),
    ):
        with pytest.raises(SourceError) as refused:
            module_of(UNFIT + text, "t", wanted=("f",))
        assert message in str(refused.value)
    with pytest.raises(SourceError, match=r"^t:4:18: the function make-instance"):
        module_of(f"{UNFIT}(defvar *reader* 1) (defun f (x) (+ x *reader*))", "t", wanted=("f",))
    text = f"{UNFIT}(defparameter *reader* 1) (defun f (x) (+ x *reader*))"
    assert called(module_of(text, "t", wanted=("f",)), 3) == (4,)
    with pytest.raises(SourceError, match=r"^t:1:1: defclass makes objects with classes"):
        module_of(f"{UNFIT}(defun f (x) (+ x *base*))", "t")


def test_a_fraction_is_told_when_it_comes():
    module = compiled("(defun f (x y) (/ x y))")
    assert called(module, -12, 4) == (-3,)
    with pytest.raises(Trap, match="/ yields a fraction here"):
        called(module, 7, 2)


def test_what_is_coerced_is_checked_whatever_the_safety():
    module = compiled("(defun f (x) (declare (optimize (safety 0))) (coerce x '(unsigned-byte 8)))")
    assert called(module, 255) == (255,)
    with pytest.raises(Trap, match="256 is not of type u8"):
        called(module, 256)
