"""A compiled program whose functions are in a circle with it: the collector may come by at any time."""

import subprocess
import sys

TEXT = "(defun f (x) (declare (type (integer 0 9) x)) (if (> x 5) (+ (expt 10 50) 7) (+ 3 (expt 10 60))))"

# what a call gave, a constant of the program's, and the program in one circle
CIRCLE = """
import gc, sys
from carrychain import load_lisp

gc.disable()
made = load_lisp(sys.argv[1])
given = [made.f(7)]
assert given[0] == 10**50 + 7
circle = [given, made, made.f]
circle.append(circle)
native = made._natives["f"]
del made, circle
gc.collect()
assert given[0] == 10**50 + 7
assert native.call((7,)) == (given[0],)
"""


def test_a_call_and_its_program_are_collected(tmp_path):
    (tmp_path / "f.lisp").write_text(TEXT)
    run = subprocess.run([sys.executable, "-c", CIRCLE, tmp_path / "f.lisp"], capture_output=True)
    assert run.returncode == 0, run.stderr
