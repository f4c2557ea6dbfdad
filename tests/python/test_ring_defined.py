"""Each word of machine IR is defined on every way to its uses, or it is not emitted."""

import re

import pytest
from carrychain.ring.compile import lowered, plans
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.lower.values import ValueMap
from carrychain.ring.machine.text import parse_module
from carrychain.ring.trust.defined import check_defined
from ring_cases import module_of

LOOP = """
function @f(%1: i32, %2: i1) -> (i32) slots 0 {
b0():
  %3: i32 = add %1, %1
  branch %2, b1, b2
b1():
  %4: i32 = mul %3, %3
  jump b3(%4)
b2():
  %5: i32 = mul %3, %1
  jump b3(%5)
b3(%6: i32):
  %7: i32 = add %6, %3
  branch %2, b4, b5
b4():
  %8: i32 = add %7, %6
  jump b3(%8)
b5():
  return %7
}
"""


def check_text(text: str) -> None:
    (function,) = parse_module(text).functions.values()
    check_defined(function)


def test_words_are_defined_where_they_are_used():
    check_text(LOOP)


@pytest.mark.parametrize(
    "old, new, what",
    [
        ("%7: i32 = add %6, %3", "%7: i32 = add %6, %4", "b3: %4 is not defined on every path here"),
        ("%7: i32 = add %6, %3", "%7: i32 = add %6, %7", "b3: %7 is not defined on every path here"),
        ("%7: i32 = add %6, %3", "%7: i32 = add %6, %8", "b3: %8 is not defined on every path here"),
        ("return %7", "return %8", "b5: %8 is not defined on every path here"),
        ("jump b3(%5)", "jump b3(%4)", "b2: %4 is not defined on every path here"),
        ("%5: i32 = mul %3, %1", "%5: i32 = mul %3, %9", "b2: %9 is not defined on every path here"),
        ("%8: i32 = add %7, %6", "%3: i32 = add %7, %6", "b4: %3 is defined twice"),
        ("b3(%6: i32)", "b3(%1: i32)", "b3: %1 is defined twice"),
    ],
)
def test_by_hand(old, new, what):
    assert LOOP.count(old) == 1
    with pytest.raises(CheckError, match=re.escape(what)):
        check_text(LOOP.replace(old, new))


def test_a_block_comes_after_one_that_leads_to_it():
    head, entry, *others = re.split(r"(?=^b\d)", LOOP.strip()[:-1], flags=re.MULTILINE)
    with pytest.raises(CheckError, match="b5 comes before all of its predecessors"):
        check_text("".join((head, entry, *others[::-1], "}")))


def test_a_word_that_another_way_made_is_not_emitted(monkeypatch):
    """LLVM would take it."""
    kept, was = {}, ValueMap.resize

    def once(self, *of):
        if of not in kept:
            kept[of] = was(self, *of)
        return kept[of]

    monkeypatch.setattr(ValueMap, "resize", once)
    module = module_of("""
(defun f (x y) (declare (type (unsigned-byte 8) x) (type (unsigned-byte 64) y))
  (let ((a 0) (b 0))
    (if (> y 5) (setf a (logxor x y)) (setf b (logior x y)))
    (if (> y 50) (setf a (+ b (logand x y))) (setf b (ash a -1)))
    (logxor a b)))
""").copy()
    with pytest.warns(Refused, match="f runs on big integers: .*not defined on every path"):
        lowered(module, plans(module, True))
