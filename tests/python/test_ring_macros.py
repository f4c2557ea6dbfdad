"""What runs when the program is compiled: lists as Common Lisp has them, and its limits."""

import sys
from fractions import Fraction

import draws
import pytest
import sbcl
from carrychain.ring.front.lisp import limits
from carrychain.ring.front.lisp.data import NIL, ByteSpec, Character, Cons, Symbol, T, Vector, listed, symbol
from carrychain.ring.front.lisp.evaluate import Closure, Evaluator
from carrychain.ring.front.lisp.expand import Scope
from carrychain.ring.front.lisp.library import FUNCTIONS, MultipleValues
from carrychain.ring.front.lisp.module import World, deep, module_of
from carrychain.ring.front.lisp.reader import Reader, Readtable
from carrychain.ring.front.lisp.tables import Table
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.interpret import Interpreter

# What is to be computed when the program is compiled, and the integer that comes of it.
LISTS = [
    ("(let* ((l (list 1 2 3)) (k (nconc l (list 4)))) (length l))", 4),
    ("(let ((l (list 1 2))) (setf (cdr (last l)) (list 3 4)) (fourth l))", 4),
    ("(let* ((l (list 1 2 3)) (k (cdr l))) (rplaca k 7) (second l))", 7),
    ("(let* ((l (list 1 2 3)) (k (append (list 0) l))) (setf (car l) 9) (second k))", 9),
    ("(let ((l (list 1 2 3))) (setf (cdr (last l)) l) (nth 100 l))", 2),
    ("(let ((l (list 1 2 3))) (setf (cdr (last l)) l) (if (list-length l) 1 0))", 0),
    ("(let ((l (list 3 1 2))) (setf l (sort l #'<)) (+ (* 10 (first l)) (third l)))", 13),
    ("(let* ((l (list 1 2 3)) (k (nreverse l))) (+ (length l) (* 10 (car k))))", 31),
    ("(let* ((l (list 1 2 1 3)) (k (cdr l))) (setf l (delete 1 l)) (+ (* 10 (length k)) (length l)))", 22),
    ("(let ((l (list 1 2))) (push 5 (cdr l)) (+ (* 100 (pop l)) (second l) (* 10 (first l))))", 152),
    ("(let ((l (list :a 1))) (setf (getf l :b) 2 (getf l :a) 3) (+ (* 10 (getf l :a)) (getf l :b)))", 32),
    ("(let ((l (list :a 1 :b 2))) (remf l :a) (length l))", 2),
    ("(let ((l (list 1 2 3 4))) (setf (nth 2 l) 9 (cadr l) 5) (+ (* 10 (second l)) (third l)))", 59),
    ("(destructuring-bind (a (b . c) . d) (list* 1 (cons 2 3) 4) (+ a (* 10 b) (* 100 c) (* 1000 d)))", 4321),
    ("(destructuring-bind (&whole w a &rest r) (list 1 2 3) (+ (length w) (* 10 (length r)) a))", 24),
    ("(let* ((l (list 1 2 3)) (k (cddr l))) (length (ldiff l k)))", 2),
    ("(let* ((l (list 1 2 3)) (k (cddr l))) (if (and (tailp k l) (not (tailp (list 3) l))) 1 0))", 1),
    ("(let* ((l (list (list 1))) (k (copy-list l)) (m (copy-tree l))) (setf (caar l) 5)"
     " (+ (* 10 (caar k)) (caar m)))", 51),
    ("(let ((l (mapcan (lambda (x) (if (oddp x) (list x x) nil)) (list 1 2 3)))) (length l))", 4),
    ("(let* ((t2 (list 9)) (l (mapcan #'identity (list (list 1) t2)))) (setf (car t2) 5) (second l))", 5),
    ("(if (member (list 1) (list (list 1))) 1 0)", 0),
    ("(if (member (list 1) (list (list 1)) :test #'equal) 1 0)", 1),
    ("(length (remove-duplicates (list 1 2 1 3 2)))", 3),
    ("(let ((l (list 1 2 3))) (setf (cdddr l) 4) (cdr (last l)))", 4),
    ("(if (eql (expt 0.5d0 -1) 2d0) 1 0)", 1),
    ("(if (eql (expt -0.5d0 2) 0.25d0) 1 0)", 1),
    ("(let ((a (list 1 2)) (b 1)) (psetf (car a) 5 a (list 7)) (car a))", 7),
    ("(let ((i 0) (l (list 1 2 3))) (push (incf i) (nth (incf i) l)) (car (nth 2 l)))", 1),
    ("(let ((a (list 1 2))) `(,@a . 3) (length a))", 2),
    ("(eval-list `(1 ,@(list 2 3) ,(+ 2 2) . ,(list 5)))", 12345),
    ("(eval-list (let ((names '(1 2))) (car (list `(0 ,@names)))))", 12),
]  # fmt: skip
EVAL_LIST = "(defun eval-list (l) (reduce (lambda (a b) (+ (* 10 a) b)) l :initial-value 0))"


