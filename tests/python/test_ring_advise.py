"""What `carrychain explain` says of what stayed big: each advice is seen to cut, and to keep the answers."""

import random

import pytest
import ring_programs
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.explain import advise, cost
from carrychain.ring.explain.advise import FunctionReport, places, planned, widest
from carrychain.ring.explain.telling import use_text
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.front.lisp.source import Insertion, LispSource
from carrychain.ring.ir.errors import Trap
from carrychain.ring.machine.form import BIG
from draws import random_for

FILE = "t.lisp"


def reported(text: str, name: str) -> FunctionReport:
    return advise.report(text, FILE, name, planned(text, FILE, name))


def change_of(found: FunctionReport, advice) -> frozenset[Insertion]:
    return frozenset(Insertion(found.source.offset(at), text) for text, at in advice.insertions)


def check(found: FunctionReport) -> int:
    """Does to the text what each advice says, and looks at what becomes of it; how many there were."""
    count = 0
    for finding in found.findings:
        keys = []
        for member in finding.members:
            kind = "expression" if member.kind == "expression" else "variable"
            keys.append((kind, found.source.offset(member.position)))
            assert widest(found.plan, found.places[keys[-1]]) is BIG
            assert found.source.text[keys[-1][1] :].startswith(member.text)
        for advice in finding.advice:
            change = change_of(found, advice)
            text = found.source.changed(change)
            plan = planned(text, FILE, found.function)
            assert plan.facts is not None
            after = places(LispSource(text, FILE), plan, change)
            left = [widest(plan, after[key]) for key in keys if key in after]
            assert BIG not in left
            assert advice.container == max(left, default=None)
            count += 1
    return count


