"""What a call holds is given up when it ends: when the collector comes by, the program may be gone."""

import subprocess
import sys

TEXT = "(defun f (x) (declare (type (integer 0 9) x)) (if (> x 5) (+ (expt 10 50) 7) (+ 3 (expt 10 60))))"

# a call, and the program whose constant it gave, in one circle
CIRCLE = """
import gc, sys
from carrychain import load_lisp
from carrychain.ring.call import program

gc.disable()
calls = []
values = program._Call.values
program._Call.values = lambda self: calls.append(self) or values(self)
made = load_lisp(sys.argv[1])
assert made.f(7) == 10**50 + 7
calls[0].circle = calls[0], made
del made
calls.clear()
gc.collect()
"""


def test_a_call_and_its_program_are_collected(tmp_path):
    (tmp_path / "f.lisp").write_text(TEXT)
    run = subprocess.run([sys.executable, "-c", CIRCLE, tmp_path / "f.lisp"], capture_output=True)
    assert run.returncode == 0, run.stderr