def returned(text: str):
    (value,) = Interpreter(module_of(text)).call("f")
    return value


@pytest.mark.parametrize(("form", "value"), LISTS, ids=[form[:60] for form, _ in LISTS])
def test_lists_are_conses(form, value):
    assert (
        returned(f"(eval-when (:compile-toplevel) {EVAL_LIST})\n(defmacro m () {form})\n(defun f () (m))")
        == value
    )


@sbcl.needs_sbcl
def test_sbcl_says_the_same():
    found = sbcl.results("\n".join([EVAL_LIST, *(sbcl.shown(form) for form, _ in LISTS)]))
    assert list(map(sbcl.values, found)) == [(value,) for _, value in LISTS]


# Computed when the program is compiled, and what is refused.
ENDLESS = [
    ("(loop)", "more than 1,000,000 steps"),
    ("(let ((i 0)) (loop (setq i (+ i 1))))", "more than 1,000,000 steps"),
    ("(let ((l nil)) (loop (setq l (append l l (list 1)))))", "more than 128 MiB"),
    ("(let ((s \"a\")) (loop (setq s (concatenate 'string s s))))", "more than 128 MiB"),
    ("(let ((x 3)) (loop (setq x (* x x))))", "more than 1,000,000 steps"),
    ("(let ((x 3)) (loop (setq x (+ x x))))", "more than "),
    ("(let ((x 1/3)) (loop (setq x (* x x))))", "more than 1,000,000 steps"),
    ("(expt 2 (expt 10 12))", "more than "),
    ("(expt 3 (expt 10 12))", "more than "),
    ("(expt 2/3 (expt 10 12))", "more than "),
    ("(ash 1 (ash 1 60))", "more than "),
    ("(ash 1 (ash 1 100))", "more than "),
    ("(dpb 1 (byte 1 (ash 1 60)) 0)", "more than "),
    ("(ldb (byte (ash 1 60) 0) -1)", "more than "),
    ("(make-list (expt 10 12))", "more than "),
    ("(make-array (expt 10 12))", "more than "),
    ("(make-string (expt 10 12) :initial-element #\\a)", "more than "),
    ("(format nil \"~1000000000000d\" 1)", "does not take these arguments"),
    ("(labels ((g (n) (+ 1 (g (+ n 1))))) (g 0))", "g calls itself without end: there are more than 1000"),
    ("(funcall (lambda (g) (funcall g g)) (lambda (g) (funcall g g)))", "more than 1000 calls within calls"),
    ("(let ((l (list 1))) (setf (cdr l) l) (length l))", "a circular list is not allowed here"),
    ("(let ((l (list 1))) (setf (cdr l) l) (mapcar #'1+ l))", "more than "),
    ("(let ((l (list 1))) (setf (cdr l) l) (last l))", "more than "),
    ("(let ((l (list 1))) (setf (cdr l) l) (nth (expt 10 12) l))", "more than "),
    ("(let ((l (list 1))) (setf (cdr l) l) (equal l (copy-tree l)))", "more than "),
    ("(let ((l (list 1))) (setf (cdr l) l) (find 2 l))", "a circular list is not allowed here"),
    ("(let ((l (list 1))) (setf (cdr l) l) (format nil \"~a\" l))", "this is circular"),
    ("(let ((l (list 1))) (setf (cdr l) l) (error \"~a\" l))", "this is circular"),
    ("(let ((l (list 1))) (setf (cdr l) l) (symbol-name l))", "does not take these arguments: (1 1 1"),
    ("(let ((l (list '+ 1 2))) (setf (cdr (last l)) l) l)", "expands into code of more than"),
    ("(let ((l (list '+ 1 2))) (setf (second l) l) l)", "expands into code of more than"),
    ("(let ((l (list 1))) (setf (cdr l) l) `',l)", "is not a value that compiled code supports"),
    ("(let ((l (list '+ 1))) (dotimes (i 40) (setq l (list '+ l l))) l)", "expands into code of more than"),
    ("(format t \"~a\" 1)", "format cannot write to a stream"),
    ("(format nil \"~e\" 1)", "format supports ~a"),
    ("(open \"/etc/passwd\")", "the function open is not defined"),
    ("(sb-ext:run-program \"ls\" nil)", "the function run-program is not defined"),
    ("(load \"x.lisp\")", "the function load is not defined"),
    ("(funcall '__import__ \"os\")", "the function __import__ is not defined"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "message"), ENDLESS, ids=[form[:60] for form, _ in ENDLESS])