# Programs of one function f, and by what stayed big for one cause (expressions and variables) what cuts it:
# a declaration and a mask.
PROGRAMS = {
    "a sum": ("(defun f (x y)\n  (+ x y))", {
        ("x", "y", "(+ x y)"): ("(declare (type (signed-byte 64) x y))", "(ldb (byte 64 0) (+ x y))"),
    }),
    "a product of three": ("(defun f (x y) (declare (type (unsigned-byte 64) x y)) (* x y x))", {
        ("(* x y x)",): (None, "(ldb (byte 64 0) (* x y x))"),
    }),
    "a sum of squares": ("(defun f (n)\n (let ((s 0))\n  (dotimes (i n)\n   (incf s (* i i)))\n  s))", {
        ("n",): ("(declare (type (signed-byte 64) n))", None),
        ("s", "(incf s (* i i))"): ("(declare (type (unsigned-byte 64) s))", None),
    }),
    "a loop's variable": (
        "(defun f (n)\n  (declare (type (unsigned-byte 32) n))\n"
        "  (loop with p = 1 for i from 1 to n do (setq p (* p i)) finally (return p)))",
        {("p", "(* p i)"): ("p of-type (unsigned-byte 64)", "(ldb (byte 64 0) (* p i))")},
    ),
    # what is declared of an element is checked, so that itself stays big
    "elements": ("(defun f (v) (declare (type simple-vector v)) (mod (* 3 (svref v 0)) 1000))", {
        ("(* 3 (svref v 0))",): ("(the (signed-byte 64) (svref v 0))", "(ldb (byte 64 0) (* 3 (svref v 0)))"),
        ("(svref v 0)",): (None, "(ldb (byte 64 0) (* 3 (svref v 0)))"),
    }),
    "a function in line": ("(defun square (x) (* x x))\n(defun f (n) (square n))", {
        ("(* x x)", "n"): ("(declare (type (signed-byte 64) n))", "(ldb (byte 64 0) (* x x))"),
    }),
    "more bits than a word has": (
        "(defun f (x) (declare (type (unsigned-byte 128) x)) (ldb (byte 200 0) (+ x 1)))",
        {("(ldb (byte 200 0) (+ x 1))", "(+ x 1)"): (None, "(ldb (byte 64 0) (ldb (byte 200 0) (+ x 1)))")},
    ),
    "a declaration before": ('(defun f (x) "Its square." (declare (integer x)) (* x x))', {
        ("x", "(* x x)"): ("(declare (type (signed-byte 64) x))", "(ldb (byte 64 0) (* x x))"),
    }),
    "nothing that cuts it": (
        "(defun f (v x) (declare (type simple-vector v) (type fixnum x)) (setf (svref v 0) (ash 1 x)) x)",
        {("(ash 1 x)",): (None, "(ldb (byte 64 0) (ash 1 x))")},
    ),
    "two uses": (
        "(defun f (x y m)\n  (declare (type (unsigned-byte 64) m))\n  (values (mod (* x x) m) (* y y)))",
        {
            ("x", "(* x x)"): ("(declare (type (signed-byte 64) x))", "(ldb (byte 64 0) (* x x))"),
            ("y", "(* y y)"): ("(declare (type (signed-byte 64) y))", "(ldb (byte 64 0) (* y y))"),
        },
    ),
    "all words": ("(defun f (x) (declare (type (unsigned-byte 32) x)) (ldb (byte 32 0) (* x x)))", {}),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_cuts_it(name):
    text, wanted = PROGRAMS[name]
    found = reported(text, "f")
    check(found)
    told = {}
    for finding in found.findings:
        ways = {each.kind: " ".join(what for what, _ in each.write) for each in finding.advice}
        told[tuple(each.text for each in finding.members)] = ways.get("declare"), ways.get("mask")
    assert told == wanted


def test_one_cause_is_one_finding():
    """What one use wants and the same changes cut is never two findings with the same advice."""
    texts = [(text, "f") for text, _ in PROGRAMS.values()]
    rng = random_for("one cause")
    for _ in range(2):
        functions = ring_programs.program(rng, "p-")[:1]
        texts.append((ring_programs.PRELUDE + ring_programs.to_lisp(functions), functions[-1][0]))
    for text, name in texts:
        findings = reported(text, name).findings
        told = [
            (each.use.text, each.use.position, tuple(way.write for way in each.advice)) for each in findings
        ]
        assert len(set(told)) == len(told)


def test_each_once_and_where():
    found = reported("(defun f (x)\n  (let ((y (* x x)))\n    (+ y (* x x)\n       y)))", "f")
    members = [each for finding in found.findings for each in finding.members]
    assert [(each.kind, each.text, str(each.position)) for each in members] == [
        ("parameter", "x", "t.lisp:1:11"),
        ("expression", "(* x x)", "t.lisp:2:12"),
        ("expression", "(+ y (* x x)\n       y)", "t.lisp:3:5"),
        ("expression", "(* x x)", "t.lisp:3:10"),
    ]


@pytest.mark.parametrize(
    ("form", "use", "of"),
    [
        ("(* x x)", "it is returned by f", None),
        ("(< (* x x) 5)", "it is compared", "(< (* x x) 5)"),
        ("(mod (* x x) 7)", "it is divided", "(mod (* x x) 7)"),
        ("(mod 7 (* x x))", "it is a divisor", "(mod 7 (* x x))"),
        ("(mod (1+ (* x x)) 7)", "(1+ it) is divided", "(mod (1+ (* x x)) 7)"),
        ("(aref v (* x x))", "it is an index", "(aref v (* x x))"),
        ("(progn (setf (svref v 0) (* x x)) 0)", "it is stored", "(setf (svref v 0) (* x x))"),
        ("(isqrt (* x x))", "it has its square root taken", "(isqrt (* x x))"),
        ("(ash 1 (* x x))", "it is a shift count", "(ash 1 (* x x))"),
        (
            "(the (unsigned-byte 8) (* x x))",
            "it is checked against a type",
            "(the (unsigned-byte 8) (* x x))",
        ),
    ],
)
def test_the_use_that_wants_it_whole(form, use, of):
    found = reported(f"(defun f (x v) (declare (type simple-vector v)) (values {form}))", "f")
    (finding,) = [f for f in found.findings if "(* x x)" in [each.text for each in f.members]]
    assert (use_text(finding).replace("(* x x)", "it"), finding.use.text) == (use, of)


def test_a_declaration_that_always_fails_is_none():
    text = """(defun f (n)
  (loop for i of-type (unsigned-byte 32) from 1 to n
        for x = (* i 12345678901234567890) then (+ x i)
        maximize (logxor x i)))"""
    found = reported(text, "f")
    changes = {change_of(found, advice) for finding in found.findings for advice in finding.advice}
    assert changes
    for change in changes:
        assert isinstance(compile_module(module_of(found.source.changed(change))).call("f", 2), int)


def test_a_wrong_advisor_is_caught(monkeypatch):
    monkeypatch.setattr(advise._Advisor, "_cut", lambda self, key, change: True)
    with pytest.raises(AssertionError):
        check(reported("(defun f (x y) (declare (type (unsigned-byte 64) x y)) (* x y x))", "f"))


def test_there_is_an_end_to_trying(monkeypatch):
    monkeypatch.setattr(advise, "TRIALS", 3)
    found = reported(PROGRAMS["a sum of squares"][0], "f")
    assert found.trials == 3 and not found.all_tried
    check(found)


@pytest.mark.parametrize("seed", range(3))
def test_declarations_keep_the_answers(seed):
    """Random programs: what is declared yields the same, or fails where a value is of another type."""
    rng = random.Random(seed)
    while True:
        functions = ring_programs.program(rng, "p-")[:1]
        text, name = ring_programs.PRELUDE + ring_programs.to_lisp(functions), functions[-1][0]
        found = reported(text, name)
        if any(each.advice for each in found.findings):
            break
    check(found)
    before = compile_module(module_of(text))
    advice = next((a for each in found.findings for a in each.advice if a.kind == "declare"), None)
    if advice is None:
        return
    after = compile_module(module_of(found.source.changed(change_of(found, advice))))
    for _ in range(8):
        args = ring_programs.inputs(rng, functions)
        if any(isinstance(arg, list | ring_programs.Part) for arg in args):
            continue
        try:
            wanted = before.call(name, *args)
        except Trap:
            continue
        try:
            assert after.call(name, *args) == wanted
        except (Trap, OverflowError) as error:
            assert "not of type" in str(error)


def test_rounds_are_counted():
    text = "(defun f (x n) (let ((s x)) (dotimes (k 7) (setq s (* s 3))) (dotimes (i n) (incf s x)) s))"
    rounds = {m.text: each.cost.rounds for each in reported(text, "f").findings for m in each.members}
    # the head of a loop is come to once more than there are rounds
    assert 7 <= rounds["(* s 3)"] <= 8
    assert rounds["(incf s x)"] is None
    assert rounds["x"] == 1


def test_what_each_operation_costs():
    found = reported("(defun f (x y) (floor (* x y) 7))", "f")
    costs = {m.text: each.cost for each in found.findings for m in each.members}
    product = costs["(* x y)"]
    assert product.operations == 1 and product.rounds == 1
    assert product.nanoseconds >= 0 and product.nanoseconds_long >= 0
    assert all(cost._longer(op, cost.SMALL) >= 0 for op in ("neg", "low", "shift", "isqrt", "expt"))


# The text itself


@pytest.mark.parametrize(
    ("text", "name", "bound"),
    [
        ("(defun f (x) ^x)", "x", "(defun f (x| (declare) x)"),
        ("(defun f (a &optional (x 1) &key ((:k y) 2)) (list ^y))", "y", None),
        ("(let ((x 1)) (let ((x 2)) ^x))", "x", None),
        ("(let ((x 1)) (let ((x 2)) x) ^x)", "x", None),
        ("(do ((x 1 (1+ x))) ((> x 3)) ^x)", "x", None),
        ("(loop for i below 3 for x = i do ^x)", "x", None),
        ("(labels ((g (x) ^x)) (g 1))", "x", None),
        ("(multiple-value-bind (q x) (floor 7 3) ^x)", "x", None),
        ("(dotimes (x n) ^x)", "x", None),
        ("#.(setf a 1) (defun f (x) (g #.(h) #32@(5) #@7 ^x))", "x", None),
    ],
)
def test_where_variables_are_bound(text, name, bound):
    at = text.index("^")
    source = LispSource(text.replace("^", ""), FILE)
    found = source.binding(name, at)
    assert found.name == name
    # of several, the innermost around the place
    inner = source.text.rindex("(x 2)") + 1 if "(x 2)) ^" in text else None
    assert inner is None or found.at == inner
    assert source.binding("nothing", at) is None
    declared = source.changed(frozenset({Insertion(found.declared_at, " DECLARED")}))
    assert {
        "(defun f (x) DECLARED x)", "(defun f (a &optional (x 1) &key ((:k y) 2)) DECLARED (list y))",
        "(let ((x 1)) (let ((x 2)) DECLARED x))", "(let ((x 1)) DECLARED (let ((x 2)) x) x)",
        "(do ((x 1 (1+ x))) ((> x 3)) DECLARED x)", "(loop for i below 3 for x DECLARED = i do x)",
        "(labels ((g (x) DECLARED x)) (g 1))", "(multiple-value-bind (q x) (floor 7 3) DECLARED x)",
        "(dotimes (x n) DECLARED x)", "#.(setf a 1) (defun f (x) DECLARED (g #.(h) #32@(5) #@7 x))",
    } >= {declared}  # fmt: skip


def test_places_are_found_again_after_a_change():
    source = LispSource("(a (b c)\n (d e))", FILE)
    change = source.around(3, "(x ", ")") | {Insertion(2, " very-long")}
    text = source.changed(change)
    assert text == "(a very-long (x (b c))\n (d e))"
    for word in "bcde":
        old, new = source.text.index(f"{word}"), text.index(f"({word}" if word in "bd" else f" {word}") + 1
        assert LispSource.before(new, change) == old
    assert source.position(11) == LispSource(text, FILE).position(11).__class__(FILE, 2, 3)