def test_what_does_not_end_is_refused(form, message):
    """In one line with its place, and however slow the machine is, by a count and not by the clock."""
    with pytest.raises(SourceError) as refused:
        module_of(f"(defmacro m ()\n  {form})\n(defun f () (m))", "t.lisp")
    assert message in str(refused.value)
    assert str(refused.value).startswith("t.lisp:")
    assert "\n" not in str(refused.value)


def test_helpers_are_for_macros_only():
    helper = "(defun g (l) (if l (+ (car l) (g (cdr l))) 0))"
    both = f"(eval-when (:compile-toplevel :load-toplevel :execute) (defun h (x) (* 2 x)) {helper})"
    uses = "(defmacro m () (h (g (list 1 2 3))))\n(defun f () (m))"
    module = module_of(f"{both}\n{uses}")
    assert Interpreter(module).call("h", 4) == (8,)
    assert returned(f"(eval-when (:compile-toplevel) (defun h (x) (* 2 x)) {helper})\n{uses}") == 12
    assert returned("(eval-when (compile) (defun f () 3))\n(defun f () 4)\n(defmacro g () 1)") == 4
    assert (
        returned(
            "(eval-when (:compile-toplevel) (defparameter *l* (list 1 2)) (nconc *l* (list 3)))\n"
            "(defmacro m () (length *l*))\n(defun f () (m))"
        )
        == 3
    )


HELPER = "(eval-when (:compile-toplevel) (defun h (x) x))"
WRONG = [
    (f"{HELPER}\n(defun f ()\n  (h 3))", "t.lisp:3:3: h is for macros only: its eval-when does not say"),
    ("(eval-when (:now) (defun h (x) x))", "t.lisp:1:1: (:now): the situations are :compile-toplevel, "),
    ("(eval-when (:execute) (defun h (x) x))\n(defun f () (h 3))", "t.lisp:2:13: h is not a known"),
    ("(defun f (x)\n  (+ 1 ,x))", "t.lisp:2:8: a comma outside a backquote"),
    ("(defmacro m (x)\n  `(+ 1 ,,x))", "t.lisp:2:10: a comma outside a backquote"),
    ("(defmacro m (x)\n  `,@x)", "t.lisp:2:4: ,@ inserts into a list, and there is none around it"),
    ("(defmacro m (x)\n  `(1 . ,@x))", "t.lisp:2:8: ,@ after a dot"),
    ("(defconstant +a+ 3)\n(defmacro m (x) (let ((+a+ x)) +a+))\n(defun f () (m 1))",
     "t.lisp:2:17: +a+ is a global variable, which cannot be rebound"),
    ("(defun f (x) (setf (car x) 1))", "t.lisp:1:14: (setf car) works on values that exist only in macros"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[text[-40:] for text, _ in WRONG])
def test_what_is_wrong_is_said_with_its_place(text, message):
    with pytest.raises(SourceError) as refused:
        module_of(text, "t.lisp")
    assert str(refused.value).startswith(message)


VALUES = (
    int, Fraction, float, Symbol, str, Character, Cons, Vector, ByteSpec, Closure, MultipleValues,
    Table, Readtable, Reader,
)  # fmt: skip
OUTSIDE = ("open", "import", "socket", "subprocess", "os", "exec")
reached: list[str] | None = None


def heard(event: str, args: tuple) -> None:
    if reached is not None and event.split(".")[0] in OUTSIDE:
        reached.append(event)


sys.addaudithook(heard)


def fresh() -> Evaluator:
    world = World()
    world.scope = Scope(world)
    return world.evaluator


def any_values(rng, evaluator: Evaluator) -> tuple:
    """One of each kind."""
    circle = Cons(1, NIL)
    circle.cdr = circle
    small = rng.randrange(-3, 9)
    more = [rng.randrange(5) for _ in range(rng.randrange(4))]
    return (
        small, small, small, -(10**30), 1 << 200_000, 10**12, Fraction(small, 7), NIL, T, symbol("A"),
        *map(symbol, (":TEST", ":KEY", ":START", ":COUNT", ":INITIAL-ELEMENT", "LIST", "CAR", "+", "EVAL")),
        "abc", "", "~a ~5,'0d", "/etc/passwd", Character(97), listed(*more), listed(*more), Cons(1, 2),
        circle,
        listed(listed(1, 2), listed(symbol("A"), 3)), Vector([1, 2, 3]), ByteSpec(8, 3), ByteSpec(1 << 70, 0),
        FUNCTIONS[symbol(rng.choice(("EQL", "<", "1+", "CAR", "CONS", "IDENTITY")))],
        0.5, -1e300, Table("EQUAL"), Readtable(), Reader("(a", "t", evaluator),
        Closure("g", listed(symbol("X")), listed(symbol("X")), evaluator.world.scope),
    )  # fmt: skip


@pytest.mark.parametrize("name", sorted(FUNCTIONS, key=str), ids=str)
def test_functions_take_anything_and_reach_nothing(name, monkeypatch):
    """A Lisp value or a refusal in words comes of any arguments; and nothing outside is touched."""
    global reached
    monkeypatch.setattr(limits, "STEPS_MAX", 20_000)
    monkeypatch.setattr(limits, "BYTES_MAX", 1 << 20)
    rng = draws.random_for(f"ring_macros {name}")
    kinds = len(any_values(rng, fresh()))
    # of one argument all, of more some
    given = [[kind] for kind in range(kinds)]
    given += [
        [rng.randrange(kinds) for _ in range(rng.randrange(6))] for _ in range(600 if draws.LONG else 60)
    ]
    for at, chosen in enumerate(given):
        if at % 8 == 0:
            evaluator = fresh()
        values = any_values(rng, evaluator)
        arguments = [values[kind] for kind in chosen]
        reached = []
        try:
            with deep():
                value = evaluator.native(FUNCTIONS[name], arguments, None)
        except SourceError as error:
            assert "\n" not in str(error)
        except RecursionError:
            pass  # of circles within cars: said by module_of
        else:
            assert isinstance(value, VALUES) or callable(value)
        finally:
            outside, reached = reached, None
        assert outside == []
